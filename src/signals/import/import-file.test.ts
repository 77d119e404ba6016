import { expect, test } from 'vitest';
import { mapColumns } from './known-exports.ts';
import { zipOf } from '../../testing/zip.ts';
import { importRecords } from './import-file.ts';
import { readRecords } from './records.ts';

test('columns are found by their names, each used once', () => {
  expect(mapColumns(['ID', 'Created At', 'Company', 'Message', 'ARR', 'Labels', 'x']).mapping).toEqual({
    text: 'Message',
    external_id: 'ID',
    customer: 'Company',
    value: 'ARR',
    date: 'Created At',
    tags: 'Labels',
  });
});

test('a column whose name says it in its last word is taken when its values fit, and a name that all lines share is no customer', () => {
  const [first, second] = importRecords(
    [
      {
        review_score: 5,
        review_comment_message: 'Chegou antes',
        review_creation_date: '2018-06-21',
        shop_name: 'Loja',
      },
      {
        review_score: 1,
        review_comment_message: 'Veio sem cabo',
        review_creation_date: '2018-06-22',
        shop_name: 'Loja',
      },
    ],
    {},
  ).signals;
  expect(first).toEqual({ text: 'Chegou antes', rating: 5, date: '2018-06-21T00:00:00.000Z' });
  expect(second).toMatchObject({ text: 'Veio sem cabo', rating: 1 });

  const named = [
    {
      Name: 'A BANK',
      'Consumer Name': 'Ann',
      text: 'They do not call back',
      'Review Time': '2025-10-06',
      'Status Message': 'ok',
    },
    {
      Name: 'A BANK',
      'Consumer Name': 'Bo',
      text: 'The card came late',
      'Review Time': '2025-10-07',
      'Status Message': 'ok',
    },
  ];
  expect(importRecords(named, {}).signals).toMatchObject([
    { text: 'They do not call back', customer: 'Ann', date: '2025-10-06T00:00:00.000Z' },
    { customer: 'Bo' },
  ]);
  // Values that do not fit are left alone.
  const unfit = [{ text: 'slow', best_before_date: 'soon', high_score: 'no', page_title: '7' }];
  expect(importRecords(unfit, {}).signals).toEqual([{ text: 'slow' }]);
});

test('values say what a column is where its name does not', () => {
  // A name that is a text in one language is a rating in another.
  const french = [
    { note: '2', auteur: 'Inès', avis: 'Remboursé après six semaines', assureur: 'A', date_publication: '23/09/2021' },
    { note: '5', auteur: 'Luc', avis: 'Rien à redire', assureur: 'A', date_publication: '02/10/2021' },
  ];
  expect(importRecords(french, {}).signals).toEqual([
    { text: 'Remboursé après six semaines', customer: 'Inès', rating: 2, date: '2021-09-23T00:00:00.000Z' },
    { text: 'Rien à redire', customer: 'Luc', rating: 5, date: '2021-10-02T00:00:00.000Z' },
  ]);
  const unnamed = [{ what: 'slow since today', seen: '2026-01-02 10:00', size: '45000', published: '2026-01-03' }];
  expect(importRecords(unnamed, {}).mapping).toEqual({ text: 'what', date: 'published' });
  expect(importRecords([{ what: 'slow since today', seen: '3 May 2026', size: '45000' }], {}).mapping).toEqual({
    text: 'what',
    date: 'seen',
  });
  // Numbers that could be days of a workbook are no dates by themselves, and one word may be all that people say.
  expect(importRecords([{ comment: 'slow', size: '45000' }], {}).mapping).toEqual({ text: 'comment' });
});

test.each([
  // Nine in ten values are dates of a column whose name does not say it.
  [{ when: [...Array<string>(9).fill('2026-01-02'), 'soon'] }, { date: 'when' }],
  [{ when: [...Array<string>(8).fill('2026-01-02'), 'soon', 'later'] }, {}],
  // More than half are numbers of a scale for a column that is called a score by its last word alone.
  [{ final_score: ['4', '5', 'none'] }, { rating: 'final_score' }],
  [{ final_score: ['4', 'open', 'none', '2'] }, {}],
  [{ final_score: ['4000', '5000', '3'] }, {}],
])('the share of its values decides what a column is: %j', (columns, mapping) => {
  const [[column, values] = ['', []]] = Object.entries(columns);
  const rows = values.map((value) => ({ text: 'slow since today', [column]: value }));
  expect(importRecords(rows, {}).mapping).toEqual({ text: 'text', ...mapping });
});

