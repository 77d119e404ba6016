import { ServiceError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { DAY_MS } from '../kernel/time.ts';

/** What a product may use. `requests` count for a minute, `runs` and `model_cost` since midnight (UTC). */
export const QUOTAS = ['requests', 'storage', 'runs', 'model_cost'] as const;
export type Quota = (typeof QUOTAS)[number];

/** What a product may use at most; what is not there is not limited. */
export type QuotaLimits = Partial<Readonly<Record<Quota, number | undefined>>>;

/** Use of a product beside what it may use; null where nothing limits it. */
interface QuotaUse {
  quota: Quota;
  used: number;
  limit: number | null;
  /** The limit of the settings, which is that of products for which nobody chose one. */
  default: number | null;
}

interface QuotaParts {
  /** The limits of the settings. */
  defaults: QuotaLimits;
  /** The limits that somebody chose for a product. */
  limitsOf: (tenant: Tenant) => QuotaLimits;
  /** Returns how much a product uses now. */
  readers: Readonly<Record<Quota, (tenant: Tenant) => Promise<number>>>;
  now: () => Date;
}

/** Quotas of which the use is read when something begins that takes more. */
type CheckedQuota = Exclude<Quota, 'requests'>;

const ADVICE: Record<CheckedQuota, { limited: string; fix: string }> = {
  storage: {
    limited: 'takes as much storage as it may',
    fix: 'Delete uploads or repositories that are not needed any more',
  },
  runs: { limited: 'has begun as many runs of agents today as it may', fix: 'Wait until midnight (UTC)' },
  model_cost: {
    limited: 'has spent as much on the language model today as it may',
    fix: 'Wait until midnight (UTC)',
  },
};

/** The refusal of what would take more than a product may use. */
export class QuotaReached extends ServiceError {
  readonly quota: CheckedQuota;
  readonly limit: number;
  /** Until what was used counts no more; undefined where waiting does not help. */
  readonly resetSeconds: number | undefined;

  constructor(quota: CheckedQuota, limit: number, resetSeconds: number | undefined) {
    const { limited, fix } = ADVICE[quota];
    const option = quota.replaceAll('_', '-');
    super('quota_reached', `The product ${limited}.`, {
      fix: `${fix}, or have an owner or admin raise the limit: svc quotas --${option} <most>.`,
    });
    this.quota = quota;
    this.limit = limit;
    this.resetSeconds = resetSeconds;
  }
}

/** Limits of what each product may use, so that none takes it from the others. What is used is read where it is stored. */
export class Quotas {
  readonly #parts: QuotaParts;

  constructor(parts: QuotaParts) {
    this.#parts = parts;
  }

  /** What a product may use of something; undefined when nothing limits it. */
  limitOf(quota: Quota, tenant: Tenant): number | undefined {
    return this.#parts.limitsOf(tenant)[quota] ?? this.#parts.defaults[quota];
  }

  /** Lets a product begin what takes more, or not. @throws QuotaReached. */
  async require(quota: CheckedQuota, tenant: Tenant): Promise<void> {
    if ((await this.remaining(quota, tenant)) > 0) return;
    const reset =
      quota === 'storage' ? undefined : Math.ceil((DAY_MS - (this.#parts.now().getTime() % DAY_MS)) / 1_000);
    throw new QuotaReached(quota, this.limitOf(quota, tenant) ?? 0, reset);
  }

  /** What a product may still use; at least 0. */
  async remaining(quota: CheckedQuota, tenant: Tenant): Promise<number> {
    const limit = this.limitOf(quota, tenant);
    return limit === undefined ? Infinity : Math.max(0, limit - (await this.#parts.readers[quota](tenant)));
  }

  /** What a product uses of everything, or only of what is limited. */
  async read(tenant: Tenant, which: 'all' | 'limited' = 'all'): Promise<QuotaUse[]> {
    const uses: QuotaUse[] = [];
    for (const quota of QUOTAS) {
      const limit = this.limitOf(quota, tenant) ?? null;
      if (which === 'limited' && limit === null) continue;
      const used = await this.#parts.readers[quota](tenant);
      uses.push({ quota, used, limit, default: this.#parts.defaults[quota] ?? null });
    }
    return uses;
  }
}
