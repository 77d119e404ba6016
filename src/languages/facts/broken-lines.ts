import type { FileFacts } from './facts.ts';
import { lineOf } from './lines.ts';
import { type Table, tableOf } from './table.ts';

/** A string, or as its group a word of code. What declares something has at least two: a keyword or a type, and a name. */
const WORD = /"(?:[^"\\\n]|\\.)*"|([\p{L}_$][\p{L}\p{N}_$]*)/gu;
const WORDS_OF_A_DECLARATION = 2;

const PAIR = { start: 0, end: 1 } as const;
const Pairs = tableOf(PAIR);

interface Range {
  start: number;
  end: number;
}

/**
 * First and last lines, 1-based, in pairs and ascending, of what a parser made nothing of and may be missed. `broken` has
 * starts and ends of what it could not parse, in pairs. What was defined inside all the same is understood, and so are
 * comments; of the rest a stretch counts when it has two words: a stray mark or a single name declares nothing, and what
 * is around it was read. Lines with something that was cut out of the text to read the others count in any case.
 *
 * About linear in what is broken and the definitions; asked for only where something is.
 */
export function brokenLines(
  text: string,
  { broken, cuts }: { broken: readonly number[]; cuts: readonly number[] },
  { lines, definitions, comments }: Pick<FileFacts, 'lines' | 'definitions' | 'comments'>,
): Int32Array {
  if (broken.length + cuts.length === 0) return new Int32Array(0);
  const errors = joinRanges(rangesOf(new Pairs(Int32Array.from(broken))));
  const readRanges = joinRanges([
    ...rangesWithin(rangesOf(definitions), errors),
    ...rangesWithin(rangesOf(comments), errors),
  ]);
  const missed = rangesOf(new Pairs(Int32Array.from(cuts))).map(({ start, end }) => ({
    start: lineOf(lines, start) + 1,
    end: lineOf(lines, Math.max(start, end - 1)) + 2,
  }));
  for (const { start, end } of subtractRanges(errors, readRanges)) {
    const words = [...text.slice(start, end).matchAll(WORD)].filter(([, word]) => word !== undefined);
    const [first, last] = [words[0], words.at(-1)];
    if (words.length < WORDS_OF_A_DECLARATION || first === undefined || last === undefined) continue;
    missed.push({ start: lineOf(lines, start + first.index) + 1, end: lineOf(lines, start + last.index) + 2 });
  }
  return Int32Array.from(joinRanges(missed).flatMap(({ start, end }) => [start, end - 1]));
}

function rangesOf(rows: Table<typeof PAIR>): Range[] {
  return Array.from({ length: rows.count }, (_, row) => ({ start: rows.start(row), end: rows.end(row) }));
}

/** Ranges as a set: ascending, those that overlap or touch made one. */
function joinRanges(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last === undefined || start > last.end) all.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return all;
}

/** The ranges that lie inside one of a set. */
function rangesWithin(ranges: readonly Range[], set: readonly Range[]): Range[] {
  return ranges.filter(({ start, end }) => {
    let [low, high] = [0, set.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((set[middle]?.end ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    return (set[low]?.start ?? Infinity) <= start;
  });
}

/** Returns a set of ranges without another. */
function subtractRanges(set: readonly Range[], other: readonly Range[]): Range[] {
  const remaining: Range[] = [];
  let next = 0;
  for (const { start, end } of set) {
    let from = start;
    for (; next < other.length && (other[next]?.end ?? 0) <= end; next += 1) {
      remaining.push({ start: from, end: Math.max(from, other[next]?.start ?? from) });
      from = Math.max(from, other[next]?.end ?? from);
    }
    remaining.push({ start: from, end });
  }
  return remaining;
}
