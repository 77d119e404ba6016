import { createHash } from 'node:crypto';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { listAudit } from '../accounts/accounts.ts';
import { testAccount } from '../testing/account.ts';
import { signalBench as bench, SIGNALS_NOW } from '../testing/signals.ts';
import { DAY_MS } from '../kernel/time.ts';
import { gatherThemes, hasSignals, listThemes, placeSignal, saveSignals, selectSignals } from './signals.ts';
import { describeTheme } from './describe-theme.ts';
import { stateLink } from './links/store-links.ts';
import { personalThemes, selectThemes } from './store-themes.ts';
import { joinThemes, nameTheme } from './themes.ts';

const running = new AbortController().signal;

const EXPORTS = ['CSV export is slow', 'export to CSV takes ages, slow', 'slow CSV export again'];
const LOGINS = ['login link expired', 'my login link expired too early', 'expired login link in mail'];

test('signals gather to themes, near-duplicates are folded, and new ones join', async () => {
  const signalBench = await bench();
  expect(await hasSignals(signalBench.signals, signalBench)).toBe(false);
  await signalBench.save(...EXPORTS.map((text, number) => ({ text, customer: `Company ${number}` })), ...LOGINS);
  await signalBench.gather();
  const before = await signalBench.themes();
  expect(await hasSignals(signalBench.signals, signalBench)).toBe(true);

  await signalBench.save({ text: 'The CSV export is slow!', customer: 'Company 0' }, 'very slow export of CSV');
  await signalBench.gather();

  const counted = before.map(([label, ...counts]) => [/login|CSV/.exec(label)?.[0], ...counts]);
  expect(counted.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
    ['CSV', 3, 3],
    ['login', 3, 0],
  ]);
  expect((await signalBench.themes()).map(([, signals, customers]) => [signals, customers])).toEqual([
    [5, 3],
    [3, 0],
  ]);
  const { rows } = await selectSignals(signalBench.db, signalBench, {
    query: 'The CSV export is slow!',
    limit: 5,
    offset: 0,
  });
  expect(rows[0]?.duplicateOf).not.toBeNull();
});

test('no statement of an import or a gathering is about many signals, so that questions get their turn between', async () => {
  const signalBench = await bench();
  const [read, written]: [number[], number[]] = [[], []];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.numAffectedRows === undefined) read.push(result.rows.length);
      else written.push(Number(result.numAffectedRows));
      return result;
    },
  };
  const watched = { ...signalBench.signals, db: signalBench.db.withPlugin(counting) };
  const words =
    'login link mail export page slow order cart price search filter chart report team invite role theme font';
  // Each says a third of the words: near enough for few themes, and too far to be the same.
  const given = Array.from({ length: 720 }, (_, at) => {
    const choice = createHash('sha256').update(String(at)).digest();
    const chosen = words.split(' ').filter((_word, place) => (choice[place] ?? 0) < 90);
    return { text: chosen.join(' '), externalId: String(at) };
  });

  await saveSignals(watched, signalBench, given);
  await gatherThemes(watched, signalBench, running);

  // Each entry is of a transaction, which keeps everybody else from the embedded database.
  const audit = await listAudit(signalBench.db, signalBench.accountId, { limit: 20 });
  const saved = audit.filter(({ action }) => action === 'signal.save').map(({ detail }) => detail['added']);
  expect(saved.toSorted((a, b) => Number(b) - Number(a))).toEqual([...Array.from({ length: 14 }, () => 50), 20]);
  expect([Math.max(...written), Math.max(...read)]).toEqual([100, 100]);
});

test('what a person named, merged and placed stays, whatever is gathered later', async () => {
  const signalBench = await bench();
  const { ids } = await signalBench.save(...EXPORTS, ...LOGINS);
  await signalBench.gather();
  const [exports, logins] = await listThemes(signalBench.signals, signalBench);
  await nameTheme(signalBench.signals, signalBench, { id: exports?.id ?? '', label: 'Exports' });
  await placeSignal(signalBench.signals, signalBench, { id: ids[0] ?? '', label: 'Wishes' });
  await joinThemes(signalBench.signals, signalBench, { id: logins?.id ?? '', into: exports?.id ?? '' });
  const audit = await listAudit(signalBench.db, signalBench.accountId, { limit: 20 });
  expect(audit.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['theme.rename', 'signal.place', 'theme.merge']),
  );

  await signalBench.save('another expired login link', 'CSV export slow as ever');
  await signalBench.gather();

  // What says the same as the one that was placed goes with it.
  expect(await signalBench.themes()).toEqual([
    ['Exports', 6, 0],
    ['Wishes', 2, 0],
  ]);
  const stranger = await testAccount();
  await expect(nameTheme(signalBench.signals, stranger, { id: exports?.id ?? '', label: 'x' })).rejects.toMatchObject({
    code: 'unknown_id',
  });
});

