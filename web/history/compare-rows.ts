/** A row of `commit-tool compare`: a file, or below it what happened to one of its symbols. */
export interface CompareRow {
  path: string;
  /** Of a file: `A`, `M`, `D`, `R`, `T`. */
  status?: string;
  old_path?: string;
  plus?: number;
  minus?: number;
  /** Of a symbol: `added`, `removed`, `changed`, `moved`. */
  change?: string;
  kind?: string;
  name?: string;
  line?: number;
  signature?: string;
  before?: string;
  /** Others use it, and it was removed or has another signature. */
  breaking?: boolean;
  reason?: string;
  /** Files that use it. */
  used_in?: string[];
}

export interface ChangedSymbol extends CompareRow {
  change: string;
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

/** Puts symbols under their file, which stands before them, also on the page before. */
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
  /** What the second has since the two diverged. */
  isSinceParting: boolean;
}
