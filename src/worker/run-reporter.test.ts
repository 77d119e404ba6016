import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunProgress } from '../repositories/runs/runs.ts';
import { RunReporter } from './run-reporter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reporter(isLive = true): { written: RunProgress[]; over: string[]; reporter: RunReporter } {
  const written: RunProgress[] = [];
  const over: string[] = [];
  const made = new RunReporter({
    report: async (progress) => {
      written.push(progress);
      return isLive;
    },
    onOver: () => over.push('over'),
    onStage: () => undefined,
  });
  return { written, over, reporter: made };
}

test('the state of a run is written once a second, the newest one', async () => {
  const run = reporter();
  for (let done = 1; done <= 50; done += 1) {
    run.reporter.show({ stage: 'extract', done, total: 50 });
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(1_000);

  expect(run.written.map(({ done }) => done)).toEqual([10, 20, 30, 40, 50]);
});

test('a run that is over is told so', async () => {
  const run = reporter(false);
  run.reporter.show({ stage: 'extract', done: 1, total: 2 });
  await vi.advanceTimersByTimeAsync(1_000);

  expect(run.over).toEqual(['over']);
});

test('percent never goes back, and nothing is written after the end', async () => {
  const run = reporter();
  run.reporter.show({ stage: 'resolve', done: 1, total: 2 });
  await vi.advanceTimersByTimeAsync(1_000);
  run.reporter.show({ stage: 'extract', done: 1, total: 2 });
  await vi.advanceTimersByTimeAsync(1_000);
  run.reporter.show({ stage: 'write', done: 1, total: 1 });
  await run.reporter.end();
  await vi.advanceTimersByTimeAsync(1_000);

  expect(run.written.map(({ percent }) => percent)).toEqual([70, 70]);
});

test('a fetch is as far as what was received: what the other side prepared before does not count', async () => {
  const run = reporter();
  for (const [stage, done] of [
    ['Counting objects', 40],
    ['Receiving objects', 12],
    ['Receiving objects', 28],
    ['Resolving deltas', 1],
  ] as const) {
    run.reporter.showFetch({ stage, done, total: 40 });
    await vi.advanceTimersByTimeAsync(1_000);
  }

  expect(run.written.map(({ percent, done }) => [percent, done])).toEqual([
    [0, 0],
    [3, 12],
    [7, 28],
    [7, 0],
  ]);
});
