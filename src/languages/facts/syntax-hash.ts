import { DefinitionKind, type FileFacts } from './facts.ts';
import { readLineContents } from './literal-lines.ts';
import { spread } from './syntax-text.ts';
import { TABLES } from './table.ts';
import { readTokens, type SyntaxTokens, wordHash } from './syntax-tokens.ts';
import type { TokenList } from './token-list.ts';

/** Tokens of one shingle: what a sketch compares. */
const SHINGLE_TOKENS = 5;
/** Shingles that a sketch keeps: the likeness of two is right within about 0.1. */
const SKETCH_SIZE = 24;
/** Shorter bodies are similar by chance: they have no sketch. */
const SHORTEST_SKETCHED = 16;

/** Tokens of a fingerprint of a file, and how many in a row of them one is kept of: see `readFingerprints`. */
export const FINGERPRINT_TOKENS = 20;
const FINGERPRINT_WINDOW = 8;

/** Stands for a definition's own name. */
const OWN_NAME = spread(0x6e616d65);

/** Facts that `readSyntax` reads. */
type SyntaxFacts = Pick<FileFacts, 'syntax' | 'sketches' | 'fingerprints' | 'literalLines' | 'codeLines'>;

/**
 * Hashes of the normalised syntax (see `tokensOf`) of a file and each of its named definitions.
 *
 * A definition's hash is over the tokens of its declaration with every word that is its own name replaced, so it stays
 * when the definition is moved, renamed, reformatted, or its comments change; it depends on nothing outside of it. The
 * hash of a file is over all tokens. Some 50 MB a second.
 */
export function readSyntax(
  text: string,
  tokens: SyntaxTokens,
  facts: Pick<FileFacts, 'definitions' | 'strings' | 'lines'>,
): SyntaxFacts {
  const scratch = new Int32Array(tokens.count);
  const rows: number[] = [];
  const sketches: number[] = [];
  const add = (definition: number, count: number): void => {
    const [high, low] = hashTokens(scratch, count);
    rows.push(definition, high, low, count, sketches.length);
    for (const value of sketchOf(scratch, count)) sketches.push(value);
  };
  scratch.set(tokens.hashes.subarray(0, tokens.count));
  add(-1, tokens.count);
  const { definitions, strings } = facts;
  for (let row = 0; row < definitions.count; row += 1) {
    const name = definitions.name(row);
    if (name === 0 || definitions.kind(row) >= DefinitionKind.parameter) continue;
    const from = tokenAt(tokens, definitions.start(row));
    const to = tokenAt(tokens, definitions.end(row));
    const own = wordHash(strings[name] ?? '');
    for (let at = from; at < to; at += 1) {
      const hash = tokens.hashes[at] ?? 0;
      scratch[at - from] = hash === own ? OWN_NAME : hash;
    }
    add(row, to - from);
  }
  return {
    syntax: new TABLES.syntax(Int32Array.from(rows)),
    sketches: Int32Array.from(sketches),
    fingerprints: new TABLES.fingerprints(readFingerprints(tokens, facts.lines)),
    ...readLineContents(text, tokens, facts.lines),
  };
}

/** The tokens of a text whose comments and definitions are known. */
export function tokensOf(text: string, facts: Pick<FileFacts, 'language' | 'comments' | 'definitions'>): TokenList {
  return readTokens(facts.language, text, skippedRanges(text, facts));
}

/** The hash of two pieces of syntax in their order, both below 2^53 as the result is. */
export function joinedHash(first: number, second: number): number {
  // 21 bits are rotated, so that the order counts.
  const turned = (first % 2 ** 32) * 2 ** 21 + Math.floor(first / 2 ** 32);
  return (turned + second) % 2 ** 53;
}

/** The hash of row `row` of `FileFacts.syntax` as a whole number below 2^53. */
export function syntaxNumber(syntax: FileFacts['syntax'], row: number): number {
  return (syntax.high(row) >>> 11) * 2 ** 32 + (syntax.low(row) >>> 0);
}

/** The shingles of row `row`, ascending. */
export function sketchAt({ syntax, sketches }: Pick<FileFacts, 'syntax' | 'sketches'>, row: number): Int32Array {
  const end = row + 1 < syntax.count ? syntax.sketch(row + 1) : sketches.length;
  return sketches.subarray(syntax.sketch(row), end);
}

