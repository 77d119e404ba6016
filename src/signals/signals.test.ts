import { createHash } from 'node:crypto';
import type { KyselyPlugin } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createProduct, listAudit } from '../accounts/accounts.ts';
import { KnowledgeIndex } from '../knowledge/knowledge.ts';
import { ShardReaders } from '../indexes/shards/shards.ts';
import { type TestAccount, testAccount } from '../testing/account.ts';
import { elect } from './anchor.ts';
import { foldTexts } from './fold.ts';
import { polarityOf } from './polarity.ts';
import {
  countSignals,
  findSignal,
  gatherThemes,
  type GivenSignal,
  joinThemes,
  listThemes,
  nameTheme,
  placeSignal,
  removeSignal,
  saveSignals,
  selectSignals,
  type Signals,
} from './signals.ts';
import { TEST_SECRET_KEYS } from '../testing/secrets.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const running = new AbortController().signal;

interface Bench extends TestAccount {
  signals: Signals;
  save: (...given: (string | GivenSignal)[]) => Promise<{ ids: string[]; added: number; updated: number }>;
  gather: () => Promise<void>;
  found: (query: string) => Promise<string[]>;
  /** Label, signals and customers of each theme. */
  themes: () => Promise<[string, number, number][]>;
}

/** Signals of a product without an index: words alone place them. */
async function bench(): Promise<Bench> {
  const account = await testAccount();
  const blobs = { put: () => Promise.reject(new Error('Nothing is stored here.')), path: (hash: string) => hash };
  const readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 1 });
  const signals: Signals = {
    db: account.db,
    readers,
    indexed: async () => [],
    secretKeys: TEST_SECRET_KEYS,
    now: () => NOW,
  };
  const index = new KnowledgeIndex({ db: account.db, cacheBytes: 1e7 });
  onTestFinished(() => index.close());
  let minutes = 0;
  return {
    ...account,
    signals,
    save: (...given) =>
      saveSignals(
        signals,
        account,
        given.map((one) => {
          // Each is a minute later than the one before: which is the oldest decides where others go.
          const date = new Date(NOW.getTime() - 86_400_000 + ++minutes * 60_000);
          return { date, ...(typeof one === 'string' ? { text: one } : one) };
        }),
      ),
    gather: () => gatherThemes(signals, account, running),
    found: async (query) => (await index.search(account, { query, limit: 20 })).hits.map((hit) => hit.id),
    themes: async () =>
      (await listThemes(signals, account)).map(({ label, signals: count, customers }) => [label, count, customers]),
  };
}

test('a signal is found at once, and the same external id again changes it', async () => {
  const one = await bench();

  const first = await one.save({ text: 'the zebra export is slow', externalId: 'a', source: 'support' });
  const again = await one.save({ text: 'the walrus export is slow', externalId: 'a', source: 'support' });
  const other = await one.save({ text: 'the walrus export is slow', externalId: 'a', source: 'mail' });

  expect([first.added, again.added, again.updated, other.added]).toEqual([1, 0, 1, 1]);
  expect(again.ids).toEqual(first.ids);
  expect([await one.found('zebra'), (await one.found('walrus')).toSorted()]).toEqual([
    [],
    [...first.ids, ...other.ids].toSorted(),
  ]);
});

test('signals are listed newest first, and of one moment by id, a page at a time', async () => {
  const one = await bench();
  const date = new Date('2026-03-01');
  const alike = await one.save({ text: 'zebra', date }, { text: 'walrus', date }, { text: 'okapi', date });
  await one.save({ text: 'older', date: new Date('2026-02-01') }, { text: 'newer', date: new Date('2026-04-01') });
  const texts = new Map(
    [
      ['zebra', 0],
      ['walrus', 1],
      ['okapi', 2],
    ].map(([text, at]) => [alike.ids[Number(at)], text]),
  );
  const inOrder = ['newer', ...alike.ids.toSorted().map((id) => texts.get(id)), 'older'];

  const page = async (limit: number, offset: number) =>
    (await selectSignals(one.db, one, { limit, offset })).rows.map(({ text }) => text);

  expect(await page(9, 0)).toEqual(inOrder);
  expect(await page(2, 1)).toEqual(inOrder.slice(1, 3));
});

