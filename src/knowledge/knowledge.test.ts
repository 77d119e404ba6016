import { expect, test } from 'vitest';
import { createProduct } from '../accounts/accounts.ts';
import { termsOf } from '../text/terms.ts';
import { type TestAccount, testAccount } from '../testing/account.ts';
import { countingDb, knowledgeEntry as entry, openIndex } from '../testing/knowledge.ts';
import { type KnowledgeIndex, putEntries, putThings, removeEntries } from './knowledge.ts';
import type { KnowledgeQuery } from './query.ts';
import { snippetOf } from '../text/best-lines.ts';
import type { ThingEntries } from './store.ts';

interface Bench extends TestAccount {
  index: KnowledgeIndex;
  /** Ids of hits, best first. */
  ids: (query: string, more?: Partial<KnowledgeQuery>) => Promise<string[]>;
}

async function bench(): Promise<Bench> {
  const account = await testAccount();
  const index = openIndex(account);
  const ids = async (query: string, more: Partial<KnowledgeQuery> = {}): Promise<string[]> =>
    (await index.search(account, { query, limit: 50, ...more })).hits.map((hit) => hit.id);
  return { ...account, index, ids };
}

test('a search finds what was committed before it, on every replica, and not what is gone', async () => {
  const { db, index, ids, ...account } = await bench();
  const replica = openIndex({ db, ...account });
  const thing = { corpus: 'documents', id: 'doc:1' } as const;
  const put = (text: string): Promise<void> =>
    db.transaction().execute((tx) => putEntries(tx, account, thing, [entry(text)]));
  const both = async (query: string): Promise<string[][]> => [
    await ids(query),
    (await replica.search(account, { query, limit: 5 })).hits.map((hit) => hit.id),
  ];

  await put('Refunds are paid within a week.');
  expect(await both('refund')).toEqual([['doc:1'], ['doc:1']]);
  await put('Invoices are sent monthly.');
  expect(await both('refund')).toEqual([[], []]);
  expect(await both('invoice')).toEqual([['doc:1'], ['doc:1']]);
  await db.transaction().execute((tx) => removeEntries(tx, account, thing));
  expect(await both('invoice')).toEqual([[], []]);
  await put('Back again: invoices.');
  expect(await both('invoice')).toEqual([['doc:1'], ['doc:1']]);
});

test('who searches a product before anything is written finds what is written first', async () => {
  const { db, ids, ...account } = await bench();
  expect(await ids('zebra')).toEqual([]);

  await db.transaction().execute((tx) => putEntries(tx, account, { corpus: 'plans', id: 'plan:a' }, [entry('zebra')]));
  expect(await ids('zebra')).toEqual(['plan:a']);

  await db.transaction().execute((tx) => putEntries(tx, account, { corpus: 'plans', id: 'plan:b' }, [entry('zebra')]));
  expect(await ids('zebra')).toEqual(['plan:a', 'plan:b']);
});

test('a transaction that is rolled back leaves nothing to find', async () => {
  const { db, ids, ...account } = await bench();
  const failing = db.transaction().execute(async (tx) => {
    await putEntries(tx, account, { corpus: 'plans', id: 'plan:a' }, [entry('zebra')]);
    throw new Error('no');
  });

  await expect(failing).rejects.toThrow('no');

  expect(await ids('zebra')).toEqual([]);
});

test('nothing of another product or account is found', async () => {
  const { db, index, ids, actor, ...account } = await bench();
  const other = await createProduct(db, { accountId: account.accountId, name: 'other', actor }, new Date());
  const stranger = await testAccount();
  await db.transaction().execute((tx) => putEntries(tx, stranger, { corpus: 'plans', id: 'plan:a' }, [entry('zebra')]));
  const inOther = { accountId: account.accountId, productId: other.id };
  await db.transaction().execute((tx) => putEntries(tx, inOther, { corpus: 'plans', id: 'plan:b' }, [entry('zebra')]));

  expect(await ids('zebra')).toEqual([]);
  expect((await index.search(inOther, { query: 'zebra', limit: 5 })).hits.map((hit) => hit.id)).toEqual(['plan:b']);
  // The product of one account is nothing to another, even by its id.
  const mixed = { accountId: stranger.accountId, productId: other.id };
  expect((await index.search(mixed, { query: 'zebra', limit: 5 })).hits).toEqual([]);
  const revisions = [inOther, mixed].map(
    async (tenant) => (await index.rank(tenant, { query: '', limit: 5 })).revision,
  );
  expect(await Promise.all(revisions)).toEqual([1, 0]);
});

