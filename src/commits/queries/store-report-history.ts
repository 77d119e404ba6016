import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { termsOf } from '../../text/terms.ts';
import { VarintReader } from '../../kernel/varints.ts';
import { type CommitRow, commitRows, scoreMessages } from './store-commits.ts';
import { pathTable, scanCommits } from './store-filter.ts';
import { idfOf, lengthNorm, relativeRarity, termWeight } from '../../text/term-weights.ts';

/** The newest commits of which pairs are read, and files of one commit: more say nothing about two of them. */
const MOST_COMMITS = 5_000;
const MOST_FILES_TOGETHER = 10;
/** Shared commits below which two files met by chance, and partners that are listed for one file. */
const LEAST_SHARED = 2;
const MOST_PARTNERS = 8;

/** Files by path id with those that changed in the same commits: one degree (0 to 1) for each, greatest first. */
type Partners = ReadonlyMap<number, readonly { file: number; degree: number }[]>;

/** Pairs of files that commits changed together, as a share of the commits of both. `files` lists commits newest first. */
export function partnersOf(db: ShardDatabase, commits: Iterable<readonly number[]>): Partners {
  const revisions = new Map<number, number>();
  const shared = new Map<string, { a: number; b: number; count: number }>();
  let read = 0;
  for (const files of commits) {
    if (files.length > MOST_FILES_TOGETHER) continue;
    if (read >= MOST_COMMITS || db.cancelled()) break;
    read += 1;
    const sorted = files.toSorted((a, b) => a - b);
    for (const [at, a] of sorted.entries()) {
      revisions.set(a, (revisions.get(a) ?? 0) + 1);
      for (const b of sorted.slice(at + 1)) {
        const key = `${a} ${b}`;
        const pair = shared.get(key);
        if (pair === undefined) shared.set(key, { a, b, count: 1 });
        else pair.count += 1;
      }
    }
  }
  const partners = new Map<number, { file: number; degree: number }[]>();
  const add = (file: number, partner: number, degree: number): void => {
    const list = partners.get(file);
    if (list === undefined) partners.set(file, [{ file: partner, degree }]);
    else list.push({ file: partner, degree });
  };
  for (const { a, b, count } of shared.values()) {
    if (count < LEAST_SHARED) continue;
    const degree = count / Math.sqrt((revisions.get(a) ?? 1) * (revisions.get(b) ?? 1));
    add(a, b, degree);
    add(b, a, degree);
  }
  for (const [file, list] of partners)
    partners.set(file, list.toSorted((a, b) => b.degree - a.degree || a.file - b.file).slice(0, MOST_PARTNERS));
  return partners;
}

/** Fixes whose files are suspected: those with the most similar messages. */
const NEAREST = 40;
/** A commit of more files is not about any of them. */
const MOST_FILES = 30;
/** Distinct terms of a text that are looked for: of a long report the first. */
const MOST_TERMS = 400;
/** BM25 over what the messages of a file say: how fast repeats stop to count, and how much many commits count against it. */
const BM25 = { k1: 1.5, b: 0.6 };
/** A word in a subject is stored four times; more of one message says no more. */
const MOST_OF_MESSAGE = 4;
/** Seconds after which a fix counts a third (1/e). */
const FIX_LIFE = 365 * 86_400;

/** The query: the words of a report, and the terms whose rarity is needed. */
interface ReportQuery {
  text: string;
  terms: readonly string[];
  /** Similar fixes that are listed. */
  limit: number;
}

/** Columns by position in `paths`; each figure is 0 to 1, 1 for the file with most. */
export interface ReportHistory {
  paths: readonly string[];
  /** Scores of the messages of all commits to a file against the report. */
  messages: Float32Array;
  /** The share of a file in the 40 fixes with the most similar messages. */
  similarFixes: Float32Array;
  /** Logarithm of its fixes, whatever the report says; one of a year ago counts a third. */
  fixes: Float32Array;
  /** Files that changed together: positions of both and the degree (0 to 1), one after the other. */
  together: Float32Array;
  /** Rarity of each of `terms` in the messages of the repository, 0 to 1; 1 for one that none has. */
  rarity: ReadonlyMap<string, number>;
  /** The fixes most like the text, best first, with the files that they touched and that are still there. */
  commits: (CommitRow & { score: number; paths: string[] })[];
}

/**
 * The history of every file for the words of a report, under the names that files have now. A commit shares its words among
 * its files: a message about one file says more of it than one about ten. Reads the whole history once for an open shard
 * (50 ms for 100,000 changes), then about 10 ms.
 */
export function readReportHistory(db: ShardDatabase, query: ReportQuery): ReportHistory {
  const { text, limit } = query;
  const terms = [...new Set(termsOf(text))].slice(0, MOST_TERMS);
  const touched = db.derived('touched_files', () => readTouched(db));
  const messages = scoreFileMessages(db, terms, touched);
  const nearest = findSimilarFixes(db, terms, touched);
  const similar = new Float32Array(messages.length);
  for (const { id, score } of nearest) {
    const files = touched.files.get(id) ?? [];
    for (const file of files) similar[file] = (similar[file] ?? 0) + score / Math.sqrt(files.length);
  }
  const { paths } = pathTable(db);
  const listed = [...paths.keys()].filter((id) => (touched.shares[id] ?? 0) > 0);
  const shown = nearest.slice(0, limit);
  const rows = commitRows(
    db,
    shown.map(({ id }) => id),
  );
  return {
    paths: listed.map((id) => paths[id] ?? ''),
    messages: shareOf(messages, listed),
    similarFixes: shareOf(similar, listed),
    fixes: shareOf(touched.fixes, listed),
    together: listPartners(listed, touched.partners),
    rarity: readRarity(db, query.terms),
    commits: rows.map((row, at) => {
      const { id = 0, score = 0 } = shown[at] ?? {};
      return { ...row, score, paths: (touched.files.get(id) ?? []).map((file) => paths[file] ?? '') };
    }),
  };
}

