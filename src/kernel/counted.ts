/** A number with what it counts: `1 file`, `0 files`, `2 hypotheses`. */
export function counted(count: number, singular: string, many = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : many}`;
}

/** Sums of counts by name: of all names in the order in which they come, or of some, which may be 0. */
export function sumCounts<Name extends string>(
  counts: readonly Partial<Record<Name, number>>[],
  names: readonly Name[] = counts.flatMap((one) => Object.keys(one) as Name[]),
): Record<string, number> {
  const sum = (name: Name): number => counts.reduce((all, one) => all + (one[name] ?? 0), 0);
  return Object.fromEntries(Array.from(new Set(names), (name) => [name, sum(name)]));
}
