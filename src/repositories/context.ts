import { join } from 'node:path';
import type { Db } from '../platform/db.ts';
import type { GitTip } from '../platform/git/git-refs.ts';
import { KnownRepositories } from './known.ts';
import type { SourcePolicy } from './source.ts';

/** Most repositories and pairs of commits that are remembered; the oldest is forgotten. */
const REMEMBERED = 1_000;

/** What every function of this slice works on. Made once by `openRepositories`. */
export interface Repositories {
  db: Db;
  /** Holds `repositories/<id>/` of each repository. */
  dataDir: string;
  /** Blobs that no snapshot uses are deleted here. */
  blobs: { delete: (hash: string) => Promise<void> };
  /** What may be added and fetched. */
  policy: SourcePolicy;
  now: () => Date;
  /** What questions look up without a turn at the database. */
  known: KnownRepositories;
  /** What repositories pointed at when last looked at. By repository id. */
  tips: Memory<Sighting>;
  /** Looks at repositories that are under way, and for a while those that ended by their time limit. By repository id. */
  looks: Map<string, Promise<Sighting>>;
  /** Files of checkouts that are not committed. By repository id. */
  uncommitted: Memory<UncommittedCount>;
  /** Commits between two commits, which never changes. */
  distances: Memory<number>;
}

/** Where a repository was and what it pointed at while the signature of its refs was this. */
export interface Sighting {
  gitDir: string;
  /** The top folder of its checkout; absent when it has none, as a mirror. */
  root?: string;
  signature: string;
  tip: GitTip;
}

/** How many files of a checkout were not committed when they were last counted. */
export interface UncommittedCount {
  /** Undefined when they could not be counted, or never were. */
  count: number | undefined;
  /** The commit they were counted from. */
  commit: string;
  /** When the last count ended, on the clock of `performance.now`, and how long it took. */
  countedAt: number;
  tookMs: number;
  /** A count that is under way. */
  counting?: Promise<void>;
}

export interface RepositoriesOptions {
  db: Db;
  dataDir: string;
  blobs: { delete: (hash: string) => Promise<void> };
  policy: SourcePolicy;
  now?: () => Date;
}

/** Holds no resource: nothing to close. */
export function openRepositories(options: RepositoriesOptions): Repositories {
  return {
    now: () => new Date(),
    ...options,
    known: new KnownRepositories(options.db),
    tips: new Memory(),
    looks: new Map(),
    uncommitted: new Memory(),
    distances: new Memory(),
  };
}

/** Where everything lies that is made for a repository besides blobs: its mirror, its facts. Removed with it. */
export function repositoryFolder(context: Repositories, id: string): string {
  return join(context.dataDir, 'repositories', id);
}

/** The bare mirror of a remote repository. */
export function mirrorFolder(context: Repositories, id: string): string {
  return join(repositoryFolder(context, id), 'mirror.git');
}

/** Remembers values by key up to a number; then forgets the one that was set first. */
export class Memory<Value> {
  readonly #values = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > REMEMBERED && oldest !== undefined) this.#values.delete(oldest);
  }
}
