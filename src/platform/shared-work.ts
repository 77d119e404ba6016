/** The caller's patience ended before the work. The work goes on, and a later caller gets its result. */
export class WorkGoesOn<Progress> extends Error {
  /** Last reported progress; undefined when none was reported yet. */
  readonly progress: Progress | undefined;

  constructor(progress: Progress | undefined) {
    super('The work goes on.');
    this.name = 'WorkGoesOn';
    this.progress = progress;
  }
}

/** Settings of a caller that waits. */
export interface Wait<Progress> {
  /** Ends the waiting; and the work too when no other caller waits, or was promised that it goes on. */
  signal: AbortSignal;
  /** Time after which the caller gets `WorkGoesOn`. */
  patienceMs: number;
  onProgress?: (progress: Progress) => void;
}

/** Begins the work. It ends when the signal aborts. */
export type BeginWork<Result, Progress> = (
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
) => Promise<Result>;

interface Running<Result, Progress> {
  result: Promise<Result>;
  stop: AbortController;
  waiting: Set<Wait<Progress>>;
  /** True once a caller was promised that it goes on. */
  isPromised: boolean;
  progress: Progress | undefined;
}

/** Work that is done once for all callers of a time, and may outlive them. Results are not cached. */
export class SharedWork<Result, Progress> {
  readonly #running = new Map<string, Running<Result, Progress>>();
  /** Ends of all work that has begun, that of cancelled work too. */
  readonly #ends = new Set<Promise<unknown>>();

  /**
   * The result of the work of this key: of the one that is under way, else of one that begins now.
   *
   * @throws WorkGoesOn past the patience, the signal's reason when cancelled, or what the work threw.
   */
  async of(key: string, begin: BeginWork<Result, Progress>, wait: Wait<Progress>): Promise<Result> {
    wait.signal.throwIfAborted();
    const running = this.#running.get(key) ?? this.#start(key, begin);
    running.waiting.add(wait);
    if (running.progress !== undefined) wait.onProgress?.(running.progress);
    const over = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      running.isPromised = true;
      over.reject(new WorkGoesOn(running.progress));
    }, wait.patienceMs);
    // What a caller gave up with is what it is to get.
    const onAbort = (): void => over.reject(wait.signal.reason as Error);
    wait.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([running.result, over.promise]);
    } finally {
      clearTimeout(timer);
      wait.signal.removeEventListener('abort', onAbort);
      running.waiting.delete(wait);
      if (running.waiting.size === 0 && !running.isPromised) running.stop.abort(new Error('Nobody waits for it.'));
    }
  }

  /** Stops all that is under way, and waits for its end. */
  async close(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort(new Error('The service stops.'));
    await Promise.allSettled(this.#ends);
  }

  #start(key: string, begin: BeginWork<Result, Progress>): Running<Result, Progress> {
    const stop = new AbortController();
    const waiting = new Set<Wait<Progress>>();
    const onProgress = (progress: Progress): void => {
      running.progress = progress;
      for (const waiter of waiting) waiter.onProgress?.(progress);
    };
    // A call that comes while a cancelled one still ends begins anew.
    const forget = (): boolean => this.#running.get(key) === running && this.#running.delete(key);
    stop.signal.addEventListener('abort', forget, { once: true });
    // Later, so that there is a receiver of progress.
    const result = Promise.resolve().then(() => begin(stop.signal, onProgress));
    const running: Running<Result, Progress> = { result, stop, waiting, isPromised: false, progress: undefined };
    this.#running.set(key, running);
    const end = result
      .catch(() => undefined)
      .finally(() => {
        forget();
        this.#ends.delete(end);
      });
    this.#ends.add(end);
    return running;
  }
}
