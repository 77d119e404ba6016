import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { ServiceError } from '../kernel/errors.ts';
import { checkHost, openLookup } from './net-addresses.ts';

const MOST_REDIRECTS = 3;
/** A list of a hundred issues with long texts fits. */
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Those that repeat the request as it is. */
const REPEATING: ReadonlySet<number> = new Set([307, 308]);

/** Where requests of the service may go. */
export interface NetPolicy {
  /** Hosts that may lie in a private network and may be called over plain http; lower case. */
  privateHosts: ReadonlySet<string>;
  /** From sending a request to having its whole answer. */
  timeoutMs: number;
}

export interface NetRequest {
  method: 'GET' | 'POST';
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent to the origin of `url` only, also when it redirects. */
  secretHeaders?: Readonly<Record<string, string>>;
  body?: string;
  /** Followed; 3 when absent. */
  mostRedirects?: number;
}

export interface NetAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Sends a request to an address that people or other services gave. The address is checked after its name was resolved,
 * at the connection that is made, and again at each redirect. A POST follows only those that repeat it on
 * the same origin. Any status is an answer.
 *
 * @throws ServiceError `bad_argument` for an address that may not be called; `upstream_failed` when there is no whole
 * answer in time, or it has more than 16 MiB.
 */
export async function netRequest(policy: NetPolicy, request: NetRequest): Promise<NetAnswer> {
  const first = allowedUrl(policy, request.url);
  const { mostRedirects = MOST_REDIRECTS } = request;
  let [url, { method }] = [first, request];
  for (let redirects = 0; ; redirects += 1) {
    const isHome = url.origin === first.origin;
    const headers = { ...request.headers, ...(isHome && request.secretHeaders) };
    const answer = await exchange(policy, url, { ...request, method, headers });
    const target = REDIRECTS.has(answer.status) ? answer.headers.location : undefined;
    if (target === undefined || redirects === mostRedirects) return answer;
    const next = allowedUrl(policy, URL.parse(target, url.href)?.href ?? '');
    const isRepeated = REPEATING.has(answer.status) && next.origin === first.origin;
    if (method === 'POST' && !isRepeated) return answer;
    url = next;
  }
}

function allowedUrl({ privateHosts }: NetPolicy, text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ServiceError('bad_argument', `"${text.slice(0, 200)}" is not an address that can be called.`, {
      fix: 'Use an https address without a user name.',
    });
  }
  const host = hostOf(url);
  if (privateHosts.has(host)) return url;
  if (url.protocol === 'http:') {
    throw new ServiceError('bad_argument', `Calls to ${url.origin} would not be encrypted.`, {
      fix: `Use an https address. For a host in your own network, ask whoever runs the service to add ${host} to SVC_PRIVATE_HOSTS.`,
    });
  }
  // An address in place of a name is never resolved, so it is checked here.
  checkHost(host);
  return url;
}

function exchange(policy: NetPolicy, url: URL, request: NetRequest): Promise<NetAnswer> {
  const signal = AbortSignal.timeout(policy.timeoutMs);
  const { method, headers, body } = request;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const lookup = policy.privateHosts.has(hostOf(url)) ? {} : { lookup: openLookup };
  const sent = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise<NetAnswer>((resolve, reject) => {
    // A connection of its own: none that was opened under other rules is used again.
    const going = send(url, { method, headers: { ...headers, ...sent }, agent: false, signal, ...lookup });
    going.on('response', (response) => {
      textOf(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        reject,
      );
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

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes > MOST_ANSWER_BYTES) throw new Error(`its answer has more than ${MOST_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
