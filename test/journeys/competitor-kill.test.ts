import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testSite } from '../../src/testing/competitors.ts';
import { testRepository } from '../../src/testing/git.ts';
import { killService, serverFile, type ServiceProcess, startSvc, temporaryFolder } from './service-process.ts';

const PAGES = Array.from({ length: 10 }, (_, at) => `/pricing/${at}`);
/** Pages whose change was reported before the service is killed, at least. */
const STORED = 4;

interface Check {
  url: string;
  status: string;
  detail: string;
}

test('a check that is cut off by kill -9 repeats no fetch of a page that was stored, and loses and doubles no change', async () => {
  const repository = testRepository([{ files: { 'a.ts': 'export const first = 1;\n' } }]);
  onTestFinished(() => repository.remove());
  let price = 20;
  const fetched: string[] = [];
  const reached = Promise.withResolvers<void>();
  const site = await testSite((request, response) => {
    const path = request.url ?? '';
    if (!PAGES.includes(path)) return void response.writeHead(404).end();
    fetched.push(path);
    if (price > 20 && new Set(fetched).size > STORED) reached.resolve();
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<main><h1>Plan ${path}</h1><p>$${price} per user and month, with twenty projects.</p></main>`);
  });
  onTestFinished(() => site.close());
  const dataDir = join(temporaryFolder(), 'data');
  const start = (seconds: string): Promise<ServiceProcess> =>
    startSvc(['serve', '--data-dir', dataDir], {
      cwd: repository.path,
      env: { SVC_PRIVATE_HOSTS: '127.0.0.1', SVC_WATCH_PAUSE_MS: '0', SVC_WATCH_INTERVAL_SECONDS: seconds },
    });
  const check = (): Promise<Check[]> =>
    ask<{ checks: Check[] }>(dataDir, '/v1/competitor-checks', {
      pages: PAGES.map((path) => site.url + path),
    }).then(({ checks }) => checks);

  const first = await start('0');
  await ask(dataDir, '/v1/competitors', { name: 'Acme', pages: PAGES.map((path) => ({ url: site.url + path })) });
  expect((await check()).map(({ status }) => status)).toEqual(PAGES.map(() => 'new'));
  await first.end();
  price = 25;
  fetched.length = 0;

  const second = await start('3600');
  const cut = check().catch((error: unknown) => error);
  await reached.promise;
  await killService(second);
  expect(await cut).toBeInstanceOf(TypeError);

  const third = await start('3600');
  const stored = new Set((await changes(dataDir)).map(({ url }) => new URL(url).pathname));
  fetched.length = 0;
  const checks = await check();

  expect(stored.size).toBeGreaterThanOrEqual(STORED - 1);
  expect(stored.size).toBeLessThan(PAGES.length);
  expect(new Set(fetched)).toEqual(new Set(PAGES.filter((path) => !stored.has(path))));
  expect(checks.every(({ status }) => status === 'changed')).toBe(true);
  const severities = (await changes(dataDir)).map(({ url, severity }) => `${new URL(url).pathname} ${severity}`);
  expect(severities.toSorted()).toEqual(PAGES.map((path) => `${path} high`));
  await third.end();
});

async function changes(dataDir: string): Promise<{ url: string; severity: string }[]> {
  const path = '/v1/competitor-changes?limit=200';
  return (await ask<{ changes: { url: string; severity: string }[] }>(dataDir, path)).changes;
}

/** The answer to a request with the owner's token; a `TypeError` of `fetch` when the service is not there. */
async function ask<Body>(dataDir: string, path: string, body?: object): Promise<Body> {
  const { url, token } = serverFile(dataDir);
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  // The caller says what the route gives.
  return JSON.parse(text) as Body;
}
