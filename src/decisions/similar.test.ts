import { expect, test } from 'vitest';
import { contradictionOf } from './contradiction.ts';
import { type DecisionText, saysTheSame, similarDecisions } from './similar.ts';
import type { DecisionRow } from './store.ts';

function text(title: string, decision = '', options: string[] = []): DecisionText {
  return { title, decision, context: '', tags: [], options: options.map((name) => ({ name, pros: [], cons: [] })) };
}

function row(number: number, of: DecisionText, status: DecisionRow['status'] = 'accepted'): DecisionRow {
  return {
    ...of,
    id: String(number),
    number,
    slug: '',
    status,
    options: [...of.options],
    tags: [],
    consequences: [],
    decidedOn: null,
    links: [],
    reviewOn: null,
    contentHash: '',
    supersededBy: null,
    recordedAt: new Date(0),
    recordedBy: 'system',
    updatedAt: new Date(0),
    repositoryId: null,
    path: null,
    textHash: null,
  };
}

test('a decision that says the same in other words is similar, and words decide for those whose meaning is not known', () => {
  const rows = [
    row(1, text('Cache sessions in Redis', 'Redis holds sessions for an hour.')),
    row(2, text('Colour of the button', 'The button is blue.')),
    row(3, text('Sessions live in Redis', 'The cache of sessions is Redis.')),
  ];
  const decision = text('Sitzungen in Redis', 'Sitzungen liegen eine Stunde im Speicher.');

  const results = similarDecisions(
    decision,
    rows,
    new Map([
      [1, 0.9],
      [2, 0.1],
    ]),
  );

  expect(results.map(({ row: { number }, score }) => [number, score > 0.2])).toEqual([[1, true]]);
  expect(similarDecisions(decision, rows).map(({ row: { number } }) => number)).not.toContain(1);
});

test('the most alike come first, at most three, with the rare words that both have', () => {
  const rows = [
    row(1, text('Colour of the button', 'The button is blue.')),
    row(2, text('Cache sessions in Redis', 'Redis holds sessions for an hour.')),
    row(3, text('Cache pages in Redis', 'Redis holds pages for an hour.')),
    row(4, text('Sessions live in Redis', 'The cache of sessions is Redis.')),
    row(5, text('Sessions and cache', 'Sessions are cached by Redis.')),
  ];

  const results = similarDecisions(text('Cache sessions in PostgreSQL', 'Sessions move from Redis.'), rows);

  expect(results.map(({ row: decisionRow }) => decisionRow.number)).toHaveLength(3);
  expect(results[0]?.score).toBeGreaterThanOrEqual(results[1]?.score ?? 1);
  expect(results.map(({ row: decisionRow }) => decisionRow.number)).not.toContain(1);
  expect(results[0]?.shared).toEqual(expect.arrayContaining(['cache', 'sessions']));
  expect(similarDecisions(text('Fax', 'No fax.'), rows)).toEqual([]);
});

test('a word that both have is shown in its shortest form', () => {
  const rows = [row(1, text('Cache sessions in Redis', 'Redis holds sessions.')), row(2, text('Colour', 'Blue.'))];

  const [first] = similarDecisions(text('Caching of sessions', 'Caching sessions in Redis.'), rows);

  expect(first?.shared.filter((word) => word.startsWith('cach'))).toEqual(['cache']);
});

test.each([
  ['an option that the other left', text('Use MySQL', 'MySQL it is.'), 'MySQL'],
  ['the same choice', text('Use PostgreSQL', 'Again.'), undefined],
  ['another choice among options of its own', text('Storage', 'MySQL, again.', ['MySQL', 'Files']), 'MySQL'],
  ['the same choice among options of its own', text('Database', 'PostgreSQL.', ['MySQL', 'PostgreSQL']), undefined],
  ['both in its title', text('PostgreSQL instead of MySQL', 'PostgreSQL.'), undefined],
  ['an option that is not chosen there either', text('Use Go', 'Go.'), undefined],
])('%s: a candidate of a contradiction or none', (_what, decision, option) => {
  const other = row(1, text('Storage of orders', 'PostgreSQL, as MySQL is slow.', ['MySQL', 'PostgreSQL', 'Go!']));
  const [, chosen] = /"(.+)"/.exec(contradictionOf(decision, other) ?? '') ?? [];

  expect(chosen).toBe(option);
});

