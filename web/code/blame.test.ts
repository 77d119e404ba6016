import { expect, test } from 'vitest';
import { authorsByLine } from './blame.ts';

test('every line has its author, and its age among the lines of the file', () => {
  const lines = authorsByLine([
    { start: 1, end: 2, sha: 'a', author: 'Ada', date: '2020-01-01T00:00:00.000Z' },
    { start: 3, end: 3, sha: 'b', author: 'Bo', date: '2022-07-01T00:00:00.000Z' },
    { start: 4, end: 4, sha: 'c', author: 'Cy', date: '2025-01-01T00:00:00.000Z' },
  ]);

  expect([...lines].map(([line, { author, age, isFirst }]) => [line, author, age, isFirst])).toEqual([
    [1, 'Ada', 4, true],
    [2, 'Ada', 4, false],
    [3, 'Bo', 2, true],
    [4, 'Cy', 0, true],
  ]);
});

test('a file that one commit wrote is new', () => {
  const [only] = authorsByLine([{ start: 1, end: 1, sha: 'a', author: 'Ada', date: '2020-01-01' }]).values();

  expect(only?.age).toBe(0);
});
