import { mkdirSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { HeapGuard } from '../platform/heap-guard.ts';
import { serveTasks } from '../platform/thread-tasks.ts';
import { TermCounter } from './entry-terms.ts';
import { IndexFile, type IndexState } from './index-file.ts';
import { applyUpdate, compact, type IndexUpdate, isSparse, type WriterTools } from './index-writer.ts';
import { PostingBuffer } from './postings.ts';
import { matchingIds, searchIndex } from './product-index.ts';
import type { KnowledgeQuery, KnowledgeResult, QuestionMeaning } from './query.ts';

/** Indexes that one thread holds open. */
const MOST_OPEN = 8;

/** Interval at which the time of the last use of a file is stored. */
const TOUCH_MS = 60 * 60_000;

/** Settings of the thread. */
export interface IndexLimits {
  /** Page caches of all indexes that the thread holds open. */
  cacheBytes: number;
  /** Of the heap, above which garbage is collected. */
  heapBytes: number;
}

/** A task on the index in a file. */
export type IndexTask = { path: string } & (
  | { kind: 'state' }
  | { kind: 'update'; update: IndexUpdate }
  | { kind: 'compact' }
  | { kind: 'search'; query: KnowledgeQuery; meaning?: QuestionMeaning }
  | { kind: 'match'; query: KnowledgeQuery }
);

/** The state of the index when the task was done. */
export interface IndexReply extends IndexState {
  /** True if the update was the one that the index waited for. */
  isApplied?: boolean;
  /** True if more of the index was removed than remains, so that it should be compacted. */
  isSparse?: boolean;
  result?: KnowledgeResult;
  ids?: string[];
  unknownTerms?: string[];
}

interface OpenFile {
  file: IndexFile;
  /** Distinguishes the file from another one that takes its name. */
  inode: number;
  touchedMs: number;
}

/** The files one thread holds open; those used longest ago are closed to make room. */
class OpenFiles {
  readonly #cacheBytes: number;
  readonly #open = new LRUCache<string, OpenFile>({ max: MOST_OPEN, dispose: ({ file }) => file.close() });

  constructor({ cacheBytes }: IndexLimits) {
    this.#cacheBytes = Math.floor(cacheBytes / MOST_OPEN);
  }

  get(path: string): IndexFile {
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    const cached = this.#open.get(path);
    const open = cached !== undefined && cached.inode === inode ? cached : this.#openFile(path);
    const now = Date.now();
    if (now - open.touchedMs > TOUCH_MS) {
      open.touchedMs = now;
      utimesSync(path, now / 1000, now / 1000);
    }
    return open.file;
  }

  close(path: string): void {
    this.#open.delete(path);
  }

  #openFile(path: string): OpenFile {
    this.#open.delete(path);
    mkdirSync(dirname(path), { recursive: true });
    const open = { file: new IndexFile(path, this.#cacheBytes), inode: statSync(path).ino, touchedMs: 0 };
    this.#open.set(path, open);
    return open;
  }
}

function answer(file: IndexFile, task: IndexTask, tools: WriterTools): IndexReply {
  switch (task.kind) {
    case 'state':
      return file.state();
    case 'update': {
      const state = applyUpdate(file, task.update, tools);
      return state === undefined ? { ...file.state(), isApplied: false } : { ...state, isSparse: isSparse(file) };
    }
    case 'compact':
      compact(file);
      return file.state();
    case 'search':
      return { ...file.state(), result: searchIndex(file, task.query, task.meaning) };
    case 'match':
      return { ...file.state(), ...matchingIds(file, task.query) };
  }
}

serveTasks(workerData as { data: IndexLimits; stop: Int32Array }, (limits) => {
  const files = new OpenFiles(limits);
  const counter = new TermCounter();
  const guard = new HeapGuard(limits.heapBytes, () => counter.forget());
  const tools = { counter, postings: new PostingBuffer(), checkMemory: () => guard.check() };
  return (task: IndexTask): IndexReply => {
    try {
      return answer(files.get(task.path), task, tools);
    } catch (error) {
      // What is wrong may be the file, which is deleted then.
      files.close(task.path);
      throw error;
    } finally {
      guard.check();
    }
  };
});
