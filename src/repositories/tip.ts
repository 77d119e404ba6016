import { ServiceError } from '../kernel/errors.ts';
import { locateRepository, refsSignature, resolveTip } from '../platform/git/git-refs.ts';
import { mirrorFolder, type Repositories, type Sighting } from './context.ts';
import { noFolders } from './source/source.ts';
import type { RepositoryRow } from './store.ts';

/** Time before a repository that did not answer within the limit of a look is tried again. */
const RETRY_AFTER_MS = 30_000;

/**
 * Returns the folder of a repository and the commit that it points at. Git runs only when the refs changed since the last look,
 * once for all concurrent callers; a repository that did not answer in 10 s is not tried again for 30 s. A caller with several
 * questions about one moment passes it as `sinceMs` (by `performance.now`): a look at the refs since then counts.
 *
 * @throws ServiceError when a folder is gone or folders are not read any more, and as `resolveTip`.
 */
export async function tipOf(
  context: Repositories,
  repository: RepositoryRow,
  sinceMs: number = performance.now(),
): Promise<Sighting> {
  const { id, ref, source } = repository;
  // One that was added when the service was its user's alone.
  if (source === 'local' && !context.policy.allowsFiles) throw noFolders();
  const pin = ref === '' ? undefined : ref;
  const cached = context.tips.get(id);
  if (cached !== undefined) {
    if (cached.lookedMs >= sinceMs) return cached;
    const lookedMs = performance.now();
    if (refsSignature(cached.gitDir, pin) === cached.signature) {
      cached.lookedMs = lookedMs;
      return cached;
    }
  }
  const joined = await context.looks.get(id);
  // Refs that moved while another caller's look was under way are looked at again.
  if (joined !== undefined && refsSignature(joined.gitDir, pin) === joined.signature) return joined;
  const look = lookAt(context, repository, pin);
  context.looks.set(id, look);
  const forget = (): void => void (context.looks.get(id) === look && context.looks.delete(id));
  return look.then(
    (sighting) => {
      forget();
      return sighting;
    },
    (error: unknown) => {
      if (error instanceof ServiceError && error.code === 'upstream_failed') setTimeout(forget, RETRY_AFTER_MS).unref();
      else forget();
      throw error;
    },
  );
}

async function lookAt(context: Repositories, repository: RepositoryRow, pin: string | undefined): Promise<Sighting> {
  const { id, source, location, url } = repository;
  const checkout = source === 'remote' ? undefined : await locateRepository(location);
  const gitDir = checkout?.gitDir ?? mirrorFolder(context, id);
  const lookedMs = performance.now();
  const signature = refsSignature(gitDir, pin);
  const root = checkout === undefined || checkout.root === gitDir ? {} : { root: checkout.root };
  const sighting = { gitDir, ...root, signature, lookedMs, tip: await resolveTip(gitDir, url, pin) };
  context.tips.set(id, sighting);
  return sighting;
}