test('what another product of the account says is neither found, counted, changed nor deleted', async () => {
  const one = await bench();
  const wanted = { accountId: one.accountId, name: 'other', actor: one.actor };
  const other = { ...one, productId: (await createProduct(one.db, wanted, NOW)).id };
  const mine = [
    { text: 'slow export', externalId: 'a', source: 'mail', customer: 'A', date: new Date('2026-01-02T00:00:00Z') },
    { text: 'no login', externalId: 'b', source: 'call', customer: 'A', date: new Date('2026-01-03T00:00:00Z') },
  ];
  const { ids } = await one.save(...mine);
  const [theirs = ''] = (
    await saveSignals(one.signals, other, [{ text: 'dark mode', externalId: 'a', source: 'mail' }])
  ).ids;

  expect(ids).not.toContain(theirs);
  expect(await countSignals(one.db, one)).toEqual({
    signals: 2,
    customers: 1,
    folded: 0,
    newest: mine[1]?.date,
    sources: ['call', 'mail'],
  });
  expect(await countSignals(one.db, other)).toMatchObject({ signals: 1, customers: 0 });
  expect((await selectSignals(one.db, one, { limit: 9, offset: 0 })).rows.map(({ text }) => text)).toEqual([
    'no login',
    'slow export',
  ]);
  await expect(findSignal(one.signals, other, ids[0] ?? '')).rejects.toMatchObject({ code: 'unknown_id' });
  await expect(removeSignal(one.signals, other, ids[0] ?? '')).rejects.toMatchObject({ code: 'unknown_id' });
  const mixed = { ...one, accountId: (await testAccount()).accountId };
  expect(await selectSignals(one.db, mixed, { limit: 9, offset: 0 })).toEqual({ rows: [], total: 0 });
  expect((await findSignal(one.signals, other, theirs)).text).toBe('dark mode');
  expect((await findSignal(one.signals, one, ids[0] ?? '')).text).toBe('slow export');
});

test('a batch that is sent twice adds nothing, also without external ids and with repeats in it', async () => {
  const one = await bench();
  const batch = ['slow export', 'slow export', { text: 'slow export', customer: 'Company One' }];

  const first = await one.save(...batch);
  const again = await one.save(...batch);

  expect(first).toMatchObject({ added: 2, updated: 0 });
  expect(first.ids).toHaveLength(3);
  expect(again).toEqual({ ids: first.ids, added: 0, updated: 2 });
});

test('a deleted signal is not found any more; one of another account is unknown', async () => {
  const one = await bench();
  const stranger = await testAccount();
  const { ids } = await one.save('walrus');
  const [id = ''] = ids;

  await expect(findSignal(one.signals, stranger, id)).rejects.toMatchObject({ code: 'unknown_id' });
  await expect(removeSignal(one.signals, stranger, id)).rejects.toMatchObject({ code: 'unknown_id' });
  expect(await one.found('walrus')).toEqual(ids);
  await removeSignal(one.signals, one, id);
  expect(await one.found('walrus')).toEqual([]);
  const audit = await listAudit(one.db, one.accountId, { limit: 9 });
  expect(audit.map(({ action, detail }) => [action, detail])).toEqual(
    expect.arrayContaining([
      ['signal.delete', expect.objectContaining({ source: 'import' })],
      ['signal.save', { added: 1, updated: 0, sources: ['import'] }],
    ]),
  );
});

const EXPORTS = ['CSV export is slow', 'export to CSV takes ages, slow', 'slow CSV export again'];
const LOGINS = ['login link expired', 'my login link expired too early', 'expired login link in mail'];

