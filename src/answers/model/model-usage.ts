import { DAY_MS } from '../../kernel/time.ts';
import type { Db } from '../../platform/db.ts';
import { costOf, type ModelProvider, type TokenCount } from '../../platform/language-model.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import { addSpending, selectCostMicros, selectSpending } from './store-usage.ts';

const MICROS = 1_000_000;

/** Usage of the model by a key on a day (UTC). `cost` is in the currency of the price; 0 without one. */
interface ModelDay extends TokenCount {
  keyId: string;
  day: string;
  model: string;
  answers: number;
  cost: number;
}

/** Counts the usage of answers of a language model, by key and day, and how much a key may still spend. */
export class ModelUsage {
  readonly #db: Db;
  readonly #now: () => Date;

  constructor({ db, now }: { db: Db; now: () => Date }) {
    this.#db = db;
    this.#now = now;
  }

  /**
   * Money that a key has left today; no limit without `SVC_LLM_DAILY_COST`. Calls that run at the same time do not know of each
   * other: each stops at what was left when it began.
   */
  async left({ accountId, keyId }: Caller, { dailyCost }: ModelProvider): Promise<number> {
    if (dailyCost === undefined) return Infinity;
    const micros = await selectCostMicros(this.#db, { accountId, keyId, day: this.#day(0) });
    return Math.max(0, dailyCost - micros / MICROS);
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