test('without a name the text is the first column that is at least half as long as the longest', () => {
  const row = { rating: '4', a: '', b: 'the page is slow since today' };
  expect(importRecords([{ ...row, a: 'it is so slow' }], {}).mapping.text).toBe('b');
  expect(importRecords([{ ...row, a: 'it is so slow!' }], {}).mapping.text).toBe('a');
});

test('a time may have a dot between hours and minutes', () => {
  const dates = ['21-02-2015 10.47', '2015-02-21 9.20.05'].map(
    (date) => importRecords([{ text: 'slow', date }], {}).signals[0],
  );
  expect(dates).toMatchObject([{ date: '2015-02-21T10:47:00.000Z' }, { date: '2015-02-21T09:20:05.000Z' }]);
});

test('what a person maps wins, and what cannot be kept of a line is named', () => {
  const records = [
    { what: 'slow', amount: '1,200 EUR', when: '2026-01-02', tags: 'a; b' },
    { what: ' ', amount: '', when: '' },
    { what: 'late', amount: 'much', when: '' },
    { what: 'old', amount: '', when: 'yesterday' },
    { what: 'new', amount: '', when: '1767312000' },
  ];

  const { signals, skipped, notes } = importRecords(records, { text: 'what', date: 'when' });

  expect(signals).toEqual([
    { text: 'slow', value: 1200, date: '2026-01-02T00:00:00.000Z', tags: ['a', 'b'] },
    { text: 'late' },
    { text: 'old' },
    { text: 'new', date: '2026-01-02T00:00:00.000Z' },
  ]);
  expect(skipped).toEqual([{ line: 2, reason: 'It has no text.' }]);
  expect(notes).toEqual([
    { line: 3, reason: '"much" is not a number: kept without a value.' },
    { line: 4, reason: '"yesterday" is not a date: saved without one.' },
  ]);
});

test('a title is put before the text, and stands for it where there is none', () => {
  const records = [
    { Title: 'Slow', Review: 'It takes minutes', Rating: 2 },
    { Title: 'Slow', Review: 'Slow as ever', Rating: 9 },
    { Title: 'Nothing', Review: '', Rating: '' },
  ];

  const { signals, ratingOf, notes } = importRecords(records, {});

  expect(signals).toEqual([
    { text: 'Slow\n\nIt takes minutes', rating: 1.8 },
    { text: 'Slow as ever', rating: 4.6 },
    { text: 'Nothing' },
  ]);
  expect([ratingOf, notes]).toEqual([10, []]);
});

test.each([
  ['NPS', [10, 7, 6], [5, 3, 1]],
  ['Stars', [5, 0, 3], [5, 1, 3]],
  ['Score', [100, 0, 50], [5, 1, 3]],
])('ratings in a column "%s" are read by what they are out of', (column, ratings, stars) => {
  const records = ratings.map((rating, at) => ({ text: `t${at}`, [column]: rating }));

  expect(importRecords(records, { rating: column }).signals.map(({ rating }) => rating)).toEqual(stars);
});

test('two lines with one id are named: the later one counts', () => {
  const records = [1, 2, 1].map((id, at) => ({ id, text: `text ${at}` }));

  expect(importRecords(records, {}).notes).toEqual([
    { line: 3, reason: 'It has the id of line 1 and takes its place.' },
  ]);
});

test.each([
  [
    'Google Play reviews',
    { 'Review Text': 'slow', 'Star Rating': '2', 'Review Submit Date and Time': '2026-01-02T03:04:05Z' },
  ],
  ['Google Play reviews', { reviewId: 'r1', userName: 'A', content: 'slow', score: '2', at: '2026-01-02 03:04:05' }],
  [
    'Zendesk tickets',
    { Id: '7', Subject: 'Slow', Description: 'slow', Requester: 'A', 'Created at': '2026-01-02 03:04:05' },
  ],
  ['Jira issues', { 'Issue key': 'X-1', Summary: 'slow', Reporter: 'A', Created: '02/Jan/26 3:04 AM' }],
  ['Slack messages', { type: 'message', user: 'U1', text: 'slow', ts: '1767323045.000200' }],
  [
    'Intercom conversations',
    { conversation_id: '7', created_at: 1767323045, message: 'slow', user_email: 'a@b.example' },
  ],
  ['Canny posts', { title: 'Slow', details: 'slow', board: 'Ideas', created: '2026-01-02T03:04:05Z' }],
  [
    'GitLab issues',
    {
      'Issue ID': '3',
      Title: 'Slow',
      Description: 'slow',
      'Author Username': 'a',
      'Created At (UTC)': '2026-01-02 03:04:05',
    },
  ],
])('%s are known by their columns', (name, record) => {
  const { known, signals } = importRecords([record], {});

  expect(known).toBe(name);
  expect(signals[0]?.text.toLowerCase()).toContain('slow');
  expect(signals[0]?.date).toMatch(/^2026-01-02T03:04/);
});

