import { assignedTo, findLabelled, type GraphqlField, type RouteSource, textOfKey } from './parsed-routes.ts';
import type { Call } from './calls.ts';
import type { Token } from '../../languages/languages.ts';

/** Marks above the functions that serve a field of a type that requests begin with. */
const MARKS: Readonly<Record<string, string>> = {
  Query: 'Query',
  Mutation: 'Mutation',
  Subscription: 'Subscription',
  QueryMapping: 'Query',
  MutationMapping: 'Mutation',
  SubscriptionMapping: 'Subscription',
};
/** Marks above the functions that serve a field of another type, and above the fields of one. */
const FIELD_MARKS: ReadonlySet<string> = new Set([
  'FieldResolver',
  'ResolveField',
  'SchemaMapping',
  'BatchMapping',
  'Field',
]);
/** Classes that a list of parents is handed over in. */
const COLLECTIONS: ReadonlySet<string> = new Set(['List', 'Set', 'Collection', 'Map']);

/** `@Query(() => [Launch]) launches()`, `@SchemaMapping Site site(Launch launch)`, and `@query.field("launches")` of Python. */
export function markedFields({ tokens, calls, language }: RouteSource): GraphqlField[] {
  const objects = language === 'Python' ? objectNames(tokens, calls) : new Map<string, string>();
  let owner: string | undefined;
  return calls.flatMap((call): GraphqlField[] => {
    const { name, isMark, args, line, end, receiver } = call;
    if (!isMark) return [];
    const handler = { definedFrom: tokens[end]?.line ?? line };
    const [first] = args;
    if (name === 'field') {
      const type = objects.get(receiver);
      return first?.text === undefined || type === undefined ? [] : [{ type, name: first.text, line, handler }];
    }
    if (/^(?:Resolver|(?:Object|Interface|Input|Args)Type)$/.test(name)) owner = ownerOf(tokens, call);
    if (MARKS[name] === undefined && !FIELD_MARKS.has(name)) return [];
    const below = memberBelow(tokens, end);
    const parent = name === 'Field' ? undefined : parentBelow(tokens, below);
    const type = MARKS[name] ?? findLabelled(call, 'typeName')?.text ?? owner ?? parent;
    const unlabelled = args.find(({ label }) => label !== 'typeName')?.text;
    const stated = unlabelled ?? args.map((argument) => textOfKey(argument.tokens, 'name')).find(Boolean);
    const field = stated ?? tokens[below]?.value;
    if (type === undefined || field === undefined) return [];
    const isData = name === 'Field' && tokens[below + 1]?.value !== '(';
    return [{ type, name: field, line, gives: typeIn(args), handler: isData ? undefined : handler }];
  });
}

/** Variables of ariadne by the type that they are made for: `launch = ObjectType("Launch")`. */
function objectNames(tokens: readonly Token[], calls: readonly Call[]): Map<string, string> {
  const made = calls.flatMap((call): [string, string][] => {
    const [variable, type] = call.name === 'ObjectType' ? [assignedTo(tokens, call), call.args[0]?.text] : [];
    return variable !== undefined && type !== undefined ? [[variable, type]] : [];
  });
  return new Map([['query', 'Query'], ['mutation', 'Mutation'], ['subscription', 'Subscription'], ...made]);
}

/** The type whose fields a class has: `@Resolver(() => Launch)`, `@ObjectType() class Launch`. Those of an input are none. */
function ownerOf(tokens: readonly Token[], { name, args, end }: Call): string | undefined {
  if (name === 'Resolver') return args[0]?.text ?? typeIn(args);
  if (name !== 'ObjectType') return undefined;
  const behind = tokens.slice(end, end + 40);
  const at = behind.findIndex(({ kind, value }) => kind === 'word' && value === 'class');
  return args[0]?.text ?? (at === -1 ? undefined : behind[at + 1]?.value);
}

/** The type that an argument gives: `() => [Launch]`, `of => Launch`, `Launch`. */
function typeIn(args: Call['args']): string | undefined {
  const given = args.filter(({ tokens }) => tokens[0]?.value !== '{').flatMap(({ tokens }) => tokens);
  return given.findLast(({ kind, value }) => kind === 'word' && /^[A-Z]/.test(value))?.value;
}

/** The place of the name of the function or field that follows a mark. */
function memberBelow(tokens: readonly Token[], end: number): number {
  for (let at = end + 1; at < end + 20; at += 1)
    if (
      tokens[at]?.kind === 'word' &&
      ['(', ':', '?', '!'].includes(tokens[at + 1]?.value ?? '') &&
      tokens[at - 1]?.value !== '@'
    )
      return at;
  return tokens.length;
}

/** The type of the first parameter of a function: `site(Launch launch)`, `site(@Root() launch: Launch)`. */
function parentBelow(tokens: readonly Token[], below: number): string | undefined {
  for (let [at, depth] = [below + 1, 0]; at < below + 20; at += 1) {
    const { kind, value = '' } = tokens[at] ?? {};
    if (value === '(') depth += 1;
    else if (value === ')' && --depth === 0) return undefined;
    if (kind === 'word' && /^[A-Z]/.test(value) && tokens[at - 1]?.value !== '@' && !COLLECTIONS.has(value))
      return value;
  }
  return undefined;
}
