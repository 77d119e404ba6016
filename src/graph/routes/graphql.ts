import { type Call } from './calls.ts';
import { pythonFields } from './graphql-python.ts';
import {
  type ClientRequest,
  type Handler,
  type ParsedRoute,
  type ParsedRoutes,
  type RouteSource,
  textOfKey,
} from './parsed-routes.ts';
import { readTokens, type Token, tokenRules } from './tokens.ts';

/** Stands for a request method: `GRAPHQL /Query/launches` is the field `launches` of the type `Query`. */
const METHOD = 'GRAPHQL';
/** The types that a request begins with, by the keyword of an operation. */
const ROOTS: Readonly<Record<string, string>> = {
  query: 'Query',
  mutation: 'Mutation',
  subscription: 'Subscription',
};
const ROOT_TYPES: ReadonlySet<string> = new Set(Object.values(ROOTS));
/** Marks above the functions that serve a field. */
const MARKS: Readonly<Record<string, string>> = {
  Query: 'Query',
  Mutation: 'Mutation',
  Subscription: 'Subscription',
  QueryMapping: 'Query',
  MutationMapping: 'Mutation',
  SubscriptionMapping: 'Subscription',
};
/** Start of a text that is a schema or an operation. */
const DOCUMENT =
  /^(?:\s|#[^\n]*\n|"""[^"]*""")*(?:(?:extend\s+)?(?:type|schema|interface|input|enum|scalar|union|directive)\s|(?:query|mutation|subscription)\b[^{}]{0,400}\{|fragment\s+\w+\s+on\s)/;
/** Names of what a text of GraphQL is handed to, where an operation may lack its keyword. */
const TAGS: ReadonlySet<string> = new Set(['gql', 'graphql']);

/** Fields of the types that requests begin with, and those that operations ask for. */
interface GraphqlFields {
  served: { path: string; name: string; type: string; line: number }[];
  requested: { path: string; line: number }[];
}

/** Fields of GraphQL as routes: what schemas declare, and what resolvers serve by a map or below a mark. */
export function graphqlRoutes(source: RouteSource): ParsedRoutes {
  const { named, own, tokens, calls, language } = source;
  const declared = fieldsOf(source).served.map(({ path, name, type, line }): ParsedRoute => ({
    ...route(path, line),
    // As gqlgen names them for Go; where there is no such class nothing is linked.
    handler: { named: `${type.charAt(0).toLowerCase()}${type.slice(1)}Resolver`, member: capitalized(name) },
  }));
  const isServer = language !== 'GraphQL' && (own.has('graphql') || named.has('graphql'));
  const marked = own.has('graphql') ? calls.flatMap((call) => markedField(tokens, call)) : [];
  const coded = language === 'Python' ? pythonFields(source) : [];
  const inCode = coded.map(({ type, name, line, handler }): ParsedRoute => ({
    ...route(`/${type}/${name}`, line),
    handler,
  }));
  return { routes: [...declared, ...(isServer ? [...resolverMaps(tokens), ...marked] : []), ...inCode], mounts: [] };
}

/** Requests for fields: `query { launches { id } }` in a file of GraphQL or in a text. Fields that the client keeps are none. */
export function graphqlRequests(source: Pick<RouteSource, 'tokens' | 'language'>): ClientRequest[] {
  return fieldsOf(source).requested.map(({ path, line }) => ({ method: METHOD, path, line }));
}

function route(path: string, line: number): Omit<ParsedRoute, 'handler'> {
  return { method: METHOD, path, line, router: '' };
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function fieldsOf({ tokens, language }: Pick<RouteSource, 'tokens' | 'language'>): GraphqlFields {
  const fields: GraphqlFields = { served: [], requested: [] };
  if (language === 'GraphQL') readDocument(tokens, { isTagged: true, above: 0 }, fields);
  const rules = tokenRules('GraphQL');
  if (language === 'GraphQL' || rules === undefined) return fields;
  for (const [at, { kind, value, line }] of tokens.entries()) {
    if (kind !== 'text' || !value.includes('{')) continue;
    const before = tokens[at - 1]?.value === '(' ? tokens[at - 2] : tokens[at - 1];
    const isTagged = TAGS.has(before?.value ?? '');
    if (!isTagged && !DOCUMENT.test(value)) continue;
    // What is inserted are fragments, and names in selections.
    readDocument(readTokens(value.replaceAll(':param', ' '), rules), { isTagged, above: line - 1 }, fields);
  }
  return fields;
}

function readDocument(
  tokens: readonly Token[],
  { isTagged, above }: { isTagged: boolean; above: number },
  fields: GraphqlFields,
): void {
  for (let at = 0; at < tokens.length; at += 1) {
    const { value = '', kind } = tokens[at] ?? {};
    const open = openingFrom(tokens, at);
    const root = ROOTS[value];
    const [next, then, last] = [1, 2, 3].map((step) => tokens[at + step]?.value ?? '');
    if (kind === 'word' && value === 'type' && ROOT_TYPES.has(next ?? ''))
      fields.served.push(...declaredFields(tokens, open, next ?? '').map((field) => lower(field, above)));
    else if (kind === 'word' && root !== undefined)
      fields.requested.push(...selectedFields(tokens, open, root).map((field) => lower(field, above)));
    else if (value === 'fragment' && then === 'on' && ROOT_TYPES.has(last ?? ''))
      fields.requested.push(...selectedFields(tokens, open, last ?? '').map((field) => lower(field, above)));
    else if (value === '{' && isTagged)
      fields.requested.push(...selectedFields(tokens, at, 'Query').map((field) => lower(field, above)));
    // A definition without a body is followed by another one.
    else if (kind !== 'word' || !/^(?:type|interface|input|enum|fragment|schema|extend)$/.test(value)) continue;
    at = value === 'extend' ? at : closingOf(tokens, open);
  }
}

function lower<Field extends { line: number }>(field: Field, above: number): Field {
  return { ...field, line: field.line + above };
}

/** The first brace from a place on that is in no parentheses. */
function openingFrom(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    const { kind, value } = tokens[at] ?? {};
    if (kind !== 'sign') continue;
    if (value === '(') depth += 1;
    else if (value === ')') depth -= 1;
    else if (value === '{' && depth === 0) return at;
  }
  return tokens.length;
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')' };

/** Where what opens at a place closes. */
function closingOf(tokens: readonly Token[], open: number): number {
  const opening = tokens[open]?.value ?? '';
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    const { kind, value } = tokens[at] ?? {};
    if (kind !== 'sign') continue;
    if (value === opening) depth += 1;
    else if (value === CLOSING[opening] && --depth === 0) return at;
  }
  return tokens.length;
}