function issue(number: number, more: object) {
  return {
    number,
    html_url: `https://github.com/owner/name/issues/${number}`,
    title: 'Crash',
    body: 'It crashes.',
    user: { login: 'somebody' },
    labels: [{ name: 'bug' }],
    created_at: '2026-01-02T03:04:05Z',
    ...more,
  };
}

test('an export of GitHub issues is taken without its pull requests', () => {
  const { signals, skipped } = importRecords([issue(1, {}), issue(2, { pull_request: {} })], {});

  expect(signals).toEqual([
    {
      text: 'Crash\n\nIt crashes.',
      external_id: '1',
      source: 'github:owner/name',
      customer: 'somebody',
      date: '2026-01-02T03:04:05.000Z',
      tags: ['bug'],
      link: 'https://github.com/owner/name/issues/1',
    },
  ]);
  expect(skipped).toEqual([{ line: 2, reason: 'It is a pull request.' }]);
});

test.each<[object, object, string]>([
  [{ nothing: 'x' }, {}, 'No column looks like the text'],
  [{ text: 'x' }, { date: 'when' }, 'There is no column "when"'],
  [{ text: 'x' }, { colour: 'text' }, '"colour" is not a field'],
])('a file that cannot be mapped says how to', (record, given, message) => {
  expect(() => importRecords([{ ...record }], given)).toThrow(message);
});

test('equal lines of a table without ids are kept, each under an id that a second import finds again', () => {
  const rows = Array.from({ length: 5 }, (_, at) => ({ text: at < 3 ? 'Too slow' : 'Too dear', customer: 'Acme' }));

  const first = importRecords(rows, {});
  const second = importRecords(rows, {});

  const ids = first.signals.map(({ text, external_id: id }) => id ?? text);
  expect(new Set(ids).size).toBe(5);
  expect(second.signals).toEqual(first.signals);
  expect(first.notes).toEqual([]);
});

test('a character that cannot be read names its line and costs nothing else', async () => {
  const { records } = await readRecords(
    'a.csv',
    Buffer.from('text,date\nToo slow,2026-01-02\nToo\0 dear,2026-13-45\n'),
  );

  const { signals, skipped, notes } = importRecords(records, {});

  expect(signals).toEqual([{ text: 'Too slow', date: '2026-01-02T00:00:00.000Z' }, { text: 'Too\uFFFD dear' }]);
  expect(skipped).toEqual([]);
  expect(notes.map(({ line, reason }) => [line, reason.slice(0, 20)])).toEqual([
    [2, 'It has a character t'],
    [2, '"2026-13-45" is not '],
  ]);
});

test('a date of a workbook that is none is named', () => {
  const { signals, notes } = importRecords([{ text: 'a', date: new Date(Number.NaN) }], {});

  expect([signals, notes]).toEqual([
    [{ text: 'a' }],
    [{ line: 1, reason: '"Invalid Date" is not a date: saved without one.' }],
  ]);
});

/** A row of texts whose cells have no address. */
function rowXml(...cells: readonly string[]): string {
  return `<row>${cells.map((cell) => (cell === '' ? '<c/>' : `<c t="inlineStr"><is><t>${cell}</t></is></c>`)).join('')}</row>`;
}

test('a workbook whose rows and cells have no address is read, and empty cells keep their columns', async () => {
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const bytes = zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rowXml('text', 'customer', 'segment')}${rowXml('Too slow', '', 'pro')}</sheetData></worksheet>`,
  });

  const { records } = await readRecords('a.xlsx', bytes);

  expect(records).toMatchObject([{ text: 'Too slow', segment: 'pro' }]);
});

test.each([
  ['a.json', '[{"text":"one"},{"text":"two"},"three"]', [3]],
  ['a.jsonl', '{"text":"one"}\n{"text":"two"}\n{"text":"thr', [3]],
])('an entry of %s that is no object is named, and the others are read', async (name, content, lines) => {
  const { records } = await readRecords(name, Buffer.from(content));
  const { signals, skipped } = importRecords(records, {});

  expect(signals.map(({ text }) => text)).toEqual(['one', 'two']);
  expect(skipped.map(({ line }) => line)).toEqual(lines);
});
