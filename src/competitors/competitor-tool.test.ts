import { expect, test } from 'vitest';
import { plansPage, useWatchBench } from '../testing/watch-bench.ts';
import { competitorTool } from './competitor-tool.ts';
import { selectCapture, selectCaptures } from './store/store-changes.ts';
import { checkPages } from './watch/check.ts';
import { proposePages } from './watch/propose.ts';
import { checkDuePages, forgetOld } from './watch/schedule.ts';
import { changePage, findCompetitor, listCompetitors, removeCompetitor } from './watch/watch-list.ts';

const site = useWatchBench();

/** An entry of a feed. */
function entry(number: number): string {
  return `<item><title>Release ${number}</title><link>https://acme.example/${number}</link><description>&lt;p&gt;Brings feature number ${number}.&lt;/p&gt;</description></item>`;
}

test('a page that is gone at two checks is a change', async () => {
  site.serve('/jobs', () => plansPage('$20'));
  await site.watch('/jobs');
  await site.check();
  site.answers.clear();

  expect((await site.check())[0]).toMatchObject({ status: 'removed' });
  expect(await site.changes()).toEqual([]);
  await site.check();
  await site.check();
  expect(await site.changes()).toMatchObject([
    { kind: 'jobs', severity: 'high', summary: 'The page is not there any more.' },
  ]);
});

test('selectors decide what is read; changing them begins anew without telling a change', async () => {
  site.serve('/', () => plansPage('$20', '<aside><p>Weather: sunny spells and a little rain today</p></aside>'));
  await site.watch('/');
  await site.check();
  const [page] = (await findCompetitor(site.competitors, site.account, 'Acme')).pages;
  await changePage(site.competitors, site.account, {
    id: page?.id ?? '',
    settings: { include: ['h1', 'h2', 'h2 + p'], ignore: ['PL*s'] },
  });

  expect(await site.statuses()).toEqual(['same']);
  const [after] = (await findCompetitor(site.competitors, site.account, 'Acme')).pages;
  const capture = await selectCapture(site.account.db, site.account, after?.captureId ?? '');
  expect(capture?.text).toBe('## Team\n$20 per user and month, with 20 projects.');
  await expect(
    changePage(site.competitors, site.account, { id: page?.id ?? '', settings: { headers: { Cookie: 'a=b' } } }),
  ).rejects.toThrow('The header "Cookie" cannot be sent.');
});

test('two checks of one page at the same time tell its change once', async () => {
  let price = '$20';
  site.serve('/pricing', () => plansPage(price));
  await site.watch('/pricing');
  await site.check();
  price = '$25';
  site.now = new Date(site.now.getTime() + 60_000);
  const { pages } = await findCompetitor(site.competitors, site.account, 'acme');

  const both = await Promise.all(
    [1, 2].map(() => checkPages(site.competitors, site.account, pages, { signal: site.signal })),
  );

  expect(both.flat().map(({ changeId }) => changeId === undefined)).toEqual(expect.arrayContaining([true, false]));
  expect(await site.changes()).toHaveLength(1);
});

test('new entries of a feed are changes, and old ones that leave it are not', async () => {
  let numbers = [2, 1];
  site.answers.set('/feed.xml', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/rss+xml' });
    response.end(
      `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${numbers.map(entry).join('')}</channel></rss>`,
    );
  });
  await site.watch('/feed.xml');
  await site.check();
  numbers = [3, 2];

  expect(await site.statuses()).toEqual(['changed']);
  numbers = [3, 1];
  expect(await site.statuses()).toEqual(['same']);
  expect(await site.changes()).toMatchObject([
    { kind: 'changelog', severity: 'medium', added: ['Release 3 · Brings feature number 3.'], removed: [] },
  ]);
});

test('pages of a site are proposed by kind, from its links, sitemap and feed', async () => {
  site.serve(
    '/',
    () => `<html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body>
      <a href="/pricing#team">Pricing</a> <a href="/deep/down/pricing">Old prices</a> <a href="/c">Careers</a>
      <a href="https://elsewhere.example/pricing">Partner</a></body></html>`,
  );
  site.answers.set('/robots.txt', (_request, response) => void response.end(`Sitemap: ${site.url}/maps/all.xml\n`));
  site.answers.set('/maps/all.xml', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(`<urlset><url><loc>${site.url}/changelog</loc></url><url><loc>${site.url}/docs/start</loc></url>
      <url><loc>http://10.0.0.1/terms</loc></url><url><loc>${site.url}/legal/terms</loc></url></urlset>`);
  });

  const proposed = await proposePages(site.competitors, site.url, site.signal);

  expect(proposed.map(({ url, kind, from }) => [url.replace(site.url, ''), kind, from])).toEqual([
    ['/', 'positioning', 'front page'],
    ['/pricing', 'pricing', 'link'],
    ['/deep/down/pricing', 'pricing', 'link'],
    ['/changelog', 'changelog', 'sitemap'],
    ['/docs/start', 'docs', 'sitemap'],
    ['/c', 'jobs', 'link'],
    ['/legal/terms', 'legal', 'sitemap'],
    ['/feed.xml', 'changelog', 'feed'],
  ]);
  await expect(proposePages(site.competitors, 'nothing', site.signal)).rejects.toThrow('"nothing" is not a domain.');
});

