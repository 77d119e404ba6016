import type { Call } from './calls.ts';
import { assignedTo, type GraphqlField, type Handler, type RouteSource } from './parsed-routes.ts';
import type { Token } from '../../languages/languages.ts';

/** Calls that add fields to a type that requests begin with: `queryField('post', …)`, `mutationType({ … })`. */
const ROOT_CALL = /^(query|mutation|subscription)(Type|Fields?)$/;
/** Calls that define a type with its fields, or add fields to one: `prismaObject('Post', { … })`. */
const TYPE_CALL =
  /^(?:(?:object|interface|prismaObject)(?:Type|Fields?)|(?:prisma|drizzle|loadable|simple)(?:Object|Node|Interface)|node)$/;
/** Calls that name a type whose fields come later: `objectRef<Post>('Post')`. */
const REFERENCE_CALL = /^\w*(?:object|interface|node)Ref$/i;

/** Fields of a schema that a builder of Pothos makes, where the repository has it. */
export function builtFields({ tokens, calls }: Pick<RouteSource, 'tokens' | 'calls'>): GraphqlField[] {
  const types = namedTypes(tokens, calls);
  return calls.flatMap((call): GraphqlField[] => {
    if (call.receiver === '' || call.isMark) return [];
    const type = typeOf(tokens, call, types);
    if (type === undefined) return [];
    if (call.name.endsWith('Field')) {
      const name = call.args[ROOT_CALL.test(call.name) ? 0 : 1]?.text;
      const from = call.at + 1;
      return name === undefined ? [] : [{ type, name, line: call.line, ...givenBy(tokens, from, call.end, types) }];
    }
    const open = fieldsBody(tokens, call);
    return open === undefined ? [] : entriesOf(tokens, open, call.end, { type, types });
  });
}

/** Variables by the type that they are made for: `const PostRef = builder.objectRef<Post>('Post')`. */
function namedTypes(tokens: readonly Token[], calls: readonly Call[]): ReadonlyMap<string, string> {
  return new Map(
    calls.flatMap((call): [string, string][] => {
      if (!TYPE_CALL.test(call.name) && !REFERENCE_CALL.test(call.name)) return [];
      const [variable, type] = [assignedTo(tokens, call), call.args[0]?.text];
      return variable === undefined || type === undefined ? [] : [[variable, type]];
    }),
  );
}

/** The type that a call gives fields. */
function typeOf(tokens: readonly Token[], call: Call, types: ReadonlyMap<string, string>): string | undefined {
  const root = ROOT_CALL.exec(call.name)?.[1];
  if (root !== undefined) return `${root.charAt(0).toUpperCase()}${root.slice(1)}`;
  if (call.name === 'implement') {
    // `builder.objectRef<Post>('Post').implement({ … })`
    const [text, closing] = [tokens[call.at - 3], tokens[call.at - 2]];
    return closing?.value === ')' && text?.kind === 'text' ? text.value : types.get(call.receiver);
  }
  if (!TYPE_CALL.test(call.name)) return undefined;
  const [first] = call.args;
  const stated = call.args.slice(1).map(({ tokens: given }) => statedName(given));
  return first?.text ?? stated.find(Boolean) ?? types.get(first?.name?.value ?? '') ?? first?.name?.value;
}

/** `name: 'Post'` directly in the options of a call. */
function statedName(options: readonly Token[]): string | undefined {
  const at = keyAt(options, { from: 0, end: options.length, key: 'name', deepest: 1 });
  return at !== undefined && options[at + 2]?.kind === 'text' ? options[at + 2]?.value : undefined;
}

/** The brace of the object that a function gives as fields: `fields: (t) => ({`, `(t) => { return {`. */
function fieldsBody(tokens: readonly Token[], { name, at, end }: Call): number | undefined {
  const from = name.endsWith('Fields') ? at : keyAt(tokens, { from: at + 1, end, key: 'fields', deepest: 2 });
  for (let place = from ?? end; place < end; place += 1) {
    if (tokens[place]?.value !== '{') continue;
    const [arrow, before] = [tokens[place - 2]?.value, tokens[place - 1]?.value];
    if (before === 'return' || (before === '(' && arrow === '>')) return place;
  }
  return undefined;
}

/** `title: t.exposeString('title'),` in the object of fields. */
function entriesOf(
  tokens: readonly Token[],
  open: number,
  last: number,
  { type, types }: { type: string; types: ReadonlyMap<string, string> },
): GraphqlField[] {
  const fields: GraphqlField[] = [];
  let depth = 0;
  for (let at = open; at < last; at += 1) {
    const { kind, value = '', line = 1 } = tokens[at] ?? {};
    if (kind === 'sign' && '([{'.includes(value)) depth += 1;
    else if (kind === 'sign' && ')]}'.includes(value) && --depth === 0) return fields;
    const isMade = tokens[at + 1]?.value === ':' && tokens[at + 3]?.value === '.';
    if (depth !== 1 || kind === 'sign' || !isMade) continue;
    const end = endOfEntry(tokens, at + 2, last);
    fields.push({ type, name: value, line, ...givenBy(tokens, at + 2, end, types) });
    at = end - 1;
  }
  return fields;
}

function endOfEntry(tokens: readonly Token[], from: number, last: number): number {
  let depth = 0;
  for (let at = from; at < last; at += 1) {
    const { kind, value = '' } = tokens[at] ?? {};
    if (kind !== 'sign') continue;
    if ('([{'.includes(value)) depth += 1;
    else if (')]}'.includes(value) && --depth < 0) return at;
    else if (value === ',' && depth === 0) return at;
  }
  return last;
}

/** What a field gives, `type: [Post]`, and what serves it where that has a name: `resolve: listPosts`. */
function givenBy(
  tokens: readonly Token[],
  from: number,
  end: number,
  types: ReadonlyMap<string, string>,
): { gives: string | undefined; handler: Handler | undefined } {
  const typeAt = keyAt(tokens, { from, end, key: 'type' });
  const typeToken = tokens[typeAt === undefined ? end : typeAt + (tokens[typeAt + 2]?.value === '[' ? 3 : 2)];
  const gives = typeToken === undefined || typeToken.kind === 'sign' ? undefined : typeToken.value;
  const resolveAt = keyAt(tokens, { from, end, key: 'resolve' });
  const [served, behind] = resolveAt === undefined ? [] : [tokens[resolveAt + 2], tokens[resolveAt + 3]];
  const isName = served?.kind === 'word' && [',', '}'].includes(behind?.value ?? '');
  return {
    gives: typeAt === undefined ? undefined : (types.get(gives ?? '') ?? gives),
    handler: isName ? { name: served.value, line: served.line, column: served.column } : undefined,
  };
}

/** The place of the least deep key of this name: arguments of a field have keys `type` of their own, deeper inside. */
function keyAt(
  tokens: readonly Token[],
  { from, end, key, deepest = Infinity }: { from: number; end: number; key: string; deepest?: number },
): number | undefined {
  let best: number | undefined;
  let bestDepth = deepest + 1;
  let depth = 0;
  for (let at = from; at < end; at += 1) {
    const { kind, value = '' } = tokens[at] ?? {};
    if (kind === 'sign' && '([{'.includes(value)) depth += 1;
    else if (kind === 'sign' && ')]}'.includes(value)) depth -= 1;
    else if (kind === 'word' && value === key && tokens[at + 1]?.value === ':' && depth < bestDepth)
      [best, bestDepth] = [at, depth];
  }
  return best;
}
