import type { Call } from './calls.ts';
import { hasNoHandler } from './clients.ts';
import {
  assignedTo,
  constantPath,
  CONTROLLER,
  type ParsedMount,
  type ParsedRoute,
  type ParsedRoutes,
  handlerOf,
  HTTP_METHODS,
  isRoutePath,
  joinPaths,
  methodNamed,
  type RouteSource,
  Scopes,
  textOfKey,
} from './parsed-routes.ts';

/** Frameworks whose routers have a method a request method. */
const ROUTERS = ['express', 'fastify', 'hono', 'koa'];
/** Functions that make a router. */
const MAKERS = /^(?:express|Router|Hono|OpenAPIHono|fastify|Fastify|KoaRouter|createRouter)$/;
/** A router that a chain begins with and that has no name: `export default Router().use('/api', users)`. */
const UNNAMED = 'Router()';
/** Usual names of routers where they are handed over. */
const USUAL_NAME = /^(?:app|router|server|fastify|api|instance|routes|\w*(?:Router|App|Routes|Api))$/;

/** Routes of Express, Fastify, Hono and Koa: `router.get('/users/:id', show)`, `fastify.route({ … })`, `app.use('/api', router)`. */
export function routerRoutes({ tokens, calls, named }: RouteSource): ParsedRoutes {
  if (!ROUTERS.some((router) => named.has(router))) return { routes: [], mounts: [] };
  const routers = new Map<string, string>();
  for (const call of calls) {
    const name = MAKERS.test(call.name) ? assignedTo(tokens, call) : undefined;
    if (name !== undefined) routers.set(name, textOfKey(call.args[0]?.tokens ?? [], 'prefix') ?? '');
  }
  for (const call of calls) {
    const [first] = call.args;
    if (call.name !== 'basePath' || first?.text === undefined) continue;
    const maker = calls.find(({ end }) => end + 2 === call.at) ?? call;
    const name = assignedTo(tokens, maker);
    if (name !== undefined) routers.set(name, joinPaths(routers.get(call.receiver) ?? '', first.text));
  }
  const isRouter = (name: string): boolean => routers.has(name) || name === UNNAMED || USUAL_NAME.test(name);
  const scopes = new Scopes();
  const [routes, mounts]: [PlacedRoute[], ParsedMount[]] = [[], []];
  // Of `app.get(…).post(…)` the router that the chain began with; none behind `router.route('/x')`.
  const chained = new Map<number, string | undefined>();
  for (const call of calls) {
    const isMade = MAKERS.test(call.name);
    const router = call.receiver === ')' ? chained.get(call.at - 2) : call.receiver;
    const begun = isMade ? (assignedTo(tokens, call) ?? UNNAMED) : router;
    chained.set(call.end, call.name === 'route' ? undefined : begun);
    if (isMade || router === undefined || !isRouter(router)) continue;
    if (!routers.has(router) && isAnswerUsed(tokens, call)) continue;
    const prefix = routers.get(router) ?? '';
    routes.push(...routesOf(call, router, prefix));
    mounts.push(...mountsOf(call, prefix, scopes).map((mount) => ({ ...mount, on: router })));
  }
  return {
    routes: routes.map(({ at, ...route }) => ({ ...route, path: joinPaths(scopes.at(at), route.path) })),
    mounts,
  };
}

/** True if code waits for the result of a call: `await api.post('/users', user)` is a request, whatever the name of `api`. */
function isAnswerUsed(tokens: RouteSource['tokens'], call: Call): boolean {
  const before = tokens[call.at - 3]?.value ?? '';
  return before === 'await' || (['return', '='].includes(before) && hasNoHandler(call));
}

interface PlacedRoute extends ParsedRoute {
  at: number;
}

function routesOf(call: Call, router: string, prefix: string): PlacedRoute[] {
  const { name, args, line, at } = call;
  const [first, second] = args;
  const route = { line, router, at };
  const method = methodNamed(name);
  if (method !== undefined && args.length >= 2 && isRoutePath(first?.text))
    return [{ ...route, method, path: joinPaths(prefix, first.text), handler: handlerOf(args.at(-1)) }];
  if (name === 'on' && args.length >= 3 && isRoutePath(second?.text))
    return textsOf(first?.tokens ?? []).flatMap((text) => {
      const named = methodNamed(text);
      return named === undefined
        ? []
        : [{ ...route, method: named, path: joinPaths(prefix, second.text ?? ''), handler: handlerOf(args.at(-1)) }];
    });
  if (name !== 'route' || first === undefined) return [];
  const url = textOfKey(first.tokens, 'url') ?? textOfKey(first.tokens, 'path');
  if (!isRoutePath(url)) return [];
  const methods = textsOf(first.tokens).flatMap((text) => (HTTP_METHODS.includes(text) ? [text] : []));
  const key = first.tokens.findIndex(
    ({ value }, index) => value === 'handler' && first.tokens[index + 1]?.value === ':',
  );
  const target = first.tokens[key + 2];
  const follows = first.tokens[key + 3]?.value ?? ',';
  const isName = key !== -1 && target?.kind === 'word' && [',', '}'].includes(follows);
  const handler = isName ? { name: target.value, line: target.line, column: target.column } : undefined;
  return (methods.length === 0 ? ['ANY'] : methods).map((verb) => ({
    ...route,
    method: verb,
    path: joinPaths(prefix, url),
    handler,
  }));
}

