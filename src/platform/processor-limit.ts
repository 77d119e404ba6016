import { readFileSync } from 'node:fs';

/** Limit of work of another thread or process: processor time, so that a busy machine ends nothing that is cheap. */
interface ProcessorLimit {
  deadlineMs: number;
  /** Longest wait for work that is given no processor, or waits for a disk. */
  longestMs: number;
  /** Processor time so far; undefined where the system does not report it: then the time that passes counts. */
  processorMs: () => number | undefined;
  /** The same when the work begins, for who knows it already. */
  beforeMs?: number | undefined;
}

/** Calls `end`, with the limit in words, once work that begins now has passed its limit. Gives what stops the clock. */
export function limitProcessorTime(
  { deadlineMs, longestMs, processorMs, beforeMs = processorMs() }: ProcessorLimit,
  end: (limit: string) => void,
): () => void {
  const startMs = performance.now();
  const look = (): void => {
    const now = processorMs();
    const waitedMs = performance.now() - startMs;
    const usedMs = beforeMs === undefined || now === undefined ? waitedMs : now - beforeMs;
    if (usedMs >= deadlineMs) end(`${deadlineMs / 1000} s${now === undefined ? '' : ' of processor time'}`);
    else if (waitedMs >= longestMs) end(`${longestMs / 1000} s`);
    else timer = setTimeout(look, Math.max(1, Math.min(deadlineMs - usedMs, longestMs - waitedMs)));
  };
  let timer = setTimeout(look, deadlineMs);
  return () => clearTimeout(timer);
}

/** Processor time of a thread by its folder below /proc, `123/task/125`; of the main thread of a process by `123`. */
export function processorTimeOf(folder: string): number | undefined {
  try {
    // Linux reports it in ns.
    return Number(readFileSync(`/proc/${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}
