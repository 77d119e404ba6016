import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import {
  type CommitFilter,
  filterByPath,
  isNowInPath,
  pathTable,
  type PathTable,
  scanCommits,
} from './store-filter.ts';
import { DAY_MS } from '../../kernel/time.ts';
import type { BlockChange, BlockCommit } from '../mine/change-blocks.ts';
import type { RevisedFile } from '../mine/count-lines.ts';
import { makesRelease } from './changelog-trivia.ts';
import { type FilePair, MOST_COUPLED_FILES } from './coupling.ts';
import type { FileActivity } from './hotspots.ts';
import { isOmitted, type OmittedCommits } from './store-commits.ts';
import { peopleOfHistory } from './people.ts';

/** Parts of equal length that a period is shown in. */
const TIMELINE_PARTS = 12;

/**
 * Returns how often files changed in each twelfth of the period of a filter, oldest first, in the order of `paths`. Counts the
 * same commits as their activity. Reads all blocks of the range.
 */
export function fileTimelines(
  db: ShardDatabase,
  { filter, paths }: { filter: CommitFilter; paths: readonly string[] },
): number[][] {
  const { from, to } = timesOf(db, filter);
  const table = pathTable(db);
  const requestedPaths = new Set(paths);
  const series = new Map(paths.map((path) => [path, Array.from({ length: TIMELINE_PARTS }, () => 0)]));
  scanActivity(db, filter, {
    mostFiles: Number.MAX_SAFE_INTEGER,
    visit: ({ time }, changed) => {
      const part = Math.floor((TIMELINE_PARTS * (time - from)) / (to - from + 1));
      for (const id of changed.keys()) {
        const path = table.paths[id] ?? '';
        const counts = requestedPaths.has(path) ? series.get(path) : undefined;
        const at = Math.min(TIMELINE_PARTS - 1, Math.max(0, part));
        if (counts !== undefined) counts[at] = (counts[at] ?? 0) + 1;
      }
    },
  });
  return paths.map((path) => series.get(path) ?? []);
}

/** Returns the revisions of files that their activity counts, in the order of `paths`. Reads all blocks of the range. */
export function fileRevisions(
  db: ShardDatabase,
  { filter, paths }: { filter: CommitFilter; paths: readonly string[] },
): RevisedFile[] {
  const table = pathTable(db);
  const files = new Map(paths.map((path): [string, RevisedFile] => [path, { path, revisions: [] }]));
  const shaOf = db.prepare('select sha from git_commit where id = ?');
  scanActivity(db, filter, {
    mostFiles: Number.MAX_SAFE_INTEGER,
    visit: ({ id }, changed) => {
      for (const [now, { path, oldPath }] of changed) {
        const file = files.get(table.paths[now] ?? '');
        if (file === undefined) continue;
        const { sha } = shaOf.get(id) as { sha: string };
        const oldName = oldPath === undefined ? undefined : table.paths[oldPath];
        file.revisions.push({ sha, name: table.paths[path] ?? '', oldName });
      }
    },
  });
  return paths.flatMap((path) => files.get(path) ?? []);
}

/** After so many days a commit counts half. */
const HALF_LIFE_SECONDS = (180 * DAY_MS) / 1000;
/** Four years: which files belong together changes slowly. */
const LASTING_HALF_LIVES = 8;
/** Pairs of fewer shared commits are chance, unless one file is asked about. */
const LEAST_SHARED = 3;
/** Most pairs that an answer may hold over all pages. */
const MOST_PAIRS = 2_000;
/** A pair of path ids in one number. */
const PAIR = 2 ** 26;

/** Counts of the examined and the omitted commits. */
export interface ActivityCoverage extends OmittedCommits {
  /** Commits that count. */
  commits: number;
  /** Changes to lock files, generated and vendored ones. */
  omittedChanges: number;
  /** Commits of too many files. */
  large: number;
  /** Commits that make a release, where they are not counted. */
  releases: number;
}

/**
 * Returns the activity of the commits of a filter in each present file. `path` narrows the files, not the commits. Renames are
 * followed. Reads all blocks of the range: 30 ms for 300,000 changes.
 */
