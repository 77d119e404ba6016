import { counted } from '../../kernel/counted.ts';
import { type Gap, namePaths } from '../../kernel/gap.ts';
import { explainGit } from '../../platform/git/git-failure.ts';
import { type GitObjects, openObjects } from '../../platform/git/git-objects.ts';
import { listTags } from '../../platform/git/git-refs.ts';
import { buildShard, openShard, ShardDamaged } from '../../indexes/shards/shards.ts';
import { readLog } from './git-log.ts';
import { HISTORY_FORMAT, HISTORY_VERSION, OTHER_LINES } from './history-schema.ts';
import { type HistoryTotals, openHistoryWriter } from './history-writer.ts';

/** The input of building a history. Crosses a process border: plain data. */
export interface HistoryTask {
  gitDir: string;
  /** Newest commit, in full. */
  commit: string;
  /** The last history shard of this repository: only what is newer is read when it still fits. */
  previousFile?: string;
  /**
   * True if the shard may hold further lines of history: all of `previousFile` then stays, and only the further commits of
   * `commit` are read. Questions to the shard are still about `commit` and its ancestors.
   */
  keepsOtherLines?: boolean;
  /** Path at which the shard is written. An existing file is replaced. */
  targetFile: string;
}

export interface HistoryResult {
  /** In the whole shard. */
  commits: number;
  changes: number;
  /** Commits that were read now; the rest was taken over. */
  read: number;
  /** Reading and writing them. */
  seconds: number;
  /** The missing parts of the history, and the submodules of the commit. Empty when it is whole. */
  gaps: Gap[];
}

interface HistoryRun {
  signal: AbortSignal;
  onProgress: (progress: { stage: string; done: number; total: number }) => void;
}

/**
 * Writes the history shard of a commit: commits with parents, trailers and class, authors (by `.mailmap`), file changes,
 * tags, and what commit search needs.
 *
 * Commits that `previousFile` holds are taken over when its newest one is an ancestor and `.mailmap` is the same, or with
 * `keepsOtherLines`, which goes on with the `.mailmap` of that file; otherwise, as after a forced push, all are read again.
 * Missing contents (partial clone) cost renames with edits, a shallow border the changes of the oldest commits: both are told
 * in `gaps`.
 *
 * @throws ServiceError when commits or trees are missing, the signal's reason when cancelled.
 */
export async function writeHistory(task: HistoryTask, { signal, onProgress }: HistoryRun): Promise<HistoryResult> {
  try {
    const startedMs = performance.now();
    await using objects = await openObjects(task.gitDir);
    const { files, links, submodules } = await objects.listTree(task.commit, signal);
    const own = [...files, ...links].find(({ path }) => path === '.mailmap')?.blob ?? '';
    const base = await usableBase(objects, task, own, signal);
    const { mailmap = own, heads = [], hasSeveralRoots = false } = base ?? {};
    const others = task.keepsOtherLines === true ? heads.filter((head) => head !== task.commit) : [];
    const tags = await listTags(task.gitDir, signal);
    const paths = [...[...files, ...links].map(({ path }) => path), ...submodules];
    const plan = {
      kind: HISTORY_FORMAT.kind,
      version: HISTORY_VERSION,
      meta: { commit: task.commit, mailmap, [OTHER_LINES]: others.join(' ') },
      ...(base !== undefined && { base: base.file }),
    };
    const done = { read: 0, total: 0 };
    const request = {
      commit: task.commit,
      mailmap,
      after: heads,
      hasSeveralRoots,
      signal,
      onTotal: (all: number) => (done.total = all),
    };
    const totals = await buildShard(task.targetFile, plan, async (db) => {
      const writer = openHistoryWriter(db, base === undefined);
      for await (const commits of readLog(objects, request)) {
        writer.append(commits);
        done.read += commits.length;
        onProgress({ stage: 'history', done: done.read, total: done.total });
      }
      signal.throwIfAborted();
      return writer.finish({ tags, paths });
    });
    const { commits, changes } = totals;
    const seconds = Math.round(performance.now() - startedMs) / 1_000;
    return { commits, changes, read: done.read, seconds, gaps: gapsOf(totals, objects, submodules) };
  } catch (error) {
    throw explainGit(error, 'The repository');
  }
}

function gapsOf({ commits, incomplete }: HistoryTotals, objects: GitObjects, submodules: readonly string[]): Gap[] {
  const gaps: Gap[] = [];
  if (objects.borders.length > 0) {
    const text = `The clone is shallow: its history is cut at ${counted(commits, 'commit')}. Fetch the older ones with git fetch --unshallow.`;
    gaps.push({ kind: 'shallow', count: commits, text });
  }
  const missing = incomplete - objects.borders.length;
  if (missing > 0) {
    const text = `Commits whose renames are known only of unchanged files, because contents are missing (a partial clone): ${missing}.`;
    gaps.push({ kind: 'note', count: missing, text });
  }
  if (submodules.length > 0)
    gaps.push({
      kind: 'submodules',
      count: submodules.length,
      text: `Submodules are not indexed: ${namePaths(submodules)}.`,
    });
  return gaps;
}

/** A shard to go on from. */
interface Base {
  file: string;
  /** Commits that it holds with all that come before them. */
  heads: string[];
  /** Object id of the `.mailmap` that its authors are called by, or ''. */
  mailmap: string;
  /** True if its history has more than one first commit. */
  hasSeveralRoots: boolean;
}

/** The previous shard, if the new history only adds to it, or may hold what else is there. */
async function usableBase(
  objects: GitObjects,
  { previousFile, keepsOtherLines = false, commit }: HistoryTask,
  own: string,
  signal: AbortSignal,
): Promise<Base | undefined> {
  const previous = previousFile === undefined ? undefined : readPrevious(previousFile);
  if (previousFile === undefined || previous === undefined) return undefined;
  const { meta, hasSeveralRoots } = previous;
  const { mailmap = '', commit: newest = '', [OTHER_LINES]: others = '' } = meta;
  const heads = [newest, ...others.split(' ').filter(Boolean)];
  const base = { file: previousFile, heads, mailmap, hasSeveralRoots };
  if (keepsOtherLines) {
    // A line that was pushed over may be gone, and git cannot leave out what it does not have.
    const there = await objects.sizes(heads, signal);
    return heads.every((head) => there.has(head)) ? base : undefined;
  }
  if (mailmap !== own || others !== '') return undefined;
  return (await objects.isAncestor(newest, commit, signal)) ? base : undefined;
}

function readPrevious(file: string): { meta: Record<string, string>; hasSeveralRoots: boolean } | undefined {
  try {
    const shard = openShard(file, HISTORY_FORMAT);
    try {
      const roots = shard.prepare("select id from git_commit where parents = '' limit 2").all();
      return { meta: shard.meta.values, hasSeveralRoots: roots.length > 1 };
    } finally {
      shard.close();
    }
  } catch (error) {
    if (error instanceof ShardDamaged) return undefined;
    throw error;
  }
}
