import type { Call } from './calls.ts';
import type { Token } from '../../languages/languages.ts';
import { type ClientRequest, findLabelled, methodNamed, type RouteSource, textOfKey } from './parsed-routes.ts';

/** Functions that make a request of their first argument. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  'fetch',
  '$fetch',
  'ofetch',
  'axios',
  'ky',
  'got',
  'useFetch',
  'useSWR',
]);
/** Receivers whose methods do. */
const RECEIVER =
  /^(?:axios|ky|got|\$?http|httpClient|requests|httpx|session|client|api|apiClient|axiosInstance|\w*Http|\w*Client|\w*Axios|http)$/i;

/** Wrappers of those, by their names. */
const WRAPPER = /^(?:fetch[A-Z]\w*|\w+Fetch)$/;

/** Functions that generated clients hand a description of the request. */
const GENERATED = /^(?:_*request|\w*Request|sendRequest|mutator|customInstance|\w*Fetch|\w*Axios)$/;

/** Requests that code makes by path: `fetch('/api/users')`, `axios.post(`${url}/users`)`, `requests.get(f"{base}/users")`. */
export function clientCalls({
  calls,
  tokens,
  language,
  own,
}: Pick<RouteSource, 'calls' | 'tokens' | 'language' | 'own'>): ClientRequest[] {
  const isWeb = ['TypeScript', 'JavaScript', 'Vue', 'Svelte'].includes(language);
  const isPython = language === 'Python' && (own.has('requests') || own.has('httpx'));
  if (language === 'Go') return goRequests(calls);
  if (!isWeb && !isPython) return [];
  const byEnd = new Map(calls.map((call) => [call.end, call]));
  const addresses = addressesOf(tokens);
  return calls.flatMap((call): ClientRequest[] => {
    const [first] = call.args;
    const written = first?.text ?? joinedText(first, addresses);
    const isPath = written?.startsWith('/') === true;
    const isFunction =
      isWeb &&
      (FUNCTIONS.has(call.name) || (isPath && WRAPPER.test(call.name))) &&
      ['', 'window', 'globalThis', 'self'].includes(call.receiver);
    const described = isWeb && GENERATED.test(call.name) ? describedRequest(call) : undefined;
    if (described !== undefined) return [described];
    const method = isFunction ? undefined : methodNamed(call.name);
    const isOfSpecification = isWeb && /^[A-Z]{3,}$/.test(call.name) && isPath;
    // `createClient().get(…)`, and `(options.client ?? client).get({ url: '/users' })`
    const receiver = call.receiver === ')' ? (byEnd.get(call.at - 2)?.name ?? '') : call.receiver;
    const statedUrl = textOfKey(first?.tokens ?? [], 'url');
    const isReceived =
      RECEIVER.test(receiver) || isOfSpecification || (call.receiver === ')' && statedUrl?.startsWith('/') === true);
    if (!isFunction && (method === undefined || !isReceived || !hasNoHandler(call))) return [];
    const url = first?.text ?? statedUrl ?? written;
    const path = url === undefined ? undefined : (pathOf(url) ?? (isWeb ? relativePathOf(url) : undefined));
    if (path === undefined) return [];
    return [{ method: method ?? methodOfCall(call) ?? 'GET', path, line: call.line }];
  });
}

/** Most tokens of an address that is given a name. */
const LONGEST_ADDRESS = 12;

/** The path of an address below the base of a client: `users/me`. A single word may be anything. */
function relativePathOf(url: string): string | undefined {
  const [path] = /^[a-z][\w-]*(?:\/[\w:.~-]+)+/i.exec(url) ?? [];
  return path === undefined ? undefined : `/${path}`;
}

/**
 * Returns the request of a client that was generated from an OpenAPI description: `request({ method: 'GET', url: '/users/{id}'
 * })`.
 */
