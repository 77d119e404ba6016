import { expect, test } from 'vitest';
import { newAndGone, priceSeries } from './prices.ts';

const at = (day: number): Date => new Date(Date.UTC(2026, 0, day));

test('a price belongs to the heading above it, to its row, or to its column', () => {
  const text = [
    '# Plans',
    '## Team',
    '$20 per user',
    '$200 a year',
    'Feature | Free | Pro',
    'Price | $0 | $9',
    'Support | e-mail | phone',
    `It saved us $4,000, and ${'many words more '.repeat(12)}`,
  ].join('\n');

  const series = priceSeries([{ text, at: at(1) }]);

  expect(series.map(({ plan, unit, points }) => [plan, unit, points[0]?.value])).toEqual([
    ['Team', 'per user', 20],
    ['Team', 'a year', 200],
    ['Free', 'Price', 0],
    ['Pro', 'Price', 9],
  ]);
});

test('a plan under another name after a redesign is one series, and a text that comes back is its last price', () => {
  const cards = '# Standard\n$16 / month\n100 checks\nE-mail support\n# Plus\n$64 / month\n1000 checks\nPhone support';
  const table =
    'Plan | Price\nBusiness | $16 / month\nBusiness Plus | $80 / month\n# Business\n100 checks\nE-mail support\n# Business Plus\n1000 checks\nPhone support';

  const series = priceSeries([
    { text: cards, at: at(1) },
    { text: cards.replace('$16', '$20'), at: at(2) },
    { text: cards, at: at(3) },
    { text: table, at: at(4) },
  ]);

  expect(
    series.map(({ plan, formerNames, points }) => [plan, formerNames.join(), points.map(({ value }) => value)]),
  ).toEqual([
    ['Business', 'Standard', [16, 20, 16]],
    ['Business Plus', 'Plus', [64, 80]],
  ]);
});

test('a series has a point where the price changed; plans that are gone come last', () => {
  const captures = [
    { text: '# Old\n$5', at: at(1) },
    { text: '# Old\n$5\n# Team\n$20', at: at(2) },
    { text: '# Team\n$20', at: at(3) },
    { text: '# Team\n$25', at: at(4) },
  ];

  expect(
    priceSeries(captures).map(({ plan, points }) => [
      plan,
      points.map(({ value, at: day }) => [value, day.getUTCDate()]),
    ]),
  ).toEqual([
    [
      'Team',
      [
        [20, 2],
        [25, 4],
      ],
    ],
    ['Old', [[5, 1]]],
  ]);
});

test('a price goes on the series of what it is for, in whatever order a page has them', () => {
  const series = priceSeries([
    { text: '# Team\n$20 per user\n$200 a year', at: at(1) },
    { text: '# Team\n$220 a year\n$20 per user', at: at(2) },
  ]);

  expect(series.map(({ unit, points }) => [unit, points.map(({ value }) => value)])).toEqual([
    ['a year', [200, 220]],
    ['per user', [20]],
  ]);
});

test('two prices of one currency are two series, and one that is dropped comes after those that are there', () => {
  const captures = [
    { text: '# Team\n$20 per user\n$200 a year\n€18 per user', at: at(1) },
    { text: '# Team\n$200 a year\n€19 per user', at: at(2) },
  ];

  expect(
    priceSeries(captures).map(({ currency, unit, points }) => [currency, unit, points.map(({ value }) => value)]),
  ).toEqual([
    ['USD', 'a year', [200]],
    ['EUR', 'per user', [18, 19]],
    ['USD', 'per user', [20]],
  ]);
  const renamed = ['# Team\n$20 a seat\n$30 a team', '# Team\n$21 per head\n$31 per group'];
  expect(
    priceSeries(renamed.map((text, index) => ({ text, at: at(index + 1) }))).map(({ points }) =>
      points.map(({ value }) => value),
    ),
  ).toEqual([
    [20, 21],
    [30, 31],
  ]);
});

test('sixty series are given', () => {
  const text = Array.from({ length: 61 }, (_, plan) => `# Plan ${'x'.repeat(plan + 1)}\n$${plan + 1}`).join('\n');

  expect(priceSeries([{ text, at: at(1) }])).toHaveLength(60);
});

test('what is new and gone is told once, in its last state; a rewording is neither', () => {
  const change = { url: 'https://acme.example/', removed: [] as string[], added: [] as string[] };
  const features = newAndGone([
    { ...change, id: '3', at: at(3), removed: ['Works with calendars'], added: ['Unlimited projects'] },
    { ...change, id: '2', at: at(2), removed: ['Up to ten users in a team'], added: ['Up to nine users in a team'] },
    { ...change, id: '1', at: at(1), added: ['Works with calendars'] },
  ]);

  const [added, removed] = [['Works with all calendars'], ['Works with most calendars', 'Works on phones too']];
  expect(newAndGone([{ ...change, id: '4', at: at(4), added, removed }]).map(({ text }) => text)).toEqual([
    'Works on phones too',
  ]);
  expect(features.map(({ text, state, changeId }) => [text, state, changeId])).toEqual([
    ['Unlimited projects', 'new', '3'],
    ['Works with calendars', 'gone', '3'],
  ]);
});
