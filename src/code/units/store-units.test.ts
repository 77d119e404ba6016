import { expect, test } from 'vitest';
import { shardInput, withShard } from '../../testing/code-shard.ts';
import { rankUnits, readQuestion } from '../queries/store.ts';

const RETRY = `/** Delivers a message. */
export function deliver(to: string) {
  post(to);
}

const BACKOFF_SECONDS = 30;

/** Tries again when the server is busy. */
export function retryDelivery(to: string) {
  wait(BACKOFF_SECONDS);
  deliver(to);
}
`;

const mail = () =>
  shardInput([
    { path: 'config/mail.yml', text: 'backoff: 30\nserver: smtp\n' },
    {
      path: 'src/mail.ts',
      text: RETRY,
      symbols: [
        { qualified: 'deliver', kind: 'function', line: 2, end: 4 },
        { qualified: 'retryDelivery', kind: 'function', line: 9, end: 12 },
      ],
    },
    {
      path: 'test/mail.test.ts',
      test: true,
      text: "test('backoff', () => {\n  retryDelivery('a');\n  backoff();\n});\n",
    },
  ]);

test('units are ranked by their words wherever they are: symbols, constants between them, configuration', () =>
  withShard(mail(), (db) => {
    const { rows, total, terms } = rankUnits(db, {
      query: 'How long is the backoff when the server is busy?',
      limit: 4,
    });

    expect(total).toBe(5);
    expect(terms).toContainEqual({ term: 'backoff', units: 4 });
    expect(rows.map(({ path, start, end, symbol }) => `${path}:${start}-${end} ${symbol}`)).toEqual([
      'src/mail.ts:8-12 retryDelivery',
      'config/mail.yml:1-2 ',
      'src/mail.ts:6-6 ',
      'test/mail.test.ts:1-4 ',
    ]);
    expect(rows[0]).toMatchObject({ signature: 9, isTest: false, lines: RETRY.split('\n').slice(7, 12) });
  }));

test('a test counts less unless tests are asked for, and then what is none does', () =>
  withShard(mail(), (db) => {
    const [first] = rankUnits(db, { query: 'Which test covers the backoff?', limit: 1 }).rows;

    expect(first?.path).toBe('test/mail.test.ts');
  }));

test('what another search ranked moves the units that it covers up', () =>
  withShard(mail(), (db) => {
    const others = [{ path: 'src/mail.ts', start: 1, end: 4 }];
    const [alone, moved] = [{}, { others }].map((more) =>
      rankUnits(db, { query: 'backoff', limit: 9, ...more }).rows.findIndex(({ symbol }) => symbol === 'deliver'),
    );

    expect(moved).toBeLessThan(alone ?? 0);
  }));

test('a question is read for names as they are spelled, and for words that occur nowhere with the nearest that do', () =>
  withShard(mail(), (db) => {
    const { names, absent } = readQuestion(db, {
      names: ['retryDelivery', 'RetryDelivery', 'mail.ts', 'src', 'nothing'],
      words: ['delivry', 'backoff', 'zebra', 'the'],
    });

    expect(names).toEqual([
      {
        name: 'retryDelivery',
        kind: 'symbol',
        places: [{ path: 'src/mail.ts', start: 9, end: 12, symbol: 'retryDelivery' }],
      },
      { name: 'mail.ts', kind: 'path', places: [{ path: 'src/mail.ts' }] },
    ]);
    expect(absent.map(({ word }) => word)).toEqual(['delivry', 'zebra']);
    expect(absent[0]?.nearest).toContain('delivery');
  }));
