import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openObjects } from '../../platform/git/git-objects.ts';
import { type TestRepository, testRepository } from '../../testing/git.ts';
import { currentLines } from './blame.ts';

const linesOf = (...words: string[]): string => words.map((word) => `${word}\n`).join('');

let repository: TestRepository;
let from: string;
let to: string;

beforeAll(() => {
  repository = testRepository();
  from = repository.commit({ files: { 'a.txt': linesOf('one', 'two', 'three', 'four', 'five', 'six') } });
  to = repository.commit({
    files: { 'a.txt': linesOf('new', 'one', 'two', 'THREE', 'more', 'six', 'end'), 'b.txt': linesOf('b') },
  });
});
afterAll(() => repository.remove());

async function moved(path: string, lines: readonly number[]): Promise<(number | undefined)[]> {
  await using objects = await openObjects(join(repository.path, '.git'));
  return await currentLines(objects, { from, to, path, lines });
}

test('lines move with what was added above, and replaced lines are where their replacement is', async () => {
  expect(await moved('a.txt', [1, 2, 3, 4, 5, 6])).toEqual([2, 3, 4, 5, 5, 6]);
});

test('nothing is known of a file that was not there', async () => {
  expect(await moved('b.txt', [1])).toEqual([undefined]);
});

test('nothing is known where git does not know the commit', async () => {
  await using objects = await openObjects(join(repository.path, '.git'));

  expect(await currentLines(objects, { from: 'f'.repeat(40), to, path: 'a.txt', lines: [1] })).toEqual([undefined]);
});