/** The files that every commit touched which is about single files. */
interface Touched {
  /** By commit, the files by path id, as they are called now. */
  files: Map<number, number[]>;
  fixing: Set<number>;
  /** By path id, the shares of commits that it has. */
  shares: Float32Array;
  /** By path id, the logarithm of its fixes, old ones counted less. */
  fixes: Float32Array;
  partners: Partners;
}

function readTouched(db: ShardDatabase): Touched {
  const { alive, omitted } = pathTable(db);
  const present = presentNames(db, alive);
  const read = {
    files: new Map<number, number[]>(),
    fixing: new Set<number>(),
    shares: new Float32Array(alive.length),
    fixes: new Float32Array(alive.length),
  };
  let newest = 0;
  scanCommits(db, { range: {} }, ({ id, time, merge, bot, type, changes }) => {
    if (merge || bot || changes.length > MOST_FILES) return;
    const now = new Set(changes.map(({ path }) => present[path] ?? 0));
    const files = [...now].filter((file) => file > 0 && omitted[file] !== 1);
    if (files.length === 0) return;
    read.files.set(id, files);
    if (newest === 0) newest = time;
    for (const file of files) read.shares[file] = (read.shares[file] ?? 0) + 1 / Math.sqrt(files.length);
    if (type !== 'fix') return;
    read.fixing.add(id);
    const fresh = Math.exp(-Math.max(0, newest - time) / FIX_LIFE);
    for (const file of files) read.fixes[file] = (read.fixes[file] ?? 0) + fresh;
  });
  return { ...read, fixes: read.fixes.map((sum) => Math.log1p(sum)), partners: partnersOf(db, read.files.values()) };
}

function listPartners(listed: readonly number[], partners: Partners): Float32Array {
  const positions = new Map(listed.map((id, at) => [id, at]));
  return Float32Array.from(
    listed.flatMap((id, at) =>
      (partners.get(id) ?? []).flatMap(({ file, degree }) => [at, positions.get(file) ?? at, degree]),
    ),
  );
}

function readRarity(db: ShardDatabase, terms: readonly string[]): Map<string, number> {
  const { data } = (db.prepare('select data from message_length').get() ?? { data: [] }) as { data: Uint8Array };
  const select = db.prepare('select documents from term where text = ?');
  return new Map(
    terms.map((term) => {
      const row = select.get(term) as { documents: number } | undefined;
      return [term, relativeRarity(data.length, row?.documents ?? 0)];
    }),
  );
}

/** By path id: the id of the path that the file has in the newest commit; 0 for one that is gone. */
function presentNames(db: ShardDatabase, alive: Uint8Array): Int32Array {
  const renames = db
    .prepare(
      `select old_path_id as old, path_id as now from file_change
        where old_path_id is not null order by commit_id`,
    )
    .all() as { old: number; now: number }[];
  const next = new Map(renames.map(({ old, now }) => [old, now]));
  return Int32Array.from(alive, (_, path) => {
    const visited = new Set<number>();
    let at = path;
    // Names may go in a circle.
    for (; alive[at] !== 1 && !visited.has(at); at = next.get(at) ?? 0) visited.add(at);
    return alive[at] === 1 ? at : 0;
  });
}

/** The messages of all commits to a file, as one text. */
function scoreFileMessages(db: ShardDatabase, terms: readonly string[], { files, shares }: Touched): Float32Array {
  const fileCount = shares.reduce((count, share) => count + Number(share > 0), 0);
  const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, fileCount) || 1;
  const select = db.prepare('select postings from term where text = ?');
  const scores = new Float32Array(shares.length);
  const frequencies = new Float32Array(shares.length);
  for (const term of terms) {
    const row = select.get(term) as { postings: Uint8Array } | undefined;
    if (row === undefined) continue;
    const having = countIn(row.postings, files, frequencies);
    const idf = idfOf(fileCount, having.length);
    for (const file of having) {
      const norm = lengthNorm(BM25, shares[file] ?? 0, mean);
      scores[file] = (scores[file] ?? 0) + termWeight(idf, frequencies[file] ?? 0, BM25.k1, norm);
      frequencies[file] = 0;
    }
  }
  return scores;
}

/** Adds up how often the messages of each file have a term, and gives the files whose have it. */
function countIn(
  postings: Uint8Array,
  files: ReadonlyMap<number, readonly number[]>,
  frequencies: Float32Array,
): number[] {
  const from = new VarintReader(postings);
  const having: number[] = [];
  for (let commit = 0; from.more;) {
    commit += from.next();
    const frequency = Math.min(MOST_OF_MESSAGE, from.next());
    const touched = files.get(commit) ?? [];
    for (const file of touched) {
      if (frequencies[file] === 0) having.push(file);
      frequencies[file] = (frequencies[file] ?? 0) + frequency / Math.sqrt(touched.length);
    }
  }
  return having;
}

function findSimilarFixes(
  db: ShardDatabase,
  terms: readonly string[],
  { fixing }: Touched,
): { id: number; score: number }[] {
  const scores = scoreMessages(db, terms);
  return [...fixing]
    .map((id) => ({ id, score: scores[id] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, NEAREST);
}

/** The listed values divided by the greatest of all. */
function shareOf(values: Float32Array, listed: readonly number[]): Float32Array {
  const most = values.reduce((best, value) => Math.max(best, value), 0) || 1;
  return Float32Array.from(listed, (id) => (values[id] ?? 0) / most);
}
