import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core';
import type { RenderOrder, RenderReport, RenderStart, ResourceAnswer } from './render-message.ts';

/**
 * Entry of a render process: runs the scripts of one page after the other in a browser that reaches nothing by itself. Each
 * request of a page goes to the parent, which fetches it, or does not. Ends when its parent is gone.
 */

/** Most characters of a rendered page. */
const MOST_CHARACTERS = 5 * 1024 * 1024;
const MOST_REQUESTS = 200;
/** A page that goes on asking is read as it is then. */
const SETTLE_MS = 6_000;
const LOAD_MS = 15_000;
/** Types of resources that bring content; pictures, fonts, media and sockets are not requested. */
const FETCHED: ReadonlySet<string> = new Set(['document', 'script', 'xhr', 'fetch']);
/** Of a request of a page: what its server needs to answer it, and nothing that tells who asks. */
const PASSED_ON = ['accept', 'origin', 'referer'];
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // What is not a request of a page (names that are looked up early, sockets, calls) finds no way out either.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy',
  '--js-flags=--max-old-space-size=256',
];
/** Nothing listens there. */
const NO_PROXY = { server: 'http://127.0.0.1:1', bypass: '<-loopback>' };
const READ = `document.documentElement.outerHTML.slice(0, ${MOST_CHARACTERS + 1})`;

const start = JSON.parse(process.argv[2] ?? '{}') as RenderStart;
const waiting = new Map<number, (answer: ResourceAnswer | undefined) => void>();
let lastRequestId = 0;
let browser: Promise<Browser> | undefined;

process.on('disconnect', () => process.exit(0));
process.on('message', (order: RenderOrder) => {
  if (order.type === 'answer') {
    waiting.get(order.id)?.(order.answer);
    waiting.delete(order.id);
    return;
  }
  render(order).then(
    (html) => report({ type: 'done', html }),
    (error: unknown) => {
      const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      report({ type: 'failed', message });
    },
  );
});

function report(message: RenderReport): void {
  // A parent that is gone needs no report; `disconnect` ends the process.
  process.send?.(message, () => undefined);
}

async function render({ url, html }: { url: string; html: string }): Promise<string> {
  // Chromium ends then without a word.
  if (start.isSandboxed && process.getuid?.() === 0)
    throw new Error(
      'Chromium does not start in its sandbox as root. Run the service as another user, or set SVC_CHROMIUM_SANDBOX=no.',
    );
  browser ??= chromium.launch({
    executablePath: start.chromium,
    headless: true,
    chromiumSandbox: start.isSandboxed,
    args: FLAGS,
    proxy: NO_PROXY,
    // Nothing of the service is known to the browser.
    env: { HOME: process.env['HOME'] ?? '', PATH: process.env['PATH'] ?? '' },
  });
  const context = await (
    await browser
  ).newContext({
    userAgent: start.userAgent,
    serviceWorkers: 'block',
    acceptDownloads: false,
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 2_000 },
  });
  try {
    return await readPage(context, { url, html });
  } finally {
    await context.close();
  }
}

async function readPage(context: BrowserContext, { url, html }: { url: string; html: string }): Promise<string> {
  const page = await context.newPage();
  context.on('page', (other) => void other.close().catch(() => undefined));
  let [requests, isServed] = [0, false];
  await context.route('**/*', async (route) => {
    try {
      const request = route.request();
      if (!isServed && request.isNavigationRequest() && request.frame() === page.mainFrame()) {
        isServed = true;
        await route.fulfill({ status: 200, contentType: 'text/html; charset=utf-8', body: html });
        return;
      }
      requests += 1;
      await (requests > MOST_REQUESTS ? route.abort() : answer(route, page));
    } catch {
      // Its window is closed, or not there yet, as that of a window which the page opens: what it asks for is not asked.
      await route.abort().catch(() => undefined);
    }
  });
  // A load that takes too long is read as far as it came.
  await page.goto(url, { waitUntil: 'load', timeout: LOAD_MS }).catch(ignoreTimeout);
  await page.waitForLoadState('networkidle', { timeout: SETTLE_MS }).catch(ignoreTimeout);
  if (page.url().startsWith('chrome-error:')) throw new Error('It leads to an address that cannot be read.');
  const text = await page.evaluate<string>(READ);
  if (text.length > MOST_CHARACTERS) throw new Error(`The page has more than ${MOST_CHARACTERS} characters.`);
  return text;
}

function ignoreTimeout(error: unknown): void {
  if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
}

async function answer(route: Route, page: Page): Promise<void> {
  const request = route.request();
  const type = request.resourceType();
  if (type === 'stylesheet') return route.fulfill({ status: 200, contentType: 'text/css', body: '' });
  const isFramed = type === 'document' && request.frame() !== page.mainFrame();
  if (!FETCHED.has(type) || isFramed || request.method() !== 'GET') return route.abort();
  const headers = request.headers();
  const passed = PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  const resource = await ask({
    url: request.url(),
    headers: Object.fromEntries(passed) as Record<string, string>,
    isScript: type === 'script',
  });
  await (resource === undefined ? route.abort() : fulfill(route, resource));
}

function fulfill(route: Route, { status, headers, bytes }: ResourceAnswer): Promise<void> {
  return route.fulfill({ status, headers, body: Buffer.from(bytes) });
}

function ask(request: Extract<RenderReport, { type: 'request' }>['request']): Promise<ResourceAnswer | undefined> {
  const id = (lastRequestId += 1);
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    report({ type: 'request', id, request });
  });
}
