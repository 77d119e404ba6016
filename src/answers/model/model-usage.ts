import { DAY_MS } from '../../kernel/time.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import { costOf, type ModelProvider, type TokenCount } from '../../platform/language-model.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import { addSpending, selectCostMicros, selectProductCostMicros, selectSpending } from './store-usage.ts';

const MICROS = 1_000_000;

/** Usage of the model by a key on a day (UTC). `cost` is in the currency of the price; 0 without one. */
interface ModelDay extends TokenCount {
  keyId: string;
  day: string;
  model: string;
  answers: number;
  cost: number;
}

/** Cost of the answers of a product today (UTC). */
export async function readProductCost(db: Db, tenant: Tenant, now: Date): Promise<number> {
  return (await selectProductCostMicros(db, { ...tenant, day: now.toISOString().slice(0, 10) })) / MICROS;
}

/** Counts the usage of answers of a language model, by key and day, and how much a key may still spend. */
export class ModelUsage {
  readonly #db: Db;
  readonly #now: () => Date;

  readonly #leftOfProduct: (caller: Caller) => Promise<number>;

  /** `leftOfProduct` is what all keys of a product may still spend today. */
  constructor(parts: { db: Db; now: () => Date; leftOfProduct?: (caller: Caller) => Promise<number> }) {
    this.#db = parts.db;
    this.#now = parts.now;
    this.#leftOfProduct = parts.leftOfProduct ?? (async () => Infinity);
  }

  /**
   * Money that a key and its product have left today; no limit without settings. Calls that run at the same time do not know of each
   * other: each stops at what was left when it began.
   */
  async left(caller: Caller, { dailyCost }: ModelProvider): Promise<number> {
    const ofProduct = await this.#leftOfProduct(caller);
    if (dailyCost === undefined) return ofProduct;
    const { accountId, keyId } = caller;
    const micros = await selectCostMicros(this.#db, { accountId, keyId, day: this.#day(0) });
    return Math.min(ofProduct, Math.max(0, dailyCost - micros / MICROS));
  }

  /** Adds one answer to the day of a key. */
  async record({ accountId, productId, keyId }: Caller, provider: ModelProvider, spent: TokenCount): Promise<void> {
    const costMicros = Math.ceil(costOf(provider, spent) * MICROS);
    const of = { accountId, productId, keyId, day: this.#day(0), model: provider.model };
    await addSpending(this.#db, of, { answers: 1, ...spent, costMicros });
  }

  /** The last days of a product with today, the newest first; days without answers are not among them. */
  async list(tenant: { accountId: string; productId: string }, days: number): Promise<ModelDay[]> {
    const rows = await selectSpending(this.#db, tenant, this.#day(days - 1));
    return rows.map(({ costMicros, ...row }) => ({ ...row, cost: costMicros / MICROS }));
  }

  #day(back: number): string {
    return new Date(this.#now().getTime() - back * DAY_MS).toISOString().slice(0, 10);
  }
}
