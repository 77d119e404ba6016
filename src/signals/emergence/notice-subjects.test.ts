import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts';
import { encodeTexts } from '../../knowledge/vectors/vectors.ts';
import { createLog } from '../../platform/log.ts';
import { testEncoder } from '../../testing/encoder.ts';
import { type SignalBench, signalBench as bench, SIGNALS_NOW } from '../../testing/signals.ts';
import { listThemes, selectSignals, type Theme } from '../signals.ts';
import { joinThemes, nameTheme } from '../themes.ts';
import { selectLiveSubjects } from '../store-subjects.ts';
import { findDueProducts, findNewSubjects, noticeSubjects } from './emergence.ts';

const running = new AbortController().signal;
const PLACES = 'office train garden kitchen market harbour forest station school museum bridge castle'.split(' ');
const daysAgo = (days: number): Date => new Date(SIGNALS_NOW.getTime() - days * DAY_MS);

/** A product with messages of a year that have little in common, none of them about batteries. */
async function quietProduct(): Promise<SignalBench> {
  const product = await bench();
  await product.save(
    ...Array.from({ length: 60 }, (_, at) => ({
      text: `${PLACES[at % 12]} visit ${PLACES[(at * 5 + 3) % 12]} ${['fine', 'loud', 'cold', 'nice', 'far'][at % 5]}`,
      date: daysAgo(3 + at * 5),
    })),
  );
  await product.gather();
  return product;
}

/** Adds what each place says of its battery. */
const drain = (product: SignalBench, places: readonly string[], days = 1): Promise<{ ids: string[] }> =>
  product.save(...places.map((place) => ({ text: `battery drains in the ${place}`, date: daysAgo(days) })));

const notice = (product: SignalBench, now: Date = SIGNALS_NOW): Promise<void> =>
  noticeSubjects({ ...product.signals, now: () => now }, product, running);
const risingOf = (themes: readonly Theme[]): Theme[] => themes.filter(({ trend }) => trend.direction !== 'steady');

test('a subject that emerges is a theme of its own, which is new until it is no longer more than usual', async () => {
  const product = await quietProduct();
  await notice(product);
  expect(risingOf(await listThemes(product.signals, product))).toEqual([]);

  const { ids } = await drain(product, PLACES.slice(0, 8));
  await product.gather();
  await notice(product);
  await notice(product, new Date(SIGNALS_NOW.getTime() + 2 * HOUR_MS));

  const [theme, ...others] = risingOf(await listThemes(product.signals, product));
  expect(others).toEqual([]);
  expect(theme).toMatchObject({ signals: 8, trend: { direction: 'new' } });
  expect(theme?.label).toMatch(/battery|drains/);
  const { rows } = await selectSignals(product.db, product, { themeId: theme?.id ?? '', limit: 20, offset: 0 });
  expect(rows.map(({ id }) => `sig:${id}`).toSorted()).toEqual(ids.toSorted());
  expect(await selectLiveSubjects(product.db, product)).toMatchObject([{ kind: 'new', voices: 8, before: 0 }]);

  // A later grouping keeps it, and another signal joins it.
  await drain(product, ['tower']);
  await product.gather();
  expect((await listThemes(product.signals, product)).find(({ id }) => id === theme?.id)?.signals).toBe(9);

  await notice(product, daysAgo(-20));
  expect(await selectLiveSubjects(product.db, product)).toEqual([]);
});

/** Has the product compare by meaning, with vectors as soon as they are encoded. */
function withEncoder(product: SignalBench): { encode: () => Promise<void> } {
  const encoder = testEncoder({ akku: 'battery', leer: 'drains' });
  product.signals.encoder = encoder;
  const parts = { db: product.db, encoder, log: createLog('silent'), countEncoded: () => undefined };
  return { encode: () => encodeTexts(parts, product, running) };
}

