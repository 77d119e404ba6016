import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ServiceError } from '../kernel/errors.ts';
import { checkHost, openLookup } from './net-addresses.ts';

const MOST_REDIRECTS = 3;
/** A list of a hundred issues with long texts fits. */
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Status codes of redirects that repeat the request as it is. */
const REPEATING: ReadonlySet<number> = new Set([307, 308]);

/** Rules for the addresses that requests of the service may go to. */
export interface NetPolicy {
  /** Hosts that may be in a private network and may be called over plain http; lower case. */
  privateHosts: ReadonlySet<string>;
  /** Time limit from sending a request to having its whole answer. */
  timeoutMs: number;
}

interface NetRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent to the origin of `url` only, also when it redirects. */
  secretHeaders?: Readonly<Record<string, string>>;
  body?: string;
  /** Followed; 3 when absent. */
  mostRedirects?: number;
  /** Most bytes of the answer, unpacked; 16 MiB when absent. */
  mostBytes?: number;
  /** Public hosts may be called over plain http too: nothing that is sent or read is a secret. */
  isPlainAllowed?: boolean;
}

export interface NetAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body as it came, unpacked. */
  bytes: Buffer;
  /** The body read as UTF-8. */
  readonly text: string;
}

/**
 * Sends a request to an address that people or other services gave. The address is checked after its name was resolved,
 * at the connection that is made, and again at each redirect. A POST follows only those that repeat it on
 * the same origin. Any status is an answer.
 *
 * @throws ServiceError `bad_argument` for an address that may not be called; `upstream_failed` when there is no whole
 * answer in time, or it has more than `mostBytes`, packed or unpacked.
 */
export async function netRequest(policy: NetPolicy, request: NetRequest): Promise<NetAnswer> {
  const first = allowedUrl(policy, request.url, request.isPlainAllowed);
  const { mostRedirects = MOST_REDIRECTS } = request;
  let [url, { method }] = [first, request];
  for (let redirects = 0; ; redirects += 1) {
    const isHome = url.origin === first.origin;
    const headers = { ...request.headers, ...(isHome && request.secretHeaders) };
    const answer = await exchange(policy, url, { ...request, method, headers });
    const target = REDIRECTS.has(answer.status) ? answer.headers.location : undefined;
    if (target === undefined || redirects === mostRedirects) return answer;
    const next = allowedUrl(policy, URL.parse(target, url.href)?.href ?? '', request.isPlainAllowed);
    const isRepeated = REPEATING.has(answer.status) && next.origin === first.origin;
    if (method !== 'GET' && !isRepeated) return answer;
    url = next;
  }
}

/**
 * The address, if requests may go there as far as it says itself: what its name resolves to is checked when it is called.
 *
 * @throws ServiceError `bad_argument` for one that can never be called.
 */
export function allowedUrl(
  { privateHosts }: Pick<NetPolicy, 'privateHosts'>,
  text: string,
  isPlainAllowed = false,
): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ServiceError('bad_argument', `"${text.slice(0, 200)}" is not an address that can be called.`, {
      fix: 'Use an https address without a user name.',
    });
  }
  const host = hostOf(url);
  if (privateHosts.has(host)) return url;
  if (url.protocol === 'http:' && !isPlainAllowed) {
    throw new ServiceError('bad_argument', `Calls to ${url.origin} would not be encrypted.`, {
      fix: `Use an https address. For a host in your own network, ask the operator of the service to add ${host} to SVC_PRIVATE_HOSTS.`,
    });
  }
  // An address in place of a name is never resolved, so it is checked here.
  checkHost(host);
  return url;
}

function exchange(policy: NetPolicy, url: URL, request: NetRequest): Promise<NetAnswer> {
  const signal = AbortSignal.timeout(policy.timeoutMs);
  const { method, headers, body, mostBytes = MOST_ANSWER_BYTES } = request;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const lookup = policy.privateHosts.has(hostOf(url)) ? {} : { lookup: openLookup };
  const sent = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise<NetAnswer>((resolve, reject) => {
    // A connection of its own: none that was opened under other rules is used again.
    const going = send(url, { method, headers: { ...headers, ...sent }, agent: false, signal, ...lookup });
    going.on('response', (response) => {
      bytesOf(response, mostBytes).then((bytes) => resolve(answerOf(response, bytes)), reject);
    });
    going.on('error', reject);
    going.end(body);
  }).catch((cause: unknown) => {
    if (cause instanceof ServiceError) throw cause;
    const reason = signal.aborted ? `did not answer within ${policy.timeoutMs / 1000} s` : `failed: ${reasonOf(cause)}`;
    throw new ServiceError('upstream_failed', `The request to ${url.host} ${reason}.`, {
      fix: 'Check that this service can reach it, then try again.',
      cause,
    });
  });
}

function answerOf({ statusCode: status = 0, headers }: IncomingMessage, bytes: Buffer): NetAnswer {
  return {
    status,
    headers,
    bytes,
    get text() {
      return bytes.toString('utf8');
    },
  };
}

/** Reads the body. Both what arrives and what it unpacks to are limited. */
async function bytesOf(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of unpackBody(response) as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes > mostBytes) {
      response.destroy();
      throw new Error(`its answer has more than ${mostBytes} bytes`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Unpacks the body. Only a request for a packed answer gets one. */
function unpackBody(response: IncomingMessage): Readable {
  const unpack = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate };
  const coding = response.headers['content-encoding']?.toLowerCase() ?? '';
  if (!Object.hasOwn(unpack, coding)) return response;
  // What fails is thrown to who reads the last stream.
  return pipeline(response, unpack[coding as keyof typeof unpack](), () => {});
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
