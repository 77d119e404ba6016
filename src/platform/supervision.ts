import { reasonOf } from './failures.ts';
import type { Log } from './log.ts';

/** Threads and processes beside the one that serves: what people call them, and whether calls need them. */
const PARTS = {
  readers: { title: 'reading indexes', isNeeded: true },
  background_readers: { title: 'reading indexes in the background', isNeeded: false },
  knowledge: { title: 'searching documents and signals', isNeeded: true },
  plan_texts: { title: 'reading plans and decisions', isNeeded: true },
  documents: { title: 'reading uploads', isNeeded: false },
  pages: { title: 'reading pages of competitors', isNeeded: false },
  indexer: { title: 'indexing repositories', isNeeded: false },
  extractor: { title: 'parsing files', isNeeded: false },
  compiler: { title: 'asking the TypeScript compiler', isNeeded: false },
  signal_files: { title: 'reading files of signals', isNeeded: false },
  encoder: { title: 'encoding texts', isNeeded: false },
  themes: { title: 'grouping signals', isNeeded: false },
  browser: { title: 'running the scripts of watched pages', isNeeded: false },
  git: { title: 'running git', isNeeded: true },
  /** `/readyz` asks the database itself. */
  database: { title: 'the embedded database', isNeeded: false },
} as const satisfies Record<string, { title: string; isNeeded: boolean }>;

/** The name of a group of threads or processes, in the log and in metrics. */
type Part = keyof typeof PARTS;

/**
 * Reason of the end of a thread or process: by itself, at its limit of memory, at a deadline, or because it went on after a
 * cancellation.
 */
export type EndReason = 'crashed' | 'memory' | 'deadline' | 'cancelled';

/** The unexpected end of a thread or process. */
export interface WorkerEnd {
  reason: EndReason;
  /** Others of its group that can work. Absent where the next task starts another one: none is missing then. */
  remaining?: number | undefined;
}

/** Receives the ends and starts of a group of threads or processes. */
export interface Watch {
  /** One has ended by itself or at a limit. */
  ended(error: unknown, end: WorkerEnd): void;
  /** One can work. */
  ready(): void;
}

/** A group that lacks a thread or process at this moment. */
export interface MissingPart {
  part: Part;
  /** Message with the reason. */
  message: string;
  since: Date;
  /** True if calls cannot be answered: none of the group is there, and calls need it. */
  isDown: boolean;
}

/** The metrics of threads and processes that end. */
export interface SupervisionMetrics {
  /** Counts an unexpected end of a thread or process of the part. */
  countEnded(part: Part, reason: EndReason): void;
  /** Records whether none of the part can work. */
  setDown(part: Part, isDown: boolean): void;
}

interface SupervisorParts {
  log: Pick<Log, 'error' | 'warn' | 'info' | 'debug'>;
  metrics: SupervisionMetrics;
  now: () => Date;
}

/**
 * Records which threads and processes of the service have ended and are not back yet. Their owners start them again; here their
 * ends are logged and counted, and `/readyz` reads what is missing.
 */
export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #missing = new Map<Part, { since: Date; reason: string; remaining: number }>();

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
  }

  /** Returns what a group of threads or processes reports to. */
  watch(part: Part): Watch {
    return {
      ended: (error, end) => this.#end(part, error, end),
      ready: () => this.#restore(part),
    };
  }

  /** Groups that lack a thread or process now. */
  missing(): MissingPart[] {
    return [...this.#missing].map(([part, { since, reason, remaining }]) => {
      const { title, isNeeded } = PARTS[part];
      const others = remaining === 0 ? '' : ` ${remaining} more of its kind can work.`;
      const message = `A worker for ${title} (${part}) ended and is being started again: ${reason}${others}`;
      return { part, message, since, isDown: isNeeded && remaining === 0 };
    });
  }

  #end(part: Part, error: unknown, { reason, remaining }: WorkerEnd): void {
    const { log, metrics, now } = this.#parts;
    metrics.countEnded(part, reason);
    const fields = { part, reason, remaining, err: error };
    const message = `a worker for ${PARTS[part].title} ended`;
    if (reason === 'crashed' || reason === 'memory') log.error(fields, message);
    // Clients cancel; that a query did not stop in time by itself is nothing to look after.
    else if (reason === 'cancelled') log.debug(fields, message);
    else log.warn(fields, message);
    if (remaining === undefined) return;
    const since = this.#missing.get(part)?.since ?? now();
    this.#missing.set(part, { since, reason: reasonOf(error), remaining });
    metrics.setDown(part, remaining === 0);
  }

  #restore(part: Part): void {
    if (!this.#missing.delete(part)) return;
    this.#parts.metrics.setDown(part, false);
    this.#parts.log.info({ part }, `a worker for ${PARTS[part].title} was started again`);
  }
}
