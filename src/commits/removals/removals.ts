import { buildShard, openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { readBlock } from '../mine/change-blocks.ts';
import { isPublicPath } from '../classify/breaking.ts';
import { earlierNames, pathTable } from '../queries/store-filter.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import { findRemovedExports } from './find-removed-exports.ts';
import { HISTORY_FORMAT, HISTORY_VERSION } from '../mine/history-schema.ts';
import { OfferedNames } from './offered-names.ts';
import { isLookedInto, MOST_LOOKED_INTO, newestCommit, type RemovalState } from '../queries/store-removed-exports.ts';

/** A commit with those of its files that may have lost exported names. */
interface PublicChange {
  id: number;
  sha: string;
  /** As they were called before. */
  paths: { id: number; path: string }[];
}

/**
 * The commits above an id, newest first, that changed files whose exports others use; `offered` are such files as of the newest
 * commit, their earlier names count. Reads the blocks of the commits: 0.1 ms a commit.
 */
function publicChanges(
  db: ShardDatabase,
  { offered, above }: { offered: readonly string[]; above: number },
): PublicChange[] {
  const { paths, omitted } = pathTable(db);
  const isPublic = publicPaths(db, offered);
  const commitOf = db.prepare('select sha from git_commit where id = ?');
  const results: PublicChange[] = [];
  const blocks = db.prepare(
    'select first_commit as first, data from change_block where last_commit > ? order by first_commit',
  );
  for (const { first, data } of blocks.iterate(above) as Iterable<{ first: number; data: Uint8Array }>) {
    for (const { id, merge, changes } of readBlock(first, data)) {
      if (merge || id <= above) continue;
      const changed = changes.filter(
        ({ path, oldPath, status }) => status !== 'A' && omitted[path] !== 1 && isPublic(oldPath ?? path),
      );
      if (changed.length === 0) continue;
      const { sha } = commitOf.get(id) as { sha: string };
      const ids = [...new Set(changed.map(({ path, oldPath }) => oldPath ?? path))];
      results.push({
        id,
        sha,
        paths: ids.map((path) => ({ id: path, path: paths[path] ?? '' })),
      });
    }
  }
  return results.toReversed();
}

function publicPaths(db: ShardDatabase, offered: readonly string[]): (path: number) => boolean {
  const { paths } = pathTable(db);
  const idOf = db.prepare('select id from path where path = ?');
  const everOffered = new Set(offered);
  for (const path of offered) {
    const row = idOf.get(path) as { id: number } | undefined;
    if (row !== undefined) for (const id of earlierNames(db, row.id).keys()) everOffered.add(paths[id] ?? '');
  }
  const publicByPath = new Map<number, boolean>();
  return (path) => {
    const isPublicFile = publicByPath.get(path) ?? isPublicPath(paths[path] ?? '', everOffered);
    publicByPath.set(path, isPublicFile);
    return isPublicFile;
  };
}

/** A commit that changes more files reorganises them: its names are elsewhere. */
const MOST_FILES = 60;

/** A task to find removed exports that a history lacks, and its size. Crosses a process border: plain data. */
export interface RemovedExportsTask {
  gitDir: string;
  /** The history shard that is served. It stays as it is. */
  historyFile: string;
  /** Files whose exports are the interface of a package, in the newest commit. */
  offered: readonly string[];
  /** Path at which the shard with the results is written. */
  targetFile: string;
  /** Commits that are looked into, the newest first. */
  most: number;
}

export interface RemovedExportsResult {
  /** Commits that were looked into now. */
  looked: number;
  /** Those that are still to be. */
  remaining: number;
}

/** True if a history shard has the removed exports of all its commits. */
export function hasRemovedExports(historyFile: string): boolean {
  const shard = openShard(historyFile, HISTORY_FORMAT);
  try {
    return isLookedInto(shard);
  } finally {
    shard.close();
  }
}

/**
 * Writes a copy of a history shard with the exported names that commits removed, as far as it lacks them: a commit is looked
 * into once, so a new one costs only itself. Where other files belong to the interface than before, only these are new.
 *
 * @throws the signal's reason when cancelled; a shard that is damaged.
 */
export async function writeRemovedExports(
  task: RemovedExportsTask,
  signal: AbortSignal,
): Promise<RemovedExportsResult> {
  const { historyFile, targetFile, offered, most } = task;
  const shard = openShard(historyFile, HISTORY_FORMAT);
  let work: RemovalWork;
  try {
    work = findWork(shard, offered);
  } finally {
    shard.close();
  }
  const now = work.missing.slice(0, most);
  const removedBySha = await lookInto(task.gitDir, now, signal);
  const next = work.missing[most];
  const state = { ...work.range, isWhole: next === undefined };
  if (next !== undefined) state.first = next.id + 1;
  const plan = { kind: HISTORY_FORMAT.kind, version: HISTORY_VERSION, meta: {}, base: historyFile };
  await buildShard(targetFile, plan, (db) => {
    const remove = db.prepare('delete from removed_export where commit_id = ? and path_id = ?');
    for (const [id, path] of work.outdated) remove.run(id, path);
    const insert = db.prepare('insert or replace into removed_export (commit_id, path_id, names) values (?, ?, ?)');
    for (const { id, sha, paths } of now) {
      const names = removedBySha.get(sha);
      for (const { id: path, path: name } of paths)
        insert.run(id, path, names === undefined ? null : JSON.stringify(names.get(name) ?? []));
    }
    writeState(db, state);
  });
  return { looked: now.length, remaining: work.missing.length - now.length };
}

interface RemovalWork {
  /** Newest first, each with the files of which nothing is known. */
  missing: PublicChange[];
  /** Commits and paths that are kept and no part of the interface any more. */
  outdated: [number, number][];
  /** Ids of the commits that are looked into. */
  range: { first: number; last: number };
}

function findWork(shard: ShardDatabase, offered: readonly string[]): RemovalWork {
  const newest = newestCommit(shard);
  const above = Math.max(0, newest - MOST_LOOKED_INTO);
  const outdated = new Map<number, Set<number>>();
  for (const row of shard.prepare('select commit_id as id, path_id as path from removed_export').iterate()) {
    // The columns of the statement.
    const { id, path } = row as { id: number; path: number };
    const paths = outdated.get(id) ?? new Set();
    outdated.set(id, paths.add(path));
  }
  const missing: PublicChange[] = [];
  for (const commit of publicChanges(shard, { offered, above })) {
    if (commit.paths.length > MOST_FILES) continue;
    const outdatedPaths = outdated.get(commit.id);
    const paths = commit.paths.filter(({ id }) => outdatedPaths?.delete(id) !== true);
    if (paths.length > 0) missing.push({ ...commit, paths });
  }
  return {
    missing,
    outdated: [...outdated].flatMap(([id, paths]) => Array.from(paths, (path): [number, number] => [id, path])),
    range: { first: above + 1, last: newest },
  };
}

async function lookInto(
  gitDir: string,
  commits: readonly PublicChange[],
  signal: AbortSignal,
): Promise<Map<string, ReadonlyMap<string, readonly string[]>>> {
  const candidates = commits.map(({ sha, paths }) => ({ sha, paths: paths.map(({ path }) => path) }));
  if (candidates.length === 0) return new Map();
  await using objects = await openObjects(gitDir);
  return await findRemovedExports({ objects, names: new OfferedNames(), signal }, candidates);
}

function writeState(db: Parameters<Parameters<typeof buildShard>[2]>[0], { first, last, isWhole }: RemovalState): void {
  db.prepare(
    'insert or replace into removed_export_state (id, first_commit, last_commit, whole) values (1, ?, ?, ?)',
  ).run(first, last, Number(isWhole));
}