/** `launch(id: ID!): Launch` in the body of a type. */
function declaredFields(tokens: readonly Token[], open: number, type: string): GraphqlFields['served'] {
  const fields: GraphqlFields['served'] = [];
  const end = closingOf(tokens, open);
  for (let at = open + 1; at < end; at += 1) {
    const { kind, value = '', line = 1 } = tokens[at] ?? {};
    const next = tokens[at + 1]?.value ?? '';
    if (kind === 'word' && value.startsWith('@') && next === '(') at = closingOf(tokens, at + 1);
    if (kind !== 'word' || value.startsWith('@') || !['(', ':'].includes(next)) continue;
    fields.push({ path: `/${type}/${value}`, name: value, type, line });
    const behind = next === '(' ? closingOf(tokens, at + 1) + 1 : at + 1;
    // Its type, `[Launch!]!`, has no colon behind it.
    at = behind;
  }
  return fields;
}

/** `alias: launch(id: 1) @include(if: $x) { … }` in the body of an operation. */
function selectedFields(tokens: readonly Token[], open: number, type: string): GraphqlFields['requested'] {
  const fields: GraphqlFields['requested'] = [];
  const end = closingOf(tokens, open);
  for (let at = open + 1; at < end; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'word' || tokens[at + 1]?.value === ':') continue;
    const isFragment = tokens[at - 1]?.value === '.';
    let [behind, isLocal] = [at + 1, false];
    while (behind < end) {
      const { kind, value = '' } = tokens[behind] ?? {};
      if (kind === 'sign' && value === '(') behind = closingOf(tokens, behind);
      else if (value === '@client') isLocal = true;
      else if (!value.startsWith('@') && !(isFragment && kind === 'word' && token.value === 'on')) break;
      behind += 1;
    }
    // `... on Query { me }` has fields of the same type, `{ id }` behind a field others.
    const isBody = tokens[behind]?.value === '{';
    if (!isFragment && !isLocal) fields.push({ path: `/${type}/${token.value}`, line: token.line });
    if (isBody && isFragment) fields.push(...selectedFields(tokens, behind, type));
    at = isBody ? closingOf(tokens, behind) : behind - 1;
  }
  return fields;
}

