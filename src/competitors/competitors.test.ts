import type { IncomingMessage, ServerResponse } from 'node:http';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { KnowledgeIndex } from '../knowledge/knowledge.ts';
import { type TestAccount, testAccount } from '../testing/account.ts';
import { type CompetitorBench, testCompetitors, testSite } from '../testing/competitors.ts';
import { competitorTool } from './competitor-tool.ts';
import { selectCapture, selectCaptures, selectChanges } from './store/store-changes.ts';
import { type CheckResult, checkPages } from './watch/check.ts';
import { changePage, findCompetitor, listCompetitors, removeCompetitor, watchCompetitor } from './watch/watch-list.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const signal = new AbortController().signal;
/** What the site answers at each path. */
const answers = new Map<string, Answer>();
const requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
let site: Awaited<ReturnType<typeof testSite>>;
let account: TestAccount;
let bench: CompetitorBench;
let knowledge: KnowledgeIndex;
let now = new Date('2026-03-01T00:00:00Z');

beforeAll(async () => {
  site = await testSite((request, response) => {
    const path = request.url ?? '/';
    requests.push({ path, headers: request.headers });
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
    else answer(request, response);
  });
  const { db } = await testAccount();
  knowledge = new KnowledgeIndex({ db, cacheBytes: 1e7 });
  bench = testCompetitors(db, { now: () => now, knowledge });
});
afterAll(() => Promise.all([site.close(), bench.close(), knowledge.close()]));
beforeEach(async () => {
  answers.clear();
  requests.length = 0;
  now = new Date('2026-03-01T00:00:00Z');
  bench.forget();
  account = await testAccount();
});

/** An answer that leads elsewhere. */
function redirect(location: string): Answer {
  return (_request, response) => void response.writeHead(302, { location }).end();
}

function serve(path: string, html: () => string, headers: Record<string, string> = {}): void {
  answers.set(path, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html());
  });
}

const PLANS = (price: string, extra = ''): string => `<html><body><nav><a href="/">Home</a></nav>
  <main><h1>Plans</h1><p>Views today: ${Math.random()}</p><h2>Team</h2><p>${price} per user and month, with 20 projects.</p>${extra}</main></body></html>`;

async function watch(...paths: string[]): Promise<void> {
  await watchCompetitor(bench.competitors, account, {
    name: 'Acme',
    pages: paths.map((path) => ({ url: site.url + path })),
  });
}

async function check(): Promise<CheckResult[]> {
  const { pages } = await findCompetitor(bench.competitors, account, 'acme');
  now = new Date(now.getTime() + 60_000);
  return checkPages(bench.competitors, account, pages, { signal });
}

async function changes() {
  return (await selectChanges(account.db, account, { limit: 50, offset: 0 })).rows;
}

test('a price that changes is told once, high, with what it was and why, and found by searches', async () => {
  let price = '$20';
  serve('/pricing', () => PLANS(price));
  await watch('/pricing');

  expect((await check()).map(({ status }) => status)).toEqual(['new']);
  expect((await check()).map(({ status }) => status)).toEqual(['same']);
  price = '$25';
  const [changed] = await check();
  expect((await check()).map(({ status }) => status)).toEqual(['same']);

  expect(changed).toMatchObject({ status: 'changed' });
  const [change, ...others] = await changes();
  expect(others).toEqual([]);
  expect(change).toMatchObject({
    kind: 'pricing',
    severity: 'high',
    added: ['$25 per user and month, with 20 projects.'],
    removed: ['$20 per user and month, with 20 projects.'],
    reasons: expect.arrayContaining(['amounts of money changed: $20 -> $25']),
  });
  const { hits } = await knowledge.search(account, {
    query: 'user month projects',
    corpora: ['competitors'],
    limit: 5,
  });
  expect(hits.map(({ id }) => id)).toEqual([`chg:${change?.id}`]);
  const captures = await selectCaptures(account.db, account, change?.pageId ?? '');
  expect(captures).toHaveLength(2);
  const before = await selectCapture(account.db, account, change?.beforeId ?? '');
  expect(before?.text).toBe('# Plans\n## Team\n$20 per user and month, with 20 projects.');
});

test('a page that answers 304 is asked once and read not at all', async () => {
  serve('/docs', () => PLANS('$20'), { etag: '"one"' });
  await watch('/docs');
  await check();
  requests.length = 0;
  answers.set('/docs', (request, response) => {
    response.writeHead(request.headers['if-none-match'] === '"one"' ? 304 : 500).end();
  });

  expect((await check()).map(({ status }) => status)).toEqual(['same']);
  expect(requests.filter(({ path }) => path === '/docs')).toHaveLength(1);
  expect(requests.at(-1)?.headers['user-agent']).toBe('svc-watch/test');
});

