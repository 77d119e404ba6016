import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { OTHER_LINES } from '../mine/history-schema.ts';

/**
 * A selection of commits. Times are seconds since 1970 and mean when a commit came into the history; commits are object ids of
 * this history.
 */
export interface HistoryRange {
  /** From this moment on. */
  since?: number | undefined;
  /** Until this moment, itself included. */
  until?: number | undefined;
  /** Leaves out these commits and all before them. */
  after?: readonly string[] | undefined;
  /** Only this commit and those before it. */
  at?: string | undefined;
}

/** A commit of the history to which a name of a client resolves. */
export interface ResolvedCommit {
  sha: string;
  /** Committer date, in seconds since 1970. */
  time: number;
}

/** The parents of all commits, by id: the first ones in an array, further ones (of merges) apart. 0 is none. */
export interface CommitGraph {
  first: Int32Array;
  others: Map<number, readonly number[]>;
}

/** Most candidates of a shortened object id that are told. */
const MOST_CANDIDATES = 5;

/**
 * The commits that a name may mean: an object id of 4 digits or more, or a tag, with `~3` or `^` for commits before it
 * along first parents. None when it is not in this history; several when a shortened id is not enough.
 */
export function findCommits(db: ShardDatabase, { name }: { name: string }): ResolvedCommit[] {
  const [, base, carets = '', steps] = /^(.+?)(?:(\^+)|~(\d{1,6}))$/.exec(name) ?? [];
  if (base === undefined) return namedCommits(db, name);
  const graph = commitGraph(db);
  const statement = db.prepare('select sha, committed_at as time from git_commit where id = ?');
  return namedCommits(db, base).flatMap(({ sha }) => {
    let id = commitId(db, sha) ?? 0;
    for (let remaining = Number(steps ?? carets.length); remaining > 0 && id > 0; remaining -= 1)
      id = graph.first[id] ?? 0;
    return statement.all(id) as unknown as ResolvedCommit[];
  });
}

function namedCommits(db: ShardDatabase, name: string): ResolvedCommit[] {
  const tagged = db
    .prepare('select c.sha, c.committed_at as time from tag t join git_commit c on c.sha = t.sha where t.name = ?')
    .all(name) as unknown as ResolvedCommit[];
  if (tagged.length > 0) return tagged;
  const digits = name.toLowerCase();
  if (!/^[0-9a-f]{4,64}$/.test(digits)) return [];
  // 'g' comes after every hexadecimal digit.
  return db
    .prepare('select sha, committed_at as time from git_commit where sha >= ? and sha < ? limit ?')
    .all(digits, `${digits}g`, MOST_CANDIDATES) as unknown as ResolvedCommit[];
}

/** The newest commit of the history and how many there are. Reads all commits once for an open shard. */
export function historyEnd(db: ShardDatabase, _none: object): { commits: number; newest: number } {
  return db.derived('history_end', () => {
    const row = db
      .prepare('select count(*) as commits, coalesce(max(committed_at), 0) as newest from git_commit')
      .get();
    return row as { commits: number; newest: number };
  });
}

/** Tags that point into this history, in the order of their commits. */
export function tagsByCommit(db: ShardDatabase): { name: string; commit: number; time: number }[] {
  const tags = db
    .prepare(
      'select t.name, c.id as "commit", t.time from tag t join git_commit c on c.sha = t.sha order by c.id, t.name',
    )
    .all() as unknown as { name: string; commit: number; time: number }[];
  const line = reachable(db, {});
  return line === undefined ? tags : tags.filter(({ commit }) => line[commit] === 1);
}

/** A version at the end of a tag: `v1.2.0`, `1.2.0`, `mail@1.2.0`, `release-1.2`. */
const VERSION_OF_TAG = /(?:^|[^\d.])(\d+(?:\.\d+)+.*)$/;

/** Tags of some versions, in the order of these; of tags for one version the newest first. */
export function tagsOfVersions(
  db: ShardDatabase,
  { versions }: { versions: readonly string[] },
): { name: string; sha: string }[] {
  const tags = tagsByCommit(db).toReversed();
  const select = db.prepare('select sha from git_commit where id = ?');
  return versions.flatMap((version) =>
    tags
      .filter(({ name }) => VERSION_OF_TAG.exec(name)?.[1] === version)
      .map(({ name, commit }) => ({ name, sha: (select.get(commit) as { sha: string }).sha })),
  );
}

/** Id of the newest commit. */
export function newestCommit(db: ShardDatabase): number {
  return commitId(db, db.meta.values['commit'] ?? '') ?? 0;
}

/** Id of a commit, or nothing. */
export function commitId(db: ShardDatabase, sha: string): number | undefined {
  return (db.prepare('select id from git_commit where sha = ?').get(sha) as { id: number } | undefined)?.id;
}

/**
 * One byte a commit id: 1 for those that `after` and `at` leave, and that the newest commit reaches where the shard holds other
 * lines too; nothing where these are all.
 */
export function reachable(db: ShardDatabase, range: HistoryRange): Uint8Array | undefined {
  const { after } = range;
  const hasOthers = (db.meta.values[OTHER_LINES] ?? '') !== '';
  const at = range.at ?? (hasOthers ? db.meta.values['commit'] : undefined);
  if (at === undefined && (after === undefined || after.length === 0)) return undefined;
  const graph = commitGraph(db);
  const mask = new Uint8Array(graph.first.length);
  if (at === undefined) mask.fill(1);
  else markAncestors(graph, [commitId(db, at) ?? 0], mask, 1);
  if (after !== undefined)
    markAncestors(
      graph,
      after.map((sha) => commitId(db, sha) ?? 0),
      mask,
      0,
    );
  return mask;
}

/** The parents of all commits. Read once for an open shard: about 0.1 s for 100,000 commits. */
export function commitGraph(db: ShardDatabase): CommitGraph {
  return db.derived('commit_graph', () => {
    const { last } = db.prepare('select coalesce(max(id), 0) as last from git_commit').get() as { last: number };
    const graph = { first: new Int32Array(last + 1), others: new Map<number, readonly number[]>() };
    for (const { id, parents } of db.prepare('select id, parents from git_commit').iterate() as Iterable<{
      id: number;
      parents: string;
    }>) {
      const space = parents.indexOf(' ');
      graph.first[id] = parentId(space === -1 ? parents : parents.slice(0, space));
      if (space !== -1)
        graph.others.set(
          id,
          parents
            .slice(space + 1)
            .split(' ')
            .map(parentId)
            .filter((parent) => parent > 0),
        );
    }
    return graph;
  });
}

/** An object id in full stands for a parent that is not here. */
function parentId(text: string): number {
  return text.length > 0 && text.length < 40 ? Number(text) : 0;
}

/** Gives all commits from `heads` back to the first the value; stops where it stands already. */
export function markAncestors(graph: CommitGraph, heads: readonly number[], mask: Uint8Array, value: 0 | 1): void {
  const open = heads.filter((id) => id > 0);
  const visited = new Uint8Array(mask.length);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (let at = id; at > 0 && visited[at] === 0; at = graph.first[at] ?? 0) {
      visited[at] = 1;
      mask[at] = value;
      for (const other of graph.others.get(at) ?? []) open.push(other);
    }
  }
}
