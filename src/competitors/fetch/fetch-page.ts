import { ServiceError } from '../../kernel/errors.ts';
import { type NetAnswer, type NetPolicy, netRequest } from '../../platform/net.ts';
import { decodeAnyText } from '../../text/decode.ts';
import { HostTurns, type Wait } from './host-turns.ts';
import { RobotFiles } from './robots.ts';

const MOST_PAGE_BYTES = 5 * 1024 * 1024;
const MOST_REDIRECTS = 5;
/** Longest pause that a site may request for an immediate second attempt. */
const MOST_RETRY_MS = 5_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const PERMANENT: ReadonlySet<number> = new Set([301, 308]);
const READABLE = /^(?:text\/(?:html|plain|markdown|xml)|application\/(?:xhtml\+xml|(?:rss|atom)\+xml|xml))\b/i;

/** Settings and shared state for fetching pages. */
export interface Fetcher {
  net: NetPolicy;
  userAgent: string;
  /** Least pause between two requests to one host. */
  pauseMs: number;
  turns: HostTurns;
  robots: RobotFiles;
  wait: Wait;
  now: () => Date;
}

/** Validators that a site sent with a page, so that it answers the next request only with something new. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

export type FetchOutcome =
  | {
      kind: 'page';
      /** Address of the text: the requested one, or the one that it redirects to. */
      url: string;
      text: string;
      isFeed: boolean;
      httpStatus: number;
      validators: Validators;
      movedTo: string | undefined;
    }
  | { kind: 'unchanged'; httpStatus: number }
  | { kind: 'gone'; httpStatus: number }
  | { kind: 'robots_denied' }
  | {
      kind: 'failed';
      httpStatus: number | undefined;
      message: string;
      retryAfterMs: number | undefined;
      isLimited: boolean;
    };

interface PageRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  validators: Validators;
  signal: AbortSignal;
}

/** Opens what fetches pages for all products of a process. */
export function openFetcher(parts: Omit<Fetcher, 'turns' | 'robots'>): Fetcher {
  return { ...parts, turns: new HostTurns(parts.wait), robots: new RobotFiles(parts.now) };
}

/**
 * Fetches a page as its site allows: robots.txt first, one request at a time to a host with a pause between two, and each
 * address that it redirects to is checked like the first one. What a site does wrong is an outcome.
 *
 * @throws the reason of the signal when it aborts.
 */
export async function fetchPage(fetcher: Fetcher, request: PageRequest): Promise<FetchOutcome> {
  try {
    const first = await exchange(fetcher, request);
    const delayMs = first.kind === 'failed' ? first.retryAfterMs : undefined;
    if (delayMs === undefined || delayMs > MOST_RETRY_MS) return first;
    await fetcher.wait(delayMs, request.signal);
    return await exchange(fetcher, request);
  } catch (cause) {
    request.signal.throwIfAborted();
    if (cause instanceof ServiceError) return failedFetch(cause.message);
    throw cause;
  }
}

async function exchange(fetcher: Fetcher, request: PageRequest): Promise<FetchOutcome> {
  let url = request.url;
  let movedTo: string | undefined;
  let isMoved = true;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const answer = await fetchPolitely(fetcher, request, url);
    if (answer === undefined) return { kind: 'robots_denied' };
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.status) || location === undefined)
      return outcomeOf(answer, { url, movedTo, now: fetcher.now() });
    const next = URL.parse(location, url)?.href;
    if (next === undefined)
      return failedFetch(`The page redirects to "${location.slice(0, 200)}", which is not an address.`);
    isMoved &&= PERMANENT.has(answer.status);
    url = next;
    if (isMoved) movedTo = url;
  }
  return failedFetch(`The page redirects more than ${MOST_REDIRECTS} times.`);
}

/**
 * Fetches what a page asks for while it is shown, under the same rules; but for a `Crawl-delay` there is no pause, as what a
 * page asks for belongs to it. Nothing where robots.txt forbids it. Any status is an answer.
 *
 * @throws ServiceError for an address that may not be called and a request that fails; the reason of the signal.
 */
