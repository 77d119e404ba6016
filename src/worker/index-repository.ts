import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tenant } from '../kernel/tenant.ts';
import { CODE_FORMAT } from '../code-index/format/shard-schema.ts';
import type { CodeIndexResult } from '../code-index/code-index.ts';
import { hasExactLanguage } from '../code-index/refine/refine.ts';
import { HISTORY_FORMAT, type HistoryResult } from '../commits/commits.ts';
import { joinGaps } from '../kernel/gap.ts';
import type { BlobStore } from '../platform/blobs.ts';
import { openObjects } from '../platform/git/git-objects.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { expectedFailure, isOutage } from '../platform/failures.ts';
import type { Supervisor } from '../platform/supervision.ts';
import {
  getRepository,
  type LastRun,
  type Repositories,
  type Repository,
  repositoryFolder,
} from '../repositories/repositories.ts';
import {
  beginIndexing,
  type Checkout,
  failIndexing,
  publishSnapshot,
  reportProgress,
  scipUploads,
  syncRepository,
} from '../repositories/runs/runs.ts';
import { canOpenShard } from '../indexes/shards/shards.ts';
import { runIndexProcess } from './index-process.ts';
import type { IndexResults } from './index-task.ts';
import { keepShard, findPreviousShard } from './previous-shard.ts';
import { RunReporter } from './run-reporter.ts';
import { type RunTurns, workOf } from './run-turns.ts';
import type { WarmProcess } from './warm-process.ts';

/** A run of about so many files takes one process for both halves, which has been started for another. */
const FEW_FILES = 200;
/** After this many attempts a fault of the service is shown to users instead of being tried again. */
const MOST_ATTEMPTS = 3;

/** Dependencies of index runs. */
export interface IndexParts {
  repositories: Repositories;
  blobs: BlobStore;
  /** Folder for unfinished shards; anything in it may be deleted when no run works. */
  workDir: string;
  /** Turns of the runs, so that short ones need not wait for long ones. */
  turns: RunTurns;
  /** Runs short ones in a process that stays for others; without one each has its own. */
  indexer?: Pick<WarmProcess, 'run'> | undefined;
  /** Processes of one run that parse. */
  extractProcesses: number;
  /** The setting of memory, in bytes, that a run has shares of; its default when absent. */
  memoryBytes?: number | undefined;
  /** True if compilers resolve names after a run. */
  exactPass: boolean;
  log: Log;
  metrics: Metrics;
  /** Watches the processes that index. */
  supervisor?: Pick<Supervisor, 'watch'> | undefined;
}

/** One run: whose repository, which attempt, and what stops it. */
interface IndexRequest {
  tenant: Tenant;
  id: string;
  attempt: number;
  signal: AbortSignal;
}

/**
 * Brings the index of a repository to what the repository holds now: fetch, two processes that build the shards, publish.
 * Does nothing more than look when the commit is the same and both shards are sound. Safe twice and after a crash: facts
 * are kept, a run that began later wins.
 *
 * @throws Error when it should be tried again; what cannot get better is written to the repository instead.
 */
export async function indexRepository(work: IndexParts, request: IndexRequest): Promise<void> {
  const { tenant, id, attempt, signal } = request;
  const repository = await beginIndexing(work.repositories, tenant, id);
  if (repository === undefined) return;
  const run = { id, run: repository.run };
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const startedMs = performance.now();
  const reporter = new RunReporter({
    report: (progress) => reportProgress(work.repositories, tenant, run, progress),
    onOver: () => over.abort(new Error('The run is over: the repository was removed or another run began.')),
    onStage: (stage, seconds) => work.metrics.timeIndexStage(stage, seconds),
  });
  try {
    await buildAndPublish(work, { repository, signal: stop, reporter, startedMs });
  } catch (error) {
    if (over.signal.aborted) return;
    if (signal.aborted) throw error;
    // A database or storage that is away says nothing about the repository: the run is tried again.
    const expected = expectedFailure(error);
    const isExplained = expected !== undefined && !isOutage(expected);
    if (!isExplained) work.log.error({ err: error, repository: id, attempt }, 'indexing failed');
    if (!isExplained && attempt < MOST_ATTEMPTS) throw error;
    await failIndexing(work.repositories, tenant, run, error);
  } finally {
    await reporter.end();
  }
}

