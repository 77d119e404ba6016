import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { savePlan } from '../plans/plans.ts';
import { insertRepository } from '../repositories/store.ts';
import { allOperations } from '../testing/all-operations.ts';
import { NOW } from '../testing/plans.ts';
import { openSearchBench, type SearchBench } from '../testing/search.ts';
import { linkTheme } from './links/links.ts';
import { linkThemes, listThemes, placeSignal } from './signals.ts';
import { joinThemes } from './themes.ts';

const MAIL = `/** Sends the weekly report by mail. */
export function sendWeeklyReport(account: string): string {
  const report = readWeeklyReport(account);
  return 'mail: weekly report ' + report;
}

function readWeeklyReport(account: string): string {
  return 'weekly report of ' + account;
}
`;
const ROUTER = `/** Finds the handler of a route. */
export function matchRoute(path: string): string {
  return path;
}
`;
const REPORTS = [
  'The weekly report never arrives by mail',
  'Please send the weekly report on Mondays',
  'My weekly report shows last month',
];
/** As customers of a bank write, who know nothing of reports and routes. */
const BANKING: [string, string[]][] = [
  ['Cards', ['My card has not arrived yet', 'Where is the new card?', 'The card is still not here']],
  ['Top-up', ['My top-up is pending', 'Why was the top-up reverted?', 'A top-up of my balance failed']],
  ['Cash', ['The machine gave too little cash', 'Wrong amount of cash received', 'Cash withdrawal charged twice']],
];

let bench: SearchBench;
beforeAll(async () => {
  bench = await openSearchBench();
  await bench.commitAndIndex({ files: { 'src/report.ts': MAIL, 'src/router.ts': ROUTER } });
  const { account, repositoryId: id } = bench;
  const row = { id, name: 'shop', fullName: null, url: '/shop', location: '/shop', source: 'local', ref: '' } as const;
  await insertRepository(account.db, account, { ...row, defaultBranch: 'main', isAwaited: false, createdAt: NOW });
});
afterAll(() => bench.close());

async function addTheme(label: string, texts: readonly string[]): Promise<void> {
  const ids = await bench.addSignals(texts.map((text) => ({ text })));
  for (const id of ids) await placeSignal(bench.parts.signals, bench.account, { id, label });
}

async function linksOf(label: string): Promise<string[]> {
  await linkThemes(bench.parts.signals, bench.account, new AbortController().signal);
  const theme = (await listThemes(bench.parts.signals, bench.account)).find((one) => one.label === label);
  return (theme?.links ?? []).map(({ kind, target }) => `${kind} ${target}`);
}

test('messages that have nothing to do with the code lead nowhere', async () => {
  for (const [label, texts] of BANKING) await addTheme(label, texts);

  expect(await Promise.all(BANKING.map(([label]) => linksOf(label)))).toEqual([[], [], []]);
});

test('a theme leads to the functions and the plan that its texts are about, and after an index run to what is there then', async () => {
  await addTheme('Reports', REPORTS);
  await savePlan(bench.plans, bench.account, { text: '# Weekly report by mail\n', actor: bench.account.actor });
  await savePlan(bench.plans, bench.account, { text: '# Faster routes\n', actor: bench.account.actor });

  expect(await linksOf('Reports')).toEqual([
    'code sym:readWeeklyReport@src/report.ts',
    'code sym:sendWeeklyReport@src/report.ts',
    'plan plan:weekly-report-by-mail',
  ]);

  await bench.commitAndIndex({ files: { 'src/report.ts': undefined, 'src/mails.ts': MAIL } });

  expect((await linksOf('Reports')).filter((link) => link.startsWith('code'))).toEqual([
    'code sym:readWeeklyReport@src/mails.ts',
    'code sym:sendWeeklyReport@src/mails.ts',
  ]);
});

test('the graph leads from a theme to its code, and from a plan that answers it to the theme', async () => {
  const tool = allOperations(bench).find(({ name }) => name === 'entity-analysis-tool');
  const args = { action: 'neighbors', entity: 'theme:reports', relations: ['requests', 'plans'], format: 'json' };
  const { json } = tool === undefined ? {} : await bench.call(tool, args);

  const edge = { relation: 'requests', direction: 'out', grade: 'name', source: 'shares report, weekly' };
  expect(json).toMatchObject({
    rows: [
      { ...edge, relation: 'plans', direction: 'in', id: 'plan:weekly-report-by-mail' },
      { relation: 'requests', id: 'feature:report' },
      { ...edge, id: 'sym:sendWeeklyReport@src/mails.ts' },
      { ...edge, id: 'sym:readWeeklyReport@src/mails.ts' },
    ],
  });
});

test('a merged theme brings what people linked with it, once, and nothing that was computed', async () => {
  const { account, parts } = bench;
  const { signals } = parts;
  await addTheme('Monthly', ['The monthly report shows nothing']);
  const themes = new Map((await listThemes(signals, account)).map(({ id, label }) => [label, id]));
  const [id = '', into = ''] = [themes.get('Monthly'), themes.get('Reports')];
  const links = ['sym:gone@src/report.ts', 'plan:faster-routes'].map((target) => ({ target, title: '', now: NOW }));
  for (const link of links) await linkTheme(account.db, account, { ...link, theme: id });
  for (const link of links.slice(1)) await linkTheme(account.db, account, { ...link, theme: into });
  await sql`update theme_link set origin = 'computed' where target like 'sym:gone%'`.execute(account.db);

  await joinThemes(signals, account, { id, into });

  expect(await linksOf('Reports')).toEqual([
    'plan plan:faster-routes',
    'code sym:readWeeklyReport@src/mails.ts',
    'code sym:sendWeeklyReport@src/mails.ts',
    'plan plan:weekly-report-by-mail',
  ]);
});

test('a theme among many that know nothing of the code has no link to it', async () => {
  for (const [label, texts] of BANKING)
    for (const place of ['Oslo', 'Rome'])
      await addTheme(
        `${label} ${place}`,
        texts.map((text) => `${text} ${place}`),
      );

  expect((await linksOf('Reports')).filter((link) => link.startsWith('code'))).toEqual([]);
});
