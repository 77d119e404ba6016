import { expect, test } from 'vitest';
import { DAY_MS } from '../kernel/time.ts';
import { chooseQuotes } from './describe-theme.ts';
import { useMemberApplication } from '../testing/member-application.ts';

const { ask } = useMemberApplication();

/** Adds signals and puts them all to a new theme. */
async function addTheme(label: string, signals: readonly object[]): Promise<{ theme: string; ids: string[] }> {
  const { ids } = await ask<{ ids: string[] }>('POST', '/signals', { signals });
  let theme = '';
  for (const id of ids)
    ({ theme } = await ask<{ theme: string }>('PUT', `/signals/${id}/theme`, theme === '' ? { label } : { theme }));
  return { theme, ids };
}

interface Detail {
  id: string;
  label: string;
  signals: number;
  weeks: { week: string; signals: number; customers: number; value: number | null }[];
  period: { since: string; until: string; now: number; before: number };
  bursts: { since: string; mentions: number }[];
  shares: { by: string; name: string; signals: number; customers: number }[];
  top_customers: { customer: string; value: number | null; signals: number }[];
  quotes: { text: string }[];
  merges: { id: string; theme: string; label: string; signals: number }[];
}

const choose = (texts: string[]): string[] => chooseQuotes(texts.map((text) => ({ text }))).map(({ text }) => text);

test('quotes say different things as far as there are any', () => {
  const texts = ['The export is slow', 'the export is very slow', 'Excel refuses the file', 'The export was slow'];

  expect(choose(texts)).toEqual([texts[0], texts[2], texts[1], texts[3]]);
  expect(choose(['1', ...Array.from({ length: 9 }, (_, at) => 'abcdefghi'.charAt(at))])).toHaveLength(5);
});

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

test('a theme tells its weeks by customers and value, its segments, and what its customers say that are worth most', async () => {
  const small = { customer: 'Small', segment: 'free', value: 10, source: 'survey' };
  const large = { customer: 'Large', segment: 'enterprise', value: 500, source: 'support' };
  const { theme } = await addTheme('Slow exports', [
    { ...small, text: 'The export takes minutes to finish', date: daysAgo(0) },
    { ...small, text: 'The export is still as slow as before', date: daysAgo(0) },
    { ...large, text: 'We cannot wait for exports any longer', date: daysAgo(0) },
    { text: 'Exports were slow for us a long time ago', source: 'survey', date: daysAgo(70) },
    { text: 'Nobody knows when this slow export was', source: 'survey' },
  ]);

  const detail = await ask<Detail>('GET', `/themes/${theme}`);

  expect(detail).toMatchObject({ id: theme, label: 'Slow exports', signals: 5, merges: [] });
  expect(detail.weeks).toHaveLength(26);
  // A customer counts once a week, and so does its value; what has no date of its own is in no week.
  expect(detail.weeks.at(-1)).toMatchObject({ signals: 3, customers: 2, value: 510 });
  expect(
    detail.weeks.filter(({ signals }) => signals > 0).map(({ signals, customers }) => [signals, customers]),
  ).toEqual([
    [1, 1],
    [3, 2],
  ]);
  expect(detail.weeks.every(({ week }) => new Date(week).getUTCDay() === 1)).toBe(true);
  expect(detail.shares.filter(({ by }) => by !== 'intent')).toEqual([
    { by: 'source', name: 'survey', signals: 4, customers: 1 },
    { by: 'segment', name: 'free', signals: 2, customers: 1 },
    { by: 'segment', name: 'enterprise', signals: 1, customers: 1 },
    { by: 'source', name: 'support', signals: 1, customers: 1 },
  ]);
  expect(detail.top_customers.map(({ customer, value, signals }) => [customer, value, signals])).toEqual([
    ['Large', 500, 1],
    ['Small', 10, 2],
  ]);
  expect(detail.quotes).toHaveLength(4);
  expect(detail.quotes[0]?.text).toBe('We cannot wait for exports any longer');
});

test('a merge is undone with the signals that moved, and only once', async () => {
  const login = await addTheme('Login', [{ text: 'The login link has expired' }]);
  const first = await addTheme('Passwords', [{ text: 'My password is refused' }, { text: 'Another refused password' }]);
  const second = await addTheme('Codes', [{ text: 'The code never arrives' }]);
  const merge = (from: string, into: string): Promise<{ merge: string }> =>
    ask('POST', `/themes/${from}/merge`, { into });

  await merge(second.theme, first.theme);
  const { merge: last } = await merge(first.theme, login.theme);
  const merged = await ask<Detail>('GET', `/themes/${first.theme}`);
  // What came to the theme by itself stays there.
  await ask('PUT', `/signals/${first.ids[1] ?? ''}/theme`, { label: 'Elsewhere' });
  const undone = await ask<{ theme: string }>('DELETE', `/theme-merges/${last}`);

  expect([merged.id, merged.signals]).toEqual([login.theme, 4]);
  expect(merged.merges).toMatchObject([{ id: last, theme: first.theme, label: 'Passwords', signals: 3 }]);
  expect(undone).toEqual({ theme: first.theme });
  expect(await ask('GET', `/themes/${login.theme}`)).toMatchObject({ id: login.theme, signals: 1, merges: [] });
  // The theme that was merged into the first one before is part of it again.
  expect(await ask('GET', `/themes/${second.theme}`)).toMatchObject({
    id: first.theme,
    signals: 2,
    merges: [{ theme: second.theme, signals: 1 }],
  });
  expect(await ask('DELETE', `/theme-merges/${last}`)).toMatchObject({ error: { code: 'not_found' } });
});

test('the trend of a chosen period has its weeks, two numbers and its bursts', async () => {
  const text = 'Labels are printed twice since the update';
  const { theme } = await addTheme(
    'Double labels',
    [400, 401, 402, 403, 404, 405, 406, 600, 800].map((days, at) => ({
      text: `${text} ${at}`,
      customer: `c${at}`,
      date: daysAgo(days),
    })),
  );

  const chosen = await ask<Detail>(
    'GET',
    `/themes/${theme}?since=${daysAgo(420).slice(0, 10)}&until=${daysAgo(390).slice(0, 10)}`,
  );
  const latest = await ask<Detail>('GET', `/themes/${theme}`);

  expect(chosen.period).toMatchObject({ now: 7, before: 0 });
  expect(chosen.weeks.reduce((sum, { signals }) => sum + signals, 0)).toBe(7);
  expect(chosen.weeks.length).toBeLessThan(7);
  expect(chosen.bursts).toMatchObject([{ mentions: 7 }]);
  expect([latest.period.now, latest.bursts]).toEqual([0, []]);
});
