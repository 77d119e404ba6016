import type { IndexedFile } from '../extract/indexed-files.ts';
import type { BaseFile } from './base-shard.ts';

/** A file of the new shard: one that stays as it was, or one that was read again. */
export type PlannedFile = { path: string } & (
  | { base: BaseFile; source?: undefined }
  | { base?: undefined; source: ChangedFile }
);

/** A file that is new or has another text. */
export interface ChangedFile {
  file: IndexedFile;
  symbols: number;
  definitions: number;
}

/** Files one after the other that stay as they were, in the old and in the new shard. */
export interface Run {
  /** The first file, and how many there are. */
  first: number;
  files: number;
  /** The first symbol, and how many there are. */
  firstSymbol: number;
  symbols: number;
  /** Shifts of the ids of files and symbols. */
  fileShift: number;
  symbolShift: number;
}

/** Layout of the new shard. Ids are positions, as in `ShardInput`. */
export interface Layout {
  files: readonly PlannedFile[];
  /** First symbol of each file; one more entry than files. */
  firstSymbols: Int32Array;
  symbols: number;
  /** New id of each old file with the same path, changed or not; -1 for those that are gone. */
  fileTo: Int32Array;
  /** New id of each old file that stays as it was, else -1. */
  unchangedTo: Int32Array;
}

/** Lays out the files that stay and those that changed; `gone` are paths that are no files any more. */
export function layOut(base: readonly BaseFile[], changed: readonly ChangedFile[], gone: ReadonlySet<string>): Layout {
  const isRead = new Set(changed.map(({ file }) => file.path));
  const unchangedFiles = base.filter(({ path }) => !isRead.has(path) && !gone.has(path));
  const files: PlannedFile[] = [
    ...unchangedFiles.map((file) => ({ path: file.path, base: file })),
    ...changed.map((file) => ({ path: file.file.path, source: file })),
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const firstSymbols = new Int32Array(files.length + 1);
  const fileTo = new Int32Array(base.length).fill(-1);
  const unchangedTo = new Int32Array(base.length).fill(-1);
  const baseIds = new Map(base.map(({ path, id }) => [path, id]));
  for (const [id, { path, base: file, source }] of files.entries()) {
    firstSymbols[id + 1] = (firstSymbols[id] ?? 0) + (file ?? source).symbols;
    const before = baseIds.get(path);
    if (before !== undefined) fileTo[before] = id;
    if (file !== undefined) unchangedTo[file.id] = id;
  }
  return { files, firstSymbols, symbols: firstSymbols[files.length] ?? 0, fileTo, unchangedTo };
}

/** The files that stay, in runs whose ids have the same shift, with the changed files between them in order. */
export function* runsOf({ files, firstSymbols }: Layout): Generator<Run | { id: number; changed: ChangedFile }> {
  let run: Run | undefined;
  for (const [id, { base, source }] of files.entries()) {
    if (base !== undefined && run !== undefined && base.id === run.first + run.files) {
      run.files += 1;
      run.symbols += base.symbols;
      continue;
    }
    if (run !== undefined) yield run;
    run = undefined;
    if (base === undefined) yield { id, changed: source };
    else {
      const { id: first, firstSymbol, symbols } = base;
      const symbolShift = (firstSymbols[id] ?? 0) - firstSymbol;
      run = { first, files: 1, firstSymbol, symbols, fileShift: id - first, symbolShift };
    }
  }
  if (run !== undefined) yield run;
}
