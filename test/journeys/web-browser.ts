import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Locator, type Page, type Request } from 'playwright-core';
import { afterAll, onTestFinished, type TestContext } from 'vitest';
import { CHROMIUM, HOW_TO_INSTALL } from '../../src/testing/chromium.ts';
import { HANG_LIMIT_MS, PAGE_LIMIT_MS } from '../../src/testing/limits.ts';
import { testRepository, type TestRepository } from '../../src/testing/git.ts';
import { eventually, type OnEnd, serverFile, type ServiceProcess, startSvc } from './service-process.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One process draws all pages, and none is started in reserve: a fifth less of the processor.
  '--renderer-process-limit=1',
];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Run in the page; text, because the types of these files know no page. */
const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  complain('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`;
/** Content that does not fit: the only direction in which a page scrolls is down. */
const TOO_WIDE = `(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : [])`;
/**
 * Only what is wrong is gathered: what is right takes most of the time, and is not read.
 * Left out: the marks at the edges of a menu, which catch the focus and pass it on at once; they are never read.
 */
const FIND_FAULTS = `axe
  .run({ exclude: [['[data-base-ui-focus-guard]']] }, { runOnly: ${JSON.stringify(STANDARDS)}, resultTypes: ['violations'] })
  .then(({ violations }) => [
    ...${TOO_WIDE},
    ...violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')),
  ])`;
/** Words of row headers that stand on more than one line; a path may break after a slash, anything after a hyphen. */
const BROKEN_NAMES = `[...document.querySelectorAll('th[scope=row]')].flatMap((cell) => {
  const found = [];
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s\\/-]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
    }
  }
  return found;
})`;
/** Until what was drawn last has been laid out, and what it asks for has been asked. */
export const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

// Not every reporter shows why a test was skipped.
if (CHROMIUM === undefined) process.stderr.write(`The web application is not tried: ${HOW_TO_INSTALL}\n`);

/** A service with one small repository. */
export interface App extends ServiceProcess {
  /** The link that the first start prints, until a test uses it. */
  unused: string[];
  dataDir: string;
}

interface AppOptions {
  env?: Record<string, string>;
  /** Adds to the repository before it is indexed. */
  prepare?: (repository: TestRepository) => void;
  /** Time of its end: after the test when absent. */
  onEnd?: OnEnd;
}

/** Starts a service as a user does, which builds the application if that is due. */
async function startApp(
  files: Record<string, string>,
  { env = {}, prepare = () => {}, onEnd = onTestFinished }: AppOptions = {},
): Promise<App> {
  const repository = testRepository([{ files }]);
  onEnd(() => repository.remove());
  prepare(repository);
  const dataDir = join(repository.path, '.svc-data');
  const service = await startSvc(['up', '--data-dir', dataDir], { cwd: repository.path, env, onEnd });
  const [link] = await service.until(/http\S+\/welcome#token=\S+/);
  await service.until(/ ready · /);
  return { ...service, unused: [link], dataDir };
}

/** Windows in which a page is shown, in CSS pixels. */
const WINDOWS = {
  phone: { width: 390, height: 844 },
  wide: { width: 1440, height: 900 },
  /** The wide one at 200 %: what is laid out is the same on a screen with more pixels. */
  zoomed: { width: 720, height: 450 },
  /** The narrowest in which nothing scrolls sideways (WCAG 1.4.10): the wide one at some 450 %. */
  reflow: { width: 320, height: 640 },
} as const;
type WindowName = keyof typeof WINDOWS;
type Scheme = 'light' | 'dark';

/** A page, and everything that it complained about: errors, warnings and what its security policy stopped. */
export interface OpenPage {
  page: Page;
  complaints: string[];
  /** Requests to the service without an answer so far. */
  waiting: ReadonlySet<Request>;
}

/** A page of a browser with nothing in it. Closed after the test. */
async function openPage(browser: Browser, window: WindowName): Promise<OpenPage> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'Europe/Vienna',
    colorScheme: 'light',
    viewport: WINDOWS[window],
  });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(PAGE_LIMIT_MS);
  const complaints = await listen(context);
  const waiting = new Set<Request>();
  context.on('request', (request) => void waiting.add(request));
  context.on('requestfinished', (request) => void waiting.delete(request));
  context.on('requestfailed', (request) => void waiting.delete(request));
  return { page: await context.newPage(), complaints, waiting };
}

