import type { Line } from './indent-units.ts';

/** Token of a text for a reader that knows no language: a word, a literal, a mark, or brackets with what they enclose. */
interface Token extends Line {
  /** Tokens that brackets enclose. */
  inside?: Token[];
}

/** A part of a text, and what is written in its place. */
export interface Cut {
  range: Line;
  filling: '' | '0';
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|[\p{L}\p{N}_$@]+|\S/gu;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** A longer run of tokens is no slip of the grammar: the whole is given up. */
const LONGEST_RUN = 8;
/** More tokens side by side are too many to try all runs of them. */
const MOST_TOKENS = 60;

/**
 * The smallest run of tokens without which a text is understood, inside of as many brackets as possible. A run stands
 * between other tokens of its own brackets, so that all that is left has its brackets. Undefined when none is short.
 *
 * `isUnderstood` is asked for runs in ascending length, at most 16 times for each token.
 */
export function narrowDown(text: string, range: Line, isUnderstood: (cut: Cut) => boolean): Cut | undefined {
  return narrowIn(tokensOf(text, range), isUnderstood);
}

function narrowIn(tokens: readonly Token[], isUnderstood: (cut: Cut) => boolean): Cut | undefined {
  if (tokens.length > MOST_TOKENS) return undefined;
  for (const { start, end, inside = [] } of tokens) {
    if (inside.length === 0) continue;
    const range = { start: start + 1, end: end - 1 };
    for (const filling of ['', '0'] as const)
      if (isUnderstood({ range, filling })) return narrowIn(inside, isUnderstood) ?? { range, filling };
  }
  const longest = Math.min(LONGEST_RUN, tokens.length - 1);
  for (let length = 1; length <= longest; length += 1)
    for (let first = 0; first + length <= tokens.length; first += 1) {
      const range = { start: tokens[first]?.start ?? 0, end: tokens[first + length - 1]?.end ?? 0 };
      for (const filling of ['', '0'] as const) if (isUnderstood({ range, filling })) return { range, filling };
    }
  return undefined;
}

/** The tokens of a range, those in brackets inside of them. A bracket without its partner is a mark. */
function tokensOf(text: string, { start, end }: Line): Token[] {
  const open: { token: Token; outer: Token[]; closing: string }[] = [];
  let tokens: Token[] = [];
  for (const { 0: word, index } of text.slice(start, end).matchAll(TOKEN)) {
    const token: Token = { start: start + index, end: start + index + word.length };
    const closing = CLOSING[word];
    const last = open.at(-1);
    if (closing !== undefined) {
      token.inside = [];
      tokens.push(token);
      open.push({ token, outer: tokens, closing });
      tokens = token.inside;
    } else if (last !== undefined && word === last.closing) {
      last.token.end = token.end;
      tokens = last.outer;
      open.pop();
    } else tokens.push(token);
  }
  for (const { token, outer } of open.toReversed()) {
    outer.push(...(token.inside ?? []));
    delete token.inside;
  }
  return open[0]?.outer ?? tokens;
}
