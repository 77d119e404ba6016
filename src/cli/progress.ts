import { visible } from '../kernel/visible.ts';
import { CLEAR_LINE, type CommandContext } from './command.ts';

/** Progress of the index of a repository, as the service reports it. */
export interface IndexProgress {
  stage: string;
  done: number;
  total: number;
}

const SMOOTHING = 0.3;

/** Interval of repeating a stage where no line can be overwritten. */
const AGAIN_MS = 10_000;

/** Units of the stages that do not count files. */
const UNITS: Record<string, string> = { fetch: 'objects', history: 'commits' };

/** One line with the progress of an index: `extract 1,204 of 3,106 files, 5,012/s, 1 s left`. */
export class ProgressLine {
  readonly #scope: Pick<CommandContext, 'err' | 'isTerminal'>;
  readonly #label: string;
  #stage = '';
  #done = 0;
  #atMs = 0;
  #rate = 0;
  #isOpen = false;
  #printedAtMs = 0;

  constructor(context: Pick<CommandContext, 'err' | 'isTerminal'>, label: string) {
    this.#scope = context;
    this.#label = label;
  }

  /** Shows a new state. Without a terminal a line is written for each stage and each 10 s, so that a log stays short. */
  show(progress: IndexProgress, nowMs: number): void {
    const isNewStage = progress.stage !== this.#stage;
    this.#measure(progress, nowMs, isNewStage);
    const text = visible(`${this.#label}  ${describeProgress(progress, this.#rate)}`);
    if (this.#scope.isTerminal) {
      this.#scope.err(`${CLEAR_LINE}${text}`);
      this.#isOpen = true;
    } else if (isNewStage || nowMs - this.#printedAtMs >= AGAIN_MS) {
      this.#scope.err(isNewStage ? `${visible(this.#label)}  ${progress.stage}\n` : `${text}\n`);
      this.#printedAtMs = nowMs;
    }
  }

  /** Clears the line, so that other text can follow. */
  end(): void {
    if (this.#isOpen) this.#scope.err(CLEAR_LINE);
    this.#isOpen = false;
  }

  #measure({ stage, done }: IndexProgress, nowMs: number, isNewStage: boolean): void {
    const seconds = (nowMs - this.#atMs) / 1000;
    if (isNewStage) this.#rate = 0;
    else if (seconds > 0 && done > this.#done) {
      const rate = (done - this.#done) / seconds;
      this.#rate = this.#rate === 0 ? rate : this.#rate + SMOOTHING * (rate - this.#rate);
    }
    this.#stage = stage;
    this.#done = done;
    this.#atMs = nowMs;
  }
}

/** Text of a progress line. `rate` is in units a second, 0 while it is not known. */
export function describeProgress({ stage, done, total }: IndexProgress, rate: number): string {
  const unit = UNITS[stage] ?? 'files';
  if (total === 0) return done === 0 ? stage : `${stage} ${formatNumber(done)} ${unit}`;
  const parts = [`${stage} ${formatNumber(done)} of ${formatNumber(total)} ${unit}`];
  if (rate > 0) parts.push(`${formatNumber(Math.round(rate))}/s`);
  if (rate > 0 && done < total) parts.push(`${formatNumber(Math.ceil((total - done) / rate))} s left`);
  return parts.join(', ');
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}
