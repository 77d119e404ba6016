import { expect, test } from 'vitest';
import { parseLooseJson } from './json-text.ts';

test.each([
  ['comments of both kinds', '{ // one\n "a": 1, /* two\n */ "b": 2 // three\n}', { a: 1, b: 2 }],
  ['commas before a closing bracket', '{ "a": [1, 2, ], "b": 3, /* c */ // d\n }', { a: [1, 2], b: 3 }],
  [
    'marks inside strings',
    '{ "a": "// no, }", "b": "/* no */", "c": "\\",]", }',
    { a: '// no, }', b: '/* no */', c: '",]' },
  ],
  ['a byte order mark', '\uFEFF{ "a": 1 }', { a: 1 }],
])('JSON may have %s', (_, text, expected) => {
  expect(parseLooseJson(text)).toEqual(expected);
});

test.each([
  ['comments after a comma', `{ "a": 1, ${'// one // two /* three */\n'.repeat(20_000)} oops`],
  ['comments without an end', '/*'.repeat(200_000)],
  ['strings without an end', String.raw`"\"`.repeat(200_000)],
  ['commas', ', '.repeat(200_000)],
])('what is no JSON is told in little time: %s', (_, text) => {
  const startedAt = performance.now();

  expect(parseLooseJson(text)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