test('one more signal joins a theme without the others being read, and what is like nothing has none', async () => {
  const signalBench = await bench();
  const kinds = [
    (at: number) => `the export of ${['charts', 'tables', 'reports', 'invoices'][at % 4]} is slow, number ${at}`,
    (at: number) => `my password is refused at ${['login', 'sign-in', 'the start', 'the gate'][at % 4]}, again ${at}`,
    (at: number) =>
      `please add ${['a dark mode', 'dark colours', 'a mode for the night', 'dark themes'][at % 4]} ${at}`,
  ];
  // More than are grouped anew for each change.
  await signalBench.save(...Array.from({ length: 330 }, (_, at) => kinds[at % 3]?.(at) ?? ''));
  await signalBench.gather();
  const themes = await signalBench.themes();
  const read: number[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => (read.push(result.rows.length), result),
  };

  await signalBench.save('exports of charts have become slow', 'the weather on Sunday');
  await gatherThemes({ ...signalBench.signals, db: signalBench.db.withPlugin(plugin) }, signalBench, running);

  const { rows } = await selectSignals(signalBench.db, signalBench, { limit: 2, offset: 0 });
  const themeOf = new Map(rows.map(({ text, themeId }) => [text, themeId]));
  const before = (await listThemes(signalBench.signals, signalBench)).find(
    ({ id }) => id === themeOf.get('exports of charts have become slow'),
  );
  expect(before?.label).toContain('export');
  expect(themeOf.get('the weather on Sunday')).toBeNull();
  expect((await signalBench.themes()).length).toBe(themes.length);
  expect(Math.max(...read)).toBeLessThanOrEqual(200);
});

test('a theme tells what its customers are worth, and a signal without a date makes no trend', async () => {
  const signalBench = await bench();
  const customers = Array.from({ length: 8 }, (_, at) => ({ customer: `Company ${at % 5}`, value: 100 }));
  const date = new Date(SIGNALS_NOW.getTime() - 100 * DAY_MS);
  await signalBench.save({ text: 'the weather on Sunday', date }, { text: 'sunny weather on Sundays', date });
  await signalBench.save(
    ...customers.map((rest, at) => ({ text: `the csv export is slow ${'again '.repeat(at)}`, ...rest })),
  );
  await saveSignals(
    signalBench.signals,
    signalBench,
    Array.from({ length: 8 }, (_, at) => ({ text: `my login link has expired ${'early '.repeat(at)}` })),
  );
  await signalBench.gather();

  const themes = await listThemes(signalBench.signals, signalBench);

  expect(themes.find(({ customers: count }) => count > 0)).toMatchObject({
    signals: 8,
    customers: 5,
    value: 500,
    trend: { last: 5, direction: 'rising' },
  });
  expect(themes.find(({ customers: count, signals }) => count === 0 && signals > 2)).toMatchObject({
    signals: 8,
    customers: 0,
    value: undefined,
    trend: { last: 0, direction: 'steady' },
  });
});

test('imported history is history: a product without a dated signal of the last two weeks has no steady themes', async () => {
  const signalBench = await bench();
  const date = new Date(SIGNALS_NOW.getTime() - 15 * DAY_MS);
  await signalBench.save(...EXPORTS.map((text) => ({ text, date })));
  await signalBench.gather();

  const [theme] = await listThemes(signalBench.signals, signalBench);
  const detail = await describeTheme(signalBench.signals, signalBench, theme?.id ?? '');

  expect(theme?.trend.direction).toBe('past');
  expect(detail.period.until).toEqual(date);
  expect(detail.weeks.at(-1)?.signals).toBe(theme?.signals);

  const { ids } = await signalBench.save({ text: 'Is it late?', date: new Date(SIGNALS_NOW.getTime() - 13 * DAY_MS) });
  await placeSignal(signalBench.signals, signalBench, { id: ids[0] ?? '', label: 'Late' });
  expect((await listThemes(signalBench.signals, signalBench))[0]?.trend.direction).not.toBe('past');
});

test('gathering twice changes nothing', async () => {
  const signalBench = await bench();
  await signalBench.save(...EXPORTS, ...LOGINS);
  await signalBench.gather();
  const before = await listThemes(signalBench.signals, signalBench);

  await signalBench.gather();

  expect(await listThemes(signalBench.signals, signalBench)).toEqual(before);
});

test('a theme that a person has planned about is one that groupings keep together', async () => {
  const signalBench = await bench();
  const { db } = signalBench;
  await signalBench.save(...LOGINS);
  await signalBench.gather();
  const [theme] = await listThemes(signalBench.signals, signalBench);
  const themeId = theme?.id ?? '';
  const personal = async (): Promise<string[]> => [...personalThemes(await selectThemes(db, signalBench))];

  const before = await personal();
  await stateLink(db, signalBench, { themeId, kind: 'plan', target: 'plan:login', title: 'Login', now: new Date() });

  expect([before, await personal()]).toEqual([[], [themeId]]);
});

test('a grouping after more signals came leaves what a person named as it was, and says what else moved', async () => {
  const signalBench = await bench();
  const mixed = ['the export of charts is slow', 'export charts slow', 'charts export slow today'];
  await signalBench.save(...mixed, ...LOGINS);
  await signalBench.gather();
  const themes = await listThemes(signalBench.signals, signalBench);
  const exports = themes.find(({ label }) => /chart|export/i.test(label));
  await nameTheme(signalBench.signals, signalBench, { id: exports?.id ?? '', label: 'Charts' });
  const { ids } = await signalBench.save('the weather on Sunday is fine');
  await placeSignal(signalBench.signals, signalBench, { id: ids[0] ?? '', theme: exports?.id ?? '' });

  await signalBench.save(
    'colours of charts',
    'more colours for charts',
    'charts in colours, please',
    'charts need colours',
  );
  await signalBench.gather();

  const named = await listThemes(signalBench.signals, signalBench);
  expect(named.find(({ label }) => label === 'Charts')?.signals).toBeGreaterThanOrEqual(4);
  const { rows } = await selectSignals(signalBench.db, signalBench, {
    themeId: exports?.id ?? '',
    limit: 20,
    offset: 0,
  });
  expect(rows.map(({ text }) => text)).toEqual(expect.arrayContaining([...mixed, 'the weather on Sunday is fine']));
});
