import { setTimeout } from 'node:timers/promises';
import type { ServiceChild } from './service-child.ts';

/** Calls that came at a fixed rate: the milliseconds of each kind, counted from when a call was due. */
interface Paced {
  times: Map<string, number[]>;
  seconds: number;
}

/**
 * Makes calls at a fixed rate until the work is done, and waits for their answers. `call` starts the one with this number
 * and gives its kind when it is answered.
 */
export async function callAtRate(
  call: (number: number) => Promise<string>,
  { perSecond, work }: { perSecond: number; work: Promise<unknown> },
): Promise<Paced> {
  const isOver = new AbortController();
  const over = work.finally(() => isOver.abort());
  const times = new Map<string, number[]>();
  const startAt = performance.now();
  const running: Promise<void>[] = [];
  const answered = async (number: number): Promise<void> => {
    const kind = await call(number);
    const ms = performance.now() - startAt - (number / perSecond) * 1_000;
    times.set(kind, [...(times.get(kind) ?? []), ms]);
  };
  for (let sent = 0; !isOver.signal.aborted; await setTimeout(2)) {
    const due = Math.floor(((performance.now() - startAt) / 1_000) * perSecond) + 1;
    for (; sent < due; sent += 1) running.push(answered(sent));
  }
  await Promise.all([over, ...running]);
  return { times, seconds: (performance.now() - startAt) / 1_000 };
}

/** Longest time that the thread which serves could not be reached, in ms, since it was asked for the last time. */
export async function longestStallMs({ metricsUrl }: ServiceChild): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error('The service does not tell its longest stall.');
  return Number(seconds) * 1_000;
}