/** Comments, and strings that document a definition, in order and apart. */
function skippedRanges(text: string, { comments, definitions }: Pick<FileFacts, 'comments' | 'definitions'>): number[] {
  const ranges: [start: number, end: number][] = [];
  for (let row = 0; row < comments.count; row += 1) ranges.push([comments.start(row), comments.end(row)]);
  for (let row = 0; row < definitions.count; row += 1) {
    const start = definitions.docStart(row);
    // A comment that documents is among the comments already.
    if (start >= 0 && /["'rRuUbB]/.test(text.charAt(start))) ranges.push([start, definitions.docEnd(row)]);
  }
  ranges.sort(([a], [b]) => a - b);
  return ranges.filter(([start], index) => start >= (ranges[index - 1]?.[1] ?? 0)).flat();
}

/** The first token at or after an offset. */
function tokenAt({ starts, count }: SyntaxTokens, offset: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 64 bits over the first tokens: two hashes that mix in different ways. */
function hashTokens(hashes: Int32Array, count: number): [high: number, low: number] {
  let [high, low] = [0x9747b28c ^ count, 0x811c9dc5];
  for (let at = 0; at < count; at += 1) {
    const hash = hashes[at] ?? 0;
    high = (Math.imul(high ^ hash, 0x5bd1e995) << 13) | (Math.imul(high ^ hash, 0x5bd1e995) >>> 19);
    low = Math.imul(low ^ hash, 16_777_619) ^ (low >>> 15);
  }
  return [spread(high), spread(low)];
}

/**
 * The smallest shingle hashes of a body (a bottom-k sketch): the share that two have in common shows how similar they are.
 */
function sketchOf(hashes: Int32Array, count: number): number[] {
  if (count < SHORTEST_SKETCHED) return [];
  const smallest: number[] = [];
  const weight = powerOf31(SHINGLE_TOKENS);
  let bound = 0x7fffffff;
  let rolling = 0;
  for (let at = 0; at < count; at += 1) {
    rolling = (Math.imul(rolling, 31) + (hashes[at] ?? 0)) | 0;
    if (at >= SHINGLE_TOKENS) rolling = (rolling - Math.imul(weight, hashes[at - SHINGLE_TOKENS] ?? 0)) | 0;
    if (at < SHINGLE_TOKENS - 1) continue;
    const shingle = spread(rolling);
    if (shingle >= bound || smallest.includes(shingle)) continue;
    let index = smallest.length;
    while (index > 0 && (smallest[index - 1] ?? 0) > shingle) index -= 1;
    smallest.splice(index, 0, shingle);
    if (smallest.length > SKETCH_SIZE) smallest.pop();
    if (smallest.length === SKETCH_SIZE) bound = smallest[SKETCH_SIZE - 1] ?? bound;
  }
  return smallest;
}

/**
 * Fingerprints of a file for finding duplicates (winnowing, Schleimer 2003): of each `FINGERPRINT_WINDOW` runs of
 * `FINGERPRINT_TOKENS` tokens that follow each other the least is kept, so two files that share 27 tokens in a row share
 * a fingerprint, and no more than a quarter of the runs are kept.
 */
function readFingerprints({ hashes, starts, ends, count }: SyntaxTokens, lines: Int32Array): Int32Array {
  const runs = count - FINGERPRINT_TOKENS + 1;
  if (runs < 1) return new Int32Array(0);
  const rolled = new Int32Array(runs);
  const weight = powerOf31(FINGERPRINT_TOKENS);
  let rolling = 0;
  for (let at = 0; at < count; at += 1) {
    rolling = (Math.imul(rolling, 31) + (hashes[at] ?? 0)) | 0;
    if (at >= FINGERPRINT_TOKENS) rolling = (rolling - Math.imul(weight, hashes[at - FINGERPRINT_TOKENS] ?? 0)) | 0;
    if (at >= FINGERPRINT_TOKENS - 1) rolled[at - FINGERPRINT_TOKENS + 1] = spread(rolling);
  }
  const fingerprints: number[] = [];
  let [previous, line] = [-1, 0];
  const lineAt = (offset: number): number => {
    while (line + 1 < lines.length && (lines[line + 1] ?? 0) <= offset) line += 1;
    return line + 1;
  };
  for (let from = 0; from <= Math.max(0, runs - FINGERPRINT_WINDOW); from += 1) {
    const least = leastIn(rolled, from, Math.min(runs, from + FINGERPRINT_WINDOW), previous);
    if (least === previous) continue;
    previous = least;
    const first = lineAt(starts[least] ?? 0);
    const start = line;
    const last = lineAt(Math.max(0, (ends[least + FINGERPRINT_TOKENS - 1] ?? 0) - 1));
    line = start;
    fingerprints.push(rolled[least] ?? 0, least, first, last);
  }
  return Int32Array.from(fingerprints);
}

/** The place of the least value in a range, the last of equals. `before` is where it was one step earlier. */
function leastIn(values: Int32Array, from: number, to: number, before: number): number {
  if (before >= from) return (values[to - 1] ?? 0) <= (values[before] ?? 0) ? to - 1 : before;
  let least = from;
  for (let at = from + 1; at < to; at += 1) if ((values[at] ?? 0) <= (values[least] ?? 0)) least = at;
  return least;
}

/** Returns the weight in a rolling hash of the token that leaves it after so many tokens. */
function powerOf31(exponent: number): number {
  let power = 1;
  for (let at = 0; at < exponent; at += 1) power = Math.imul(power, 31);
  return power;
}
