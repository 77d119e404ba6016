import type { Token } from '../../languages/languages.ts';

/** Argument of a call: a text, a name such as `views.index`, or anything else; its tokens in any case. */
interface Argument {
  /** The value of a text that stands alone. */
  text: string | undefined;
  /** The last word of a name that stands alone, or that is handed something: `requireLogin(show)` is `show`. */
  name: Token | undefined;
  /** The name of a named argument: `methods=["GET"]`, `to: 'users#show'`, `{ prefix: '/api' }`. */
  label: string;
  tokens: readonly Token[];
}

/** `receiver.name(arguments)`, with or without parentheses where a language leaves them out; a decorator or attribute too. */
export interface Call {
  name: string;
  /** The word before the name, of `router.users.get` that is `users`; '' without one. */
  receiver: string;
  /** `@name(…)`, `#[name(…)]`. */
  isMark: boolean;
  line: number;
  /** Place of the name and of the closing parenthesis in the tokens. */
  at: number;
  end: number;
  args: Argument[];
}

/** All calls of a file, in order, those inside others after them. `isBare` also takes `name argument, …` at the start of a line. */
export function readCalls(tokens: readonly Token[], isBare: boolean): Call[] {
  const calls: Call[] = [];
  const closers = closingSigns(tokens);
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'word') continue;
    const open = openingOf(tokens, at);
    if (open !== undefined) calls.push(callAt(tokens, { at, open, end: closers.get(open) ?? tokens.length }));
    else if (isBare && startsLine(tokens, at) && takesArgument(tokens, at))
      calls.push(callAt(tokens, { at, open: at, end: endOfStatement(tokens, at) }));
    else if (isMarked(tokens, at)) calls.push(callAt(tokens, { at, open: at, end: at }));
  }
  return calls;
}

/** Returns the position at which the arguments open: behind the name, or behind its type arguments. */
function openingOf(tokens: readonly Token[], at: number): number | undefined {
  let next = at + 1;
  if (tokens[next]?.value === '<' && tokens[next]?.kind === 'sign') {
    const close = tokens.findIndex(
      (sign, index) => index > next && index < next + 20 && sign.kind === 'sign' && sign.value === '>',
    );
    if (close === -1) return undefined;
    next = close + 1;
  }
  const token = tokens[next];
  return token?.kind === 'sign' && token.value === '(' ? next : undefined;
}

function callAt(tokens: readonly Token[], { at, open, end }: { at: number; open: number; end: number }): Call {
  const { value: name = '', line = 1 } = tokens[at] ?? {};
  return {
    name,
    line,
    at,
    end,
    receiver: receiverOf(tokens, at),
    isMark: isMarked(tokens, at),
    args: argumentsIn(tokens, open + 1, end),
  };
}

function receiverOf(tokens: readonly Token[], at: number): string {
  let dot = at - 1;
  const isSign = (index: number, value: string): boolean =>
    tokens[index]?.kind === 'sign' && tokens[index]?.value === value;
  // `Route::get`, `$router->get`, `app?.get`
  if (isSign(dot, ':') && isSign(dot - 1, ':')) dot -= 1;
  else if (isSign(dot, '>') && isSign(dot - 1, '-')) dot -= 1;
  else if (!isSign(dot, '.')) return '';
  if (isSign(dot - 1, '?') || isSign(dot - 1, '!')) dot -= 1;
  const before = tokens[dot - 1];
  if (before?.kind === 'word') return before.value;
  // What a call gives: the chain goes on.
  return before?.value === ')' ? ')' : '';
}

/** True if a name is a decorator, an annotation or an attribute. */
function isMarked(tokens: readonly Token[], at: number): boolean {
  let first = at;
  while (tokens[first - 1]?.value === '.' && tokens[first - 2]?.kind === 'word') first -= 2;
  const [before, earlier] = [tokens[first - 1], tokens[first - 2]];
  if (before?.kind !== 'sign') return false;
  return before.value === '@' || (before.value === '[' && earlier?.value === '#');
}

