import { expect, test } from 'vitest';
import type { HeardThing, SignalRow, ThemeRow, Voices } from '../gather/signals.ts';
import { citerOf, writtenText } from '../../testing/prose.ts';
import { type Counted, countVoices, quoteVoices, surveyThemes } from './voices.ts';

const cite = citerOf({ mail: 1 });
const SIGNAL: SignalRow = {
  id: 's:1',
  type: 'signal',
  intent: 'other',
  date: '2026-05-01',
  customer: 'Ada',
  segment: 'small',
  snippet: '',
  score: 1,
};
const VOICES: Voices = {
  signals: [SIGNAL],
  isNamed: true,
  things: [{ thing: 'late mails', way: 'words', words: [['late'], ['mails']] }],
  silent: [],
  isCut: false,
  since: '2026-05-01',
  latest: '2026-05-03',
  themes: [],
  searched: 0,
};
const COUNTED: Counted = {
  voices: VOICES,
  sought: undefined,
  fitting: [SIGNAL],
  customer: undefined,
  isWho: false,
  oldestOfAll: undefined,
};
const signal = writtenText('The mail never came to us.', { kind: 'signal', id: 's:1' });
const told = (voices: Partial<Voices>, more: Partial<Counted> = {}): string[] =>
  countVoices(cite, { ...COUNTED, voices: { ...VOICES, ...voices }, ...more }, [signal]).map(({ text }) => text);
const many = (count: number): SignalRow[] => Array.from({ length: count }, (_, at) => ({ ...SIGNAL, id: `s:${at}` }));

test('a count says which words were counted, among how many signals, and when', () => {
  expect(told({})[0]).toBe('1 signal mentions “late mails”, from 2026-05-01 to 2026-05-03.');
  expect(told({ latest: '2026-05-01T20:00:00Z' })[0]).toContain('“late mails”, on 2026-05-01.');
  expect(told({ signals: many(57), searched: 4786 })[0]).toMatch(/^57 of 4,786 signals \(1 %\) mention “late mails”/);
  expect(told({ signals: many(9), searched: 1000 })[0]).toContain('(less than 1 %)');
  expect(told({ signals: many(1000), searched: 4786, isCut: true })[0]).toMatch(
    /^At least 1000 of 4,786 signals mention/,
  );
  expect(told({ isNamed: false })).toEqual([]);
});

const thing = (words: string[][], way: HeardThing['way'] = 'words', more: Partial<HeardThing> = {}): HeardThing => ({
  thing: words.map(([word]) => word).join(' '),
  way,
  words,
  ...more,
});
const saying = (...things: HeardThing[]): string | undefined => told({ things })[0];

test('of more than two words a signal has most, and of things that are joined one', () => {
  expect(saying(thing([['late'], ['mails'], ['night']]))).toContain('mentions most of the words “late mails night”');
  expect(saying(thing([['mails']]), thing([['letters']]))).toContain('mentions “mails” or “letters”');
});

test('words that were counted beside those of the question are told', () => {
  expect(saying(thing([['ads', 'ad']]))).toContain('mentions “ads” or “ad”');
  expect(saying(thing([['cheaper', 'price', 'cost'], ['mails']], 'near'))).toContain(
    'mentions “cheaper”, “price” or “cost” together with “mails”',
  );
  expect(saying(thing([['late', 'slow'], ['mails'], ['night']]))).toContain('“late mails night” (or “slow”)');
});

test('when no signal has all words, those of the rarest are counted and it is said so', () => {
  expect(saying(thing([['late']], 'rarest', { thing: 'late mails' }))).toMatch(
    /^No signal mentions all of “late mails”\. 1 signal mentions “late”/,
  );
});

const alone = (signals: number): string[] =>
  told({ things: [thing([['late'], ['mails']], 'words', { alone: { words: ['late', 'slow'], signals } })] });

test('where hardly any signal has all words, those with the rarest are counted besides, if they are more', () => {
  expect(alone(2)).toContain('With or without the other words, 2 signals mention “late” or “slow”.');
  expect(alone(1).join(' ')).not.toContain('With or without');
});

test('of what a question joins, that which nobody mentions is told', () => {
  expect(told({ silent: ['late letters'] })[1]).toBe('No signal mentions “late letters”.');
});

