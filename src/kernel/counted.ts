/** A number with what it counts: `1 file`, `0 files`, `2 hypotheses`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
