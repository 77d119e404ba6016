import { LRUCache } from 'lru-cache';
import type { Tenant } from '../kernel/tenant.ts';
import type { Database, Db } from '../platform/db.ts';
import { type RepositoryRow, selectRepositories } from './store.ts';

/** Channel on which migration 0021 reports each change of a repository: `<account id> <product id>`. */
const CHANNEL = 'repository_changed';

/** Most products whose repositories are kept; the one that was asked about longest ago is forgotten. */
const MOST_PRODUCTS = 1_000;

/** A read that keeps being overtaken by changes is kept all the same after this many: the next change is heard, too. */
const MOST_READS = 5;

/**
 * The repositories of products, in memory, so that a question takes no turn at the database, which may be busy with an
 * import. A change is heard from whichever process makes it; until the rows are read anew, questions are answered from those
 * before, as if they had come a moment earlier. While changes cannot be heard, every question asks the database.
 */
export class RepositoryCache {
  readonly #db: Db;
  readonly #rows = new LRUCache<string, RepositoryRow[]>({ max: MOST_PRODUCTS });
  readonly #reads = new Map<string, Promise<RepositoryRow[]>>();
  /** Products that changed while they were read: the read may have seen the state before. */
  readonly #overtaken = new Set<string>();
  #isLive = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Begins to hear changes, and with that to keep anything. Returns the way to stop. */
  async hear(database: Pick<Database, 'listen'>): Promise<() => Promise<void>> {
    return database.listen(
      CHANNEL,
      (payload) => {
        const [accountId = '', productId = ''] = payload.split(' ');
        // A read that fails leaves nothing behind: the next call tries again, and gets the error.
        void this.refresh({ accountId, productId }).catch(() => undefined);
      },
      (isLive) => {
        this.#isLive = isLive;
        this.#rows.clear();
        for (const key of this.#reads.keys()) this.#overtaken.add(key);
      },
    );
  }

  /** All of the product by name, at most 5,000. */
  of(tenant: Tenant): Promise<RepositoryRow[]> {
    const key = keyOf(tenant);
    const rows = this.#isLive ? this.#rows.get(key) : undefined;
    if (rows === undefined) return this.#reads.get(key) ?? this.#startRead(tenant);
    return Promise.resolve(rows);
  }

  /** Resolves when questions are answered from what the database holds now. Costs nothing for a product without calls. */
  async refresh(tenant: Tenant): Promise<void> {
    const key = keyOf(tenant);
    const read = this.#reads.get(key);
    if (read !== undefined) this.#overtaken.add(key);
    if (read !== undefined || this.#rows.has(key)) await (read ?? this.#startRead(tenant));
  }

  /** Takes back what is kept: the next question asks the database. */
  forget(tenant: Tenant): void {
    const key = keyOf(tenant);
    this.#rows.delete(key);
    if (this.#reads.has(key)) this.#overtaken.add(key);
  }

  /** Drops older cached rows when newer ones were read elsewhere: their reader gets no older answer afterwards. */
  async agreeWith(tenant: Tenant, rows: readonly RepositoryRow[]): Promise<void> {
    const cachedById = new Map(this.#rows.get(keyOf(tenant))?.map((row) => [row.id, row]));
    const isOlder = rows.some((row) => {
      const cached = cachedById.get(row.id);
      return cached !== undefined && SERVED.some((column) => cached[column] !== row[column]);
    });
    if (isOlder) await this.refresh(tenant);
  }

  /** Reads once for all who ask meanwhile. */
  #startRead(tenant: Tenant): Promise<RepositoryRow[]> {
    const key = keyOf(tenant);
    const read = this.#read(tenant).finally(() => {
      this.#reads.delete(key);
      this.#overtaken.delete(key);
    });
    this.#reads.set(key, read);
    return read;
  }

  async #read(tenant: Tenant): Promise<RepositoryRow[]> {
    const key = keyOf(tenant);
    try {
      for (let reads = 1; ; reads += 1) {
        this.#overtaken.delete(key);
        const rows = await selectRepositories(this.#db, tenant);
        if (this.#overtaken.has(key) && reads < MOST_READS) continue;
        if (this.#isLive) this.#rows.set(key, rows);
        return rows;
      }
    } catch (error) {
      this.#rows.delete(key);
      throw error;
    }
  }
}

/** Columns on which an answer depends. */
const SERVED = ['status', 'generation', 'shardHash', 'historyHash'] as const;

const keyOf = ({ accountId, productId }: Tenant): string => `${accountId} ${productId}`;
