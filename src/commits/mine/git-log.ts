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
 * Larger contents count as binary: their lines are not known, and they are not compared with others to find a rename. These are
 * lock files and data, whose lines tell nothing; where they change often, reading them takes most of the time.
 */
export const LARGEST_COMPARED = '512k';
/** Half of the cores, because the code is indexed at the same time. */
const MOST_PROCESSES = 4;

/** Begins a commit, so that a list of changes can end anywhere. */
const MARK = '\u0001';
const FIELDS = `--format=%x01${['H', 'P', 'aN', 'aE', 'at', 'ct', 's', 'b'].map((field) => `%${field}`).join('%x00')}%x00`;
const NO_OBJECT = /^0+$/;
/** Changed files, with those that were renamed and edited at once. */
const RENAMES = ['--raw', '--find-renames', '-l1000'];

export interface LoggedChange {
  status: ChangeStatus;
  path: string;
  /** Of a rename, where it was before. */
  oldPath?: string;
  /** Object ids before and after; '' where there is none. */
  blobs: readonly [before: string, after: string];
  /** Bytes after less those before; undefined where they are not known. */
  growth?: number;
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
  changes: LoggedChange[];
  /** False when contents are missing that tell renames with edits, and of the oldest commits of a shallow clone. */
  complete: boolean;
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
 * Lines are not counted: that reads all contents, ten times the work (`readDiff` counts those of one commit). Several git
 * processes read ahead, so that comparing trees uses more than one core; memory holds a few batches.
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

/** Reads commits; where contents are missing, finds the renames with edits of those that have what this needs. */
async function readBatch(reader: BatchReader, ids: readonly string[]): Promise<LoggedCommit[]> {
  let commits: LoggedCommit[];
  try {
    commits = await runLog(reader, ids, RENAMES);
  } catch (error) {
    if (!lacksObject(error)) throw error;
    commits = await readIncomplete(reader, ids);
  }
  await addGrowth(reader, commits);
  // The oldest commits of a shallow clone look as if they had added everything.
  const borders = new Set(reader.objects.borders);
  return commits.map((commit) =>
    borders.has(commit.sha)
      ? { ...commit, changes: [], complete: false }
      : inFolder(commit, reader.folders.get(commit.sha) ?? ''),
  );
}

/** Tells by how much files grew: of sizes git reads a few bytes each, of lines all contents. */
async function addGrowth({ objects, signal }: BatchReader, commits: readonly LoggedCommit[]): Promise<void> {
  const changes = commits.flatMap((commit) => commit.changes);
  const sizes = await objects.sizes(new Set(changes.flatMap(({ blobs }) => blobs.filter(Boolean))), signal);
  const sizeOf = (blob: string): number | undefined => (blob === '' ? 0 : sizes.get(blob));
  for (const change of changes) {
    const [before, after] = change.blobs.map(sizeOf);
    if (before !== undefined && after !== undefined) change.growth = after - before;
  }
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
  const listed = await runLog(reader, ids, ['--raw', '--find-renames=100%']);
  const compared = new Map(listed.map((commit) => [commit.sha, comparedBlobs(commit)]));
  const there = await reader.objects.sizes(new Set([...compared.values()].flat()), reader.signal);
  const isThere = ({ sha }: LoggedCommit): boolean => (compared.get(sha) ?? []).every((blob) => there.has(blob));
  const again = listed.filter((commit) => comparedBlobs(commit).length > 0 && isThere(commit));
  const read =
    again.length === 0
      ? []
      : await runLog(
          reader,
          again.map(({ sha }) => sha),
          RENAMES,
        );
  const bySha = new Map(read.map((commit) => [commit.sha, commit]));
  return listed.map((commit) => bySha.get(commit.sha) ?? { ...commit, complete: isThere(commit) });
}

/** The contents that git compares to find renames with edits: none where nothing is new, or nothing is gone. */
function comparedBlobs({ changes }: LoggedCommit): string[] {
  const has = (status: ChangeStatus): boolean => changes.some((change) => change.status === status);
  if (!has('A') || !has('D')) return [];
  return changes.flatMap(({ status, blobs }) => (status === 'A' || status === 'D' ? blobs.filter(Boolean) : []));
}

async function runLog(
  { objects, signal, mailmap }: BatchReader,
  ids: readonly string[],
  diff: readonly string[],
): Promise<LoggedCommit[]> {
  const fixed = ['--no-walk=unsorted', '--stdin', '-z', '--no-abbrev', '--no-textconv', '--ignore-submodules=all'];
  const args = ['-c', mailmap, '-c', `core.bigFileThreshold=${LARGEST_COMPARED}`, 'log', ...fixed, ...diff, FIELDS];
  // Newest first: git packs older contents as changes to newer ones, which it then has at hand.
  const output = await objects.run(args, signal, `${ids.toReversed().join('\n')}\n`);
  return parseLog(output).toReversed();
}

/**
 * Parses `git log -z --raw` with our format: NUL-ended fields, then for each file `:modes ids status` and path (two of a
 * rename).
 */
export function parseLog(output: Buffer): LoggedCommit[] {
  const tokens = output.toString('latin1').split('\0');
  const commits: LoggedCommit[] = [];
  let changes: LoggedChange[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]?.startsWith(MARK) === true) {
      const commit = parseCommit(tokens, at);
      commits.push(commit);
      changes = commit.changes;
      at += 7;
    } else at += readChange(tokens, at, changes);
  }
  return commits;
}

/** Reads the change that begins at a token, if one does, and returns how many further tokens belong to it. */
export function readChange(tokens: readonly string[], at: number, into: LoggedChange[]): number {
  const token = tokens[at] ?? '';
  if (!token.startsWith(':') && !token.startsWith('\n:')) return 0;
  const change = parseRaw(tokens, at);
  into.push(change);
  return change.oldPath === undefined ? 1 : 2;
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
    complete: true,
  };
}

function parseRaw(tokens: readonly string[], at: number): LoggedChange {
  const [, , before = '', after = '', letter = 'M'] = (tokens[at] ?? '').split(' ');
  const status = statusOf(letter);
  const blobs = [objectOf(before), objectOf(after)] as const;
  const first = pathOf(tokens[at + 1]);
  if (status !== 'R') return { status, path: first, blobs };
  return { status, path: pathOf(tokens[at + 2]), oldPath: first, blobs };
}

function objectOf(id: string): string {
  return NO_OBJECT.test(id) ? '' : id;
}

function statusOf(letter: string): ChangeStatus {
  const status = letter.slice(0, 1);
  // Copies are not looked for; what else git may invent is a modification.
  return status === 'A' || status === 'D' || status === 'R' || status === 'T' ? status : 'M';
}

/** A path of an output that was read as Latin-1. */
export function pathOf(token = ''): string {
  return isPlain(token) ? token : decodePath(Buffer.from(token, 'latin1'));
}

function decodeText(token: string): string {
  return isPlain(token) ? token : Buffer.from(token, 'latin1').toString('utf8');
}

/** ASCII is the same in Latin-1 and UTF-8. */
function isPlain(token: string): boolean {
  return !/[\u0080-\u00ff]/.test(token);
}
