/** A character that a name has more than what is looked for, in edits: a name that holds it is near. */
const COST_OF_MORE = 0.25;

/** The last three rows of the table, for as long as the texts were until now. Nothing is allocated for each of many pairs. */
let rows = [new Uint32Array(64), new Uint32Array(64), new Uint32Array(64)] as const;

/**
 * Insertions, deletions, replacements and swaps of neighbours that turn one text into the other; some number above `most`
 * when there are more than that.
 */
export function editDistance(a: string, b: string, most = Infinity): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const size = b.length + 1;
  if (rows[0].length < size) rows = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)];
  let [twoBack, oneBack, current] = rows;
  for (let at = 0; at < size; at += 1) oneBack[at] = at;
  for (let row = 1; row <= a.length; row += 1) {
    let least = row;
    current[0] = row;
    for (let at = 1; at < size; at += 1) {
      const cost = a[row - 1] === b[at - 1] ? 0 : 1;
      const isSwapped = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      const distance = Math.min(
        (oneBack[at] ?? 0) + 1,
        (current[at - 1] ?? 0) + 1,
        (oneBack[at - 1] ?? 0) + cost,
        isSwapped ? (twoBack[at - 2] ?? 0) + 1 : Infinity,
      );
      current[at] = distance;
      least = Math.min(least, distance);
    }
    // A swap goes on from the row before the last one, and costs one.
    if (least > most + 1) return least;
    [twoBack, oneBack, current] = [oneBack, current, twoBack];
  }
  return oneBack[size - 1] ?? 0;
}

/** A text and the edits that make it another one. */
interface NearSpelling {
  text: string;
  edits: number;
}

/** The texts that are at most `most` edits away from `target`, nearest first, then in the order of characters. */
export function nearSpellings(target: string, texts: Iterable<string>, most: number): NearSpelling[] {
  return Array.from(texts, (text) => ({ text, edits: editDistance(target, text, most) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits || (a.text < b.text ? -1 : 1));
}

/**
 * The names that are spelled most like `query`, in any case: those that hold it or that it holds, then those few edits away. Of
 * equals the one that comes first; at most `limit`.
 */
export function nearestNames(query: string, names: readonly string[], limit: number): string[] {
  const target = query.toLowerCase().slice(0, 100);
  const distance = (name: string): number =>
    name.includes(target) || target.includes(name)
      ? Math.abs(name.length - target.length) * COST_OF_MORE
      : editDistance(target, name);
  return names
    .map((name) => ({ name, distance: distance(name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** From 0 to 1: one minus the edits per character of the longer text; 0 where the lengths alone make it less than `least`. */
export function similarity(a: string, b: string, least: number): number {
  const longer = Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) > longer * (1 - least)) return 0;
  return 1 - editDistance(a, b) / longer;
}