export async function fetchResource(
  fetcher: Fetcher,
  request: Omit<PageRequest, 'validators'>,
): Promise<NetAnswer | undefined> {
  let { url } = request;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await fetchPolitely({ ...fetcher, pauseMs: 0 }, { ...request, validators: {} }, url);
    const location = answer !== undefined && REDIRECTS.has(answer.status) ? answer.headers.location : undefined;
    if (location === undefined || redirects === MOST_REDIRECTS) return answer;
    url = URL.parse(location, url)?.href ?? location;
  }
}

/** One request when its turn has come; nothing where robots.txt forbids it. */
async function fetchPolitely(fetcher: Fetcher, request: PageRequest, address: string): Promise<NetAnswer | undefined> {
  const url = URL.parse(address);
  // The guard says what is wrong with such an address.
  if (url === null || !/^https?:$/.test(url.protocol)) return send(fetcher, request, address);
  const { turns, robots, pauseMs } = fetcher;
  const { signal } = request;
  return turns
    .run(url.host, { pauseMs: 0, signal }, () =>
      robots.rulesFor(url, (file, mostBytes) => fetchFile(fetcher, file, mostBytes)),
    )
    .then(({ isAllowed, delayMs }) =>
      isAllowed
        ? turns.run(url.host, { pauseMs: Math.max(pauseMs, delayMs), signal }, () => send(fetcher, request, address))
        : undefined,
    );
}

function send({ net, userAgent }: Fetcher, { headers, validators }: PageRequest, url: string): Promise<NetAnswer> {
  return netRequest(net, {
    method: 'GET',
    url,
    mostRedirects: 0,
    mostBytes: MOST_PAGE_BYTES,
    isPlainAllowed: true,
    headers: {
      accept: 'text/html,application/xhtml+xml,application/rss+xml,application/atom+xml,text/plain;q=0.8',
      'accept-encoding': 'gzip, br, deflate',
      'accept-language': 'en',
      ...headers,
      'user-agent': userAgent,
      ...(validators.etag !== undefined && { 'if-none-match': validators.etag }),
      ...(validators.lastModified !== undefined && { 'if-modified-since': validators.lastModified }),
    },
  });
}

function fetchFile({ net, userAgent }: Fetcher, url: string, mostBytes: number): Promise<NetAnswer> {
  return netRequest(net, {
    method: 'GET',
    url,
    mostBytes,
    isPlainAllowed: true,
    headers: { 'user-agent': userAgent, 'accept-encoding': 'gzip, br, deflate' },
  });
}

function outcomeOf(
  answer: NetAnswer,
  { url, movedTo, now }: { url: string; movedTo: string | undefined; now: Date },
): FetchOutcome {
  const { status, headers, bytes } = answer;
  if (status === 304) return { kind: 'unchanged', httpStatus: status };
  if (status === 404 || status === 410) return { kind: 'gone', httpStatus: status };
  if (status < 200 || status >= 300) {
    return {
      ...failedFetch(`The site answers ${status}.`, status),
      retryAfterMs: retryAfterMs(headers['retry-after'], now),
      isLimited: status === 429,
    };
  }
  const type = headers['content-type'] ?? 'text/html';
  if (!READABLE.test(type)) return failedFetch(`The address serves ${type.slice(0, 80)}, which is not a page.`, status);
  const { etag, 'last-modified': lastModified } = headers;
  const decoded = decodeAnyText(bytes, { contentType: type });
  const text = /^text\/(?:plain|markdown)\b/i.test(type) ? markupOfText(decoded) : decoded;
  return {
    kind: 'page',
    url,
    text,
    isFeed: /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:rss|feed|rdf:RDF)[\s>]/.test(
      text.slice(0, 4_000),
    ),
    httpStatus: status,
    validators: { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) },
    movedTo,
  };
}

/** Plain text as a page: its paragraphs are blocks. */
function markupOfText(text: string): string {
  const paragraphs = text.split(/(?:\r?\n[ \t]*){2,}/).filter((paragraph) => paragraph.trim() !== '');
  const escaped = paragraphs.map((paragraph) => paragraph.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
  return `<!doctype html><html><head></head><body>${escaped.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}</body></html>`;
}

function failedFetch(message: string, httpStatus?: number): Extract<FetchOutcome, { kind: 'failed' }> {
  return { kind: 'failed', httpStatus, message, retryAfterMs: undefined, isLimited: false };
}

/** Returns how long a site asks for no requests, from seconds or a date. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
