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
  ['comments after a comma', `{ "a": 1, ${'// one // two /* three */\n'.repeat(400_000)} oops`],
  ['comments without an end', '/*'.repeat(400_000)],
  ['strings without an end', String.raw`"\"`.repeat(400_000)],
  ['commas', ', '.repeat(400_000)],
])('what is no JSON is recognized in time that grows with the text: %s', (_, text) => {
  // Quadratic time would outlast the limit of a test.
  expect(parseLooseJson(text)).toBeUndefined();
});
