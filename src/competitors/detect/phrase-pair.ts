import { NUMBER } from './amounts.ts';

/** Difference between two wordings of one thing. */
interface PhrasePair {
  /** Common beginning of both. */
  start: string;
  before: string;
  after: string;
  /** Common end of both. */
  end: string;
}

/** Numbers with their sign, words, and what is between them. */
const PARTS = new RegExp(String.raw`\p{Sc} ?\d[\d.,'’]*|${NUMBER}|\p{L}+|\s+|.`, 'gsu');

/** Cuts the common beginning and end of two texts, by whole words and numbers. */
export function comparePhrases(before: string, after: string): PhrasePair {
  const [old, next] = [before.match(PARTS) ?? [], after.match(PARTS) ?? []];
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && isSamePart(old[start], next[start])) start += 1;
  let end = 0;
  while (end < most - start && isSamePart(old.at(-1 - end), next.at(-1 - end))) end += 1;
  return {
    start: next.slice(0, start).join(''),
    before: old.slice(start, old.length - end).join(''),
    after: next.slice(start, next.length - end).join(''),
    end: end === 0 ? '' : next.slice(-end).join(''),
  };
}

/** Blanks and the case of letters make no other part. */
function isSamePart(left = '', right = ''): boolean {
  return left === right || left.trim().toLowerCase() === right.trim().toLowerCase();
}
