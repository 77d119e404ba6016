/**
 * Divides parts that stand in order into at most `most` groups of neighbours, so that as little as possible of what the parts use
 * of each other is inside a group; among equals the one with the most even sizes. `uses[a][b]` says how much part `a` uses of `b`.
 *
 * @returns The places where groups begin, the first one 0.
 */
export function groupLayers(uses: readonly (readonly number[])[], sizes: readonly number[], most: number): number[] {
  const count = sizes.length;
  if (count <= most) return sizes.map((_, at) => at);
  const inner = (from: number, to: number): number => {
    let sum = 0;
    for (let a = from; a < to; a += 1) for (let b = from; b < to; b += 1) if (a !== b) sum += uses[a]?.[b] ?? 0;
    return sum;
  };
  // Of the first `end` parts in `groups` groups: what is inside of them, the squares of their sizes, and where the last begins.
  type Best = { inside: number; squares: number; start: number };
  const none: Best = { inside: Infinity, squares: Infinity, start: 0 };
  let before: Best[] = Array.from({ length: count + 1 }, (_, end) =>
    end === 0 ? { inside: 0, squares: 0, start: 0 } : none,
  );
  const starts: Best[][] = [];
  for (let groups = 1; groups <= most; groups += 1) {
    const next = before.map((): Best => none);
    for (let end = groups; end <= count; end += 1)
      for (let start = groups - 1; start < end; start += 1) {
        const size = sizes.slice(start, end).reduce((sum, own) => sum + own, 0);
        const { inside, squares } = before[start] ?? none;
        const best = { inside: inside + inner(start, end), squares: squares + size * size, start };
        const current = next[end] ?? none;
        if (best.inside < current.inside || (best.inside === current.inside && best.squares < current.squares))
          next[end] = best;
      }
    starts.push(next);
    before = next;
  }
  const begins: number[] = [];
  for (let groups = most, end = count; groups > 0; groups -= 1) {
    end = starts[groups - 1]?.[end]?.start ?? 0;
    begins.unshift(end);
  }
  return begins;
}
