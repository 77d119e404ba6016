import type { GraphqlField, Handler, RouteSource } from './parsed-routes.ts';
import type { Token } from '../../languages/languages.ts';

/** A class that has fields of a root type, `Query`, or a part of one, `BooksQuery`. */
const ROOT_CLASS = /(Query|Mutation|Subscription)$/;
/** Names of packages above a function that serves a field. */
const MARKERS: ReadonlySet<string> = new Set(['strawberry', 'strawberry_django']);

/** The place of a class in the tokens: its first token behind the colon, and the one behind its last. */
interface ClassBody {
  type: string;
  isRoot: boolean;
  from: number;
  end: number;
}

/**
 * Fields that strawberry and graphene make of classes: functions below a mark, and names that a call is assigned to; below the root types
 * those that a function serves. What annotations say that fields give is read of strawberry.
 */
export function pythonFields({ tokens, own }: Pick<RouteSource, 'tokens' | 'own'>): GraphqlField[] {
  if (!own.has('graphql')) return [];
  return typeClasses(tokens).flatMap(({ type, isRoot, from, end }) => {
    const fields: GraphqlField[] = [];
    const column = tokens[from]?.column ?? 0;
    let isMarked = false;
    let annotated: string | undefined;
    for (let at = from; at < end; at += 1) {
      const { kind, value = '', line = 1 } = tokens[at] ?? {};
      const next = tokens[at + 1];
      if (kind === 'word' && tokens[at]?.column === column) {
        annotated = next?.value === ':' ? annotatedType(tokens, at + 2, end) : undefined;
        // A field that the class has as data is no route.
        if (annotated !== undefined && !isRoot)
          fields.push({ type, name: camelCase(value), line, gives: annotated, handler: undefined });
      }
      if (value === '@' && MARKERS.has(next?.value ?? '')) isMarked = true;
      else if (kind === 'word' && value === 'def' && next !== undefined) {
        const gives = annotatedType(tokens, returnAnnotation(tokens, at, end), end);
        if (isMarked) fields.push({ type, name: camelCase(next.value), line, gives, handler: { definedFrom: line } });
        isMarked = false;
      } else if (value === '=' && tokens[at - 1]?.line === line && opensCall(tokens, at + 1)) {
        const name = assignedName(tokens, at, column);
        const handler = name === undefined ? undefined : resolverOf(tokens, { name, at, from, end });
        // `mutate` of a class is a field of a root type.
        if (name !== undefined && (isRoot || (handler !== undefined && !('named' in handler))))
          fields.push({ type, name: camelCase(name), line, gives: annotated, handler });
      }
    }
    return fields;
  });
}

/** The place of what a function says that it gives: behind the arrow of `-> list[Book]:`. */
function returnAnnotation(tokens: readonly Token[], def: number, end: number): number {
  for (let at = def + 1; at < end && tokens[at]?.value !== 'def'; at += 1)
    if (tokens[at]?.value === '>' && tokens[at - 1]?.value === '-') return at + 1;
  return end;
}

/** The type that an annotation names: `list[Book]`, `Optional["Book"]`. */
function annotatedType(tokens: readonly Token[], from: number, end: number): string | undefined {
  const { line } = tokens[from] ?? {};
  let type: string | undefined;
  for (let at = from; at < end && tokens[at]?.line === line && !':='.includes(tokens[at]?.value ?? ''); at += 1) {
    const { kind, value = '' } = tokens[at] ?? {};
    if (kind !== 'sign' && /^[A-Z]\w*$/.test(value) && value !== 'None') type = value;
  }
  return type;
}

/** Classes of types: those that are named as the root types, that a mark makes one, or that are an `ObjectType`. */
function typeClasses(tokens: readonly Token[]): ClassBody[] {
  return tokens.flatMap(({ kind, value, column, line }, at) => {
    if (kind !== 'word' || value !== 'class') return [];
    const name = tokens[at + 1]?.value ?? '';
    const root = ROOT_CLASS.exec(name)?.[1];
    let from = at + 2;
    while (from < tokens.length && tokens[from]?.value !== ':') from += 1;
    const bases = tokens.slice(at + 2, from).map((token) => token.value);
    if (root === undefined && !bases.some((base) => base.endsWith('ObjectType')) && !isMarkedType(tokens, at))
      return [];
    // A base `graphene.Mutation` makes one field of a class, not a type with fields.
    if (bases.some((base) => base.endsWith('Mutation')) && !bases.includes('ObjectType') && root === 'Mutation')
      return [];
    const rest = tokens.findIndex((token, index) => index > from && token.line > line && token.column <= column);
    const end = rest === -1 ? tokens.length : rest;
    return [{ type: root ?? name, isRoot: root !== undefined, from: from + 1, end }];
  });
}

/** True below `@strawberry.type`. */
function isMarkedType(tokens: readonly Token[], at: number): boolean {
  for (let mark = at - 1; mark > at - 40 && tokens[mark]?.value !== 'class'; mark -= 1)
    if (tokens[mark]?.value === '@' && MARKERS.has(tokens[mark + 1]?.value ?? ''))
      return tokens[mark + 3]?.value === 'type';
  return false;
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
