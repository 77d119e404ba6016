import { LRUCache } from 'lru-cache';
import { ServiceError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import type { Lane } from '../platform/thread-lanes.ts';
import type { ThreadPool } from '../platform/threads.ts';
import { deleteIndexFile, type IndexState } from './index-file.ts';
import type { IndexReply, IndexTask } from './index-thread.ts';
import {
  type ChangePosition,
  type Changes,
  type LargeChange,
  selectChanges,
  selectEntryPage,
  type ThingChange,
} from './store.ts';

/** Products whose index positions are remembered. */
const MOST_KNOWN = 10_000;

/** An update of less text takes milliseconds: it does not queue behind larger ones. */
const SMALL_CHARACTERS = 50_000;
/** About how much text a thread takes in at a time. A thing that alone has more is taken in whole, or in pages when it is large. */
const MOST_CHARACTERS = 500_000;

const UPDATE_MS = 60_000;
/** Compacting writes the whole file anew: 2 GB on a slow disk. */
const COMPACT_MS = 600_000;

/** After a fault of a thread an index is left as it is for so long. */
const PAUSE_MS = 30_000;

/** Times an update begins again because another process wrote the index, or it had to be deleted. */
const MOST_ROUNDS = 5;

interface UpdatesOptions {
  db: Db;
  /** Of the encoder whose vectors indexes hold; undefined where there is none. */
  model: string | undefined;
  pool: ThreadPool;
  onFault: (error: unknown) => void;
}

/** An index of a product. */
export interface IndexOf {
  tenant: Tenant;
  path: string;
}

interface Refresh {
  revision: Promise<number>;
  /** Settles when nothing more is done to the file, whatever became of it. */
  ended: Promise<void>;
  /** True if it has begun to read, so that it may have missed the newest changes. */
  isReading: boolean;
}

/** Another process wrote the index. */
class Overtaken extends Error {}

/** Brings indexes up to date: one update of a product at a time, in pieces, each of which stays even if the next one fails. */
export class IndexUpdates {
  readonly #db: Db;
  readonly #model: string | undefined;
  readonly #pool: ThreadPool;
  readonly #onFault: (error: unknown) => void;
  readonly #states = new LRUCache<string, IndexState>({ max: MOST_KNOWN });
  readonly #refreshes = new Map<string, Refresh>();
  readonly #paused = new LRUCache<string, { error: unknown }>({ max: MOST_KNOWN, ttl: PAUSE_MS });
  #isClosed = false;

  constructor({ db, model, pool, onFault }: UpdatesOptions) {
    this.#db = db;
    this.#model = model;
    this.#pool = pool;
    this.#onFault = onFault;
  }

  /**
   * Brings everything that is committed now into the index, and gives the number of the last change. Those that come before it
   * has begun to read share it. Goes on when nobody waits any more.
   */
  refresh(index: IndexOf): Promise<number> {
    const { path } = index;
    const last = this.#refreshes.get(path);
    if (last !== undefined && !last.isReading) return last.revision;
    const paused = this.#paused.get(path);
    if (paused !== undefined) return Promise.reject(paused.error);
    const refresh: Refresh = { isReading: false, revision: Promise.resolve(0), ended: Promise.resolve() };
    refresh.revision = (last?.ended ?? Promise.resolve()).then(() => {
      refresh.isReading = true;
      return this.#update(index);
    });
    refresh.ended = refresh.revision.then(
      () => this.#compactSparse(path),
      (error: unknown) => this.#report(path, error),
    );
    this.#refreshes.set(path, refresh);
    const forget = (): boolean => this.#refreshes.get(path) === refresh && this.#refreshes.delete(path);
    void refresh.ended.then(forget, forget);
    return refresh.revision;
  }

  /** Deletes an index that cannot be used; the next refresh makes it again. */
  discard(path: string): void {
    this.#states.delete(path);
    deleteIndexFile(path);
  }

  /** Forgets how far an index is: the file is another one. */
  forget(path: string): void {
    this.#states.delete(path);
  }

  /** Paths of the indexes that are being written. */
  get writing(): ReadonlySet<string> {
    return new Set(this.#refreshes.keys());
  }

  close(): void {
    this.#isClosed = true;
  }

  async #update(index: IndexOf): Promise<number> {
    for (let round = 1; ; round += 1) {
      try {
        return await this.#readChanges(index);
      } catch (error) {
        const isDamaged = error instanceof ServiceError && error.code === 'content_damaged';
        if (round === MOST_ROUNDS || !(isDamaged || error instanceof Overtaken)) throw error;
        if (isDamaged) {
          this.#onFault(error);
          this.discard(index.path);
        } else this.#states.delete(index.path);
      }
    }
  }

  async #readChanges({ tenant, path }: IndexOf): Promise<number> {
    let state = this.#states.get(path) ?? (await this.#ask({ kind: 'state', path }));
    for (;;) {
      if (this.#isClosed) throw new Error('The index was closed.');
      if (this.#model !== undefined && state.sequence > 0 && state.model !== this.#model) {
        // Its vectors are of another model, or it has none.
        this.discard(path);
        throw new Overtaken();
      }
      const { changes, revision, mark, isAll, isContinued } = await selectChanges(this.#db, tenant, state, this.#model);
      const end: ChangePosition = { revision: revision + 1, corpus: '', id: '' };
      if (!isContinued || state.position.revision > end.revision) {
        // The database was restored to an older state, and may have been written since.
        this.discard(path);
        throw new Overtaken();
      }
      if (!isAll || changes.length > 0 || state.position.revision !== end.revision)
        state = await this.#write({ tenant, path }, state, { changes, mark, end: isAll ? end : undefined });
      this.#states.set(path, state);
      if (isAll) return revision;
    }
  }

  /** Writes changes in their order, large ones in pages; at the `end`, if they are the last ones. */
  async #write(
    { tenant, path }: IndexOf,
    before: IndexState,
    { changes, mark, end }: Pick<Changes, 'changes' | 'mark'> & { end: ChangePosition | undefined },
  ): Promise<IndexState> {
    let state = before;
    const put = async (things: readonly ThingChange[], position: ChangePosition): Promise<void> => {
      const characters = things.reduce((sum, { entries }) => sum + charactersOf(entries), 0);
      const update = { sequence: state.sequence, changes: things, position, mark, model: this.#model };
      const lane: Lane = characters < SMALL_CHARACTERS ? 'question' : 'slow';
      const reply = await this.#ask({ kind: 'update', path, update }, lane);
      if (reply.isApplied === false) throw new Overtaken();
      state = reply;
    };
    let [batch, characters]: [ThingChange[], number] = [[], 0];
    const putBatch = async (position: ChangePosition | undefined = batch.at(-1)): Promise<void> => {
      if (position !== undefined) await put(batch, positionOf(position));
      [batch, characters] = [[], 0];
    };
    for (const change of changes) {
      if (change.entries === null) {
        await putBatch();
        for await (const page of this.#pagesOf(tenant, change)) await put([page], state.position);
        await put([], positionOf(change));
        continue;
      }
      const size = charactersOf(change.entries);
      if (characters + size > MOST_CHARACTERS) await putBatch();
      batch.push({ ...change, entries: change.entries });
      characters += size;
    }
    await putBatch(end);
    return state;
  }

  /** A thing in pieces, so that none of them holds anybody up. */
  async *#pagesOf(tenant: Tenant, change: LargeChange): AsyncGenerator<ThingChange> {
    for (let from = 0; ;) {
      const entries = await selectEntryPage(this.#db, tenant, change, { from, model: this.#model });
      if (entries.length === 0 && from > 0) return;
      yield { ...change, entries, isContinued: from > 0 };
      if (entries.length === 0) return;
      from += entries.length;
    }
  }

  async #compactSparse(path: string): Promise<void> {
    const state = this.#states.get(path);
    if (this.#isClosed || state === undefined || !('isSparse' in state) || state.isSparse !== true) return;
    try {
      const reply = await this.#pool.run<IndexReply>(
        { kind: 'compact', path },
        { deadlineMs: COMPACT_MS, lane: 'slow' },
      );
      this.#states.set(path, reply);
    } catch (error) {
      this.#states.delete(path);
      if (!this.#isClosed) this.#onFault(error);
    }
  }

  /** Keeps a text that a thread cannot index from being tried with each search. */
  #report(path: string, error: unknown): void {
    if (this.#isClosed) return;
    this.#states.delete(path);
    this.#paused.set(path, { error });
    this.#onFault(error);
  }

  #ask(task: IndexTask, lane: Lane = 'question'): Promise<IndexReply> {
    return this.#pool.run<IndexReply>(task, { deadlineMs: UPDATE_MS, lane });
  }
}

function positionOf({ revision, corpus, id }: ChangePosition): ChangePosition {
  return { revision, corpus, id };
}

function charactersOf(entries: ThingChange['entries']): number {
  return entries.reduce((sum, { text }) => sum + text.length, 0);
}
