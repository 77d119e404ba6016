import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Answer, plansPage, useWatchBench } from '../testing/watch-bench.ts';
import { selectCapture, selectCaptures } from './store/store-changes.ts';
import { checkPages } from './watch/check.ts';
import { findCompetitor, listCompetitors, watchCompetitor } from './watch/watch-list.ts';

const site = useWatchBench();

/** An answer that leads elsewhere. */
function redirect(location: string): Answer {
  return (_request, response) => void response.writeHead(302, { location }).end();
}

test('a price that changes is told once, high, with what it was and why, and found by searches', async () => {
  let price = '$20';
  site.serve('/pricing', () => plansPage(price));
  await site.watch('/pricing');

  expect(await site.statuses()).toEqual(['new']);
  expect(await site.statuses()).toEqual(['same']);
  price = '$25';
  const [changed] = await site.check();
  expect(await site.statuses()).toEqual(['same']);

  expect(changed).toMatchObject({ status: 'changed' });
  const [change, ...others] = await site.changes();
  expect(others).toEqual([]);
  expect(change).toMatchObject({
    kind: 'pricing',
    severity: 'high',
    added: ['$25 per user and month, with 20 projects.'],
    removed: ['$20 per user and month, with 20 projects.'],
    reasons: expect.arrayContaining(['amounts of money changed: $20 -> $25']),
    summary: 'Team: $20 to $25 per user and month, with 20 projects.',
  });
  const { hits } = await site.knowledge.search(site.account, {
    query: 'user month projects',
    corpora: ['competitors'],
    limit: 5,
  });
  expect(hits.map(({ id }) => id).toSorted()).toEqual([`chg:${change?.id}`, `page:${change?.pageId}`]);
  const captures = await selectCaptures(site.account.db, site.account, change?.pageId ?? '');
  expect(captures).toHaveLength(2);
  const before = await selectCapture(site.account.db, site.account, change?.beforeId ?? '');
  expect(before?.text).toBe('# Plans\n## Team\n$20 per user and month, with 20 projects.');
});

test('a page that answers 304 is asked once and read not at all', async () => {
  site.serve('/docs', () => plansPage('$20'), { etag: '"one"' });
  await site.watch('/docs');
  await site.check();
  site.requests.length = 0;
  site.answers.set('/docs', (request, response) => {
    response.writeHead(request.headers['if-none-match'] === '"one"' ? 304 : 500).end();
  });

  expect(await site.statuses()).toEqual(['same']);
  expect(site.requests.filter(({ path }) => path === '/docs')).toHaveLength(1);
  expect(site.requests.at(-1)?.headers['user-agent']).toBe('svc-watch/test');
});

test('a page about maintenance changes nothing; one that stays does', async () => {
  let isBack = true;
  let html = '';
  site.serve('/', () => (isBack ? plansPage('$20') : html));
  await site.watch('/');
  await site.check();
  isBack = false;
  html =
    '<main><h1>We are back soon</h1><p>Our team repairs the database at the moment, have a little patience.</p></main>';

  expect(await site.statuses()).toEqual(['error']);
  isBack = true;
  expect(await site.statuses()).toEqual(['same']);
  isBack = false;
  html =
    '<main><h1>Acme was bought</h1><p>All our services end next month, please export your data until then.</p></main>';
  await site.check();
  expect(await site.statuses()).toEqual(['changed']);
  expect(await site.changes()).toHaveLength(1);
});

test('a page that stays at two words is reported as collapsed, and warns for as long as it stays so', async () => {
  let html = plansPage(
    '$20',
    '<p>Every plan has all features, and support by people who know the product.</p>'.repeat(3),
  );
  site.serve('/pricing', () => html);
  await site.watch('/pricing');
  await site.check();
  html = '<main><h1>Coming soon</h1></main>';

  expect(await site.statuses()).toEqual(['error']);
  await site.check();
  const [change] = await site.changes();
  expect(change).toMatchObject({ severity: 'high', summary: expect.stringContaining('shows only 2 of') });
  const [again] = await site.check();
  expect(again).toMatchObject({ status: 'same', detail: expect.stringContaining('only 2 words: "Coming soon"') });
});

test.each([
  'http://169.254.169.254/latest',
  'http://2130706434/x',
  'https://[::ffff:10.0.0.1]/x',
  'file:///etc/passwd',
  'https://a:b@example.com/',
])('the address of a page that can never be called is refused when it is given: %s', async (url) => {
  const watch = watchCompetitor(site.competitors, site.account, { name: 'Inside', pages: [{ url }] });

  await expect(watch).rejects.toMatchObject({ code: 'bad_argument' });
});

