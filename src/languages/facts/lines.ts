/** The line (from 0) that an offset is on, given the offsets at which lines start. */
export function lineOf(starts: Int32Array, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}
