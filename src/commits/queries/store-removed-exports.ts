import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import type { RemovedExport } from '../classify/breaking.ts';
import { commitIds } from './store-commits.ts';
import type { CommitFilter } from './store-filter.ts';
import { commitId } from './store-range.ts';

/** Commits of a history, the newest, whose removed exports are looked for. */
export const MOST_LOOKED_INTO = 20_000;

/** The commits of a question: some by object id, or those of a filter, at most 20,000. */
export type RemovalRequest = { shas: readonly string[] } | { filter: CommitFilter };

/** The stored removals of the commits of a question. */
export interface StoredRemovals {
  /** Commits that took exported names away. */
  removed: { sha: string; removed: RemovedExport[] }[];
  /** Commits that were not looked into yet. */
  pending: number;
  /** Commits that are older than those that are looked into. */
  beyond: number;
  /** Commits of which it cannot be known: contents are missing. */
  unknown: number;
}

/** The examined commits: from the first to the last of these ids, both included. `isWhole` when nothing remains. */
export interface RemovalState {
  first: number;
  last: number;
  isWhole: boolean;
}

/** The exported names that commits removed, as far as they were looked for. 2 µs a commit. */
export function storedRemovals(db: ShardDatabase, request: RemovalRequest): StoredRemovals {
  const ids =
    'shas' in request
      ? request.shas.flatMap((sha) => commitId(db, sha) ?? [])
      : commitIds(db, { filter: request.filter, limit: MOST_LOOKED_INTO });
  const state = removalState(db);
  const removals = readRemovals(db);
  const stored: StoredRemovals = { removed: [], pending: 0, beyond: 0, unknown: 0 };
  const shaOf = db.prepare('select sha from git_commit where id = ?');
  for (const id of ids) {
    if (state === undefined || id > state.last || (id < state.first && !state.isWhole)) stored.pending += 1;
    else if (id < state.first) stored.beyond += 1;
    const { removed, isUnknown } = removals.get(id) ?? { removed: [], isUnknown: false };
    if (isUnknown) stored.unknown += 1;
    if (removed.length > 0) stored.removed.push({ sha: (shaOf.get(id) as { sha: string }).sha, removed });
  }
  return stored;
}

/** Returns which commits have been examined; undefined before the first time. The first commit takes nothing away. */
function removalState(db: ShardDatabase): RemovalState | undefined {
  const row = db.prepare('select first_commit as first, last_commit as last, whole from removed_export_state').get() as
    | { first: number; last: number; whole: number }
    | undefined;
  if (row !== undefined) return { first: row.first, last: row.last, isWhole: row.whole === 1 };
  const newest = newestCommit(db);
  return newest > 1 ? undefined : { first: 1, last: newest, isWhole: true };
}

/** True if every commit of the history that has to be examined was. */
export function isLookedInto(db: ShardDatabase): boolean {
  const state = removalState(db);
  return state !== undefined && state.isWhole && state.last === newestCommit(db);
}

/** The id of the newest commit, 0 without any. */
export function newestCommit(db: ShardDatabase): number {
  const { newest } = db.prepare('select coalesce(max(id), 0) as newest from git_commit').get() as { newest: number };
  return newest;
}

function readRemovals(db: ShardDatabase): ReadonlyMap<number, { removed: RemovedExport[]; isUnknown: boolean }> {
  return db.derived('removed_exports', () => {
    const rows = db
      .prepare(
        `select commit_id as id, p.path, names from removed_export join path p on p.id = path_id
          where names is null or names <> '[]' order by commit_id, path_id`,
      )
      .all() as { id: number; path: string; names: string | null }[];
    const removals = new Map<number, { removed: RemovedExport[]; isUnknown: boolean }>();
    for (const { id, path, names } of rows) {
      const removal = removals.get(id) ?? { removed: [], isUnknown: false };
      removals.set(id, removal);
      if (names === null) removal.isUnknown = true;
      // Written by `writeRemovedExports` as a list of names.
      else removal.removed.push(...(JSON.parse(names) as string[]).map((name) => ({ path, name })));
    }
    return removals;
  });
}
