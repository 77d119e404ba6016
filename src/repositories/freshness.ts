import { setTimeout } from 'node:timers/promises';
import { type IndexState, isPartial } from '../kernel/answer.ts';
import type { Gap } from '../kernel/gap.ts';
import { ServiceError } from '../kernel/errors.ts';
import { openObjects } from '../platform/git/git-objects.ts';
import { locateRepository, refsSignature, resolveTip } from '../platform/git/git-refs.ts';
import { mirrorFolder, type Repositories, type Sighting, type UncommittedCount } from './context.ts';
import { noFolders } from './source.ts';
import type { RepositoryRow } from './store.ts';

/** How long a repository that did not answer within the limit of a look is left alone. */
const LEFT_ALONE_MS = 30_000;

/** How long a count of uncommitted files holds; one that took long holds for so many times longer. */
const COUNTED_FOR_MS = 1_000;
const LEFT_ALONE_FACTOR = 10;
/** How long a call waits for the first count, and for the next after a pause: while calls come, the last one is told. */
const FIRST_WAIT_MS = 1_000;
const WAIT_MS = 250;
const PAUSE_MS = 3_000;

/**
 * How far the index of a repository is from what the repository holds now. Asked for each call: 0.05 ms while
 * nothing moved, about 30 ms once after it did. A remote repository is compared with its last fetch.
 */
export async function indexState(context: Repositories, repository: RepositoryRow): Promise<IndexState> {
  const { status, progress, commit, unparsed, indexedAt } = repository;
  const [gaps, uncommitted] = [gapsOf(repository), await uncommittedFiles(context, repository)];
  const known = {
    ...(indexedAt !== null && { indexedAt }),
    ...(unparsed > 0 && { unparsed }),
    ...(gaps.length > 0 && { gaps }),
    ...(uncommitted !== undefined && uncommitted > 0 && { uncommitted }),
  };
  if (status === 'indexing' || (status === 'pending' && commit === null))
    return { state: 'indexing', percent: progress?.percent ?? 0, ...known };
  const behind = await commitsBehind(context, repository);
  if (behind === undefined) return { state: 'unknown', ...known };
  if (behind > 0) return { state: 'behind', behind, ...known };
  return { state: isPartial(known) ? 'partial' : 'fresh', behind: 0, ...known };
}

/** What the index of a repository lacks of its commit. */
export function gapsOf({ gaps }: Pick<RepositoryRow, 'gaps'>): Gap[] {
  return gaps.map((gap) => (typeof gap === 'string' ? { kind: 'note', count: 1, text: gap } : gap));
}

/**
 * Files of a local checkout that are not as its commit has them; undefined when there is no checkout, it stays on a ref,
 * or nobody knows yet. Counted at most each second, less often where that takes long, and for all callers at once. Only
 * who comes first, or after a pause, waits for it: a second or a quarter of one at most.
 */
async function uncommittedFiles(context: Repositories, repository: RepositoryRow): Promise<number | undefined> {
  if (repository.source === 'remote' || repository.ref !== '' || repository.commit === null) return undefined;
  const sighting = await tipOf(context, repository).catch(() => undefined);
  if (sighting?.root === undefined) return undefined;
  const { gitDir, root, tip } = sighting;
  const known = context.uncommitted.get(repository.id);
  const state: UncommittedCount =
    known?.commit === tip.commit ? known : { count: undefined, commit: tip.commit, countedAt: -Infinity, tookMs: 0 };
  context.uncommitted.set(repository.id, state);
  const ageMs = performance.now() - state.countedAt;
  if (ageMs > Math.max(COUNTED_FOR_MS, state.tookMs * LEFT_ALONE_FACTOR))
    state.counting ??= recount(state, { gitDir, root });
  const waitMs = ageMs === Infinity ? FIRST_WAIT_MS : ageMs > PAUSE_MS ? WAIT_MS : 0;
  if (state.counting !== undefined && waitMs > 0) await soon(state.counting, waitMs);
  return state.count;
}

async function recount(state: UncommittedCount, { gitDir, root }: { gitDir: string; root: string }): Promise<void> {
  const begun = performance.now();
  try {
    await using objects = await openObjects(gitDir);
    state.count = await objects.countUncommitted({ gitDir, root, commit: state.commit });
  } catch {
    // Moved away, damaged, too slow: it is not known.
    state.count = undefined;
  }
  state.countedAt = performance.now();
  state.tookMs = state.countedAt - begun;
  delete state.counting;
}

/** Waits for it, at most so long. */
async function soon(work: Promise<void>, milliseconds: number): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, setTimeout(milliseconds, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
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

/**
 * Where the repository is and what it points at. Git is asked only when the refs changed since the last time, once for
 * all who ask meanwhile; one that did not answer in 10 s is not asked again for 30 s.
 *
 * @throws ServiceError when a folder is gone or folders are not read any more, and as `resolveTip`.
 */
export async function tipOf(context: Repositories, repository: RepositoryRow): Promise<Sighting> {
  const { id, ref, source } = repository;
  // One that was added when the service was its user's alone.
  if (source === 'local' && !context.policy.allowsFiles) throw noFolders();
  const pin = ref === '' ? undefined : ref;
  const known = context.tips.get(id);
  if (known !== undefined && refsSignature(known.gitDir, pin) === known.signature) return known;
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
      if (error instanceof ServiceError && error.code === 'upstream_failed')
        globalThis.setTimeout(forget, LEFT_ALONE_MS).unref();
      else forget();
      throw error;
    },
  );
}

async function lookAt(context: Repositories, repository: RepositoryRow, pin: string | undefined): Promise<Sighting> {
  const { id, source, location, url } = repository;
  const place = source === 'remote' ? undefined : await locateRepository(location);
  const gitDir = place?.gitDir ?? mirrorFolder(context, id);
  const signature = refsSignature(gitDir, pin);
  const root = place === undefined || place.root === gitDir ? {} : { root: place.root };
  const sighting = { gitDir, ...root, signature, tip: await resolveTip(gitDir, url, pin) };
  context.tips.set(id, sighting);
  return sighting;
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