interface Run {
  repository: Repository;
  signal: AbortSignal;
  reporter: RunReporter;
  /** On the clock of `performance.now`. */
  startedMs: number;
}

async function buildAndPublish(work: IndexParts, run: Run): Promise<void> {
  const { repository, signal, reporter } = run;
  const checkout = await syncRepository(work.repositories, repository, {
    signal,
    onProgress: (progress) => reporter.showFetch(progress),
  });
  if (await isCurrent(work.blobs, repository, checkout.commit)) return republish(work, run, checkout);
  const files = await workOfRun(repository, checkout, signal);
  const turn = await work.turns.take(files, signal);
  try {
    await buildInTurn(files <= FEW_FILES ? work : { ...work, indexer: undefined }, run, checkout);
  } finally {
    turn[Symbol.dispose]();
  }
}

async function buildInTurn(work: IndexParts, run: Run, checkout: Checkout): Promise<void> {
  const { repository, signal } = run;
  await mkdir(work.workDir, { recursive: true });
  const folder = await mkdtemp(join(work.workDir, 'run-'));
  try {
    const [code, history] = await buildShards(work, run, { checkout, folder });
    signal.throwIfAborted();
    const shard = await work.blobs.put(join(folder, 'code.db'));
    const past = await work.blobs.put(join(folder, 'history.db'));
    await publishSnapshot(work.repositories, repository, repository, {
      ...pointOf(checkout),
      shard,
      history: past,
      indexedAt: work.repositories.now(),
      files: code.files,
      symbols: code.symbols,
      lines: code.lines,
      languages: code.languages,
      unparsed: code.failed,
      gaps: joinGaps(code.gaps, history.gaps),
      exact: await exactAfter(work, repository, { commit: checkout.commit, languages: code.languages }),
      lastRun: lastRun(run, code, history),
    });
    await keepForNextIndex(work, repository, shard.hash);
    work.log.info({ repository: repository.name, commit: checkout.commit, ...countsOf(code, history) }, 'indexed');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Estimates the work before it begins: files, and those that the last index does not have. */
async function workOfRun(
  { commit: previous, files: before }: Repository,
  { gitDir, commit }: Checkout,
  signal: AbortSignal,
): Promise<number> {
  await using objects = await openObjects(gitDir);
  const all = async (): Promise<number> => (await objects.listTree(commit, signal)).files.length;
  if (previous === null) {
    const files = await all();
    return workOf({ files, changed: files });
  }
  // A forced push may have taken the commit away that the index is of.
  const diff = objects.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', previous, commit], signal);
  const changed = await diff.then(countNames, all);
  return workOf({ files: Math.max(before, changed), changed });
}

/** Counts the names that git has printed, each followed by a zero byte. */
export function countNames(output: Buffer): number {
  let names = 0;
  for (let at = output.indexOf(0); at !== -1; at = output.indexOf(0, at + 1)) names += 1;
  return names;
}

/** Copies the shard for the next index. A failure is only logged: it costs the next index time, and this one is published. */
async function keepForNextIndex(work: IndexParts, { id }: Repository, hash: string): Promise<void> {
  try {
    await keepShard(repositoryFolder(work.repositories, id), await work.blobs.path(hash), hash);
  } catch (error) {
    work.log.warn({ err: error, repository: id }, 'the shard could not be kept for the next index');
  }
}

/** Both halves at once. When one fails the other is stopped. */
async function buildShards(
  work: IndexParts,
  { repository, signal, reporter }: Run,
  { checkout, folder }: { checkout: Checkout; folder: string },
): Promise<[CodeIndexResult, HistoryResult]> {
  const { gitDir, commit } = checkout;
  const own = repositoryFolder(work.repositories, repository.id);
  await mkdir(own, { recursive: true });
  const previous = await soundHistory(work.blobs, repository);
  const isAwaited = repository.isAwaited && repository.commit === null;
  const failed = new AbortController();
  const both = AbortSignal.any([signal, failed.signal]);
  const orStop = (error: unknown): never => {
    failed.abort(error);
    throw error;
  };
  const indexer = isAwaited ? undefined : work.indexer;
  const task = { gitDir, commit };
  const options = { signal: both, supervisor: work.supervisor, isAwaited };
  const start = indexer === undefined ? runIndexProcess : indexer.run.bind(indexer);
  const code = start<'code'>(
    {
      kind: 'code',
      ...task,
      factsCache: join(own, 'facts.db'),
      targetFile: join(folder, 'code.db'),
      ...(await findPreviousShard(own)),
      repository: repository.id,
      processes: work.extractProcesses,
      memoryBytes: work.memoryBytes,
    },
    { ...options, onProgress: (progress) => reporter.show(progress) },
  ).catch(orStop);
  // A short run does one after the other in the same process.
  if (indexer !== undefined) await code.catch(() => undefined);
  const history = start<'history'>(
    { kind: 'history', ...task, targetFile: join(folder, 'history.db'), ...previous },
    // The code takes longer in nearly every repository: its progress is the one that is shown, until it is done.
    { ...options, onProgress: (progress) => reporter.showSecond(progress) },
  ).catch(orStop);
  const [first, second] = await Promise.allSettled([code, history]);
  if (first.status === 'rejected') throw failed.signal.reason;
  if (second.status === 'rejected') throw failed.signal.reason;
  return [first.value, second.value];
}

/** The history to go on from; not one that was altered, which would be passed on for ever. */
export async function soundHistory(blobs: BlobStore, { historyHash }: Repository): Promise<{ previousFile?: string }> {
  if (historyHash === null || !(await blobs.verify(historyHash))) return {};
  return { previousFile: await blobs.path(historyHash) };
}

/** True if the published snapshot is of this commit, and both of its shards can be read. */
async function isCurrent(blobs: BlobStore, repository: Repository, commit: string): Promise<boolean> {
  const { shardHash, historyHash } = repository;
  if (repository.commit !== commit || shardHash === null || historyHash === null) return false;
  if (!(await blobs.verify(shardHash)) || !(await blobs.verify(historyHash))) return false;
  return (
    canOpenShard(await blobs.path(shardHash), CODE_FORMAT) &&
    canOpenShard(await blobs.path(historyHash), HISTORY_FORMAT)
  );
}

/** Returns `pending` if a compiler pass follows a run, else null. */
async function exactAfter(
  { exactPass, repositories }: IndexParts,
  repository: Repository,
  { commit, languages }: { commit: string; languages: Record<string, number> },
): Promise<Repository['exact']> {
  const isCompiled = exactPass && hasExactLanguage(Object.keys(languages));
  if (isCompiled) return 'pending';
  return (await scipUploads(repositories, { ...repository, commit })).length > 0 ? 'pending' : null;
}

async function republish(work: IndexParts, run: Run, checkout: Checkout): Promise<void> {
  // Read again: a refined shard may have come since the run began.
  const repository = await getRepository(work.repositories, run.repository, run.repository.id);
  const { shardHash, shardBytes, historyHash, historyBytes } = repository;
  if (shardHash === null || historyHash === null) throw new Error('A snapshot without shards is current.');
  const { files, symbols, lines, languages, unparsed, gaps } = repository;
  await publishSnapshot(work.repositories, repository, run.repository, {
    ...pointOf(checkout),
    shard: { hash: shardHash, sizeBytes: shardBytes ?? 0 },
    history: { hash: historyHash, sizeBytes: historyBytes ?? 0 },
    indexedAt: work.repositories.now(),
    files,
    symbols,
    lines,
    languages,
    unparsed,
    gaps,
    exact: repository.exact,
    lastRun: lastRun(run, { parsed: 0, reused: files, failed: unparsed }),
  });
}

function lastRun(
  { startedMs }: Run,
  { parsed, reused, failed }: Pick<CodeIndexResult, 'parsed' | 'reused' | 'failed'>,
  history?: HistoryResult,
): LastRun {
  const seconds = Math.round(performance.now() - startedMs) / 1_000;
  const mined = history === undefined ? {} : { history: { commits: history.read, seconds: history.seconds } };
  return { parsed, reused, failed, seconds, ...mined };
}

function pointOf({ commit, branch }: Checkout): { commit: string; branch?: string } {
  return { commit, ...(branch === undefined ? {} : { branch }) };
}

function countsOf(code: IndexResults['code'], history: HistoryResult): Record<string, number | string> {
  const { files, symbols, lines, parsed, reused, resolved, failed, anew, faults = [] } = code;
  const counts = {
    files,
    symbols,
    lines,
    parsed,
    reused,
    resolved,
    failed,
    commits: history.commits,
    read: history.read,
  };
  return { ...counts, ...(anew !== undefined && { anew }), ...(faults.length > 0 && { faults: faults.join('; ') }) };
}
