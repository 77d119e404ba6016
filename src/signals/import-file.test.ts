import { expect, test } from 'vitest';
import { guessMapping, importRecords } from './import-file.ts';

test('columns are found by their names, each used once', () => {
  expect(guessMapping(['ID', 'Created At', 'Company', 'Message', 'ARR', 'Labels', 'x'])).toEqual({
    text: 'Message',
    external_id: 'ID',
    customer: 'Company',
    value: 'ARR',
    date: 'Created At',
    tags: 'Labels',
  });
});

test('what a person maps wins, and lines that are no signal are named', () => {
  const records = [
    { what: 'slow', amount: '1,200 EUR', when: '2026-01-02', tags: 'a; b' },
    { what: ' ', amount: '', when: '' },
    { what: 'late', amount: 'much', when: '' },
    { what: 'old', amount: '', when: 'yesterday' },
    { what: 'new', amount: '', when: '1767312000' },
  ];

  const { signals, skipped } = importRecords(records, { text: 'what', date: 'when' });

  expect(signals).toEqual([
    { text: 'slow', value: 1200, date: '2026-01-02T00:00:00.000Z', tags: ['a', 'b'] },
    { text: 'new', date: '2026-01-02T00:00:00.000Z' },
  ]);
  expect(skipped.map(({ line }) => line)).toEqual([2, 3, 4]);
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
