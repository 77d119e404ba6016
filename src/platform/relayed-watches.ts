import type { Supervisor, Watch, WorkerEnd } from './supervision.ts';

/** Parts that a process started by the service starts itself. It reports what becomes of them to the service. */
type RelayedPart = 'extractor' | 'compiler';

/** One of the part ended or, without an end, another one can work. */
export interface PartReport {
  part: RelayedPart;
  end?: WorkerEnd & { message: string };
}

/** Sends to the parent of this process; undefined in a process that has none. */
let reportTo: ((report: PartReport) => void) | undefined;

/** Makes the watches of this process report to its parent. */
export function relayReports(send: (report: PartReport) => void): void {
  reportTo = send;
}

/** Returns what a part reports to in a process that has a parent; undefined in another one, such as that of a test. */
export function relayedWatch(part: RelayedPart): Watch | undefined {
  const send = reportTo;
  if (send === undefined) return undefined;
  return {
    ended: (error, end) =>
      send({ part, end: { ...end, message: error instanceof Error ? error.message : String(error) } }),
    ready: () => send({ part }),
  };
}

/** Gives the reports of one process to the watches of the service. */
export class ReportReceiver {
  readonly #supervisor: Pick<Supervisor, 'watch'> | undefined;
  readonly #missing = new Map<RelayedPart, Watch>();

  constructor(supervisor: Pick<Supervisor, 'watch'> | undefined) {
    this.#supervisor = supervisor;
  }

  receive({ part, end }: PartReport): void {
    const watch = this.#supervisor?.watch(part);
    if (watch === undefined) return;
    if (end === undefined) {
      this.#missing.delete(part);
      watch.ready();
      return;
    }
    this.#missing.set(part, watch);
    watch.ended(new Error(end.message), end);
  }

  /** Ends the reports with the task of the process: its missing parts are needed no more. */
  close(): void {
    for (const watch of this.#missing.values()) watch.ready();
    this.#missing.clear();
  }
}
