import { expect, test } from 'vitest';
import { WordTable } from './word-table.ts';

test('a word has one number wherever it stands, and no two words share one', () => {
  const table = new WordTable();
  const words = Array.from({ length: 50_000 }, (_, index) => `w${(index * 7919).toString(36)}${'é'.repeat(index % 3)}`);

  const first = words.map((word) => table.number(word, 0, word.length));
  const again = words.map((word) => table.number(`  ${word}.`, 2, 2 + word.length));

  expect(first).toEqual(words.map((_, index) => index));
  expect(again).toEqual(first);
  expect(table.size).toBe(words.length);
});

test('a word that begins another is a word of its own', () => {
  const table = new WordTable();

  expect(['ab', 'abc', 'a', 'ab', ''].map((word) => table.number(word, 0, word.length))).toEqual([0, 1, 2, 0, 3]);
});
