import { type Database, type Db, notifyInTransaction } from '../platform/db.ts';
import { QUOTAS, type Quota, type QuotaLimits } from '../platform/quotas.ts';
import type { ProductRequest } from './accounts.ts';
import { recordAudit } from './audit.ts';
import { deleteQuota, selectQuotas, upsertQuota } from './store-quotas.ts';

/** Says that limits were changed. */
const CHANNEL = 'product_quota_changed';

/** What products may use where somebody chose it, in memory: each process hears of changes that another one makes. */
export class ProductLimits implements AsyncDisposable {
  readonly #db: Db;
  #byProduct: ReadonlyMap<string, QuotaLimits> = new Map();
  #reads = 0;
  #stopListening: () => Promise<void> = async () => {};

  private constructor(db: Db) {
    this.#db = db;
  }

  /** Reads the limits, and again with each change. `onFault` is called when they cannot be read again. */
  static async open(
    database: Pick<Database, 'db' | 'listen'>,
    onFault: (error: unknown) => void,
  ): Promise<ProductLimits> {
    const limits = new ProductLimits(database.db);
    const readAgain = (): void => void limits.#read().catch(onFault);
    limits.#stopListening = await database.listen(CHANNEL, readAgain, (isLive) => isLive && readAgain());
    await limits.#read();
    return limits;
  }

  of(productId: string): QuotaLimits {
    return this.#byProduct.get(productId) ?? {};
  }

  /** Chooses limits of a product; null makes it the one of the settings again. */
  async change(
    { accountId, productId, actor }: ProductRequest,
    changes: Partial<Readonly<Record<Quota, number | null | undefined>>>,
    now: Date,
  ): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      for (const quota of QUOTAS) {
        const most = changes[quota];
        if (most === null) await deleteQuota(tx, { accountId, productId }, quota);
        else if (most !== undefined) await upsertQuota(tx, { accountId, productId }, quota, most);
      }
      const change = { accountId, actor, action: 'product.limits', target: productId, at: now } as const;
      await recordAudit(tx, { ...change, detail: { ...changes } });
      await notifyInTransaction(tx, CHANNEL, '');
    });
    await this.#read();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stopListening();
  }

  /** A read that another one overtook is not used. */
  async #read(): Promise<void> {
    const read = (this.#reads += 1);
    const rows = await selectQuotas(this.#db);
    if (read !== this.#reads) return;
    const byProduct = Map.groupBy(rows, ({ productId }) => productId);
    this.#byProduct = new Map(
      [...byProduct].map(([id, quotas]) => [id, Object.fromEntries(quotas.map(({ quota, most }) => [quota, most]))]),
    );
  }
}
