import { type Call } from './calls.ts';
import {
  assignedTo,
  type ParsedMount,
  type ParsedRoute,
  type ParsedRoutes,
  handlerOf,
  isRoutePath,
  joinPaths,
  methodNamed,
  type RouteSource,
  Scopes,
  textOfKey,
} from './parsed-routes.ts';

const NOTHING: ParsedRoutes = { routes: [], mounts: [] };

const SPRING: Readonly<Record<string, string>> = {
  GetMapping: 'GET',
  PostMapping: 'POST',
  PutMapping: 'PUT',
  PatchMapping: 'PATCH',
  DeleteMapping: 'DELETE',
  RequestMapping: 'ANY',
};

/** Routes of Spring: `@GetMapping("/{id}")` above methods, with the `@RequestMapping` of their class before it. */
export function springRoutes({ tokens, calls, named }: RouteSource): ParsedRoutes {
  if (!named.has('spring')) return NOTHING;
  const routes: ParsedRoute[] = [];
  let below = '';
  for (const call of calls) {
    const method = call.isMark ? SPRING[call.name] : undefined;
    if (method === undefined) continue;
    const all = call.args.flatMap(({ tokens: own }) => own);
    const paths = call.args
      .filter(({ label }) => ['', 'value', 'path'].includes(label))
      .flatMap((arg) => arg.tokens.flatMap(({ kind, value }) => (kind === 'text' ? [value] : [])));
    if (call.name === 'RequestMapping' && isAboveClass(tokens, call)) {
      below = paths[0] ?? '';
      continue;
    }
    const methods = all.flatMap(({ value }, at) => (all[at - 2]?.value === 'RequestMethod' ? [value] : []));
    for (const path of paths.length === 0 ? [''] : paths)
      for (const verb of methods.length === 0 ? [method] : methods)
        routes.push({
          method: verb,
          path: joinPaths(below, path),
          line: call.line,
          handler: { definedFrom: tokens[call.end]?.line ?? call.line },
          router: '',
        });
  }
  return { routes, mounts: [] };
}

/** True if `class` or `interface` comes before anything that opens a body. */
function isAboveClass(tokens: RouteSource['tokens'], { end }: Call): boolean {
  for (let at = end + 1; at < tokens.length && at < end + 200; at += 1) {
    const { kind, value } = tokens[at] ?? { kind: 'sign', value: '{' };
    if (kind === 'word' && (value === 'class' || value === 'interface')) return true;
    if (kind === 'sign' && value === '{') return false;
  }
  return false;
}

/** Routes of Gin, Echo, chi, Fiber and `net/http`: `r.GET("/users", list)`, `r.Route("/api", func(r …) { … })`, groups, `mux.HandleFunc("GET /x", h)`. */
export function goRoutes({ tokens, calls, named, own }: RouteSource): ParsedRoutes {
  const isNamed =
    ['gin', 'echo', 'chi', 'fiber', 'huma'].some((framework) => named.has(framework)) || own.has('net/http');
  if (!isNamed) return NOTHING;
  const groups = new Map<string, string>();
  const scopes = new Scopes();
  const [routes, mounts]: [ParsedRoute[], ParsedMount[]] = [[], []];
  for (const call of calls) {
    const { name, args, receiver, line, at } = call;
    const [first, second] = args;
    if (receiver === 'huma' && (own.has('huma') || named.has('huma'))) {
      const group = name === 'NewGroup' ? assignedTo(tokens, call) : undefined;
      const above = groups.get(first?.name?.value ?? '') ?? '';
      if (group !== undefined) groups.set(group, joinPaths(above, second?.text ?? ''));
      else routes.push(...humaRoute(call, above));
      continue;
    }
    if (receiver === '' || first?.text === undefined) continue;
    const prefix = joinPaths(scopes.at(at), groups.get(receiver) ?? '');
    const route = { line, router: receiver };
    const assigned = name === 'Group' ? assignedTo(tokens, call) : undefined;
    if (assigned !== undefined) groups.set(assigned, joinPaths(prefix, first.text));
    else if (name === 'Route' && args.length === 2) scopes.add(call, first.text);
    else if (name === 'Mount' && second?.name !== undefined)
      mounts.push({
        prefix: joinPaths(prefix, first.text),
        name: second.name.value,
        line: second.name.line,
        column: second.name.column,
      });
    else if ((name === 'HandleFunc' || name === 'Handle') && args.length === 2) {
      const [, method = 'ANY', path = ''] = /^(?:([A-Z]+)\s+)?[\w.-]*(\/\S*)$/.exec(first.text) ?? [];
      if (path !== '') routes.push({ ...route, method, path: joinPaths(prefix, path), handler: handlerOf(second) });
    } else if (
      ['Handle', 'Method', 'MethodFunc', 'Add'].includes(name) &&
      isRoutePath(second?.text) &&
      args.length >= 3
    ) {
      const method = methodNamed(first.text);
      if (method !== undefined)
        routes.push({ ...route, method, path: joinPaths(prefix, second.text), handler: handlerOf(args.at(-1)) });
    } else if (args.length >= 2 && isRoutePath(first.text)) {
      const method = /^[A-Z]/.test(name) ? methodNamed(name) : undefined;
      const index = named.has('echo') && !named.has('gin') ? 1 : -1;
      if (method !== undefined)
        routes.push({ ...route, method, path: joinPaths(prefix, first.text), handler: handlerOf(args.at(index)) });
    }
  }
  return { routes, mounts };
}

