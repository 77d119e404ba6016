import { baseName } from '../../kernel/paths.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { pathTable, scanCommits } from './store-filter.ts';
import { tagsByCommit } from './store-range.ts';

/** A commit of more files says nothing about any of them. */
const MOST_FILES = 100;

/**
 * The files that the newest commits changed and that are still there, the one that changed last first. Merges, commits of
 * programs and those of more than 100 files do not count, nor do lock files and generated ones. Reads the whole history.
 */
export function recentPaths(db: ShardDatabase, { commits, limit }: { commits: number; limit: number }): string[] {
  const { paths, alive, omitted } = pathTable(db);
  const pathIds = new Set<number>();
  let remaining = commits;
  scanCommits(db, { range: {} }, (commit) => {
    if (remaining <= 0 || commit.merge || commit.bot || commit.changes.length > MOST_FILES) return;
    remaining -= 1;
    for (const { path } of commit.changes) if (alive[path] === 1 && omitted[path] !== 1) pathIds.add(path);
  });
  return [...pathIds].slice(0, limit).map((path) => paths[path] ?? '');
}

/** A tag of the history. */
interface HistoryTag {
  name: string;
  /** Seconds since 1970. */
  time: number;
}

/** Tags that point into the history, the newest commit first; at most `limit`. */
export function historyTags(db: ShardDatabase, { limit }: { limit: number }): HistoryTag[] {
  return tagsByCommit(db)
    .toReversed()
    .slice(0, limit)
    .map(({ name, time }) => ({ name, time }));
}

/**
 * Files of the newest commit whose path holds all words of a text, in any case: those whose name does come first, then the
 * shortest, at most `limit`. A pass over all paths: 5 ms for 50,000.
 */
export function filesNamed(db: ShardDatabase, { text, limit }: { text: string; limit: number }): string[] {
  const { paths, alive } = pathTable(db);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isNamed = (path: string): boolean => {
    const name = baseName(path).toLowerCase();
    return words.some((word) => name.includes(word));
  };
  return paths
    .filter((path, id) => alive[id] === 1 && words.every((word) => path.toLowerCase().includes(word)))
    .map((path) => ({ path, isNamed: isNamed(path) }))
    .toSorted(
      (a, b) => Number(b.isNamed) - Number(a.isNamed) || a.path.length - b.path.length || (a.path < b.path ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ path }) => path);
}

/** Most steps that a path is followed: names that go in a circle must end. */
const MOST_RENAMES = 50;

/** A commit that touched one of the paths asked for. */
interface PathCommit {
  sha: string;
  subject: string;
  /** Seconds since 1970. */
  committedAt: number;
}

interface Rename {
  to: number;
  commit: number;
}

/** The commits that a baseline holds: one byte a commit id, 1 for it and everything before it. */
interface Past {
  sha: string;
  holds: Uint8Array;
}

/**
 * Returns the later names of paths after a commit, in order, without their own. After an unknown commit (lost by a forced push)
 * all names count. Cost: all commits and renames are read once a shard and baseline (40 ms for 20,000 commits), then 0.1 ms a
 * path.
 */
export function laterPaths(
  db: ShardDatabase,
  { since, paths }: { since: string; paths: readonly string[] },
): { path: string; later: string[] }[] {
  const past = pastOf(db, since);
  const renames = db.derived('renames_by_old_path', () => renamesByOldPath(db));
  const idOf = db.prepare('select id from path where path = ?');
  const pathOf = db.prepare('select path from path where id = ?');
  return paths.map((path) => {
    const later: string[] = [];
    let id = (idOf.get(path) as { id: number } | undefined)?.id;
    let after = 0;
    while (id !== undefined && later.length < MOST_RENAMES) {
      const laterNames: readonly Rename[] = renames.get(id) ?? [];
      const next = laterNames.find(({ commit }) => commit > after && past?.[commit] !== 1);
      if (next === undefined) break;
      later.push((pathOf.get(next.to) as { path: string }).path);
      after = next.commit;
      id = next.to;
    }
    return { path, later };
  });
}

/** Commits since `since` that touched one of the paths, newest first; of all time without it. None when `since` is not known. */
export function commitsTouching(
  db: ShardDatabase,
  { since, paths, limit }: { since: string | undefined; paths: readonly string[]; limit: number },
): PathCommit[] {
  const past = since === undefined ? new Uint8Array(0) : pastOf(db, since);
  if (past === undefined) return [];
  const pathCommits: PathCommit[] = [];
  const rows = db
    .prepare(
      `select distinct c.id, c.sha, c.subject, c.committed_at as committedAt
         from json_each(?) j join path p on p.path = j.value join file_change f on f.path_id = p.id
         join git_commit c on c.id = f.commit_id order by c.id desc`,
    )
    .iterate(JSON.stringify(paths)) as Iterable<PathCommit & { id: number }>;
  for (const { id, sha, subject, committedAt } of rows) {
    if (past[id] === 1) continue;
    pathCommits.push({ sha, subject, committedAt });
    if (pathCommits.length === limit) break;
  }
  return pathCommits;
}

/** The id of the commit that begins so, in lower case: at least 7 digits, of which only one begins so. */
export function findCommit(db: ShardDatabase, { prefix }: { prefix: string }): string | undefined {
  if (!/^[0-9a-f]{7,64}$/.test(prefix)) return undefined;
  // 'g' comes after the last digit of an id.
  const rows = db.prepare('select sha from git_commit where sha >= ? and sha < ? limit 2').all(prefix, `${prefix}g`);
  return rows.length === 1 ? String(rows[0]?.['sha']) : undefined;
}

/** Returns the commits that a commit includes; undefined when it is not in the history. The last one is cached. */
function pastOf(db: ShardDatabase, sha: string): Uint8Array | undefined {
  const cache = db.derived<{ last: Past | undefined }>('past', () => ({ last: undefined }));
  if (cache.last?.sha === sha) return cache.last.holds;
  const start = db.prepare('select id from git_commit where sha = ?').get(sha) as { id: number } | undefined;
  if (start === undefined) return undefined;
  const holds = new Uint8Array(start.id + 1);
  holds[start.id] = 1;
  // Ids rise from parents to children, so one pass downwards reaches everything before it.
  const rows = db.prepare('select id, parents from git_commit where id <= ? order by id desc').iterate(start.id);
  for (const { id, parents } of rows as Iterable<{ id: number; parents: string }>) {
    if (holds[id] !== 1) continue;
    for (const parent of parents.split(' ')) if (/^\d{1,9}$/.test(parent)) holds[Number(parent)] = 1;
  }
  cache.last = { sha, holds };
  return holds;
}

/** By old path, oldest first. */
function renamesByOldPath(db: ShardDatabase): Map<number, Rename[]> {
  const rows = db
    .prepare(
      `select old_path_id as old, path_id as "to", commit_id as "commit" from file_change
        where old_path_id is not null order by commit_id`,
    )
    .iterate() as Iterable<Rename & { old: number }>;
  const renames = new Map<number, Rename[]>();
  for (const { old, to, commit } of rows) {
    const existing = renames.get(old);
    if (existing === undefined) renames.set(old, [{ to, commit }]);
    else existing.push({ to, commit });
  }
  return renames;
}
