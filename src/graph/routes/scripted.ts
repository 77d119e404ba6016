import type { Call } from './calls.ts';
import {
  type FoundRoute,
  type FoundRoutes,
  type Handler,
  joinPaths,
  methodNamed,
  type RouteSource,
  Scopes,
} from './found.ts';

const NOTHING: FoundRoutes = { routes: [], mounts: [] };

/** Actions of a resource: its name, method, and path behind that of the resource. */
const ACTIONS: readonly (readonly [string, string, string])[] = [
  ['index', 'GET', ''],
  ['new', 'GET', 'new'],
  ['create', 'POST', ''],
  ['show', 'GET', ':id'],
  ['edit', 'GET', ':id/edit'],
  ['update', 'PATCH', ':id'],
  ['destroy', 'DELETE', ':id'],
];

/** Routes of Rails: `get 'users', to: 'users#index'`, `resources :users`, inside `namespace` and `scope`. */
export function railsRoutes({ tokens, calls, path, named }: RouteSource): FoundRoutes {
  if (!named.has('rails') || !/(?:^|\/)config\/routes(?:\.rb$|\/)/.test(path)) return NOTHING;
  const scopes = new Scopes();
  const routes: FoundRoute[] = [];
  for (const call of calls) {
    const [first] = call.args;
    const name = first?.text ?? symbolOf(first);
    const around = scopes.at(call.at);
    if (call.name === 'namespace' || call.name === 'scope' || call.name === 'resources' || call.name === 'resource') {
      const block = blockOf(tokens, call);
      if (call.name === 'namespace' || call.name === 'scope') {
        const below = name ?? labelText(call, 'path') ?? '';
        if (block !== undefined) scopes.add({ at: call.at, end: block }, below);
        continue;
      }
      for (const resource of call.args.flatMap((arg) => (arg.label === '' ? (arg.text ?? symbolOf(arg) ?? []) : [])))
        routes.push(...resourceRoutes(call, resource, around));
      if (block !== undefined && name !== undefined)
        scopes.add(
          { at: call.at, end: block },
          call.name === 'resources' ? `${name}/:${name.replace(/s$/, '')}_id` : name,
        );
      continue;
    }
    const target = labelText(call, 'to') ?? (call.name === 'root' ? name : undefined);
    const method = call.name === 'root' ? 'GET' : call.name === 'match' ? 'ANY' : methodNamed(call.name);
    if (method === undefined || name === undefined || call.receiver !== '') continue;
    const handler = controllerAction(
      target ?? (name.includes('/') ? name.replace(/^\//, '').replace(/\/([^/]*)$/, '#$1') : ''),
    );
    routes.push({
      method,
      path: joinPaths(around, call.name === 'root' ? '' : name),
      line: call.line,
      handler,
      router: '',
    });
  }
  return { routes, mounts: [] };
}

function resourceRoutes(call: Call, name: string, around: string): FoundRoute[] {
  const isMany = call.name === 'resources';
  const listed = (label: string): Set<string> | undefined => {
    const argument = call.args.find((arg) => arg.label === label);
    return (
      argument &&
      new Set(argument.tokens.flatMap(({ kind, value }) => (kind === 'sign' ? [] : [value.replace(/^:/, '')])))
    );
  };
  const [only, except] = [listed('only'), listed('except')];
  const controller = labelText(call, 'controller') ?? (isMany ? name : `${name}s`);
  return ACTIONS.filter(
    ([action]) => (isMany || action !== 'index') && only?.has(action) !== false && except?.has(action) !== true,
  ).map(([action, method, behind]) => ({
    method,
    path: joinPaths(around, labelText(call, 'path') ?? name, isMany ? behind : behind.replace(':id', '')),
    line: call.line,
    handler: controllerAction(`${controller}#${action}`),
    router: '',
  }));
}

/** `admin/users#show` is `Admin::UsersController#show`; only its last part tells the class. */
function controllerAction(text: string): Handler | undefined {
  const [, controller = '', member = ''] = /([\w]+)#(\w+)$/.exec(text) ?? [];
  if (controller === '') return undefined;
  const named = `${controller.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Controller`;
  return { named, member };
}

function symbolOf(argument: Call['args'][number] | undefined): string | undefined {
  const [only, more] = argument?.tokens ?? [];
  return more === undefined && only?.kind === 'word' && only.value.startsWith(':') ? only.value.slice(1) : undefined;
}

function labelText(call: Call, label: string): string | undefined {
  const argument = call.args.find((arg) => arg.label === label);
  return argument === undefined ? undefined : (argument.text ?? symbolOf(argument));
}

/** Where the block of a statement ends: behind `do`, at the `end` that belongs to it. */
function blockOf(tokens: RouteSource['tokens'], call: Call): number | undefined {
  let at = call.end;
  while (at < tokens.length && tokens[at]?.value !== 'do' && tokens[at]?.line === tokens[call.end - 1]?.line) at += 1;
  if (tokens[at]?.value !== 'do') return undefined;
  let depth = 0;
  for (; at < tokens.length; at += 1) {
    const { kind, value } = tokens[at] ?? { kind: 'sign', value: '' };
    if (kind !== 'word') continue;
    if (['do', 'if', 'unless', 'case', 'begin', 'def', 'class', 'module'].includes(value) && !isModifier(tokens, at))
      depth += 1;
    else if (value === 'end' && (depth -= 1) === 0) return at;
  }
  return tokens.length;
}

/** `get 'x' if condition` opens nothing. */
function isModifier(tokens: RouteSource['tokens'], at: number): boolean {
  return ['if', 'unless'].includes(tokens[at]?.value ?? '') && tokens[at - 1]?.line === tokens[at]?.line;
}

/** Routes of Laravel: `Route::get('/users', [UserController::class, 'index'])`, resources, groups with a prefix. */
export function laravelRoutes({ calls, named, path }: RouteSource): FoundRoutes {
  if (!named.has('laravel')) return NOTHING;
  const scopes = new Scopes();
  // Files of `routes/api` lie below `/api`.
  const base = /(?:^|\/)routes\/api\.php$/.test(path) ? '/api' : '';
  const routes: FoundRoute[] = [];
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
      for (const [action, verb, behind] of ACTIONS.filter(
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
