import { expect, test } from 'vitest';
import { createProduct, listAudit } from '../accounts/accounts.ts';
import { signalBench as bench, SIGNALS_NOW as NOW, type SignalBench } from '../testing/signals.ts';
import { changeSignals, forgetDeletions, removeSignals, restoreSignals } from './change-signals.ts';
import { findSignal } from './signals.ts';

async function stateOf({ signals, ...tenant }: SignalBench, id: string) {
  const { themeId, placedBy, intent, intentBy } = await findSignal(signals, tenant, id);
  return { themeId, placedBy, intent, intentBy };
}

test('many signals are put to a theme and given an intent at once, which the answer undoes', async () => {
  const product = await bench();
  const { signals } = product;
  const { ids } = await product.save('the export fails', 'the export crashes', 'I love it');
  const before = await Promise.all(ids.map((id) => stateOf(product, id)));

  const answer = await changeSignals(
    signals,
    product,
    ids.slice(0, 2).map((id) => ({ id, label: 'Exports', intent: 'churn' as const })),
  );
  const [first, second, third] = await Promise.all(ids.map((id) => stateOf(product, id)));

  expect(first).toMatchObject({ placedBy: 'person', intent: 'churn', intentBy: 'person' });
  expect(first?.themeId).not.toBeNull();
  expect(second).toEqual(first);
  expect(third).toEqual(before[2]);
  expect(answer.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  expect(await product.themes()).toEqual([['Exports', 2, 0]]);

  // Sending it again with other words does not take back what a person said.
  await product.save({
    text: 'the export is great',
    externalId: (await findSignal(signals, product, ids[0] ?? '')).externalId,
  });
  expect(await stateOf(product, ids[0] ?? '')).toMatchObject({ intent: 'churn', placedBy: 'person' });

  await changeSignals(signals, product, answer);
  expect(await Promise.all(ids.map((id) => stateOf(product, id)))).toEqual(before);
  const audit = await listAudit(product.db, product.accountId, { limit: 9, action: 'signal.change' });
  expect(audit.map(({ detail }) => detail['signals'])).toEqual([2, 2]);
});

test('changes with an unknown theme change nothing, and signals of another product are left alone', async () => {
  const product = await bench();
  const { signals } = product;
  const { ids } = await product.save('the export fails');
  const [id = ''] = ids;
  const before = await stateOf(product, id);
  const newProduct = { accountId: product.accountId, name: 'other', actor: product.actor };
  const other = { ...product, productId: (await createProduct(product.db, newProduct, NOW)).id };
  const unknown = '00000000-0000-7000-8000-000000000000';

  const refused = changeSignals(signals, product, [
    { id, intent: 'churn' },
    { id, theme: unknown },
  ]);
  await expect(refused).rejects.toMatchObject({ code: 'unknown_id' });
  expect(
    await changeSignals(signals, other, [
      { id, intent: 'churn' },
      { id: 'sig:none', intent: 'bug' },
    ]),
  ).toEqual([]);
  expect(await removeSignals(signals, other, [id])).toEqual({ deletion: undefined, deleted: 0 });

  expect(await stateOf(product, id)).toEqual(before);
  expect(await product.search('export')).toEqual([id]);
});

test('a deletion of many is taken back with ids, themes and searches, once and within an hour', async () => {
  const product = await bench();
  const { signals } = product;
  const { ids } = await product.save('the walrus export fails', 'the zebra export fails', 'the okapi export fails');
  const [walrus = '', zebra = '', okapi = ''] = ids;
  await changeSignals(signals, product, [{ id: walrus, label: 'Walruses' }]);
  const before = await stateOf(product, walrus);

  const { deletion = '', deleted } = await removeSignals(signals, product, [walrus, zebra]);
  expect([deleted, await product.search('export')]).toEqual([2, [okapi]]);
  const newProduct = { accountId: product.accountId, name: 'other', actor: product.actor };
  const other = { ...product, productId: (await createProduct(product.db, newProduct, NOW)).id };
  await expect(restoreSignals(signals, other, deletion)).rejects.toMatchObject({ code: 'unknown_id' });

  expect(await restoreSignals(signals, product, deletion)).toBe(2);
  expect(await stateOf(product, walrus)).toEqual(before);
  expect((await product.search('export')).toSorted()).toEqual(ids.toSorted());
  await expect(restoreSignals(signals, product, deletion)).rejects.toMatchObject({ code: 'unknown_id' });

  const again = await removeSignals(signals, product, [walrus]);
  await forgetDeletions({ ...signals, now: () => new Date(NOW.getTime() + 59 * 60_000) });
  expect(await restoreSignals(signals, product, again.deletion ?? '')).toBe(1);
  const last = await removeSignals(signals, product, [walrus]);
  await forgetDeletions({ ...signals, now: () => new Date(NOW.getTime() + 61 * 60_000) });
  await expect(restoreSignals(signals, product, last.deletion ?? '')).rejects.toMatchObject({ code: 'unknown_id' });
});
