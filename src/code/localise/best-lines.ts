import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { termsOfWord, WORD } from '../../kernel/terms.ts';
import { TextReader } from '../files/store-files.ts';

/** Lines of a window: about what one fix touches. */
const WINDOW = 12;
/** Lines of one function that are read. */
const MOST_LINES = 800;
/** Words that are listed of a window. */
const MOST_WORDS = 4;

/** Lines of a file. 1-based, both ends included. */
interface LineRange {
  file: number;
  line: number;
  end: number;
}

/** Twelve lines in a row of a function. */
export interface BestLines {
  /** The sum of the weights of the distinct terms in them. */
  score: number;
  /** The first of them with one of the terms. */
  line: number;
  /** Words of the code that have the terms, heaviest first. */
  words: readonly string[];
}

/** Reads functions and gives the twelve lines of each that have most of the weighted terms. */
export function findBestLines(
  db: ShardDatabase,
  ranges: readonly LineRange[],
  weights: ReadonlyMap<string, number>,
): BestLines[] {
  const reader = new TextReader(db);
  const termsByLine = new Map<string, readonly string[]>();
  const termsIn = (word: string): readonly string[] => {
    let terms = termsByLine.get(word);
    if (terms === undefined) termsByLine.set(word, (terms = termsOfWord(word).filter((term) => weights.has(term))));
    return terms;
  };
  return ranges.map(({ file, line, end }) => {
    const lines = reader.lines(file, line, Math.min(end, line + MOST_LINES - 1));
    const words = lines.map((text) => (text.match(WORD) ?? []).filter((word) => termsIn(word).length > 0));
    const window = bestWindow(
      words.map((inLine) => [...new Set(inLine.flatMap(termsIn))]),
      weights,
    );
    const inside = words.slice(window.from, window.to).flat();
    return { score: window.score, line: line + window.from, words: heaviest(inside, termsIn, weights) };
  });
}

/** The greatest sum of weights of distinct terms in twelve lines in a row; `from` is the first of them with a term. */
export function bestWindow(
  lines: readonly (readonly string[])[],
  weights: ReadonlyMap<string, number>,
): { score: number; from: number; to: number } {
  const counts = new Map<string, number>();
  let [sum, best] = [0, { score: 0, from: 0, to: 0 }];
  for (const [at, terms] of lines.entries()) {
    for (const term of lines[at - WINDOW] ?? []) {
      const count = (counts.get(term) ?? 0) - 1;
      if (count === 0) sum -= weights.get(term) ?? 0;
      counts.set(term, count);
    }
    for (const term of terms) {
      const count = counts.get(term) ?? 0;
      if (count === 0) sum += weights.get(term) ?? 0;
      counts.set(term, count + 1);
    }
    if (sum > best.score + 1e-9) best = { score: sum, from: Math.max(0, at - WINDOW + 1), to: at + 1 };
  }
  const from = lines.findIndex((terms, at) => at >= best.from && terms.length > 0);
  return { ...best, from: Math.max(0, from) };
}

function heaviest(
  words: readonly string[],
  termsIn: (word: string) => readonly string[],
  weights: ReadonlyMap<string, number>,
): string[] {
  const covered = new Set<string>();
  const weigh = (word: string): number => termsIn(word).reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  const chosen: string[] = [];
  for (const word of [...new Set(words)].toSorted((a, b) => weigh(b) - weigh(a))) {
    const isNew = termsIn(word).some((term) => !covered.has(term));
    if (!isNew || chosen.length === MOST_WORDS) continue;
    chosen.push(word);
    for (const term of termsIn(word)) covered.add(term);
  }
  return chosen;
}