test('two answers to one question are a candidate, one answer in other words or two questions are none', () => {
  const ingress = text('Ingress', 'We run the Istio gateway in each cluster, for all tenants.');
  const reasonOf = (title: string, decision: string) => contradictionOf(ingress, row(1, text(title, decision)));

  expect(reasonOf('Ingress', 'A load balancer of the cloud leads to one nginx per tenant.')).toBe(
    'both decide on "Ingress", with different texts',
  );
  expect(reasonOf('Ingress', 'We run the Istio gateway in each cluster for all of the tenants.')).toBeUndefined();
  expect(reasonOf('Ingress', 'A load balancer.')).toBeUndefined();
  expect(
    reasonOf('Ingress of batch jobs', 'A load balancer of the cloud leads to one nginx per tenant.'),
  ).toBeUndefined();
  expect(reasonOf('Egress', 'A load balancer of the cloud leads to one nginx per tenant.')).toBeUndefined();
});

test('a decision that is no longer in force contradicts nothing', () => {
  const options = ['Redis', 'Tables'];
  const decision = text('Cache', 'Tables.', options);
  const reasons = (['accepted', 'proposed', 'superseded', 'rejected'] as const).map((status) =>
    contradictionOf(decision, row(1, text('Cache', 'Redis.', options), status)),
  );

  expect(reasons.map((reason) => reason !== undefined)).toEqual([true, true, false, false]);
});

test('the title and tags weigh most, the context least, rare words more than common ones; of alike ones the newest comes first', () => {
  const decisions = [
    row(1, text('Cache sessions', 'Redis holds them.')),
    row(2, text('Other words', 'Sessions in a cache.')),
    { ...row(3, text('Other words', 'Nothing.')), context: 'Sessions in a cache.' },
    { ...row(4, text('Other words', 'Nothing.')), tags: ['cache', 'sessions'] },
    row(5, text('Cache sessions', 'Redis holds them.')),
    row(6, text('Cache')),
    row(7, text('')),
  ];
  const scoresOf = (of: DecisionText, rows = decisions): (string | number)[][] =>
    similarDecisions(of, rows).map(({ row: decisionRow, score, shared }) => [
      decisionRow.number,
      score,
      shared.join(' '),
    ]);

  expect([
    scoresOf(text('Cache sessions')),
    scoresOf(text('Cache sessions', 'Redis holds them.')),
    scoresOf(text('Sessions', 'Redis.'), decisions.slice(1, 4)),
    scoresOf({ ...text('Mail', 'Sessions.'), context: 'Sessions, sessions.' }, decisions.slice(0, 2)),
    scoresOf({ ...text('Mail'), tags: ['sessions'], context: 'Cache' }, decisions.slice(0, 1)),
    scoresOf(text('Cache'), decisions.slice(5)),
    scoresOf(text(''), decisions),
  ]).toMatchInlineSnapshot(`
    [
      [
        [
          5,
          0.79,
          "sessions cache",
        ],
        [
          1,
          0.79,
          "sessions cache",
        ],
        [
          6,
          0.67,
          "cache",
        ],
      ],
      [
        [
          5,
          1,
          "holds redis sessions cache",
        ],
        [
          1,
          1,
          "holds redis sessions cache",
        ],
        [
          6,
          0.53,
          "cache",
        ],
      ],
      [
        [
          4,
          0.37,
          "sessions",
        ],
        [
          2,
          0.26,
          "sessions",
        ],
        [
          3,
          0.24,
          "sessions",
        ],
      ],
      [
        [
          1,
          0.22,
          "sessions",
        ],
      ],
      [
        [
          1,
          0.49,
          "cache sessions",
        ],
      ],
      [
        [
          6,
          1,
          "cache",
        ],
      ],
      [],
    ]
  `);
});

test('a comma makes no other decision, another word does', () => {
  const decision = text('Queue for mail', 'Mail goes through a queue, always.');

  expect(saysTheSame(decision, text('queue for MAIL!', 'Mail goes  through a queue always'))).toBe(true);
  expect(saysTheSame(decision, text('Queue for mail', 'Mail goes through a queue, often.'))).toBe(false);
});

test('six words that both have are told, the rarest first, those as rare by the alphabet', () => {
  const words = ['zebra', 'yak', 'wolf', 'viper', 'tiger', 'snake', 'raven'];
  const rows = [row(1, text(words.join(' '))), row(2, text('raven')), row(3, text('button'))];
  const [first] = similarDecisions(text(words.join(' ')), rows);

  expect(first?.shared).toEqual(['snake', 'tiger', 'viper', 'wolf', 'yak', 'zebra']);
  expect(first?.score).toBe(1);
});

test('a decision is similar from a fifth of the score on', () => {
  const rows = [row(1, text('Colour'))];
  const numbersOf = (meaning: number): number[] =>
    similarDecisions(text('Cache'), rows, new Map([[1, meaning]])).map(({ row: { number } }) => number);

  expect([numbersOf(0.2), numbersOf(0.19)]).toEqual([[1], []]);
});
