import { onTestFinished } from 'vitest';

/** Processor time of the longest turn of the event loop from now on, in milliseconds. */
export function watchTurns(): { longestMs: () => number } {
  let [longest, last] = [0, process.threadCpuUsage()];
  let next: NodeJS.Immediate;
  const turn = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
    next = setImmediate(turn);
  };
  turn();
  onTestFinished(() => clearImmediate(next));
  return { longestMs: () => longest };
}
