/** Highest share of false alarms among the reported bursts. */
const FALSE_SHARE = 0.05;

/** The probability of `count` or more where `mean` are expected (Poisson). */
export function poissonTail(count: number, mean: number): number {
  if (count <= 0) return 1;
  let term = Math.exp(-mean);
  let below = term;
  for (let k = 1; k < count; k += 1) {
    term *= mean / k;
    below += term;
  }
  if (below < 0.999_999) return Math.max(0, 1 - below);
  // Far out the difference is lost; there the first terms of the tail are nearly all of it.
  let tail = 0;
  term *= mean / count;
  for (let k = count + 1; term > tail * 1e-12; k += 1) {
    tail += term;
    term *= mean / k;
  }
  return tail;
}

/** Marks the p-values that are significant at a fixed share of false ones (Benjamini-Hochberg). */
export function findSurprising(chances: readonly number[]): boolean[] {
  const order = chances.map((chance, index) => ({ chance, index })).toSorted((a, b) => a.chance - b.chance);
  const last = order.findLastIndex(({ chance }, rank) => chance <= (FALSE_SHARE * (rank + 1)) / chances.length);
  const result = chances.map(() => false);
  for (const { index } of order.slice(0, last + 1)) result[index] = true;
  return result;
}
