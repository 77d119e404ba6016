import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { VarintReader } from '../../kernel/varints.ts';
import { type ChangeStatus, readBlock } from '../mine/change-blocks.ts';
import { pathTable } from './store-filter.ts';
import { commitId, tagsByCommit } from './store-range.ts';
import { type CommitRow, commitRows } from './store-commits.ts';
import type { Trailer } from '../classify/trailers.ts';

/** Facts that a search over several corpora needs to compare commits with other hits. */
interface HitTerms {
  /** Commits that the search goes through. */
  documents: number;
  /** Number of them that have each of the terms. */
  having: number[];
  /** The terms that each of the commits has in its message or paths, in the order of the commits. */
  matchedTerms: string[][];
}

/** Returns how common terms are in the history, and which of them some commits have. */
export function hitTerms(
  db: ShardDatabase,
  { terms, shas }: { terms: readonly string[]; shas: readonly string[] },
): HitTerms {
  const ids = new Map(shas.map((sha, at) => [commitId(db, sha) ?? 0, at]));
  const matchedTerms = shas.map((): string[] => []);
  const statement = db.prepare('select documents, postings from term where text = ?');
  const having = terms.map((term) => {
    const row = statement.get(term) as { documents: number; postings: Uint8Array } | undefined;
    const from = new VarintReader(row?.postings ?? new Uint8Array());
    for (let commit = 0; from.more;) {
      commit += from.next();
      from.next();
      const at = ids.get(commit);
      if (at !== undefined) matchedTerms[at]?.push(term);
    }
    return row?.documents ?? 0;
  });
  const documents = Number(db.prepare('select count(*) as commits from git_commit').get()?.['commits'] ?? 0);
  return { documents, having, matchedTerms };
}

/** Returns when each of the paths was changed last, in seconds since 1970; undefined for one that is not in the history. */
export function lastChanges(db: ShardDatabase, { paths }: { paths: readonly string[] }): (number | undefined)[] {
  const last = db.derived('last_changes', () => readLastChanges(db));
  return paths.map((path) => last.get(path));
}

function readLastChanges(db: ShardDatabase): Map<string, number> {
  const { paths } = pathTable(db);
  const last = new Map<string, number>();
  const blocks = db.prepare('select first_commit as first, data from change_block order by first_commit');
  for (const { first, data } of blocks.iterate() as Iterable<{ first: number; data: Uint8Array }>)
    for (const { time, changes } of readBlock(first, data))
      for (const change of changes) {
        const path = paths[change.path] ?? '';
        last.set(path, Math.max(last.get(path) ?? 0, time));
      }
  return last;
}

/** One file of a commit. */
export interface FileRow {
  path: string;
  status: ChangeStatus;
  /** Of a rename. */
  oldPath: string | undefined;
  /** `lock`, `generated`, `vendored` or ''. */
  omitted: string;
  /** True if a file of this path is in the newest commit. */
  alive: boolean;
}

/** Everything that is known of a commit. */
export interface CommitDetail extends CommitRow {
  body: string;
  parents: string[];
  /** Author date, in seconds since 1970. */
  authoredAt: number;
  trailers: Trailer[];
  tags: string[];
  files: FileRow[];
}

/** A commit by its object id in full, or nothing. Files in git's order. */
export function commitDetail(db: ShardDatabase, { sha }: { sha: string }): CommitDetail | undefined {
  const id = commitId(db, sha) ?? 0;
  const [row] = commitRows(db, [id]);
  if (row === undefined) return undefined;
  const { body, parents, authoredAt } = db
    .prepare('select body, parents, authored_at as authoredAt from git_commit where id = ?')
    .get(id) as { body: string; parents: string; authoredAt: number };
  const shaOf = db.prepare('select sha from git_commit where id = ?');
  const trailers = db.prepare('select key, value from trailer where commit_id = ? order by position').all(id);
  return {
    ...row,
    body,
    parents: parents
      .split(' ')
      .filter((parent) => parent !== '')
      .map((parent) => (parent.length >= 40 ? parent : (shaOf.get(Number(parent)) as { sha: string }).sha)),
    authoredAt,
    trailers: trailers as unknown as Trailer[],
    tags: tagsByCommit(db)
      .filter((tag) => tag.commit === id)
      .map(({ name }) => name),
    files: filesOf(db, id),
  };
}

function filesOf(db: ShardDatabase, id: number): FileRow[] {
  const block = db
    .prepare(
      'select first_commit as first, data from change_block where first_commit <= ? order by first_commit desc limit 1',
    )
    .get(id) as { first: number; data: Uint8Array } | undefined;
  if (block === undefined) return [];
  const { paths, alive } = pathTable(db);
  const omitted = db.prepare('select left_out as omitted from path where id = ?');
  const commit = readBlock(block.first, block.data).find((blockCommit) => blockCommit.id === id);
  return (commit?.changes ?? []).map(({ path, status, oldPath }) => ({
    path: paths[path] ?? '',
    status,
    oldPath: oldPath === undefined ? undefined : paths[oldPath],
    omitted: (omitted.get(path) as { omitted: string }).omitted,
    alive: alive[path] === 1,
  }));
}

/** Returns the state of some paths in the history, in their order; one that it never had is not in the newest commit. */
export function pathStates(
  db: ShardDatabase,
  { paths }: { paths: readonly string[] },
): Pick<FileRow, 'omitted' | 'alive'>[] {
  const state = db.prepare('select left_out as omitted, alive from path where path = ?');
  return paths.map((path) => {
    const row = state.get(path) as { omitted: string; alive: number } | undefined;
    return { omitted: row?.omitted ?? '', alive: row?.alive === 1 };
  });
}
