import type { PartReport } from '../platform/relayed-watches.ts';
import type { CodeIndexResult, CodeIndexTask } from '../code-index/code-index.ts';
import type { ScipSummary, ScipTask } from '../code-index/scip/scip.ts';
import type { HistoryResult, HistoryTask, RemovedExportsResult, RemovedExportsTask } from '../commits/commits.ts';

/**
 * The two halves of an index, each built by a process of its own, at the same time; what is found in a history after that;
 * and the check of an uploaded index. What is computed of all of a large code shard comes after it, in a process of its own.
 */
export type IndexTask =
  | ({ kind: 'code' } & CodeTask)
  | ({ kind: 'views' } & ViewsTask)
  | ({ kind: 'history' } & HistoryTask)
  | ({ kind: 'removed-exports' } & RemovedExportsTask)
  | ({ kind: 'scip' } & ScipTask);

/** Message to an indexing process. With `stays` it waits for another task when this one is done, unless it holds `mostBytes`. */
export interface IndexOrder {
  task: IndexTask;
  stays: boolean;
  mostBytes?: number;
}

/**
 * `graphBefore`: a shard whose graph has read most of the same texts; default: the one to go on from. With `graphLater` the graph and
 * what else is computed of all of a small shard is made when somebody asks for it: a call waits for the shard.
 */
type CodeTask = CodeIndexTask & { graphBefore?: string; graphLater?: boolean };

/** `file`: a finished code shard; `before`: a shard of an earlier commit. */
export interface ViewsTask {
  file: string;
  before: string | undefined;
}

/** Result of a finished process, by its task. */
export interface IndexResults {
  /**
   * `faults`: what could not be computed of all of this code, and why; absent when nothing was to be computed. `views`: what
   * another process is to do, because this one holds much memory; `runIndexProcess` gives it to one.
   */
  code: CodeIndexResult & { faults?: string[]; views?: ViewsTask };
  /** What could not be computed, and why. */
  views: string[];
  history: HistoryResult;
  'removed-exports': RemovedExportsResult;
  scip: ScipSummary;
}

/** Progress of a process. `done` and `total` count what `unit` names; `total` is 0 while it is unknown. */
export interface IndexProgress {
  stage: string;
  done: number;
  total: number;
  unit: 'files' | 'commits';
}

/**
 * Message of an indexing process to the service. Exactly one `done` or `failed` is the last message of a task; `alive` comes
 * every ten seconds from a process that is not caught in a loop. One that `ends` holds too much to be given another task.
 */
export type IndexMessage =
  | { type: 'progress'; progress: IndexProgress }
  | { type: 'alive' }
  | { type: 'part'; report: PartReport }
  | { type: 'done'; result: unknown; ends?: true }
  | { type: 'failed'; failure: IndexFailure };

/** A failure that crosses the process border. `code` is there for failures a person can act on. */
export interface IndexFailure {
  message: string;
  code?: string;
  fix?: string;
  stack?: string;
}
