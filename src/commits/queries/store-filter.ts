import { forEachMatch } from '../../code/code.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type BlockCommit, readBlock } from '../mine/change-blocks.ts';
import type { CommitClass } from '../classify/classify.ts';
import { type HistoryRange, reachable } from './store-range.ts';

/** Narrows a question to commits. */
export interface CommitFilter {
  range: HistoryRange;
  /** A file (its earlier names count; the end of its path if no other has it), a folder or a glob that the commits touch. */
  path?: string | undefined;
  /** A part of an author's or co-author's name or address, in any case. */
  author?: string | undefined;
  /** Of one of these types, or breaking when that is asked for; any when there are none. */
  types?: readonly CommitClass['type'][] | undefined;
  breaking?: boolean | undefined;
}

/** Paths by id, in arrays that many questions need. Index 0 is nobody's. */
export interface PathTable {
  paths: readonly string[];
  /** 1 for paths in the newest commit. */
  alive: Uint8Array;
  /** 1 for lock files, generated and vendored ones. */
  leftOut: Uint8Array;
}

/** Which paths a filter holds. */
interface PathFilter {
  mask: Uint8Array;
  /** Earlier names of a file count in commits up to the one that renamed it. */
  until: ReadonlyMap<number, number>;
}

/** Steps that a file is followed back through renames. */
const MOST_NAMES = 50;

/**
 * Calls with each commit of a filter, newest first. Reads the blocks of the range only: about 15 ms for 100,000 changes.
 *
 */
export function scanCommits(db: ShardDatabase, filter: CommitFilter, visit: (commit: BlockCommit) => void): void {
  const { range } = filter;
  const [since, until] = [range.since ?? 0, range.until ?? Number.MAX_SAFE_INTEGER];
  const mask = reachable(db, range);
  const authors = authorMask(db, filter.author);
  const pathFilter = filterByPath(db, filter.path);
  const types = new Set(filter.types);
  const isAnyType = types.size === 0 && filter.breaking !== true;
  const blocks = db.prepare(
    'select first_commit as first, data from change_block where latest >= ? and earliest <= ? order by first_commit desc',
  );
  for (const { first, data } of blocks.iterate(since, until) as Iterable<{ first: number; data: Uint8Array }>) {
    if (db.cancelled()) return;
    for (const commit of readBlock(first, data).toReversed()) {
      if (commit.time < since || commit.time > until) continue;
      if (mask?.[commit.id] === 0) continue;
      if (!isAnyType && !types.has(commit.type) && !(filter.breaking === true && commit.breaking)) continue;
      if (authors !== undefined && authors.ids[commit.author] !== 1 && !authors.commits.has(commit.id)) continue;
      if (pathFilter !== undefined && !commit.changes.some((change) => isInPath(pathFilter, change.path, commit.id)))
        continue;
      visit(commit);
    }
  }
}

export function isInPath({ mask, until }: PathFilter, path: number, commit: number): boolean {
  return mask[path] === 1 && commit <= (until.get(path) ?? Number.MAX_SAFE_INTEGER);
}

export function pathTable(db: ShardDatabase): PathTable {
  return db.derived('path_table', () => {
    const rows = db.prepare(`select path, alive, left_out <> '' as leftOut from path order by id`).all() as {
      path: string;
      alive: number;
      leftOut: number;
    }[];
    return {
      paths: ['', ...rows.map(({ path }) => path)],
      alive: Uint8Array.from([0, ...rows.map(({ alive }) => alive)]),
      leftOut: Uint8Array.from([0, ...rows.map(({ leftOut }) => leftOut)]),
    };
  });
}

/** The paths, past and present, that a file, folder or glob means; nothing for all. A path that names nothing gives zeros. */
export function filterByPath(db: ShardDatabase, path: string | undefined): PathFilter | undefined {
  const wanted = (path ?? '')
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  if (wanted === '' || wanted === '.') return undefined;
  const { paths } = pathTable(db);
  const mask = new Uint8Array(paths.length);
  const at = (text: string) => db.prepare('select id from path where path = ?').get(text) as { id: number } | undefined;
  // '0' is the character after '/'.
  const inside = db.prepare('select id from path where path >= ? and path < ?').all(`${wanted}/`, `${wanted}0`) as {
    id: number;
  }[];
  const exact = at(wanted) ?? (inside.length > 0 ? undefined : fileEndingWith(db, wanted));
  for (const { id } of inside) mask[id] = 1;
  if (exact !== undefined) mask[exact.id] = 1;
  else if (inside.length === 0 && /[*?[{]/.test(wanted)) {
    const joined = db.derived('path_lines', () => paths.map((file) => file.replaceAll('\n', ' ')).join('\n'));
    forEachMatch(joined, wanted, (index) => (mask[index] = 1));
    mask[0] = 0;
  }
  const until = exact === undefined || inside.length > 0 ? new Map<number, number>() : earlierNames(db, exact.id);
  for (const id of until.keys()) mask[id] = 1;
  return { mask, until };
}

/** The one file of the newest commit whose path ends with this one (`client.ts`, `mail/client.ts`). */
function fileEndingWith(db: ShardDatabase, wanted: string): { id: number } | undefined {
  const [file, other] = db
    .prepare("select id from path where alive = 1 and substr(path, -length(?1) - 1) = '/' || ?1 limit 2")
    .all(wanted) as { id: number }[];
  return other === undefined ? file : undefined;
}

/** The names a file had before, each with the commit that took it away. */
export function earlierNames(db: ShardDatabase, path: number): Map<number, number> {
  const renames = db.prepare(
    'select old_path_id as old, commit_id as "commit" from file_change where path_id = ? and old_path_id is not null and commit_id <= ? order by commit_id desc',
  );
  const names = new Map<number, number>();
  const open = [{ path, until: Number.MAX_SAFE_INTEGER }];
  for (let next = open.pop(); next !== undefined && names.size < MOST_NAMES; next = open.pop()) {
    for (const { old, commit } of renames.all(next.path, next.until) as { old: number; commit: number }[]) {
      if (old === path || names.has(old)) continue;
      names.set(old, commit);
      open.push({ path: old, until: commit });
    }
  }
  return names;
}

/** Authors whose name or address holds the text, and commits of which such a person is a co-author. */
function authorMask(
  db: ShardDatabase,
  author: string | undefined,
): { ids: Uint8Array; commits: ReadonlySet<number> } | undefined {
  const wanted = author?.trim().toLowerCase() ?? '';
  if (wanted === '') return undefined;
  const rows = db.prepare('select id, name, email from author').all() as { id: number; name: string; email: string }[];
  const ids = new Uint8Array(rows.length + 1);
  for (const { id, name, email } of rows) ids[id] = Number(`${name} <${email}>`.toLowerCase().includes(wanted));
  const trailers = db.prepare(
    `select commit_id as "commit", value from trailer where key = 'Co-authored-by' collate nocase`,
  );
  const commits = new Set<number>();
  for (const { commit, value } of trailers.iterate() as Iterable<{ commit: number; value: string }>)
    if (value.toLowerCase().includes(wanted)) commits.add(commit);
  return { ids, commits };
}
