import type { TransferProgress } from '../platform/git/git-transfer.ts';
import type { RunProgress } from '../repositories/runs/runs.ts';

/** Interval at which the state of a run is written to the database, where each write goes to the disk. */
const REPORT_MS = 1_000;
/** The part of a fetch that takes long, in git's words. */
const RECEIVING = 'Receiving objects';

/** Start and end of each stage, in percent of the run. */
const STAGES: Record<string, readonly [from: number, to: number]> = {
  fetch: [0, 10],
  list: [10, 12],
  extract: [12, 60],
  resolve: [60, 80],
  write: [80, 97],
  history: [97, 99],
};

interface ReporterParts {
  /** Writes the state; false when the run is over. */
  report: (progress: RunProgress) => Promise<boolean>;
  onOver: () => void;
  /** Receives the duration of each stage, in seconds. */
  onStage: (stage: string, seconds: number) => void;
}

/** Passes the progress of a run on, at most once a second and one report at a time: the newest state wins. */
export class RunReporter {
  readonly #parts: ReporterParts;
  #latest: RunProgress | undefined;
  #percent = 0;
  #stage: { name: string; sinceMs: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #isCodeDone = false;

  constructor(parts: ReporterParts) {
    this.#parts = parts;
  }

  /** A state of the work that decides how long the run takes. Percent never goes back. */
  show({ stage, done, total }: { stage: string; done: number; total: number }): void {
    this.#enter(stage);
    if (stage === 'write' && total > 0 && done >= total) this.#isCodeDone = true;
    const [from, to] = STAGES[stage] ?? [this.#percent, this.#percent];
    const share = total === 0 ? 0 : Math.min(1, done / total);
    this.#percent = Math.max(this.#percent, Math.floor(from + (to - from) * share));
    this.#latest = { stage, done, total, percent: this.#percent };
    this.#timer ??= setTimeout(() => this.#write(), REPORT_MS);
  }

  /** A state of a fetch. Only received objects are counted: the preparation of the other side takes a moment. */
  showFetch({ stage, done, total }: TransferProgress): void {
    this.show({ stage: 'fetch', ...(stage === RECEIVING ? { done, total } : { done: 0, total: 0 }) });
  }

  /** A state of the work beside it: shown when that is all there is to wait for. */
  showSecond({ done, total }: { done: number; total: number }): void {
    if (this.#isCodeDone) this.show({ stage: 'history', done, total });
  }

  /** Ends the last stage and waits for a report that is under way. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#latest = undefined;
    this.#enter(undefined);
    await this.#lastWrite;
  }

  #enter(stage: string | undefined): void {
    if (stage === this.#stage?.name) return;
    const nowMs = performance.now();
    if (this.#stage !== undefined) this.#parts.onStage(this.#stage.name, (nowMs - this.#stage.sinceMs) / 1000);
    this.#stage = stage === undefined ? undefined : { name: stage, sinceMs: nowMs };
  }

  #write(): void {
    const progress = this.#latest;
    this.#timer = undefined;
    if (progress === undefined) return;
    this.#latest = undefined;
    this.#lastWrite = this.#lastWrite
      .then(() => this.#parts.report(progress))
      .then((isLive) => (isLive ? undefined : this.#parts.onOver()))
      // A state that could not be written is followed by another one; a lost database ends the run elsewhere.
      .catch(() => undefined);
  }
}
