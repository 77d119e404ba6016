import { afterAll, beforeAll, expect, test } from 'vitest';
import { savePlan } from '../plans/plans.ts';
import { insertRepository } from '../repositories/store.ts';
import { NOW } from '../testing/plans.ts';
import { openSearchBench, type SearchBench } from '../testing/search.ts';
import { linkThemes, listThemes, placeSignal } from './signals.ts';

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

test('a theme among many that know nothing of the code has no link to it', async () => {
  for (const [label, texts] of BANKING)
    for (const place of ['Oslo', 'Rome'])
      await addTheme(
        `${label} ${place}`,
        texts.map((text) => `${text} ${place}`),
      );

  expect((await linksOf('Reports')).filter((link) => link.startsWith('code'))).toEqual([]);
});
