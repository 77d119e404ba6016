import type { Call } from './calls.ts';
import {
  type ParsedRoute,
  type ParsedRoutes,
  type Handler,
  HTTP_METHODS,
  joinPaths,
  methodNamed,
  type RouteSource,
} from './parsed-routes.ts';
import { pluralName, singularName } from './rails-inflections.ts';

/** Actions of a resource: name, method, and path behind that of the resource; `:id` stands for its parameter. */
export const RESOURCE_ACTIONS: readonly (readonly [string, string, string])[] = [
  ['index', 'GET', ''],
  ['new', 'GET', 'new'],
  ['create', 'POST', ''],
  ['show', 'GET', ':id'],
  ['edit', 'GET', ':id/edit'],
  ['update', 'PATCH', ':id'],
  ['destroy', 'DELETE', ':id'],
];

/** A block, and what it does to the routes in it. */
interface Block {
  from: number;
  to: number;
  /** `resource` stands for both kinds of resources, `concern` for routes that are used elsewhere. */
  kind: 'prefix' | 'resource' | 'member' | 'collection' | 'concern';
  path: string;
  /** Of many resources: the parameter of one, by itself and below it (`:id`, `:user_id`); '' otherwise. */
  parameter: string;
  parameterBelow: string;
  /** Whose actions are meant where none is named; '' where the blocks around it say. */
  controller: string;
  /** Module of the controllers; '' for none. */
  module: string;
}

const PREFIX = { kind: 'prefix', path: '', parameter: '', parameterBelow: '', controller: '', module: '' } as const;

/** Routes of Rails: verbs, `match`, `root`, resources with members and collections, inside `namespace` and `scope`. */
export function railsRoutes({ tokens, calls, path, named }: RouteSource): ParsedRoutes {
  if (!named.has('rails') || !/(?:^|\/)config\/routes(?:\.rb$|\/)/.test(path)) return { routes: [], mounts: [] };
  const blocks = [
    ...calls.flatMap((call) => blockOfCall(tokens, call)),
    ...tokens.flatMap((_, at) => blockOfWord(tokens, at)),
  ].toSorted((a, b) => a.from - b.from);
  const routes = calls.flatMap((call) => {
    const around = blocks.filter(({ from, to }) => from < call.at && call.at < to);
    if (call.receiver !== '' || around.some(({ kind }) => kind === 'concern')) return [];
    return call.name === 'resources' || call.name === 'resource'
      ? resourceRoutes(call, around)
      : verbRoutes(call, around);
  });
  return { routes, mounts: [] };
}

/** None for a call without a block, or whose block changes nothing. */
function blockOfCall(tokens: RouteSource['tokens'], call: Call): Block[] {
  const { name, at: from, args } = call;
  if (!['namespace', 'scope', 'controller', 'resources', 'resource', 'concern'].includes(name)) return [];
  const to = endOfBlock(tokens, call.end);
  if (to === undefined) return [];
  const [first] = args;
  const given = first?.label === '' ? wordOf(first) : undefined;
  if (name === 'concern') return [{ ...PREFIX, from, to, kind: 'concern' }];
  if (name === 'controller') return [{ ...PREFIX, from, to, controller: given ?? '' }];
  if (name === 'namespace' || name === 'scope') {
    const path = wordLabelled(call, 'path') ?? given ?? '';
    const module = wordLabelled(call, 'module') ?? (name === 'namespace' ? given : undefined) ?? '';
    return [{ ...PREFIX, from, to, path, module, controller: wordLabelled(call, 'controller') ?? '' }];
  }
  return given === undefined ? [] : [{ ...PREFIX, from, to, kind: 'resource', ...resourceOf(call, given) }];
}

/** `member do` and `collection do`, which are no calls with arguments. */
function blockOfWord(tokens: RouteSource['tokens'], from: number): Block[] {
  const { value: kind } = tokens[from] ?? { value: '' };
  if ((kind !== 'member' && kind !== 'collection') || tokens[from + 1]?.value !== 'do') return [];
  const to = endOfBlock(tokens, from + 1);
  return to === undefined ? [] : [{ ...PREFIX, from, to, kind }];
}

function resourceOf(call: Call, name: string): Pick<Block, 'path' | 'controller' | 'parameter' | 'parameterBelow'> {
  const path = wordLabelled(call, 'path') ?? name;
  const controller = wordLabelled(call, 'controller') ?? (call.name === 'resources' ? name : pluralName(name));
  if (call.name === 'resource') return { path, controller, parameter: '', parameterBelow: '' };
  const parameter = wordLabelled(call, 'param') ?? 'id';
  return { path, controller, parameter: `:${parameter}`, parameterBelow: `:${singularName(name)}_${parameter}` };
}

