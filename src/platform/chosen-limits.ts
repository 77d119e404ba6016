import { type Database, type Db, notifyInTransaction } from './db.ts';
import type { Quota, QuotaLimits } from './quotas.ts';

/** A limit that somebody chose. */
interface ChosenLimit {
  /** Of the product or the key. */
  id: string;
  quota: Quota;
  most: number;
}

interface LimitParts {
  database: Pick<Database, 'db' | 'listen'>;
  /** Says that limits were changed. */
  channel: string;
  /** Returns all limits that somebody chose. */
  select: (db: Db) => Promise<ChosenLimit[]>;
  /** Called when they cannot be read again. */
  onFault: (error: unknown) => void;
}

/** Limits that somebody chose, by product or key, in memory: each process hears of changes that another one makes. */
export class ChosenLimits implements AsyncDisposable {
  readonly #parts: LimitParts;
  #byId: ReadonlyMap<string, QuotaLimits> = new Map();
  #reads = 0;
  #stopListening: () => Promise<void> = async () => {};

  private constructor(parts: LimitParts) {
    this.#parts = parts;
  }

  /** Reads the limits, and again with each change. */
  static async open(parts: LimitParts): Promise<ChosenLimits> {
    const limits = new ChosenLimits(parts);
    const readAgain = (): void => void limits.#read().catch(parts.onFault);
    limits.#stopListening = await parts.database.listen(parts.channel, readAgain, (isLive) => isLive && readAgain());
    await limits.#read();
    return limits;
  }

  of(id: string): QuotaLimits {
    return this.#byId.get(id) ?? {};
  }

  /** Changes what is stored in one transaction; it holds here when this resolves. */
  async change(write: (tx: Db) => Promise<void>): Promise<void> {
    const { database, channel } = this.#parts;
    await database.db.transaction().execute(async (tx) => {
      await write(tx);
      await notifyInTransaction(tx, channel, '');
    });
    await this.#read();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stopListening();
  }

  /** A read that another one overtook is not used. */
  async #read(): Promise<void> {
    const read = (this.#reads += 1);
    const rows = await this.#parts.select(this.#parts.database.db);
    if (read !== this.#reads) return;
    const byId = Map.groupBy(rows, ({ id }) => id);
    this.#byId = new Map(
      [...byId].map(([id, limits]) => [id, Object.fromEntries(limits.map(({ quota, most }) => [quota, most]))]),
    );
  }
}
