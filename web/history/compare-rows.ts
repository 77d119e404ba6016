import type { CompareRow } from '../../src/commits/outputs/outputs.ts';

export interface ChangedSymbol extends CompareRow {
  change: NonNullable<CompareRow['change']>;
  name: string;
}

/** A file that differs, with its symbols. */
export interface ChangedFile {
  path: string;
  oldPath: string | undefined;
  status: string;
  plus: number | undefined;
  minus: number | undefined;
  symbols: ChangedSymbol[];
}

/** Groups symbols under their file, which precedes them, also on the page before. */
export function changedFiles(rows: readonly CompareRow[]): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (const row of rows) {
    const { path, status, old_path: oldPath, plus, minus, change, name } = row;
    if (status !== undefined) files.push({ path, oldPath, status, plus, minus, symbols: [] });
    else if (change !== undefined && name !== undefined) files.at(-1)?.symbols.push({ ...row, change, name });
  }
  return files;
}

/** Two refs as `commit-tool compare` takes them; an omitted second one is what the index holds. */
export function compareRange({ since, until, isSinceParting }: RefPair): string {
  return `${since}${isSinceParting ? '...' : '..'}${until === '' ? 'HEAD' : until}`;
}

export interface RefPair {
  since: string;
  until: string;
  /** True for the changes of the second since the two diverged. */
  isSinceParting: boolean;
}
