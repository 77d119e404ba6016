import type { Key } from '../../src/keys/key-bodies.ts';

export type Column = 'name' | 'created_at' | 'last_used_at' | 'expires_at';

export interface KeySort {
  column: Column;
  isDescending: boolean;
}

/** By the column; keys without a value (never used, never expiring) come last either way, ties by name. */
export function sortKeys<Row extends Key>(keys: readonly Row[], { column, isDescending }: KeySort): Row[] {
  return keys.toSorted((a, b) => {
    const [left, right] = [a[column], b[column]];
    if (left === null || right === null) return left === right ? a.name.localeCompare(b.name) : left === null ? 1 : -1;
    const order = isDescending ? right.localeCompare(left) : left.localeCompare(right);
    return order === 0 ? a.name.localeCompare(b.name) : order;
  });
}
