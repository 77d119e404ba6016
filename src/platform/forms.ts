import type { BusboyInstance } from '@fastify/busboy';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../kernel/errors.ts';

/** Parsed in one turn of the event loop: a fraction of a millisecond. */
const PIECE_BYTES = 64 * 1024;

/** A file of a form. Its content can be read once, and only until the next file is requested. */
interface FormFile {
  /** Name as the sender gave it, folders included. */
  name: string;
  content: AsyncIterable<Uint8Array>;
}

/** A form as it arrives. */
interface FormSource {
  contentType: string;
  body: AsyncIterable<Uint8Array>;
  mostFiles: number;
}

/**
 * The files of a `multipart/form-data` body, one after another while it arrives. The sender waits for the reader, so only some
 * pieces of 64 KB are in memory. Other fields, and the unread part of a content, are skipped.
 *
 * @throws ServiceError `bad_argument` for a broken form, one without a file and one with too many; what `body` throws.
 */
export async function* filesOfForm({ contentType, body, mostFiles }: FormSource): AsyncGenerator<FormFile> {
  const form = new Form(body, await parserOf(contentType, mostFiles));
  form.parser.on('filesLimit', () => form.fail(wrongNumber(`more than ${mostFiles}`, mostFiles)));
  let count = 0;
  try {
    for await (const { name, stream } of form.files as AsyncIterable<ParsedFile>) {
      count += 1;
      yield { name, content: form.read(stream) };
      for await (const _ of form.read(stream));
    }
  } finally {
    form.close();
  }
  if (count === 0) throw wrongNumber('0', mostFiles);
}

interface ParsedFile {
  name: string;
  stream: Readable;
}

/** Queue between the parser, which pushes files, and the reader, who takes one after another. */
class Form {
  readonly parser: BusboyInstance;
  /** Files, as far as the parser has come: `ParsedFile`. */
  readonly files = new PassThrough({ objectMode: true });
  readonly #unread = new Set<Readable>();
  #reason: unknown;

  constructor(body: AsyncIterable<Uint8Array>, parser: BusboyInstance) {
    this.parser = parser;
    // The reader reports it; a file that waits to be read must not end the process.
    this.files.on('error', () => {});
    parser.on('file', (_field, stream, name) => this.#add({ name, stream }));
    pipeline(this.#pieces(body), parser).then(
      () => this.files.end(),
      () => this.fail(brokenForm()),
    );
  }

  #add(file: ParsedFile): void {
    file.stream.on('error', () => {});
    file.stream.once('close', () => this.#unread.delete(file.stream));
    this.#unread.add(file.stream);
    this.files.write(file);
  }

  /** The first reason counts: what breaks afterwards follows from it. */
  fail(reason: unknown): void {
    this.#reason ??= reason;
    this.#destroy(this.#reason);
  }

  close(): void {
    this.parser.destroy();
    this.#destroy(undefined);
  }

  #destroy(reason: unknown): void {
    const error = reason instanceof Error ? reason : undefined;
    this.files.destroy(error);
    for (const stream of this.#unread) stream.destroy(error);
  }

  async *read(stream: Readable): AsyncGenerator<Uint8Array> {
    if (stream.readableEnded) return;
    try {
      yield* stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    } catch {
      throw this.#reason ?? brokenForm();
    }
  }

  async *#pieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body)
        for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }
}

async function parserOf(contentType: string, mostFiles: number): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: (_field, _type, name) => name !== undefined,
      limits: { files: mostFiles, fields: 0 },
    });
  } catch {
    throw brokenForm();
  }
}

function brokenForm(): ServiceError {
  return new ServiceError('bad_argument', 'The form is broken: the body is not complete multipart/form-data.', {
    fix: 'Send it again, with the boundary of its parts in Content-Type.',
  });
}

function wrongNumber(number: string, mostFiles: number): ServiceError {
  return new ServiceError('bad_argument', `There are ${number} files in the form.`, {
    fix: `Send 1 to ${mostFiles} files.`,
  });
}
