import { assessIndex, type IndexFacts, type IndexState } from '../kernel/freshness.ts';
import type { Gap } from '../kernel/gap.ts';
import { openObjects } from '../platform/git/git-objects.ts';
import { uncommittedFiles } from './checked-out.ts';
import type { Repositories } from './context.ts';
import type { RepositoryRow } from './store.ts';
import { tipOf } from './tip.ts';

/**
 * How far the index of a repository is from what the repository holds now. Asked for each call: 0.05 ms while
 * nothing moved, about 30 ms once after it did. A remote repository is compared with its last fetch.
 */
export async function indexState(context: Repositories, repository: RepositoryRow): Promise<IndexState> {
  const { status, progress, commit, unparsed, indexedAt } = repository;
  const [gaps, uncommitted] = [gapsOf(repository), await uncommittedFiles(context, repository)];
  const facts: IndexFacts = {
    ...(indexedAt !== null && { indexedAt }),
    ...(unparsed > 0 && { unparsed }),
    ...(gaps.length > 0 && { gaps }),
    ...(uncommitted !== undefined && uncommitted > 0 && { uncommitted }),
  };
  if (status === 'indexing' || (status === 'pending' && commit === null))
    return assessIndex({ percent: progress?.percent ?? 0, ...facts });
  const behind = await commitsBehind(context, repository);
  return assessIndex({ ...(behind !== undefined && { behind }), ...facts });
}

/** What the index of a repository lacks of its commit. */
export function gapsOf({ gaps }: Pick<RepositoryRow, 'gaps'>): Gap[] {
  return gaps.map((gap) => (typeof gap === 'string' ? { kind: 'note', count: 1, text: gap } : gap));
}

/**
 * Commits that the repository has and the index lacks. After a step back (a reset, a forced push) that lost commits it
 * is the number of those, so it is 0 only when the index shows what is there. Undefined when there is no index, or the
 * repository cannot be read.
 */
export async function commitsBehind(context: Repositories, repository: RepositoryRow): Promise<number | undefined> {
  const { commit } = repository;
  if (commit === null) return undefined;
  try {
    const { gitDir, tip } = await tipOf(context, repository);
    return tip.commit === commit ? 0 : await distance(context, gitDir, commit, tip.commit);
  } catch {
    // Moved away, no permission, damaged: whatever it is, the next index run says it; here it is not known.
    return undefined;
  }
}

async function distance(context: Repositories, gitDir: string, from: string, to: string): Promise<number> {
  const key = `${from} ${to}`;
  const known = context.distances.get(key);
  if (known !== undefined) return known;
  await using objects = await openObjects(gitDir);
  const ahead = await objects.countBetween(from, to);
  const count = ahead > 0 ? ahead : await objects.countBetween(to, from);
  context.distances.set(key, count);
  return count;
}