async function listen(context: BrowserContext): Promise<string[]> {
  const complaints: string[] = [];
  await context.exposeFunction('complain', (text: string) => void complaints.push(text));
  await context.addInitScript({ content: TELL_VIOLATIONS });
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => void complaints.push(`error: ${error.error().message}`));
  return complaints;
}

/** Returns the faults of the page as it is now: accessibility, and content that is wider than the window. */
export async function faults({ page }: OpenPage): Promise<string[]> {
  // Through the debugger, because the page's own policy forbids to run it.
  const session = await page.context().newCDPSession(page);
  const { result: axeType } = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${axeType.value === 'object' ? '' : AXE};${FIND_FAULTS}`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  // As `FIND_FAULTS` gives it.
  const messages = result.value as string[];
  return messages.map((fault) => `${new URL(page.url()).pathname}: ${fault}`);
}

/** Returns a fault if the page has to be scrolled sideways. */
async function tooWide({ page }: OpenPage): Promise<string[]> {
  return (await page.evaluate<string[]>(TOO_WIDE)).map((fault) => `${new URL(page.url()).pathname}: ${fault}`);
}

/** Names in tables that break inside a word at this width of the page. */
async function brokenNames({ page }: OpenPage): Promise<string[]> {
  const names = await page.evaluate<string[]>(BROKEN_NAMES);
  return names.map((name) => `${new URL(page.url()).pathname}: ${name} is broken`);
}

/** Waits until the page has all that it asked for and has shown it. */
export async function settle({ page, waiting }: OpenPage): Promise<void> {
  do {
    await eventually(() => waiting.size === 0);
    await page.evaluate(TWO_FRAMES);
  } while (waiting.size > 0);
}

/** Keeps a picture when a folder for them is named in SVC_SCREENSHOTS. */
export async function picture({ page }: OpenPage, name: string): Promise<void> {
  const folder = process.env['SVC_SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** A service and a browser that the tests of a file share. */
interface SharedApp {
  app: () => Promise<App>;
  browser: () => Promise<Browser>;
}

/** The one browser of this process, which ends with it. Each test has a context of its own in it, which shares nothing with others. */
const ofProcess: { browser?: Promise<Browser> } = {};

/** Shares a service, which is started by the first test that asks and ended after the last one of the file, and a browser. */
export function shareApp(files: Record<string, string>, options: Omit<AppOptions, 'onEnd'> = {}): SharedApp {
  const endings: (() => void | Promise<void>)[] = [];
  const shared: { app?: Promise<App> } = {};
  afterAll(async () => {
    for (const end of endings.toReversed()) await end();
  });
  return {
    app: () => (shared.app ??= startApp(files, { ...options, onEnd: (work) => void endings.push(work) })),
    browser: () => (ofProcess.browser ??= launch()),
  };
}

/** Starts the browser of the machine. */
function launch(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(HOW_TO_INSTALL);
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS, timeout: HANG_LIMIT_MS });
}

/**
 * The owner, signed in by the link of the first start, or by one of their own when another test has used that. The test is
 * skipped where there is no browser.
 */
export async function signedIn(
  context: TestContext,
  window: WindowName,
  shared: SharedApp,
): Promise<{ app: App; open: OpenPage; link: string }> {
  context.skip(CHROMIUM === undefined, HOW_TO_INSTALL);
  const app = await shared.app();
  const open = await openPage(await shared.browser(), window);
  const link = app.unused.pop() ?? (await loginLink(app));
  await open.page.goto(link);
  await heading(open.page, 'Overview');
  return { app, open, link };
}

async function loginLink(app: App): Promise<string> {
  const authorization = `Bearer ${serverFile(app.dataDir).token}`;
  const response = await fetch(`${app.url}/v1/login-link`, { method: 'POST', headers: { authorization } });
  return ((await response.json()) as { url: string }).url;
}

/** Fields of answers that the tests read. */
interface Answer {
  ids?: string[];
  repositories?: { id: string; name: string }[];
  themes?: { label: string; place: string | null }[];
  stale?: { changed: number };
}

/** Asks as the owner of the machine does; `request` is `POST plans`. */
export async function send(app: App, request: string, body?: object): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(`${app.url}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${serverFile(app.dataDir).token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${request} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Waits for the page of this title. */
export async function heading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Goes to another page as a link does, and waits for its title. */
export function visit(open: OpenPage, url: string, title: string): Promise<void> {
  return visitUntil(open, url, open.page.getByRole('heading', { level: 1, name: title, exact: true }));
}

/** Goes to another page as a link does: the application is loaded again only where what to wait for is shown already. */
export async function visitUntil({ page }: OpenPage, url: string, expected: Locator): Promise<void> {
  if ((await expected.count()) > 0) await page.goto(url);
  else await page.evaluate(`history.pushState({}, '', ${JSON.stringify(url)})`);
  await expected.first().waitFor();
}

/**
 * Looks at a page in every window: each time its faults are gathered and a picture is kept. Each page is seen light and dark;
 * which windows are dark alternates from page to page, so that parts that pages share are seen in every pair. It stays as
 * narrow as it was opened, so that what leads to the next page is done where there is little room.
 */
export class Looker {
  readonly problems: string[] = [];
  readonly #open: OpenPage;
  #looks = 0;

  constructor(open: OpenPage) {
    this.#open = open;
  }

  async look(name: string): Promise<void> {
    const [one, other] = this.#schemes();
    await this.#lookAt(name, 'reflow', one);
    await this.#lookAt(name, 'zoomed', one);
    await this.#lookAt(name, 'wide', other, true);
    await this.#lookAt(name, 'phone', one, true);
  }

  /** Looks at a page of the parts of one that is seen in every window: only where there is least room. */
  async lookWhereNarrow(name: string): Promise<void> {
    const [one] = this.#schemes();
    await this.#lookAt(name, 'reflow', one);
    await this.#lookAt(name, 'phone', one, true);
  }

  #schemes(): readonly [Scheme, Scheme] {
    return this.#looks++ % 2 === 0 ? ['light', 'dark'] : ['dark', 'light'];
  }

  /** Unless it is judged by all rules, only whether everything fits. */
  async #lookAt(name: string, window: WindowName, scheme: Scheme, isJudged = false): Promise<void> {
    const open = this.#open;
    await open.page.emulateMedia({ colorScheme: scheme });
    await open.page.setViewportSize(WINDOWS[window]);
    await settle(open);
    const problems = [...(isJudged ? await faults(open) : await tooWide(open)), ...(await brokenNames(open))];
    this.problems.push(...problems.map((fault) => `${window} ${scheme} ${fault}`));
    await picture(open, `${name}-${window}-${scheme}`);
  }
}

/** Returns the stores that contain a text: the page, or what the browser keeps for it. */
export async function placesOf({ page }: OpenPage, text: string): Promise<string[]> {
  const fields = await page.locator('input, textarea').all();
  const places = {
    document: await page.content(),
    fields: (await Promise.all(fields.map((field) => field.inputValue()))).join('\n'),
    storage: JSON.stringify(await page.context().storageState()),
    session: JSON.stringify(await page.evaluate('Object.entries(sessionStorage)')),
    address: page.url() + JSON.stringify(await page.evaluate('history.state')),
  };
  return Object.entries(places).flatMap(([store, content]) => (content.includes(text) ? [store] : []));
}
