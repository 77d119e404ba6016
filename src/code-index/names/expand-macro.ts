/** A token of Rust, or brackets with what is in them. */
export type Token = string | { open: string; tokens: Token[] };

/** Captures of a `macro_rules!`: tokens by name, and the rounds of its repetitions. */
interface Captures {
  single: Map<string, Token[]>;
  repeated: { names: ReadonlySet<string>; rounds: Captures[] }[];
}

/** A part of a pattern: a capture, a repetition, or a token that has to stand there. */
type Part =
  | { capture: string; fragment: string }
  | { repeat: Part[]; separator: Token | undefined; operator: string }
  | { token: Token };

/** A macro that gives more is not expanded to its end. */
const MOST_TOKENS = 50_000;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Comments are left out; `r#name` is `name`. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|b?r(?<hashes>#*)"[\s\S]*?"\k<hashes>|b?"(?:[^"\\]|\\[\s\S])*"|b?'(?:[^'\\\n]|\\[^\n]+?)'|'[\p{L}_]\w*|(?:r#)?[\p{L}_][\p{L}\p{N}_]*|\d[\w.]*|=>|->|::|\.\.[.=]?|[^\s]/gu;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** The tokens of a text. Brackets that are not closed end with it. */
export function readTokens(text: string): Token[] {
  const stack: { open: string; tokens: Token[] }[] = [{ open: '', tokens: [] }];
  for (const [written] of text.matchAll(TOKEN)) {
    if (written.startsWith('//') || written.startsWith('/*')) continue;
    const top = stack.at(-1);
    if (top === undefined) break;
    if (CLOSING[written] !== undefined) {
      const group = { open: written, tokens: [] };
      top.tokens.push(group);
      stack.push(group);
    } else if (CLOSING[top.open] === written) stack.pop();
    else top.tokens.push(written.startsWith('r#') ? written.slice(2) : written);
  }
  return stack[0]?.tokens ?? [];
}

/** Expands a call of a `macro_rules!` by the first of its rules that fits; undefined when none does. */
export function expandMacro(definition: string, given: readonly Token[]): Token[] | undefined {
  const body = readTokens(definition).findLast((token) => typeof token !== 'string');
  const rules = typeof body === 'object' ? body.tokens : [];
  for (let at = 0; at + 2 < rules.length; at += 1) {
    const [pattern, arrow, result] = [rules[at], rules[at + 1], rules[at + 2]];
    if (typeof pattern !== 'object' || arrow !== '=>' || typeof result !== 'object') continue;
    const captures = noCaptures();
    const end = match(partsOf(pattern.tokens), given, 0, captures);
    if (end === given.length) {
      const written: Token[] = [];
      write(result.tokens, [captures], { written, remaining: MOST_TOKENS });
      return written;
    }
  }
  return undefined;
}

function noCaptures(): Captures {
  return { single: new Map(), repeated: [] };
}

function partsOf(tokens: readonly Token[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    const next = tokens[at + 1];
    if (token !== '$' || next === undefined) parts.push({ token });
    else if (typeof next !== 'string') {
      const { separator, operator, end } = repetitionAfter(tokens, at + 2);
      parts.push({ repeat: partsOf(next.tokens), separator, operator });
      at = end;
    } else {
      const fragment = tokens[at + 3];
      parts.push({ capture: next, fragment: typeof fragment === 'string' ? fragment : '' });
      at += 3;
    }
  }
  return parts;
}

/** Returns what follows the brackets of a repetition, and the position of its last token. */
function repetitionAfter(
  tokens: readonly Token[],
  at: number,
): { separator: Token | undefined; operator: string; end: number } {
  const first = tokens[at];
  const second = tokens[at + 1];
  const isOperator = (token: Token | undefined): token is string =>
    token !== undefined && typeof token === 'string' && /^[*+?]$/.test(token);
  // `$(a)+*` has a plus between.
  if (isOperator(first) && !isOperator(second)) return { separator: undefined, operator: first, end: at };
  return { separator: first, operator: isOperator(second) ? second : '*', end: at + 1 };
}

/** Returns the end of the tokens that fit the parts, or -1. */
function match(parts: readonly Part[], given: readonly Token[], from: number, captures: Captures): number {
  let at = from;
  for (const [index, part] of parts.entries()) {
    if ('token' in part) at = matchToken(part.token, given[at], captures) ? at + 1 : -1;
    else if ('capture' in part) {
      const end = fragmentEnd(part.fragment, given, at, parts[index + 1]);
      captures.single.set(part.capture, given.slice(at, end));
      at = end;
    } else at = matchRepetition(part, given, at, captures);
    if (at < 0) return -1;
  }
  return at;
}

function matchToken(token: Token, given: Token | undefined, captures: Captures): boolean {
  if (given === undefined || typeof token === 'string' || typeof given === 'string') return token === given;
  return token.open === given.open && match(partsOf(token.tokens), given.tokens, 0, captures) === given.tokens.length;
}

function matchRepetition(
  part: Extract<Part, { repeat: unknown }>,
  given: readonly Token[],
  from: number,
  captures: Captures,
): number {
  const rounds: Captures[] = [];
  let at = from;
  while (at < given.length && (part.operator !== '?' || rounds.length === 0)) {
    const start = rounds.length > 0 && part.separator !== undefined ? separated(part.separator, given[at], at) : at;
    const round = noCaptures();
    const end = start < 0 ? -1 : match(part.repeat, given, start, round);
    if (end <= at) break;
    rounds.push(round);
    at = end;
  }
  if (part.operator === '+' && rounds.length === 0) return -1;
  captures.repeated.push({ names: namesIn(part.repeat), rounds });
  return at;
}

function separated(separator: Token, given: Token | undefined, at: number): number {
  return given === separator ? at + 1 : -1;
}

/** Returns the end of a fragment, or -1. Fragments of more than one token end where the pattern goes on, or at a comma. */
function fragmentEnd(fragment: string, given: readonly Token[], at: number, next: Part | undefined): number {
  const first = given[at];
  switch (fragment) {
    case 'vis': {
      if (first !== 'pub') return at;
      const second = given[at + 1];
      return typeof second === 'object' && second.open === '(' ? at + 2 : at + 1;
    }
    case 'ident':
      return typeof first === 'string' && NAME.test(first) ? at + 1 : -1;
    case 'tt':
      return first === undefined ? -1 : at + 1;
    case 'block':
      return typeof first === 'object' && first.open === '{' ? at + 1 : -1;
    case 'literal':
    case 'lifetime':
      return typeof first === 'string' && /^(?:b?r?#*["'\d]|true$|false$)/.test(first) ? at + 1 : -1;
    case 'item': {
      const last = given.findIndex(
        (token, index) => index >= at && (token === ';' || (typeof token === 'object' && token.open === '{')),
      );
      return last < 0 ? -1 : last + 1;
    }
    default: {
      const stop = next !== undefined && 'token' in next ? next.token : undefined;
      const end = given.findIndex(
        (token, index) => index > at && (token === stop || token === ',' || token === ';' || token === '=>'),
      );
      return first === undefined ? -1 : end < 0 ? given.length : end;
    }
  }
}

function namesIn(parts: readonly Part[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const part of parts) {
    if ('capture' in part) names.add(part.capture);
    else if ('repeat' in part) for (const name of namesIn(part.repeat)) names.add(name);
    else if (typeof part.token !== 'string') for (const name of namesIn(partsOf(part.token.tokens))) names.add(name);
  }
  return names;
}

/** Tokens that are written, and how many may still be. */
interface Output {
  written: Token[];
  remaining: number;
}

/** Writes tokens with the captures around them, the innermost last. */
function write(tokens: readonly Token[], around: readonly Captures[], to: Output): void {
  for (let at = 0; at < tokens.length && to.remaining > 0; at += 1) {
    const token = tokens[at] ?? '';
    const next = tokens[at + 1];
    if (token === '$' && typeof next === 'string') {
      const captured = around
        .toReversed()
        .find(({ single }) => single.has(next))
        ?.single.get(next);
      const given = captured ?? (next === 'crate' ? ['$crate'] : []);
      to.written.push(...given);
      to.remaining -= given.length;
      at += 1;
    } else if (token === '$' && typeof next === 'object') {
      const { separator, end } = repetitionAfter(tokens, at + 2);
      const used = usedIn(next.tokens);
      const rounds = around
        .flatMap(({ repeated }) => repeated)
        .filter(({ names }) => used.some((name) => names.has(name)));
      const count = Math.max(0, ...rounds.map((repetition) => repetition.rounds.length));
      for (let round = 0; round < count && to.remaining > 0; round += 1) {
        if (round > 0 && separator !== undefined) to.written.push(separator);
        const inner = rounds.flatMap((repetition) => repetition.rounds[round] ?? []);
        write(next.tokens, [...around, ...inner], to);
      }
      at = end;
    } else if (typeof token === 'object') {
      const group: Output = { written: [], remaining: to.remaining };
      write(token.tokens, around, group);
      to.written.push({ open: token.open, tokens: group.written });
      to.remaining = group.remaining - 1;
    } else {
      to.written.push(token);
      to.remaining -= 1;
    }
  }
}

function usedIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token, at) => {
    if (typeof token === 'object') return usedIn(token.tokens);
    const next = tokens[at + 1];
    return token === '$' && typeof next === 'string' ? [next] : [];
  });
}
