import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackLength, VarintReader } from '../../kernel/varints.ts';
import { termsOf } from '../../text/terms.ts';
import type { BlockCommit } from '../mine/change-blocks.ts';
import { commonFolder } from './changelog-trivia.ts';
import { type BreakingSign, breakingSigns } from '../classify/breaking.ts';
import type { CommitClass } from '../classify/classify.ts';
import { type CommitFilter, filterByPath, pathTable, scanCommits } from './store-filter.ts';
import { peopleOfHistory } from './people.ts';
import { commitId } from './store-range.ts';
import { idfOf, lengthNorm, termWeight } from '../../text/term-weights.ts';
import { wordsOf } from '../../text/words.ts';

/** Most rows of a search by words, over all pages. */
const MOST_RESULTS = 200;
/** BM25: how fast repeats stop to count, and how much a long message counts against its words. */
const BM25 = { k1: 1.5, b: 0.4 };
/** Weight of a merge beside the commits that it brings. */
const MERGE_WEIGHT = 0.6;

/** A commit as rows show it. Times are seconds since 1970. */
export interface CommitRow extends Omit<CommitClass, 'scope' | 'best'> {
  sha: string;
  /** Time at which it came into the history (committer date). */
  time: number;
  author: string;
  email: string;
  scope: string | null;
  /** Two types, best first, of an unclassified commit. */
  best: string | null;
  subject: string;
  /** Signs in the message that it breaks something; none when nothing does. */
  breakingBy: BreakingSign[];
}

/** Counts of the commits that an answer omits. */
export interface OmittedCommits {
  /** Commits of programs. */
  bots: number;
  merges: number;
}

export interface CommitPage {
  /** Rows over all pages; of a search by words at most 200. */
  total: number;
  /** True if more commits than that have the words. */
  isCut: boolean;
  rows: CommitRow[];
  /** Of each row, how well it fits the words; 1 without words. Comparable between filters of one history. */
  scores: number[];
  /** The same of the first row of all pages; 0 without rows. */
  bestScore: number;
  omitted: OmittedCommits;
}

interface CommitSearch {
  filter: CommitFilter;
  /** Words; everything, newest first, when absent. */
  query?: string | undefined;
  limit: number;
  offset: number;
}

/** The grouping of commits. */
export type CommitGrouping = 'type' | 'scope' | 'author' | 'path' | 'month';

interface CommitGroups extends Omit<CommitPage, 'scores' | 'bestScore' | 'isCut'> {
  /** Of all pages, largest first; months newest first. */
  groups: { name: string; commits: number }[];
  /** Group of each row. */
  groupOf: string[];
}

/**
 * Commits of a filter: with words by how well message and paths fit them, else newest first. Programs count only where the
 * author is asked for; merges only in a search by words.
 */
export function searchCommits(db: ShardDatabase, { filter, query, limit, offset }: CommitSearch): CommitPage {
  const terms = termsOf(query ?? '');
  const scores = terms.length === 0 ? undefined : scoreMessages(db, terms);
  const omitted = { bots: 0, merges: 0 };
  const matches: { id: number; score: number }[] = [];
  scanCommits(db, filter, (commit) => {
    const score = scores === undefined ? 1 : (scores[commit.id] ?? 0) * (commit.merge ? MERGE_WEIGHT : 1);
    if (score === 0) return;
    if (isOmitted(filter, commit)) omitted.bots += 1;
    else if (scores === undefined && commit.merge) omitted.merges += 1;
    else matches.push({ id: commit.id, score });
  });
  // Scanned newest first, and the order of equals stays.
  const ranked = scores === undefined ? matches : matches.toSorted((a, b) => b.score - a.score).slice(0, MOST_RESULTS);
  const page = ranked.slice(offset, offset + limit);
  return {
    total: ranked.length,
    isCut: ranked.length < matches.length,
    rows: commitRows(
      db,
      page.map(({ id }) => id),
    ),
    scores: page.map(({ score }) => score),
    bestScore: ranked[0]?.score ?? 0,
    omitted,
  };
}

