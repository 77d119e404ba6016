import { expect, test } from 'vitest';
import { contradictionOf, type DecisionText, similarDecisions } from './similar.ts';
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
    links: [],
    reviewOn: null,
    contentHash: '',
    supersededBy: null,
    recordedAt: new Date(0),
    recordedBy: 'system',
    updatedAt: new Date(0),
  };
}

test('the most alike come first, at most three, with the rare words that both have', () => {
  const known = [
    row(1, text('Colour of the button', 'The button is blue.')),
    row(2, text('Cache sessions in Redis', 'Redis holds sessions for an hour.')),
    row(3, text('Cache pages in Redis', 'Redis holds pages for an hour.')),
    row(4, text('Sessions live in Redis', 'The cache of sessions is Redis.')),
    row(5, text('Sessions and cache', 'Sessions are cached by Redis.')),
  ];

  const found = similarDecisions(text('Cache sessions in PostgreSQL', 'Sessions move from Redis.'), known);

  expect(found.map(({ row: one }) => one.number)).toHaveLength(3);
  expect(found[0]?.score).toBeGreaterThanOrEqual(found[1]?.score ?? 1);
  expect(found.map(({ row: one }) => one.number)).not.toContain(1);
  expect(found[0]?.shared).toEqual(expect.arrayContaining(['cache', 'session']));
  expect(similarDecisions(text('Fax', 'No fax.'), known)).toEqual([]);
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
    'redi',
  ],
  [
    'a replacement',
    text('Queues', 'Kafka is replaced by tables, instead of Kafka.'),
    text('Kafka for events', 'Kafka.'),
    'kafka',
  ],
  [
    'the same choice',
    text('Use PostgreSQL', 'Again.'),
    text('Use PostgreSQL', 'PostgreSQL.', ['PostgreSQL', 'MySQL']),
    undefined,
  ],
  ['both turning away', text('No Redis', 'Avoid Redis.'), text('Redis is not used', 'We avoid Redis.'), undefined],
  ['something else', text('Blue buttons', 'Not red.'), text('Sessions', 'One day.'), undefined],
])('%s is a contradiction or not', (_what, wanted, known, word) => {
  const [, found] = /"(.+)"/.exec(contradictionOf(wanted, row(1, known)) ?? '') ?? [];

  expect(found).toBe(word);
});

test('a decision that is no longer in force contradicts nothing', () => {
  const old = row(1, text('Redis as the cache', 'Redis.'), 'superseded');

  expect(contradictionOf(text('No cache', 'We stop using Redis.'), old)).toBeUndefined();
});
