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
  const one = reporter();
  for (let done = 1; done <= 50; done += 1) {
    one.reporter.show({ stage: 'extract', done, total: 50 });
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(1_000);

  expect(one.written.map(({ done }) => done)).toEqual([10, 20, 30, 40, 50]);
});

test('a run that is over is told so', async () => {
  const one = reporter(false);
  one.reporter.show({ stage: 'extract', done: 1, total: 2 });
  await vi.advanceTimersByTimeAsync(1_000);

  expect(one.over).toEqual(['over']);
});

test('percent never goes back, and nothing is written after the end', async () => {
  const one = reporter();
  one.reporter.show({ stage: 'resolve', done: 1, total: 2 });
  await vi.advanceTimersByTimeAsync(1_000);
  one.reporter.show({ stage: 'extract', done: 1, total: 2 });
  await vi.advanceTimersByTimeAsync(1_000);
  one.reporter.show({ stage: 'write', done: 1, total: 1 });
  await one.reporter.end();
  await vi.advanceTimersByTimeAsync(1_000);

  expect(one.written.map(({ percent }) => percent)).toEqual([70, 70]);
});
