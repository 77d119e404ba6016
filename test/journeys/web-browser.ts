import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { afterAll, onTestFinished, type TestContext } from 'vitest';
import { CHROMIUM, HOW_TO_INSTALL } from '../../src/testing/chromium.ts';
import { HANG_LIMIT_MS } from '../../src/testing/limits.ts';
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
];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Run in the page; text, because the types of these files know no page. */
const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  complain('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`;
/**
 * Only what is wrong is gathered: what is right takes most of the time, and nobody reads it.
 * Left out: the marks at the edges of a menu, which catch the focus and pass it on at once; they are never read.
 */
const findFaults = (rules: readonly string[]): string => `axe
  .run({ exclude: [['[data-base-ui-focus-guard]']] }, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })
  .then(({ violations }) => [
    ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
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
const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

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
  /** When it is ended: after the test when absent. */
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

/** How a page can appear; which accessibility rules can hold in one and not in another. */
const VIEWPORTS = {
  phone: { colorScheme: 'light', viewport: { width: 320, height: 640 }, rules: STANDARDS },
  light: { colorScheme: 'light', viewport: { width: 1280, height: 860 }, rules: STANDARDS },
  dark: {
    colorScheme: 'dark',
    viewport: { width: 1280, height: 860 },
    rules: ['color-contrast', 'link-in-text-block'],
  },
} as const;
type Viewport = keyof typeof VIEWPORTS;

/** A page, and everything that it complained about: errors, warnings and what its security policy stopped. */
export interface OpenPage {
  page: Page;
  complaints: string[];
  /** What it has asked of the service and has no answer to. */
  waiting: ReadonlySet<Request>;
}

/** A page of a browser with nothing in it. Closed after the test. */
async function openPage(browser: Browser, viewport: Viewport): Promise<OpenPage> {
  const { colorScheme, viewport: size } = VIEWPORTS[viewport];
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'Europe/Vienna',
    colorScheme,
    viewport: size,
  });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(HANG_LIMIT_MS);
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

/** What is wrong with the page as it stands: accessibility faults, and content that is wider than the window. */
export async function faults({ page }: OpenPage, rules: readonly string[] = STANDARDS): Promise<string[]> {
  // Through the debugger, because the page's own policy forbids to run it.
  const session = await page.context().newCDPSession(page);
  const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${known.value === 'object' ? '' : AXE};${findFaults(rules)}`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  // As `findFaults` gives it.
  const found = result.value as string[];
  return found.map((fault) => `${new URL(page.url()).pathname}: ${fault}`);
}

/** Names in tables that break inside a word as the page stands. */
export async function brokenNames({ page }: OpenPage): Promise<string[]> {
  const found = await page.evaluate<string[]>(BROKEN_NAMES);
  return found.map((name) => `${new URL(page.url()).pathname}: ${name}`);
}

/** Waits until the page has all that it asked for and has shown it. */
async function settle({ page, waiting }: OpenPage): Promise<void> {
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

/** Shares a service and a browser: each is started by the first test that asks, and ended after the last one of the file. */
export function shareApp(files: Record<string, string>, options: Omit<AppOptions, 'onEnd'> = {}): SharedApp {
  const endings: (() => void | Promise<void>)[] = [];
  const shared: { app?: Promise<App>; browser?: Promise<Browser> } = {};
  afterAll(async () => {
    for (const end of endings.toReversed()) await end();
  });
  return {
    app: () => (shared.app ??= startApp(files, { ...options, onEnd: (work) => void endings.push(work) })),
    browser: () =>
      (shared.browser ??= launch().then((browser) => {
        endings.push(() => browser.close());
        return browser;
      })),
  };
}

/** The browser of the machine. The caller closes it. */
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
  viewport: Viewport,
  shared: SharedApp,
): Promise<{ app: App; open: OpenPage; link: string }> {
  context.skip(CHROMIUM === undefined, HOW_TO_INSTALL);
  const app = await shared.app();
  const open = await openPage(await shared.browser(), viewport);
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

/** What the tests read of answers. */
interface Answer {
  ids?: string[];
  repositories?: { id: string }[];
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

/**
 * Looks at a page in every way in which it can appear: each time its faults are gathered and a picture is kept. It stays as
 * narrow as it was opened, so that what leads to the next page is done where there is least room.
 */
export class Looker {
  readonly found: string[] = [];
  readonly #open: OpenPage;

  constructor(open: OpenPage) {
    this.#open = open;
  }

  async look(name: string): Promise<void> {
    for (const viewport of Object.keys(VIEWPORTS) as Viewport[]) {
      await appear(this.#open, viewport);
      const found = await faults(this.#open, VIEWPORTS[viewport].rules);
      this.found.push(...found.map((fault) => `${viewport} ${fault}`));
      await picture(this.#open, `${name}-${viewport}`);
    }
    await appear(this.#open, 'phone');
  }
}

async function appear(open: OpenPage, viewport: Viewport): Promise<void> {
  const { colorScheme, viewport: size } = VIEWPORTS[viewport];
  await open.page.emulateMedia({ colorScheme });
  await open.page.setViewportSize(size);
  await settle(open);
}

/** Where a text can be read on the page or from what the browser keeps for it. */
export async function placesOf({ page }: OpenPage, text: string): Promise<string[]> {
  const fields = await page.locator('input, textarea').all();
  const places = {
    document: await page.content(),
    fields: (await Promise.all(fields.map((field) => field.inputValue()))).join('\n'),
    storage: JSON.stringify(await page.context().storageState()),
    session: JSON.stringify(await page.evaluate('Object.entries(sessionStorage)')),
    address: page.url() + JSON.stringify(await page.evaluate('history.state')),
  };
  return Object.entries(places).flatMap(([place, content]) => (content.includes(text) ? [place] : []));
}
