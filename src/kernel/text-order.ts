/** Compares texts by their code units: the same order in every language and on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares names with their counts: most first, and those that are as many by name. */
export function compareCounts([a, count]: readonly [string, number], [b, other]: readonly [string, number]): number {
  return other - count || compareTexts(a, b);
}