function describedRequest({ args, line }: Call): ClientRequest | undefined {
  for (const { tokens } of args) {
    const url = textOfKey(tokens, 'url') ?? textOfKey(tokens, 'path');
    const method = methodNamed(textOfKey(tokens, 'method') ?? '');
    const path = url?.startsWith('/') === true ? pathOf(url) : undefined;
    if (path !== undefined && method !== undefined) return { method, path, line };
  }
  return undefined;
}

const GO_RECEIVER = /^(?:http|\w*[rR]equest|\w*[cC]lient)$/;

/** `http.Get(base + "/users")`, `http.NewRequest("GET", url)`, and wrappers that take a context first: `c.request.Get(ctx, "/users")`. */
function goRequests(calls: readonly Call[]): ClientRequest[] {
  return calls.flatMap(({ name, receiver, args, line }): ClientRequest[] => {
    if (!GO_RECEIVER.test(receiver)) return [];
    const texts = args.slice(0, 3).flatMap(goText);
    const path = texts.flatMap((text) => pathOf(text) ?? [])[0];
    const method = name.startsWith('NewRequest') ? goMethod(args) : methodNamed(name);
    return method === undefined || path === undefined ? [] : [{ method, path, line }];
  });
}

/** `"GET"` or `http.MethodGet` among arguments. */
function goMethod(args: Call['args']): string | undefined {
  return args.flatMap(({ text, name }) => methodNamed(text ?? name?.value.replace(/^Method/, '') ?? '') ?? [])[0];
}

