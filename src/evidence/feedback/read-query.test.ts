import { expect, test } from 'vitest';
import { readQuery } from './read-query.ts';
import type { NamedField, Vocabulary } from './vocabulary.ts';

const NOW = new Date('2026-03-11T10:00:00Z');
const row = (value: string) => ({ value, signals: 10, customers: 10, share: 0.1 });
const VALUES: [NamedField, string[]][] = [
  ['language', ['de', 'fr']],
  ['segment', ['enterprise', 'free', 'AT']],
  ['source', ['Zendesk', 'App Store']],
  ['version', ['4.1.0', '4.2.0']],
  ['competitor', ['Bordly']],
  ['customer', ['Online Shop']],
];
const VOCABULARY: Vocabulary = {
  signals: 100,
  having: new Map([['rating', 100]]),
  values: new Map(VALUES.map(([field, values]) => [field, values.map(row)])),
  months: ['2025-01', '2026-02'],
};

/** Returns the reading of a question, without what it leaves open. */
function read(text: string) {
  const { kind, filter, base, subjects, by, rank, periods, values, missing } = readQuery(text, VOCABULARY, NOW);
  const all = {
    filter,
    base,
    subjects,
    by,
    rank,
    periods: periods.map(({ since, until }) => (since === until ? since : `${since}/${until}`)),
    values: values.map(({ value }) => value),
    missing,
  };
  const kinds = Object.entries(all).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  );
  return { kind, ...Object.fromEntries(kinds) };
}

test.each<[string, Record<string, unknown>]>([
  [
    'How many tickets came from Zendesk last month?',
    { kind: 'count', filter: ['source=Zendesk'], periods: ['2026-02'] },
  ],
  [
    'How many enterprise customers mention slow exports?',
    { kind: 'count', filter: ['segment=enterprise'], subjects: ['slow exports'] },
  ],
  ['How many German reviews did we get in 2025?', { kind: 'count', filter: ['language=de'], periods: ['2025'] }],
  ['Wie viele Kunden schreiben über Rechnungen?', { kind: 'count', subjects: ['Rechnungen'] }],
  ['How many 4-star reviews are from Austria?', { kind: 'count', filter: ['rating=4', 'segment=AT'] }],
  ['What is the mean rating of version 4.2.0?', { kind: 'mean', filter: ['version=4.2.0'], by: 'rating' }],
  ['Which version has the best rating?', { kind: 'values', by: 'version', rank: 'best' }],
  ['Which customers complain most often?', { kind: 'values', by: 'customer', filter: ['tone=negative'] }],
  ['Which source do most complaints come from?', { kind: 'values', by: 'source', filter: ['tone=negative'] }],
  ['How are the ratings distributed, by stars?', { kind: 'values', by: 'rating' }],
  [
    'What percentage of the enterprise tickets mentions invoices?',
    { kind: 'share', filter: ['segment=enterprise'], base: ['segment=enterprise'], subjects: ['invoices'] },
  ],
  [
    'What share of the German reviews has two stars?',
    { kind: 'share', filter: ['rating=2', 'language=de'], base: ['language=de'] },
  ],
  [
    'Did mentions of refunds increase from Q3 2025 to Q4 2025?',
    { kind: 'trend', subjects: ['refunds'], periods: ['2025-07/2025-09', '2025-10/2025-12'] },
  ],
  ['Since when do users report missing invoices?', { kind: 'since', subjects: ['missing invoices'] }],
  ['Are German customers happier than French ones?', { kind: 'compare', rank: 'best', values: ['de', 'fr'] }],
  ['Do more people ask for exports or for reminders?', { kind: 'compare', subjects: ['exports', 'reminders'] }],
  ['What do unhappy customers complain about most?', { kind: 'themes', filter: ['tone=negative'] }],
  // Words that were read otherwise when other people asked.
  ['What do App Store users rate us on average?', { kind: 'mean', filter: ['source=App Store'] }],
  [
    'What proportion of the enterprise tickets gives a single star?',
    { kind: 'share', filter: ['rating=1', 'segment=enterprise'], base: ['segment=enterprise', 'period'] },
  ],
  [
    'Has satisfaction gone up or down between spring 2025 and autumn 2025?',
    { kind: 'trend', by: 'rating', periods: ['2025-03/2025-05', '2025-09/2025-11'] },
  ],
  [
    'Did ratings drop between the first and the second quarter of 2025?',
    { kind: 'trend', by: 'rating', periods: ['2025-01/2025-03', '2025-04/2025-06'] },
  ],
  ['Which customers were hit by the double payment?', { kind: 'values', by: 'customer', subjects: ['double payment'] }],
  ['Who asked for dark mode?', { kind: 'values', by: 'customer', subjects: ['dark mode'] }],
  ['When did people start complaining about exports?', { kind: 'since', subjects: ['exports'] }],
  ['Seit wann gibt es Beschwerden über Rechnungen?', { kind: 'since', subjects: ['Rechnungen'] }],
  ['Did we get more reviews in May 2025 or in June 2025?', { kind: 'trend', periods: ['2025-05', '2025-06'] }],
  ['How satisfied are enterprise customers?', { kind: 'mean', filter: ['segment=enterprise'] }],
  [
    'Anzahl der negativen Rückmeldungen im Oktober 2025?',
    { kind: 'count', filter: ['tone=negative'], periods: ['2025-10'] },
  ],
  ['How many reviews have no rating?', { kind: 'lacking', by: 'rating' }],
  ['What do people say about exports?', { kind: 'themes', subjects: ['exports'] }],
  [
    'Which operating system do they write from?',
    { kind: 'missing', missing: ['operating system'], subjects: ['operating system'] },
  ],
  ['What is the mean rating of those who stayed for a year?', { kind: 'mean', by: 'year', subjects: ['stayed'] }],
  ['Is there anything new in the last seven days?', { kind: 'new', periods: ['2026-03-04/2026-03-11'] }],
  ['What is new in the last 2 weeks?', { kind: 'new', periods: ['2026-02-25/2026-03-11'] }],
  ['Show me examples of one-star reviews about login', { kind: 'examples', filter: ['rating=1'], subjects: ['login'] }],
  ['Is search praised or criticised?', { kind: 'tones', subjects: ['search'] }],
  ['How many users in Brazil are unhappy?', { kind: 'missing', missing: ['Brazil'], filter: ['tone=negative'] }],
  ['Do more people ask for turkey or for polish?', { kind: 'compare', subjects: ['turkey', 'polish'] }],
  ['Set up problems in May?', { kind: 'count', subjects: ['Set up'], periods: ['2025-05'] }],
  [
    'How many users were logged out in Oct, or in out. 2025?',
    { kind: 'count', subjects: ['logged out'], periods: ['2025-10', '2025-10'] },
  ],
  [
    'Which age group is least satisfied?',
    { kind: 'missing', missing: ['age group'], subjects: ['age group'], rank: 'worst' },
  ],
  [
    'How much money did churned accounts pay?',
    { kind: 'missing', missing: ['money churned accounts pay'], subjects: ['money churned accounts pay'] },
  ],
])('%s', (question, reading) => {
  expect(read(question)).toEqual(reading);
});
