import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { ServiceError } from '../kernel/errors.ts';
import type { Config } from './config.ts';
import { OBJECT_URL } from './data-dir.ts';
import { reasonOf } from './failures.ts';

/** Tries of a call that the storage could not serve. */
const TRIES = 5;
/** Least speed of a connection that is taken for working, in bytes a millisecond: 100 kB a second. */
const LEAST_SPEED = 100;
/** Larger files are stored in parts of this size, each in memory, and tried again by itself. At most 10,000 parts: 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Answers after which the same call may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Breaks of one download without a byte between them after which it fails. */
const MOST_BREAKS = 3;

/** Files by name on other machines, which all replicas share. @throws ServiceError `storage_unavailable` from each call. */
export interface RemoteFiles {
  /** Stores the file at a path, whole or not at all. */
  put(name: string, path: string): Promise<void>;
  /** Content from a byte on, as it arrives; undefined when there is no such file. Throws what breaks the connection. */
  read(name: string, from: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  has(name: string): Promise<boolean>;
  /** Does nothing when it is not there. */
  delete(name: string): Promise<void>;
}

/** Files of object storage below one address. */
export interface RemoteFolder extends RemoteFiles {
  /** Stores content while it arrives, a part in memory at a time. It has its name once it came whole and `check` has resolved. */
  receive(name: string, content: AsyncIterable<Uint8Array>, check: () => Promise<unknown>): Promise<void>;
  /** Names of the files, without those in folders below. */
  list(): Promise<string[]>;
}

/** Times of calls, which tests shorten. */
interface Patience {
  /** Time without a byte after which a call is tried again. */
  silenceMs: number;
  /** Time before the second try; doubles with each further one. */
  firstWaitMs: number;
}

/** Where the storage is, and the access to it. */
type ObjectSettings = Pick<
  Config,
  's3Endpoint' | 's3Region' | 's3PathStyle' | 's3AccessKeyId' | 's3SecretAccessKey' | 's3SessionToken'
>;

interface Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  query?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}

const PATIENCE: Patience = { silenceMs: 30_000, firstWaitMs: 200 };

const nameOf = (hash: string): string => `${hash.slice(0, 2)}/${hash}`;

/** Opens the object storage of blobs: objects `<prefix>/<first two digits>/<hash>`. @see openRemoteFolder */
export function openObjectStorage(
  settings: ObjectSettings & Pick<Config, 'blobUrl'>,
  patience = PATIENCE,
): RemoteFiles {
  const folder = openRemoteFolder(settings.blobUrl, settings, patience);
  return {
    put: (hash, path) => folder.put(nameOf(hash), path),
    read: (hash, from) => folder.read(nameOf(hash), from),
    has: (hash) => folder.has(nameOf(hash)),
    delete: (hash) => folder.delete(nameOf(hash)),
  };
}

/**
 * Opens the objects below an address `s3://bucket/prefix` of S3-compatible storage. A call that fails for a passing reason is tried
 * five times within about three seconds.
 *
 * @throws ServiceError `bad_argument` when there is no access key.
 */
export function openRemoteFolder(address: string, settings: ObjectSettings, patience = PATIENCE): RemoteFolder {
  const client = clientOf(address, settings);
  const { bucketUrl, prefix } = locate(address, settings);
  const send = (path: string, call: Call): Promise<Response> => {
    const limitMs = patience.silenceMs + (call.body?.length ?? 0) / LEAST_SPEED;
    const sign = (): Promise<Request> => {
      const headers = { ...call.headers, ...digestOf(call) };
      return client.sign(`${bucketUrl}${path}${call.query ?? ''}`, { ...call, headers, redirect: 'manual' });
    };
    return sendAgain(async () => fetchWithin(limitMs, await sign()), patience.firstWaitMs);
  };
  const pathOf = (name: string): string => `/${[...prefix, ...name.split('/')].map(encodeURIComponent).join('/')}`;
  const receive: RemoteFolder['receive'] = (name, content, check) =>
    putParts((call) => send(pathOf(name), call), partsOf(content), check);
  return {
    put: async (name, path) => {
      const { size } = await stat(path);
      let bytes = 0;
      const counted = async function* (): AsyncGenerator<Uint8Array> {
        // A stream without an encoding gives bytes.
        for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
          bytes += chunk.length;
          yield chunk;
        }
      };
      await receive(name, counted(), async () => {
        if (bytes !== size) throw new Error('The file changed its size while it was stored.');
      });
    },
    receive,
    read: async (name, from) => {
      const range = from > 0 && { headers: { range: `bytes=${from}-` } };
      const answer = await send(pathOf(name), { method: 'GET', ...range });
      if (answer.status === 404) return undefined;
      if (from > 0 && answer.status !== 206)
        throw storageUnavailable(`it answered ${answer.status} to a request for a part`);
      return readBody(answer.body ?? new ReadableStream(), patience.silenceMs);
    },
    has: async (name) => (await send(pathOf(name), { method: 'HEAD' })).ok,
    delete: async (name) => {
      await send(pathOf(name), { method: 'DELETE' });
    },
    list: () => listNames((query) => send('/', { method: 'GET', query }), prefix.map((part) => `${part}/`).join('')),
  };
}

