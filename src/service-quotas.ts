import { readProductCost } from './answers/model/model-usage.ts';
import { countRunsSince } from './answers/runs/store-runs.ts';
import { sumUploadBytes } from './documents/store.ts';
import { DAY_MS } from './kernel/time.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import { Quotas } from './platform/quotas.ts';
import { sumIndexBytes } from './repositories/store.ts';

/** What each product may use by the settings, and where it is stored what it uses. */
export function serviceQuotas(
  config: Pick<Config, 'productStorageBytes' | 'productDailyRuns' | 'llmProductDailyCost'>,
  db: Db,
  now: () => Date,
): Quotas {
  const midnight = (): Date => new Date(Math.floor(now().getTime() / DAY_MS) * DAY_MS);
  return new Quotas(
    { storage: config.productStorageBytes, runs: config.productDailyRuns, model_cost: config.llmProductDailyCost },
    {
      storage: async (tenant) => (await sumUploadBytes(db, tenant)) + (await sumIndexBytes(db, tenant)),
      runs: (tenant) => countRunsSince(db, tenant, midnight()),
      model_cost: (tenant) => readProductCost(db, tenant, now()),
    },
  );
}