test('who asks since when is told the oldest first', () => {
  expect(told({}, { oldestOfAll: '2026-04-30' })[0]).toBe(
    'The oldest is from 2026-05-01; the oldest signal of all is from 2026-04-30.',
  );
  expect(told({}, { oldestOfAll: '2026-05-01' })[0]).toBe(
    'The oldest is from 2026-05-01, where the signals themselves begin: it may have begun before.',
  );
});

test('whose signals alone were counted is told, and no share of all', () => {
  const only = told({ signals: many(2), searched: 10 }, { customer: 'enterprise' });

  expect(only[0]).toMatch(/^2 signals of enterprise mention/);
});

test.each([
  ['negative', 2, '2 of them sound like complaints or report faults, the oldest from 2026-05-01.'],
  ['positive', 1, '1 of them sounds positive, from 2026-05-01.'],
  ['request', 0, 'none of them reads like a request.'],
] as const)('who asks for what is %s is told how many of those that mention it are so', (sought, fitting, end) => {
  expect(told({ signals: many(3) }, { sought, fitting: many(fitting) })[0]).toContain(`; ${end}`);
});

test('customers are told with how many signals they have, segments to who asks, and values once a customer', () => {
  const signals = [
    { ...SIGNAL, value: 100 },
    { ...SIGNAL, value: 300 },
    { ...SIGNAL, customer: 'Ben', segment: 'large' },
  ];

  expect(told({ signals }).slice(1)).toEqual([
    'They are from 2 customers, most from Ada (2).',
    '1 of these customers has a stated value, 300 in total.',
  ]);
  const named = told({ signals }, { isWho: true });
  expect(named[1]).toBe('They are from 2 customers: Ada (2) and Ben (1).');
  expect(named[2]).toBe('By segment: small (2) and large (1).');
  // Those that are asked for, where there are any.
  expect(told({ signals }, { sought: 'request', fitting: signals.slice(2) })[1]).toBe('They are from 1 customer.');
});

test('signals that name nobody are told as such, and are of no customer', () => {
  const signals = [SIGNAL, { ...SIGNAL, customer: 'A Google user' }, { ...SIGNAL, customer: '' }];

  expect(told({ signals })[1]).toBe('They are from 1 customer; 2 signals name no customer.');
  expect(told({ signals: signals.slice(1) })).toHaveLength(1);
});

test('a quote has whose it is and when', () => {
  const about = { ...signal.about, customer: 'Ada', date: '2026-05-01T20:00:00Z' };

  expect(quoteVoices(cite, [{ ...signal, about }])[0]?.text).toBe('“The mail never came to us.” (Ada, 2026-05-01).');
  const nobody = { ...signal, about: { ...about, customer: 'Anonymous' } };
  expect(quoteVoices(cite, [nobody])[0]?.text).toBe('“The mail never came to us.” (2026-05-01).');
});

const theme = (more: Partial<ThemeRow>): ThemeRow => ({
  theme: 'Lost mails',
  signals: 4,
  customers: 2,
  trend: { direction: 'steady', last: 0, usual: 0.049 },
  sample_ids: ['s:1'],
  negative: { signals: 3, sample_ids: ['s:1'] },
  positive: { signals: 1, sample_ids: ['s:2'] },
  ...more,
});
const surveyed = (more: Partial<ThemeRow>, tone?: 'negative' | 'positive'): string[] =>
  surveyThemes(cite, [{ theme: theme(more), sample: signal }], tone).map(({ text }) => text);

test('a theme is told by its signals, or by those of the asked tone, with one of them', () => {
  const quoted = /: “The mail never came to us\.”\.$/;

  expect(surveyed({})[0]).toMatch(/^“Lost mails”, 4 signals of 2 customers: “/);
  expect(surveyed({})[0]).toMatch(quoted);
  expect(surveyed({ value: 1200 })[0]).toContain('of 2 customers worth 1,200 together');
  expect(surveyed({ trend: { direction: 'steady', last: 0, usual: 0.05 } })[0]).toContain(
    '(steady: 0 in 7 days, usually 0.1)',
  );
  expect(surveyed({ trend: { direction: 'rising', last: 1, usual: 0 } })[0]).toContain(
    '(rising: 1 in 7 days, usually 0.0)',
  );
  expect(surveyed({}, 'negative')[0]).toMatch(/^“Lost mails”, 3 of its 4 signals of 2 customers sound negative: “/);
});
