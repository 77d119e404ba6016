import type { RepositoryRow } from './store.ts';

/** How a reference may mean a repository, the strictest way first. */
const WAYS: ((row: Named, reference: string) => boolean)[] = [
  (row, reference) => row.id === reference,
  (row, reference) => row.name === reference,
  (row, reference) => isSame(row.name, reference),
  (row, reference) => row.fullName !== null && isSame(row.fullName, reference),
];

type Named = Pick<RepositoryRow, 'id' | 'name' | 'fullName'>;

/**
 * The repositories that a reference means: by id, else by name, else by name in another case, else by `owner/name`. Several
 * only where the same way fits several.
 */
export function bestMatches<Row extends Named>(rows: readonly Row[], reference: string): Row[] {
  for (const fits of WAYS) {
    const found = rows.filter((row) => fits(row, reference));
    if (found.length > 0) return found;
  }
  return [];
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
