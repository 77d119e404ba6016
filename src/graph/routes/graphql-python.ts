import type { Handler, RouteSource } from './parsed-routes.ts';
import type { Token } from './tokens.ts';

/** A class that has fields of a root type, `Query`, or a part of one, `BooksQuery`. */
const ROOT_CLASS = /(Query|Mutation|Subscription)$/;
/** Names of packages above a function that serves a field. */
const MARKERS: ReadonlySet<string> = new Set(['strawberry', 'strawberry_django']);

/** The place of a class in the tokens: its first token behind the colon, and the one behind its last. */
interface ClassBody {
  root: string;
  from: number;
  end: number;
}

/** A field of a root type that code declares, with the type, its name in requests and what serves it. */
interface CodeField {
  type: string;
  name: string;
  line: number;
  handler: Handler | undefined;
}

/** Fields that strawberry and graphene make of classes: functions below a mark, and names that a call is assigned to. */
export function pythonFields({ tokens, own }: Pick<RouteSource, 'tokens' | 'own'>): CodeField[] {
  if (!own.has('graphql')) return [];
  return rootClasses(tokens).flatMap(({ root, from, end }) => {
    const fields: CodeField[] = [];
    let isMarked = false;
    for (let at = from; at < end; at += 1) {
      const { kind, value = '', line = 1 } = tokens[at] ?? {};
      const next = tokens[at + 1];
      if (value === '@' && MARKERS.has(next?.value ?? '')) isMarked = true;
      else if (kind === 'word' && value === 'def' && next !== undefined) {
        if (isMarked) fields.push({ type: root, name: camelCase(next.value), line, handler: { definedFrom: line } });
        isMarked = false;
      } else if (value === '=' && tokens[at - 1]?.line === line && opensCall(tokens, at + 1)) {
        const name = assignedName(tokens, at, tokens[from]?.column ?? 0);
        if (name === undefined) continue;
        fields.push({ type: root, name: camelCase(name), line, handler: resolverOf(tokens, { name, at, from, end }) });
      }
    }
    return fields;
  });
}

/** Classes by their name; a base `graphene.Mutation` makes one field of a class, not a type with fields. */
function rootClasses(tokens: readonly Token[]): ClassBody[] {
  return tokens.flatMap(({ kind, value, column, line }, at) => {
    const root = kind === 'word' && value === 'class' ? ROOT_CLASS.exec(tokens[at + 1]?.value ?? '')?.[1] : undefined;
    if (root === undefined) return [];
    let from = at + 2;
    while (from < tokens.length && tokens[from]?.value !== ':') from += 1;
    const bases = tokens.slice(at + 2, from).map((token) => token.value);
    if (bases.some((base) => base.endsWith('Mutation')) && !bases.includes('ObjectType') && root === 'Mutation')
      return [];
    const rest = tokens.findIndex((token, index) => index > from && token.line > line && token.column <= column);
    return [{ root, from: from + 1, end: rest === -1 ? tokens.length : rest }];
  });
}

/** True where a call begins: `graphene.List(`, `Field(`. */
function opensCall(tokens: readonly Token[], from: number): boolean {
  let at = from;
  while (tokens[at]?.kind === 'word' && tokens[at + 1]?.value === '.') at += 2;
  return tokens[at]?.kind === 'word' && tokens[at + 1]?.value === '(';
}

/** The name at the start of the line, where the body of the class is: `books` of `books: list[Book] = …`. */
function assignedName(tokens: readonly Token[], at: number, column: number): string | undefined {
  const { line } = tokens[at] ?? {};
  let first = at;
  while (tokens[first - 1]?.line === line && tokens[first - 1]?.value !== '=') first -= 1;
  const token = tokens[first];
  const isName = tokens[first + 1]?.value === '=' || tokens[first + 1]?.value === ':';
  return isName && token?.kind === 'word' && token.column === column ? token.value : undefined;
}

/** What `resolver=` names, `resolve_books` in the class, or the `mutate` of a class whose field it is. */
function resolverOf(
  tokens: readonly Token[],
  { name, at, from, end }: { name: string; at: number; from: number; end: number },
): Handler | undefined {
  const { line } = tokens[at] ?? {};
  for (let place = at; tokens[place]?.line === line && place < end; place += 1) {
    const given = tokens[place + 2];
    if (tokens[place]?.value === 'resolver' && tokens[place + 1]?.value === '=' && given?.kind === 'word')
      return { name: given.value, line: given.line, column: given.column };
  }
  for (let place = from; place < end; place += 1)
    if (tokens[place]?.value === 'def' && tokens[place + 1]?.value === `resolve_${name}`)
      return { definedFrom: tokens[place]?.line ?? 1 };
  const [named = '', ...behind] = [1, 2, 3].map((step) => tokens[at + step]?.value ?? '');
  return /^[A-Z]/.test(named) && behind.join('') === '.Field' ? { named, member: 'mutate' } : undefined;
}

/** The name that both libraries give a field: `allBooks` for `all_books`. */
function camelCase(name: string): string {
  return name.replaceAll(/(?<=[^_])_+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}
