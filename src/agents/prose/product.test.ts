import { expect, test } from 'vitest';
import type { Trend } from '../gather/trend.ts';
import { citerOf, writtenText } from '../../testing/prose.ts';
import { moves, progress, reason, tellTrend } from './product.ts';

const cite = citerOf({ mail: 1 });
const signal = writtenText('The mail never came to us.', { kind: 'signal', id: 's:1' });
const TREND: Trend = { days: 90, end: '2026-12-31', late: 0, before: 0, allLate: 1_200, allBefore: 1_200 };

test.each([
  // From the last days, from those before, of how many each, and what is said of it.
  [12, 8, 1_200, 1_200, 'It is mentioned more often'],
  [11, 8, 1_200, 1_200, 'It is mentioned about as often as before'],
  [8, 12, 1_200, 1_200, 'It is mentioned less often'],
  [8, 11, 1_200, 1_200, 'It is mentioned about as often as before'],
  // Where more is said of everything.
  [12, 8, 1_800, 1_200, 'It is mentioned about as often as before'],
  [10, 0, 1_200, 1_200, 'It is mentioned more often'],
  [9, 0, 1_200, 1_200, 'Too few signals mention it to tell a trend'],
])('%i late and %i before of %i and %i signals: %s', (...row) => {
  const [late, before, allLate, allBefore, verdict] = row;
  const [told] = tellTrend(cite, { ...TREND, late, before, allLate, allBefore }, [signal]);

  expect(told?.text).toBe(
    `${verdict}: ${late} of ${allLate.toLocaleString('en')} signals in the 90 days to 2026-12-31, ${before} of ${allBefore.toLocaleString('en')} in the 90 days before.`,
  );
});

test('without signals of before no trend is told', () => {
  expect(tellTrend(cite, undefined, [signal])[0]?.text).toBe(
    'No trend can be told: there are hardly any signals of the time before.',
  );
});

test('a plan is told by how much of it is done and three of what is open', () => {
  const items = ['One', 'Two', 'Three', 'Four', 'Five'];
  const parts = [{ section: 'tasks', heading: '', text: items.join('\n') }];
  const plan = writtenText('', { kind: 'plan', parts });
  const progressOf = (...open: string[]): string | undefined => {
    const tasks = items.map((title) => ({ title, status: open.includes(title) ? 'todo' : 'done' }));
    return progress(cite, plan, tasks)[0]?.text;
  };

  expect(progressOf('One')).toBe('4 of its 5 work items are done; open: “One”.');
  expect(progressOf('One', 'Two', 'Three', 'Four')).toBe(
    '1 of its 5 work items is done; open: “One”, “Two”, “Three” and 1 more.',
  );
  expect(progressOf()).toBe('5 of its 5 work items are done.');
  // What its text does not have cannot be cited.
  expect(progress(cite, plan, [{ title: 'Six', status: 'todo' }])).toEqual([]);
});

test('a decision is told by the first sentence of its context, a change of a competitor by its day', () => {
  const parts = [{ section: 'context', heading: '', text: 'Mails were lost for a week. Then nobody came.' }];

  expect(reason(cite, writtenText('', { kind: 'decision', parts })).map(({ text }) => text)).toEqual([
    'Its context: “Mails were lost for a week.”.',
  ]);
  expect(reason(cite, writtenText('', { kind: 'decision' }))).toEqual([]);
  expect(
    moves(cite, [writtenText('Mails are free from now on.', { kind: 'competitor', title: 'Post' })])[0]?.text,
  ).toBe('2026-05-01, Post: “Mails are free from now on.”.');
});
