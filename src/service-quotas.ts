import type { Logger } from 'pino';
import { ProductLimits } from './accounts/product-limits.ts';
import { readKeyCost, readProductCost } from './answers/model/model-usage.ts';
import { countRunsSince } from './answers/runs/store-runs.ts';
import { sumUploadBytes } from './documents/store.ts';
import { DAY_MS } from './kernel/time.ts';
import { KeyQuotaLimits, type KeyQuotas, type Keys, openKeys } from './keys/keys.ts';
import type { Config } from './platform/config.ts';
import type { Database, Db } from './platform/db.ts';
import { faultLog } from './platform/failures.ts';
import type { Caller } from './platform/operation/operation.ts';
import { Quotas } from './platform/quotas.ts';
import { sumIndexBytes } from './repositories/store.ts';

interface QuotaSources {
  config: Pick<
    Config,
    | 'rateLimitPerMinute'
    | 'productRequestsPerMinute'
    | 'productStorageBytes'
    | 'productDailyRuns'
    | 'llmProductDailyCost'
  >;
  db: Db;
  limits: Pick<ProductLimits, 'of'>;
  keyLimits: Pick<KeyQuotaLimits, 'of'>;
  keys: Pick<Keys, 'recentRequests'>;
  now: () => Date;
}

/** Limits of products and keys that somebody chose, and what is used of them. */
export interface Limits {
  limits: ProductLimits;
  quotas: Quotas;
  keyLimits: KeyQuotaLimits;
  keyQuotas: KeyQuotas;
}

/** Opens the keys and what each product and key may use; all close with `opening`. */
export async function openLimited(
  config: QuotaSources['config'],
  database: Database,
  { log, now }: { log: Logger; now: () => Date },
  opening: AsyncDisposableStack,
): Promise<Limits & { keys: Keys }> {
  const limits = opening.use(await ProductLimits.open(database, faultLog(log, 'limits of products')));
  const keyLimits = opening.use(await KeyQuotaLimits.open(database, faultLog(log, 'limits of keys')));
  const keys = await openKeys(database, now, {
    requestsPerMinute: config.rateLimitPerMinute,
    keyRequestsPerMinute: (keyId) => keyLimits.of(keyId).requests,
    productRequestsPerMinute: (productId) => limits.of(productId).requests ?? config.productRequestsPerMinute,
    onFault: faultLog(log, 'keys'),
  });
  opening.defer(() => keys.close());
  return { limits, keyLimits, keys, ...serviceQuotas({ config, db: database.db, limits, keyLimits, keys, now }) };
}

/** What each product and key may use, and where it is stored what it uses. */
export function serviceQuotas(sources: QuotaSources): Pick<Limits, 'quotas' | 'keyQuotas'> {
  const { config, db, limits, keyLimits, keys, now } = sources;
  const midnight = (): Date => new Date(Math.floor(now().getTime() / DAY_MS) * DAY_MS);
  const quotas = new Quotas({
    keyOf: () => undefined,
    defaults: {
      requests: config.productRequestsPerMinute,
      storage: config.productStorageBytes,
      runs: config.productDailyRuns,
      model_cost: config.llmProductDailyCost,
    },
    limitsOf: ({ productId }) => limits.of(productId),
    readers: {
      requests: async ({ productId }) => keys.recentRequests('product', productId),
      storage: async (tenant) => (await sumUploadBytes(db, tenant)) + (await sumIndexBytes(db, tenant)),
      runs: ({ accountId, productId }) => countRunsSince(db, { accountId, productId }, midnight()),
      model_cost: (tenant) => readProductCost(db, tenant, now()),
    },
    now,
  });
  const keyQuotas: KeyQuotas = new Quotas({
    keyOf: ({ keyId }) => keyId,
    defaults: { requests: config.rateLimitPerMinute },
    limitsOf: ({ keyId }) => keyLimits.of(keyId),
    readers: {
      requests: async ({ keyId }) => keys.recentRequests('key', keyId),
      runs: (key) => countRunsSince(db, key, midnight()),
      model_cost: (key) => readKeyCost(db, key, now()),
    },
    now,
  });
  return { quotas, keyQuotas };
}

/** The limits of a call: those of its key, then those of its product. */
export function callLimits({ quotas, keyQuotas }: Pick<Limits, 'quotas' | 'keyQuotas'>): {
  requireRun: (caller: Caller) => Promise<void>;
  leftByQuotas: (caller: Caller) => Promise<number>;
} {
  return {
    requireRun: async (caller) => {
      await keyQuotas.require('runs', caller);
      await quotas.require('runs', caller);
    },
    leftByQuotas: async (caller) =>
      Math.min(await keyQuotas.remaining('model_cost', caller), await quotas.remaining('model_cost', caller)),
  };
}
