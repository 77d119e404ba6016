import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const POLL_MS = 40;
/** Number of checks whether processes have ended. */
const END_POLLS = 50;
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** Cost of a piece of work with all processes that it started. Undefined where the system does not report it (no /proc). */
export interface Cost {
  seconds: number;
  cpuSeconds: number | undefined;
  /** Highest sum of the resident memory of the processes below this one; shared pages count for each. */
  peakBytes: number | undefined;
}

/**
 * Runs the work and returns its cost, with processes that end within two seconds after it. Processes that were started before
 * are waited for as long, so that they do not count.
 */
export async function measureCost<T>(work: () => Promise<T>): Promise<{ result: T; cost: Cost }> {
  await ended();
  const stop = new AbortController();
  const peak = watchMemory(stop.signal);
  const cpuBefore = processorSeconds();
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  stop.abort();
  await ended();
  const cpuAfter = processorSeconds();
  const cpuSeconds = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return { result, cost: { seconds, cpuSeconds, peakBytes: await peak } };
}

/** Waits until no process below this one is left: each counts when its parent has noticed its end, which takes a moment where it held much memory. */
async function ended(): Promise<void> {
  for (let polls = END_POLLS; polls > 0 && childrenOf(process.pid).length > 0; polls -= 1) await setTimeout(POLL_MS);
  await setTimeout(POLL_MS);
}

/** Processor time of a process and of the processes that it has waited for. */
export function processorSeconds(pid: number | 'self' = 'self'): number | undefined {
  return timesOf(pid)?.reduce((sum, seconds) => sum + seconds, 0);
}

/** Seconds in the process and in the kernel, then the same of the processes that it has waited for. */
function timesOf(pid: number | 'self'): number[] | undefined {
  const text = readProc(`${pid}/stat`);
  if (text === undefined) return undefined;
  // The second field, the name in brackets, may hold spaces; times are the fields 14 to 17.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map((ticks) => Number(ticks) / TICKS_PER_SECOND);
}

/** Resident memory of a process. */
export function residentBytes(pid: number): number | undefined {
  const pages = readProc(`${pid}/statm`)?.split(' ')[1];
  return pages === undefined ? undefined : Number(pages) * PAGE_BYTES;
}

/** The smallest value that this share of the values does not exceed. 0 when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? 0;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

async function watchMemory(signal: AbortSignal): Promise<number | undefined> {
  if (readProc(`${process.pid}/statm`) === undefined) return undefined;
  let peak = 0;
  while (!signal.aborted) {
    peak = Math.max(peak, memoryBelow(process.pid));
    await setTimeout(POLL_MS);
  }
  return peak;
}

function memoryBelow(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + (residentBytes(child) ?? 0) + memoryBelow(child), 0);
}

function childrenOf(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`)?.trim().split(' ') ?? [];
  return children.filter((child) => child !== '').map(Number);
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}
