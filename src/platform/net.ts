import { lookup as lookUp } from 'node:dns';
import { lookup as lookUpPromise } from 'node:dns/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ServiceError } from '../kernel/errors.ts';

const MOST_REDIRECTS = 3;
/** A list of a hundred issues with long texts fits. */
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Those that repeat the request as it is. */
const REPEATING: ReadonlySet<number> = new Set([307, 308]);

/** Addresses of the machine, of private networks, and those that have no host behind them (IANA special-purpose registries). */
const CLOSED_IPV4: [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/**
 * With those that carry an IPv4 address: written as IPv6 (::/96), translated (64:ff9b::/96, RFC 6052; ::ffff:0:0:0/96,
 * RFC 2765), tunnelled (Teredo, in 2001::/23) and 6to4 (2002::/16).
 */
const CLOSED_IPV6: [address: string, prefix: number][] = [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

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

/** Resolves a name, and refuses it when any of its addresses is closed. */
const openLookup: LookupFunction = (host, options, done) => {
  lookUp(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) return done(error ?? new Error(`${host} has no address`), '', 0);
    if (addresses.some(({ address }) => isClosed(address))) return done(closed(host), '', 0);
    if (options.all === true) return done(null, addresses);
    return done(null, first.address, first.family);
  });
};

/** Finds the addresses of a name. */
export type LookUp = (host: string) => Promise<string[]>;

/** As the system resolves names, those of its hosts file and forms like 0x7f.1 included. */
export const systemLookUp: LookUp = async (host) =>
  (await lookUpPromise(host, { all: true })).map(({ address }) => address);

/**
 * The addresses of a host, all of them open to be reached. `host` is a name or an IP address without brackets. For a
 * program that makes its connections by itself: it must be held to exactly these, because a name may resolve otherwise
 * a moment later.
 *
 * @throws ServiceError `bad_argument` when the host is, or one of its addresses is, in a private network;
 * `upstream_failed` when the name does not resolve.
 */
export async function openAddresses(host: string, lookUpHost: LookUp = systemLookUp): Promise<string[]> {
  checkHost(host);
  if (isIP(host) !== 0) return [host];
  const addresses = await lookUpHost(host).catch((cause: unknown) => {
    throw new ServiceError('upstream_failed', `The host ${host} could not be found.`, {
      fix: 'Check the address and the network, then try again.',
      cause,
    });
  });
  if (addresses.some(isClosed)) throw closed(host);
  return addresses;
}

/** @throws ServiceError `bad_argument` for an IP address (no brackets) of a private network. Names pass: they are not resolved. */
export function checkHost(host: string): void {
  if (isIP(host) !== 0 && isClosed(host)) throw closed(host);
}

/** Whether an IP address lies where only this machine or its network should reach. */
export function isClosed(address: string): boolean {
  const list = new BlockList();
  for (const [network, prefix] of CLOSED_IPV4) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of CLOSED_IPV6) list.addSubnet(network, prefix, 'ipv6');
  // The list knows IPv4 addresses that are written as IPv6 (::ffff:…) by itself.
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

function closed(host: string): ServiceError {
  return new ServiceError('bad_argument', `${host} is in a private network, which the service does not call.`, {
    fix: `Use a public address, or ask whoever runs the service to add ${host} to SVC_PRIVATE_HOSTS.`,
  });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