test('a page about maintenance changes nothing; one that stays does', async () => {
  let isBack = true;
  let html = '';
  serve('/', () => (isBack ? PLANS('$20') : html));
  await watch('/');
  await check();
  isBack = false;
  html =
    '<main><h1>We are back soon</h1><p>Our team repairs the database at the moment, have a little patience.</p></main>';

  expect((await check()).map(({ status }) => status)).toEqual(['error']);
  isBack = true;
  expect((await check()).map(({ status }) => status)).toEqual(['same']);
  isBack = false;
  html =
    '<main><h1>Acme was bought</h1><p>All our services end next month, please export your data until then.</p></main>';
  await check();
  expect((await check()).map(({ status }) => status)).toEqual(['changed']);
  expect(await changes()).toHaveLength(1);
});

test('what a site does wrong ends in a clear status, and what robots.txt forbids is not fetched', async () => {
  answers.set('/robots.txt', (_request, response) => {
    response.end('User-agent: *\nDisallow: /private\nCrawl-delay: 3\n');
  });
  answers.set('/metadata', redirect('http://169.254.169.254/latest'));
  answers.set('/localhost', redirect('http://localhost:1/secret'));
  answers.set('/decimal', redirect('http://2130706434:1/secret'));
  answers.set('/file', redirect('file:///etc/passwd'));
  answers.set('/circle', redirect('/circle'));
  answers.set('/to-private', redirect('/private/page'));
  answers.set('/busy', (_request, response) => void response.writeHead(429, { 'retry-after': '86400' }).end());
  answers.set('/endless', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const more = (): void => {
      while (!response.destroyed && response.write('<p>never ends</p>'.repeat(1000)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  answers.set('/bomb', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'deflate' });
    response.end(Buffer.concat([Buffer.from([0x78, 0x9c]), deflateRawSync(Buffer.alloc(64 << 20))]));
  });
  serve('/deep', () => `${'<div>'.repeat(20_000)}x`);
  serve('/shell', () => '<body><div id=root></div><script src=app.js></script></body>');
  serve('/pdf', () => '%PDF', { 'content-type': 'application/pdf' });
  const paths = [
    'metadata',
    'localhost',
    'decimal',
    'file',
    'circle',
    'busy',
    'endless',
    'bomb',
    'deep',
    'shell',
    'pdf',
  ];
  await watch('/private/page', '/to-private', '/gone', ...paths.map((path) => `/${path}`));

  const results = new Map((await check()).map(({ page, ...result }) => [new URL(page.url).pathname.slice(1), result]));

  expect(results.get('private/page')?.status).toBe('robots_denied');
  expect(results.get('to-private')?.status).toBe('robots_denied');
  expect(results.get('gone')?.status).toBe('removed');
  for (const path of paths) expect([path, results.get(path)?.status]).toEqual([path, 'error']);
  for (const path of ['metadata', 'localhost', 'decimal'])
    expect([path, results.get(path)?.detail]).toEqual([path, expect.stringContaining('private network')]);
  expect(results.get('busy')?.nextAllowedAt).toEqual(new Date(now.getTime() + 86_400_000));
  expect(results.get('endless')?.detail).toContain('more than 5242880 bytes');
  expect(results.get('bomb')?.detail).toContain('more than 5242880 bytes');
  expect(results.get('shell')?.detail).toContain('without scripts');
  expect(requests.map(({ path }) => path)).not.toContain('/private/page');
  expect(bench.waits.filter((delayMs) => delayMs > 2_000).length).toBeGreaterThan(3);
});

test('a page that is gone at two checks is a change', async () => {
  serve('/jobs', () => PLANS('$20'));
  await watch('/jobs');
  await check();
  answers.clear();

  expect((await check())[0]).toMatchObject({ status: 'removed' });
  expect(await changes()).toEqual([]);
  await check();
  await check();
  expect(await changes()).toMatchObject([
    { kind: 'jobs', severity: 'high', summary: 'The page is not there any more.' },
  ]);
});

test('a page moved for good says where to, and is watched on', async () => {
  serve('/new', () => PLANS('$20'));
  answers.set('/old', (_request, response) => void response.writeHead(301, { location: '/new' }).end());
  await watch('/old');
  await check();

  const [competitor] = await listCompetitors(bench.competitors, account);
  expect(competitor?.pages).toMatchObject([{ status: 'new', movedTo: `${site.url}/new` }]);
});

test('a page is not fetched again before its time, nor when the call was cancelled', async () => {
  serve('/', () => PLANS('$20'));
  await watch('/');
  const slow = { ...bench.competitors, shortestIntervalMs: 300_000 };
  const pagesOf = async () => (await findCompetitor(slow, account, 'Acme')).pages;
  await checkPages(slow, account, await pagesOf(), { signal });
  requests.length = 0;

  const [again] = await checkPages(slow, account, await pagesOf(), { signal });
  expect(again).toMatchObject({ status: 'new', nextAllowedAt: new Date(now.getTime() + 300_000) });
  expect(again?.detail).toContain('not fetched again before');
  now = new Date(now.getTime() + 300_000);
  expect(await checkPages(slow, account, await pagesOf(), { signal: AbortSignal.abort() })).toEqual([]);
  expect(requests).toEqual([]);
});

test('selectors decide what is read; changing them begins anew without telling a change', async () => {
  serve('/', () => PLANS('$20', '<aside><p>Weather: sunny spells and a little rain today</p></aside>'));
  await watch('/');
  await check();
  const [page] = (await findCompetitor(bench.competitors, account, 'Acme')).pages;
  await changePage(bench.competitors, account, {
    id: page?.id ?? '',
    settings: { include: ['h1', 'h2', 'h2 + p'], ignore: ['PL*s'] },
  });

  expect((await check()).map(({ status }) => status)).toEqual(['same']);
  const [after] = (await findCompetitor(bench.competitors, account, 'Acme')).pages;
  const capture = await selectCapture(account.db, account, after?.captureId ?? '');
  expect(capture?.text).toBe('## Team\n$20 per user and month, with 20 projects.');
  await expect(
    changePage(bench.competitors, account, { id: page?.id ?? '', settings: { headers: { Cookie: 'a=b' } } }),
  ).rejects.toThrow('The header "Cookie" cannot be sent.');
});

test('a removed competitor takes its changes out of searches', async () => {
  let price = '$20';
  serve('/', () => PLANS(price));
  await watch('/');
  await check();
  price = '$30';
  await check();
  expect(await changes()).toHaveLength(1);

  await removeCompetitor(bench.competitors, account, 'ACME');

  expect(await listCompetitors(bench.competitors, account)).toEqual([]);
  const { hits } = await knowledge.search(account, { query: 'user month', corpora: ['competitors'], limit: 5 });
  expect(hits).toEqual([]);
  await expect(findCompetitor(bench.competitors, account, 'Acme')).rejects.toThrow('There is no competitor "Acme".');
});

test('the tool lists, checks with its scope only, tells changes above the noise, and counts them by month', async () => {
  let price = '$20';
  serve('/pricing', () => PLANS(price));
  await watch('/pricing');
  const tool = competitorTool(bench.competitors);
  const call = async (action: string, args: object = {}, scopes: ('read' | 'scrape')[] = ['read', 'scrape']) => {
    const caller = { accountId: account.accountId, productId: account.productId, keyId: 'test', scopes };
    const scope = { caller, now: () => now, signal, progress: () => {} };
    const answer = await tool.run(scope, tool.input.parse({ action, ...args }));
    return { ...answer, rows: answer.json['rows'] as Record<string, unknown>[] };
  };

  await expect(call('check', {}, ['read'])).rejects.toThrow('needs the scope "scrape"');
  expect((await call('check')).rows).toMatchObject([{ url: `${site.url}/pricing`, status: 'new' }]);
  price = '$40';
  now = new Date(now.getTime() + 60_000);
  const checked = await call('check');
  expect(checked.rows).toMatchObject([{ status: 'changed', change: expect.stringMatching(/^chg:/) }]);
  const told = await call('changes');
  expect(told.rows).toMatchObject([
    { id: checked.rows[0]?.['change'], competitor: 'Acme', kind: 'pricing', severity: 'high', linked: [] },
  ]);
  expect(told.text).toContain('why: amounts of money changed: $20 -> $40');
  expect((await call('changes', { query: 'nowhere' })).rows).toEqual([]);
  expect((await call('changes', { kinds: ['jobs'] })).rows).toEqual([]);
  expect((await call('changes', { since: '2026-04-01' })).rows).toEqual([]);
  const trends = await call('trends');
  expect(trends.rows).toMatchObject([{ kind: 'pricing', month: '2026-03', count: 1, delta: 1, competitors: ['Acme'] }]);
  const snapshot = await call('snapshot', { competitor: 'acme' });
  expect(snapshot.json).toMatchObject({ http_status: 200, text: expect.stringContaining('$40 per user') });
  expect((await call('list')).rows).toMatchObject([{ kind: 'pricing', schedule: 'every 24 h', status: 'changed' }]);
});
