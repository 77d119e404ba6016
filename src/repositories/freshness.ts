import { assessIndex, type IndexFacts, type IndexState } from '../kernel/freshness.ts';
import type { Gap } from '../kernel/gap.ts';
import { openObjects } from '../platform/git/git-objects.ts';
import { uncommittedFiles } from './checked-out.ts';
import { FETCH_INTERVAL_MS, type Repositories } from './context.ts';
import { hastenQuietFetch } from './store-fetches.ts';
import type { RepositoryRow } from './store.ts';
import { tipOf } from './tip.ts';

/**
 * Compares the index of a repository with what the repository holds now. Called for each answer: 0.05 ms while nothing moved,
 * about 30 ms once after it did. A remote repository is compared with its last fetch. For `sinceMs` see `tipOf`.
 */
export async function indexState(
  context: Repositories,
  repository: RepositoryRow,
  sinceMs: number = performance.now(),
): Promise<IndexState> {
  const { status, progress, commit, unparsed, indexedAt } = repository;
  const [gaps, uncommitted] = [gapsOf(repository), await uncommittedFiles(context, repository, sinceMs)];
  const facts: IndexFacts = {
    ...(indexedAt !== null && { indexedAt }),
    ...(unparsed > 0 && { unparsed }),
    ...(gaps.length > 0 && { gaps }),
    ...(uncommitted !== undefined && uncommitted > 0 && { uncommitted }),
    ...fetchFacts(context, repository),
    ...(repository.exact !== null && { exact: repository.exact }),
  };
  if (status === 'indexing' || (status === 'pending' && commit === null))
    return assessIndex({ percent: progress?.percent ?? 0, ...facts });
  const behind = await commitsBehind(context, repository, sinceMs);
  return assessIndex({ ...(behind !== undefined && { behind }), ...facts });
}

/** Returns the time of the last fetch of a repository by address, and its age where that exceeds the interval. */
function fetchFacts(
  { now, fetchIntervalMs }: Repositories,
  { source, fetchedAt, fetchError }: Pick<RepositoryRow, 'source' | 'fetchedAt' | 'fetchError'>,
): Pick<IndexFacts, 'fetchedAt' | 'fetchAgeMs'> {
  if (source !== 'remote' || fetchedAt === null) return {};
  const ageMs = now().getTime() - fetchedAt.getTime();
  const isOverdue = fetchError !== null || ageMs > (fetchIntervalMs === 0 ? FETCH_INTERVAL_MS : fetchIntervalMs);
  return { fetchedAt, ...(isOverdue && { fetchAgeMs: ageMs }) };
}

/**
 * Has a quiet repository by address fetched soon after a question about it, where its last fetch is older than the interval: it is
 * fetched less often only while there are no calls about it. At most once a minute, and nothing waits for it.
 */
export function hastenOverdueFetch(context: Repositories, repository: RepositoryRow, index: IndexState): void {
  const { id, fetchError } = repository;
  if (index.fetchAgeMs === undefined || fetchError !== null || context.hastened.has(id)) return;
  context.hastened.set(id, true);
  // A database that is away is no fault of the question; the schedule goes on all the same.
  hastenQuietFetch(context.db, repository).catch(() => undefined);
}

/** Lists what the index of a repository lacks of its commit. */
export function gapsOf({ gaps }: Pick<RepositoryRow, 'gaps'>): Gap[] {
  return gaps.map((gap) => (typeof gap === 'string' ? { kind: 'note', count: 1, text: gap } : gap));
}

/**
 * Commits that the repository has and the index lacks. After a step back (a reset, a forced push) that lost commits it
 * is the number of those, so it is 0 only when the index shows what is there. Undefined when there is no index, or the
 * repository cannot be read.
 */
export async function commitsBehind(
  context: Repositories,
  repository: RepositoryRow,
  sinceMs?: number,
): Promise<number | undefined> {
  const { commit } = repository;
  if (commit === null) return undefined;
  try {
    const { gitDir, tip } = await tipOf(context, repository, sinceMs);
    return tip.commit === commit ? 0 : await distance(context, gitDir, commit, tip.commit);
  } catch {
    // Moved away, no permission, damaged: whatever it is, the next index run says it; here it is not known.
    return undefined;
  }
}

async function distance(context: Repositories, gitDir: string, from: string, to: string): Promise<number> {
  const key = `${from} ${to}`;
  const cached = context.distances.get(key);
  if (cached !== undefined) return cached;
  await using objects = await openObjects(gitDir);
  const ahead = await objects.countBetween(from, to);
  const count = ahead > 0 ? ahead : await objects.countBetween(to, from);
  context.distances.set(key, count);
  return count;
}
