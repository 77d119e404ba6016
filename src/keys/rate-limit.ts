/** Allowance of one request, as the limit headers report it. */
export interface Allowance {
  allowed: boolean;
  /** Requests a window. */
  limit: number;
  /** Requests that would be allowed right now. */
  remaining: number;
  /** Until `remaining` is `limit` again. */
  resetSeconds: number;
  /** Until the next request is allowed; 0 when this one is. */
  retryAfterSeconds: number;
}

interface Bucket {
  /** Drains by `limit` a millisecond; a request fills in `windowMs`. Whole numbers throughout, so nothing is rounded. */
  level: number;
  atMs: number;
  limit: number;
}

/**
 * A limit for each of many ids, in memory: a leaky bucket. `limit` requests may come at once, and from then on they come back
 * evenly over the window; there is no window edge to wait for. Only ids below their limit are stored.
 */
export class RateLimiter {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Takes one request of the id when there is one available. A refused request takes nothing. An id may have a limit of its own. */
  take(id: string, nowMs: number, limit = this.#limit): Allowance {
    const fullLevel = limit * this.#windowMs;
    const before = this.#levelOf(this.#buckets.get(id), nowMs);
    const over = before + this.#windowMs - fullLevel;
    const allowed = over <= 0;
    const level = allowed ? before + this.#windowMs : before;
    this.#buckets.set(id, { level, atMs: nowMs, limit });
    return {
      allowed,
      limit,
      // More than the limit were allowed when it was lowered just now.
      remaining: Math.max(0, Math.floor((fullLevel - level) / this.#windowMs)),
      resetSeconds: secondsToDrain(level, limit),
      retryAfterSeconds: allowed ? 0 : secondsToDrain(over, limit),
    };
  }

  /** Requests of the id that count now. */
  used(id: string, nowMs: number): number {
    return Math.ceil(this.#levelOf(this.#buckets.get(id), nowMs) / this.#windowMs);
  }

  /** Forgets the ids that have their whole limit again. */
  sweep(nowMs: number): void {
    for (const [id, bucket] of this.#buckets) if (this.#levelOf(bucket, nowMs) === 0) this.#buckets.delete(id);
  }

  /** Number of stored ids. */
  get size(): number {
    return this.#buckets.size;
  }

  /** A clock that was set back drains nothing. */
  #levelOf(bucket: Bucket | undefined, nowMs: number): number {
    if (bucket === undefined) return 0;
    return Math.max(0, bucket.level - Math.max(0, nowMs - bucket.atMs) * bucket.limit);
  }
}

function secondsToDrain(level: number, limit: number): number {
  return Math.ceil(level / limit / 1000);
}
