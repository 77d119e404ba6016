import { forEachMatch } from '../../code/code.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type BlockCommit, readBlock } from '../mine/change-blocks.ts';
import type { CommitClass } from '../classify/classify.ts';
import { peopleOfHistory } from './people.ts';
import { type HistoryRange, reachable } from './store-range.ts';

/** Narrows a question to commits. */
export interface CommitFilter {
  range: HistoryRange;
  /**
   * A file (the end of its path is enough if no other has it), a folder or a glob that the commits touch. Names that its
   * files had before count too.
   */
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
  omitted: Uint8Array;
}

/** The paths that a filter holds. */
interface PathFilter {
  mask: Uint8Array;
  /** Earlier names of its files, each with the last commit in which it counts: the one that renamed it. */
  until: ReadonlyMap<number, number>;
}

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
      if (pathFilter !== undefined && !touchesPath(pathFilter, commit)) continue;
      visit(commit);
    }
  }
}

/** A rename touches both its names. */
function touchesPath(filter: PathFilter, { id, changes }: BlockCommit): boolean {
  return changes.some(
    ({ path, oldPath }) => isInPath(filter, path, id) || (oldPath !== undefined && isInPath(filter, oldPath, id)),
  );
}

export function isInPath({ mask, until }: PathFilter, path: number, commit: number): boolean {
  return mask[path] === 1 && commit <= (until.get(path) ?? Number.MAX_SAFE_INTEGER);
}

/** True if a path of the newest commit is one that was named, not a name that such a file had before. */
export function isNowInPath(filter: PathFilter | undefined, path: number): boolean {
  return filter === undefined || (filter.mask[path] === 1 && !filter.until.has(path));
}

export function pathTable(db: ShardDatabase): PathTable {
  return db.derived('path_table', () => {
    const rows = db.prepare(`select path, alive, left_out <> '' as omitted from path order by id`).all() as {
      path: string;
      alive: number;
      omitted: number;
    }[];
    return {
      paths: ['', ...rows.map(({ path }) => path)],
      alive: Uint8Array.from([0, ...rows.map(({ alive }) => alive)]),
      omitted: Uint8Array.from([0, ...rows.map(({ omitted }) => omitted)]),
    };
  });
}

/** The paths, past and present, that a file, folder or glob means; nothing for all. A path that names nothing gives zeros. */
export function filterByPath(db: ShardDatabase, path: string | undefined): PathFilter | undefined {
  const pattern = (path ?? '')
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  if (pattern === '' || pattern === '.') return undefined;
  const { paths } = pathTable(db);
  const mask = new Uint8Array(paths.length);
  const at = (text: string) => db.prepare('select id from path where path = ?').get(text) as { id: number } | undefined;
  // '0' is the character after '/'.
  const inside = db.prepare('select id from path where path >= ? and path < ?').all(`${pattern}/`, `${pattern}0`) as {
    id: number;
  }[];
  const exact = at(pattern) ?? (inside.length > 0 ? undefined : fileEndingWith(db, pattern));
  for (const { id } of inside) mask[id] = 1;
  if (exact !== undefined) mask[exact.id] = 1;
  else if (inside.length === 0 && /[*?[{]/.test(pattern)) {
    const joined = db.derived('path_lines', () => paths.map((file) => file.replaceAll('\n', ' ')).join('\n'));
    forEachMatch(joined, pattern, (index) => (mask[index] = 1));
    mask[0] = 0;
  }
  return { mask, until: addEarlierNames(db, mask) };
}

/**
 * Adds to a mask the names that its files had before, and returns for each of these the last commit in which it was such a
 * file: what stands at an old name afterwards is another file. A file that was in the mask only on its way to somewhere else
 * brings no earlier names, unless nothing in the mask is there any more.
 */
function addEarlierNames(db: ShardDatabase, mask: Uint8Array): Map<number, number> {
  const { alive } = pathTable(db);
  const { byNew, movedAway } = db.derived('renames_by_new_path', () => readRenames(db));
  const members = [...mask.keys()].filter((id) => mask[id] === 1);
  const isGone = !members.some((id) => alive[id] === 1);
  const until = new Map<number, number>();
  const open = members
    .filter((id) => isGone || alive[id] === 1 || movedAway[id] !== 1)
    .map((path) => ({ path, latest: Number.MAX_SAFE_INTEGER }));
  /** Members by the last commit up to which their earlier names are followed. */
  const followed = new Map(open.map(({ path, latest }) => [path, latest]));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { old, commit } of byNew.get(next.path) ?? []) {
      if (commit > next.latest) continue;
      // Renamed inside of what was named: the old name counts by itself, and its own earlier names are those of the file.
      const isMember = mask[old] === 1 && !until.has(old);
      const latestByPath = isMember ? followed : until;
      if (commit <= (latestByPath.get(old) ?? 0)) continue;
      latestByPath.set(old, commit);
      mask[old] = 1;
      open.push({ path: old, latest: commit });
    }
  }
  return until;
}

interface Renames {
  byNew: Map<number, { old: number; commit: number }[]>;
  /** By path id, 1 for one that was ever renamed. */
  movedAway: Uint8Array;
}

function readRenames(db: ShardDatabase): Renames {
  const rows = db
    .prepare(
      'select path_id as path, old_path_id as old, commit_id as "commit" from file_change where old_path_id is not null',
    )
    .iterate() as Iterable<{ path: number; old: number; commit: number }>;
  const renames: Renames = { byNew: new Map(), movedAway: new Uint8Array(pathTable(db).paths.length) };
  for (const { path, old, commit } of rows) {
    if (path === old) continue;
    renames.movedAway[old] = 1;
    const before = renames.byNew.get(path);
    if (before === undefined) renames.byNew.set(path, [{ old, commit }]);
    else before.push({ old, commit });
  }
  return renames;
}

/** The one file of the newest commit whose path ends with this one (`client.ts`, `mail/client.ts`). */
function fileEndingWith(db: ShardDatabase, suffix: string): { id: number } | undefined {
  const [file, other] = db
    .prepare("select id from path where alive = 1 and substr(path, -length(?1) - 1) = '/' || ?1 limit 2")
    .all(suffix) as { id: number }[];
  return other === undefined ? file : undefined;
}

/** The names that a file had before, each with the commit that took it away. */
export function earlierNames(db: ShardDatabase, path: number): Map<number, number> {
  const mask = new Uint8Array(pathTable(db).paths.length);
  mask[path] = 1;
  return addEarlierNames(db, mask);
}

/** Authors one of whose names or addresses holds the text, and commits of which somebody called so is a co-author. */
function authorMask(
  db: ShardDatabase,
  author: string | undefined,
): { ids: Uint8Array; commits: ReadonlySet<number> } | undefined {
  const authorText = author?.trim().toLowerCase() ?? '';
  if (authorText === '') return undefined;
  const { of, people } = peopleOfHistory(db);
  const isNamed = people.map(({ spellings }) => spellings.some((spelling) => spelling.includes(authorText)));
  const ids = Uint8Array.from(of, (person) => Number(isNamed[person] === true));
  const trailers = db.prepare(
    `select commit_id as "commit", value from trailer where key = 'Co-authored-by' collate nocase`,
  );
  const commits = new Set<number>();
  for (const { commit, value } of trailers.iterate() as Iterable<{ commit: number; value: string }>)
    if (value.toLowerCase().includes(authorText)) commits.add(commit);
  return { ids, commits };
}
