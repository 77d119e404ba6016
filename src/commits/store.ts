import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { GitTag } from '../platform/git-refs.ts';
import type { LoggedCommit } from './git-log.ts';

/** Kind and version of the history shard. Readers take no other; a changed table needs a new version. */
export const HISTORY_KIND = 'history';
export const HISTORY_VERSION = 3;

/**
 * Commit ids rise from parents to children. `counted` is 0 where lines are not known because contents are missing;
 * `added` and `deleted` are null there, for binary files and for those beyond 512 KiB. Times are seconds since 1970.
 */
const TABLES = `
  create table author (
    id integer primary key,
    name text not null,
    email text not null,
    unique (name, email)
  ) strict;
  create table path (
    id integer primary key,
    path text not null unique
  ) strict;
  create table git_commit (
    id integer primary key,
    sha text not null unique,
    parents integer not null,
    author_id integer not null,
    authored_at integer not null,
    committed_at integer not null,
    counted integer not null,
    subject text not null,
    body text not null
  ) strict;
  create table file_change (
    path_id integer not null,
    commit_id integer not null,
    status text not null,
    added integer,
    deleted integer,
    old_path_id integer,
    primary key (path_id, commit_id)
  ) strict, without rowid;
  create index file_change_by_commit on file_change (commit_id);
  create table tag (
    name text primary key,
    sha text not null,
    time integer not null
  ) strict, without rowid`;

/** Counts over the whole shard. */
export interface HistoryTotals {
  commits: number;
  changes: number;
  /** Commits whose lines are not known. */
  uncounted: number;
}

/** Writes a history shard. `append` adds to what is there. */
export interface HistoryWriter {
  /** Commits oldest first, after all that are there. */
  append(commits: readonly LoggedCommit[]): void;
  /** Replaces all tags. */
  replaceTags(tags: readonly GitTag[]): void;
  totals(): HistoryTotals;
}

/** Opens a new or copied history shard for writing, inside the transaction of `buildShard`. */
export function openHistoryWriter(db: DatabaseSync, isNew: boolean): HistoryWriter {
  if (isNew) db.exec(TABLES);
  const authors = idsOf(
    db,
    'select id, name, email from author',
    'insert into author (id, name, email) values (?, ?, ?)',
  );
  const paths = idsOf(db, 'select id, path from path', 'insert into path (id, path) values (?, ?)');
  const insertCommit = db.prepare(`
    insert into git_commit (id, sha, parents, author_id, authored_at, committed_at, counted, subject, body)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  // Malformed trees exist that hold one name twice: the first counts.
  const insertChange = db.prepare(`
    insert or ignore into file_change (path_id, commit_id, status, added, deleted, old_path_id)
    values (?, ?, ?, ?, ?, ?)`);
  const insertTag = db.prepare('insert into tag (name, sha, time) values (?, ?, ?)');
  let last = numberOf(db, 'select coalesce(max(id), 0) as value from git_commit');
  return {
    append: (commits) => {
      for (const one of commits) {
        last += 1;
        const author = authors(one.authorName, one.authorEmail);
        const { sha, parents, authoredAt, committedAt, counted, subject, body } = one;
        insertCommit.run(last, sha, parents, author, authoredAt, committedAt, counted ? 1 : 0, subject, body);
        for (const { path, status, added, deleted, oldPath } of one.changes) {
          const old = oldPath === undefined ? null : paths(oldPath);
          insertChange.run(paths(path), last, status, added ?? null, deleted ?? null, old);
        }
      }
    },
    replaceTags: (tags) => {
      db.exec('delete from tag');
      for (const { name, target, time } of tags) insertTag.run(name, target, time);
    },
    totals: () => ({
      commits: last,
      changes: numberOf(db, 'select count(*) as value from file_change'),
      uncounted: numberOf(db, 'select count(*) as value from git_commit where counted = 0'),
    }),
  };
}

/** Gives each distinct key a number, in order of appearance, and writes it when it is new. */
function idsOf(db: DatabaseSync, select: string, insert: string): (...key: string[]) => number {
  const ids = new Map<string, number>();
  const known: StatementSync = db.prepare(select);
  known.setReturnArrays(true);
  for (const [id, ...key] of known.all() as unknown as [number, ...string[]][]) ids.set(key.join('\0'), id);
  const write = db.prepare(insert);
  return (...key) => {
    const name = key.join('\0');
    const found = ids.get(name);
    if (found !== undefined) return found;
    const id = ids.size + 1;
    ids.set(name, id);
    write.run(id, ...key);
    return id;
  };
}

function numberOf(db: DatabaseSync, statement: string): number {
  // `count` and `max` over integers give one number.
  return (db.prepare(statement).get() as { value: number }).value;
}
