import { setTimeout } from 'node:timers/promises';
import type { GitLocation } from '../platform/git/git-refs.ts';
import { type TreeSnapshot, WorkingTree } from '../platform/git/working-tree.ts';

/** Time for which a list of uncommitted files is valid for a count; a slow one is valid for this many times its duration. */
const COUNTED_FOR_MS = 1_000;
const REUSE_FACTOR = 10;
/** Time that a count waits for the first list, and for the next after a pause: while calls come, the last list is returned. */
const FIRST_WAIT_MS = 1_000;
const WAIT_MS = 250;
const PAUSE_MS = 3_000;
/** Maximum age of a list for an answer that shows the files: what was saved is visible within a second. */
const SHOWN_FOR_MS = 300;
/** Longest validity of a list: where listing takes long, as on a busy machine, twice its duration, up to this. */
const MOST_HELD_MS = 2_000;
/** After so many snapshots those before are deleted: each leaves a few small files. */
const MOST_SNAPSHOTS = 300;

/** A list of the files that are not as a commit has them. Times are on the clock of `performance.now`. */
interface Look {
  commit: string;
  begunMs: number;
  /** Time when it ended, and the files: undefined when the checkout could not be read. */
  endedMs: number;
  paths?: readonly Buffer[];
}

/** A checkout that calls ask about: it is looked at for all of them at once, and not more often than it has to be. */
export class WatchedCheckout {
  readonly location: GitLocation;
  readonly #now: () => number;
  #tree: Promise<WorkingTree> | undefined;
  /** Index runs may read the one before. */
  #before: Promise<WorkingTree> | undefined;
  #snapshots = 0;
  #last: Look | undefined;
  #looking: { commit: string; begunMs: number; look: Promise<Look> } | undefined;
  #snapshotting: Promise<unknown> = Promise.resolve();

  /** `now` is a clock that never goes back, in milliseconds. */
  constructor(location: GitLocation, now: () => number = () => performance.now()) {
    this.location = location;
    this.#now = now;
  }

  /**
   * Counts the files that differ from the commit, as of the last list: listed at most each second, less often where that takes
   * long. Only the first call, or one after a pause, waits for it: a second or a quarter of one at most.
   */
  async count(commit: string): Promise<number | undefined> {
    const last = this.#last?.commit === commit ? this.#last : undefined;
    const ageMs = last === undefined ? Infinity : this.#now() - last.endedMs;
    const tookMs = last === undefined ? 0 : last.endedMs - last.begunMs;
    const look = ageMs > Math.max(COUNTED_FOR_MS, tookMs * REUSE_FACTOR) ? this.#look(commit) : undefined;
    const waitMs = ageMs === Infinity ? FIRST_WAIT_MS : ageMs > PAUSE_MS ? WAIT_MS : 0;
    const next = look !== undefined && waitMs > 0 ? await waitAtMost(look, waitMs) : undefined;
    return (next ?? last)?.paths?.length;
  }

  /** The files that are not as the commit has them now, give or take 0.3 s; undefined when they cannot be listed. */
  async changed(commit: string): Promise<readonly Buffer[] | undefined> {
    const last = this.#last;
    const tookMs = last === undefined ? 0 : last.endedMs - last.begunMs;
    const heldMs = Math.max(SHOWN_FOR_MS, Math.min(2 * tookMs, MOST_HELD_MS));
    const isNew = last?.commit === commit && this.#now() - last.endedMs < heldMs;
    const running = this.#looking;
    // One that began before a file was saved may have passed it by.
    if (!isNew && running?.commit === commit && this.#now() - running.begunMs > SHOWN_FOR_MS) await running.look;
    return (isNew ? last : await this.#look(commit)).paths;
  }

  /** The files as they are now, as a commit that follows the given one; undefined when they are too many. */
  async snapshot(commit: string, paths: readonly Buffer[]): Promise<TreeSnapshot | undefined> {
    const turn = this.#snapshotting.then(async () => {
      if (++this.#snapshots % MOST_SNAPSHOTS === 0) await this.#renew();
      return (await this.#open()).snapshot(commit, paths);
    });
    this.#snapshotting = turn.catch(() => undefined);
    return turn;
  }

  async close(): Promise<void> {
    for (const tree of [this.#before, this.#tree])
      await tree?.then(
        (watched) => watched.close(),
        () => undefined,
      );
  }

  #open(): Promise<WorkingTree> {
    if (this.#tree !== undefined) return this.#tree;
    const tree = WorkingTree.open(this.location);
    this.#tree = tree;
    // One that could not be opened is tried again.
    tree.catch(() => this.#tree === tree && (this.#tree = undefined));
    return tree;
  }

  async #renew(): Promise<void> {
    const before = await this.#before;
    this.#before = this.#tree;
    this.#tree = undefined;
    await before?.close();
  }

  /** Joins the look that is under way. */
  #look(commit: string): Promise<Look> {
    if (this.#looking?.commit === commit) return this.#looking.look;
    const begunMs = this.#now();
    // One at a time: git reads from a file which commit to compare with.
    const before = this.#looking?.look;
    const look = Promise.resolve(before)
      .then(() => this.#list(commit))
      .then((paths) => {
        const finished: Look = { commit, begunMs, endedMs: this.#now(), ...(paths !== undefined && { paths }) };
        this.#last = finished;
        if (this.#looking?.look === look) this.#looking = undefined;
        return finished;
      });
    this.#looking = { commit, begunMs, look };
    return look;
  }

  async #list(commit: string): Promise<readonly Buffer[] | undefined> {
    try {
      return await (await this.#open()).changed(commit);
    } catch {
      // Moved away, damaged, too slow: it is not known.
      return undefined;
    }
  }
}

/** Waits for it, at most so long. */
async function waitAtMost<Result>(work: Promise<Result>, milliseconds: number): Promise<Result | undefined> {
  const over = new AbortController();
  const late = setTimeout(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
  const first = await Promise.race([work, late]);
  over.abort();
  return first;
}
