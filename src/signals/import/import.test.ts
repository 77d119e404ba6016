import { expect, test } from 'vitest';
import { workbookOf } from '../../testing/workbook.ts';
import { zipOf } from '../../testing/zip.ts';
import { importRecords } from './import-file.ts';
import { readRecords } from './records.ts';
import { dateColumnOf, dateOf } from './read-dates.ts';
import { numberOf } from './read-number.ts';

const NOW = new Date('2026-11-22T00:00:00Z');

test.each([
  ['UTF-8', false, Buffer.from('Größe\nschön')],
  ['UTF-16LE', true, Buffer.from('Größe\nschön', 'utf16le')],
  ['Windows-1252', true, Buffer.from('Größe\nschön', 'latin1')],
])('a table in %s is read as it was written, and a guess is reported', async (encoding, isGuess, bytes) => {
  const read = await readRecords('a.csv', bytes);

  expect(read).toMatchObject({ encoding, records: [{ Größe: 'schön' }] });
  expect(read.isEncodingDoubtful === true).toBe(isGuess);
});

test('an encoding that is named is taken, and one that nobody knows is refused', async () => {
  const bytes = Buffer.from([0xcf, 0xf0, 0xe8, 0x0a, 0xec, 0xe8, 0xf0]);

  expect(await readRecords('a.csv', bytes, { encoding: 'cp1251' })).toMatchObject({ records: [{ При: 'мир' }] });
  await expect(readRecords('a.csv', bytes, { encoding: 'klingon' })).rejects.toThrow('"klingon" is not the name');
  await expect(readRecords('a.csv', Buffer.from([1, 0, 2, 0, 0, 0]))).rejects.toThrow('not a text file');
});

test.each([
  [['2026-08-01', '2026-08-31 10:00'], 'year first', false],
  [['01.08.2026', '02.08.2026'], 'day first', false],
  [['13/08/2026', '01/08/2026'], 'day first', false],
  [['08/13/2026', '08/01/2026'], 'month first', false],
  // In order, and none in the future, only when the month comes first, or the day.
  [['03/01/2026', '03/02/2026', '04/01/2026', '04/02/2026'], 'month first', true],
  [['01/03/2026', '02/03/2026', '01/04/2026', '02/04/2026'], 'day first', true],
  [['12/01/2026'], 'day first', true],
  [['01/02/2026'], 'month first', true],
  [['46235', '46236.5'], 'serial numbers', false],
  [['1767312000', '1767312001'], 'Unix time', false],
  [['1. August 2026', '2. Mai 2026'], 'named months', false],
])('the dates %j stand with the %s', (values, order, isGuess) => {
  expect(dateColumnOf(values, NOW)).toEqual({ order, isGuess });
});

test('a column without a date has no order', () => {
  expect(dateColumnOf(['soon', ''], NOW)).toBeUndefined();
});

test.each([
  ['01.08.2026', 'day first', '2026-08-01T00:00:00.000Z'],
  ['1.8.26 14:05', 'day first', '2026-08-01T14:05:00.000Z'],
  ['08/01/2026 2:05 PM', 'month first', '2026-08-01T14:05:00.000Z'],
  ['08/01/2026 12:05 AM', 'month first', '2026-08-01T00:05:00.000Z'],
  ['2026/8/1', 'year first', '2026-08-01T00:00:00.000Z'],
  ['2026-08-01T10:00:00.123+02:00', 'year first', '2026-08-01T08:00:00.000Z'],
  ['2026-08-01 10:00:00 -0130', 'year first', '2026-08-01T11:30:00.000Z'],
  ['2026-08-01 10:00:00 UTC', 'year first', '2026-08-01T10:00:00.000Z'],
  ['1. August 2026, 10:00 Uhr', 'named months', '2026-08-01T10:00:00.000Z'],
  ['Sat, 1 Aug 2026 10:00:00 +0000', 'named months', '2026-08-01T10:00:00.000Z'],
  ['Sat Aug  1 10:00:00 2026', 'named months', '2026-08-01T10:00:00.000Z'],
  ['Sat Aug 01 10:00:00 +0200 2026', 'named months', '2026-08-01T08:00:00.000Z'],
  ['Sat Aug 01 2026 10:00:00 GMT+0200 (Central European Summer Time)', 'named months', '2026-08-01T08:00:00.000Z'],
  ['August 1st, 2026', 'named months', '2026-08-01T00:00:00.000Z'],
  ['2 mai 2026', 'named months', '2026-05-02T00:00:00.000Z'],
  ['46235', 'serial numbers', '2026-08-01T00:00:00.000Z'],
  ['46235.25', 'serial numbers', '2026-08-01T06:00:00.000Z'],
  ['1785542400', 'Unix time', '2026-08-01T00:00:00.000Z'],
  ['1785542400000', 'Unix time', '2026-08-01T00:00:00.000Z'],
] as const)('"%s" with the %s is %s', (text, order, moment) => {
  expect(dateOf(text, order)?.toISOString()).toBe(moment);
});

