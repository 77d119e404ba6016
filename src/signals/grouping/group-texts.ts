import { averageLink, groupsAt } from './average-link.ts';
import { type ComparedText, similarityRows } from './compared-text.ts';

/** Mean similarity of two groups from which on they are one. */
export const LEAST_SIMILARITY = 0.16;
/** Mean similarity to a group from which on a text that stands alone belongs to it loosely. */
export const LEAST_LOOSE = 0.08;
/** Groups of fewer texts hold nothing together: their texts may belong loosely to others. */
export const LEAST_FIRM = 3;

/** What is said several times counts twice in the means of groups, however often: no message that is sent a thousand times decides. */
const REPEATED_WEIGHT = 2;

/** Parts of a group stay apart below the mean similarity of all its pairs and this many standard deviations. */
const PART_DEVIATIONS = 1;
const LEAST_PART = 3;

/** Texts that belong together, by their place in the list. */
export interface TextGroup {
  members: number[];
  /** Near to it without being one of it: they are near to no other. */
  loose: number[];
  /** Groups inside, each of three members or more; none, or at least two. */
  parts: number[][];
  /** The member that is most like the others. */
  medoid: number;
}

/** Texts that stay in one group, by their place in the list. */
export interface FixedGroup {
  members: readonly number[];
  /** True if it may become one with a group that is like it. Single texts may join it in any case. */
  isOpen: boolean;
}

interface Grouping {
  /** Texts that stand for several: each is a group, even when it is like no other. */
  repeated?: ReadonlySet<number>;
  fixed?: readonly FixedGroup[];
}

/**
 * Groups texts by average link over how alike they are. A group has two members or more, or one that is repeated; what is in
 * none stands alone. Up to some 3,000 texts: time and memory grow with the square of their number.
 */
export function groupTexts(
  texts: readonly ComparedText[],
  { repeated = new Set(), fixed = [] }: Grouping = {},
): TextGroup[] {
  const rows = similarityRows(texts);
  const weights = texts.map((_, at) => (repeated.has(at) ? REPEATED_WEIGHT : 1));
  const of = groupsAt(rows.length, averageLink(joinFixed(rows, fixed), weights), LEAST_SIMILARITY);
  const groups = Map.groupBy(of.keys(), (at) => of[at] ?? at);
  const isFixed = new Set(fixed.map(({ members: [first = -1] }) => of[first] ?? -1));
  const [firm, few]: [Omit<TextGroup, 'parts' | 'medoid'>[], number[][]] = [[], []];
  for (const [key, members] of groups)
    if (members.length >= LEAST_FIRM || isFixed.has(key)) firm.push({ members, loose: [] });
    else few.push(members);
  const targets = firm.map((group) => ({ group, members: [...group.members] }));
  for (const members of few) {
    const alone = members.filter((at) => !joinNearest(at, targets, rows));
    if (alone.length > 1 || alone.some((at) => repeated.has(at))) firm.push({ members: alone, loose: [] });
  }
  return firm.map(({ members, loose }) => ({
    members,
    loose,
    parts: partsOf(members, rows),
    medoid: medoidOf(members, rows),
  }));
}

/** A copy of the rows in which the members of a fixed group are alike in all, and like no other fixed group. */
function joinFixed(rows: readonly Float32Array[], fixed: readonly FixedGroup[]): Float32Array[] {
  const copy = rows.map((row) => row.slice());
  const every = fixed.flatMap(({ members }) => members);
  for (const { members, isOpen } of fixed)
    for (const at of members) {
      const row = copy[at];
      if (row === undefined) continue;
      for (const other of isOpen ? every : rows.keys()) {
        row[other] = 0;
        const column = copy[other];
        if (column !== undefined) column[at] = 0;
      }
    }
  for (const { members } of fixed)
    for (const at of members) {
      const row = copy[at];
      if (row !== undefined) for (const other of members) row[other] = 1;
    }
  return copy;
}

/** Puts a text to the group with the highest mean similarity, as one of it or loosely. False when it is near to none. */
function joinNearest(
  at: number,
  targets: readonly { group: Pick<TextGroup, 'members' | 'loose'>; members: readonly number[] }[],
  rows: readonly Float32Array[],
): boolean {
  let [nearest, most]: [(typeof targets)[number] | undefined, number] = [undefined, LEAST_LOOSE];
  for (const target of targets) {
    const mean = meanSimilarity(at, target.members, rows);
    if (mean >= most) [nearest, most] = [target, mean];
  }
  if (nearest === undefined) return false;
  (most >= LEAST_SIMILARITY ? nearest.group.members : nearest.group.loose).push(at);
  return true;
}

/** Mean similarity of a text to the others of a group. */
export function meanSimilarity(at: number, members: readonly number[], rows: readonly Float32Array[]): number {
  const row = rows[at];
  let [sum, others] = [0, 0];
  for (const other of members) {
    if (other === at) continue;
    sum += row?.[other] ?? 0;
    others += 1;
  }
  return others === 0 ? 0 : sum / others;
}

function partsOf(group: readonly number[], rows: readonly Float32Array[]): number[][] {
  const inner = group.map((at) => Float32Array.from(group, (other) => rows[at]?.[other] ?? 0));
  const least = boundary(inner);
  const of = groupsAt(inner.length, averageLink(inner), least);
  const parts = [...Map.groupBy(of.keys(), (at) => of[at] ?? at).values()]
    .filter((part) => part.length >= LEAST_PART)
    .map((part) => part.map((at) => group[at] ?? 0));
  return parts.length > 1 ? parts : [];
}

export function medoidOf(members: readonly number[], rows: readonly Float32Array[]): number {
  const nearness = members.map((at) => meanSimilarity(at, members, rows));
  return members[nearness.indexOf(Math.max(...nearness))] ?? 0;
}

/** The mean of all pairs and some standard deviations. */
function boundary(rows: readonly Float32Array[]): number {
  let [sum, squares, pairs] = [0, 0, 0];
  for (const [at, row] of rows.entries())
    for (let other = 0; other < at; other += 1) {
      const value = row[other] ?? 0;
      sum += value;
      squares += value * value;
      pairs += 1;
    }
  const mean = sum / Math.max(1, pairs);
  return mean + PART_DEVIATIONS * Math.sqrt(Math.max(0, squares / Math.max(1, pairs) - mean * mean));
}
