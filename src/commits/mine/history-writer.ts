import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { GitTag } from '../../platform/git/git-refs.ts';
import { VarintWriter } from '../../kernel/varints.ts';
import { omittedKind } from '../../kernel/path-kinds.ts';
import { BLOCK_COMMITS, type BlockChange, writeBlockCommit } from './change-blocks.ts';
import { classifyCommit, type CommitClass } from '../classify/classify.ts';
import type { LoggedCommit } from './git-log.ts';
import { HISTORY_TABLES } from './history-schema.ts';
import { MessageIndexWriter } from './message-index.ts';
import { parseTrailers } from '../classify/trailers.ts';

/**
 * Names of programs by their form: accounts of hosting services end in `[bot]`, those of translation services in `(bot)`, others
 * in a word of their own (`fluxcd-bot`, `k8s-ci-robot`, `Drone CI`). `CI` counts in capitals or after a hyphen: people are
 * called Ci.
 */
const FORM =
  /\[bot\]$|(?:^|[ ._-])\(?(?:ro)?bot\)?(?:$|[ ._-](?:account|user|service)$)|(?:-|^)ci$|(?:^|[ _-])CI(?:$|[ _-])/;

/**
 * Programs whose names have no such form. Each is an account in the list of the bot services of the 1,000 most starred
 * repositories (Wang, Wang and Redmiles, IEEE Software 39(5), 2022; github.com/zhendow/GitHub_Bot_Usage), but for GitHub Actions,
 * Greenkeeper, Homu and Imgbot, which wrote 463 commits of ten of 68 public repositories under these names.
 */
const PROGRAM =
  /^(?:hosted[ -])?(?:dependabot|renovate|depfu|snyk|pyup|azure[ -]pipelines|jenkins|appveyor|semantic-release|changesets?|all-?contributors|codecov|mergify|bors|weblate|scala[ -]steward|copybara(?:-service)?|github[ -]actions?|greenkeeper|homu|imgbot)(?:[ -]?(?:bot|ci|user|preview|io|release|app|commenter))*$/i;

/**
 * Addresses of programs: those of GitHub Apps and of access tokens and service accounts of GitLab, as the hosts document them;
 * mailboxes called bot or robot; and those that dependency services write from.
 */
const EMAIL =
  /\[bot\]@|^(?:project|group)_\d+_bot\w*@noreply\.|^service_account_\w+@noreply\.|(?:^|[._+-])(?:(?:ro)?bot|renovate|dependabot)@|^(?:bot|support)@(?:renovateapp|dependabot|greenkeeper|pyup)\b|^actions?@github\.com$/i;

/** GitHub Apps that write code when somebody orders it (`github.com/apps/<name>`). */
const AGENT =
  /(?:^|\+)(?:google-labs-jules|copilot(?:-swe-agent)?|devin-ai-integration|claude|cursor|openai-codex|chatgpt-codex-connector|gemini-code-assist|amazon-q-developer|sweep-ai)\[bot\](?:@|$)/i;

/** True if commits of this author are written by a program, judged by name and address. */
export function isBot(name: string, email: string): boolean {
  const plain = name.trim();
  return FORM.test(plain) || FORM.test(plain.toLowerCase()) || PROGRAM.test(plain) || EMAIL.test(email.trim());
}

/**
 * True if a program made a commit by itself. A commit that carries over a person's commit, as programs for backports do, or
 * that names a person as co-author, is that person's; work of a coding agent was ordered, and reviewed, like any other change.
 */
