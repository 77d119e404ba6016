import { expect, test } from 'vitest';
import { shardInput, shop, type SymbolSketch, withShard } from '../../testing/code-shard.ts';
import { scoreDocuments } from './rank-score.ts';
import { semanticSearch } from '../queries/store.ts';

const rounded = (value: number): number => Number(value.toFixed(3));

/** A function on the first line. */
function called(name: string, more: Partial<SymbolSketch> = {}): SymbolSketch {
  return { qualified: name, kind: 'function', line: 1, ...more };
}

test('a word counts by the field it stands in, how often, and how long that field is', () => {
  const files = [
    { path: 'a/body.ts', text: 'function one() { refund(); }\n', symbols: [called('one', { end: 1 })] },
    { path: 'a/twice.ts', text: 'function two() {\n refund(); refund(); }\n', symbols: [called('two', { end: 2 })] },
    { path: 'a/comment.ts', text: 'function three() {\n // refund\n}\n', symbols: [called('three', { end: 3 })] },
    { path: 'a/doc.ts', text: 'function four() {}\n', symbols: [called('four', { doc: 'Gives a refund.' })] },
    { path: 'a/name.ts', text: 'function refund() {}\n', symbols: [called('refund')] },
    {
      path: 'a/scope.ts',
      text: 'class Refund {\n five() {} }\n',
      symbols: [
        { qualified: 'Refund', kind: 'class' as const, line: 1, end: 2 },
        { qualified: 'Refund/five', kind: 'method' as const, line: 2 },
      ],
    },
    { path: 'refund/path.ts', text: 'function six() {}\n', symbols: [called('six')] },
    ...['x', 'y', 'z'].map((name) => ({ path: `b/${name}.md`, text: 'weather words '.repeat(9) })),
  ];

  return withShard(shardInput(files), (db) => {
    const { score, coverage, signature, path, idf, symbols } = scoreDocuments(
      db,
      new Map([
        ['refund', 2],
        ['unicorn', 1],
      ]),
    );
    const table = [score, coverage, signature, path].map((values) => [...values].map(rounded));

    expect(symbols).toBe(8);
    expect(idf.get('unicorn')).toBe(0);
    expect(rounded(idf.get('refund') ?? 0)).toMatchInlineSnapshot(`1.004`);
    expect(table.map((values) => values.join(' '))).toMatchInlineSnapshot(`
      [
        "1.506 0.182 0.599 2.237 2.217 1.456 1.533 1.235 1.105 0 0 1.179 0 0 0 0 0 1.235",
        "1.004 1.004 1.004 1.004 1.004 1.004 1.004 1.004 1.004 0 0 1.004 0 0 0 0 0 1.004",
        "0.514 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0 1.004 0 0 0 0 0 0 0 0 0 1.004",
      ]
    `);
  });
});

test('a path or a signature that has the word twice says more than one that has it once, by its rarity', () => {
  const files = [
    { path: 'refund/once.ts', text: 'function one(a: Refund) {}\n', symbols: [called('one')] },
    {
      path: 'refund/refund/twice.ts',
      text: 'function two(a: Refund, b: Refund) {}\n',
      symbols: [called('two')],
    },
    ...Array.from({ length: 30 }, (_, at) => ({ path: `b/${at}.md`, text: 'weather words' })),
  ];

  return withShard(shardInput(files), (db) => {
    const { signature, path, idf } = scoreDocuments(db, new Map([['refund', 2]]));
    const rarity = idf.get('refund') ?? 0;

    expect(rarity).toBeGreaterThan(3);
    // Long signatures count for less; the length of a path does not matter.
    expect(Array.from(path.subarray(0, 2)).map((value) => rounded(value / rarity))).toEqual([1, 1.375]);
    expect(Array.from(signature.subarray(0, 2)).map((value) => rounded(value / rarity))).toMatchInlineSnapshot(`
      [
        0.262,
        0.272,
      ]
    `);
  });
});

test('what speaks for an answer weighs what was learnt', () =>
  withShard(shop(), (db) => {
    const answers = [
      'where is a message delivered to the customer?',
      'a message is delivered to the customer',
      'checks whether the server is busy',
      'send mail',
      'sendMail',
      'notify about an order',
      'sends a mail to whoever has ordered',
    ].flatMap((query) => [
      query,
      ...semanticSearch(db, { query, limit: 6, offset: 0 }).rows.map(
        ({ path, symbol, score, why }) => `  ${symbol || path} ${score.toPrecision(2)} ${why}`,
      ),
    ]);

    expect(answers).toMatchInlineSnapshot(`
      [
        "where is a message delivered to the customer?",
        "  sendMail 0.070 terms, vector, graph",
        "  SmtpMailer/send 0.018 graph, vector, terms",
        "  SmtpMailer 0.0 graph, vector",
        "  src/mail/client.ts 0.0 vector",
        "  Mailer 0.0 vector",
        "a message is delivered to the customer",
        "  sendMail 0.022 terms, vector, graph",
        "  SmtpMailer/send 0.0010 terms, vector, graph",
        "  SmtpMailer 0.0 vector, graph",
        "  src/mail/client.ts 0.0 vector",
        "  Mailer 0.0 vector",
        "checks whether the server is busy",
        "  SmtpMailer/send 0.0030 terms, vector",
        "send mail",
        "  sendMail 0.0090 terms, graph, name",
        "  SmtpMailer/send 0.0050 terms, graph, name",
        "  Mailer 0.0050 terms, graph, name, path",
        "  SmtpMailer 0.0050 terms, graph, name, path",
        "  notifyOrder 0.0020 terms, graph, file",
        "  Mailer/send 0.0020 terms, graph, name, path",
        "sendMail",
        "  sendMail 0.14 terms, name, graph",
        "  notifyOrder 0.0010 terms, graph, file",
        "  SmtpMailer 0.0 terms, graph, name",
        "  src/orders/notify.ts 0.0 terms, file",
        "  SmtpMailer/send 0.0 terms, graph, name",
        "  Mailer 0.0 terms, name, graph",
        "notify about an order",
        "  notifyOrder 0.70 terms, vector, path, name",
        "  src/orders/notify.ts 0.0050 terms, vector, name",
        "  README.md 0.0 terms, vector, file",
        "sends a mail to whoever has ordered",
        "  notifyOrder 0.82 terms, vector, graph",
        "  sendMail 0.044 vector, terms, graph, name",
        "  Mailer/send 0.023 vector, graph, terms, name",
        "  SmtpMailer/send 0.0090 vector, terms, name, graph",
        "  src/orders/notify.ts 0.0060 terms, vector, path",
        "  Mailer 0.0 vector, terms, name, graph",
      ]
    `);
  }));

test('over several repositories a word weighs by how rare it is in all of them, also where it does not occur', () =>
  withShard(shop(), (db) => {
    const terms = new Map([
      ['mail', 1],
      ['unicorn', 1],
    ]);
    const alone = scoreDocuments(db, terms).idf;
    const rare = scoreDocuments(db, terms, { statistics: { documents: 1_000, having: { mail: 2, unicorn: 500 } } }).idf;
    const unknown = scoreDocuments(db, terms, { statistics: { documents: 1_000, having: { mail: 2, unicorn: 0 } } });

    expect(alone.get('unicorn')).toBe(0);
    expect(rare.get('unicorn')).toBeCloseTo(Math.log(1 + 500.5 / 500.5));
    expect(rare.get('mail')).toBeCloseTo(Math.log(1 + 998.5 / 2.5));
    expect(unknown.idf.get('unicorn')).toBe(0);
  }));
