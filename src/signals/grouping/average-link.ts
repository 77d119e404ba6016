/** Two groups that became one: the smallest members of each, and how alike the groups were. */
interface Merge {
  left: number;
  right: number;
  similarity: number;
}

/**
 * Joins the two groups that are most alike, by the mean over all pairs of their members, until one is left. Follows chains
 * of nearest neighbours, so that `n` texts cost `n²` steps; merges are not in the order of their similarity.
 *
 * @param similarity symmetric, row after row. It is changed.
 * @param weights how many texts each one stands for.
 */
export function averageLink(
  similarity: readonly Float32Array[],
  weights: readonly number[] = similarity.map(() => 1),
): Merge[] {
  const sizes = [...weights];
  const alive = new Set(similarity.keys());
  const merges: Merge[] = [];
  const chain: number[] = [];
  while (alive.size > 1) {
    const [first = 0] = alive;
    if (chain.length === 0) chain.push(first);
    const last = chain.at(-1) ?? first;
    const before = chain.at(-2);
    const { nearest, most } = nearestOf(similarity[last] ?? new Float32Array(), { of: last, alive, before });
    if (nearest !== before) {
      chain.push(nearest);
      continue;
    }
    chain.splice(-2);
    const [left, right] = [Math.min(last, nearest), Math.max(last, nearest)];
    merges.push({ left, right, similarity: most });
    join(similarity, sizes, { left, right, alive });
  }
  return merges;
}

/** The nearest group; of equally near ones the one before in the chain, so that chains end. */
function nearestOf(
  row: Float32Array,
  { of, alive, before }: { of: number; alive: ReadonlySet<number>; before: number | undefined },
): { nearest: number; most: number } {
  let [nearest, most] = [before ?? -1, before === undefined ? -Infinity : (row[before] ?? 0)];
  for (const other of alive) {
    const value = row[other] ?? 0;
    if (other === of || value <= most) continue;
    [nearest, most] = [other, value];
  }
  return { nearest, most };
}

function join(
  similarity: readonly Float32Array[],
  sizes: number[],
  { left, right, alive }: { left: number; right: number; alive: Set<number> },
): void {
  const [ownRow, joined] = [similarity[left], similarity[right]];
  const [size, added] = [sizes[left] ?? 1, sizes[right] ?? 1];
  alive.delete(right);
  for (const group of alive) {
    const row = similarity[group];
    if (group === left || ownRow === undefined || joined === undefined || row === undefined) continue;
    const mean = ((ownRow[group] ?? 0) * size + (joined[group] ?? 0) * added) / (size + added);
    ownRow[group] = mean;
    row[left] = mean;
  }
  sizes[left] = size + added;
}

/** The group of each of `count` members when groups at least as alike as `least` are one: its smallest member. */
export function groupsAt(count: number, merges: readonly Merge[], least: number): number[] {
  const parents = Array.from({ length: count }, (_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root] ?? root;
    parents[at] = root;
    return root;
  };
  for (const { left, right, similarity } of merges) {
    if (similarity < least) continue;
    const [leftRoot, rightRoot] = [rootOf(left), rootOf(right)];
    parents[Math.max(leftRoot, rightRoot)] = Math.min(leftRoot, rightRoot);
  }
  return parents.map((_, at) => rootOf(at));
}