test('no subject is stored by words alone while vectors are on their way', async () => {
  const product = await quietProduct();
  const { encode } = withEncoder(product);
  await drain(product, PLACES.slice(0, 8));
  await product.gather();

  await notice(product);
  expect(await selectLiveSubjects(product.db, product)).toEqual([]);
  await encode();
  await product.gather();
  await notice(product);

  expect(await selectLiveSubjects(product.db, product)).toMatchObject([{ kind: 'new', voices: 8 }]);
});

test('vectors that do not come hold no subject up for more than a day', async () => {
  const product = await quietProduct();
  withEncoder(product);
  await drain(product, PLACES.slice(0, 8));
  await product.gather();

  await notice(product, daysAgo(-2));

  expect(await selectLiveSubjects(product.db, product)).toMatchObject([{ kind: 'new', voices: 8 }]);
});

test('a signal without its vector is looked at as soon as it has one', async () => {
  const product = await quietProduct();
  const { encode } = withEncoder(product);
  await drain(product, PLACES.slice(0, 8));
  await encode();
  await drain(product, ['tower']);
  await product.gather();

  await notice(product);
  expect(await selectLiveSubjects(product.db, product)).toMatchObject([{ voices: 8 }]);
  expect(await findDueProducts(product.signals)).toContainEqual({
    accountId: product.accountId,
    productId: product.productId,
  });
  await encode();
  await notice(product, new Date(SIGNALS_NOW.getTime() + HOUR_MS));

  expect(await selectLiveSubjects(product.db, product)).toMatchObject([{ voices: 9 }]);
});

test('a subject of words alone is grouped with what means the same once there is an encoder, and looked for again', async () => {
  const product = await quietProduct();
  await drain(product, PLACES.slice(0, 8));
  const { ids } = await product.save('Akku leer, Turm', 'Akku leer, Brücke', 'Akku leer, Platz');
  await product.gather();
  await notice(product);
  expect(await selectLiveSubjects(product.db, product)).toMatchObject([{ voices: 8 }]);

  await withEncoder(product).encode();
  await product.gather();
  await notice(product);

  expect(await selectLiveSubjects(product.db, product)).toMatchObject([{ voices: 11 }]);
  const [theme] = risingOf(await listThemes(product.signals, product));
  const { rows } = await selectSignals(product.db, product, { themeId: theme?.id ?? '', limit: 20, offset: 0 });
  expect(rows.map(({ id }) => `sig:${id}`)).toEqual(expect.arrayContaining(ids));
});

test('the tool reports new subjects of any period, with what was there before', async () => {
  const product = await quietProduct();
  await drain(product, PLACES.slice(0, 8));
  const look = (days: number) =>
    findNewSubjects(product.signals, product, { since: daysAgo(days), until: SIGNALS_NOW, signal: running });

  const { subjects, recent } = await look(14);

  expect(subjects).toMatchObject([{ signals: 8, customers: 0, before: 0, since: daysAgo(1) }]);
  expect(recent).toBe(11);
  expect((await look(0.5)).subjects).toEqual([]);
});

test('a subject inside of a theme that a person formed is that theme, and no signal leaves it', async () => {
  const product = await quietProduct();
  await drain(product, PLACES.slice(0, 8));
  await product.gather();
  const [theme] = (await listThemes(product.signals, product)).filter(({ label }) => /battery|drains/.test(label));
  const [other] = (await listThemes(product.signals, product)).filter(({ id }) => id !== theme?.id);
  await nameTheme(product.signals, product, { id: other?.id ?? '', label: 'Everything' });
  await joinThemes(product.signals, product, { id: theme?.id ?? '', into: other?.id ?? '' });

  await notice(product);

  const everything = (await listThemes(product.signals, product)).find(({ label }) => label === 'Everything');
  expect(everything).toMatchObject({ signals: (other?.signals ?? 0) + 8, trend: { direction: 'new' } });
});

test('a product is due when recent signals came since it was looked at, and a few wait for the hour', async () => {
  const product = await quietProduct();
  const isDue = async (): Promise<boolean> =>
    (await findDueProducts(product.signals)).some(({ productId }) => productId === product.productId);

  expect(await isDue()).toBe(true);
  await notice(product);
  expect(await isDue()).toBe(false);
});
