import type { Call } from './calls.ts';
import type { Token } from '../../languages/languages.ts';

/** A file that routes are read from. */
export interface RouteSource {
  path: string;
  language: string;
  tokens: readonly Token[];
  calls: readonly Call[];
  /** Frameworks that the repository names anywhere, and that this file names. */
  named: ReadonlySet<string>;
  own: ReadonlySet<string>;
}

/** Code that serves a route: a name at a place, or what is defined first from a line on; with a name, on that line. */
export type Handler =
  | { name: string; line: number; column: number }
  | { definedFrom: number; name?: string }
  /** A class and its method by their names, and how the path of its file ends where a framework says: `UsersController#show`. */
  | { named: string; member: string; file?: string };

export interface ParsedRoute {
  /** `GET`, `ANY`, … */
  method: string;
  /** As the framework has it, joined with what is around it in the file. */
  path: string;
  line: number;
  /** Undefined where the handler is written in place. */
  handler: Handler | undefined;
  /** The router that it was added to: its name in the file, '' where there is none. */
  router: string;
  /** True for what serves a route that another place declares: without that it is none. */
  isPart?: true;
}

/** A router, or the routes of another file, put below a path. */
export interface ParsedMount {
  prefix: string;
  /** Name and place of the router. */
  name: string;
  line: number;
  column: number;
  /** The module, where a text names it: `shop.urls`. */
  module?: string;
  /** The router that it is put on, by its name in the file. */
  on?: string;
  /** Version in the path of all controllers that name none; '' for none. Absent: versions are in no path. */
  version?: string;
}

/** Stands for the router of controllers that a framework finds itself; a version of their own may follow. */
export const CONTROLLER = '@Controller';

/** A request that code makes to a service. */
export interface ClientRequest {
  /** `ANY` when the code states none. */
  method: string;
  /** From the first slash behind the host on, with `:param` for what is inserted. */
  path: string;
  line: number;
}

export interface ParsedRoutes {
  routes: ParsedRoute[];
  mounts: ParsedMount[];
  /** Fields of GraphQL, `/Launch/mission`, with the types that they give, apart from lists and marks. */
  fields?: { path: string; gives: string }[];
}

/** A field of a type of GraphQL: what it gives, where that is stated, and what serves it, where a function does. */
export interface GraphqlField extends Pick<ParsedRoute, 'line' | 'isPart'> {
  type: string;
  name: string;
  gives?: string | undefined;
  handler: Handler | undefined;
}

export const HTTP_METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** One path below another: `/api` and `users/` are `/api/users`. */
export function joinPaths(...parts: readonly string[]): string {
  const joined = parts.map((part) => part.replaceAll(/^\/+|\/+$/g, '')).filter((part) => part !== '');
  return `/${joined.join('/')}`;
}

/** The method of a name, `get` or `Post` or `del`; undefined for no method. */
export function methodNamed(name: string): string | undefined {
  const upper = name.toUpperCase();
  if (HTTP_METHODS.includes(upper)) return upper;
  if (upper === 'DEL') return 'DELETE';
  return upper === 'ALL' || upper === 'ANY' ? 'ANY' : undefined;
}

/** True if a text may be the path of a route: a browser's path, or nothing. */
export function isRoutePath(text: string | undefined): text is string {
  return text !== undefined && text.length < 300 && /^(?:\/|\*|$)/.test(text) && !/\s/.test(text);
}

/** The name that a call is assigned to: `const users = express.Router()`, `v1 := r.Group("/v1")`; undefined for none. */
export function assignedTo(tokens: readonly Token[], call: Pick<Call, 'at'>): string | undefined {
  for (let at = call.at - 1; at > 0 && at > call.at - 8; at -= 1) {
    const token = tokens[at];
    if (token?.kind !== 'sign') continue;
    if (token.value === '=') {
      // `users: Router = …` and `v1 := …`
      for (let name = at - 1; name >= 0 && name > at - 6; name -= 1) {
        const before = tokens[name];
        if (before?.kind === 'word' && tokens[name - 1]?.value !== ':') return before.value;
      }
      return undefined;
    }
    if (token.value === ';' || token.value === '}' || token.value === '(') return undefined;
  }
  return undefined;
}

/** A path that a constant gives, by its name: `{routes.users}`. */
export function constantPath(argument: Call['args'][number] | undefined): string {
  const tokens = argument?.tokens ?? [];
  const isName = tokens.length > 0 && tokens.every(({ kind, value }) => kind === 'word' || value === '.');
  return isName ? `{${tokens.map(({ value }) => value).join('')}}` : '';
}

/** A handler by the name that an argument ends with. */
export function handlerOf(argument: Call['args'][number] | undefined): Handler | undefined {
  const name = argument?.name;
  return name === undefined ? undefined : { name: name.value, line: name.line, column: name.column };
}

/** The argument of this label, of an object that is handed over as well. */
export function findLabelled(call: Pick<Call, 'args'>, label: string): Call['args'][number] | undefined {
  return call.args.find((arg) => arg.label === label);
}

/** The text behind a key in tokens: `{ prefix: '/api' }`. */
export function textOfKey(tokens: readonly Token[], key: string): string | undefined {
  const at = tokens.findIndex(
    ({ value }, index) => value === key && [':', '='].includes(tokens[index + 1]?.value ?? ''),
  );
  const value = tokens[at + 2];
  return at !== -1 && value?.kind === 'text' ? value.value : undefined;
}

/** Paths that hold what is written inside some calls: `group('/api', () => { … })`. */
export class Scopes {
  readonly #scopes: { from: number; to: number; prefix: string }[] = [];

  add(call: Pick<Call, 'at' | 'end'>, prefix: string): void {
    this.#scopes.push({ from: call.at, to: call.end, prefix });
  }

  /** The path around a place, outermost first. */
  at(place: number): string {
    return joinPaths(
      ...this.#scopes
        .filter(({ from, to }) => from < place && place < to)
        .toSorted((a, b) => a.from - b.from)
        .map(({ prefix }) => prefix),
    );
  }
}