export function fileActivity(
  db: ShardDatabase,
  { filter }: { filter: CommitFilter },
): { files: FileActivity[]; coverage: ActivityCoverage } {
  const table = pathTable(db);
  const pathFilter = filterByPath(db, filter.path);
  const { of } = peopleOfHistory(db);
  const gathered = Array.from<Gathered | undefined>({ length: table.paths.length });
  const period = timesOf(db, filter);
  const middle = (period.from + period.to) / 2;
  const visit = (commit: BlockCommit, changed: ReadonlyMap<number, BlockChange>): void => {
    const decay = 0.5 ** (Math.max(0, period.to - commit.time) / HALF_LIFE_SECONDS);
    for (const path of changed.keys()) {
      if (table.alive[path] !== 1 || !isNowInPath(pathFilter, path)) continue;
      const file = (gathered[path] ??= { activity: untouchedFile(table.paths[path] ?? ''), authors: new Set() });
      addRevision(file.activity, commit, decay);
      if (commit.time > middle) file.activity.recent += 1;
      file.authors.add(of[commit.author] ?? -1);
    }
  };
  const coverage = scanActivity(db, filter, { visit, mostFiles: Number.MAX_SAFE_INTEGER });
  const files = gathered.flatMap((file) =>
    file === undefined ? [] : [{ ...file.activity, authors: file.authors.size }],
  );
  return { files, coverage };
}

/**
 * Files that changed together in the commits of a filter, the most often first. With a path only pairs with a file in it
 * (`a`), and every shared commit counts; without one, pairs of at least 3. Pairs of `links` come too, however few commits
 * changed both, if both are there now and one is in the path. Commits that only make a release are not counted: they change
 * every manifest.
 */
export function filePairs(
  db: ShardDatabase,
  { filter, links = [] }: { filter: CommitFilter; links?: readonly (readonly [a: string, b: string])[] },
): { pairs: FilePair[]; isCut: boolean; coverage: ActivityCoverage } {
  const table = pathTable(db);
  const pathFilter = filterByPath(db, filter.path);
  const revisions = new Map<number, { count: number; decayed: number }>();
  const shared = new Map<number, SharedCommits>();
  const isInFilter = (path: number): boolean => isNowInPath(pathFilter, path);
  for (const [low, high] of idsOfLinks(db, links, table))
    if (isInFilter(low) || isInFilter(high))
      shared.set(low * PAIR + high, { shared: 0, weight: 0, exclusive: 0, linked: true });
  let newest = 0;
  const visit = (commit: BlockCommit, changed: ReadonlyMap<number, BlockChange>): void => {
    newest = Math.max(newest, commit.time);
    const files = [...changed.keys()].filter((path) => table.alive[path] === 1).toSorted((a, b) => a - b);
    const age = (newest - commit.time) / HALF_LIFE_SECONDS;
    const decay = 0.5 ** age;
    for (const path of files) {
      const previous = revisions.get(path);
      revisions.set(path, { count: (previous?.count ?? 0) + 1, decayed: (previous?.decayed ?? 0) + decay });
    }
    if (files.length < 2) return;
    const weight = decay / Math.log2(1 + files.length);
    const exclusive = 0.5 ** (age / LASTING_HALF_LIVES) / (files.length - 1);
    for (const [at, a] of files.entries())
      for (const b of files.slice(at + 1)) {
        if (!isInFilter(a) && !isInFilter(b)) continue;
        const pair = shared.get(a * PAIR + b);
        if (pair === undefined) shared.set(a * PAIR + b, { shared: 1, weight, exclusive, linked: false });
        else {
          pair.shared += 1;
          pair.weight += weight;
          pair.exclusive += exclusive;
        }
      }
  };
  const coverage = scanActivity(db, filter, { visit, mostFiles: MOST_COUPLED_FILES, releases: releaseIds(db) });
  const least = pathFilter === undefined ? LEAST_SHARED : 1;
  const hasCommits = (path: number): boolean => isInFilter(path) && revisions.has(path);
  const counted = [...shared].filter(
    ([key, pair]) => pair.shared >= least || (pair.linked && idsOf(key).some(hasCommits)),
  );
  const pairs = counted
    .toSorted(([, a], [, b]) => b.shared - a.shared || b.weight - a.weight)
    .slice(0, MOST_PAIRS)
    .map(([key, pair]): FilePair => {
      const [low, high] = idsOf(key);
      const [a, b] = isInFilter(low) ? [low, high] : [high, low];
      return {
        a: table.paths[a] ?? '',
        b: table.paths[b] ?? '',
        ...pair,
        revisionsOfA: revisions.get(a)?.count ?? 0,
        revisionsOfB: revisions.get(b)?.count ?? 0,
        decayedRevisionsOfB: revisions.get(b)?.decayed ?? 0,
      };
    });
  return { pairs, isCut: counted.length > MOST_PAIRS, coverage };
}

/** The two files of a key, the lower id first. */
function idsOf(key: number): [low: number, high: number] {
  return [Math.floor(key / PAIR), key % PAIR];
}

