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

test('what two decisions share and turn away from is told in their words', () => {
  const [match] = similarDecisions(text('Put the API behind a switch', 'It is no longer always on.'), [
    row(1, text('The API: always on', 'The API is always on, and no switch is added.')),
  ]);

  expect(match?.shared).toContain('always');
  expect(match?.contradiction).toBe('one moves away from "always on", which the other chooses');
});

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

test.each([
  [
    'an option that the other left',
    text('Use MySQL', 'MySQL it is.'),
    text('Use PostgreSQL', 'PostgreSQL.', ['PostgreSQL', 'MySQL']),
    'MySQL',
  ],
  [
    'turning away from what the other chose',
    text('No cache', 'We stop using Redis.'),
    text('Redis as the cache', 'Redis.'),
    'Redis',
  ],
  [
    'a replacement',
    text('Queues', 'Kafka is replaced by tables, instead of Kafka.'),
    text('Kafka for events', 'Kafka.'),
    'Kafka',
  ],
  [
    'the same choice',
    text('Use PostgreSQL', 'Again.'),
    text('Use PostgreSQL', 'PostgreSQL.', ['PostgreSQL', 'MySQL']),
    undefined,
  ],
  ['both turning away', text('No Redis', 'Avoid Redis.'), text('Redis is not used', 'We avoid Redis.'), undefined],
  ['something else', text('Blue buttons', 'Not red.'), text('Sessions', 'One day.'), undefined],
])('%s is a contradiction or not', (_what, decision, other, word) => {
  const [, contradictedWord] = /"(.+)"/.exec(contradictionOf(decision, row(1, other)) ?? '') ?? [];

  expect(contradictedWord).toBe(word);
});

test('a decision that is no longer in force contradicts nothing', () => {
  const old = row(1, text('Redis as the cache', 'Redis.'), 'superseded');

  expect(contradictionOf(text('No cache', 'We stop using Redis.'), old)).toBeUndefined();
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

test('of the options that both considered, the one named first is the chosen one', () => {
  const theirs = text('Storage', 'MySQL, since PostgreSQL is slow.', ['PostgreSQL', 'MySQL', 'Go']);
  const firstSimilar = (of: DecisionText): string | undefined => contradictionOf(of, row(1, theirs));

  expect(firstSimilar(text('Use PostgreSQL'))).toContain('"PostgreSQL"');
  expect(firstSimilar(text('Use MySQL'))).toBeUndefined();
  expect(firstSimilar(text('Use Go'))).toBeUndefined();
  expect(firstSimilar(text('Use MySQL and PostgreSQL'))).toBeUndefined();
  expect(contradictionOf(text('No MySQL'), row(1, text('MySQL'), 'proposed'))).toContain('"MySQL"');
  expect(contradictionOf(text('Drop MySQL'), row(1, text('MySQL'), 'proposed'))).toContain('"MySQL"');
});

test('a comma makes no other decision, another word does', () => {
  const decision = text('Queue for mail', 'Mail goes through a queue, always.');

  expect(saysTheSame(decision, text('queue for MAIL!', 'Mail goes  through a queue always'))).toBe(true);
  expect(saysTheSame(decision, text('Queue for mail', 'Mail goes through a queue, often.'))).toBe(false);
});

test('a decision that contradicts is among those that are shown, though others are more alike', () => {
  const rows = [
    row(
      1,
      text('Devise and codes for login', 'Our own accounts with passwords that people choose, and codes by post.'),
    ),
    row(2, text('Keyring on laptops', 'Keyring keeps passwords of laptops and phones of the office safe.')),
    row(3, text('Keyring on phones', 'Keyring keeps passwords of phones and laptops of the office safe.')),
    row(4, text('Keyring in the office', 'Keyring keeps passwords of the office, of laptops and phones, safe.')),
  ];
  const decision = text('Keyring for login', 'Keyring keeps passwords of laptops, phones and the office safe.');

  const results = similarDecisions(decision, rows);

  expect(results).toHaveLength(3);
  expect(results.map(({ contradiction }) => contradiction !== undefined)).toEqual([false, false, true]);
  expect(results[2]?.row.number).toBe(1);
});

test('an option that another decision left for another subject is no contradiction, and a category is no subject', () => {
  const options = ['Confluence', 'GitHub'];
  const rows = [
    row(1, text('Ticket tracking', 'Confluence keeps the tickets of all teams.', options)),
    row(2, text('Tooling: chat', 'Everybody talks on Mattermost, all teams.')),
    row(3, text('Tooling: calendar', 'All teams share Nextcloud.')),
  ];

  const results = [
    ...similarDecisions(text('Document storage', 'GitHub keeps the documents of all teams.', ['GitHub']), rows),
    ...similarDecisions(text('Tooling: video', 'All teams meet on Jitsi.'), rows),
  ];

  expect(results.length).toBeGreaterThan(0);
  expect(results.map(({ contradiction }) => contradiction)).toEqual(results.map(() => undefined));
});
