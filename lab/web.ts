import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, type BrowserContext, type CDPSession, chromium } from 'playwright-core';
import { ensureWebBuild } from '../src/cli/web-build.ts';
import { CHROMIUM, HOW_TO_INSTALL } from '../src/testing/chromium.ts';
import { testRepository } from '../src/testing/git.ts';
import { median } from './measure.ts';
import type { Row } from './report.ts';
import { serve, type Serving } from './serving.ts';

const TOPIC = 'web';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** Each with a browser context of its own, so that nothing is in its cache. */
const VISITS = 5;
const SLOWDOWN = 4;
const KEYS = 20;
/** Requests that begin later than this after the content are not waited for. */
const SETTLE_MS = 1_000;
const READY_POLL_MS = 200;
/** Uses of keys are written every second. */
const WRITTEN_MS = 2_000;

/** The pages, and what is there when the data are. */
const PAGES = [
  { name: 'overview', path: '/', content: 'main a[href*="/repositories/"]' },
  { name: 'API keys', path: '/settings/api-keys', content: 'main table tbody a' },
];

/** Runs in the page; text, because the types of these files know no page. */
const READ_TIMINGS = `new Promise((resolve) => {
  const timings = { paint: 0, largest: 0, shift: 0, scriptBytes: 0, allBytes: 0 };
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe('paint', (entry) => entry.name === 'first-contentful-paint' && (timings.paint = entry.startTime));
  observe('largest-contentful-paint', (entry) => (timings.largest = entry.startTime));
  observe('layout-shift', (entry) => entry.hadRecentInput || (timings.shift += entry.value));
  const [page] = performance.getEntriesByType('navigation');
  timings.allBytes = page.encodedBodySize;
  for (const { name, encodedBodySize } of performance.getEntriesByType('resource')) {
    const { pathname } = new URL(name);
    if (pathname.endsWith('.js')) timings.scriptBytes += encodedBodySize;
    if (!pathname.startsWith('/app/')) timings.allBytes += encodedBodySize;
  }
  // Buffered entries are reported in tasks of their own.
  setTimeout(() => resolve(timings), 100);
})`;

/** Timings that the browser reports of one visit. */
interface Timings {
  paint: number;
  largest: number;
  shift: number;
  scriptBytes: number;
  allBytes: number;
}

/** The built application in a browser that runs four times slower, or one row that says why it was not tried. */
export async function benchWeb(): Promise<Row[]> {
  if (CHROMIUM === undefined)
    return [{ topic: TOPIC, name: 'not measured', value: undefined, unit: '', note: HOW_TO_INSTALL }];
  await ensureWebBuild(dirname(import.meta.dirname));
  await using opened = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-web-'));
  opened.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const repository = testRepository([{ files: { 'src/mail.ts': 'export function sendMail(): void {}\n' } }]);
  opened.defer(() => repository.remove());
  const service = opened.adopt(await serve(dataDir), ({ end }) => end('SIGTERM'));
  const launched = chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
  const browser = opened.adopt(await launched, (launchedBrowser) => launchedBrowser.close());
  await fill(service, repository.path);
  const session = await signIn(browser, service);
  const rows: Row[] = [];
  for (const page of PAGES) {
    const visits: Timings[] = [];
    for (let visit = 0; visit < VISITS; visit++) {
      const context = await browser.newContext({ storageState: session });
      visits.push(await timingsOf(context, service.url + page.path, page.content));
      await context.close();
    }
    rows.push(...visitRows(page.name, visits));
  }
  return rows;
}

/** An indexed repository and as many keys as fill a page, each used once: without that the overview shows the first steps. */
async function fill(service: Serving, path: string): Promise<void> {
  const { id } = await service.owner<{ id: string }>('POST', '/v1/repositories', { url: path });
  for (let made = 1; made <= KEYS; made++) {
    const { key } = await service.owner<{ key: string }>('POST', '/v1/api-keys', { name: `key ${made}` });
    await fetch(`${service.url}/v1/repositories`, { headers: { 'x-api-key': key } });
  }
  for (;;) {
    const { status } = await service.owner<{ status: string }>('GET', `/v1/repositories/${id}`);
    if (status === 'ready') break;
    if (status === 'failed') throw new Error('The repository was not indexed.');
    await setTimeout(READY_POLL_MS);
  }
  await setTimeout(WRITTEN_MS);
}

/** The cookies of somebody who followed a one-time link. */
async function signIn(
  browser: Browser,
  service: Serving,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const { url } = await service.owner<{ url: string }>('POST', '/v1/login-link');
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

async function timingsOf(context: BrowserContext, url: string, content: string): Promise<Timings> {
  const page = await context.newPage();
  const debug: CDPSession = await context.newCDPSession(page);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(url);
  await page.locator(content).first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
  // Through the debugger, because the page's own policy may forbid to run it.
  const { result, exceptionDetails } = await debug.send('Runtime.evaluate', {
    expression: READ_TIMINGS,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error(`The timings cannot be read: ${exceptionDetails.text}`);
  // As READ_TIMINGS gives it.
  return result.value as Timings;
}

function visitRows(page: string, visits: readonly Timings[]): Row[] {
  const of = (name: keyof Timings): number => median(visits.map((visit) => visit[name]));
  const slowest = (name: keyof Timings): string =>
    `slowest ${Math.max(...visits.map((visit) => visit[name])).toFixed(0)}`;
  return [
    { topic: TOPIC, name: `${page}: scripts`, value: of('scriptBytes') / 1000, unit: 'kB', goal: '<= 110' },
    { topic: TOPIC, name: `${page}: page, styles and scripts`, value: of('allBytes') / 1000, unit: 'kB' },
    { topic: TOPIC, name: `${page}: first paint`, value: of('paint'), unit: 'ms', note: slowest('paint') },
    { topic: TOPIC, name: `${page}: largest paint`, value: of('largest'), unit: 'ms', note: slowest('largest') },
    { topic: TOPIC, name: `${page}: layout shift`, value: of('shift'), unit: '', goal: '0' },
  ];
}
