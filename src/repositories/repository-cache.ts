import { LRUCache } from 'lru-cache';
import type { Tenant } from '../kernel/tenant.ts';
import type { Database, Db } from '../platform/db.ts';
import { MOST_LISTED, type RepositoryRow, selectRepositories, selectRepositoriesById } from './store.ts';

/** Channel on which migration 0095 reports each change of a repository: `<account id> <product id> <id>`. */
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
  /** Ids of repositories that changed and are not read anew yet, by product. */
  readonly #changed = new Map<string, Set<string>>();
  readonly #patches = new Map<string, Promise<void>>();
  #isLive = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Begins to hear changes, and with that to keep anything. Returns the way to stop. */
  async hear(database: Pick<Database, 'listen'>): Promise<() => Promise<void>> {
    return database.listen(
      CHANNEL,
      (payload) => {
        const [accountId = '', productId = '', id = ''] = payload.split(' ');
        // A read that fails leaves nothing behind: the next call tries again, and gets the error.
        void this.refresh({ accountId, productId }, [id]).catch(() => undefined);
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

  /**
   * Resolves when questions are answered from what the database holds of these repositories now. Reads as many rows, whatever
   * the product has; nothing for a product without calls.
   */
  async refresh(tenant: Tenant, ids: readonly string[]): Promise<void> {
    const key = keyOf(tenant);
    const read = this.#reads.get(key);
    if (read !== undefined) {
      this.#overtaken.add(key);
      await read;
    } else if (this.#rows.has(key)) {
      this.#changed.set(key, new Set([...(this.#changed.get(key) ?? []), ...ids]));
      // One that had looked for the last time takes them no more.
      while (this.#changed.has(key)) await (this.#patches.get(key) ?? this.#startPatch(tenant));
    }
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
    const newer = rows.filter((row) => {
      const cached = cachedById.get(row.id);
      return cached !== undefined && SERVED.some((column) => cached[column] !== row[column]);
    });
    if (newer.length > 0)
      await this.refresh(
        tenant,
        newer.map(({ id }) => id),
      );
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

  /** Reads the changed rows, and those that change meanwhile, until none is left. */
  #startPatch(tenant: Tenant): Promise<void> {
    const key = keyOf(tenant);
    const patch = this.#patch(tenant).finally(() => this.#patches.delete(key));
    this.#patches.set(key, patch);
    return patch;
  }

  async #patch(tenant: Tenant): Promise<void> {
    const key = keyOf(tenant);
    for (let ids = this.#takeChanged(key); ids.length > 0; ids = this.#takeChanged(key)) {
      const before = this.#rows.get(key);
      if (before === undefined) continue;
      if (before.length >= MOST_LISTED) {
        await this.#startRead(tenant);
        continue;
      }
      try {
        const rows = await selectRepositoriesById(this.#db, tenant, ids);
        // All were read meanwhile, maybe after these rows: what is older must not replace what is newer.
        if (this.#rows.get(key) === before) this.#rows.set(key, replaceRows(before, ids, rows));
        else this.#changed.set(key, new Set([...(this.#changed.get(key) ?? []), ...ids]));
      } catch (error) {
        this.#rows.delete(key);
        this.#changed.delete(key);
        throw error;
      }
    }
  }

  #takeChanged(key: string): string[] {
    const ids = [...(this.#changed.get(key) ?? [])];
    this.#changed.delete(key);
    return ids;
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

/** The rows with those of the ids as they are now, which may be none, by name. */
function replaceRows(
  before: readonly RepositoryRow[],
  ids: readonly string[],
  rows: readonly RepositoryRow[],
): RepositoryRow[] {
  const unchanged = before.filter(({ id }) => !ids.includes(id));
  return [...unchanged, ...rows].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
