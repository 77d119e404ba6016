import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
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

/** Files by name on other machines, which all replicas share. @throws ServiceError `storage_unavailable` from each call. */
export interface RemoteFiles {
  /** Stores the file at a path, whole or not at all. */
  put(hash: string, path: string): Promise<void>;
  /** Content from a byte on, as it arrives; undefined when there is no such file. Throws what breaks the connection. */
  read(hash: string, from: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  has(hash: string): Promise<boolean>;
  /** Does nothing when it is not there. */
  delete(hash: string): Promise<void>;
}

/** Times of calls, which tests shorten. */
interface Patience {
  /** Time without a byte after which a call is tried again. */
  silenceMs: number;
  /** Time before the second try; doubles with each further one. */
  firstWaitMs: number;
}

type ObjectSettings = Pick<
  Config,
  'blobUrl' | 's3Endpoint' | 's3Region' | 's3PathStyle' | 's3AccessKeyId' | 's3SecretAccessKey' | 's3SessionToken'
>;

interface Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  query?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}

/**
 * Opens S3-compatible object storage: objects `<prefix>/<first two digits>/<hash>`. A call that fails for a passing reason is
 * tried five times within about three seconds.
 *
 * @throws ServiceError `bad_argument` when there is no access key.
 */
export function openObjectStorage(
  settings: ObjectSettings,
  patience: Patience = { silenceMs: 30_000, firstWaitMs: 200 },
): RemoteFiles {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey, s3SessionToken: sessionToken } = settings;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new ServiceError(
      'bad_argument',
      `SVC_BLOB_URL is "${settings.blobUrl}", and there is no access key for it.`,
      {
        fix: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      },
    );
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: 's3',
    region: settings.s3Region,
    retries: 0,
  });
  const base = baseUrl(settings);
  const send = (hash: string, call: Call): Promise<Response> => {
    const url = `${base}/${hash.slice(0, 2)}/${hash}${call.query ?? ''}`;
    const limitMs = patience.silenceMs + (call.body?.length ?? 0) / LEAST_SPEED;
    const sign = (): Promise<Request> =>
      client.sign(url, { ...call, headers: { ...call.headers, ...digestOf(call) }, redirect: 'manual' });
    return sendAgain(async () => fetchWithin(limitMs, await sign()), patience.firstWaitMs);
  };
  return {
    put: (hash, path) => putFile((call) => send(hash, call), path),
    read: async (hash, from) => {
      const answer = await send(hash, { method: 'GET', ...(from > 0 && { headers: { range: `bytes=${from}-` } }) });
      if (answer.status === 404) return undefined;
      if (from > 0 && answer.status !== 206)
        throw storageUnavailable(`it answered ${answer.status} to a request for a part`);
      return readBody(answer.body ?? new ReadableStream(), patience.silenceMs);
    },
    has: async (hash) => (await send(hash, { method: 'HEAD' })).ok,
    delete: async (hash) => {
      await send(hash, { method: 'DELETE' });
    },
  };
}

function baseUrl({ blobUrl, s3Endpoint, s3Region, s3PathStyle }: ObjectSettings): string {
  const { bucket = '', prefix = '' } = OBJECT_URL.exec(blobUrl)?.groups ?? {};
  const host = new URL(s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`);
  if (s3PathStyle === 'off') host.hostname = `${bucket}.${host.hostname}`;
  const parts = [...(s3PathStyle === 'on' ? [bucket] : []), ...prefix.split('/')].filter((part) => part !== '');
  return [host.href.replace(/\/+$/, ''), ...parts.map(encodeURIComponent)].join('/');
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
  const { Code: code, Message: message } = await elementsOf(await answer.text());
  return `it answered ${[String(answer.status), code, message].filter(Boolean).join(' ')}`;
}

/** Texts of the elements of an answer, by name. The reader of XML is loaded with the first. */
async function elementsOf(xml: string): Promise<Record<string, string>> {
  const { readXml } = await import('./xml.ts');
  const texts: Record<string, string> = {};
  let name = '';
  readXml(xml, {
    open: (opened) => (name = opened),
    text: (text) => (texts[name] = `${texts[name] ?? ''}${text}`),
    close: () => (name = ''),
  });
  return texts;
}

/** The error of a call for which the storage is needed, with the reason why it did not serve it. */
export function storageUnavailable(reason: string): ServiceError {
  return new ServiceError('storage_unavailable', `The object storage did not do what it was asked: ${reason}.`, {
    fix: 'Try again. If it fails again, run `svc doctor`, and check SVC_BLOB_URL and the AWS_ settings.',
  });
}

/** One object, or the parts of one. */
async function putFile(send: (call: Call) => Promise<Response>, path: string): Promise<void> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size <= PART_BYTES) {
    await send({ method: 'PUT', body: await readPart(file, 0, size) });
    return;
  }
  const { UploadId: uploadId = '' } = await elementsOf(
    await (await send({ method: 'POST', query: '?uploads=' })).text(),
  );
  const upload = `uploadId=${encodeURIComponent(uploadId)}`;
  try {
    const parts: string[] = [];
    for (let from = 0; from < size; from += PART_BYTES) {
      const number = parts.length + 1;
      const body = await readPart(file, from, Math.min(PART_BYTES, size - from));
      const answer = await send({ method: 'PUT', query: `?partNumber=${number}&${upload}`, body });
      parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${answer.headers.get('etag') ?? ''}</ETag></Part>`);
    }
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const answer = await send({ method: 'POST', query: `?${upload}`, body });
    // A failure here comes with the status 200.
    if ((await answer.clone().text()).includes('<Error>')) throw storageUnavailable(await refusalOf(answer));
  } catch (error) {
    await send({ method: 'DELETE', query: `?${upload}` }).catch(() => undefined);
    throw error;
  }
}

async function readPart(file: FileHandle, from: number, size: number): Promise<Uint8Array> {
  const part = new Uint8Array(size);
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(part, at, size - at, from + at);
    if (bytesRead === 0) throw new Error('The file became shorter while it was stored.');
    at += bytesRead;
  }
  return part;
}