test('what a site does wrong ends in a clear status, and what robots.txt forbids is not fetched', async () => {
  site.answers.set('/robots.txt', (_request, response) => {
    response.end('User-agent: *\nDisallow: /private\nCrawl-delay: 3\n');
  });
  site.answers.set('/metadata', redirect('http://169.254.169.254/latest'));
  site.answers.set('/localhost', redirect('http://localhost:1/secret'));
  site.answers.set('/decimal', redirect('http://2130706434:1/secret'));
  site.answers.set('/file', redirect('file:///etc/passwd'));
  site.answers.set('/circle', redirect('/circle'));
  site.answers.set('/to-private', redirect('/private/page'));
  site.answers.set('/busy', (_request, response) => void response.writeHead(429, { 'retry-after': '86400' }).end());
  site.answers.set('/endless', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const more = (): void => {
      while (!response.destroyed && response.write('<p>never ends</p>'.repeat(1000)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  site.answers.set('/bomb', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'deflate' });
    response.end(Buffer.concat([Buffer.from([0x78, 0x9c]), deflateRawSync(Buffer.alloc(64 << 20))]));
  });
  site.serve('/deep', () => `${'<div>'.repeat(20_000)}x`);
  site.serve('/shell', () => '<body><div id=root></div><script src=app.js></script></body>');
  site.serve('/pdf', () => '%PDF', { 'content-type': 'application/pdf' });
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
  await site.watch('/private/page', '/to-private', '/gone', ...paths.map((path) => `/${path}`));

  const results = new Map(
    (await site.check()).map(({ page, ...result }) => [new URL(page.url).pathname.slice(1), result]),
  );

  expect(results.get('private/page')?.status).toBe('robots_denied');
  expect(results.get('to-private')?.status).toBe('robots_denied');
  expect(results.get('gone')?.status).toBe('removed');
  for (const path of paths) expect([path, results.get(path)?.status]).toEqual([path, 'error']);
  for (const path of ['metadata', 'localhost', 'decimal'])
    expect([path, results.get(path)?.detail]).toEqual([path, expect.stringContaining('private network')]);
  expect(results.get('busy')?.nextAllowedAt).toEqual(new Date(site.now.getTime() + 86_400_000));
  expect(results.get('endless')?.detail).toContain('more than 5242880 bytes');
  expect(results.get('bomb')?.detail).toContain('more than 5242880 bytes');
  expect(results.get('shell')?.detail).toContain('without scripts');
  expect(site.requests.map(({ path }) => path)).not.toContain('/private/page');
  expect(site.bench.waits.filter((delayMs) => delayMs > 2_000).length).toBeGreaterThan(3);
});

test('a page moved for good says where to, and is watched on', async () => {
  site.serve('/new', () => plansPage('$20'));
  site.answers.set('/old', (_request, response) => void response.writeHead(301, { location: '/new' }).end());
  await site.watch('/old');
  await site.check();

  const [competitor] = await listCompetitors(site.competitors, site.account);
  expect(competitor?.pages).toMatchObject([{ status: 'new', movedTo: `${site.url}/new` }]);
});

test('a page is not fetched again before its time, nor when the call was cancelled', async () => {
  site.serve('/', () => plansPage('$20'));
  await site.watch('/');
  const slow = { ...site.competitors, shortestIntervalMs: 300_000 };
  const pagesOf = async () => (await findCompetitor(slow, site.account, 'Acme')).pages;
  await checkPages(slow, site.account, await pagesOf(), { signal: site.signal });
  site.requests.length = 0;

  const [again] = await checkPages(slow, site.account, await pagesOf(), { signal: site.signal });
  expect(again).toMatchObject({ status: 'new', nextAllowedAt: new Date(site.now.getTime() + 300_000) });
  expect(again?.detail).toContain('not fetched again before');
  site.now = new Date(site.now.getTime() + 300_000);
  expect(await checkPages(slow, site.account, await pagesOf(), { signal: AbortSignal.abort() })).toEqual([]);
  expect(site.requests).toEqual([]);
});

test('a look that waits between two fetches holds up no other page', async () => {
  const paths = Array.from({ length: 20 }, (_, page) => `/plans/${page}`);
  for (const path of paths) site.serve(path, () => plansPage('$20'));
  await site.watch(...paths);
  const { pages } = await findCompetitor(site.competitors, site.account, 'Acme');
  let waiting = 0;
  // Nobody goes on before all wait.
  const all = Promise.withResolvers<void>();
  const wait = (): Promise<void> => {
    waiting += 1;
    if (waiting === paths.length) all.resolve();
    return all.promise;
  };
  const competitors = { ...site.competitors, fetcher: { ...site.competitors.fetcher, wait } };

  const results = await checkPages(competitors, site.account, pages, { signal: site.signal, betweenMs: 15_000 });

  expect(results.map(({ status }) => status)).toEqual(paths.map(() => 'new'));
});