/** `huma.Get(api, "/users", list)`, `huma.Register(api, huma.Operation{Method: http.MethodGet, Path: "/users"}, list)`. */
function humaRoute({ name, args, line }: Call, above: string): ParsedRoute[] {
  const [, second] = args;
  const own = second?.tokens ?? [];
  const path = second?.text ?? textOfKey(own, 'Path');
  const stated = own.findIndex(({ value }, at) => value === 'Method' && own[at + 1]?.value === ':');
  // Of `http.MethodGet` the last word.
  const [, verb, dotted] = [2, 2, 4].map((step) => own[stated + step]?.value ?? '');
  const method =
    name === 'Register'
      ? methodNamed((verb === 'http' ? (dotted ?? '') : (verb ?? '')).replace(/^Method/, ''))
      : methodNamed(name);
  if (method === undefined || !isRoutePath(path) || args.length < 3) return [];
  return [{ method, path: joinPaths(above, path), line, handler: handlerOf(args.at(-1)), router: '' }];
}

/** Routes of axum and Actix: `.route("/users", get(list).post(create))`, `.nest("/api", users())`, `#[get("/users")]`, `web::scope("/api")`. */
export function rustRoutes(source: RouteSource): ParsedRoutes {
  const { tokens, calls, named } = source;
  const isActix = named.has('actix');
  if (!named.has('axum') && !isActix) return NOTHING;
  const scopes = chainedScopes(tokens, calls);
  const [routes, mounts]: [ParsedRoute[], ParsedMount[]] = [[], []];
  for (const call of calls) {
    const [first, second] = call.args;
    if (!isRoutePath(first?.text)) continue;
    const route = { path: joinPaths(scopes.at(call.at), first.text), line: call.line, router: '' };
    if (call.name === 'nest' || call.name === 'nest_service') mounts.push(...nestOf(first.text, second));
    else if (call.name === 'route' && second !== undefined)
      routes.push(...methodRouters(second.tokens).map((router) => ({ ...route, ...router })));
    else if (isActix && call.isMark) routes.push(...markedRoute(source, call, route));
    else if (isActix && call.name === 'resource') routes.push(...resourceRoutes(source, call, route));
  }
  return { routes, mounts };
}

type PlacedRoute = Pick<ParsedRoute, 'path' | 'line' | 'router'>;

/** `#[get("/users")]` above a function. */
function markedRoute({ tokens }: RouteSource, call: Call, route: PlacedRoute): ParsedRoute[] {
  const method = methodNamed(call.name);
  return method === undefined
    ? []
    : [{ ...route, method, handler: { definedFrom: tokens[call.end]?.line ?? call.line } }];
}

/** Tokens behind a resource in which its methods are looked for. */
const CHAIN_TOKENS = 60;

/** `web::resource("/x").route(web::get().to(list))`. */
function resourceRoutes({ tokens, calls }: RouteSource, { end }: Call, route: PlacedRoute): ParsedRoute[] {
  return calls.flatMap((call): ParsedRoute[] => {
    if (call.name !== 'to' || call.at < end || call.at > end + CHAIN_TOKENS) return [];
    const method = methodNamed(tokens[call.at - 4]?.value ?? '');
    return method === undefined ? [] : [{ ...route, method, handler: handlerOf(call.args[0]) }];
  });
}

/** `.nest("/api", users::routes())`: the function that gives the router. */
function nestOf(prefix: string, argument: Call['args'][number] | undefined): ParsedMount[] {
  const words = (argument?.tokens ?? []).filter(({ kind }) => kind === 'word');
  const called = argument?.tokens.findLast(
    ({ kind }, at) =>
      kind === 'word' && argument.tokens[at + 1]?.value === '(' && argument.tokens[at - 1]?.value !== '.',
  );
  const name = called ?? words[0];
  return name === undefined ? [] : [{ prefix, name: name.value, line: name.line, column: name.column }];
}

/** `get(list).post(create)` and `web::get().to(list)`: which method is served by what. */
function methodRouters(tokens: Call['args'][number]['tokens']): Pick<ParsedRoute, 'method' | 'handler'>[] {
  const handlers: Pick<ParsedRoute, 'method' | 'handler'>[] = [];
  for (const [at, { kind, value }] of tokens.entries()) {
    const method = kind === 'word' && value === value.toLowerCase() ? methodNamed(value) : undefined;
    if (method === undefined || tokens[at + 1]?.value !== '(') continue;
    const to = tokens.findIndex((token, index) => index > at && token.value === 'to');
    const from = tokens[at + 2]?.value === ')' && to !== -1 ? to + 2 : at + 2;
    const name = lastOfName(tokens, from);
    handlers.push({
      method,
      handler: name === undefined ? undefined : { name: name.value, line: name.line, column: name.column },
    });
  }
  return handlers;
}

function lastOfName(
  tokens: Call['args'][number]['tokens'],
  from: number,
): Call['args'][number]['tokens'][number] | undefined {
  let at = from;
  if (tokens[at]?.kind !== 'word') return undefined;
  while (tokens[at + 1]?.value === ':' && tokens[at + 2]?.value === ':' && tokens[at + 3]?.kind === 'word') at += 3;
  return tokens[at];
}

/** `web::scope("/api").service(…)`: the chain behind it lies below its path. */
function chainedScopes(tokens: RouteSource['tokens'], calls: readonly Call[]): Scopes {
  const scopes = new Scopes();
  for (const call of calls) {
    const path = call.name === 'scope' ? call.args[0]?.text : undefined;
    if (path === undefined) continue;
    let end = call.end;
    for (
      let next = calls.find((other) => other.at === end + 2);
      next !== undefined && tokens[end + 1]?.value === '.';
    ) {
      end = next.end;
      const place: number = end;
      next = calls.find((other) => other.at === place + 2);
    }
    scopes.add({ at: call.at, end }, path);
  }
  return scopes;
}
