import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createProduct, listAudit } from '../accounts/accounts.ts';
import { testAccount } from '../testing/account.ts';
import { SIGNALS_NOW as NOW, signalBench as bench } from '../testing/signals.ts';
import { foldTexts } from './fold.ts';
import { findSignal, type GivenSignal, removeSignal, saveSignals, selectSignals } from './signals.ts';
import { countSignals } from './store.ts';

test('a signal is found at once, and the same external id again changes it', async () => {
  const signalBench = await bench();

  const first = await signalBench.save({ text: 'the zebra export is slow', externalId: 'a', source: 'support' });
  const again = await signalBench.save({ text: 'the walrus export is slow', externalId: 'a', source: 'support' });
  const other = await signalBench.save({ text: 'the walrus export is slow', externalId: 'a', source: 'mail' });

  expect([first.added, again.added, again.updated, other.added]).toEqual([1, 0, 1, 1]);
  expect(again.ids).toEqual(first.ids);
  expect([await signalBench.search('zebra'), (await signalBench.search('walrus')).toSorted()]).toEqual([
    [],
    [...first.ids, ...other.ids].toSorted(),
  ]);
});

test('signals are listed newest first, and of one moment by id, a page at a time', async () => {
  const signalBench = await bench();
  const date = new Date('2026-03-01');
  const sameDay = await signalBench.save({ text: 'zebra', date }, { text: 'walrus', date }, { text: 'okapi', date });
  await signalBench.save(
    { text: 'older', date: new Date('2026-02-01') },
    { text: 'newer', date: new Date('2026-04-01') },
  );
  const texts = new Map(
    [
      ['zebra', 0],
      ['walrus', 1],
      ['okapi', 2],
    ].map(([text, at]) => [sameDay.ids[Number(at)], text]),
  );
  const inOrder = ['newer', ...sameDay.ids.toSorted().map((id) => texts.get(id)), 'older'];

  const page = async (limit: number, offset: number) =>
    (await selectSignals(signalBench.db, signalBench, { limit, offset })).rows.map(({ text }) => text);

  expect(await page(9, 0)).toEqual(inOrder);
  expect(await page(2, 1)).toEqual(inOrder.slice(1, 3));
});

test('what another product of the account says is neither found, counted, changed nor deleted', async () => {
  const signalBench = await bench();
  const newProduct = { accountId: signalBench.accountId, name: 'other', actor: signalBench.actor };
  const other = { ...signalBench, productId: (await createProduct(signalBench.db, newProduct, NOW)).id };
  const mine = [
    { text: 'slow export', externalId: 'a', source: 'mail', customer: 'A', date: new Date('2026-01-02T00:00:00Z') },
    { text: 'no login', externalId: 'b', source: 'call', customer: 'A', date: new Date('2026-01-03T00:00:00Z') },
  ];
  const { ids } = await signalBench.save(...mine);
  const [theirs = ''] = (
    await saveSignals(signalBench.signals, other, [{ text: 'dark mode', externalId: 'a', source: 'mail' }])
  ).ids;

  expect(ids).not.toContain(theirs);
  expect(await countSignals(signalBench.db, signalBench)).toEqual({
    signals: 2,
    customers: 1,
    folded: 0,
    newest: mine[1]?.date,
    sources: ['call', 'mail'],
    segments: [],
  });
  expect(await countSignals(signalBench.db, other)).toMatchObject({ signals: 1, customers: 0 });
  expect(
    (await selectSignals(signalBench.db, signalBench, { limit: 9, offset: 0 })).rows.map(({ text }) => text),
  ).toEqual(['no login', 'slow export']);
  await expect(findSignal(signalBench.signals, other, ids[0] ?? '')).rejects.toMatchObject({ code: 'unknown_id' });
  await expect(removeSignal(signalBench.signals, other, ids[0] ?? '')).rejects.toMatchObject({ code: 'unknown_id' });
  const mixed = { ...signalBench, accountId: (await testAccount()).accountId };
  expect(await selectSignals(signalBench.db, mixed, { limit: 9, offset: 0 })).toEqual({ rows: [], total: 0 });
  expect((await findSignal(signalBench.signals, other, theirs)).text).toBe('dark mode');
  expect((await findSignal(signalBench.signals, signalBench, ids[0] ?? '')).text).toBe('slow export');
});