test('the schedule checks what is due, once, and forgets what is old but for what a page says now', async () => {
  let price = '$20';
  site.serve('/pricing', () => plansPage(price));
  await site.watch('/pricing');
  await checkDuePages(site.competitors, site.signal);
  expect(site.bench.waits.filter((delayMs) => delayMs === 15_000).length).toBe(3);
  site.requests.length = 0;
  await checkDuePages(site.competitors, site.signal);
  expect(site.requests).toEqual([]);
  price = '$30';
  site.now = new Date(site.now.getTime() + 2 * 86_400_000);
  await checkDuePages(site.competitors, site.signal);
  const [change] = await site.changes();
  expect(change).toMatchObject({ severity: 'high' });

  site.now = new Date(site.now.getTime() + 364 * 86_400_000);
  await forgetOld(site.competitors);
  expect(await site.changes()).toHaveLength(1);
  site.now = new Date(site.now.getTime() + 2 * 86_400_000);
  await forgetOld(site.competitors);

  expect(await site.changes()).toEqual([]);
  const left = await selectCaptures(site.account.db, site.account, change?.pageId ?? '');
  expect(left.map(({ id }) => id)).toEqual([change?.afterId]);
  const { hits } = await site.knowledge.search(site.account, {
    query: 'user month',
    corpora: ['competitors'],
    limit: 5,
  });
  expect(hits.map(({ id }) => id)).toEqual([`page:${change?.pageId}`]);
});

test('a removed competitor takes its changes out of searches', async () => {
  let price = '$20';
  site.serve('/', () => plansPage(price));
  await site.watch('/');
  await site.check();
  price = '$30';
  await site.check();
  expect(await site.changes()).toHaveLength(1);

  await removeCompetitor(site.competitors, site.account, 'ACME');

  expect(await listCompetitors(site.competitors, site.account)).toEqual([]);
  const { hits } = await site.knowledge.search(site.account, {
    query: 'user month',
    corpora: ['competitors'],
    limit: 5,
  });
  expect(hits).toEqual([]);
  await expect(findCompetitor(site.competitors, site.account, 'Acme')).rejects.toThrow(
    'There is no competitor "Acme".',
  );
});

test('the tool lists, checks with its scope only, tells changes above the noise, and counts them by month', async () => {
  let price = '$20';
  site.serve('/pricing', () => plansPage(price));
  await site.watch('/pricing');
  const tool = competitorTool(site.competitors);
  const call = async (action: string, args: object = {}, scopes: ('read' | 'scrape')[] = ['read', 'scrape']) => {
    const caller = { accountId: site.account.accountId, productId: site.account.productId, keyId: 'test', scopes };
    const context = { caller, now: () => site.now, signal: site.signal, progress: () => {} };
    const answer = await tool.run(context, tool.input.parse({ action, ...args }));
    return { ...answer, rows: answer.json['rows'] as Record<string, unknown>[] };
  };

  await expect(call('check', {}, ['read'])).rejects.toThrow('needs the scope "scrape"');
  expect((await call('check')).rows).toMatchObject([{ url: `${site.url}/pricing`, status: 'new' }]);
  price = '$40';
  site.now = new Date(site.now.getTime() + 60_000);
  const checked = await call('check');
  expect(checked.rows).toMatchObject([{ status: 'changed', change: expect.stringMatching(/^chg:/) }]);
  const changes = await call('changes');
  expect(changes.rows).toMatchObject([
    { id: checked.rows[0]?.['change'], competitor: 'Acme', kind: 'pricing', severity: 'high', linked: [] },
  ]);
  expect(changes.text).toContain('why: amounts of money changed: $20 -> $40');
  expect((await call('changes', { query: 'nowhere' })).rows).toEqual([]);
  expect((await call('changes', { kinds: ['jobs'] })).rows).toEqual([]);
  expect((await call('changes', { since: '2026-04-01' })).rows).toEqual([]);
  const trends = await call('trends');
  expect(trends.rows).toMatchObject([{ kind: 'pricing', month: '2026-03', count: 1, delta: 1, competitors: ['Acme'] }]);
  const snapshot = await call('snapshot', { competitor: 'acme' });
  expect(snapshot.json).toMatchObject({ http_status: 200, text: expect.stringContaining('$40 per user') });
  expect((await call('list')).rows).toMatchObject([{ kind: 'pricing', schedule: 'every 24 h', status: 'changed' }]);
});
