import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { RefRange } from '../../kernel/ref-range.ts';
import type { Caller } from '../../platform/operation/operation.ts';

/** History of one file. */
export interface FileHistory {
  /** Time of the last change, in seconds since 1970; undefined where the history has no such file. */
  lastAt: number | undefined;
  /** Main author, with the part of the file's decayed commits in percent; absent where there is none. */
  owner?: { name: string; percent: number };
}

/** A file that was changed in the same commits as one that was asked about. */
export interface CompanionFile {
  path: string;
  shared: number;
  /** Commits that changed the one asked about. */
  revisions: number;
}

/** Differences between two commits, by the paths and lines of the second. */
export interface Changes {
  files: { path: string; lines: [from: number, to: number][] }[];
  /** Paths that the second has not. */
  removed: string[];
}

/** History of repositories by their code. Slices of the code do not know it. */
export interface CodeHistory {
  /** In the order of the paths. */
  filesOf: (repository: IndexedRepository, paths: readonly string[]) => Promise<FileHistory[]>;
  /** Files that changed with one of the paths, the likeliest to change again first. */
  changedWith: (repository: IndexedRepository, paths: readonly string[]) => Promise<CompanionFile[]>;
  /**
   * Returns what changed between two commits; without an end up to what is indexed, uncommitted changes included,
   * without a beginning from the commit that is checked out.
   *
   * @throws ServiceError `unknown_id` for a name that the repository does not have, `conflict` where git cannot be
   * read.
   */
  changesIn: (repository: IndexedRepository, range: RefRange) => Promise<Changes>;
}

/** Opens the history for one call. */
export type OpenCodeHistory = (caller: Caller, signal: AbortSignal) => CodeHistory;