/** Facts about a filter that may explain an empty answer. */
interface EmptyFacts {
  /** Commits of the range alone. */
  commits: number;
  /** True if the path names a present or past file or folder. */
  hasPath: boolean;
  /** Paths with the same last name, and authors with one of the words, at most 3 each. */
  nearPaths: string[];
  nearAuthors: string[];
}

/** Returns names near a filter that holds nothing. */
export function explainEmpty(db: ShardDatabase, { filter }: { filter: CommitFilter }): EmptyFacts {
  let commits = 0;
  scanCommits(db, { range: filter.range }, () => (commits += 1));
  const pathFilter = filterByPath(db, filter.path);
  const hasPath = pathFilter === undefined || pathFilter.mask.includes(1);
  const name = (filter.path ?? '').replace(/\/+$/, '').split('/').at(-1) ?? '';
  const { paths, alive } = pathTable(db);
  const nearPaths = hasPath
    ? []
    : paths.filter((path, id) => alive[id] === 1 && (path === name || path.endsWith(`/${name}`)));
  const words = wordsOf((filter.author ?? '').toLowerCase(), 'plain').filter((word) => word.length > 2);
  const nearAuthors = peopleOfHistory(db).people.filter(({ aliases }) =>
    words.some((word) => aliases.some((alias) => alias.includes(word))),
  );
  return {
    commits,
    hasPath,
    nearPaths: nearPaths.slice(0, 3),
    nearAuthors: nearAuthors.slice(0, 3).map((author) => author.name),
  };
}

/** Commits of a filter by group, the largest group first, newest first in each. Merges and programs are left out. */
export function groupCommits(
  db: ShardDatabase,
  { filter, query, limit, offset, by }: CommitSearch & { by: CommitGrouping },
): CommitGroups {
  const terms = termsOf(query ?? '');
  const scores = terms.length === 0 ? undefined : scoreMessages(db, terms);
  const nameOf = groupNames(db, by);
  const omitted = { bots: 0, merges: 0 };
  const members = new Map<string, number[]>();
  let total = 0;
  scanCommits(db, filter, (commit) => {
    if (scores?.[commit.id] === 0) return;
    if (commit.merge) omitted.merges += 1;
    else if (isOmitted(filter, commit)) omitted.bots += 1;
    else {
      total += 1;
      const name = nameOf(commit);
      const group = members.get(name);
      if (group === undefined) members.set(name, [commit.id]);
      else group.push(commit.id);
    }
  });
  const order = [...members].toSorted(([a, first], [b, second]) =>
    by === 'month' ? (a < b ? 1 : -1) : second.length - first.length || (a < b ? -1 : 1),
  );
  const listed = order.flatMap(([name, ids]) => ids.map((id) => ({ name, id }))).slice(offset, offset + limit);
  return {
    total,
    rows: commitRows(
      db,
      listed.map(({ id }) => id),
    ),
    groupOf: listed.map(({ name }) => name),
    groups: order.map(([name, ids]) => ({ name, commits: ids.length })),
    omitted,
  };
}

/** Object ids of the commits of a filter without merges and programs, newest first. */
export function listCommits(db: ShardDatabase, search: { filter: CommitFilter; limit: number }): string[] {
  const statement = db.prepare('select sha from git_commit where id = ?');
  return commitIds(db, search).map((id) => (statement.get(id) as { sha: string }).sha);
}

/** The same as ids of this shard. */
export function commitIds(db: ShardDatabase, { filter, limit }: { filter: CommitFilter; limit: number }): number[] {
  const ids: number[] = [];
  scanCommits(db, filter, (commit) => {
    if (!commit.merge && !isOmitted(filter, commit) && ids.length < limit) ids.push(commit.id);
  });
  return ids;
}

/** Rows of commits by object id, in the order given; what is not here is left out. */
export function commitsOf(db: ShardDatabase, { shas }: { shas: readonly string[] }): CommitRow[] {
  return commitRows(
    db,
    shas.map((sha) => commitId(db, sha) ?? 0),
  );
}