test('a batch that is sent twice adds nothing, also without external ids and with repeats in it', async () => {
  const signalBench = await bench();
  const batch = ['slow export', 'slow export', { text: 'slow export', customer: 'Company One' }];

  const first = await signalBench.save(...batch);
  const again = await signalBench.save(...batch);

  expect(first).toMatchObject({ added: 2, updated: 0 });
  expect(first.ids).toHaveLength(3);
  expect(again).toEqual({ ids: first.ids, added: 0, updated: 2, unchanged: 0 });
});

test('sending a signal again tells whether anything of it has changed; a date that is not sent is not changed', async () => {
  const signalBench = await bench();
  const given = { text: 'slow export', externalId: 'a', customer: 'Company One', tags: ['x'], value: 1.5, date: NOW };
  const { date: _, ...undated } = given;
  await saveSignals(signalBench.signals, signalBench, [given]);
  const later = { ...signalBench.signals, now: () => new Date(NOW.getTime() + 60_000) };
  const outcome = async (next: GivenSignal) => {
    const { added, updated, unchanged } = await saveSignals(later, signalBench, [next]);
    return [added, updated, unchanged];
  };

  expect(await outcome(given)).toEqual([0, 0, 1]);
  expect(await outcome(undated)).toEqual([0, 0, 1]);
  expect(await outcome({ ...given, rating: 5 })).toEqual([0, 1, 0]);
  expect(await outcome({ ...given, rating: 5, tags: ['x', 'y'] })).toEqual([0, 1, 0]);
  expect((await selectSignals(signalBench.db, signalBench, { limit: 1, offset: 0 })).rows[0]).toMatchObject({
    date: NOW,
    polarity: 1,
    polarityWords: ['5 of 5 stars'],
  });
});

test('a deleted signal is not found any more; one of another account is unknown', async () => {
  const signalBench = await bench();
  const stranger = await testAccount();
  const { ids } = await signalBench.save('walrus');
  const [id = ''] = ids;

  await expect(findSignal(signalBench.signals, stranger, id)).rejects.toMatchObject({ code: 'unknown_id' });
  await expect(removeSignal(signalBench.signals, stranger, id)).rejects.toMatchObject({ code: 'unknown_id' });
  expect(await signalBench.search('walrus')).toEqual(ids);
  await removeSignal(signalBench.signals, signalBench, id);
  expect(await signalBench.search('walrus')).toEqual([]);
  const audit = await listAudit(signalBench.db, signalBench.accountId, { limit: 9 });
  expect(audit.map(({ action, detail }) => [action, detail])).toEqual(
    expect.arrayContaining([
      ['signal.delete', expect.objectContaining({ source: 'import' })],
      ['signal.save', { added: 1, updated: 0, sources: ['import'] }],
    ]),
  );
});

test('texts that differ by little are folded into the oldest, others are not', async () => {
  const long =
    'the page of invoices loads for minutes when there are many customers in the list of the account, and printing fails';

  const originals = foldTexts([
    { id: 'a', text: long },
    { id: 'b', text: `${long}!!` },
    { id: 'c', text: long.replace('minutes', 'hours') },
    { id: 'd', text: 'the page of invoices is empty' },
    { id: 'e', text: 'Empty' },
    { id: 'f', text: 'empty.' },
    { id: 'g', text: '' },
    { id: 'h', text: '' },
  ]);

  expect([...originals]).toEqual([
    ['b', 'a'],
    ['c', 'a'],
    ['f', 'e'],
  ]);
});

test('a signal is looked up by its key from the first import on, however few statistics the database has', async () => {
  const { db, accountId, productId } = await bench();

  const { rows } = await sql<Record<string, string>>`
    explain select text from signal
     where account_id = ${accountId} and product_id = ${productId} and source = 'import' and external_id = 'a'`.execute(
    db,
  );

  expect(rows.flatMap((row) => Object.values(row)).join('\n')).toContain('using signal_external on signal');
});
