import { availableParallelism } from 'node:os';
import { lacksObject } from '../../platform/git/git-failure.ts';
import { decodePath, type GitObjects } from '../../platform/git/git-objects.ts';
import type { ChangeStatus } from './change-blocks.ts';
import { findSubtrees, readGraph } from './subtrees.ts';

/**
 * Commits one git process reads, at most. Its answer is held in memory: about 1 KB a commit. Each process unpacks anew
 * what the one before it had at hand: batches of 500 cost a quarter more.
 */
const MOST_COMMITS = 2_000;
/** Below this the start of a process costs more than it saves. */
const LEAST_COMMITS = 250;
/**
 * Larger contents count as binary: their lines are not known. These are lock files and data, whose lines tell nothing;
 * where they change often, reading them takes most of the time (trpc: 6.9 s with them, 1.1 s without).
 */
export const LARGEST_COUNTED = '512k';
/** Half of the cores, because the code is indexed at the same time. */
const MOST_PROCESSES = 4;

/** Begins a commit, so that a list of changes can end anywhere. */
const MARK = '\u0001';
const FIELDS = `--format=%x01${['H', 'P', 'aN', 'aE', 'at', 'ct', 's', 'b'].map((field) => `%${field}`).join('%x00')}%x00`;
const NO_OBJECT = /^0+$/;
/** Lines added and deleted, `-` for binary files; the path may hold tabs and line feeds itself. */
const COUNTS = /^(\d+|-)\t(\d+|-)\t(.*)$/s;

export interface FileChange {
  status: ChangeStatus;
  path: string;
  /** Of a rename, where it was before. */
  oldPath?: string;
  /** Lines; undefined for binary files, those beyond 512 KiB, and when the commit was not counted. */
  added?: number;
  deleted?: number;
  /** Object ids before and after; only where lines could not be counted. */
  blobs: readonly string[];
}

/** A commit as its author is called in `.mailmap`. Times are seconds since 1970. */
export interface LoggedCommit {
  sha: string;
  /** Object ids; none of the first commit. */
  parents: string[];
  authorName: string;
  authorEmail: string;
  authoredAt: number;
  committedAt: number;
  subject: string;
  body: string;
  /** Against the first parent. None for merges. Paths are in the folder into which the history was merged, if it was. */
  changes: FileChange[];
  /** False when contents are missing, so that lines and renames with edits are not known. */
  counted: boolean;
}

interface LogRequest {
  commit: string;
  /** Leaves out these commits and what comes before them. */
  after?: readonly string[];
  /** True if the omitted history has several first commits, so that a part of it may belong into a folder. */
  hasSeveralRoots?: boolean;
  /** Object id of the `.mailmap` by which authors are called, '' for none; that of `commit` when absent. */
  mailmap?: string;
  signal: AbortSignal;
  /** Called once, before the first commit. */
  onTotal?: (commits: number) => unknown;
}

/**
 * Reads the history of a commit, oldest first and parents before children, in batches of up to 2,000. Commits of a history
 * that was merged as a folder (`git subtree`) have their paths in that folder.
 *
 * Several git processes read ahead, so that comparing trees uses more than one core; memory holds a few batches.
 * @throws GitFailure when commits or trees are missing.
 */
