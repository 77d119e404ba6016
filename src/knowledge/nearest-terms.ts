import { editDistance } from '../kernel/edit-distance.ts';
import type { IndexFile } from './index-file.ts';

/** Letters of a term in which one may be wrong, and two. */
const ONE_ERROR_FROM = 5;
const TWO_ERRORS_FROM = 9;

/** Terms that are compared with a misspelt one: all with its first letter and about its length, unless most are ids. */
const MOST_COMPARED = 20_000;

/**
 * Terms of the index that a misspelt one may mean, by name: as many letters are wrong in each, one of five and two of nine
 * letters at most.
 */
export function nearestTerms(file: IndexFile, term: string): string[] {
  const most = term.length >= TWO_ERRORS_FROM ? 2 : term.length >= ONE_ERROR_FROM ? 1 : 0;
  if (most === 0) return [];
  let best = most;
  let near: string[] = [];
  for (const candidate of file.similarTerms(term, most, MOST_COMPARED)) {
    const distance = editDistance(term, candidate, best);
    if (distance > best) continue;
    near = distance < best ? [candidate] : [...near, candidate];
    best = distance;
  }
  return near.toSorted();
}
