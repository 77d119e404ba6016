import type { FileNames, IndexedRepository } from '../code/code.ts';
import { GitFailure } from '../platform/git.ts';
import { openObjects } from '../platform/git-objects.ts';
import type { RemovedExport } from './breaking.ts';
import { declaredNames, type FilePatch, readPatches } from './export-patch.ts';
import type { HistorySources } from './history-sources.ts';
import { filesAt, OfferedNames, type PastObjects } from './offered-names.ts';

/** Commits that one question looks into, newest first; what is beyond is told. */
export const MOST_LOOKED_INTO = 2_000;
/** What takes longer is not waited for. */
const DEADLINE_MS = 15_000;
/** Commits of one git process. */
const BATCH = 200;
/** A commit that takes lines from more files reorganises them: its names are elsewhere. */
const MOST_FILES = 60;
/** Commits whose removed exports are remembered, over all repositories. */
const MOST_KEPT = 50_000;
/** Files of a range that are compared at its two ends. */
const MOST_COMPARED = 500;
/** Larger files are generated: git tells that they changed, and not how. */
const LARGEST_COMPARED = '512k';
/** Only code declares anything: lock files and data would make patches long. */
const CODE_FILES = 'ts tsx mts cts js jsx mjs cjs py go rs java kt scala cs swift php rb h hh hpp hxx'
  .split(' ')
  .map((ending) => `*.${ending}`);
/** How a module that is handed on whole stands among the names. */
const WHOLE_MODULE = '* of ';

export interface RemovedExports {
  /** By object id; commits that removed nothing are not there. */
  bySha: ReadonlyMap<string, readonly RemovedExport[]>;
  /** Why something may be missing, in sentences. */
  gaps: string[];
}

/** The two ends of a range, as object ids in full. */
export interface RangeEnds {
  from: string;
  to: string;
}

/** What a question needs of its call. */
interface FinderCall {
  sources: HistorySources;
  signal: AbortSignal;
}

/** A commit whose files may have lost names. */
interface Candidate {
  sha: string;
  paths: readonly string[];
}