function textsOf(tokens: Call['args'][number]['tokens']): string[] {
  return tokens.flatMap(({ kind, value }) => (kind === 'text' ? [value] : []));
}

/** `app.use('/api', users)`, `app.route('/api', users)`, `fastify.register(users, { prefix: '/api' })`. */
function mountsOf(call: Call, prefix: string, scopes: Scopes): ParsedMount[] {
  const { name, args } = call;
  const [first, second] = args;
  if (name === 'register') {
    const below = textOfKey(second?.tokens ?? [], 'prefix');
    if (below === undefined) return [];
    if (first?.name === undefined) scopes.add(call, below);
    return mountOf(first, joinPaths(prefix, below));
  }
  // `app.use(users)` puts the routes of another file below no path of its own.
  if (name === 'use' && args.length === 1 && first?.tokens.length === 1) return mountOf(first, prefix);
  if ((name !== 'use' && name !== 'route') || !isRoutePath(first?.text) || args.length < 2) return [];
  return mountOf(args.at(-1), joinPaths(prefix, first.text));
}

/** `users.routes()` is the router `users`. */
function mountOf(argument: Call['args'][number] | undefined, prefix: string): ParsedMount[] {
  if (argument === undefined) return [];
  const { tokens } = argument;
  const isRoutes = tokens.some(({ value }, at) => value === 'routes' && tokens[at + 1]?.value === '(');
  const imported = tokens.findIndex(({ value }) => value === 'import' || value === 'require');
  const name = isRoutes ? tokens.find(({ kind }) => kind === 'word') : argument.name;
  if (name === undefined || imported !== -1) return [];
  return [{ prefix, name: name.value, line: name.line, column: name.column }];
}

const NEST_METHODS = /^(?:Get|Post|Put|Patch|Delete|Head|Options|All)$/;

/** Routes of Nest: `@Controller('cats')` above a class, `@Get(':id')` above its methods. */
export function nestRoutes({ calls, named, tokens }: RouteSource): ParsedRoutes {
  if (!named.has('nest')) return { routes: [], mounts: [] };
  const routes: ParsedRoute[] = [];
  let controller: string | undefined;
  let router = CONTROLLER;
  for (const call of calls) {
    if (!call.isMark) continue;
    const [first] = call.args;
    const path = first?.text ?? textOfKey(first?.tokens ?? [], 'path') ?? constantPath(first);
    if (call.name === 'Controller') {
      controller = path;
      const version = textOfKey(first?.tokens ?? [], 'version');
      router = version === undefined ? CONTROLLER : `${CONTROLLER} ${version}`;
    } else if (NEST_METHODS.test(call.name) && controller !== undefined)
      routes.push({
        method: methodNamed(call.name) ?? 'ANY',
        path: joinPaths(controller, path),
        line: call.line,
        handler: { definedFrom: tokens[call.end]?.line ?? call.line },
        router: versionOf(calls, call) ?? router,
      });
  }
  return { routes, mounts: nestMounts(calls) };
}

/** `@Version('2')` above or below the mark of a route. */
function versionOf(calls: readonly Call[], { line }: Call): string | undefined {
  const near = calls.find((call) => call.name === 'Version' && call.isMark && Math.abs(call.line - line) <= NEAR_LINES);
  const version = near?.args[0]?.text;
  return version === undefined ? undefined : `${CONTROLLER} ${version}`;
}

/** Decorators of one method stand so close. */
const NEAR_LINES = 2;

/** `app.setGlobalPrefix('api')` and `app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' })`: for all controllers. */
function nestMounts(calls: readonly Call[]): ParsedMount[] {
  const global = calls.find(({ name, args }) => name === 'setGlobalPrefix' && args[0]?.text !== undefined);
  const versions = calls.find(
    ({ name, args }) => name === 'enableVersioning' && (args.length === 0 || isByAddress(args[0]?.tokens ?? [])),
  );
  const at = global ?? versions;
  if (at === undefined) return [];
  const version = versions && (textOfKey(versions.args[0]?.tokens ?? [], 'defaultVersion') ?? '');
  return [
    {
      prefix: joinPaths(global?.args[0]?.text ?? ''),
      name: CONTROLLER,
      line: at.line,
      column: 1,
      ...(version !== undefined && { version }),
    },
  ];
}

function isByAddress(tokens: Call['args'][number]['tokens']): boolean {
  return tokens.some(({ value }) => value === 'URI') || !tokens.some(({ value }) => value === 'type');
}
