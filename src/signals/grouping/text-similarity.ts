import type { SaidText } from '../language/clean-text.ts';
import { isFunctionWord, partsOfWord, wordsOf } from '../language/text-terms.ts';
import { toUnitLength, type WordMeanings } from '../language/word-meanings.ts';

/** A text as it is compared. */
export interface ComparedText {
  /** Weights of terms: stems, pairs of neighbours, parts of long words. Of length 1, or empty. */
  terms: ReadonlyMap<string, number>;
  /** Its direction by what its words mean, of length 1, or zeros. */
  meaning: Float32Array;
}

/** Of what texts are made of: how many there are, and how many have each term. */
export interface TermCounts {
  texts: number;
  /** Terms of one text only are left out: they bring nothing together. */
  frequency: ReadonlyMap<string, number>;
  /** What all texts share, taken out of their meanings; zeros when there is none. */
  mean: Float32Array;
}

/** What a pair of neighbours and a part of a word count for beside a stem. */
const PAIR = 0.5;
const PART = 0.5;
/** How much more a title says than the rest. */
const TITLE = 2;
/** Parts of words that more texts have bring nothing together, and cost most. */
const COMMON_PART = 0.1;
/** Share of the words of a text that must be known before its meaning is. Another language shares some words. */
const KNOWN_WORDS = 0.6;
/** Share of the meanings in how alike two texts are. */
const MEANING = 0.3;

const PART_MARK = '#';

/** How often each term stands in a text, weighted by what words tell. */
function bagOf({ title, text }: SaidText, meanings: WordMeanings): Map<string, number> {
  const bag = new Map<string, number>();
  const add = (term: string, count: number): void => void bag.set(term, (bag.get(term) ?? 0) + count);
  for (const [part, times] of [
    [text, 1],
    [title, TITLE],
  ] as const) {
    let before: { stem: string; weight: number } | undefined;
    for (const { written, stem } of wordsOf(part)) {
      if (isFunctionWord(written)) continue;
      const weight = meanings.weightOf(stem);
      add(stem, times * weight);
      const parts = partsOfWord(written);
      for (const run of parts) add(PART_MARK + run, (times * weight * PART) / Math.sqrt(parts.length));
      if (before !== undefined) add(`${before.stem} ${stem}`, times * PAIR * Math.sqrt(weight * before.weight));
      before = { stem, weight };
    }
  }
  return bag;
}

/** Counts the terms of texts; about 0.1 ms a text. */
export function countTerms(texts: readonly SaidText[], meanings: WordMeanings): TermCounts {
  const counted = new Map<string, number>();
  for (const text of texts)
    for (const term of bagOf(text, meanings).keys()) counted.set(term, (counted.get(term) ?? 0) + 1);
  const frequency = new Map([...counted].filter(([, count]) => count > 1));
  const counts = { texts: texts.length, frequency, mean: new Float32Array(meanings.dimensions) };
  const mean = new Float32Array(meanings.dimensions);
  let known = 0;
  for (const text of texts) {
    const { meaning } = weighText(text, counts, meanings);
    if (meaning.every((value) => value === 0)) continue;
    known += 1;
    for (let at = 0; at < mean.length; at += 1) mean[at] = (mean[at] ?? 0) + (meaning[at] ?? 0);
  }
  return { ...counts, mean: mean.map((value) => value / Math.max(1, known)) };
}

/** A text as it is compared with those that were counted. */
export function weighText(text: SaidText, counts: TermCounts, meanings: WordMeanings): ComparedText {
  const { texts, frequency } = counts;
  const terms = new Map<string, number>();
  let squares = 0;
  for (const [term, count] of bagOf(text, meanings)) {
    const seen = frequency.get(term);
    if (seen === undefined || (term.startsWith(PART_MARK) && seen > COMMON_PART * texts && seen > 2)) continue;
    const weight = Math.sqrt(count) * Math.log(1 + texts / seen);
    terms.set(term, weight);
    squares += weight * weight;
  }
  const length = Math.sqrt(squares) || 1;
  for (const [term, weight] of terms) terms.set(term, weight / length);
  return { terms, meaning: meaningOf(text, counts, meanings) };
}

