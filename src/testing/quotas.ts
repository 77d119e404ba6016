import type { Tenant } from '../kernel/tenant.ts';
import type { KeyQuotas } from '../keys/keys.ts';
import { type KeyOfProduct, type Quota, type QuotaLimits, Quotas } from '../platform/quotas.ts';

const readerOf = (used: Partial<Readonly<Record<Quota, number>>>, quota: Quota) => async (): Promise<number> =>
  used[quota] ?? 0;

/** Quotas of products that all use so much. */
export function quotasUsed(
  used: Partial<Readonly<Record<Quota, number>>>,
  limits: QuotaLimits | ((tenant: Tenant) => QuotaLimits) = {},
): Quotas {
  return new Quotas({
    keyOf: () => undefined,
    defaults: {},
    limitsOf: typeof limits === 'function' ? limits : () => limits,
    readers: {
      requests: readerOf(used, 'requests'),
      storage: readerOf(used, 'storage'),
      runs: readerOf(used, 'runs'),
      model_cost: readerOf(used, 'model_cost'),
    },
    now: () => new Date(),
  });
}

/** Quotas of keys, of which these have limits and have used so much. */
export function keyQuotasUsed(
  used: Partial<Readonly<Record<Quota, number>>>,
  limits: QuotaLimits = {},
  limited: readonly KeyOfProduct[] = [],
): { keyQuotas: KeyQuotas; keyLimits: { keys: () => Promise<KeyOfProduct[]>; change: () => Promise<void> } } {
  const keyQuotas: KeyQuotas = new Quotas({
    keyOf: ({ keyId }) => keyId,
    defaults: {},
    limitsOf: () => limits,
    readers: {
      requests: readerOf(used, 'requests'),
      runs: readerOf(used, 'runs'),
      model_cost: readerOf(used, 'model_cost'),
    },
    now: () => new Date(),
  });
  return { keyQuotas, keyLimits: { keys: async () => [...limited], change: async () => {} } };
}