function resourceRoutes(call: Call, around: readonly Block[]): ParsedRoute[] {
  const isMany = call.name === 'resources';
  const [only, except] = [wordsLabelled(call, 'only'), wordsLabelled(call, 'except')];
  const actions = RESOURCE_ACTIONS.filter(
    ([action]) => (isMany || action !== 'index') && only?.has(action) !== false && except?.has(action) !== true,
  );
  const names = call.args.flatMap((arg) => (arg.label === '' ? (wordOf(arg) ?? []) : []));
  return names.flatMap((name) => {
    const { path, controller, parameter } = resourceOf(call, name);
    return actions.map(([action, method, behind]) => ({
      method,
      path: joinPaths(pathOf(around, undefined), path, behind.replace(':id', parameter)),
      line: call.line,
      handler: handlerOf(`${controller}#${action}`, '', around),
      router: '',
    }));
  });
}

function verbRoutes(call: Call, around: readonly Block[]): ParsedRoute[] {
  const methods = methodsOf(call);
  const below = pathOf(around, wordLabelled(call, 'on'));
  const controller =
    wordLabelled(call, 'controller') ?? around.findLast((block) => block.controller !== '')?.controller ?? '';
  const to = call.args.find(({ label }) => label === 'to');
  const named = to === undefined ? undefined : (wordOf(to) ?? '');
  const route = (method: string, path: string, target: string): ParsedRoute => ({
    method,
    path: joinPaths(below, path),
    line: call.line,
    handler: handlerOf(target, controller, around),
    router: '',
  });
  const [first] = call.args;
  if (call.name === 'root') return [route('GET', '', named ?? (first?.label === '' ? wordOf(first) : undefined) ?? '')];
  if (first === undefined || methods.length === 0) return [];
  // `get '/users' => 'users#index'`: the path is what the text is filed under.
  if (first.label !== '') return methods.map((method) => route(method, shortest(first.label), first.text ?? ''));
  const paths = call.args.flatMap((arg) => (arg.label === '' ? (wordOf(arg) ?? []) : []));
  return paths.flatMap((path) =>
    methods.map((method) =>
      route(method, shortest(path), named ?? wordLabelled(call, 'action') ?? actionNamed(path, controller)),
    ),
  );
}

/** `get 'pages/about'` is the action `about` of `pages`; a plain word is one of the controller around it. */
function actionNamed(path: string, controller: string): string {
  const plain = shortest(path).replace(/^\//, '').replaceAll('-', '_');
  return controller === '' ? plain.replace(/\/([^/]*)$/, '#$1') : plain;
}

/** None for a call that makes no route. */
function methodsOf(call: Call): string[] {
  if (call.name !== 'match') {
    const method = methodNamed(call.name);
    return method === undefined || method === 'ANY' ? [] : [method];
  }
  const via = [...(wordsLabelled(call, 'via') ?? [])].map((name) => name.toUpperCase());
  const methods = via.filter((name) => HTTP_METHODS.includes(name));
  return methods.length === 0 ? ['ANY'] : methods;
}

/** The path around a place. Right inside many resources, it is that of one of them, unless a member or the collection is meant. */
function pathOf(around: readonly Block[], on: string | undefined): string {
  const kinds: (string | undefined)[] = [...around.map(({ kind }) => kind), on];
  return joinPaths(
    ...around.flatMap(({ kind, path, parameter, parameterBelow }, at) => {
      if (kind !== 'resource' || kinds[at + 1] === 'collection') return [path];
      return [path, kinds[at + 1] === 'member' ? parameter : parameterBelow];
    }),
  );
}

/** `users#show`, or an action alone of the controller around it. */
function handlerOf(target: string, controllerAround: string, around: readonly Block[]): Handler | undefined {
  const [, controller = controllerAround, member = ''] = /^(?:([\w/]+)#)?(\w+)$/.exec(target) ?? [];
  if (controller === '' || member === '') return undefined;
  const path = joinPaths(...around.map(({ module }) => module), controller);
  const named = path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { named: `${named}Controller`, member, file: `${path}_controller.rb` };
}

/** A path without its optional parts: `/top(/:length)` is `/top`. */
function shortest(path: string): string {
  let text = path;
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replaceAll(/\([^()]*\)/g, '');
  }
  return text;
}

type Argument = Call['args'][number];

/** A text or a symbol. */
function wordOf(argument: Argument | undefined): string | undefined {
  const [only, more] = argument?.tokens ?? [];
  const symbol =
    more === undefined && only?.kind === 'word' && only.value.startsWith(':') ? only.value.slice(1) : undefined;
  return argument?.text ?? symbol;
}

function wordLabelled(call: Call, label: string): string | undefined {
  return wordOf(call.args.find((arg) => arg.label === label));
}

/** The words of a list or of one symbol: `[:index, :show]`, `%i[index show]`, `:index`. */
function wordsLabelled(call: Call, label: string): Set<string> | undefined {
  const argument = call.args.find((arg) => arg.label === label);
  return (
    argument &&
    new Set(argument.tokens.flatMap(({ kind, value }) => (kind === 'sign' ? [] : [value.replace(/^:/, '')])))
  );
}

/** Returns the end of the block of a statement that is over before `from`: behind `do`, at the `end` that belongs to it. */
function endOfBlock(tokens: RouteSource['tokens'], from: number): number | undefined {
  let at = from;
  while (at < tokens.length && tokens[at]?.value !== 'do' && tokens[at]?.line === tokens[from - 1]?.line) at += 1;
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
