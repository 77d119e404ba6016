import { ServiceError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { DAY_MS } from '../kernel/time.ts';

/**
 * What a product may use. `requests` count for a minute, `runs` since midnight (UTC), `model_cost` since midnight, of a key
 * since the first of the month.
 */
export const QUOTAS = ['requests', 'storage', 'runs', 'model_cost'] as const;
/** What an API key may use. */
export const KEY_QUOTAS = ['requests', 'runs', 'model_cost'] as const;
export type Quota = (typeof QUOTAS)[number];

/** What a product or a key may use at most; what is not there is not limited. */
export type QuotaLimits = Partial<Readonly<Record<Quota, number | undefined>>>;

/** Changes of limits; null makes one that of the settings again. */
export type LimitChanges = Partial<Readonly<Record<Quota, number | null | undefined>>>;

/** An API key of a product. */
export interface KeyOfProduct extends Tenant {
  keyId: string;
}

/** Use of a product or a key beside what it may use; null where nothing limits it. */
interface QuotaUse<Name> {
  quota: Name;
  used: number;
  limit: number | null;
  /** The limit of the settings, which is that of products and keys for which nobody chose one. */
  default: number | null;
}

interface QuotaParts<Subject extends Tenant, Name extends Quota> {
  /** Id of the API key that the limits are of; undefined where they are of the product. */
  keyOf: (subject: Subject) => string | undefined;
  /** The limits of the settings. */
  defaults: QuotaLimits;
  /** The limits that somebody chose. */
  limitsOf: (subject: Subject) => QuotaLimits;
  /** Returns how much is used now, for each quota in the order in which they are shown. */
  readers: Readonly<Record<Name, (subject: Subject) => Promise<number>>>;
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
  model_cost: { limited: 'has spent as much on the language model as it may', fix: 'Wait until it counts anew' },
};

/** Returns the command that raises a limit, of the product or of a key. */
export function raisingCommand(quota: Quota, keyId?: string): string {
  return `svc ${keyId === undefined ? 'quotas' : `key limit ${keyId}`} --${quota.replaceAll('_', '-')} <most>`;
}

/** The refusal of what would take more than a product or a key may use. */
export class QuotaReached extends ServiceError {
  /** Name of the limit in headers. */
  readonly policy: string;
  readonly limit: number;
  /** Until what was used counts no more; undefined where waiting does not help. */
  readonly resetSeconds: number | undefined;

  constructor(quota: CheckedQuota, limit: number, resetSeconds: number | undefined, keyId?: string) {
    const { limited, fix } = ADVICE[quota];
    const holder = keyId === undefined ? 'The product' : 'The API key';
    super('quota_reached', `${holder} ${limited}: ${limit.toLocaleString('en-US')}.`, {
      fix: `${fix}, or have an owner or admin raise the limit: ${raisingCommand(quota, keyId)}.`,
    });
    this.policy = keyId === undefined ? quota : `key_${quota}`;
    this.limit = limit;
    this.resetSeconds = resetSeconds;
  }
}

/**
 * Limits of what each product, or each key, may use, so that none takes it from the others. What is used is read where it is
 * stored.
 */
export class Quotas<Subject extends Tenant = Tenant, Name extends Quota = Quota> {
  readonly #parts: QuotaParts<Subject, Name>;

  constructor(parts: QuotaParts<Subject, Name>) {
    this.#parts = parts;
  }

  /** What the subject may use of something; undefined when nothing limits it. */
  limitOf(quota: Name, subject: Subject): number | undefined {
    return this.#parts.limitsOf(subject)[quota] ?? this.#parts.defaults[quota];
  }

  /** Lets the subject begin what takes more, or not. @throws QuotaReached. */
  async require(quota: Name & CheckedQuota, subject: Subject): Promise<void> {
    if ((await this.remaining(quota, subject)) > 0) return;
    const keyId = this.#parts.keyOf(subject);
    const reset = secondsToReset(quota, keyId !== undefined, this.#parts.now());
    throw new QuotaReached(quota, this.limitOf(quota, subject) ?? 0, reset, keyId);
  }

  /** What the subject may still use; at least 0. */
  async remaining(quota: Name & CheckedQuota, subject: Subject): Promise<number> {
    const limit = this.limitOf(quota, subject);
    return limit === undefined ? Infinity : Math.max(0, limit - (await this.#parts.readers[quota](subject)));
  }

  /** What the subject uses of everything, or only of what is limited. */
  async read(subject: Subject, which: 'all' | 'limited' = 'all'): Promise<QuotaUse<Name>[]> {
    const uses: QuotaUse<Name>[] = [];
    // The readers have the names as their keys.
    for (const quota of Object.keys(this.#parts.readers) as Name[]) {
      const limit = this.limitOf(quota, subject) ?? null;
      if (which === 'limited' && limit === null) continue;
      const used = await this.#parts.readers[quota](subject);
      uses.push({ quota, used, limit, default: this.#parts.defaults[quota] ?? null });
    }
    return uses;
  }
}

/** First moment of the month (UTC). */
export function monthStart(now: Date, later = 0): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later));
}

function secondsToReset(quota: CheckedQuota, isOfKey: boolean, now: Date): number | undefined {
  if (quota === 'storage') return undefined;
  const ofMonth = monthStart(now, 1).getTime() - now.getTime();
  const ms = quota === 'model_cost' && isOfKey ? ofMonth : DAY_MS - (now.getTime() % DAY_MS);
  return Math.ceil(ms / 1_000);
}