test('signals gather to themes, near-duplicates are folded, and new ones join', async () => {
  const one = await bench();
  await one.save(...EXPORTS.map((text, number) => ({ text, customer: `Company ${number}` })), ...LOGINS);
  await one.gather();
  const before = await one.themes();

  await one.save({ text: 'The CSV export is slow!', customer: 'Company 0' }, 'very slow export of CSV');
  await one.gather();

  const counted = before.map(([label, ...counts]) => [/login|export/.exec(label)?.[0], ...counts]);
  expect(counted.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
    ['export', 3, 3],
    ['login', 3, 0],
  ]);
  expect((await one.themes()).map(([, signals, customers]) => [signals, customers])).toEqual([
    [5, 3],
    [3, 0],
  ]);
  const { rows } = await selectSignals(one.db, one, { query: 'The CSV export is slow!', limit: 5, offset: 0 });
  expect(rows[0]?.duplicateOf).not.toBeNull();
});

test('no statement of an import or a gathering is about many signals, so that questions get their turn between', async () => {
  const one = await bench();
  const [read, written]: [number[], number[]] = [[], []];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.numAffectedRows === undefined) read.push(result.rows.length);
      else written.push(Number(result.numAffectedRows));
      return result;
    },
  };
  const watched = { ...one.signals, db: one.db.withPlugin(counting) };
  const words =
    'login link mail export page slow order cart price search filter chart report team invite role theme font';
  // Each says a third of the words: near enough for few themes, and too far to be the same.
  const given = Array.from({ length: 720 }, (_, at) => {
    const choice = createHash('sha256').update(String(at)).digest();
    const said = words.split(' ').filter((_word, place) => (choice[place] ?? 0) < 90);
    return { text: said.join(' '), externalId: String(at) };
  });

  await saveSignals(watched, one, given);
  await gatherThemes(watched, one, running);

  // Each entry is of a transaction, which keeps everybody else from the embedded database.
  const audit = await listAudit(one.db, one.accountId, { limit: 9 });
  const saved = audit.filter(({ action }) => action === 'signal.save').map(({ detail }) => detail['added']);
  expect(saved.toSorted((a, b) => Number(b) - Number(a))).toEqual([100, 100, 100, 100, 100, 100, 100, 20]);
  expect([Math.max(...written), Math.max(...read)]).toEqual([100, 500]);
});

test('what a person named, merged and placed stays, whatever is gathered later', async () => {
  const one = await bench();
  const { ids } = await one.save(...EXPORTS, ...LOGINS);
  await one.gather();
  const [exports, logins] = await listThemes(one.signals, one);
  await nameTheme(one.signals, one, { id: exports?.id ?? '', label: 'Exports' });
  await placeSignal(one.signals, one, { id: ids[0] ?? '', label: 'Wishes' });
  await joinThemes(one.signals, one, { id: logins?.id ?? '', into: exports?.id ?? '' });
  const audit = await listAudit(one.db, one.accountId, { limit: 9 });
  expect(audit.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['theme.rename', 'signal.place', 'theme.merge']),
  );

  await one.save('another expired login link', 'CSV export slow as ever');
  await one.gather();

  // What says the same as the one that was placed goes with it.
  expect(await one.themes()).toEqual([
    ['Exports', 6, 0],
    ['Wishes', 2, 0],
  ]);
  const stranger = await testAccount();
  await expect(nameTheme(one.signals, stranger, { id: exports?.id ?? '', label: 'x' })).rejects.toMatchObject({
    code: 'unknown_id',
  });
});

test('one more signal joins a theme without the others being read, and what is like nothing has none', async () => {
  const one = await bench();
  const kinds = [
    (at: number) => `the export of ${['charts', 'tables', 'reports', 'invoices'][at % 4]} is slow, number ${at}`,
    (at: number) => `my password is refused at ${['login', 'sign-in', 'the start', 'the gate'][at % 4]}, again ${at}`,
    (at: number) =>
      `please add ${['a dark mode', 'dark colours', 'a mode for the night', 'dark themes'][at % 4]} ${at}`,
  ];
  // More than are grouped anew for each change.
  await one.save(...Array.from({ length: 330 }, (_, at) => kinds[at % 3]?.(at) ?? ''));
  await one.gather();
  const themes = await one.themes();
  const read: number[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => (read.push(result.rows.length), result),
  };

  await one.save('exports of charts have become slow', 'the weather on Sunday');
  await gatherThemes({ ...one.signals, db: one.db.withPlugin(plugin) }, one, running);

  const { rows } = await selectSignals(one.db, one, { limit: 2, offset: 0 });
  const themeOf = new Map(rows.map(({ text, themeId }) => [text, themeId]));
  const before = (await listThemes(one.signals, one)).find(
    ({ id }) => id === themeOf.get('exports of charts have become slow'),
  );
  expect(before?.label).toContain('export');
  expect(themeOf.get('the weather on Sunday')).toBeNull();
  expect((await one.themes()).length).toBe(themes.length);
  expect(Math.max(...read)).toBeLessThanOrEqual(200);
});

