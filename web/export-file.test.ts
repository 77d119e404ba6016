import { expect, test } from 'vitest';
import { csvOf, jsonLinesOf, readAll } from './export-file.ts';

const COLUMNS = [
  ['text', ({ text }: { text: string; value: number | null }) => text],
  ['value', ({ value }: { text: string; value: number | null }) => value],
] as const;

test('a table is quoted where it must be, and nothing in it is run as a formula', () => {
  const rows = [
    { text: 'plain', value: -5 },
    { text: 'a "word", and\na line', value: null },
    { text: '=HYPERLINK("http://evil")', value: 0.5 },
    { text: '- a list', value: 1 },
  ];
  expect(csvOf(COLUMNS, rows)).toBe(
    'text,value\r\nplain,-5\r\n"a ""word"", and\na line",\r\n"\'=HYPERLINK(""http://evil"")",0.5\r\n\'- a list,1\r\n',
  );
  expect(csvOf(COLUMNS, [])).toBe('text,value\r\n');
});

test('each line is one object', () => {
  expect(jsonLinesOf([{ a: 'x\ny' }, { b: 1 }])).toBe('{"a":"x\\ny"}\n{"b":1}\n');
});

test('a list is read until no page follows', async () => {
  const pages = new Map([
    [undefined, { rows: [1], next: 'b' }],
    ['b', { rows: [2], next: null }],
  ]);
  const read = async (cursor: string | undefined) =>
    pages.get(cursor) ?? Promise.reject(new Error(`no page ${cursor}`));
  expect((await readAll(read)).flatMap(({ rows }) => rows)).toEqual([1, 2]);
});