test.each(['31.02.2026', '13/13/2026', '2026-00-10', 'soon', '12', '1. Foo 2026', '01.01.1800', 'Ma 1, 2026'])(
  '"%s" is no date',
  (text) => {
    expect(dateOf(text, 'day first')).toBeUndefined();
  },
);

test.each([
  ['1200', 1200],
  ['1,200.50', 1200.5],
  ['1.200,50 €', 1200.5],
  ['1.200', 1200],
  ['12,5', 12.5],
  ['0.75', 0.75],
  ['$3k', 3000],
  ['EUR 2 Mio', 2_000_000],
  ["1'200", 1200],
  ['1 200 kr', 1200],
  ['-40', -40],
  ['(40)', -40],
  ['1,200,000', 1_200_000],
  ['much', undefined],
  ['', undefined],
  ['Q3 2026', undefined],
])('"%s" is the number %s', (text, value) => {
  expect(numberOf(text)).toBe(value);
});

test('a workbook is read with its dates and numbers, without what stands above its table, whatever its file is called', async () => {
  const rows = [['Feedback of August'], [], ['Text', 'Date', 'ARR'], ['slow', { day: 46_235 }, 1200.5]];

  const { format, records } = await readRecords('export', workbookOf({ Notes: [['Made by hand']], Feedback: rows }));

  expect(format).toBe('XLSX');
  expect(records).toEqual([{ Text: 'slow', Date: new Date('2026-08-01T00:00:00Z'), ARR: 1200.5 }]);
  await expect(readRecords('a.xlsx', zipOf({ 'a.txt': 'x' }))).rejects.toMatchObject({ code: 'bad_argument' });
});

test('a workbook with a cell far away from its table is refused before it is unfolded', async () => {
  const far = Array.from({ length: 1_000 }, (_, row) => (row < 999 ? ['slow'] : [...Array<undefined>(15_999), 'x']));

  await expect(readRecords('far.xlsx', workbookOf({ Feedback: far }))).rejects.toMatchObject({
    code: 'too_large',
    message: 'far.xlsx has a sheet that reaches to row 1000 and column 16000.',
  });
});

test.each([
  ['a table in Windows-1252', 'a.csv', Buffer.from('Größe;Text\n1;schön', 'latin1'), [{ Größe: '1', Text: 'schön' }]],
  ['columns of one name', 'a.tsv', Buffer.from('x\tx\t\n1\t2\t3'), [{ x: '1', 'x 2': '2', 'column 3': '3' }]],
  ['a list inside an object', 'a.json', Buffer.from('{"tickets": [{"id": 1}], "count": 1}'), [{ id: 1 }]],
  ['lines of JSON without a name that says so', 'a.txt', Buffer.from('{"a":1}\n{"a":2}\n'), [{ a: 1 }, { a: 2 }]],
])('%s is read', async (_, name, bytes, records) => {
  expect((await readRecords(name, bytes)).records).toEqual(records);
});

test('cells behind the last column are named, and are no loss where a column takes them', async () => {
  const file = Buffer.from('customer,text\nShop,It is slow, and loud\nBakery,Fine\n');

  const { records } = await readRecords('a.csv', file);

  const { signals, notes } = importRecords(records, {});
  expect(signals.map(({ text }) => text)).toEqual(['It is slow', 'Fine']);
  expect(notes).toEqual([
    { line: 1, reason: '"and loud" is behind the last column: saved without it. Is a text with a comma quoted?' },
  ]);
  expect(importRecords(records, { title: '(behind the last column)' })).toMatchObject({ notes: [] });
});
