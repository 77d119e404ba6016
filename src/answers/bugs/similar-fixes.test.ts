import { expect, test } from 'vitest';
import { similarFixes } from './similar-fixes.ts';

const fix = (score: number) => ({
  sha: `${score}abcdef0123`,
  subject: '',
  time: 1_767_225_600,
  author: '',
  score,
  paths: [],
});

test('a fix is shown with its likeness to the best one, from a good third of it on, five at most', () => {
  expect(similarFixes([fix(20), fix(10), fix(7), fix(6.8)]).map(({ likeness }) => likeness)).toEqual([1, 0.5, 0.35]);
  expect(similarFixes([fix(20)])[0]).toMatchObject({ id: 'c:20abcde', date: '2026-01-01' });
  expect(similarFixes([])).toEqual([]);
  expect(similarFixes([1, 1, 1, 1, 1, 1, 1].map(fix))).toHaveLength(5);
});
