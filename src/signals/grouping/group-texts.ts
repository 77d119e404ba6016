import type { SaidText } from '../language/clean-text.ts';
import type { WordMeanings } from '../language/word-meanings.ts';
import { averageLink, groupsAt } from './average-link.ts';
import {
  type ComparedText,
  weighText,
  countTerms,
  similarities,
  smoothRows,
  type TermCounts,
} from './text-similarity.ts';

/**
 * Groups stay apart below the mean similarity of all pairs and this many standard deviations: what is alike depends on how
 * much all have in common. Short messages, long reports and several languages do well with the same.
 */
const DEVIATIONS = 1;
/** Inside a group, for what its members say in detail. */
const INNER_DEVIATIONS = 1;
/** A member is at least so much like the others, beside the mean of its group. */
const LEAST_FIT = 0.4;
const LEAST_PARTED = 6;
const LEAST_PART = 3;

/** Texts that belong together, by their place in the list. */
interface TextGroup {
  members: number[];
  /** Groups inside, each of three members or more; none, or at least two. */
  parts: number[][];
  /** The member that is most like the others. */
  centre: number;
}

export interface GroupedTexts {
  /** Each has two members or more, or one that is repeated. What is in none of them stands alone. */
  groups: TextGroup[];
  counts: TermCounts;
  texts: ComparedText[];
}

/**
 * Groups texts by what they say. Up to some 2,000: time and memory grow with the square of their number (2,000 short ones
 * take about 4 s and 90 MB).
 *
 * @param repeated texts that stand for several: each is a group, even when it is like no other.
 */
export function groupTexts(
  said: readonly SaidText[],
  meanings: WordMeanings,
  repeated: ReadonlySet<number> = new Set(),
): GroupedTexts {
  const counts = countTerms(said, meanings);
  const texts = said.map((text) => weighText(text, counts, meanings));
  const plain = similarities(texts);
  const rows = smoothRows(plain);
  const of = groupsAt(rows.length, averageLink(rows.map((row) => row.slice())), boundary(rows, DEVIATIONS));
  const members = Map.groupBy(of.keys(), (at) => of[at] ?? at);
  const groups = [...members.values()]
    .map((group) => membersThatFit(group, plain, repeated))
    .filter(([first = 0, ...others]) => others.length > 0 || repeated.has(first))
    .map((group) => ({ members: group, parts: partsOf(group, rows), centre: centreOf(group, rows) }));
  return { groups, counts, texts };
}

/** A group without the members that are hardly like the others: they came along with a neighbour. Repeated ones stay. */
export function membersThatFit(
  group: number[],
  rows: readonly Float32Array[],
  repeated: ReadonlySet<number>,
): number[] {
  if (group.length <= 2) return group;
  const fits = group.map(
    (at) => group.reduce((sum, other) => sum + (other === at ? 0 : (rows[at]?.[other] ?? 0)), 0) / (group.length - 1),
  );
  const mean = fits.reduce((sum, fit) => sum + fit, 0) / fits.length;
  return group.filter((member, at) => repeated.has(member) || (fits[at] ?? 0) >= LEAST_FIT * mean);
}

function partsOf(group: readonly number[], rows: readonly Float32Array[]): number[][] {
  if (group.length < LEAST_PARTED) return [];
  const inner = group.map((at) => Float32Array.from(group, (other) => rows[at]?.[other] ?? 0));
  const least = boundary(inner, INNER_DEVIATIONS);
  const of = groupsAt(inner.length, averageLink(inner), least);
  const parts = [...Map.groupBy(of.keys(), (at) => of[at] ?? at).values()]
    .filter((part) => part.length >= LEAST_PART)
    .map((part) => part.map((at) => group[at] ?? 0));
  return parts.length > 1 ? parts : [];
}

function centreOf(group: readonly number[], rows: readonly Float32Array[]): number {
  const nearness = (at: number): number => group.reduce((sum, other) => sum + (rows[at]?.[other] ?? 0), 0);
  return group.reduce((best, at) => (nearness(at) > nearness(best) ? at : best));
}

/** The mean of all pairs and some standard deviations. */
function boundary(rows: readonly Float32Array[], deviations: number): number {
  let [sum, squares, pairs] = [0, 0, 0];
  for (const [at, row] of rows.entries())
    for (let other = 0; other < at; other += 1) {
      const value = row[other] ?? 0;
      sum += value;
      squares += value * value;
      pairs += 1;
    }
  const mean = sum / Math.max(1, pairs);
  return mean + deviations * Math.sqrt(Math.max(0, squares / Math.max(1, pairs) - mean * mean));
}
