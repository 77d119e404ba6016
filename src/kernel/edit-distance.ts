/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let twoBack: number[] = [];
  let oneBack = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let at = 1; at <= b.length; at++) {
      const cost = a[row - 1] === b[at - 1] ? 0 : 1;
      const swapped = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      current[at] = Math.min(
        (oneBack[at] ?? 0) + 1,
        (current[at - 1] ?? 0) + 1,
        (oneBack[at - 1] ?? 0) + cost,
        swapped ? (twoBack[at - 2] ?? 0) + 1 : Infinity,
      );
    }
    [twoBack, oneBack] = [oneBack, current];
  }
  return oneBack[b.length] ?? 0;
}
