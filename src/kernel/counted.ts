/** A number with what it counts: `1 file`, `0 files`, `2 hypotheses`. */
export function counted(count: number, singular: string, many = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : many}`;
}
