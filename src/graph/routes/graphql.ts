import { builtFields } from './graphql-builder.ts';
import { pythonFields } from './graphql-python.ts';
import { markedFields } from './graphql-marks.ts';
import {
  type ClientRequest,
  type GraphqlField,
  type Handler,
  type ParsedRoutes,
  type RouteSource,
} from './parsed-routes.ts';
import { readTokens, type Token } from '../../languages/languages.ts';

/** Stands for a request method: `GRAPHQL /Query/launches` is the field `launches` of the type `Query`. */
const METHOD = 'GRAPHQL';
/** The types that a request begins with, by the keyword of an operation. */
const ROOTS: Readonly<Record<string, string>> = {
  query: 'Query',
  mutation: 'Mutation',
  subscription: 'Subscription',
};
const ROOT_TYPES: ReadonlySet<string> = new Set(Object.values(ROOTS));
/** Start of a text that is a schema or an operation. */
const DOCUMENT =
  /^(?:\s|#[^\n]*\n|"""[^"]*""")*(?:(?:extend\s+)?(?:type|schema|interface|input|enum|scalar|union|directive)\s|(?:query|mutation|subscription)\b[^{}]{0,400}\{|fragment\s+\w+\s+on\s)/;
/** Words that definitions begin with. */
const DEFINES =
  /^(?:extend|schema|type|interface|input|enum|scalar|union|directive|query|mutation|subscription|fragment)$/;
/** Names of what a text of GraphQL is handed to, where an operation may lack its keyword. */
const TAGS: ReadonlySet<string> = new Set(['gql', 'graphql']);

/** Levels of a selection, and of objects, that are read, and most characters of the path of a field. */
const MOST_LEVELS = 16;
const LONGEST_PATH = 300;

/** Fields that types declare, and those that operations select. */
interface DocumentFields {
  declared: GraphqlField[];
  requested: { path: string; line: number }[];
}

/**
 * Fields of GraphQL as routes: what schemas declare of the types that requests begin with, and what a function of its own serves by a
 * resolver map, below a mark or as a method. The types that fields give are `fields`.
 */
export function graphqlRoutes(source: RouteSource): ParsedRoutes {
  const { named, own, tokens, language } = source;
  const isServer = language !== 'GraphQL' && (own.has('graphql') || named.has('graphql'));
  const all: GraphqlField[] = [
    ...fieldsOf(source).declared,
    ...(isServer ? resolverMaps(tokens) : []),
    ...(own.has('graphql') ? markedFields(source) : []),
    ...(language === 'Python' ? pythonFields(source) : []),
    ...(language === 'Go' ? goResolvers(tokens) : []),
    ...(named.has('pothos') ? builtFields(source) : []),
  ];
  return {
    routes: all.flatMap(({ type, name, line, handler, isPart }) =>
      ROOT_TYPES.has(type) || handler !== undefined
        ? [{ method: METHOD, path: `/${type}/${name}`, line, router: '', handler, ...(isPart && { isPart }) }]
        : [],
    ),
    mounts: [],
    fields: all.flatMap(({ type, name, gives }) => (gives === undefined ? [] : [{ path: `/${type}/${name}`, gives }])),
  };
}

/**
 * Requests for fields: `query { launches { site } }` in a file of GraphQL or in a text, `/Query/launches` and `/Query/launches/site`, whose
 * type only the schema says. Fields that the client keeps are none.
 */
export function graphqlRequests(source: Pick<RouteSource, 'tokens' | 'language'>): ClientRequest[] {
  return fieldsOf(source).requested.map(({ path, line }) => ({ method: METHOD, path, line }));
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function fieldsOf({ tokens, language }: Pick<RouteSource, 'tokens' | 'language'>): DocumentFields {
  const fields: DocumentFields = { declared: [], requested: [] };
  if (language === 'GraphQL') readDocument(tokens, { isTagged: true, above: 0 }, fields);
  if (language === 'GraphQL') return fields;
  for (const [at, { kind, value, line }] of tokens.entries()) {
    if (kind !== 'text' || !value.includes('{')) continue;
    const before = tokens[at - 1]?.value === '(' ? tokens[at - 2] : tokens[at - 1];
    const isTagged = TAGS.has(before?.value ?? '');
    if (!isTagged && !DOCUMENT.test(value)) continue;
    // What is inserted are fragments, and names in selections.
    readDocument(readTokens('GraphQL', value.replaceAll(':param', ' ')), { isTagged, above: line - 1 }, fields);
  }
  return fields;
}

function readDocument(
  tokens: readonly Token[],
  { isTagged, above }: { isTagged: boolean; above: number },
  fields: DocumentFields,
): void {
  for (let at = 0; at < tokens.length; at += 1) {
    const { value = '', kind } = tokens[at] ?? {};
    const isSelection = isTagged && kind === 'sign' && value === '{';
    if (!isSelection && (kind !== 'word' || value === 'extend' || !DEFINES.test(value))) continue;
    const open = headerEnd(tokens, at);
    const hasBody = tokens[open]?.value === '{';
    const [next = '', then, last] = [1, 2, 3].map((step) => tokens[at + step]?.value ?? '');
    const ofFragment = value === 'fragment' && then === 'on' ? last : undefined;
    const selected = isSelection ? 'Query' : (ROOTS[value] ?? ofFragment);
    if (hasBody && (value === 'type' || value === 'interface'))
      fields.declared.push(...declaredFields(tokens, open, next).map((field) => lower(field, above)));
    else if (hasBody && selected !== undefined)
      fields.requested.push(...selectedFields(tokens, open, `/${selected}`).map((field) => lower(field, above)));
    at = hasBody ? closingOf(tokens, open) : open - 1;
  }
}

function lower<Field extends { line: number }>(field: Field, above: number): Field {
  return { ...field, line: field.line + above };
}

/** The brace that the definition at a place opens, in no parentheses; of one without a body, as `extend schema @link(…)`, what follows it. */
function headerEnd(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    const { kind, value = '' } = tokens[at] ?? {};
    if (kind === 'sign' && value === '(') depth += 1;
    else if (kind === 'sign' && value === ')') depth -= 1;
    else if (depth > 0) continue;
    else if (kind === 'sign' && value === '{') return at;
    else if (at > from + 1 && (kind === 'text' || (kind === 'word' && DEFINES.test(value)))) return at;
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
function declaredFields(tokens: readonly Token[], open: number, type: string): GraphqlField[] {
  const fields: GraphqlField[] = [];
  const end = closingOf(tokens, open);
  for (let at = open + 1; at < end; at += 1) {
    const { kind, value = '', line = 1 } = tokens[at] ?? {};
    const next = tokens[at + 1]?.value ?? '';
    if (kind === 'word' && value.startsWith('@') && next === '(') at = closingOf(tokens, at + 1);
    if (kind !== 'word' || value.startsWith('@') || !['(', ':'].includes(next)) continue;
    at = next === '(' ? closingOf(tokens, at + 1) + 1 : at + 1;
    // Its type, `[Launch!]!`, has no colon behind it.
    const gives = tokens.slice(at, at + 6).find((token) => token.kind === 'word')?.value;
    // As gqlgen names them for Go; where there is no such class nothing is linked.
    const named = `${type.charAt(0).toLowerCase()}${type.slice(1)}Resolver`;
    const handler = ROOT_TYPES.has(type) ? { named, member: capitalized(value) } : undefined;
    fields.push({ type, name: value, line, gives, handler });
  }
  return fields;
}

/** `alias: launch(id: 1) @include(if: $x) { … }` in the body of an operation: `above` is the type that it begins with, and the fields down to it. */
function selectedFields(tokens: readonly Token[], open: number, above: string, level = 0): DocumentFields['requested'] {
  const fields: DocumentFields['requested'] = [];
  const end = closingOf(tokens, open);
  for (let at = open + 1; at < end; at += 1) {
    const token = tokens[at];
    const isBare = token?.value === '{' || token?.value.startsWith('@') === true;
    const isFragment = tokens[at - 1]?.value === '.';
    if (token === undefined || (token.kind !== 'word' && !(isBare && isFragment)) || tokens[at + 1]?.value === ':')
      continue;
    let [behind, isLocal, type] = [isBare ? at : at + 1, false, ''];
    while (behind < end) {
      const { kind, value = '' } = tokens[behind] ?? {};
      if (kind === 'sign' && value === '(') behind = closingOf(tokens, behind);
      else if (value === '@client') isLocal = true;
      else if (isFragment && kind === 'word' && token.value === 'on' && type === '') type = value;
      else if (!value.startsWith('@')) break;
      behind += 1;
    }
    // `... on Launch { site }` has fields of the type that it names, `... @include(if: $x) { site }` those around it.
    const inner = type !== '' ? `/${type}` : isFragment ? above : `${above}/${token.value}`;
    const isBody = tokens[behind]?.value === '{';
    if (!isFragment && !isLocal && !token.value.startsWith('__')) fields.push({ path: inner, line: token.line });
    if (isBody && !isLocal && level < MOST_LEVELS && inner.length < LONGEST_PATH)
      fields.push(...selectedFields(tokens, behind, inner, level + 1));
    at = isBody ? closingOf(tokens, behind) : behind - 1;
  }
  return fields;
}

/** `Launch: { site: …, site(launch, { id }) { … }, site }`, also as a value of its own: `const Launch = { … }`. */
function resolverMaps(tokens: readonly Token[]): GraphqlField[] {
  const fields: GraphqlField[] = [];
  let depth = 0;
  for (const [at, { kind, value: type }] of tokens.entries()) {
    if (kind === 'sign' && type === '{') depth += 1;
    else if (kind === 'sign' && type === '}') depth = Math.max(0, depth - 1);
    if (kind === 'sign' || depth > MOST_LEVELS || !/^[A-Z]\w*$/.test(type)) continue;
    const isRoot = ROOT_TYPES.has(type);
    const opens = resolverBody(tokens, at);
    if (opens === undefined) continue;
    const end = closingOf(tokens, opens);
    for (let key = opens + 1; key < end; key += 1) {
      const { kind: kindOfKey, value: name = '', line = 1 } = tokens[key] ?? {};
      const next = tokens[key + 1]?.value ?? '';
      if (kindOfKey !== 'word' || ![':', '(', ',', '}'].includes(next)) continue;
      if (isRoot || next !== ':' || isCode(tokens[key + 2]))
        fields.push({ type, name, line, handler: resolverOf(tokens, key), isPart: true });
      key = endOfEntry(tokens, key, end);
    }
  }
  return fields;
}

/** True where a function or the name of one begins, and no text, number, list or object. */
function isCode(token: Token | undefined): boolean {
  const isName = token?.kind === 'word' && !/^(?:true|false|null|undefined|new)$/.test(token.value);
  return isName || (token?.kind === 'sign' && token.value === '(');
}

/** Methods as gqlgen has them: `func (r *launchResolver) Site(`. */
function goResolvers(tokens: readonly Token[]): GraphqlField[] {
  return tokens.flatMap(({ value, line }, at) => {
    const owner = /^([a-z]\w*)Resolver$/.exec(value)?.[1];
    const type = capitalized(owner ?? '');
    if (owner === undefined || ROOT_TYPES.has(type) || tokens[at - 1]?.value !== '*') return [];
    const [closing, method, opening] = [1, 2, 3].map((step) => tokens[at + step]?.value ?? '');
    if (closing !== ')' || opening !== '(' || method === undefined || !/^[A-Z]/.test(method)) return [];
    // `ID` is `id`, `URLOf` is `urlOf`.
    const name = method.replace(/^(?:[A-Z]+(?![a-z])|[A-Z])/, (first) => first.toLowerCase());
    return [{ type, name, line, handler: { definedFrom: line, name: method }, isPart: true as const }];
  });
}

function resolverBody(tokens: readonly Token[], at: number): number | undefined {
  if (tokens[at + 1]?.value === ':' && tokens[at + 2]?.value === '{') return at + 2;
  // Names of other types stand wherever one is stated: `const first: Launch = { … }` serves nothing.
  if (!ROOT_TYPES.has(tokens[at]?.value ?? '') && tokens[at - 1]?.value !== 'const') return undefined;
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