function clientOf(address: string, settings: ObjectSettings): AwsClient {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey, s3SessionToken: sessionToken } = settings;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new ServiceError('bad_argument', `There is no access key for ${address}.`, {
      fix: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    });
  return new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: 's3',
    region: settings.s3Region,
    retries: 0,
  });
}

function locate(address: string, { s3Endpoint, s3Region, s3PathStyle }: ObjectSettings) {
  const { bucket = '', prefix = '' } = OBJECT_URL.exec(address)?.groups ?? {};
  const host = new URL(s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`);
  if (s3PathStyle === 'off') host.hostname = `${bucket}.${host.hostname}`;
  const bucketUrl = `${host.href.replace(/\/+$/, '')}${s3PathStyle === 'on' ? `/${encodeURIComponent(bucket)}` : ''}`;
  return { bucketUrl, prefix: prefix.split('/').filter((part) => part !== '') };
}

/** The bytes of a file; after a break from where they stopped. `first` are those from the beginning on. */
export async function* readResumed(
  files: Pick<RemoteFiles, 'read'>,
  name: string,
  first: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let [at, breaks] = [0, 0];
  for (let source: AsyncIterable<Uint8Array> | undefined = first; source !== undefined;) {
    try {
      for await (const chunk of source) {
        [at, breaks] = [at + chunk.length, 0];
        yield chunk;
      }
      return;
    } catch (error) {
      breaks += 1;
      if (breaks > MOST_BREAKS) throw storageUnavailable(reasonOf(error));
      source = await files.read(name, at);
    }
  }
}

/** Answers within a time; the body may take longer. */
async function fetchWithin(limitMs: number, request: Request): Promise<Response> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error(`no answer within ${limitMs} ms`)), limitMs);
  try {
    return await fetch(request, { signal: over.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** A body as it arrives. @throws Error when nothing comes for `silenceMs`, or the connection ends before the body. */
async function* readBody(body: ReadableStream<Uint8Array>, silenceMs: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let isSilent = false;
  const stop = (): void => {
    isSilent = true;
    reader.cancel().catch(() => undefined);
  };
  try {
    for (;;) {
      const timer = setTimeout(stop, silenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (isSilent) throw new Error(`nothing came for ${silenceMs} ms`);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The storage compares what arrives with it. */
function digestOf({ body }: Call): Record<string, string> {
  return {
    'x-amz-content-sha256': createHash('sha256')
      .update(body ?? '')
      .digest('hex'),
  };
}

/** Answers 2xx and 404. @throws ServiceError `storage_unavailable` for a refusal at once, for a passing reason after all tries. */
async function sendAgain(send: () => Promise<Response>, firstWaitMs: number): Promise<Response> {
  for (let tries = 1, waitMs = firstWaitMs; ; tries += 1, waitMs *= 2) {
    const answer = await send().catch((error: unknown) => reasonOf(error));
    if (typeof answer !== 'string' && (answer.ok || (answer.status === 404 && !(await isBucketMissing(answer)))))
      return answer;
    const isPassing = typeof answer === 'string' || PASSING.has(answer.status);
    if (isPassing && tries < TRIES) {
      if (typeof answer !== 'string') await answer.body?.cancel();
      await delay(waitMs * (0.5 + Math.random()));
      continue;
    }
    throw storageUnavailable(typeof answer === 'string' ? answer : await refusalOf(answer));
  }
}

async function isBucketMissing(answer: Response): Promise<boolean> {
  return (await answer.clone().text()).includes('<Code>NoSuchBucket</Code>');
}

async function refusalOf(answer: Response): Promise<string> {
  const elements = await elementsOf(await answer.text());
  return `it answered ${[String(answer.status), textOf(elements, 'Code'), textOf(elements, 'Message')].filter(Boolean).join(' ')}`;
}

/** An element of an answer with the text before its next one. */
interface Element {
  name: string;
  text: string;
}

/** The elements of an answer. The reader of XML is loaded with the first. */
async function elementsOf(xml: string): Promise<Element[]> {
  const { readXml } = await import('./xml.ts');
  const elements: Element[] = [];
  let current: Element | undefined;
  readXml(xml, {
    open: (name) => elements.push((current = { name, text: '' })),
    text: (text) => {
      if (current !== undefined) current.text += text;
    },
    close: () => (current = undefined),
  });
  return elements;
}

function textOf(elements: readonly Element[], name: string): string | undefined {
  return elements.find((element) => element.name === name)?.text;
}

async function listNames(send: (query: string) => Promise<Response>, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const page = { 'list-type': '2', delimiter: '/', prefix, ...(token !== '' && { 'continuation-token': token }) };
    const elements = await elementsOf(await (await send(`?${new URLSearchParams(page).toString()}`)).text());
    names.push(...elements.flatMap(({ name, text }) => (name === 'Key' ? text.slice(prefix.length) : [])));
    token = textOf(elements, 'NextContinuationToken');
  }
  return names;
}

/** The error of a call for which the storage is needed, with the reason why it did not serve it. */
function storageUnavailable(reason: string): ServiceError {
  return new ServiceError('storage_unavailable', `The object storage did not do what it was asked: ${reason}.`, {
    fix: 'Try again. If it fails again, run `svc doctor`, and check SVC_BLOB_URL and the AWS_ settings.',
  });
}

/** Cuts content into parts of one size, of which the last may be smaller; nothing is one empty part. */
async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let [chunks, bytes, parts]: [Uint8Array[], number, number] = [[], 0, 0];
  for await (const chunk of content)
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + PART_BYTES - bytes);
      chunks.push(piece);
      [at, bytes] = [at + piece.length, bytes + piece.length];
      if (bytes < PART_BYTES) continue;
      yield Buffer.concat(chunks);
      [chunks, bytes, parts] = [[], 0, parts + 1];
    }
  if (bytes > 0 || parts === 0) yield Buffer.concat(chunks);
}

/** Stores one object, or the parts of one. */
async function putParts(
  send: (call: Call) => Promise<Response>,
  parts: AsyncGenerator<Uint8Array, undefined>,
  check: () => Promise<unknown>,
): Promise<void> {
  try {
    const { value: first = new Uint8Array() } = await parts.next();
    const second = await parts.next();
    if (second.done !== true) return await putMany(send, joined([first, second.value], parts), check);
    await check();
    await send({ method: 'PUT', body: first });
  } finally {
    await parts.return(undefined);
  }
}

async function* joined(first: readonly Uint8Array[], others: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* others;
}

async function putMany(
  send: (call: Call) => Promise<Response>,
  parts: AsyncIterable<Uint8Array>,
  check: () => Promise<unknown>,
): Promise<void> {
  const begun = await send({ method: 'POST', query: '?uploads=' });
  const upload = `uploadId=${encodeURIComponent(textOf(await elementsOf(await begun.text()), 'UploadId') ?? '')}`;
  try {
    const stored: string[] = [];
    for await (const body of parts) {
      const number = stored.length + 1;
      const answer = await send({ method: 'PUT', query: `?partNumber=${number}&${upload}`, body });
      stored.push(`<Part><PartNumber>${number}</PartNumber><ETag>${answer.headers.get('etag') ?? ''}</ETag></Part>`);
    }
    await check();
    const body = Buffer.from(`<CompleteMultipartUpload>${stored.join('')}</CompleteMultipartUpload>`);
    const answer = await send({ method: 'POST', query: `?${upload}`, body });
    // A failure here comes with the status 200.
    if ((await answer.clone().text()).includes('<Error>')) throw storageUnavailable(await refusalOf(answer));
  } catch (error) {
    await send({ method: 'DELETE', query: `?${upload}` }).catch(() => undefined);
    throw error;
  }
}
