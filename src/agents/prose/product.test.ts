import { expect, test } from 'vitest';
import type { Voices } from '../gather/signals.ts';
import { citerOf, writtenText } from '../../testing/prose.ts';
import { moves, progress, reason, trendOf } from './product.ts';

const cite = citerOf({ mail: 1 });
const SIGNAL = {
  type: 'bug',
  date: '2026-05-01',
  customer: 'Ada',
  segment: '',
  snippet: '',
  score: 1,
  intent: 'other',
};
const VOICES: Voices = {
  signals: [{ ...SIGNAL, id: 's:1' }],
  isNamed: true,
  customers: ['Ada'],
  isCut: false,
  since: '2026-05-01',
  latest: '2026-05-03',
  themes: [],
  searched: 0,
};
const signal = writtenText('The mail never came to us.', { kind: 'signal', id: 's:1' });
test('whether more is said of it is told by the last three months of the signals and the three before', () => {
  const trend = (dates: readonly string[], isCut = false): string | undefined => {
    const signals = dates.map((date, at) => ({ ...SIGNAL, id: `s:${at}`, date }));
    return trendOf(cite, { ...VOICES, signals, latest: '2026-12-31', isCut }, [signal])[0]?.text;
  };

  // 89, 90, 179 and 180 days before the newest.
  expect(trend(['2026-12-31', '2026-10-03', '2026-10-02', '2026-07-05', '2026-07-04'])).toBe(
    'Of them 2 are from the 90 days to 2026-12-31, 2 from the 90 days before.',
  );
  expect(trend(['2026-12-31', '2026-10-02'], true)).toMatch(/^Of the best that were counted 1 is from/);
  expect(trend(['2026-12-31', '2026-10-03'])).toBe(
    'All of them are from the 90 days to 2026-12-31: too short to tell a trend.',
  );
  expect(trendOf(cite, { ...VOICES, latest: '' }, [signal])).toEqual([]);
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
