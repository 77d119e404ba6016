import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { GitFailure } from '../../platform/git/git.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import { countLines } from '../mine/count-lines.ts';
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
  let count = counts.get(key);
  if (count === undefined) {
    count = begin(call, { repository, filter, paths }, gitDir);
    counts.set(key, count);
    const forget = (): void => void counts.delete(key);
    count.then((churn) => typeof churn === 'string' && forget(), forget);
  }
  const enough = new AbortController();
  try {
    return await Promise.race([count, wait(WAIT_MS, 'late' as const, { signal: enough.signal })]);
  } finally {
    enough.abort();
  }
}

async function begin(
  call: ActionCall,
  { repository, filter, paths }: { repository: IndexedRepository; filter: CommitFilter; paths: readonly string[] },
  gitDir: string,
): Promise<Churn> {
  const files = await call.sources.ask(repository, ['fileRevisions', { filter, paths }]);
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
