import { DAY_MS } from '../../kernel/time.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { isInPath, filterByPath, pathTable, scanCommits } from './store-filter.ts';
import { peopleOfHistory, type Person } from './people.ts';
import { commitGraph } from './store-range.ts';

const DAY_SECONDS = DAY_MS / 1000;
/** After so many days a commit to the file counts half: what the contract calls decayed commits. */
export const FILE_HALF_LIFE_DAYS = 180;
const FOLDER_HALF_LIFE_DAYS = 180;
/** Half-life of work anywhere in the repository: shorter, because people come and go. */
const REPOSITORY_HALF_LIFE_DAYS = 60;
/** A commit of more files says nothing about who knows one of them. */
export const MOST_FILES = 100;
const REVIEW_KEYS = `('reviewed-by', 'acked-by', 'approved-by', 'tested-by')`;
const MOST_REVIEWERS = 20;
/** Rows of one answer. */
const MOST_MESSAGES = 500;

/** A person and what the history says of them and one file. Decayed sums are against the newest commit. */
export interface FilePerson extends Person {
  /** Commits that changed the file, under any of its names. */
  commits: number;
  decayed: number;
  /** Newest of them, in seconds since 1970; 0 when there is none. */
  lastAt: number;
  /** Decayed commits to the folder, and to the whole repository. */
  folder: number;
  repository: number;
  /** Days from the last of all commits of this person to the newest of the history; infinite when there is none. */
  idleDays: number;
}

export interface FilePeople {
  /** Everybody who ever committed, in no order. */
  people: FilePerson[];
  /** Names in review trailers of the commits to the file, most often first. */
  reviewers: { name: string; reviews: number }[];
}

/**
 * Returns the people of a file: commits to it under all its names, to its folder, and to the repository. Merges, commits of
 * programs and those of more than 100 files are omitted. Reads the whole history once for an open shard (30 ms for 100,000
 * changes), then the commits to the file and its folder.
 */
export function filePeople(db: ShardDatabase, { path }: { path: string }): FilePeople {
  const { person, daysBefore, times, people } = countedCommits(db);
  const counted = people.map((entry): FilePerson => ({ ...entry, aliases: [...entry.aliases] }));
  const pathFilter = filterByPath(db, path);
  const files = pathFilter === undefined ? [] : [...pathFilter.mask.keys()].filter((id) => pathFilter.mask[id] === 1);
  const inFile = pathFilter === undefined ? [] : commitsTo(db, files, (commit, id) => isInPath(pathFilter, id, commit));
  const touching = inFile.filter((id) => person[id] !== -1);
  for (const id of touching) {
    const writer = counted[person[id] ?? -1];
    if (writer === undefined) continue;
    writer.commits += 1;
    writer.decayed += 0.5 ** ((daysBefore[id] ?? 0) / FILE_HALF_LIFE_DAYS);
    writer.lastAt = Math.max(writer.lastAt, times[id] ?? 0);
  }
  for (const id of commitsTo(db, filesBeside(db, path))) {
    const writer = counted[person[id] ?? -1];
    if (writer !== undefined) writer.folder += 0.5 ** ((daysBefore[id] ?? 0) / FOLDER_HALF_LIFE_DAYS);
  }
  return { people: counted, reviewers: reviewersOf(db, touching) };
}

/** The commits of a history as far as they tell who works on what, by id. */
interface CountedCommits {
  /** Index of the person; -1 for merges, commits of programs and those of more than 100 files. */
  person: Int32Array;
  /** Days before the newest commit, and seconds since 1970. */
  daysBefore: Float64Array;
  times: Float64Array;
  /** With what the whole repository says of them. */
  people: readonly FilePerson[];
}

const NO_WORK = { commits: 0, decayed: 0, lastAt: 0, folder: 0, repository: 0 };

function countedCommits(db: ShardDatabase): CountedCommits {
  return db.derived('counted_commits', () => {
    const { of, people } = peopleOfHistory(db);
    const commits = commitGraph(db).first.length;
    const person = new Int32Array(commits).fill(-1);
    const [daysBefore, times] = [new Float64Array(commits), new Float64Array(commits)];
    const idleDays = Number.POSITIVE_INFINITY;
    const counted = people.map((entry): FilePerson => ({ ...entry, ...NO_WORK, idleDays }));
    let newest = 0;
    scanCommits(db, { range: {} }, ({ id, time, merge, bot, author, changes }) => {
      const at = of[author] ?? 0;
      const writer = counted[at];
      if (merge || bot || changes.length > MOST_FILES || writer === undefined) return;
      newest = Math.max(newest, time);
      const days = (newest - time) / DAY_SECONDS;
      person[id] = at;
      daysBefore[id] = days;
      times[id] = time;
      writer.repository += 0.5 ** (days / REPOSITORY_HALF_LIFE_DAYS);
      writer.idleDays = Math.min(writer.idleDays, days);
    });
    return { person, daysBefore, times, people: counted };
  });
}

/** The commits that changed one of some paths, newest first. */
function commitsTo(
  db: ShardDatabase,
  paths: readonly number[],
  isIncluded: (commit: number, path: number) => boolean = () => true,
): number[] {
  const commits = db.prepare('select commit_id as id from file_change where path_id = ?');
  const commitIds = new Set<number>();
  for (const path of paths)
    for (const { id } of commits.iterate(path) as Iterable<{ id: number }>) if (isIncluded(id, path)) commitIds.add(id);
  return [...commitIds].toSorted((a, b) => b - a);
}

/** The paths, past and present, in the folder of a path, without those below it. */
function filesBeside(db: ShardDatabase, path: string): number[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const { paths } = pathTable(db);
  return [...paths.keys()].filter((id) => {
    const file = paths[id] ?? '';
    return id > 0 && file.startsWith(folder) && !file.includes('/', folder.length);
  });
}

/** True if the newest commit has a file at exactly this path, as far as the history names it. */
export function isPresent(db: ShardDatabase, { path }: { path: string }): boolean {
  return db.prepare('select 1 from path where path = ? and alive = 1').get(path) !== undefined;
}

function reviewersOf(db: ShardDatabase, commits: readonly number[]): FilePeople['reviewers'] {
  const rows = db
    .prepare(
      `select t.value from json_each(?) j join trailer t on t.commit_id = j.value where lower(t.key) in ${REVIEW_KEYS}`,
    )
    .all(JSON.stringify(commits)) as { value: string }[];
  const counts = new Map<string, number>();
  for (const { value } of rows) {
    const name = value.replace(/\s*<[^>]*>.*$/, '').trim() || value.trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, reviews]) => ({ name, reviews }))
    .toSorted((a, b) => b.reviews - a.reviews || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_REVIEWERS);
}

/** A commit as rationale needs it. */
export interface CommitMessage {
  sha: string;
  subject: string;
  body: string;
  /** In seconds since 1970. */
  time: number;
  author: string;
}

/** The messages of these commits, at most 500; those that are not in the history are left out. */
export function commitMessages(db: ShardDatabase, { shas }: { shas: readonly string[] }): CommitMessage[] {
  const rows = db
    .prepare(
      `select c.sha, c.subject, c.body, c.committed_at as time, c.author_id as authorId
         from json_each(?) j join git_commit c on c.sha = j.value`,
    )
    .all(JSON.stringify(shas.slice(0, MOST_MESSAGES))) as unknown as (Omit<CommitMessage, 'author'> & {
    authorId: number;
  })[];
  const { of, people } = peopleOfHistory(db);
  return rows.map(({ authorId, ...row }) => ({ ...row, author: people[of[authorId] ?? -1]?.name ?? '' }));
}
