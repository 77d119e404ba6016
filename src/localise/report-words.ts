import { termsOf } from '../text/terms.ts';
import type { Report } from './read-report.ts';

/** Distinct terms of a report that are looked up: of a long one the first. */
const MOST_TERMS = 400;
const TITLE_TIMES = 2;
/** Repeats count less and less: a word that is everywhere in a report never counts as much as nine. */
const REPEATS = 8;

/** Terms of a report with how much they count: those of the title twice, repeats less and less. */
export function countWords({ title, prose, code }: Pick<Report, 'title' | 'prose' | 'code'>): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (text: string, times: number): void => {
    for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + times);
  };
  count(title, TITLE_TIMES);
  // The title is the first line of the prose.
  count(prose.replace(title, ' '), 1);
  count(code, 1);
  return new Map(
    [...counts].slice(0, MOST_TERMS).map(([term, times]) => [term, (times * (REPEATS + 1)) / (times + REPEATS)]),
  );
}

/** The same words, each times how rare it is in the messages of commits. */
export function weighByRarity(
  words: ReadonlyMap<string, number>,
  rarity: ReadonlyMap<string, number>,
): [string, number][] {
  return Array.from(words, ([term, weight]) => [term, weight * (rarity.get(term) ?? 1)]);
}