test('corpora share one scale, totals are exact whatever the limit, and coverage tells what there is', async () => {
  const { db, index, ...account } = await bench();
  const date = new Date('2026-02-01T00:00:00Z');
  const signals = Array.from({ length: 30 }, (_, number) => ({
    corpus: 'signals' as const,
    id: `sig:${number}`,
    entries: [entry(`Export to CSV takes too long (${number})`, { kind: 'signal', date })],
  }));
  const document = {
    corpus: 'documents' as const,
    id: 'doc:export',
    entries: [
      entry('How to export data as CSV.', { part: 'a', title: 'CSV export', section: 'Export' }),
      entry('How to import data.', { part: 'b', title: 'CSV export', section: 'Import' }),
    ],
  };
  await db.transaction().execute((tx) => putThings(tx, account, [...signals, document]));

  const { hits, totals, coverage } = await index.search(account, { query: 'csv export', limit: 3 });

  expect(hits).toHaveLength(3);
  expect(hits[0]).toMatchObject({ corpus: 'documents', id: 'doc:export', part: 'a', section: 'Export' });
  expect(hits[0]?.snippet).toBe('How to export data as CSV.');
  expect(hits.every((hit) => hit.score > 0 && hit.score <= 1)).toBe(true);
  expect(totals).toEqual({ documents: 2, signals: 30, plans: 0, decisions: 0, competitors: 0 });
  expect(coverage.signals).toEqual({ things: 30, entries: 30, newest: date });
  expect(coverage.documents).toEqual({ things: 1, entries: 2, newest: undefined });
  const next = await index.search(account, { query: 'csv export', limit: 3, offset: 3 });
  expect(next.hits.map((hit) => hit.id)).not.toEqual(expect.arrayContaining(hits.map((hit) => hit.id)));
});

test.each<[string, Partial<KnowledgeQuery>, string[]]>([
  ['corpus', { corpora: ['plans'] }, ['plan:c']],
  ['kind', { kinds: ['product_doc'] }, ['doc:b']],
  ['since', { since: new Date('2026-02-01') }, ['sig:a']],
  ['until', { until: new Date('2026-02-01') }, ['doc:b']],
  ['one tag', { tags: ['Billing'] }, ['sig:a', 'doc:b']],
  ['all tags', { tags: ['billing', 'EU'] }, ['sig:a']],
  ['customer', { customer: 'company one' }, ['sig:a']],
  ['segment', { customer: 'enterprise' }, ['sig:a']],
  ['source', { customer: 'repo' }, ['doc:b']],
])('a search can be narrowed by %s, with and without words', async (_, filter, expected) => {
  const { db, ids, ...account } = await bench();
  const attributes = { customer: 'Company One', segment: 'Enterprise', source: 'survey' };
  await db.transaction().execute((tx) =>
    putThings(tx, account, [
      {
        corpus: 'signals',
        id: 'sig:a',
        entries: [
          entry('refund', { kind: 'signal', date: new Date('2026-03-01'), tags: ['billing', 'eu'], ...attributes }),
        ],
      },
      {
        corpus: 'documents',
        id: 'doc:b',
        entries: [
          entry('refund', { kind: 'product_doc', date: new Date('2026-01-01'), tags: ['billing'], source: 'repo' }),
        ],
      },
      { corpus: 'plans', id: 'plan:c', entries: [entry('refund', { kind: 'plan' })] },
    ]),
  );

  expect((await ids('refund', filter)).toSorted()).toEqual(expected.toSorted());
  expect(await ids('', filter)).toEqual(expected);
});

test('words are found in any of their forms, and those that nothing has are named', async () => {
  const { db, index, ids, ...account } = await bench();
  await db.transaction().execute((tx) =>
    putThings(tx, account, [
      { corpus: 'decisions', id: 'dec:1', entries: [entry('We cache parsed files; see parseConfigFile.')] },
      { corpus: 'decisions', id: 'dec:2', entries: [entry('Über die Größe 漢字 der Dateien')] },
    ]),
  );

  expect(await ids('caching')).toEqual(['dec:1']);
  expect(await ids('parse config')).toEqual(['dec:1']);
  expect(await ids('größe')).toEqual(['dec:2']);
  expect(await ids('漢字')).toEqual(['dec:2']);
  const { hits, unknownTerms } = await index.search(account, { query: 'cached unicorns', limit: 5 });
  expect([hits.map((hit) => hit.id), unknownTerms]).toEqual([['dec:1'], ['unicorn']]);
  expect(await ids('the of')).toEqual([]);
});

