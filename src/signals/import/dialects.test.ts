import { expect, test } from 'vitest';
import { type Cell, workbookOf } from '../../testing/workbook.ts';
import { importRecords } from './import-file.ts';
import { readRecords } from './records.ts';

/** The signals of a file with their text and customer, and the lines that are named. */
async function read(name: string, content: string | Buffer) {
  const { records, files = [], skipped: omitted = [] } = await readRecords(name, Buffer.from(content));
  const { signals, skipped, notes } = importRecords(records, {}, { files });
  const shown = signals.map(({ text, customer, date }) => [
    text,
    customer,
    ...(date === undefined ? [] : [date.slice(0, 10)]),
  ]);
  return { signals: shown, named: [...omitted, ...skipped, ...notes] };
}

const TWO = [
  ['slow, very', 'Acme'],
  ['line one\nline two', 'Beta'],
];

test.each([
  ['semicolons and lines in quotes', 'text;customer\nslow, very;Acme\n"line one\nline two";Beta\n'],
  ['tabs', 'text\tcustomer\nslow, very\tAcme\n"line one\nline two"\tBeta\n'],
  ['vertical bars', 'text|customer\nslow, very|Acme\n"line one\nline two"|Beta\n'],
  [
    'a delimiter that a line names, behind a byte order mark',
    '\ufeffsep=;\r\ntext;customer\r\nslow, very;Acme\r\n"line one\nline two";Beta\r\n',
  ],
  [
    'a byte order mark before a quoted name, and blanks around names',
    '\ufeff"text" , "customer"\n"slow, very","Acme"\n"line one\nline two",Beta\n',
  ],
  ['empty columns and lines', ',text,,customer,\n,"slow, very",,Acme,\n,,,,\n\n,"line one\nline two",,Beta,\n'],
  [
    'titles above the names of the columns',
    'Feedback of 2026,,\n,,\n"Region","North",\ntext,customer,id\n"slow, very",Acme,1\n"line one\nline two",Beta,2\n',
  ],
])('a table with %s is read', async (_, table) => {
  expect(await read('a.csv', table)).toMatchObject({ signals: TWO });
});

test('a table of one column whose texts have commas keeps its first row as the names of columns', async () => {
  const { signals, named } = await read('a.csv', 'text\nslow, and it crashes\n"fine"\n');

  expect(signals).toEqual([
    ['slow', undefined],
    ['fine', undefined],
  ]);
  expect(named).toMatchObject([
    { line: 1, reason: expect.stringContaining('"and it crashes" is behind the last column') },
  ]);
});

test('the texts of columns with one name are one text', async () => {
  expect(await read('a.csv', 'text,text,customer\none,two,Acme\n,three,Beta\nsame,same,Acme\n')).toEqual({
    signals: [
      ['one\n\ntwo', 'Acme'],
      ['three', 'Beta'],
      ['same', 'Acme'],
    ],
    named: [],
  });
});

test('a table without names of columns is refused, and says that they are missing', async () => {
  await expect(read('a.csv', 'The export is slow,Acme\nLogin fails,Beta\n')).rejects.toMatchObject({
    fix: expect.stringContaining('The first row must name the columns.'),
  });
});

const HEAD: Cell[] = ['text', 'customer', 'date'];

test('sheets with the same columns are one table, others are named, hidden ones are not read', async () => {
  const file = workbookOf(
    {
      Archive: [HEAD, ...Array.from({ length: 9 }, (): Cell[] => ['hidden', 'Acme'])],
      January: [['Feedback'], HEAD, ['slow', 'Acme', { day: 46_054 }], ['fast', 'Beta']],
      Notes: [
        ['topic', 'owner'],
        ['prices', 'sales'],
      ],
      February: [HEAD, ['late', 'Acme', { day: 46_085 }]],
    },
    { hidden: ['Archive'] },
  );

  expect(await read('a.xlsx', file)).toEqual({
    signals: [
      ['slow', 'Acme', '2026-02-01'],
      ['fast', 'Beta'],
      ['late', 'Acme', '2026-03-04'],
    ],
    named: [
      { file: 'Notes', line: 1, reason: 'The sheet has other columns than "January": save it as a file of its own.' },
    ],
  });
});

test('dates of a workbook that counts from 1904 are read', async () => {
  const file = workbookOf({ A: [HEAD, ['slow', 'Acme', { day: 44_592 }]] }, { isFrom1904: true });

  expect(await read('a.xlsx', file)).toMatchObject({ signals: [['slow', 'Acme', '2026-02-01']] });
});

test('the list inside of an answer of a service is read', async () => {
  const answer = {
    meta: { tags: ['a'] },
    data: { items: [{ comment: 'slow', customer: 'Acme' }, { comment: 'fast' }] },
  };

  expect(await read('a.json', JSON.stringify(answer))).toMatchObject({
    signals: [
      ['slow', 'Acme'],
      ['fast', undefined],
    ],
  });
});
