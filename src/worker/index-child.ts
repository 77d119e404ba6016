import { expectedFailure } from '../platform/failures.ts';
import { cutOff } from '../platform/git/cut-off.ts';
import { relayReports } from '../platform/relayed-watches.ts';
import type { CodeIndexRun } from '../code-index/code-index.ts';
import { USUAL_MEMORY_BYTES } from '../platform/memory.ts';
import type { IndexFailure, IndexMessage, IndexOrder, IndexTask, ViewsTask } from './index-task.ts';

/** Interval at which the parent is told that the event loop runs. */
const ALIVE_MS = 10_000;

/** Share of the setting of memory above which a process leaves what is computed of all of a shard to another. */
const VIEWS_SHARE = 0.5;

/**
 * Entry of an indexing process: takes a task from its parent, works, answers, and ends, unless `stays` keeps it for another.
 * Its memory ends with it, and a parser that takes the process down takes nothing else. Stops at once when the parent is gone.
 */
const stopped = new AbortController();
/** They stay with this process: to start one takes longer than to parse a file that was saved. */
let extractors: CodeIndexRun['extractors'];
setInterval(sendAlive, ALIVE_MS).unref();
relayReports((report) => send({ type: 'part', report }));
process.on('disconnect', cutOff);
process.on('SIGTERM', () => stopped.abort(new Error('the indexer was told to stop')));
process.on('message', ({ task, stays, mostBytes = Infinity }: IndexOrder) => {
  work(task, stays)
    .catch((error: unknown): IndexMessage => ({ type: 'failed', failure: failureOf(error) }))
    .then((last) => answer(last, stays, mostBytes))
    .catch(cutOff);
});

function answer(last: IndexMessage, stays: boolean, mostBytes: number): void {
  if (stays && process.memoryUsage.rss() < mostBytes) send(last);
  else send(stays && last.type === 'done' ? { ...last, ends: true } : last, end);
}

/** Loads only what the task needs: the face of a slice brings its questions too, which are not asked here. */
async function work(task: IndexTask, stays: boolean): Promise<IndexMessage> {
  const { signal } = stopped;
  if (task.kind === 'code') {
    const { updateExtractors, updateOrIndexCode } = await import('../code-index/update/update.ts');
    if (stays) extractors ??= updateExtractors();
    const result = await updateOrIndexCode(task, {
      signal,
      ...(extractors !== undefined && { extractors }),
      onProgress: (progress) => send({ type: 'progress', progress: { ...progress, unit: 'files' } }),
    });
    if (task.paths !== undefined) return { type: 'done', result };
    const views = { file: task.targetFile, before: task.graphBefore ?? task.previousFile };
    const isLarge = process.memoryUsage.rss() > (task.memoryBytes ?? USUAL_MEMORY_BYTES) * VIEWS_SHARE;
    if (isLarge && !stays) return { type: 'done', result: { ...result, views } };
    return { type: 'done', result: { ...result, faults: await addWholeViews(views, task.graphLater === true) } };
  }
  if (task.kind === 'views') return { type: 'done', result: await addWholeViews(task) };
  if (task.kind === 'scip') {
    const { checkScip } = await import('../code-index/scip/scip.ts');
    return { type: 'done', result: await checkScip(task, signal) };
  }
  if (task.kind === 'removed-exports') {
    const { writeRemovedExports } = await import('../commits/removals/removals.ts');
    return { type: 'done', result: await writeRemovedExports(task, signal) };
  }
  const { writeHistory } = await import('../commits/mine/mine.ts');
  const result = await writeHistory(task, {
    signal,
    onProgress: (progress) => send({ type: 'progress', progress: { ...progress, unit: 'commits' } }),
  });
  return { type: 'done', result };
}

/** Adds what is computed of a whole shard; what could not be, and why. */
async function addWholeViews({ file, before }: ViewsTask, canWait = false): Promise<string[]> {
  const { canWaitForSummaries, writeSummaries } = await import('../code/summaries/summaries.ts');
  const { writeFindings, writeWholeGraph } = await import('../graph/stored/stored.ts');
  if (canWait && canWaitForSummaries(file)) {
    if (before !== undefined) writeFindings(file, before);
    return [];
  }
  return [...writeSummaries(file, before, sendAlive), ...writeWholeGraph(file, before, sendAlive)];
}

function end(): void {
  process.exit(0);
}

/** Sent between steps too, each of which takes the thread for as long as it works. */
function sendAlive(): void {
  send({ type: 'alive' });
}

function send(message: IndexMessage, onSent?: () => void): void {
  if (process.send === undefined) throw new Error('index-child runs only as a forked process');
  process.send(message, undefined, {}, onSent);
}

function failureOf(error: unknown): IndexFailure {
  const expected = expectedFailure(error);
  if (expected !== undefined) return { message: expected.message, code: expected.code, fix: expected.fix };
  if (error instanceof Error)
    return { message: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
  return { message: String(error) };
}