test('an entry that has only the most common word of many is no hit', async () => {
  const { db, ids, ...account } = await bench();
  const noise = Array.from({ length: 40 }, (_, number) => ({
    corpus: 'signals' as const,
    id: `sig:${number}`,
    entries: [entry(`please fix the page ${number}`)],
  }));
  const target = { corpus: 'signals' as const, id: 'sig:x', entries: [entry('the webhook signature page is wrong')] };
  await db.transaction().execute((tx) => putThings(tx, account, [...noise, target]));

  expect(await ids('webhook signature page')).toEqual(['sig:x']);
});

test('text that PostgreSQL does not take as it is can be stored and found', async () => {
  const { db, ids, ...account } = await bench();
  await db
    .transaction()
    .execute((tx) =>
      putEntries(tx, account, { corpus: 'documents', id: 'doc:odd' }, [entry('a zero\0 half \ud83d \\u0000 walrus')]),
    );

  expect(await ids('walrus')).toEqual(['doc:odd']);
});

function rounds(round: number): ThingEntries[] {
  return Array.from({ length: 300 }, (_, number) => ({
    corpus: 'signals' as const,
    id: `sig:${number}`,
    entries: [entry(`word${number % 7} round${round} page ${'again '.repeat(number % 5)}`)],
  }));
}

test('many replacements change neither scores nor order', async () => {
  const { db, index, ...account } = await bench();
  const search = async (knowledgeIndex: KnowledgeIndex) =>
    (await knowledgeIndex.search(account, { query: 'word3 again page', limit: 50 })).hits.map(({ id, score }) => [
      id,
      score,
    ]);
  for (let round = 0; round < 8; round += 1) {
    await db.transaction().execute((tx) => putThings(tx, account, rounds(round)));
    await search(index);
  }

  const fresh = openIndex({ db, ...account });

  expect(await search(index)).toEqual(await search(fresh));
});

test('searches beside writers never miss what was committed before they began', async () => {
  const { db, ids, ...account } = await bench();
  const write = async (number: number): Promise<void> => {
    const thing = { corpus: 'signals', id: `sig:${number}` } as const;
    await db.transaction().execute((tx) => putEntries(tx, account, thing, [entry(`walrus ${number}`)]));
    expect(await ids('walrus')).toContain(thing.id);
  };

  await Promise.all(Array.from({ length: 20 }, (_, number) => write(number)));

  expect(await ids('walrus')).toHaveLength(20);
});

test('searches that come while one reads share the next read, and find what was committed before them', async () => {
  const { db, ...account } = await bench();
  const { db: counting, changes } = countingDb(db);
  const index = openIndex({ ...account, db: counting });
  const search = (): Promise<unknown> => index.rank(account, { query: 'walrus', limit: 5 });
  await search();
  changes.length = 0;

  await Promise.all(Array.from({ length: 30 }, search));

  expect(changes.length).toBeLessThanOrEqual(2);
});

const LONG = `${'lorem ipsum '.repeat(60)}the walrus swims ${'dolor sit '.repeat(60)}`;

test.each([
  ['all of a short text', 'short', 'short', /^short$/],
  ['the beginning when it has none of the words', 'x '.repeat(300), 'missing', /^x x .* x…$/],
  ['the place of the words', LONG, 'swimming walrus', /^…(?:lorem|ipsum) .*the walrus swims .*…$/],
])('a snippet shows %s', (_, text, query, expected) => {
  const snippet = snippetOf(text, new Set(termsOf(query)));

  expect(snippet).toMatch(expected);
  expect(snippet.length).toBeLessThan(260);
});

test('a limit for each corpus lets all of them in, and hits tell which of the terms they have and where', async () => {
  const { db, index, ...account } = await bench();
  const signals = Array.from({ length: 8 }, (_, number) => {
    return { corpus: 'signals' as const, id: `sig:${number}`, entries: [entry(`A refund by card, ${number}`)] };
  });
  const plan = { corpus: 'plans' as const, id: 'plan:a', entries: [entry('By card.', { title: 'Refund', part: 's' })] };
  await db.transaction().execute((tx) => putThings(tx, account, [...signals, plan]));
  const query = { query: 'refund card', limit: 2, perCorpus: true };

  const { hits, totals, entriesWith } = await index.rank(account, query);
  const next = await index.rank(account, { ...query, offset: 2 });

  expect(hits.map(({ corpus }) => corpus).toSorted()).toEqual(['plans', 'signals', 'signals']);
  expect(hits.find(({ corpus }) => corpus === 'plans')).toMatchObject({
    terms: ['refund', 'card'],
    headTerms: ['refund'],
  });
  expect(next.hits.map(({ corpus }) => corpus)).toEqual(['signals', 'signals']);
  expect([totals.signals, entriesWith]).toEqual([8, { refund: 9, card: 9 }]);
});
