import { type Call } from './calls.ts';
import {
  assignedTo,
  type ParsedMount,
  type ParsedRoute,
  type ParsedRoutes,
  handlerOf,
  HTTP_METHODS,
  constantPath,
  joinPaths,
  findLabelled,
  methodNamed,
  type RouteSource,
  Scopes,
} from './parsed-routes.ts';

const NOTHING: ParsedRoutes = { routes: [], mounts: [] };
const MAKERS: ReadonlySet<string> = new Set(['APIRouter', 'Blueprint', 'Flask', 'FastAPI']);

/** Routes of Flask and FastAPI: `@app.get("/users/{id}")`, `@bp.route("/", methods=["POST"])`, routers with a prefix, and what includes them. */
export function decoratedRoutes({ tokens, calls, named }: RouteSource): ParsedRoutes {
  if (!named.has('flask') && !named.has('fastapi')) return NOTHING;
  const prefixes = new Map<string, string>();
  for (const call of calls) {
    const name = MAKERS.has(call.name) ? assignedTo(tokens, call) : undefined;
    if (name !== undefined) prefixes.set(name, prefixOf(call));
  }
  const routes = calls.flatMap((call): ParsedRoute[] => {
    const { receiver, line, args, end } = call;
    const path = args[0]?.label === '' ? args[0].text : findLabelled(call, 'path')?.text;
    if (path === undefined || receiver === '' || (path !== '' && !path.startsWith('/'))) return [];
    const route = { path: joinPaths(prefixes.get(receiver) ?? '', path), line, router: receiver };
    if (call.isMark && isRoute(call.name))
      return methodsOf(call).map((method) => ({
        ...route,
        method,
        handler: { definedFrom: tokens[end]?.line ?? line },
      }));
    if (call.name !== 'add_url_rule' && call.name !== 'add_api_route') return [];
    const target =
      findLabelled(call, 'view_func') ?? findLabelled(call, 'endpoint') ?? args.findLast(({ label }) => label === '');
    return methodsOf(call).map((method) => ({ ...route, method, handler: handlerOf(target) }));
  });
  const mounts = calls.flatMap((call): ParsedMount[] => {
    if (!['include_router', 'register_blueprint', 'mount'].includes(call.name)) return [];
    const [router, name] = [call.args.find(({ label, text }) => label === '' && text === undefined), call.name];
    const last = router?.tokens.filter(({ kind }) => kind === 'word').at(-1);
    // `users.router` is the router of the module `users`.
    const target =
      last?.value === 'router' ? (router?.tokens.filter(({ kind }) => kind === 'word').at(-2) ?? last) : last;
    const below = name === 'mount' ? call.args[0]?.text : prefixOf(call);
    // Without a path of its own a router has that of the one it is put on.
    if (target === undefined || below === undefined || (name === 'mount' && below === '')) return [];
    return [
      {
        prefix: joinPaths(prefixes.get(call.receiver) ?? '', below),
        name: target.value,
        line: last?.line ?? target.line,
        column: last?.column ?? target.column,
      },
    ];
  });
  return { routes, mounts };
}

function prefixOf(call: Call): string {
  const prefix = findLabelled(call, 'prefix') ?? findLabelled(call, 'url_prefix');
  return prefix?.text ?? constantPath(prefix);
}

function isRoute(name: string): boolean {
  return name === 'route' || name === 'api_route' || (methodNamed(name) !== undefined && name === name.toLowerCase());
}

function methodsOf(call: Call): string[] {
  const own = methodNamed(call.name);
  if (own !== undefined) return [own];
  const listed = (findLabelled(call, 'methods')?.tokens ?? []).flatMap(({ kind, value }) =>
    kind === 'text' && HTTP_METHODS.includes(value.toUpperCase()) ? [value.toUpperCase()] : [],
  );
  return listed.length === 0 ? ['GET'] : listed;
}

/** Routes of Django: `path("users/<int:id>/", views.show)` in files that list URLs, and the lists that they include. */
export function djangoRoutes({ calls, named, path: file, tokens }: RouteSource): ParsedRoutes {
  if (!named.has('django') || !tokens.some(({ value }) => value === 'urlpatterns' || file.endsWith('urls.py')))
    return NOTHING;
  const scopes = new Scopes();
  const [routes, mounts]: [ParsedRoute[], ParsedMount[]] = [[], []];
  for (const call of calls) {
    const [first, second] = call.args;
    if (
      !['path', 're_path', 'url'].includes(call.name) ||
      call.receiver !== '' ||
      first?.text === undefined ||
      second === undefined
    )
      continue;
    const path = call.name === 'path' ? first.text : readablePattern(first.text);
    const inner = second.tokens.findIndex(({ value }) => value === 'include');
    if (inner === -1) {
      routes.push({
        method: 'ANY',
        path: joinPaths(scopes.at(call.at), path),
        line: call.line,
        handler: handlerOf(second),
        router: '',
      });
      continue;
    }
    // `include([…])` has its paths inside.
    if (second.tokens[inner + 2]?.value === '[') {
      scopes.add(call, path);
      continue;
    }
    const included = second.tokens.slice(inner).find(({ kind }, at) => at > 0 && kind !== 'sign');
    if (included === undefined) continue;
    const { value, line, column, kind } = included;
    mounts.push({
      prefix: joinPaths(scopes.at(call.at), path),
      name: value,
      line,
      column,
      ...(kind === 'text' && { module: value }),
    });
  }
  return { routes, mounts };
}

/** A pattern of Django as a path: groups by their names. */
function readablePattern(pattern: string): string {
  return pattern
    .replaceAll(/\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g, '<$1>')
    .replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, '<param>')
    .replaceAll(/[\^$\\]|\?(?=\/|$)/g, '');
}