type SharedCommits = Pick<FilePair, 'shared' | 'weight' | 'exclusive' | 'linked'>;

/** Pairs of ids, the lower first; of files that are there now and say something about the code. */
function idsOfLinks(
  db: ShardDatabase,
  links: readonly (readonly [string, string])[],
  { alive, omitted }: PathTable,
): [low: number, high: number][] {
  const find = db.prepare('select id from path where path = ?');
  const idOf = (path: string): number => {
    const { id } = (find.get(path) as { id: number } | undefined) ?? { id: 0 };
    return alive[id] === 1 && omitted[id] !== 1 ? id : 0;
  };
  return links.flatMap(([a, b]): [number, number][] => {
    const [first, second] = [idOf(a), idOf(b)];
    return first === 0 || second === 0 || first === second ? [] : [[Math.min(first, second), Math.max(first, second)]];
  });
}

/** Calls with each commit that counts and what it changed, by the names that files have now. */
function scanActivity(
  db: ShardDatabase,
  filter: CommitFilter,
  {
    visit,
    mostFiles,
    releases = NONE,
  }: {
    visit: (commit: BlockCommit, files: ReadonlyMap<number, BlockChange>) => void;
    mostFiles: number;
    releases?: ReadonlySet<number>;
  },
): ActivityCoverage {
  const table = pathTable(db);
  const coverage = { commits: 0, bots: 0, merges: 0, omittedChanges: 0, large: 0, releases: 0 };
  /** Of a name that a file had before the commits that are still to come: the name it has now. */
  const nameNow = new Map<number, number>();
  scanCommits(db, { ...filter, path: undefined }, (commit) => {
    const isBot = isOmitted(filter, commit);
    if (commit.merge) coverage.merges += 1;
    else if (isBot) coverage.bots += 1;
    else if (releases.has(commit.id)) coverage.releases += 1;
    else if (commit.changes.length > mostFiles) coverage.large += 1;
    else {
      coverage.commits += 1;
      visit(commit, presentFiles(commit, table, { nameNow, coverage }));
    }
    for (const { path, oldPath } of commit.changes)
      if (oldPath !== undefined) nameNow.set(oldPath, nameNow.get(path) ?? path);
  });
  return coverage;
}

const NONE: ReadonlySet<number> = new Set();

/** The commits that say that they make a release. Reads all subjects once. */
function releaseIds(db: ShardDatabase): ReadonlySet<number> {
  return db.derived('releases', () => {
    const rows = db.prepare('select id, subject from git_commit').all() as { id: number; subject: string }[];
    return new Set(rows.filter(({ subject }) => makesRelease(subject)).map(({ id }) => id));
  });
}

interface Gathered {
  activity: FileActivity;
  authors: Set<number>;
}

/** Returns when a range begins and ends, as far as there are commits. */
function timesOf(db: ShardDatabase, { range }: CommitFilter): { from: number; to: number } {
  const { from, to } = db
    .prepare('select coalesce(min(earliest), 0) as "from", coalesce(max(latest), 0) as "to" from change_block')
    .get() as { from: number; to: number };
  const timeOf = db.prepare('select committed_at as time from git_commit where sha = ?');
  const times = (shas: readonly string[]): number[] =>
    shas.map((sha) => (timeOf.get(sha) as { time: number } | undefined)?.time ?? from);
  return {
    from: range.since ?? Math.max(from, ...times(range.after ?? [])),
    to: Math.min(range.until ?? to, ...(range.at === undefined ? [to] : times([range.at]))),
  };
}

function presentFiles(
  { changes }: BlockCommit,
  { omitted }: PathTable,
  { nameNow, coverage }: { nameNow: ReadonlyMap<number, number>; coverage: ActivityCoverage },
): Map<number, BlockChange> {
  const files = new Map<number, BlockChange>();
  for (const change of changes) {
    const path = nameNow.get(change.path) ?? change.path;
    if (omitted[path] === 1) coverage.omittedChanges += 1;
    else files.set(path, change);
  }
  return files;
}

function untouchedFile(path: string): FileActivity {
  const none = { revisions: 0, decayedRevisions: 0, fixes: 0, decayedFixes: 0 };
  return { path, ...none, authors: 0, recent: 0, lastAt: 0 };
}

function addRevision(activity: FileActivity, commit: BlockCommit, decay: number): void {
  activity.revisions += 1;
  activity.decayedRevisions += decay;
  if (commit.type === 'fix') {
    activity.fixes += 1;
    activity.decayedFixes += decay;
  }
  activity.lastAt = Math.max(activity.lastAt, commit.time);
}
