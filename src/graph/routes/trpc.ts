import type { Call } from './calls.ts';
import type { ClientRequest, ParsedMount, ParsedRoute, ParsedRoutes, RouteSource } from './parsed-routes.ts';
import type { Token } from '../../languages/languages.ts';

/** Methods that end a procedure, and those that request it. */
const ENDS: Readonly<Record<string, string>> = { query: 'QUERY', mutation: 'MUTATION', subscription: 'SUBSCRIPTION' };
const ASKS: Readonly<Record<string, string>> = {
  query: 'QUERY',
  useQuery: 'QUERY',
  useSuspenseQuery: 'QUERY',
  useInfiniteQuery: 'QUERY',
  prefetch: 'QUERY',
  prefetchInfinite: 'QUERY',
  fetch: 'QUERY',
  fetchInfinite: 'QUERY',
  queryOptions: 'QUERY',
  infiniteQueryOptions: 'QUERY',
  queryFilter: 'QUERY',
  queryKey: 'QUERY',
  invalidate: 'QUERY',
  mutationOptions: 'MUTATION',
  subscriptionOptions: 'SUBSCRIPTION',
  mutate: 'MUTATION',
  mutateAsync: 'MUTATION',
  useMutation: 'MUTATION',
  useSubscription: 'SUBSCRIPTION',
  subscribe: 'SUBSCRIPTION',
};
/** Functions that make a router. */
const MAKERS: ReadonlySet<string> = new Set(['router', 'createTRPCRouter', 'mergeRouters', 'createRouter']);
/** Names that procedures begin with. */
const PROCEDURE = /^(?:\w*Procedure|procedure)$/;
/** Names of clients of tRPC. */
const CLIENT = /^(?:trpc|api|client|utils|caller|\w*[tT](?:rpc|RPC)\w*)$/;
/** Names of what calls procedures on the server, as functions. */
const CALLER = /caller$/i;

/**
 * Procedures of tRPC as routes, `QUERY /user/list`: the keys of the routers around them, then their own. Routers of other files
 * below a key are mounts.
 */
export function trpcRoutes({ tokens, calls, own }: RouteSource): ParsedRoutes {
  const result: ParsedRoutes = { routes: [], mounts: [] };
  if (!own.has('trpc')) return result;
  const makers = calls.filter(({ name }) => MAKERS.has(name));
  for (const maker of makers) {
    if (makers.some((other) => other !== maker && other.at < maker.at && maker.end < other.end)) continue;
    readKeys(tokens, { from: maker.at, to: maker.end, prefix: '' }, { calls, found: result });
  }
  // `{ list: publicProcedure.query(…) } satisfies TRPCRouterRecord`: a router is made of it elsewhere.
  for (const { from, to } of recordsOf(tokens))
    if (!makers.some((maker) => maker.at < from && from < maker.end))
      readKeys(tokens, { from: from - 1, to, prefix: '' }, { calls, found: result, level: 1 });
  return result;
}

/** Objects that are assigned to a name and of which a value begins with a procedure. */
function recordsOf(tokens: readonly Token[]): { from: number; to: number }[] {
  const records: { from: number; to: number }[] = [];
  for (const [at, { kind, value }] of tokens.entries()) {
    const isAssigned = kind === 'sign' && value === '{' && tokens[at - 1]?.value === '=';
    if (!isAssigned || tokens[at - 2]?.kind !== 'word') continue;
    const to = endOfValue(tokens, at + 1, tokens.length, true);
    const isRecord = tokens
      .slice(at, to)
      .some((token, index) => token.value === ':' && PROCEDURE.test(tokens[at + index + 1]?.value ?? ''));
    if (isRecord) records.push({ from: at, to });
  }
  return records;
}

/** The keys of the object that a router is made of. */
function readKeys(
  tokens: readonly Token[],
  { from, to, prefix }: { from: number; to: number; prefix: string },
  { calls, found: result, level = 2 }: { calls: readonly Call[]; found: ParsedRoutes; level?: number },
): void {
  let depth = 0;
  for (let at = from + 1; at < to; at += 1) {
    const { kind, value } = tokens[at] ?? {};
    if (kind === 'sign' && '([{'.includes(value ?? ' ')) depth += 1;
    else if (kind === 'sign' && ')]}'.includes(value ?? ' ')) depth -= 1;
    // `router({` is two deep.
    if (depth !== level || kind === 'sign' || tokens[at + 1]?.value !== ':') continue;
    const end = endOfValue(tokens, at + 2, to);
    readValue(tokens, { key: `${prefix}/${value ?? ''}`, at, end }, { calls, found: result });
    at = end - 1;
  }
}

function readValue(
  tokens: readonly Token[],
  { key, at, end }: { key: string; at: number; end: number },
  { calls, found: result }: { calls: readonly Call[]; found: ParsedRoutes },
): void {
  const inside = calls.filter((call) => call.at > at && call.at < end);
  const router = inside.find(({ name }) => MAKERS.has(name));
  if (router !== undefined && inside[0] === router)
    return readKeys(tokens, { from: router.at, to: router.end, prefix: key }, { calls, found: result });
  const last = inside.findLast((call) => call.end + 1 >= end && ENDS[call.name] !== undefined);
  const line = tokens[at]?.line ?? 1;
  if (last !== undefined) {
    const name = last.args[0]?.name;
    const handler = name === undefined ? undefined : { name: name.value, line: name.line, column: name.column };
    const route: ParsedRoute = { method: ENDS[last.name] ?? 'QUERY', path: key, line, handler, router: '' };
    result.routes.push(route);
    return;
  }
  const name = tokens[at + 2];
  if (end !== at + 3 || name?.kind !== 'word') return;
  const mount: ParsedMount = { prefix: key, name: name.value, line: name.line, column: name.column };
  result.mounts.push(mount);
}

/** Returns the end of the value of a key: the comma behind it, or where the object closes; `isWhole`: the latter alone. */
function endOfValue(tokens: readonly Token[], from: number, to: number, isWhole = false): number {
  let depth = 0;
  for (let at = from; at < to; at += 1) {
    const { kind, value = '' } = tokens[at] ?? {};
    if (kind !== 'sign') continue;
    if ('([{'.includes(value)) depth += 1;
    else if (')]}'.includes(value) && depth-- === 0) return at;
    else if (value === ',' && depth === 0 && !isWhole) return at;
  }
  return to;
}

/** Requests to procedures: `trpc.user.list.useQuery()`, `getClient().user.create.mutate(input)`, `caller.user.list()`. */
export function trpcCalls({ tokens, calls, own }: Pick<RouteSource, 'tokens' | 'calls' | 'own'>): ClientRequest[] {
  if (!own.has('trpc')) return [];
  const byEnd = new Map(calls.map((call) => [call.end, call]));
  return calls.flatMap(({ name, at, line }): ClientRequest[] => {
    const keys: string[] = [];
    let place = at;
    while (tokens[place - 1]?.value === '.' && tokens[place - 2]?.kind === 'word') {
      place -= 2;
      keys.unshift(tokens[place]?.value ?? '');
    }
    const made = tokens[place - 1]?.value === '.' ? byEnd.get(place - 2) : undefined;
    const client = made?.name ?? keys.shift() ?? '';
    const method = CLIENT.test(client) ? ASKS[name] : undefined;
    const path = method === undefined ? [...keys, name] : keys;
    if (keys.length === 0 || (method === undefined && !CALLER.test(client))) return [];
    return [{ method: method ?? 'ANY', path: `/${path.join('/')}`, line }];
  });
}
