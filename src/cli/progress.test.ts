import { expect, test } from 'vitest';
import { describeProgress, ProgressLine } from './progress.ts';

test.each([
  [{ stage: 'list', done: 0, total: 0 }, 0, 'list'],
  [{ stage: 'fetch', done: 1_200, total: 0 }, 0, 'fetch 1,200 objects'],
  [{ stage: 'extract', done: 0, total: 3_106 }, 0, 'extract 0 of 3,106 files'],
  [{ stage: 'extract', done: 1_204, total: 3_106 }, 5_012.4, 'extract 1,204 of 3,106 files, 5,012/s, 1 s left'],
  [{ stage: 'history', done: 10, total: 1_000 }, 3, 'history 10 of 1,000 commits, 3/s, 330 s left'],
  [{ stage: 'write', done: 5, total: 5 }, 7, 'write 5 of 5 files, 7/s'],
])('%j at %d/s reads as one line', (progress, rate, text) => {
  expect(describeProgress(progress, rate)).toBe(text);
});

test('on a terminal the line overwrites itself and goes away; the rate is of this stage', () => {
  let written = '';
  const line = new ProgressLine({ err: (text) => (written += text), isTerminal: true }, 'shop');

  line.show({ stage: 'extract', done: 0, total: 400 }, 1_000);
  line.show({ stage: 'extract', done: 100, total: 400 }, 2_000);
  line.show({ stage: 'resolve', done: 100, total: 400 }, 3_000);
  line.end();

  expect(written.split('\r\u001B[2K')).toEqual([
    '',
    'shop  extract 0 of 400 files',
    'shop  extract 100 of 400 files, 100/s, 3 s left',
    'shop  resolve 100 of 400 files',
    '',
  ]);
});

test('in a log each stage is one line, and one more for each 10 s that it lasts', () => {
  let written = '';
  const line = new ProgressLine({ err: (text) => (written += text), isTerminal: false }, 'shop');

  for (const done of [1, 2, 3]) line.show({ stage: 'extract', done, total: 3 }, done * 1_000);
  line.show({ stage: 'write', done: 1, total: 30 }, 4_000);
  line.show({ stage: 'write', done: 10, total: 30 }, 13_000);
  line.show({ stage: 'write', done: 11, total: 30 }, 14_000);
  line.end();

  expect(written).toBe('shop  extract\nshop  write\nshop  write 11 of 30 files, 1/s, 19 s left\n');
});
