import type { Logger } from 'pino';
import { ProductLimits } from './accounts/product-limits.ts';
import { readProductCost } from './answers/model/model-usage.ts';
import { countRunsSince } from './answers/runs/store-runs.ts';
import { sumUploadBytes } from './documents/store.ts';
import { DAY_MS } from './kernel/time.ts';
import { type Keys, openKeys } from './keys/keys.ts';
import type { Config } from './platform/config.ts';
import type { Database, Db } from './platform/db.ts';
import { faultLog } from './platform/failures.ts';
import { Quotas } from './platform/quotas.ts';
import { sumIndexBytes } from './repositories/store.ts';

interface QuotaSources {
  config: Pick<Config, 'productRequestsPerMinute' | 'productStorageBytes' | 'productDailyRuns' | 'llmProductDailyCost'>;
  db: Db;
  limits: Pick<ProductLimits, 'of'>;
  keys: Pick<Keys, 'requestsOfProduct'>;
  now: () => Date;
}

/** Opens the keys and what each product may use; both close with `opening`. */
export async function openLimited(
  config: QuotaSources['config'] & Pick<Config, 'rateLimitPerMinute'>,
  database: Database,
  { log, now }: { log: Logger; now: () => Date },
  opening: AsyncDisposableStack,
): Promise<{ limits: ProductLimits; keys: Keys; quotas: Quotas }> {
  const limits = opening.use(await ProductLimits.open(database, faultLog(log, 'limits of products')));
  const keys = await openKeys(database, now, {
    requestsPerMinute: config.rateLimitPerMinute,
    productRequestsPerMinute: (productId) => limits.of(productId).requests ?? config.productRequestsPerMinute,
    onFault: faultLog(log, 'keys'),
  });
  opening.defer(() => keys.close());
  return { limits, keys, quotas: serviceQuotas({ config, db: database.db, limits, keys, now }) };
}

/** What each product may use, and where it is stored what it uses. */
export function serviceQuotas({ config, db, limits, keys, now }: QuotaSources): Quotas {
  const midnight = (): Date => new Date(Math.floor(now().getTime() / DAY_MS) * DAY_MS);
  return new Quotas({
    defaults: {
      requests: config.productRequestsPerMinute,
      storage: config.productStorageBytes,
      runs: config.productDailyRuns,
      model_cost: config.llmProductDailyCost,
    },
    limitsOf: ({ productId }) => limits.of(productId),
    readers: {
      requests: async ({ productId }) => keys.requestsOfProduct(productId),
      storage: async (tenant) => (await sumUploadBytes(db, tenant)) + (await sumIndexBytes(db, tenant)),
      runs: (tenant) => countRunsSince(db, tenant, midnight()),
      model_cost: (tenant) => readProductCost(db, tenant, now()),
    },
    now,
  });
}
