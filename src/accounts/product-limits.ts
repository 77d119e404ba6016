import { ChosenLimits } from '../platform/chosen-limits.ts';
import type { Database } from '../platform/db.ts';
import { type LimitChanges, type QuotaLimits, QUOTAS } from '../platform/quotas.ts';
import type { ProductRequest } from './accounts.ts';
import { recordAudit } from './audit.ts';
import { deleteQuota, selectQuotas, upsertQuota } from './store-quotas.ts';

/** What products may use where somebody chose it. */
export class ProductLimits implements AsyncDisposable {
  readonly #chosen: ChosenLimits;

  private constructor(chosen: ChosenLimits) {
    this.#chosen = chosen;
  }

  static async open(
    database: Pick<Database, 'db' | 'listen'>,
    onFault: (error: unknown) => void,
  ): Promise<ProductLimits> {
    const channel = 'product_quota_changed';
    return new ProductLimits(await ChosenLimits.open({ database, channel, select: selectQuotas, onFault }));
  }

  of(productId: string): QuotaLimits {
    return this.#chosen.of(productId);
  }

  /** Chooses limits of a product; null makes it the one of the settings again. */
  change({ accountId, productId, actor }: ProductRequest, changes: LimitChanges, now: Date): Promise<void> {
    return this.#chosen.change(async (tx) => {
      for (const quota of QUOTAS) {
        const most = changes[quota];
        if (most === null) await deleteQuota(tx, { accountId, productId }, quota);
        else if (most !== undefined) await upsertQuota(tx, { accountId, productId }, quota, most);
      }
      const change = { accountId, actor, action: 'product.limits', target: productId, at: now } as const;
      await recordAudit(tx, { ...change, detail: { ...changes } });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chosen[Symbol.asyncDispose]();
  }
}
