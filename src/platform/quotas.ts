import { ServiceError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/tenant.ts';

/** What a product may use. `runs` and `model_cost` count since midnight (UTC). */
export const QUOTAS = ['storage', 'runs', 'model_cost'] as const;
type Quota = (typeof QUOTAS)[number];

/** Returns how much a product uses now. */
type ReadUse = (tenant: Tenant) => Promise<number>;

/** Use of a product beside what it may use; `limit` is null where nothing limits it. */
interface QuotaUse {
  quota: Quota;
  used: number;
  limit: number | null;
}

const ADVICE: Record<Quota, { limited: string; fix: string }> = {
  storage: {
    limited: 'takes as much storage as it may',
    fix: 'Delete uploads or repositories that are not needed any more, or raise SVC_PRODUCT_STORAGE.',
  },
  runs: {
    limited: 'has begun as many runs of agents today as it may',
    fix: 'Wait until midnight (UTC), or raise SVC_PRODUCT_DAILY_RUNS.',
  },
  model_cost: {
    limited: 'has spent as much on the language model today as it may',
    fix: 'Wait until midnight (UTC), or raise SVC_LLM_PRODUCT_DAILY_COST.',
  },
};

/** Limits of what each product may use, so that none takes it from the others. What is used is read where it is stored. */
export class Quotas {
  readonly #limits: Readonly<Partial<Record<Quota, number | undefined>>>;
  readonly #readers: Readonly<Record<Quota, ReadUse>>;

  constructor(limits: Readonly<Partial<Record<Quota, number | undefined>>>, readers: Readonly<Record<Quota, ReadUse>>) {
    this.#limits = limits;
    this.#readers = readers;
  }

  /** The quotas that limit anything. */
  get limited(): Quota[] {
    return QUOTAS.filter((quota) => this.#limits[quota] !== undefined);
  }

  /** Lets a product begin what takes more, or not. @throws ServiceError `quota_reached`. */
  async require(quota: Quota, tenant: Tenant): Promise<void> {
    if ((await this.remaining(quota, tenant)) > 0) return;
    throw new ServiceError('quota_reached', `The product ${ADVICE[quota].limited}.`, { fix: ADVICE[quota].fix });
  }

  /** What a product may still use; at least 0, and no limit without a setting. */
  async remaining(quota: Quota, tenant: Tenant): Promise<number> {
    const limit = this.#limits[quota];
    return limit === undefined ? Infinity : Math.max(0, limit - (await this.#readers[quota](tenant)));
  }

  /** What a product uses, of everything. */
  async read(tenant: Tenant): Promise<QuotaUse[]> {
    const uses: QuotaUse[] = [];
    for (const quota of QUOTAS)
      uses.push({ quota, used: await this.#readers[quota](tenant), limit: this.#limits[quota] ?? null });
    return uses;
  }
}
