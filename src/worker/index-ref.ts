import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CODE_FORMAT } from '../code-index/format/shard-schema.ts';
import { HISTORY_FORMAT } from '../commits/commits.ts';
import type { BuildRef, CanRead, RefRequest } from '../indexes/indexes.ts';
import { canOpenShard, openShard } from '../indexes/shards/shards.ts';
import { type BlobStore, hashOfFile } from '../platform/blobs.ts';
import { expectedFailure } from '../platform/failures.ts';
import { type GitObjects, openObjects } from '../platform/git/git-objects.ts';
import { repositoryFolder } from '../repositories/repositories.ts';
import { countNames, type IndexParts, soundHistory } from './index-repository.ts';
import type { WarmProcess } from './warm-process.ts';
import { findPreviousShard } from './previous-shard.ts';
import { workOf } from './run-turns.ts';

/** Most shards that are compared with a commit. */
const MOST_COMPARED = 6;

/** A shard to go on from. */
interface Base {
  file: string;
  /** Files that the commit has otherwise. */
  changed: number;
}

/** True if this build reads the shard of a ref. */
export const canReadRef: CanRead = (kind, file) => canOpenShard(file, kind === 'code' ? CODE_FORMAT : HISTORY_FORMAT);

/**
 * Returns a function that writes the shard of any commit of a repository, in a process beside the service: that of its code
 * from the shard that differs in the fewest files, or anew, and that of its history. It reads and adds to the facts of the
 * repository, and touches nothing that is served.
 */
export function refIndexer(work: Omit<IndexParts, 'metrics' | 'exactPass'>, indexer: WarmProcess): BuildRef {
  return async (request, { signal, onProgress }) => {
    const { repository, kind, gitDir, commit } = request;
    const own = repositoryFolder(work.repositories, repository.id);
    await Promise.all([own, work.workDir].map((folder) => mkdir(folder, { recursive: true })));
    const folder = await mkdtemp(join(work.workDir, 'ref-'));
    const done = (): Promise<void> => rm(folder, { recursive: true, force: true });
    try {
      if (kind === 'history')
        return {
          ...(await readHistory(request, { folder, indexer, blobs: work.blobs }, { signal, onProgress })),
          done,
        };
      const { base, exact, files } = await nearestShards(own, request, { blobs: work.blobs, signal });
      using turn = new DisposableStack();
      turn.use(await work.turns.take(workOf({ files, changed: (exact ?? base)?.changed ?? files }), signal));
      const file = join(folder, 'code.db');
      const task = {
        kind: 'code',
        gitDir,
        commit,
        factsCache: join(own, 'facts.db'),
        targetFile: file,
        repository: repository.id,
        processes: work.extractProcesses,
        memoryBytes: work.memoryBytes,
        graphLater: true,
        ...(base !== undefined && { previousFile: base.file }),
        ...(exact !== undefined && { exactFile: exact.file }),
      } as const;
      const { failed, gaps, parsed, resolved, anew, carriesExact } = await indexer.run(task, { signal, onProgress });
      work.log.info({ repository: repository.name, commit, parsed, resolved, anew, carriesExact }, 'a ref was indexed');
      return { file, unparsed: failed, gaps, carriesExact, done };
    } catch (error) {
      await done();
      if (!signal.aborted && expectedFailure(error) === undefined)
        work.log.error({ err: error, repository: repository.id, commit }, 'a ref could not be indexed');
      throw error;
    }
  };
}

/** Builds the history of a commit on top of that of the commit that was used last, or else of the one that is served. */
async function readHistory(
  { repository, gitDir, commit, others: [last] }: RefRequest,
  { folder, indexer, blobs }: { folder: string; indexer: WarmProcess; blobs: BlobStore },
  run: Parameters<BuildRef>[1],
): Promise<Omit<Awaited<ReturnType<BuildRef>>, 'done'>> {
  const file = join(folder, 'history.db');
  const isSound = last !== undefined && (await hashOfFile(last.shard.file)) === last.shard.hash;
  const previous = isSound ? { previousFile: last.shard.file } : await soundHistory(blobs, repository);
  const task = {
    kind: 'history',
    gitDir,
    commit,
    targetFile: file,
    keepsOtherLines: true,
    ...previous,
  } as const;
  const { gaps } = await indexer.run(task, run);
  return { file, unparsed: 0, gaps };
}

/**
 * The shard that the fewest files of the commit differ from, the same among those with what compilers know, and how many files the
 * commit has.
 */
async function nearestShards(
  own: string,
  { repository, gitDir, commit, others }: RefRequest,
  { blobs, signal }: { blobs: BlobStore; signal: AbortSignal },
): Promise<{ base?: Base; exact?: Base; files: number }> {
  await using objects = await openObjects(gitDir);
  const refs = others.map(({ shard, commit: of, exact: resolution }) => ({ ...shard, of, resolution }));
  const nearest = (candidates: readonly Candidate[]): Promise<Base | undefined> =>
    nearestOf(candidates, (of) => distance(objects, of, commit));
  const [files, base, exact] = await Promise.all([
    countFiles(objects, commit, signal),
    previousShard(own).then((previous) => nearest([...previous, ...refs])),
    exactShard(blobs, repository).then((exactShards) =>
      nearest([...exactShards, ...refs.filter(({ resolution }) => resolution === 'carried')]),
    ),
  ]);
  return { files, ...(base !== undefined && { base }), ...(exact !== undefined && { exact }) };
}

/** A shard with its commit; its content is checked where a hash says what it was. */
interface Candidate {
  file: string;
  hash?: string;
  of: string;
}

async function nearestOf(
  candidates: readonly Candidate[],
  distanceTo: (commit: string) => Promise<number>,
): Promise<Base | undefined> {
  const comparisons = candidates
    .slice(0, MOST_COMPARED)
    .map(async (candidate) => ({ ...candidate, changed: await distanceTo(candidate.of) }));
  for (const { file, hash, changed } of (await Promise.all(comparisons)).toSorted((a, b) => a.changed - b.changed)) {
    // One that was altered would be passed on.
    if (changed < Infinity && (hash === undefined || (await hashOfFile(file).catch(() => '')) === hash))
      return { file, changed };
  }
  return undefined;
}

/** The shard that is served, where compilers have resolved its names. */
async function exactShard(
  blobs: BlobStore,
  { exact, shardHash, commit }: RefRequest['repository'],
): Promise<Candidate[]> {
  if (exact !== 'done' || shardHash === null || commit === null) return [];
  return [{ file: await blobs.path(shardHash), hash: shardHash, of: commit }];
}

/** The shard from which the next index of the repository goes on, whose content was checked. */
async function previousShard(own: string): Promise<Candidate[]> {
  const { previousFile: file } = await findPreviousShard(own);
  if (file === undefined) return [];
  try {
    const db = openShard(file, CODE_FORMAT);
    const of = db.meta.values['commit'] ?? '';
    db.close();
    return [{ file, of }];
  } catch {
    // Of an older version.
    return [];
  }
}

/** In how many files two commits differ; no number where one of them is not there any more. */
async function distance(objects: GitObjects, from: string, to: string): Promise<number> {
  return objects
    .run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to])
    .then(countNames, () => Infinity);
}

async function countFiles(objects: GitObjects, commit: string, signal: AbortSignal): Promise<number> {
  return countNames(await objects.run(['ls-tree', '-r', '-z', '--name-only', commit], signal));
}
