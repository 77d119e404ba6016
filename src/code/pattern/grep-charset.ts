/**
 * A set of UTF-16 units as ascending, disjoint, non-adjacent ranges: first, last, first, last … Sets are of single lines:
 * a line feed is in none of them.
 */
export type CharSet = readonly number[];

const LAST_UNIT = 0xffff;
const LINE_FEED = 10;

/** Ranges wider than this are not folded one by one: such a set holds both cases anyway. */
const FOLD_LIMIT = 2000;

export const DIGITS: CharSet = [48, 57];
export const WORD_CHARS: CharSet = [48, 57, 65, 90, 95, 95, 97, 122];
export const SPACES: CharSet = union([
  [9, 9, 11, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a],
  [0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff],
]);
export const ANY: CharSet = negate([]);

/** All units of the sets. */
export function union(sets: readonly CharSet[]): CharSet {
  const ranges = sets.flatMap(pairs).toSorted(([a], [b]) => a - b);
  const result: number[] = [];
  for (const [first, last] of ranges) {
    const end = result.at(-1);
    if (end !== undefined && first <= end + 1) result[result.length - 1] = Math.max(end, last);
    else result.push(first, last);
  }
  return result;
}

/** All units that are not in the set, the line feed left out. */
export function negate(set: CharSet): CharSet {
  const result: number[] = [];
  let next = 0;
  for (const [first, last] of pairs(union([set, [LINE_FEED, LINE_FEED]]))) {
    if (first > next) result.push(next, first - 1);
    next = last + 1;
  }
  if (next <= LAST_UNIT) result.push(next, LAST_UNIT);
  return result;
}

/** The set with both cases of its letters. */
export function foldCase(set: CharSet): CharSet {
  const more: CharSet[] = [set];
  for (const [first, last] of pairs(set)) {
    if (last - first > FOLD_LIMIT) continue;
    for (let unit = first; unit <= last; unit++) {
      const char = String.fromCharCode(unit);
      for (const other of [char.toLowerCase(), char.toUpperCase()])
        if (other.length === 1 && other !== char) more.push([other.charCodeAt(0), other.charCodeAt(0)]);
    }
  }
  return more.length === 1 ? set : union(more);
}

/**
 * Units with a Unicode property such as `L` or `Script=Greek`, or nothing when there is no such property. Walks all
 * 65,536 units: about 2 ms.
 */
export function propertySet(property: string): CharSet | undefined {
  let test: RegExp;
  try {
    test = new RegExp(`^\\p{${property}}$`, 'u');
  } catch {
    return undefined;
  }
  const result: number[] = [];
  for (let unit = 0; unit <= LAST_UNIT; unit++) {
    if (unit === LINE_FEED || !test.test(String.fromCharCode(unit))) continue;
    if (result.at(-1) === unit - 1) result[result.length - 1] = unit;
    else result.push(unit, unit);
  }
  return result;
}

export function contains(set: CharSet, unit: number): boolean {
  for (let at = 0; at < set.length; at += 2) if (unit <= (set[at + 1] ?? 0)) return unit >= (set[at] ?? LAST_UNIT + 1);
  return false;
}

/** The unit of a set of one; undefined for other sets. A line feed is in no line. */
export function onlyUnit([first, end, ...others]: CharSet): number | undefined {
  return others.length === 0 && first === end && first !== LINE_FEED ? first : undefined;
}

/**
 * The one character a set stands for to an index that folds case, or nothing: a set of one unit, or of the two cases of
 * an ASCII letter. NUL is left out, because it ends an FTS5 query.
 */
export function soleChar(set: CharSet): string | undefined {
  const [first = 0, firstEnd = 0, second, secondEnd] = set;
  if (first === 0 || first !== firstEnd || set.length > 4) return undefined;
  if (second === undefined) return String.fromCharCode(first);
  const isPair = second === secondEnd && second === first + 32 && first >= 65 && first <= 90;
  return isPair ? String.fromCharCode(second) : undefined;
}

function pairs(set: CharSet): [number, number][] {
  const result: [number, number][] = [];
  for (let at = 0; at < set.length; at += 2) result.push([set[at] ?? 0, set[at + 1] ?? 0]);
  return result;
}
