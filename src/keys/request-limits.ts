import { type Allowance, RateLimiter } from './rate-limit.ts';

const MINUTE_MS = 60_000;
const FAILURES_PER_MINUTE = 60;
const DEFAULT_REQUESTS_PER_MINUTE = 600;

/** Requests a minute that keys, and all keys of a product together, may make. */
export interface RequestLimitSettings {
  /** Of a key for which nobody chose a limit. */
  requestsPerMinute?: number;
  /** Chosen for a key. */
  keyRequestsPerMinute?: (keyId: string) => number | undefined;
  /** Of all keys of a product together; no limit when undefined. */
  productRequestsPerMinute?: (productId: string) => number | undefined;
}

/** Requests within the last minute, which each process counts for itself. */
export class RequestLimits {
  readonly #settings: RequestLimitSettings;
  readonly #now: () => Date;
  readonly #keys: RateLimiter;
  readonly #products = new RateLimiter(DEFAULT_REQUESTS_PER_MINUTE, MINUTE_MS);
  readonly #failures = new RateLimiter(FAILURES_PER_MINUTE, MINUTE_MS);

  constructor(settings: RequestLimitSettings, now: () => Date) {
    this.#settings = settings;
    this.#now = now;
    this.#keys = new RateLimiter(settings.requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE, MINUTE_MS);
  }

  /** Takes one request from the limit of the key. */
  take(keyId: string): Allowance {
    return this.#keys.take(keyId, this.#now().getTime(), this.#settings.keyRequestsPerMinute?.(keyId));
  }

  /** Takes one request from the limit of a product; undefined without one. */
  takeOfProduct(productId: string): Allowance | undefined {
    const limit = this.#settings.productRequestsPerMinute?.(productId);
    return limit === undefined ? undefined : this.#products.take(productId, this.#now().getTime(), limit);
  }

  /** Requests of a key, or of a product that has a limit, that count now. */
  used(of: 'key' | 'product', id: string): number {
    return (of === 'key' ? this.#keys : this.#products).used(id, this.#now().getTime());
  }

  /** Notes a failed attempt; false when the address failed 60 times within the last minute. */
  allowFailure(address: string): boolean {
    return this.#failures.take(address, this.#now().getTime()).allowed;
  }

  /** Forgets those whose limit is whole again. */
  sweep(): void {
    for (const limiter of [this.#keys, this.#products, this.#failures]) limiter.sweep(this.#now().getTime());
  }
}