/** Programs are left out unless an author is asked for by name. */
export function isOmitted(filter: CommitFilter, commit: BlockCommit): boolean {
  return (filter.author ?? '').trim() === '' && commit.bot;
}

type StoredCommitRow = Omit<CommitRow, 'author' | 'email' | 'breaking' | 'breakingBy'> & {
  authorId: number;
  breaking: number;
  body: string;
};

/** Rows of commits by id, in the order given. */
export function commitRows(db: ShardDatabase, ids: readonly number[]): CommitRow[] {
  const statement = db.prepare(`
    select c.sha, c.committed_at as time, c.author_id as authorId, c.type, c.breaking, c.scope, c.confidence,
        c.label_source as labelSource, c.best, c.subject, case when c.breaking = 1 then c.body else '' end as body
      from git_commit c where c.id = ?`);
  const { of, people } = peopleOfHistory(db);
  return ids.flatMap((id) => {
    const row = statement.get(id) as unknown as StoredCommitRow | undefined;
    if (row === undefined) return [];
    const { body, authorId, ...columns } = row;
    const breaking = row.breaking === 1;
    const { name: author = '', email = '' } = people[of[authorId] ?? -1] ?? {};
    return [{ ...columns, author, email, breaking, breakingBy: breaking ? breakingSigns(row.subject, body) : [] }];
  });
}

function groupNames(db: ShardDatabase, by: CommitGrouping): (commit: BlockCommit) => string {
  if (by === 'type') return ({ type }) => type;
  if (by === 'month') return ({ time }) => new Date(time * 1000).toISOString().slice(0, 7);
  if (by === 'path') {
    const { paths } = pathTable(db);
    return ({ changes }) => commonFolder(changes.map(({ path }) => paths[path] ?? ''));
  }
  if (by === 'author') {
    const { of, people } = peopleOfHistory(db);
    return ({ author }) => people[of[author] ?? -1]?.name ?? '';
  }
  const statement = db.prepare(`select coalesce(scope, '(none)') as name from git_commit where id = ?`);
  return ({ id }) => (statement.get(id) as { name: string }).name;
}

/** Scores of all commits by id for words: BM25 over weighted frequencies, more where more of the words are met. */
export function scoreMessages(db: ShardDatabase, terms: readonly string[]): Float32Array {
  const lengths = db.derived('message_lengths', () => readLengths(db));
  const scores = new Float32Array(lengths.each.length);
  const coverage = new Float32Array(lengths.each.length);
  const statement = db.prepare('select documents, postings from term where text = ?');
  let all = 0;
  for (const term of new Set(terms)) {
    const row = statement.get(term) as { documents: number; postings: Uint8Array } | undefined;
    const documents = row?.documents ?? 0;
    const idf = idfOf(lengths.each.length, documents);
    all += idf;
    if (row === undefined) continue;
    const from = new VarintReader(row.postings);
    for (let commit = 0; from.more;) {
      commit += from.next();
      const frequency = from.next();
      const norm = lengthNorm(BM25, lengths.each[commit] ?? 0, lengths.mean);
      scores[commit] = (scores[commit] ?? 0) + termWeight(idf, frequency, BM25.k1, norm);
      coverage[commit] = (coverage[commit] ?? 0) + idf;
    }
  }
  for (const [commit, score] of scores.entries())
    if (score > 0) scores[commit] = score * ((coverage[commit] ?? 0) / all) ** 2;
  return scores;
}

function readLengths(db: ShardDatabase): { each: Float32Array; mean: number } {
  const row = db.prepare('select data from message_length').get() as { data: Uint8Array } | undefined;
  const lengths = Array.from(row?.data ?? [], unpackLength);
  const sum = lengths.reduce((all, length) => all + length, 0);
  return { each: Float32Array.from([0, ...lengths]), mean: Math.max(1, sum / Math.max(1, lengths.length)) };
}