test('a theme tells what its customers are worth, and a signal without a date makes no trend', async () => {
  const one = await bench();
  const customers = Array.from({ length: 8 }, (_, at) => ({ customer: `Company ${at % 4}`, value: 100 }));
  await one.save(...customers.map((rest, at) => ({ text: `the csv export is slow ${'again '.repeat(at)}`, ...rest })));
  await saveSignals(
    one.signals,
    one,
    Array.from({ length: 8 }, (_, at) => ({ text: `my login link has expired ${'early '.repeat(at)}` })),
  );
  await one.gather();

  const themes = await listThemes(one.signals, one);

  expect(themes.find(({ customers: count }) => count > 0)).toMatchObject({
    signals: 8,
    customers: 4,
    value: 400,
    trend: { last: 4, direction: 'rising' },
  });
  expect(themes.find(({ customers: count }) => count === 0)).toMatchObject({
    signals: 8,
    customers: 0,
    value: undefined,
    trend: { last: 0, direction: 'steady' },
  });
});

test('gathering twice changes nothing', async () => {
  const one = await bench();
  await one.save(...EXPORTS, ...LOGINS);
  await one.gather();
  const before = await listThemes(one.signals, one);

  await one.gather();

  expect(await listThemes(one.signals, one)).toEqual(before);
});

test.each([
  ['I love how fast it is', 1, ['love', 'fast']],
  ['It crashes, terrible', -1, ['crashes', 'terrible']],
  ['not useful at all', -1, ['not useful']],
  ['never crashes', 1, ['not crashes']],
  ['nice but slow', 0, ['nice', 'slow']],
  ['invoices in March', undefined, []],
  ['please make exports faster', undefined, []],
  ['a pleasure, and fast', 1, ['pleasure', 'fast']],
])('"%s" sounds %s', (text, polarity, words) => {
  expect(polarityOf(text)).toMatchObject({ polarity, words });
});

test.each([
  ['The export crashes with an error', 'bug'],
  ['Please add support for PDF', 'request'],
  ['How do I export?', 'question'],
  ['We will cancel our plan', 'churn'],
  ['Awesome, thank you', 'praise'],
  ['Invoice 12', 'other'],
])('"%s" is a %s', (text, intent) => {
  expect(polarityOf(text).intent).toBe(intent);
});

test('texts that differ by little are folded into the oldest, others are not', async () => {
  const long =
    'the page of invoices loads for minutes when there are many customers in the list of the account, and printing fails';

  const folded = foldTexts([
    { id: 'a', text: long },
    { id: 'b', text: `${long}!!` },
    { id: 'c', text: long.replace('minutes', 'hours') },
    { id: 'd', text: 'the page of invoices is empty' },
    { id: 'e', text: 'Empty' },
    { id: 'f', text: 'empty.' },
    { id: 'g', text: '' },
    { id: 'h', text: '' },
  ]);

  expect([...folded]).toEqual([
    ['b', 'a'],
    ['c', 'a'],
    ['f', 'e'],
  ]);
});

function hits(...places: string[]) {
  return places.map((place, index) => ({ place, score: 1 - index / 10 }));
}

test('hits elect a folder only when they agree and are near', () => {
  expect(elect(hits('a:src', 'a:src', 'a:lib'))).toEqual({ place: 'a:src', share: 0.7 });
  expect(elect(hits('a:1', 'a:2', 'a:3', 'a:4'))).toBeUndefined();
  expect(elect([{ place: 'a:src', score: 0.2 }])).toBeUndefined();
  expect(elect([])).toBeUndefined();
});