/** A text, one that is joined, or the pattern of one: `fmt.Sprintf("/users/%d", id)`. */
function goText(argument: Call['args'][number]): string[] {
  const pattern = argument.tokens.find(({ kind }) => kind === 'text')?.value;
  const text =
    argument.text ?? (argument.tokens.some(({ value }) => value === 'Sprintf') ? pattern : joinedText(argument));
  return text === undefined ? [] : [text.replaceAll(/%[+#]?[a-z]/g, ':param')];
}

const NONE: ReadonlyMap<string, string> = new Map();

/** `base + '/users/' + id`; of `config.get('url') + 'users'` the call is one part. A name in `addresses` is what it stands for. */
function joinedText(argument: Call['args'][number] | undefined, addresses = NONE): string | undefined {
  return joinTokens(withoutArguments(withoutBrackets(argument?.tokens ?? [])), addresses);
}

/** The tokens inside of brackets around all of them: `(base + id)`. */
function withoutBrackets(tokens: readonly Token[]): readonly Token[] {
  const isBracketed = tokens[0]?.value === '(' && tokens.findIndex(({ value }) => value === ')') === tokens.length - 1;
  return isBracketed ? tokens.slice(1, -1) : tokens;
}

function joinTokens(tokens: readonly Token[], addresses: ReadonlyMap<string, string>): string | undefined {
  const parts = tokens.filter(
    ({ kind, value }, at) => kind === 'text' || (kind === 'word' && tokens[at + 1]?.value !== '.' && value !== '+'),
  );
  const isKnown = parts.some(({ kind, value }) => kind === 'text' || addresses.has(value));
  const isSum = tokens.some(({ value }) => value === '+');
  if (!isKnown || (!isSum && (parts.length !== 1 || parts[0]?.kind === 'text'))) return undefined;
  return parts.map(({ kind, value }) => (kind === 'text' ? value : (addresses.get(value) ?? ':param'))).join('');
}

/** Addresses that a file gives a name: `entityUrl = environment.API_URL + 'owners'`. A name with two of them stands for none. */
function addressesOf(tokens: readonly Token[]): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const [at, { kind, value, line }] of tokens.entries()) {
    const isAssigned = kind === 'word' && tokens[at + 1]?.value === '=' && tokens[at + 2]?.value !== '=';
    if (!isAssigned) continue;
    const from = at + 2;
    let end = from;
    while (end < from + LONGEST_ADDRESS && tokens[end]?.line === line && tokens[end]?.value !== ';') end += 1;
    const assigned = tokens.slice(from, end);
    const address =
      assigned.length === 1 && assigned[0]?.kind === 'text' ? assigned[0].value : joinTokens(assigned, addresses);
    if (address === undefined || pathOf(address) === undefined) continue;
    addresses.set(value, addresses.has(value) ? '' : address);
  }
  return new Map([...addresses].filter(([, address]) => address !== ''));
}

/** Tokens without those inside of parentheses. */
function withoutArguments(tokens: readonly Token[]): readonly Token[] {
  let depth = 0;
  return tokens.filter(({ kind, value }) => {
    if (kind === 'sign' && value === ')') depth -= 1;
    const isOutside = depth === 0;
    if (kind === 'sign' && value === '(') depth += 1;
    return isOutside && !(kind === 'sign' && (value === '(' || value === ')'));
  });
}

/** A request has data or options behind its path, never a function: that is a route. */
export function hasNoHandler({ args }: Pick<Call, 'args'>): boolean {
  return args
    .slice(1)
    .every(
      ({ tokens }) =>
        !tokens.some(({ value }, at) => value === 'function' || (value === '=' && tokens[at + 1]?.value === '>')),
    );
}

function methodOfCall(call: Call): string | undefined {
  const method =
    call.args.map(({ tokens }) => textOfKey(tokens, 'method')).find((text) => text !== undefined) ??
    findLabelled(call, 'method')?.text;
  return method === undefined ? undefined : methodNamed(method);
}

/**
 * The path of an address, from the first slash behind its host on: a host may be a value, which may end with that slash
 * (`${base}users`). Nothing for what names another kind of thing.
 */
function pathOf(url: string): string | undefined {
  const whole = url.replace(/^:param(?=[a-z][\w-]*(?:[/?]|$))/, '/');
  const [, path = ''] = /^(?:(?:https?:)?\/\/[^/\s]+|:param|)(\/[^\s?#]*)/.exec(whole) ?? [];
  return path === '' || path === '/' || /^\/:param$/.test(path) ? undefined : path;
}

/** Prefix of all routes of a service, often in the base address of a client instead: `/api/v1`. */
const PREFIX = /^(?:\/(?:api|rest|v\d+))+(?=\/)/;
/** A part of one. */
const FRONT = /^(?:api|rest|v\d+)$/;

/**
 * Counts the parts of a request that are the same word in a route, 0 when it does not go there: the parts have to be the same,
 * a parameter fits any. Parts that a gateway takes away in front (`/api`) may be more in the request, and those that a client
 * has in its base address fewer.
 */
export function fitsRoute(request: string, route: string): number {
  const same = fitsPath(request, route);
  return same > 0 || !PREFIX.test(route) ? same : fitsPath(request, route.replace(PREFIX, ''));
}

function fitsPath(request: string, route: string): number {
  const [own = [], whole = []] = [request, route].map((path) => path.split('/').filter((part) => part !== ''));
  const firstFixed = whole.findIndex((part) => !CONSTANT.test(part));
  const other = firstFixed === -1 ? whole : whole.slice(firstFixed);
  const more = own.length - other.length;
  // What a constant stands for in front of a route is known where a request begins as interfaces do.
  const isPrefixed = more > 0 && firstFixed > 0 && own.slice(0, more).every((part) => FRONT.test(part));
  if (other.length === 0 || more < 0 || (more > 1 && !isPrefixed)) return 0;
  const rest = own.slice(more);
  let same = 0;
  for (const [at, part] of other.entries()) {
    const sent = rest[at] ?? '';
    if (isParameter(part)) continue;
    if (sent !== part) return 0;
    same += 1;
  }
  // A request that has more must not be told apart by a parameter alone.
  return more > 0 && same < 2 && !isPrefixed ? 0 : same;
}

/** Part that a constant gives, `{settings.prefix}`: a request may or may not have it. */
const CONSTANT = /^\{\w+(?:\.\w+)+\}$/;

/** `:id`, `{id}`, `<int:id>`, `*`. */
function isParameter(part: string): boolean {
  return /^(?::|\{|<|\*|\[)/.test(part);
}
