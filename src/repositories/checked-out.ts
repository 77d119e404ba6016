import type { TreeSnapshot } from '../platform/git/working-tree.ts';
import type { Repositories } from './context.ts';
import { tipOf } from './tip.ts';
import type { RepositoryRow } from './store.ts';
import { WatchedCheckout } from './watched-checkout.ts';

/** The checkout of a local repository as it is now. */
interface CheckedOut extends TreeSnapshot {
  /** The commit of HEAD; `commit` differs from it when files are not committed. */
  head: string;
  branch?: string;
  /** Files that are not as HEAD has them. */
  uncommitted: number;
}

/**
 * Returns the checkout of a repository, with its uncommitted changes as of a moment ago. Undefined for one that has no
 * checkout, stays on a ref, or cannot be read now; and when more files are changed than anybody works on. For `sinceMs` see
 * `tipOf`.
 */
export async function checkedOut(
  context: Repositories,
  repository: RepositoryRow,
  sinceMs?: number,
): Promise<CheckedOut | undefined> {
  const watched = await findWatched(context, repository, sinceMs);
  if (watched === undefined) return undefined;
  const { checkout, gitDir, commit: head, branch } = watched;
  const tip = { head, ...(branch !== undefined && { branch }) };
  const paths = await checkout.changed(head);
  if (paths === undefined) return undefined;
  if (paths.length === 0) return { ...tip, gitDir, commit: head, uncommitted: 0 };
  const snapshot = await checkout.snapshot(head, paths);
  return snapshot && { ...tip, ...snapshot, uncommitted: paths.length };
}

/** Files of a local checkout that are not as its commit has them; undefined when there is no checkout, or no list yet. */
export async function uncommittedFiles(
  context: Repositories,
  repository: RepositoryRow,
  sinceMs?: number,
): Promise<number | undefined> {
  const watched = await findWatched(context, repository, sinceMs);
  return watched?.checkout.count(watched.commit);
}

interface Watched {
  checkout: WatchedCheckout;
  gitDir: string;
  commit: string;
  branch?: string;
}

async function findWatched(
  context: Repositories,
  repository: RepositoryRow,
  sinceMs: number | undefined,
): Promise<Watched | undefined> {
  const { id, source, ref } = repository;
  if (source === 'remote' || ref !== '' || repository.commit === null) return undefined;
  const sighting = await tipOf(context, repository, sinceMs).catch(() => undefined);
  if (sighting?.root === undefined) return undefined;
  const { gitDir, root, tip } = sighting;
  let checkout = context.checkouts.get(id);
  if (checkout?.location.gitDir !== gitDir || checkout.location.root !== root) {
    checkout = new WatchedCheckout({ gitDir, root });
    context.checkouts.set(id, checkout);
  }
  return { checkout, gitDir, ...tip };
}