export async function* readLog(objects: GitObjects, request: LogRequest): AsyncGenerator<LoggedCommit[]> {
  const { commit, after = [], hasSeveralRoots = false, mailmap = `${commit}:.mailmap`, signal, onTotal } = request;
  const range = [commit, ...after.map((sha) => `^${sha}`)];
  const graph = await readGraph(objects, range, signal);
  const ids = graph.map(({ sha }) => sha);
  onTotal?.(ids.length);
  const needsWhole = after.length > 0 && (hasSeveralRoots || graph.some(({ parents }) => parents.length === 0));
  const whole = needsWhole ? await readGraph(objects, [commit], signal) : graph;
  const folders = await findSubtrees(objects, whole, signal);
  const reader = { objects, signal, mailmap: `mailmap.blob=${mailmap}`, folders };
  const processes = Math.max(1, Math.min(MOST_PROCESSES, Math.floor(availableParallelism() / 2)));
  // All processes end at about the same time.
  const rounds = Math.max(1, Math.ceil(ids.length / (MOST_COMMITS * processes)));
  const size = Math.max(LEAST_COMMITS, Math.ceil(ids.length / (rounds * processes)));
  const running: Promise<LoggedCommit[]>[] = [];
  for (let from = 0; from < ids.length || running.length > 0;) {
    for (; from < ids.length && running.length < processes; from += size) {
      const batch = readBatch(reader, ids.slice(from, from + size));
      // An earlier batch may fail first; this one's failure is then nobody's.
      batch.catch(() => undefined);
      running.push(batch);
    }
    const next = await running.shift();
    if (next !== undefined) yield next;
  }
}

interface BatchReader {
  objects: GitObjects;
  signal: AbortSignal;
  mailmap: string;
  /** The folder of a commit whose paths are those of a merged history: see `findSubtrees`. */
  folders: ReadonlyMap<string, string>;
}

/** Reads commits with line counts; where contents are missing, counts those commits that have all of theirs. */
async function readBatch(reader: BatchReader, ids: readonly string[]): Promise<LoggedCommit[]> {
  let commits: LoggedCommit[];
  try {
    commits = await runLog(reader, ids, ['--raw', '--numstat', '--find-renames', '-l1000']);
  } catch (error) {
    if (!lacksObject(error)) throw error;
    commits = await readIncomplete(reader, ids);
  }
  // The oldest commits of a shallow clone look as if they had added everything.
  const borders = new Set(reader.objects.borders);
  return commits.map((commit) =>
    borders.has(commit.sha)
      ? { ...commit, changes: [], counted: false }
      : inFolder(commit, reader.folders.get(commit.sha) ?? ''),
  );
}

function inFolder(commit: LoggedCommit, folder: string): LoggedCommit {
  if (folder === '') return commit;
  const changes = commit.changes.map(({ path, oldPath, ...change }) => ({
    ...change,
    path: folder + path,
    ...(oldPath !== undefined && { oldPath: folder + oldPath }),
  }));
  return { ...commit, changes };
}

async function readIncomplete(reader: BatchReader, ids: readonly string[]): Promise<LoggedCommit[]> {
  // Renames of unchanged content only: anything else needs the contents.
  const listed = await runLog(reader, ids, ['--raw', '--find-renames=100%']);
  const blobs = new Set(listed.flatMap((commit) => commit.changes.flatMap((change) => change.blobs)));
  const there = await reader.objects.sizes(blobs, reader.signal);
  const whole = listed.filter((commit) => commit.changes.every((change) => change.blobs.every((id) => there.has(id))));
  if (whole.length === 0) return listed.map((commit) => ({ ...commit, counted: isTrivial(commit) }));
  const wholeIds = whole.map((commit) => commit.sha);
  const counted = await runLog(reader, wholeIds, ['--raw', '--numstat', '--find-renames', '-l1000']);
  const byId = new Map(counted.map((commit) => [commit.sha, commit]));
  return listed.map((commit) => byId.get(commit.sha) ?? { ...commit, counted: false });
}

/** Without changes there is nothing to count. */
function isTrivial(commit: LoggedCommit): boolean {
  return commit.changes.length === 0;
}

async function runLog(
  { objects, signal, mailmap }: BatchReader,
  ids: readonly string[],
  diff: readonly string[],
): Promise<LoggedCommit[]> {
  const fixed = ['--no-walk=unsorted', '--stdin', '-z', '--no-abbrev', '--no-textconv', '--ignore-submodules=all'];
  const args = ['-c', mailmap, '-c', `core.bigFileThreshold=${LARGEST_COUNTED}`, 'log', ...fixed, ...diff, FIELDS];
  // Newest first: git packs older contents as changes to newer ones, which it then has at hand.
  const output = await objects.run(args, signal, `${ids.toReversed().join('\n')}\n`);
  return parseLog(output).toReversed();
}