/** Finds the exported names that commits removed, by parsing the files before and after, and remembers them. */
export class RemovedExportsFinder {
  readonly #kept = new Map<string, readonly RemovedExport[]>();
  readonly #names = new OfferedNames();
  /** One question at a time parses: the others wait, and often find what they want. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * The exported names that some commits removed from the interface of a library: what `isPublicPath` says is public in the
   * indexed commit. A name that the commit declares again in another file has moved, and is not removed. With `ends` only
   * names count that are there at the beginning of a range and gone at its end, which may take 15 s more. Looks into 2,000
   * commits, 15 s long: 2 ms a commit the first time, and 3 ms for each text that is parsed.
   */
  async of(
    call: FinderCall,
    repository: IndexedRepository,
    { shas, ends }: { shas: readonly string[]; ends?: RangeEnds | undefined },
  ): Promise<RemovedExports> {
    const wanted = shas.slice(0, MOST_LOOKED_INTO);
    // What is known already waits for nobody.
    const isKnown = wanted.every((sha) => this.#kept.has(keyOf(repository, sha)));
    const gaps = isKnown ? [] : await this.#inTurn(() => this.#find(call, repository, wanted));
    const bySha = new Map(
      wanted.flatMap((sha) => {
        const removed = this.#kept.get(keyOf(repository, sha)) ?? [];
        return removed.length === 0 ? [] : [[sha, removed] as const];
      }),
    );
    if (shas.length > wanted.length)
      gaps.push(`removed exports were looked for in the newest ${wanted.length} commits`);
    if (ends === undefined || bySha.size === 0) return { bySha, gaps };
    const between = await this.#inTurn(() => this.#between(call, repository, { ends, bySha }));
    if (between === undefined)
      gaps.push('removed exports may have come back since: the ends of the range are not known');
    return { bySha: between ?? bySha, gaps };
  }

  #inTurn<Found>(work: () => Promise<Found>): Promise<Found> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #find(call: FinderCall, repository: IndexedRepository, wanted: readonly string[]): Promise<string[]> {
    const missing = wanted.filter((sha) => !this.#kept.has(keyOf(repository, sha)));
    if (missing.length === 0) return [];
    const { found, gaps } = await findRemoved(call, repository, { shas: missing, names: this.#names });
    for (const [sha, removed] of found) {
      this.#kept.set(keyOf(repository, sha), removed);
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    }
    return gaps;
  }

  /** Leaves out what came and went within a range, and what came back. Undefined where git cannot tell in time. */
  async #between(
    { signal }: FinderCall,
    repository: IndexedRepository,
    { ends, bySha }: { ends: RangeEnds; bySha: ReadonlyMap<string, readonly RemovedExport[]> },
  ): Promise<ReadonlyMap<string, readonly RemovedExport[]> | undefined> {
    const gitDir = await repository.gitDir?.();
    const paths = [...new Set([...bySha.values()].flat().map(({ path }) => path))];
    if (gitDir === undefined || paths.length > MOST_COMPARED) return undefined;
    await using objects = await openObjects(gitDir);
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const past = { objects, signal: AbortSignal.any([signal, deadline]) };
    const sides = [ends.from, ends.to].map(async (commit) => this.#names.of(past, await filesAt(past, commit, paths)));
    const named = await Promise.all(sides).catch((error: unknown) => {
      if (signal.aborted || !(deadline.aborted || error instanceof GitFailure)) throw error;
      return undefined;
    });
    if (named === undefined) return undefined;
    const [before, after] = named;
    const at = new Map(paths.map((path, index) => [path, index]));
    const isGone = ({ path, name }: RemovedExport): boolean => {
      const index = at.get(path) ?? -1;
      const [then, now] = [before?.[index], after?.[index]];
      return then?.offered.has(name) === true && (now === undefined || !isPresent(now, name, then));
    };
    return new Map(
      [...bySha].flatMap(([sha, removed]) => {
        const gone = removed.filter(isGone);
        return gone.length === 0 ? [] : [[sha, gone] as const];
      }),
    );
  }
}

function keyOf({ id, shard }: IndexedRepository, sha: string): string {
  return `${id} ${shard.hash} ${sha}`;
}

/** What each commit removed; those that were not reached or whose contents are not here are absent. */
async function findRemoved(
  { sources, signal }: FinderCall,
  repository: IndexedRepository,
  { shas, names }: { shas: readonly string[]; names: OfferedNames },
): Promise<{ found: Map<string, RemovedExport[]>; gaps: string[] }> {
  const offered = await sources.code.ask(repository, ['offeredFiles', {}]);
  const shrunk = await sources.ask(repository, ['shrunkFiles', { shas, offered }]);
  const candidates = shrunk.filter(({ paths }) => paths.length <= MOST_FILES);
  const gitDir = candidates.length === 0 ? undefined : await repository.gitDir?.();
  const found = new Map(shas.map((sha): [string, RemovedExport[]] => [sha, []]));
  if (candidates.length === 0) return { found, gaps: [] };
  if (gitDir === undefined)
    return { found: new Map(), gaps: ['removed exports are not known: the repository is away'] };
  await using objects = await openObjects(gitDir);
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const search = { objects, names, signal: AbortSignal.any([signal, deadline]) };
  const unknown = new Set(candidates.map(({ sha }) => sha));
  try {
    for (let from = 0; from < candidates.length; from += BATCH) {
      for (const [sha, removed] of await removedIn(search, candidates.slice(from, from + BATCH))) {
        unknown.delete(sha);
        found.set(sha, removed);
      }
    }
  } catch (error) {
    if (signal.aborted || !deadline.aborted) throw error;
  }
  for (const sha of unknown) found.delete(sha);
  const why = deadline.aborted ? 'it took too long' : 'contents are missing (a partial clone), or too much changed';
  const gaps = unknown.size === 0 ? [] : [`removed exports of ${unknown.size} commits are not known: ${why}`];
  return { found, gaps };
}

interface Search extends PastObjects {
  names: OfferedNames;
}

/** A file that seems to have lost names, with its contents before and after. */
interface Suspect {
  sha: string;
  patch: FilePatch;
  /** Whether the commit declares a name in another of its files. */
  isElsewhere: (name: string) => boolean;
}

async function removedIn(search: Search, candidates: readonly Candidate[]): Promise<Map<string, RemovedExport[]>> {
  const patches = await patchesOf(search, candidates);
  const removed = new Map([...patches.keys()].map((sha): [string, RemovedExport[]] => [sha, []]));
  const suspects = candidates.flatMap(({ sha, paths }) => suspectsIn(sha, paths, patches.get(sha) ?? []));
  if (suspects.length === 0) return removed;
  const sides = suspects.flatMap(({ patch }) => [
    { path: patch.oldPath, blob: patch.oldBlob },
    { path: patch.newPath, blob: patch.newBlob },
  ]);
  const names = await search.names.of(search, sides);
  for (const [at, { sha, patch, isElsewhere }] of suspects.entries()) {
    const [before, after] = [names[2 * at], names[2 * at + 1]];
    if (before === undefined || after === undefined) continue;
    const lost = [...before.offered].filter((name) => !isPresent(after, name, before) && !isElsewhere(name));
    // A module that is handed on under another path has moved; one that is handed on by names need not have lost any.
    const gained = [...after.offered].filter((name) => !before.offered.has(name));
    const hasStar = gained.some((name) => name.startsWith(WHOLE_MODULE));
    const kept = hasStar ? [] : lost.filter((name) => gained.length === 0 || !name.startsWith(WHOLE_MODULE));
    removed.get(sha)?.push(...kept.map((name) => ({ path: patch.oldPath, name })));
  }
  return removed;
}

/** Whether a name that was there before still is: also by handing on all of the module that it came from. */
function isPresent({ present }: FileNames, name: string, { sources }: FileNames): boolean {
  return present.has(name) || present.has('*') || present.has(`${WHOLE_MODULE}${sources.get(name)}`);
}

/** The files of a commit on whose removed lines something is declared that its added lines do not declare. */
function suspectsIn(sha: string, paths: readonly string[], patches: readonly FilePatch[]): Suspect[] {
  const asked = new Set(paths);
  const declared = patches.map((patch) => ({ patch, names: declaredNames(patch.added) }));
  const suspects = declared.filter(
    ({ patch, names }) =>
      asked.has(patch.oldPath) && [...declaredNames(patch.removed)].some((name) => !names.has(name)),
  );
  if (suspects.length === 0) return [];
  const filesOf = new Map<string, number>();
  for (const { names } of declared) for (const name of names) filesOf.set(name, (filesOf.get(name) ?? 0) + 1);
  return suspects.map(({ patch, names }) => ({
    sha,
    patch,
    isElsewhere: (name) => (filesOf.get(name) ?? 0) > Number(names.has(name)),
  }));
}

/** The changed files of commits; halves what git cannot tell at once until only commits are left out that it cannot tell. */
async function patchesOf(search: Search, candidates: readonly Candidate[]): Promise<Map<string, readonly FilePatch[]>> {
  const shown = ['--unified=0', '--full-index', '--find-renames', '--no-textconv', '--no-ext-diff', '--no-color'];
  const limits = ['-c', `core.bigFileThreshold=${LARGEST_COMPARED}`, '-c', 'core.quotePath=false'];
  const range = ['--no-walk=unsorted', '--stdin', '-p', '--format=%x01%H'];
  const args = [...limits, 'log', ...range, ...shown, '--', ...CODE_FILES];
  try {
    const input = `${candidates.map(({ sha }) => sha).join('\n')}\n`;
    return readPatches((await search.objects.run(args, search.signal, input)).toString());
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (candidates.length === 1) return new Map();
    const middle = Math.ceil(candidates.length / 2);
    const first = await patchesOf(search, candidates.slice(0, middle));
    return new Map([...first, ...(await patchesOf(search, candidates.slice(middle)))]);
  }
}
