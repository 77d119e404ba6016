import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { explainGit } from './git-failure.ts';
import { type RoutePolicy, routeTo } from './git-route.ts';
import { type GitOptions, runGit } from './git.ts';

/** Longest a fetch may take. A large first clone over a slow line needs most of it. */
export const FETCH_TIMEOUT_MS = 2 * 60 * 60_000;

/** A connection that gives less than this for a minute is dead. */
const STALLED = ['-c', 'http.lowSpeedLimit=1000', '-c', 'http.lowSpeedTime=60'];

/** Branches and tags only: hosts keep every pull request as a ref too. */
const REFSPECS = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];

/** Progress of a transfer, as git reports it. */
export interface TransferProgress {
  /** Stage in git's words, for example `Receiving objects`. */
  stage: string;
  done: number;
  total: number;
}

interface MirrorOptions extends RoutePolicy {
  /** Name of the repository in errors. */
  subject: string;
  signal?: AbortSignal;
  onProgress?: (progress: TransferProgress) => void;
}

/**
 * Brings the bare mirror at `folder` to what `url` has now: all branches and tags, those that were deleted or moved by force
 * included, and HEAD. Makes it when it is not there. Safe to call again after a crash at any moment: locked or half-written
 * files are cleared first. One caller per mirror at a time.
 *
 * @throws ServiceError in one sentence: `upstream_failed` for access, address and network, `bad_argument` for a protocol or
 * host that is refused, `internal` for a full disk.
 */
export async function syncMirror(folder: string, url: string, options: MirrorOptions): Promise<void> {
  const { subject, signal, onProgress } = options;
  try {
    const { url: at, args: held, env, head } = await routeTo(url, options, signal);
    const git: GitOptions = { env, signal, background: true };
    const inMirror = (...args: string[]): string[] => [`--git-dir=${folder}`, ...STALLED, ...held, ...args];
    await mkdir(folder, { recursive: true });
    await clearLeftovers(folder);
    // An empty template: no hooks and no information files of the user get in. The second time it changes nothing.
    await runGit(['init', '--quiet', '--bare', '--template=', folder], git);
    const fetch = ['fetch', '--progress', '--prune', '--no-auto-gc', '--no-tags', '--no-recurse-submodules', '--force'];
    await runGit(inMirror(...fetch, '--end-of-options', at, ...REFSPECS), {
      ...git,
      timeoutMs: FETCH_TIMEOUT_MS,
      onStderr: progressTo(onProgress),
    });
    if (head !== undefined) await runGit(inMirror('symbolic-ref', 'HEAD', head), git);
    // Many small fetches leave many small packs; git itself decides whether a collection pays.
    await runGit(inMirror('-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'), {
      ...git,
      timeoutMs: FETCH_TIMEOUT_MS,
    });
  } catch (error) {
    throw explainGit(error, subject);
  }
}

/**
 * Fetches into a mirror, under their own names, those of the refs that the other side has: `refs/pull/12/head`,
 * `refs/heads/*`. True when there was one. The mirror was made; one caller per mirror at a time.
 *
 * @throws ServiceError as `syncMirror`.
 */
export async function fetchRefs(
  folder: string,
  url: string,
  refs: readonly string[],
  options: MirrorOptions,
): Promise<boolean> {
  const { subject, signal, onProgress } = options;
  try {
    const { url: at, args: held, env } = await routeTo(url, options, signal);
    // A single ref that is not there would fail the fetch of all.
    const listing = await runGit([...held, 'ls-remote', '--end-of-options', at, ...refs], { env, signal });
    const there = new Set(
      listing
        .toString()
        .matchAll(/\t(.+)$/gm)
        .map(([, name]) => name),
    );
    const presentRefs = refs.filter((ref) => (ref.endsWith('*') ? there.size > 0 : there.has(ref)));
    if (presentRefs.length === 0) return false;
    const fetch = ['fetch', '--progress', '--no-auto-gc', '--no-tags', '--no-recurse-submodules', '--force'];
    const specs = presentRefs.map((ref) => `+${ref}:${ref}`);
    const args = [`--git-dir=${folder}`, ...STALLED, ...held, ...fetch, '--end-of-options', at, ...specs];
    await runGit(args, { env, signal, timeoutMs: FETCH_TIMEOUT_MS, onStderr: progressTo(onProgress) });
    return true;
  } catch (error) {
    throw explainGit(error, subject);
  }
}

function progressTo(onProgress: MirrorOptions['onProgress']): (text: string) => void {
  return (text) => {
    const progress = parseProgress(text);
    if (progress !== undefined) onProgress?.(progress);
  };
}

/** The last progress in a piece of git's output, for example `Receiving objects:  42% (420/1000), 1.2 MiB`. */
export function parseProgress(text: string): TransferProgress | undefined {
  const last = [...text.matchAll(/(?:remote: )?([A-Z][A-Za-z ]+):\s+\d+% \((\d+)\/(\d+)\)/g)].at(-1);
  if (last === undefined) return undefined;
  const [, stage = '', done = '', total = ''] = last;
  return { stage, done: Number(done), total: Number(total) };
}

/** Lock files, which would stop every later fetch; packs, objects and folders of them that never arrived whole. */
const LEFTOVER =
  /\.lock$|(^|\/)(tmp_(pack|idx|rev|mtimes|bitmap|midx|graph|obj)_[^/]*|\.tmp-\d+-pack-[^/]*|tmp_objdir-[^/]*)$/;

/**
 * Removes what a killed git leaves in a mirror, and gives the number of files. Nothing may be fetching into it, or
 * `before` (milliseconds since 1970) leaves alone what was touched later.
 */
export async function clearLeftovers(folder: string, before: number = Infinity): Promise<number> {
  const names = await readdir(folder, { recursive: true, encoding: 'utf8' });
  let cleared = 0;
  for (const name of names.filter((file) => LEFTOVER.test(file))) {
    const path = join(folder, name);
    const state = await lstat(path).catch(() => undefined);
    if (state === undefined || state.mtimeMs >= before) continue;
    await rm(path, { recursive: true, force: true });
    cleared += 1;
  }
  return cleared;
}
