import { excerpt } from '../kernel/shown-values.ts';
import { termFinder } from './terms.ts';
import { wordMatches, wordsOf } from './words.ts';

/** Of a text the line that has most of the terms, with those below it. */
const [SHOWN_LINES, SHOWN_CHARACTERS] = [3, 400];

/** Most characters of a snippet. */
const SNIPPET_CHARACTERS = 240;

/** Characters of a snippet before the first word of the query. */
const LEAD_CHARACTERS = 40;

/** Weight of each term of a question in a scope. */
export type TermWeights = ReadonlyMap<string, number>;

/** The terms that a text has, and the line that has most of them, the first of those, with what follows it. */
export interface BestLine {
  matchedTerms: string[];
  snippet: string;
}

/** Looks for the line that has most of the terms. */
export function bestLine(source: readonly string[], termsIn: (word: string) => readonly string[]): BestLine {
  const matchedTerms = new Set<string>();
  const lines = source.filter((line) => /[\p{L}\p{N}]/u.test(line));
  let best = { at: 0, count: -1 };
  for (const [at, line] of lines.entries()) {
    const own = new Set<string>();
    for (const word of wordsOf(line, 'term')) for (const term of termsIn(word)) own.add(term);
    for (const term of own) matchedTerms.add(term);
    if (own.size > best.count) best = { at, count: own.size };
  }
  const snippet = lines
    .slice(best.at, best.at + SHOWN_LINES)
    .map((line) => line.trim())
    .join('\n');
  return {
    matchedTerms: [...matchedTerms],
    snippet: excerpt(snippet, SHOWN_CHARACTERS),
  };
}

/** The greatest sum of weights of distinct terms in `size` lines in a row; `from` is the first of them with a term. */
export function bestWindow(
  lines: readonly (readonly string[])[],
  weights: TermWeights,
  size: number,
): { score: number; from: number; to: number } {
  const counts = new Map<string, number>();
  let [sum, best] = [0, { score: 0, from: 0, to: 0 }];
  for (const [at, terms] of lines.entries()) {
    for (const term of lines[at - size] ?? []) {
      const count = (counts.get(term) ?? 0) - 1;
      if (count === 0) sum -= weights.get(term) ?? 0;
      counts.set(term, count);
    }
    for (const term of terms) {
      const count = counts.get(term) ?? 0;
      if (count === 0) sum += weights.get(term) ?? 0;
      counts.set(term, count + 1);
    }
    if (sum > best.score + 1e-9) best = { score: sum, from: Math.max(0, at - size + 1), to: at + 1 };
  }
  const from = lines.findIndex((terms, at) => at >= best.from && terms.length > 0);
  return { ...best, from: Math.max(0, from) };
}

/** The greatest sum of weights of distinct terms in `size` lines in a row, of which each `step`th begins some. */
export function densestWeight(
  lines: readonly (readonly string[])[],
  weights: TermWeights,
  { size, step }: { size: number; step: number },
): number {
  let most = 0;
  for (let at = 0; at < lines.length; at += step)
    most = Math.max(most, sumWeights(new Set(lines.slice(at, at + size).flat()), weights));
  return most;
}

/** Sums the weights of terms. */
export function sumWeights(terms: Iterable<string>, weights: TermWeights): number {
  let sum = 0;
  for (const term of terms) sum += weights.get(term) ?? 0;
  return sum;
}

/** The words with the heaviest terms, each with one that those before it have not; at most `most`. */
export function heaviestWords(
  words: readonly string[],
  { termsIn, weights, most }: { termsIn: (word: string) => readonly string[]; weights: TermWeights; most: number },
): string[] {
  const covered = new Set<string>();
  const weigh = (word: string): number => sumWeights(termsIn(word), weights);
  const chosen: string[] = [];
  for (const word of [...new Set(words)].toSorted((a, b) => weigh(b) - weigh(a))) {
    const isNew = termsIn(word).some((term) => !covered.has(term));
    if (!isNew || chosen.length === most) continue;
    chosen.push(word);
    for (const term of termsIn(word)) covered.add(term);
  }
  return chosen;
}

/**
 * The stretch of a text that has most of the terms, on one line, with `…` where text was left out. The beginning when it
 * has none of them.
 */
export function snippetOf(text: string, terms: ReadonlySet<string>): string {
  const matches = findTerms(text, terms);
  let best = { index: 0, count: 0 };
  for (const [at, { index }] of matches.entries()) {
    const distinct = new Set<string>();
    for (const word of matches.slice(at, at + SNIPPET_CHARACTERS / 2)) {
      if (word.index > index + SNIPPET_CHARACTERS - LEAD_CHARACTERS) break;
      for (const term of word.terms) distinct.add(term);
    }
    if (distinct.size > best.count) best = { index, count: distinct.size };
    if (best.count === terms.size) break;
  }
  const start = best.index <= LEAD_CHARACTERS ? 0 : wordStart(text, best.index - LEAD_CHARACTERS);
  const isCut = start + SNIPPET_CHARACTERS < text.length;
  const end = isCut ? wordEnd(text, start + SNIPPET_CHARACTERS) : text.length;
  const line = text.slice(start, end).replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${line}${isCut ? '…' : ''}`;
}

/** The words that have some of the terms, in order. */
function findTerms(text: string, terms: ReadonlySet<string>): { index: number; terms: readonly string[] }[] {
  const termsIn = termFinder((term) => terms.has(term));
  const matches: { index: number; terms: readonly string[] }[] = [];
  for (const { 0: word, index } of wordMatches(text, 'term')) {
    const own = termsIn(word);
    if (own.length > 0) matches.push({ index, terms: own });
  }
  return matches;
}

/** The first character after a space at or after `at`, unless a word is too long for that. */
function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + LEAD_CHARACTERS).search(/\s/);
  return space === -1 ? at : at + space + 1;
}

function wordEnd(text: string, at: number): number {
  const space = text.slice(at - LEAD_CHARACTERS, at).search(/\s\S*$/);
  return space === -1 ? at : at - LEAD_CHARACTERS + space;
}
