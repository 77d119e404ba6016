import type { Call } from './calls.ts';
import {
  type ParsedRoute,
  type ParsedRoutes,
  type Handler,
  joinPaths,
  methodNamed,
  type RouteSource,
  Scopes,
} from './parsed-routes.ts';
import { RESOURCE_ACTIONS } from './rails.ts';

const NOTHING: ParsedRoutes = { routes: [], mounts: [] };

/** Routes of Laravel: `Route::get('/users', [UserController::class, 'index'])`, resources, groups with a prefix. */
export function laravelRoutes({ calls, named, path }: RouteSource): ParsedRoutes {
  if (!named.has('laravel')) return NOTHING;
  const scopes = new Scopes();
  // Files of `routes/api` lie below `/api`.
  const base = /(?:^|\/)routes\/api\.php$/.test(path) ? '/api' : '';
  const routes: ParsedRoute[] = [];
  const byEnd = new Map(calls.map((call) => [call.end, call]));
  for (const call of calls) {
    const { name, args, receiver, line, at } = call;
    const [first, second] = args;
    const links = chainBefore(byEnd, call);
    if (name === 'group') addGroup(call, links, scopes);
    if (receiver !== 'Route' && !links.some((link) => link.receiver === 'Route')) continue;
    const below = joinPaths(base, scopes.at(at), chainPrefix(links));
    const method = methodNamed(name);
    if (method !== undefined && first?.text !== undefined && second !== undefined)
      routes.push({ method, path: joinPaths(below, first.text), line, handler: laravelHandler(second), router: '' });
    else if ((name === 'resource' || name === 'apiResource') && first?.text !== undefined) {
      const controller = second?.tokens.find(({ kind }) => kind === 'word')?.value ?? '';
      for (const [action, verb, behind] of RESOURCE_ACTIONS.filter(
        ([resourceAction]) => name === 'resource' || !['new', 'edit'].includes(resourceAction),
      ))
        routes.push({
          method: verb,
          path: joinPaths(below, first.text, behind.replace(':id', '{id}').replace('new', 'create')),
          line,
          handler: { named: controller, member: action === 'new' ? 'create' : action === 'create' ? 'store' : action },
          router: '',
        });
    }
  }
  return { routes, mounts: [] };
}

/** `Route::prefix('admin')->group(function () { … })`, `Route::group(['prefix' => 'admin'], …)`. */
function addGroup(call: Call, links: readonly Call[], scopes: Scopes): void {
  const own = call.args[0]?.tokens ?? [];
  const key = own.findIndex(({ value }) => value === 'prefix');
  const named = key === -1 ? undefined : own.slice(key).find(({ kind }, at) => at > 0 && kind === 'text')?.value;
  const prefix = named ?? chainPrefix(links);
  if (prefix !== '') scopes.add(call, prefix);
}

/** The prefix that the chain before a call gives. */
function chainPrefix(links: readonly Call[]): string {
  const prefixes = links.flatMap(({ name, args }) => (name === 'prefix' ? [args[0]?.text ?? ''] : []));
  return prefixes.length === 0 ? '' : joinPaths(...prefixes.toReversed());
}

/** Links of a chain that are looked at. */
const MOST_LINKS = 20;

/** Of `a()->b()` the call of `a`, for that of `b`, and so on; the nearest first. */
function chainBefore(byEnd: ReadonlyMap<number, Call>, call: Call): Call[] {
  const links: Call[] = [];
  for (let at: Call | undefined = call; at?.receiver === ')' && links.length < MOST_LINKS;) {
    at = byEnd.get(at.at - 3);
    if (at !== undefined) links.push(at);
  }
  return links;
}

function laravelHandler(argument: Call['args'][number]): Handler | undefined {
  const [, named = '', member = ''] = /(\w+)@(\w+)$/.exec(argument.text ?? '') ?? [];
  if (named !== '') return { named, member };
  const text = argument.tokens.find(({ kind }) => kind === 'text');
  const before = argument.tokens.findIndex(({ value }) => value === 'class');
  const controller = argument.tokens.slice(0, before).findLast(({ kind }) => kind === 'word');
  if (controller === undefined || before === -1) return undefined;
  return { named: controller.value, member: text?.value ?? '__invoke' };
}
