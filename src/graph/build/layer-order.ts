/** Strength of the use of one part by another: `uses[from][to]`. */
type Uses = readonly (readonly number[])[];

/** Longest search for a better order, in rounds over all parts. */
const MOST_ROUNDS = 50;

/**
 * The order, users first, in which the least use goes upwards: a feedback arc set of least weight, found by moving one part at
 * a time to where it costs least until nothing gets better. `prior` (0 at the top) decides where uses do not. Numbers of the
 * parts. Some milliseconds for 40 parts.
 */
export function orderOfLeastFaults(uses: Uses, prior: readonly number[]): number[] {
  const count = uses.length;
  const cost = (above: number, below: number): number =>
    // What the one below uses of the one above goes upwards.
    (uses[below]?.[above] ?? 0) + ((prior[above] ?? 0) > (prior[below] ?? 0) ? TIE : 0);
  let order = startingOrder(uses, prior);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let isBetter = false;
    for (let part = 0; part < count; part += 1) {
      const moved = bestPlace(order, part, cost);
      if (moved === undefined) continue;
      order = moved;
      isBetter = true;
    }
    if (!isBetter) break;
  }
  return order;
}

/** Less than any use. */
const TIE = 1e-4;
/** Sums of the same numbers in another order may differ by this. */
const ROUNDING = 1e-9;

function bestPlace(
  order: readonly number[],
  part: number,
  cost: (above: number, below: number) => number,
): number[] | undefined {
  const at = order.indexOf(part);
  const others = order.filter((other) => other !== part);
  let now = others.reduce((sum, other) => sum + cost(part, other), 0);
  const costs = [now];
  for (const other of others) costs.push((now += cost(other, part) - cost(part, other)));
  let best = at;
  for (const [place, value] of costs.entries()) if (value < (costs[best] ?? 0) - ROUNDING) best = place;
  return best === at ? undefined : [...others.slice(0, best), part, ...others.slice(best)];
}

/** Returns the starting order: parts that use more than they are used come first. */
function startingOrder(uses: Uses, prior: readonly number[]): number[] {
  const balance = uses.map((row, part) => {
    const out = row.reduce((sum, weight) => sum + weight, 0);
    const into = uses.reduce((sum, other) => sum + (other[part] ?? 0), 0);
    return out + into === 0 ? 0 : (out - into) / (out + into);
  });
  return uses
    .map((_, part) => part)
    .toSorted((a, b) => (balance[b] ?? 0) - (balance[a] ?? 0) || (prior[a] ?? 0) - (prior[b] ?? 0) || a - b);
}
