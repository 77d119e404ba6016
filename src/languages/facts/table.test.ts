import { expect, test } from 'vitest';
import { intAt, tableOf } from './table.ts';

const Places = tableOf({ line: 0, column: 1, file: 2 });
const Names = tableOf({ name: 0, line: 1 });

test('each column is read by its name, by row, and by its offset', () => {
  const places = new Places(Int32Array.of(1, 2, 3, 4, 5, 6));
  const names = new Names(Int32Array.of(7, 8, 9, 10));

  expect(places.count).toBe(2);
  expect([places.line(0), places.column(0), places.file(0)]).toEqual([1, 2, 3]);
  expect([places.line(1), places.column(1), places.file(1)]).toEqual([4, 5, 6]);
  expect([names.name(1), names.line(1)]).toEqual([9, 10]);
  expect(places.at(1, Places.columns.file)).toBe(6);
});

test('the numbers are not copied', () => {
  const words = Int32Array.of(1, 2, 3);
  const places = new Places(words);
  words[1] = 9;

  expect(places.words).toBe(words);
  expect(places.column(0)).toBe(9);
});

test('a row that is not there is a fault, also one that the array ends within', () => {
  const places = new Places(Int32Array.of(1, 2, 3, 4));

  expect(places.count).toBe(1);
  expect(() => places.line(-1)).toThrow(new Error('row -1 of a table of 1'));
  expect(() => places.column(1)).toThrow('row 1 of a table of 1');
  expect(() => places.at(2, 0)).toThrow('row 2 of a table of 1');
});

test('a number that is not there is a fault', () => {
  expect(intAt(Int32Array.of(5, 6), 1)).toBe(6);
  expect(() => intAt(Int32Array.of(5, 6), 2)).toThrow(new Error('number 2 of 2'));
  expect(() => intAt(Int32Array.of(5), -1)).toThrow('number -1 of 1');
});
