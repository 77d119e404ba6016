import { DAY_MS } from '../../kernel/time.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { isInScope, pathScope, pathTable, scanCommits } from './store-filter.ts';

const DAY_SECONDS = DAY_MS / 1000;
/** After so many days a commit to the file counts half: what the contract calls decayed commits. */
export const FILE_HALF_LIFE_DAYS = 180;
const FOLDER_HALF_LIFE_DAYS = 180;
/** Who is at work now: shorter, because people come and go. */
const REPOSITORY_HALF_LIFE_DAYS = 60;
/** A commit of more files says nothing about who knows one of them. */
export const MOST_FILES = 100;
const REVIEW_KEYS = `('reviewed-by', 'acked-by', 'approved-by', 'tested-by')`;
const MOST_REVIEWERS = 20;
/** Rows of one answer. */
const MOST_MESSAGES = 500;

/** A person and what the history says of them and one file. Decayed sums are against the newest commit. */
export interface FilePerson {
  name: string;
  email: string;
  /** All addresses and names that are this person, in lower case: those that share a name or an address. */
  aliases: string[];
  bot: boolean;
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
 * What the history says of people and a file: commits to it under all its names, to its folder, and to the repository.
 * Merges, commits of programs and those of more than 100 files are left out. Reads the whole history: about 30 ms for 100,000 changes.
 */
export function filePeople(db: ShardDatabase, { path }: { path: string }): FilePeople {
  const { paths } = pathTable(db);
  const scope = pathScope(db, path);
  const { of, people } = identities(db);
  const counted = people.map((person): FilePerson => ({ ...person, aliases: [...person.aliases] }));
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const inFolder = paths.map((file) => file.startsWith(folder) && !file.includes('/', folder.length));
  const touching: number[] = [];
  let newest = 0;
  scanCommits(db, { range: {} }, (commit) => {
    if (commit.merge || commit.bot || commit.changes.length > MOST_FILES) return;
    const person = counted[of[commit.author] ?? 0];
    if (person === undefined) return;
    newest = Math.max(newest, commit.time);
    const days = (newest - commit.time) / DAY_SECONDS;
    person.repository += 0.5 ** (days / REPOSITORY_HALF_LIFE_DAYS);
    person.idleDays = Math.min(person.idleDays, Math.max(0, days));
    if (commit.changes.some((change) => inFolder[change.path])) person.folder += 0.5 ** (days / FOLDER_HALF_LIFE_DAYS);
    if (scope === undefined || !commit.changes.some((change) => isInScope(scope, change.path, commit.id))) return;
    touching.push(commit.id);
    person.commits += 1;
    person.decayed += 0.5 ** (days / FILE_HALF_LIFE_DAYS);
    person.lastAt = Math.max(person.lastAt, commit.time);
  });
  return { people: counted, reviewers: reviewersOf(db, touching) };
}

/** Whether the newest commit has a file at exactly this path, as far as the history names it. */
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

interface Identities {
  /** By author id, the index of the person. */
  of: Int32Array;
  people: FilePerson[];
}

/** Authors that share an address or a name are one person, called as in the newest commit. */
export function identities(db: ShardDatabase): Identities {
  return db.derived('identities', () => {
    const authors = db.prepare('select id, name, email, bot from author order by id').all() as {
      id: number;
      name: string;
      email: string;
      bot: number;
    }[];
    const of = new Int32Array(authors.length + 1).fill(-1);
    const people: FilePerson[] = [];
    const byAlias = new Map<string, number>();
    // Newest author first: ids rise as people appear, and the last spelling is the one in use.
    for (const { id, name, email, bot } of authors.toReversed()) {
      const aliases = [email, name].map((alias) => alias.trim().toLowerCase()).filter((alias) => alias !== '');
      const at = aliases.map((alias) => byAlias.get(alias)).find((known) => known !== undefined) ?? people.length;
      people[at] ??= {
        name,
        email,
        aliases: [],
        bot: bot === 1,
        commits: 0,
        decayed: 0,
        lastAt: 0,
        folder: 0,
        repository: 0,
        idleDays: Number.POSITIVE_INFINITY,
      };
      for (const alias of aliases) {
        if (byAlias.has(alias)) continue;
        byAlias.set(alias, at);
        people[at]?.aliases.push(alias);
      }
      of[id] = at;
    }
    return { of, people };
  });
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
  return db
    .prepare(
      `select c.sha, c.subject, c.body, c.committed_at as time, a.name as author
         from json_each(?) j join git_commit c on c.sha = j.value join author a on a.id = c.author_id`,
    )
    .all(JSON.stringify(shas.slice(0, MOST_MESSAGES))) as unknown as CommitMessage[];
}
