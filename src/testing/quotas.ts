import type { Tenant } from '../kernel/tenant.ts';
import { type Quota, type QuotaLimits, Quotas } from '../platform/quotas.ts';

/** Quotas of products that all use so much. */
export function quotasUsed(
  used: Partial<Readonly<Record<Quota, number>>>,
  limits: QuotaLimits | ((tenant: Tenant) => QuotaLimits) = {},
): Quotas {
  const reader = (quota: Quota) => async (): Promise<number> => used[quota] ?? 0;
  return new Quotas({
    defaults: {},
    limitsOf: typeof limits === 'function' ? limits : () => limits,
    readers: {
      requests: reader('requests'),
      storage: reader('storage'),
      runs: reader('runs'),
      model_cost: reader('model_cost'),
    },
    now: () => new Date(),
  });
}
