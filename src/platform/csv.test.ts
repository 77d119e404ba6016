import { expect, test } from 'vitest';
import { readTable } from './csv.ts';

test('a first line may name what stands between values', () => {
  const rows = [
    ['a', 'b,c'],
    ['1', '2'],
  ];

  expect(readTable('sep=;\na;b,c\n1;2\n')).toEqual(rows);
  expect(readTable('"sep=|"\r\na|b,c\r\n1|2')).toEqual(rows);
  expect(readTable('\uFEFFsep=\t\na\tb,c\n1\t2')).toEqual(rows);
});

test('what is wrong with a table is said in plain words, with the line', () => {
  expect(() => readTable('a,b\n"1,2\n3,4')).toThrow(
    'The table cannot be read: a quotation mark is not closed, at or before line',
  );
  expect(() => readTable(`a\n${'1,'.repeat(1_001)}`)).toThrow('it has more than 1000 columns');
});