/** `Query: { launches: …, launch(_, { id }) { … }, me }`, also as a value of its own: `const Query = { … }`. */
function resolverMaps(tokens: readonly Token[]): ParsedRoute[] {
  const routes: ParsedRoute[] = [];
  for (const [at, { kind, value }] of tokens.entries()) {
    if (kind === 'sign' || !ROOT_TYPES.has(value)) continue;
    const opens = resolverBody(tokens, at);
    if (opens === undefined) continue;
    const end = closingOf(tokens, opens);
    for (let key = opens + 1; key < end; key += 1) {
      const token = tokens[key];
      const next = tokens[key + 1]?.value ?? '';
      if (token?.kind !== 'word' || ![':', '(', ',', '}'].includes(next)) continue;
      routes.push({ ...route(`/${value}/${token.value}`, token.line), handler: resolverOf(tokens, key), isPart: true });
      key = endOfEntry(tokens, key, end);
    }
  }
  return routes;
}

function resolverBody(tokens: readonly Token[], at: number): number | undefined {
  if (tokens[at + 1]?.value === ':' && tokens[at + 2]?.value === '{') return at + 2;
  // `const Query: QueryResolvers = {`
  for (let place = at + 1; place < at + 8; place += 1)
    if (tokens[place]?.value === '=') return tokens[place + 1]?.value === '{' ? place + 1 : undefined;
  return undefined;
}

/** What serves a key: a name behind it, the key as a name (`{ me }`), or the function that is written here under it. */
function resolverOf(tokens: readonly Token[], key: number): Handler | undefined {
  const named = tokens[key + 1]?.value === ':' ? key + 2 : key;
  const { kind, value: name = '', line = 1, column = 1 } = tokens[named] ?? {};
  if (kind === 'word' && [',', '}'].includes(tokens[named + 1]?.value ?? '')) return { name, line, column };
  return { definedFrom: tokens[key]?.line ?? 1, name: tokens[key]?.value ?? '' };
}

/** The comma behind an entry of an object. */
function endOfEntry(tokens: readonly Token[], from: number, end: number): number {
  let depth = 0;
  for (let at = from; at < end; at += 1) {
    const { kind, value = '' } = tokens[at] ?? {};
    if (kind !== 'sign') continue;
    if ('([{'.includes(value)) depth += 1;
    else if (')]}'.includes(value)) depth -= 1;
    else if (value === ',' && depth === 0) return at;
  }
  return end;
}

/** `@Query(() => [Launch]) launches()`, `@QueryMapping public Launch launch(…)`, and `@query.field("launches")` of Python. */
function markedField(tokens: readonly Token[], call: Call): ParsedRoute[] {
  const { name, isMark, args, line, end, receiver } = call;
  if (!isMark) return [];
  const below = tokens[end]?.line ?? line;
  const [first] = args;
  if (name === 'field' && first?.text !== undefined && ROOTS[receiver] !== undefined)
    return [{ ...route(`/${ROOTS[receiver]}/${first.text}`, line), handler: { definedFrom: below } }];
  const type = MARKS[name];
  if (type === undefined) return [];
  const stated = first?.text ?? args.map((argument) => textOfKey(argument.tokens, 'name')).find(Boolean);
  const field = stated ?? functionBelow(tokens, end);
  return field === undefined ? [] : [{ ...route(`/${type}/${field}`, line), handler: { definedFrom: below } }];
}

/** The name of the function that follows a mark. */
function functionBelow(tokens: readonly Token[], end: number): string | undefined {
  for (let at = end + 1; at < end + 20; at += 1)
    if (tokens[at]?.kind === 'word' && tokens[at + 1]?.value === '(' && tokens[at - 1]?.value !== '@')
      return tokens[at]?.value;
  return undefined;
}
