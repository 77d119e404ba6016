import { expectedFailure } from '../platform/failures.ts';
import { cutOff } from '../platform/git/cut-off.ts';
import type { IndexFailure, IndexMessage, IndexTask } from './index-task.ts';

/** How often the parent hears that the event loop is reached. */
const ALIVE_MS = 10_000;

/**
 * Entry of an indexing process: takes one task from its parent, works, answers, ends. Its memory ends with it, and a
 * parser that takes the process down takes nothing else. Stops at once when the parent is gone.
 */
const stopped = new AbortController();
setInterval(() => send({ type: 'alive' }), ALIVE_MS).unref();
process.on('disconnect', cutOff);
process.on('SIGTERM', () => stopped.abort(new Error('the indexer was told to stop')));
process.once('message', (task: IndexTask) => {
  void work(task).then(send, (error: unknown) => send({ type: 'failed', failure: failureOf(error) }));
});

/** Loads only what the task needs: the face of a slice brings its questions too, which are not asked here. */
async function work(task: IndexTask): Promise<IndexMessage> {
  const { signal } = stopped;
  if (task.kind === 'code') {
    const { updateOrIndexCode } = await import('../code-index/update/update.ts');
    const result = await updateOrIndexCode(task, {
      signal,
      onProgress: (progress) => send({ type: 'progress', progress: { ...progress, unit: 'files' } }),
    });
    if (task.paths !== undefined) return { type: 'done', result };
    const { writeGraph } = await import('../graph/build/build.ts');
    const graphFault = writeGraph(task.targetFile, task.graphBefore ?? task.previousFile);
    return { type: 'done', result: graphFault === undefined ? result : { ...result, graphFault } };
  }
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

/** Sends to the parent; after the last message the process ends. */
function send(message: IndexMessage): void {
  if (process.send === undefined) throw new Error('index-child runs only as a forked process');
  const last = message.type === 'done' || message.type === 'failed';
  process.send(message, undefined, {}, () => {
    if (last) process.exit(0);
  });
}

function failureOf(error: unknown): IndexFailure {
  const known = expectedFailure(error);
  if (known !== undefined) return { message: known.message, code: known.code, fix: known.fix };
  if (error instanceof Error)
    return { message: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
  return { message: String(error) };
}