export function isBotCommit(commit: { authorName: string; authorEmail: string; body: string }): boolean {
  if (!isBot(commit.authorName, commit.authorEmail)) return false;
  if (AGENT.test(commit.authorName.trim()) || AGENT.test(commit.authorEmail.trim())) return false;
  if (/^\(cherry picked from commit /m.test(commit.body)) return false;
  const others = commit.body.matchAll(/^co-authored-by:[ \t]*(.*?)[ \t]*<([^<>]*)>/gim);
  return !Array.from(others).some(([, name = '', email = '']) => !isBot(name, email));
}

/** Counts over the whole shard. */
export interface HistoryTotals {
  commits: number;
  changes: number;
  /** Commits whose files or renames are not known: see `complete`. */
  incomplete: number;
}

/** Writes a history shard. `append` adds to what is there; `finish` ends it. */
interface HistoryWriter {
  /** Commits oldest first, after all that are there. */
  append(commits: readonly LoggedCommit[]): void;
  /** Replaces all tags, marks the paths that the newest commit holds, writes what was gathered, and counts. */
  finish(newest: { tags: readonly GitTag[]; paths: readonly string[] }): HistoryTotals;
}

type Ids = (key: readonly [string, ...string[]], further: () => readonly (string | number)[]) => number;

/** Opens a new or copied history shard for writing, inside the transaction of `buildShard`. */
export function openHistoryWriter(db: DatabaseSync, isNew: boolean): HistoryWriter {
  if (isNew) db.exec(HISTORY_TABLES);
  const authors = idsOf(db, 'select id, name, email from author', 'insert into author values (?, ?, ?, ?)');
  const paths = idsOf(db, 'select id, path from path', 'insert into path (id, path, left_out) values (?, ?, ?)');
  const pathId = (path: string): number => paths([path], () => [omittedKind(path) ?? '']);
  const insertCommit = commitWriter(db);
  // Malformed trees exist that hold one name twice: the first counts.
  const insertChange = db.prepare(
    'insert or ignore into file_change (path_id, commit_id, old_path_id) values (?, ?, ?)',
  );
  const last = numberOf(db, 'select coalesce(max(id), 0) as value from git_commit');
  const blocks = new BlockWriter(db, last + 1);
  const messages = new MessageIndexWriter();
  let next = last;
  const appendOne = (commit: LoggedCommit): void => {
    next += 1;
    const author = authors([commit.authorName, commit.authorEmail], () => [
      Number(isBot(commit.authorName, commit.authorEmail)),
    ]);
    const { type, breaking } = insertCommit(next, author, commit);
    const changes = commit.changes.map(({ path, status, oldPath }): BlockChange => {
      const old = oldPath === undefined ? undefined : pathId(oldPath);
      return { path: pathId(path), status, oldPath: old };
    });
    for (const { path, oldPath } of changes) insertChange.run(path, next, oldPath ?? null);
    const merge = commit.parents.length > 1;
    blocks.add({ time: commit.committedAt, author, type, breaking, merge, bot: isBotCommit(commit), changes });
    messages.add(next, { ...commit, paths: commit.changes.map(({ path }) => path) });
  };
  return {
    append: (commits) => commits.forEach(appendOne),
    finish: (newest) => {
      blocks.finish();
      messages.finish(db);
      replaceTags(db, newest.tags);
      markAlive(db, newest.paths, pathId);
      return {
        commits: next,
        changes: numberOf(db, 'select count(*) as value from file_change'),
        incomplete: numberOf(db, 'select count(*) as value from git_commit where complete = 0'),
      };
    },
  };
}

/** Writes commits with their class, parents and trailers, and gives the class. */
function commitWriter(db: DatabaseSync): (id: number, author: number, commit: LoggedCommit) => CommitClass {
  const insert = db.prepare(`
    insert into git_commit (id, sha, parents, author_id, authored_at, committed_at, complete, subject, body,
      type, breaking, scope, confidence, label_source, best)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertTrailer = db.prepare('insert into trailer (commit_id, position, key, value) values (?, ?, ?, ?)');
  const idOf = db.prepare('select id from git_commit where sha = ?');
  return (id, author, commit) => {
    const { sha, authoredAt, committedAt, complete, subject, body } = commit;
    const commitClass = classifyCommit({ subject, body, files: commit.changes });
    const parents = commit.parents.map((parent) => (idOf.get(parent) as { id: number } | undefined)?.id ?? parent);
    const label = [
      commitClass.type,
      commitClass.breaking ? 1 : 0,
      commitClass.scope ?? null,
      commitClass.confidence,
      commitClass.labelSource,
    ];
    const times = [authoredAt, committedAt];
    insert.run(
      id,
      sha,
      parents.join(' '),
      author,
      ...times,
      complete ? 1 : 0,
      subject,
      body,
      ...label,
      commitClass.best?.join(' ') ?? null,
    );
    if (body !== '')
      for (const [position, { key, value }] of parseTrailers(body).entries())
        insertTrailer.run(id, position, key, value);
    return commitClass;
  };
}

/** Gathers commits into blocks; the last block of a shard that is continued is filled up first. */
class BlockWriter {
  readonly #insert: StatementSync;
  readonly #data = new VarintWriter();
  #first: number;
  #count = 0;
  #earliest = Number.MAX_SAFE_INTEGER;
  #latest = 0;

  constructor(db: DatabaseSync, firstCommit: number) {
    this.#insert = db.prepare('insert into change_block values (?, ?, ?, ?, ?)');
    this.#first = firstCommit;
    const before = db
      .prepare(
        'select first_commit as first, earliest, latest, data from change_block order by first_commit desc limit 1',
      )
      .get() as { first: number; earliest: number; latest: number; data: Uint8Array } | undefined;
    if (before === undefined || firstCommit - before.first >= BLOCK_COMMITS) return;
    db.prepare('delete from change_block where first_commit = ?').run(before.first);
    this.#data.append(before.data);
    this.#first = before.first;
    this.#count = firstCommit - before.first;
    this.#earliest = before.earliest;
    this.#latest = before.latest;
  }

  add(commit: Parameters<typeof writeBlockCommit>[1]): void {
    writeBlockCommit(this.#data, commit);
    this.#earliest = Math.min(this.#earliest, commit.time);
    this.#latest = Math.max(this.#latest, commit.time);
    this.#count += 1;
    if (this.#count >= BLOCK_COMMITS) this.finish();
  }

  finish(): void {
    if (this.#count === 0) return;
    this.#insert.run(this.#first, this.#first + this.#count - 1, this.#earliest, this.#latest, this.#data.bytes());
    this.#data.clear();
    this.#first += this.#count;
    this.#count = 0;
    this.#earliest = Number.MAX_SAFE_INTEGER;
    this.#latest = 0;
  }
}

function replaceTags(db: DatabaseSync, tags: readonly GitTag[]): void {
  db.exec('delete from tag');
  const insert = db.prepare('insert into tag (name, sha, time) values (?, ?, ?)');
  for (const { name, target, time } of tags) insert.run(name, target, time);
}

function markAlive(db: DatabaseSync, paths: readonly string[], pathId: (path: string) => number): void {
  db.exec('update path set alive = 0 where alive = 1');
  const mark = db.prepare('update path set alive = 1 where id = ?');
  for (const path of paths) mark.run(pathId(path));
}

/** Gives each distinct key a number, in order of appearance, and writes it with what `further` adds when it is new. */
function idsOf(db: DatabaseSync, select: string, insert: string): Ids {
  const ids = new Map<string, number>();
  const existingRows: StatementSync = db.prepare(select);
  existingRows.setReturnArrays(true);
  for (const [id, ...key] of existingRows.all() as unknown as [number, ...string[]][]) ids.set(key.join('\0'), id);
  const write = db.prepare(insert);
  return (key, further) => {
    const name = key.join('\0');
    const existingId = ids.get(name);
    if (existingId !== undefined) return existingId;
    const id = ids.size + 1;
    ids.set(name, id);
    write.run(id, ...key, ...further());
    return id;
  };
}

function numberOf(db: DatabaseSync, statement: string): number {
  // `count` and `max` over integers give one number.
  return (db.prepare(statement).get() as { value: number }).value;
}
