import type { SearchRow } from '../../src/search/search-bodies.ts';

interface FileRows {
  repo: string;
  path: string;
  rows: SearchRow[];
}

/** Rows under their file. Files stand in the order of their best row, rows as they came. */
export function groupByFile(rows: readonly SearchRow[]): FileRows[] {
  const files = new Map<string, FileRows>();
  for (const row of rows) {
    const key = `${row.repo}\n${row.path}`;
    const file = files.get(key) ?? { repo: row.repo, path: row.path, rows: [] };
    file.rows.push(row);
    files.set(key, file);
  }
  return [...files.values()];
}