/**
 * Parses `git log -z --raw [--numstat]` with our format: NUL-ended fields, then `:modes ids status`, path (two of a
 * rename), then `added TAB deleted TAB path` (path empty and two following of a rename).
 */
export function parseLog(output: Buffer): LoggedCommit[] {
  const tokens = output.toString('latin1').split('\0');
  const commits: LoggedCommit[] = [];
  let into: ReadChanges = { changes: [], counts: 0 };
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]?.startsWith(MARK) === true) {
      const commit = parseCommit(tokens, at);
      commits.push(commit);
      at += 7;
      into = { changes: commit.changes, counts: 0 };
    } else at += readChange(tokens, at, into);
  }
  return commits;
}

/** Parses `git diff-tree -z --raw [--numstat]`: what `parseLog` reads behind the fields of a commit. */
export function parseChanges(output: Buffer): FileChange[] {
  const tokens = output.toString('latin1').split('\0');
  const into: ReadChanges = { changes: [], counts: 0 };
  for (let at = 0; at < tokens.length; at += 1) at += readChange(tokens, at, into);
  return into.changes;
}

interface ReadChanges {
  changes: FileChange[];
  /** Position of the counts in `changes`. */
  counts: number;
}

/** Reads a change or its counts, and gives how many further tokens belong to it. */
function readChange(tokens: readonly string[], at: number, into: ReadChanges): number {
  const token = tokens[at] ?? '';
  if (token.startsWith(':') || token.startsWith('\n:')) {
    const change = parseRaw(tokens, at);
    into.changes.push(change);
    return change.oldPath === undefined ? 1 : 2;
  }
  const [matched, added = '', deleted = '', inline = ''] = COUNTS.exec(token) ?? [];
  if (matched === undefined) return 0;
  const path = pathOf(inline === '' ? tokens[at + 2] : inline);
  // Both lists have the same order; git may leave out of this one what it does not count.
  while (into.counts < into.changes.length && into.changes[into.counts]?.path !== path) into.counts += 1;
  const change = into.changes[into.counts];
  if (change !== undefined && added !== '-') {
    change.added = Number(added);
    change.deleted = Number(deleted);
  }
  return inline === '' ? 2 : 0;
}

function parseCommit(tokens: readonly string[], at: number): LoggedCommit {
  const [sha = '', parents = '', authorName = '', authorEmail = '', authored, committed, subject = '', body = ''] =
    tokens.slice(at, at + 8);
  return {
    sha: sha.slice(1),
    parents: parents === '' ? [] : parents.split(' '),
    authorName: decodeText(authorName),
    authorEmail: decodeText(authorEmail),
    authoredAt: Number(authored),
    committedAt: Number(committed),
    subject: decodeText(subject),
    body: decodeText(body.trimEnd()),
    changes: [],
    counted: true,
  };
}

function parseRaw(tokens: readonly string[], at: number): FileChange {
  const [, , before = '', after = '', letter = 'M'] = (tokens[at] ?? '').split(' ');
  const status = statusOf(letter);
  const blobs = [before, after].filter((id) => !NO_OBJECT.test(id));
  const first = pathOf(tokens[at + 1]);
  if (status !== 'R') return { status, path: first, blobs };
  return { status, path: pathOf(tokens[at + 2]), oldPath: first, blobs };
}

function statusOf(letter: string): ChangeStatus {
  const status = letter.slice(0, 1);
  // Copies are not looked for; what else git may invent is a modification.
  return status === 'A' || status === 'D' || status === 'R' || status === 'T' ? status : 'M';
}

function pathOf(token = ''): string {
  return isPlain(token) ? token : decodePath(Buffer.from(token, 'latin1'));
}

function decodeText(token: string): string {
  return isPlain(token) ? token : Buffer.from(token, 'latin1').toString('utf8');
}

/** ASCII is the same in Latin-1 and UTF-8. */
function isPlain(token: string): boolean {
  return !/[\u0080-\u00ff]/.test(token);
}
