import { type Actor, recordAudit } from '../accounts/accounts.ts';
import { ChosenLimits } from '../platform/chosen-limits.ts';
import type { Database, Db } from '../platform/db.ts';
import { KEY_QUOTAS, type KeyOfProduct, type LimitChanges, type QuotaLimits, type Quotas } from '../platform/quotas.ts';
import { deleteQuota, selectLimitedKeys, selectQuotas, upsertQuota } from './store-quotas.ts';

/** Quotas of keys. */
export type KeyQuotas = Quotas<KeyOfProduct, (typeof KEY_QUOTAS)[number]>;

/** What keys may use where somebody chose it. Beside it the limits of their products hold. */
export class KeyQuotaLimits implements AsyncDisposable {
  readonly #chosen: ChosenLimits;
  readonly #db: Db;

  private constructor(chosen: ChosenLimits, db: Db) {
    this.#chosen = chosen;
    this.#db = db;
  }

  static async open(
    database: Pick<Database, 'db' | 'listen'>,
    onFault: (error: unknown) => void,
  ): Promise<KeyQuotaLimits> {
    const channel = 'api_key_quota_changed';
    const chosen = await ChosenLimits.open({ database, channel, select: selectQuotas, onFault });
    return new KeyQuotaLimits(chosen, database.db);
  }

  of(keyId: string): QuotaLimits {
    return this.#chosen.of(keyId);
  }

  /** The keys for which somebody chose a limit. */
  keys(): Promise<KeyOfProduct[]> {
    return selectLimitedKeys(this.#db);
  }

  /** Chooses limits of a key that exists; null makes it the one of the settings again. */
  change(
    { accountId, keyId, actor }: { accountId: string; keyId: string; actor: Actor },
    changes: LimitChanges,
    now: Date,
  ): Promise<void> {
    return this.#chosen.change(async (tx) => {
      for (const quota of KEY_QUOTAS) {
        const most = changes[quota];
        if (most === null) await deleteQuota(tx, { accountId, keyId }, quota);
        else if (most !== undefined) await upsertQuota(tx, { accountId, keyId }, quota, most);
      }
      const change = { accountId, actor, action: 'api_key.limits', target: keyId, at: now } as const;
      await recordAudit(tx, { ...change, detail: { ...changes } });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chosen[Symbol.asyncDispose]();
  }
}
