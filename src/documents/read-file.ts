import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import type { Entry } from '../knowledge/knowledge.ts';
import { OutOfMemory, PoolClosed, ProcessCrashed } from '../platform/processes.ts';
import { TaskTimeout } from '../platform/threads.ts';
import { type Documents, MEMORY_MEGABYTES } from './context.ts';
import type { ParseResult, ParseTask } from './parse-document.ts';
import type { Section } from './sections.ts';
import type { DocumentRow } from './store.ts';

/** Longest that reading one file may take. */
const PARSE_MS = 60_000;

/** Sections that are held in memory and go into one statement of the database. */
const BATCH = { lines: 100, characters: 256_000 };

/** Task of the reading process. */
export interface ReadTask extends ParseTask {
  /** File to which it writes the sections. */
  sectionsFile: string;
}

/** Content of a file. */
export interface ReadFile {
  type: Exclude<ParseResult['type'], 'zip'>;
  title: string;
  tags: string[];
  /** Number of sections. */
  count: number;
  /** The sections, or the file that has them, a JSON object a line. */
  sections: Section[] | string;
}

/** Result of the reading process. */
export type ReadResult = ReadFile | Extract<ParseResult, { type: 'zip' }>;

/** Problem with a file, for its uploader. */
interface ReadFault {
  error: { message: string; fix: string };
}

/**
 * Reads a file in a process of its own and gives what it holds, or what is wrong with it, to `use`; what was written
 * beside is deleted afterwards. Whatever a parser makes of a hostile file is the fault of the file.
 *
 * @throws the signal's reason when it stops, PoolClosed when the service does, and what `use` throws.
 */
export async function readFileInProcess<Result>(
  { pool, workDir }: Documents,
  file: Pick<ParseTask, 'name' | 'content'>,
  signal: AbortSignal,
  use: (result: ReadResult | ReadFault) => Promise<Result>,
): Promise<Result> {
  const folder = join(workDir, `documents-${randomUUID()}`);
  const task: ReadTask = { ...file, unpackDir: folder, sectionsFile: join(folder, 'sections') };
  try {
    const result = await pool.run<ReadResult>(task, { deadlineMs: PARSE_MS, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      // The service stops: the file is read after the next start.
      if (error instanceof PoolClosed) throw error;
      return { error: explain(error) };
    });
    return await use(result);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The sections of a file that was read, some at a time. Inside of `use` only. */
export async function* sectionsOfFile({ sections }: ReadFile): AsyncGenerator<Section[]> {
  if (typeof sections !== 'string') {
    yield sections;
    return;
  }
  for await (const lines of readLineBatches(sections, BATCH)) {
    // What the reading process wrote a moment ago.
    yield lines.map((line) => JSON.parse(line) as Section);
  }
}

/** Explains a fault to the uploader of the file. */
function explain(error: unknown): { message: string; fix: string } {
  if (error instanceof ServiceError) return { message: error.message, fix: error.fix };
  const fix = 'Upload it in smaller parts, or as text.';
  if (error instanceof TaskTimeout) return { message: `Reading it took longer than ${PARSE_MS / 1000} s.`, fix };
  if (error instanceof OutOfMemory)
    return { message: `Reading it took more than the allowed ${MEMORY_MEGABYTES} MB of memory.`, fix };
  if (error instanceof ProcessCrashed) return { message: 'The reader crashed on it.', fix };
  return {
    message: 'It could not be read: its reader failed on it.',
    fix: 'Save it again in its program, or upload it as text.',
  };
}

/** Identifier of a document in the search index. */
export function thingOf(id: string): { corpus: 'documents'; id: string } {
  return { corpus: 'documents', id: `doc:${id}` };
}

/** Search entries of a document: its sections. */
export function entriesOf(
  {
    kind,
    title,
    tags,
    source,
    updatedAt,
  }: Pick<DocumentRow, 'kind' | 'title' | 'tags' | 'updatedAt'> & { source: string },
  sections: readonly Section[],
): Entry[] {
  return sections.map(({ id, heading, text }) => ({
    part: id,
    kind,
    title,
    section: heading,
    text,
    date: updatedAt,
    tags,
    customer: '',
    segment: '',
    source,
  }));
}

/** The lines of a file in batches: one ends at that many lines, or about that many characters. Only `\n` ends a line: other separators may be in a text. */
async function* readLineBatches(path: string, most: typeof BATCH): AsyncGenerator<string[]> {
  let lineParts: string[] = [];
  let [lines, characters]: [string[], number] = [[], 0];
  for await (const chunk of createReadStream(path, 'utf8')) {
    const parts = String(chunk).split('\n');
    const open = parts.pop() ?? '';
    for (const part of parts) {
      const line = lineParts.length === 0 ? part : lineParts.join('') + part;
      lineParts = [];
      lines.push(line);
      characters += line.length;
      if (lines.length < most.lines && characters < most.characters) continue;
      yield lines;
      [lines, characters] = [[], 0];
    }
    if (open !== '') lineParts.push(open);
  }
  if (lineParts.length > 0) lines.push(lineParts.join(''));
  if (lines.length > 0) yield lines;
}
