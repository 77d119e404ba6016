import { DAY_MS, dayOf } from '../../kernel/time.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import { costOf, type ModelProvider, type TokenCount } from '../../platform/language-model.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import { type KeyOfProduct, monthStart } from '../../platform/quotas.ts';
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
  return (await selectProductCostMicros(db, { ...tenant, day: dayOf(now) })) / MICROS;
}

/** Cost of the answers for a key this month (UTC). */
export async function readKeyCost(
  db: Db,
  { accountId, keyId }: Pick<KeyOfProduct, 'accountId' | 'keyId'>,
  now: Date,
): Promise<number> {
  const since = dayOf(monthStart(now));
  return (await selectCostMicros(db, { accountId, keyId, since })) / MICROS;
}

/** Counts the usage of answers of a language model, by key and day, and how much a key may still spend. */
export class ModelUsage {
  readonly #db: Db;
  readonly #now: () => Date;
  readonly #leftByQuotas: (caller: Caller) => Promise<number>;

  /** `leftByQuotas` is what the quotas of a key and of its product let it spend still. */
  constructor(parts: { db: Db; now: () => Date; leftByQuotas?: (caller: Caller) => Promise<number> }) {
    this.#db = parts.db;
    this.#now = parts.now;
    this.#leftByQuotas = parts.leftByQuotas ?? (async () => Infinity);
  }

  /**
   * Money that a key and its product have left; no limit without settings. Calls that run at the same time do not know of each
   * other: each stops at what was left when it began.
   */
  async left(caller: Caller, { dailyCost }: ModelProvider): Promise<number> {
    const left = await this.#leftByQuotas(caller);
    if (dailyCost === undefined) return left;
    const { accountId, keyId } = caller;
    const micros = await selectCostMicros(this.#db, { accountId, keyId, since: this.#day(0) });
    return Math.min(left, Math.max(0, dailyCost - micros / MICROS));
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
    return dayOf(new Date(this.#now().getTime() - back * DAY_MS));
  }
}