function meaningOf(
  { title, text }: SaidText,
  { texts, frequency, mean }: TermCounts,
  meanings: WordMeanings,
): Float32Array {
  const rarity = (stem: string): number => Math.log(1 + texts / (frequency.get(stem) ?? 1));
  if (meanings.knownShare(text) < KNOWN_WORDS) return new Float32Array(meanings.dimensions);
  const whole = meanings.vectorOf(text, rarity);
  const head = title === '' ? undefined : meanings.vectorOf(title, rarity);
  const sum = toUnitLength(whole.map((value, at) => value + (head?.[at] ?? 0)));
  return sum.some((value) => value !== 0) ? toUnitLength(sum.map((value, at) => value - (mean[at] ?? 0))) : sum;
}

/** How alike two texts are, at most 1. */
export function similarityOf(left: ComparedText, right: ComparedText): number {
  const [few, many] = left.terms.size <= right.terms.size ? [left.terms, right.terms] : [right.terms, left.terms];
  let words = 0;
  for (const [term, weight] of few) words += weight * (many.get(term) ?? 0);
  return (1 - MEANING) * words + MEANING * product(left.meaning, right.meaning);
}

/** How alike all texts are, row after row. Time and memory grow with the square of their number: 2,000 take 16 MB. */
export function similarities(texts: readonly ComparedText[]): Float32Array[] {
  const rows = texts.map(() => new Float32Array(texts.length));
  const postings = new Map<string, { at: number; weight: number }[]>();
  for (const [at, { terms }] of texts.entries())
    for (const [term, weight] of terms) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [{ at, weight }]);
      else list.push({ at, weight });
    }
  for (const list of postings.values())
    for (const { at, weight } of list) {
      const row = rows[at];
      if (row === undefined) continue;
      for (const other of list) row[other.at] = (row[other.at] ?? 0) + (1 - MEANING) * weight * other.weight;
    }
  for (const [at, row] of rows.entries())
    for (let other = 0; other < row.length; other += 1)
      row[other] = (row[other] ?? 0) + MEANING * product(texts[at]?.meaning, texts[other]?.meaning);
  return rows;
}

/** Neighbours that speak for a text, and its own share beside theirs. */
const NEIGHBOURS = 5;
const OWN_SHARE = 0.7;

/**
 * How alike texts are when each is moved a little towards its nearest neighbours: two that name the same thing in other
 * words often share a neighbour that says both.
 */
export function smoothRows(rows: readonly Float32Array[]): Float32Array[] {
  const mixes = rows.map((row, at) => mixOf(row, at));
  const half = mixes.map((mix) => {
    const sum = new Float32Array(rows.length);
    for (const { at, share } of mix) addScaled(sum, rows[at], share);
    return sum;
  });
  const whole = half.map((row) =>
    Float32Array.from(mixes, (mix) => mix.reduce((sum, { at, share }) => sum + share * (row[at] ?? 0), 0)),
  );
  const lengths = whole.map((row, at) => Math.sqrt(Math.max(1e-9, row[at] ?? 0)));
  return whole.map((row, at) => row.map((value, other) => value / ((lengths[at] ?? 1) * (lengths[other] ?? 1))));
}

function mixOf(row: Float32Array, own: number): { at: number; share: number }[] {
  const near = nearestIn(row, own);
  const sum = near.reduce((all, at) => all + (row[at] ?? 0), 0);
  const others = near.map((at) => ({ at, share: ((1 - OWN_SHARE) * (row[at] ?? 0)) / (sum || 1) }));
  return [...others, { at: own, share: near.length === 0 ? 1 : OWN_SHARE }];
}

/** The places of the largest positive values, without its own. */
function nearestIn(row: Float32Array, own: number): number[] {
  const best: number[] = [];
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at] ?? 0;
    if (at === own || value <= 0 || (best.length === NEIGHBOURS && value <= (row[best[NEIGHBOURS - 1] ?? 0] ?? 0)))
      continue;
    const place = best.findIndex((other) => (row[other] ?? 0) < value);
    best.splice(place === -1 ? best.length : place, 0, at);
    best.length = Math.min(best.length, NEIGHBOURS);
  }
  return best;
}

function addScaled(sum: Float32Array, row: Float32Array | undefined, by: number): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + by * (row?.[at] ?? 0);
}

function product(left: Float32Array | undefined, right: Float32Array | undefined): number {
  if (left === undefined || right === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum;
}
