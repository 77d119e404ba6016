import { expect, test } from 'vitest';
import { describeUsage, headOf, readAnswer, readLine, readQuote } from './answer-text.ts';
import type { Source } from './queries.ts';

test('an answer is paragraphs and lists of text, code and numbers of sources', () => {
  expect(readAnswer('`send` sends mail [1][2].\n\nAlso:\n- `list[3]` here\n- <b>there</b>')).toEqual([
    {
      as: 'paragraph',
      stretches: [
        { as: 'code', text: 'send' },
        { as: 'text', text: ' sends mail ' },
        { as: 'source', number: 1 },
        { as: 'source', number: 2 },
        { as: 'text', text: '.' },
      ],
    },
    { as: 'paragraph', stretches: [{ as: 'text', text: 'Also:' }] },
    {
      as: 'list',
      items: [
        [
          { as: 'code', text: 'list[3]' },
          { as: 'text', text: ' here' },
        ],
        [{ as: 'text', text: '<b>there</b>' }],
      ],
    },
  ]);
});

test('code that has backticks itself is shown with them, without its fence', () => {
  const [block] = readAnswer('In full: ``post(`to ${id}`);``, and `` `x` ``.');

  expect(block?.as === 'paragraph' && block.stretches).toEqual([
    { as: 'text', text: 'In full: ' },
    { as: 'code', text: 'post(`to ${id}`);' },
    { as: 'text', text: ', and ' },
    { as: 'code', text: '`x`' },
    { as: 'text', text: '.' },
  ]);
});

test('what a model took is told with its cost where the operator gave a price', () => {
  const tokens = { input_tokens: 1200, output_tokens: 80 };
  expect(describeUsage(tokens)).toBe('1,200 tokens read, 80 written');
  expect(describeUsage({ ...tokens, cost: 0.004812 })).toBe('1,200 tokens read, 80 written, cost 0.00481');
  expect(describeUsage({ ...tokens, cost: 1234.5 })).toBe('1,200 tokens read, 80 written, cost 1,234.50');
});

test('a source is called by its symbol or place, and what has neither by what it says', () => {
  const id = 'sig:01a21017-86b6-7829-adda-a3f953bdd361';
  const signal: Source = { n: 1, id, kind: 'signal', why: [], text: 'It hangs' };
  const where = { repo: 'shop', path: 'a.ts', lines: '3-4' };
  const code: Source = { n: 1, id: 'a.ts:3', kind: 'code', ...where, why: [], text: 'go()' };

  expect(headOf(signal)).toEqual({ name: 'It hangs', place: '' });
  expect(headOf({ ...signal, text: '' }).name).toBe(id);
  expect(headOf(code)).toEqual({ name: 'shop/a.ts:3-4', place: '' });
  expect(headOf({ ...code, symbol: 'go' })).toEqual({ name: 'go', place: 'shop/a.ts:3-4' });
  expect(headOf({ ...signal, id: 'dec:1', kind: 'decision' }).name).toBe('dec:1');
});

test('markup of any other kind is text: no image, no link to elsewhere', () => {
  const text = '![x](https://evil.example/) [y](https://evil.example/) <img src="https://evil.example/">';

  expect(readAnswer(text)).toEqual([{ as: 'paragraph', stretches: [{ as: 'text', text }] }]);
});

test('quoted code is lines with their numbers, which say where some are left out', () => {
  expect(readQuote('3 send() {\n4  retry();\n9 }\n10')).toEqual([
    { number: 3, text: 'send() {', isAfterGap: false },
    { number: 4, text: ' retry();', isAfterGap: false },
    { number: 9, text: '}', isAfterGap: true },
    { number: 10, text: '', isAfterGap: false },
  ]);
  expect(readQuote('feat: send mail')).toBeUndefined();
});

test('a line that is quoted keeps the mark that it begins with', () => {
  expect(readLine('- Drop `retry` [2]')).toEqual([
    { as: 'text', text: '- Drop ' },
    { as: 'code', text: 'retry' },
    { as: 'text', text: ' ' },
    { as: 'source', number: 2 },
  ]);
});
