import { expect, test } from 'vitest';
import { segmentsOf, wordLength } from './segments.ts';

test('a line is cut at colours and names, and nothing of it is lost', () => {
  const line = 'return sendMail("ä", to);';
  const tokens = [
    { offset: 0, length: 6, color: 'keyword' },
    { offset: 7, length: 4, color: 'a' },
    { offset: 11, length: 4, color: 'b' },
    { offset: 16, length: 3, color: 'string' },
  ];
  const names = [
    { column: 7, length: 8, symbol: 0 },
    { column: 21, length: 2, symbol: 1 },
  ];

  const segments = segmentsOf(line, tokens, names);

  expect(segments).toEqual([
    {
      symbol: undefined,
      stretches: [
        { text: 'return', color: 'keyword' },
        { text: ' ', color: '' },
      ],
    },
    {
      symbol: 0,
      stretches: [
        { text: 'send', color: 'a' },
        { text: 'Mail', color: 'b' },
      ],
    },
    {
      symbol: undefined,
      stretches: [
        { text: '(', color: '' },
        { text: '"ä"', color: 'string' },
        { text: ', ', color: '' },
      ],
    },
    { symbol: 1, stretches: [{ text: 'to', color: '' }] },
    { symbol: undefined, stretches: [{ text: ');', color: '' }] },
  ]);
});

test('names that overlap, are empty or lie behind the end of the line are left out', () => {
  const names = [
    { column: 0, length: 2, symbol: 0 },
    { column: 1, length: 2, symbol: 1 },
    { column: 2, length: 0, symbol: 2 },
    { column: 3, length: 9, symbol: 3 },
  ];

  expect(segmentsOf('abcd', [], names).map(({ symbol }) => symbol)).toEqual([0, undefined]);
  expect(segmentsOf('', [], names)).toEqual([]);
});

test('the word at a column ends where a name cannot go on', () => {
  expect(wordLength('a.größe_1$ = 2', 2)).toBe(8);
  expect(wordLength('a.b', 1)).toBe(0);
});
