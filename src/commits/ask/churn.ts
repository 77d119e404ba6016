import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { GitFailure } from '../../platform/git/git.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import { countLines, type RevisedFile } from '../mine/count-lines.ts';
import type { CommitFilter } from '../queries/store-filter.ts';
import type { ActionCall } from './action.ts';

/** An answer waits so long for lines; the count goes on behind it. */
const WAIT_MS = 2_000;
const LONGEST_MS = 60_000;

/** Lines by file, or why they are not known. */
export type Churn = ReadonlyMap<string, number> | 'late' | 'missing';

/** Counts of the last pages, those that are under way too. A page has 100 files at most: 10 KB. */
const counts = new LRUCache<string, Promise<Churn>>({ max: 500 });

/**
 * Counts the lines that the commits of a filter added to files and deleted from them. The history does not have them, because to
 * count all is ten times the work of reading it. The first count of a page takes up to a second or two, and is kept.
 */
export async function churnOf(
  call: ActionCall,
  { repository, filter, paths }: { repository: IndexedRepository; filter: CommitFilter; paths: readonly string[] },
): Promise<Churn> {
  if (paths.length === 0) return new Map();
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined) return 'missing';
  const key = JSON.stringify([gitDir, repository.provenance.commit, filter, paths]);
  const files = counts.has(key) ? [] : await call.sources.ask(repository, ['fileRevisions', { filter, paths }]);
  const count = counts.get(key) ?? begin(key, gitDir, files);
  const enough = new AbortController();
  const waitMs = Math.min(WAIT_MS, call.contentLimitMs ?? WAIT_MS);
  try {
    return await Promise.race([count, wait(waitMs, 'late' as const, { signal: enough.signal })]);
  } finally {
    enough.abort();
  }
}

/** Begins a count that others may wait for too: no call ends it. One that did not come to an end is forgotten. */
function begin(key: string, gitDir: string, files: readonly RevisedFile[]): Promise<Churn> {
  const count = countFiles(gitDir, files);
  counts.set(key, count);
  const forget = (): void => void counts.delete(key);
  count.then((churn) => typeof churn === 'string' && forget(), forget);
  return count;
}

async function countFiles(gitDir: string, files: readonly RevisedFile[]): Promise<Churn> {
  await using objects = await openObjects(gitDir);
  try {
    const lines = await countLines(objects, files, AbortSignal.timeout(LONGEST_MS));
    return new Map(files.map(({ path }, at) => [path, lines[at] ?? 0]));
  } catch (error) {
    if (error instanceof GitFailure) return 'missing';
    if (error instanceof DOMException && error.name === 'TimeoutError') return 'late';
    throw error;
  }
}