const OPEN = '([{';
const CLOSE = ')]}';

/** The place of the sign that closes each one that opens, of those that are closed. */
function closingSigns(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind, value }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    if (OPEN.includes(value)) open.push(at);
    else if (CLOSE.includes(value)) closers.set(open.pop() ?? -1, at);
  }
  return closers;
}

/** Tokens of the arguments of one call that are read: a function that is written in place is longer, and tells nothing more. */
const MOST_TOKENS = 200;

function argumentsIn(tokens: readonly Token[], from: number, last: number): Argument[] {
  const end = Math.min(last, from + MOST_TOKENS);
  const args: Argument[] = [];
  let start = from;
  let depth = 0;
  for (let at = from; at <= end; at += 1) {
    const { kind, value } = tokens[at] ?? { kind: 'sign', value: ',' };
    if (at === end || (kind === 'sign' && value === ',' && depth === 0)) {
      if (at > start) args.push(argumentOf(tokens.slice(start, at)));
      start = at + 1;
    } else if (kind === 'sign' && OPEN.includes(value)) depth += 1;
    else if (kind === 'sign' && CLOSE.includes(value)) depth -= 1;
  }
  return args;
}

function argumentOf(given: readonly Token[]): Argument {
  const label = labelOf(given);
  const tokens = label === '' ? given : given.slice(2).filter((token, at) => at > 0 || token.value !== '>');
  const [first, second] = tokens;
  // `f"…"`, `r'…'`: the letter before a text belongs to it.
  const prefixed = tokens.length === 2 && first?.kind === 'word' && second?.kind === 'text' && first.value.length <= 2;
  const text =
    tokens.length === 1 && first?.kind === 'text'
      ? first.value
      : prefixed
        ? second?.value.replaceAll(/\{[^}]*\}/g, ':param')
        : undefined;
  return { text, name: nameIn(tokens), label, tokens };
}

function labelOf([first, second, third]: readonly Token[]): string {
  if (second?.kind !== 'sign' || third === undefined || (first?.kind !== 'word' && first?.kind !== 'text')) return '';
  const isLabel = second.value === ':' ? third.value !== ':' : second.value === '=' && third.value !== '=';
  return isLabel ? first.value.replace(/^[:@$]/, '') : '';
}

/** The last word of a plain name, or of the last name in a call; none for a function that is written here. */
function nameIn(tokens: readonly Token[]): Token | undefined {
  if (
    tokens.some(
      ({ kind, value }, at) => kind === 'sign' && (value === '{' || (value === '=' && tokens[at + 1]?.value === '>')),
    )
  )
    return undefined;
  if (tokens.some(({ value }) => value === 'function' || value === 'func' || value === 'lambda')) return undefined;
  return (
    tokens.findLast(
      ({ kind, value }, at) =>
        kind === 'word' &&
        !(at > 0 && value === 'class') &&
        // `s.list()` makes what serves, and is named so.
        (tokens[at + 1]?.value !== '(' || tokens[at + 2]?.value === ')') &&
        value !== 'as_view' &&
        value !== 'bind',
    ) ?? tokens.findLast(({ kind, value }) => kind === 'word' && value !== 'as_view')
  );
}

function startsLine(tokens: readonly Token[], at: number): boolean {
  return at === 0 || (tokens[at - 1]?.line ?? 0) < (tokens[at]?.line ?? 0);
}

function takesArgument(tokens: readonly Token[], at: number): boolean {
  const [own, next] = [tokens[at], tokens[at + 1]];
  return next !== undefined && next.line === own?.line && (next.kind === 'text' || next.value.startsWith(':'));
}

/** A statement goes on while its lines end with a comma. */
function endOfStatement(tokens: readonly Token[], at: number): number {
  let end = at + 1;
  while (end < tokens.length) {
    const [before, token] = [tokens[end - 1], tokens[end]];
    if (token !== undefined && before !== undefined && token.line > before.line && before.value !== ',') break;
    if (token?.value === 'do' || token?.value === '{') break;
    end += 1;
  }
  return end;
}
