import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { openTrackerServer, type TrackerServer } from '../../src/testing/tracker-server.ts';
import {
  type App,
  faults,
  heading,
  type OpenPage,
  picture,
  send,
  settle,
  shareApp,
  signedIn,
  TWO_FRAMES,
  visit,
} from './web-browser.ts';
import { definedAt, openSymbol } from './web-code.ts';

const TOKEN = 'token-of-the-tracker';
const PHONE = { width: 320, height: 640 };
const PLAN =
  '# Retry mail\n\n## Tasks\n\n- [ ] T1 Say why sending failed\n  - Done when: the reason is in the log\n- [ ] T2 Try again (depends: T1)\n';

const FILES = {
  'src/mail.ts': 'export function sendMail(to: string): boolean {\n  return to.includes("@");\n}\n',
  'src/lost.ts':
    '/** Mail that was sent and is lost: which shop never got it. */\nexport function lostMail(shop: string): string[] {\n  return [shop];\n}\n\n/** Shops whose mail is lost. */\nexport function shopsOfLostMail(mail: string[]): string[] {\n  return mail;\n}\n',
  'src/order.ts':
    'import { sendMail } from "./mail.ts";\n\nexport const order = (): boolean => sendMail("first@example.org");\n',
};

const shared = shareApp(FILES, { env: { SVC_PRIVATE_HOSTS: '127.0.0.1' } });

/** A product keeps its trackers for all tests of the file. */
const servers: TrackerServer[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A repository without issues, as GitHub serves it. */
async function openGithub(project: string): Promise<TrackerServer> {
  let made = 0;
  const server = await openTrackerServer(({ method, path, headers }) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, json: { message: 'Bad credentials' } };
    const [, below] = /^\/api\/v3\/repos\/acme\/\w+(?:\/([^?]+))?/.exec(path) ?? [];
    if (below === undefined) return { status: 200, json: {} };
    if (below === 'labels') return { status: 200, json: [{ name: 'checkout' }] };
    if (below === 'assignees') return { status: 200, json: [{ login: 'ada' }] };
    if (below === 'milestones') return { status: 200, json: [] };
    if (below.endsWith('/blocked_by')) return { status: 200, json: [] };
    if (method === 'POST') made += 1;
    const number = method === 'POST' ? made : Number(below.replace('issues/', ''));
    const html_url = `https://github.com/${project}/issues/${number}`;
    const issue = { id: 1000 + number, number, html_url, state: method === 'POST' ? 'open' : 'closed' };
    return { status: method === 'POST' ? 201 : 200, json: issue };
  });
  servers.push(server);
  return server;
}

async function connect(
  page: Page,
  { project, url, token }: { project: string; url: string; token: string },
): Promise<void> {
  await page.getByLabel('Repository').fill(project);
  await page.getByLabel('Address (optional)').fill(url);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

test('a tracker is connected, a work item is sent there once, and its status comes back', async (context) => {
  const { app, open } = await signedIn(context, 'wide', shared);
  const github = await openGithub('acme/shop');
  const { page, complaints } = open;

  await visit(open, `${app.url}/settings/integrations`, 'Integrations');
  await page.getByRole('button', { name: 'Connect a tracker' }).click();
  await connect(page, { project: 'acme/shop', url: github.url, token: 'wrong' });
  await page.getByText('GitHub does not accept the token (401)').waitFor();
  const ofForm = await faults(open);
  await picture(open, 'tracker-connect');
  await connect(page, { project: 'acme/shop', url: github.url, token: TOKEN });
  await page.getByRole('rowheader', { name: 'GitHub acme/shop' }).waitFor();
  const ofSettings = await faults(open);
  await page.getByRole('button', { name: 'Webhook of GitHub acme/shop' }).click();
  await page.getByRole('button', { name: 'Make a secret' }).click();
  await page.getByText('Copy the secret now').waitFor();
  const ofWebhook = await faults(open);
  await picture(open, 'tracker-webhook');
  await page.getByRole('button', { name: 'Done' }).click();

  await visit(open, `${app.url}/plans/new`, 'New plan');
  await page.getByLabel('Text', { exact: true }).fill(PLAN);
  await page.getByRole('button', { name: 'Save plan' }).click();
  await page.getByRole('tab', { name: 'Work items' }).click();
  await page.getByRole('button', { name: 'Send T1 to an issue tracker' }).click();
  await page.getByRole('region', { name: 'Text of the issue' }).getByText('the reason is in the log').waitFor();
  await page.getByRole('checkbox', { name: 'checkout' }).check();
  const ofDialog = await faults(open);
  await picture(open, 'tracker-send');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('link', { name: 'GitHub #1' }).waitFor();
  await page.getByRole('button', { name: 'Send all to an issue tracker' }).click();
  await page.getByText('1 of 1 items').waitFor();
  const ofPlan = await faults(open);
  await picture(open, 'tracker-send-plan');
  await page.getByRole('button', { name: 'Send them' }).click();
  await page.getByRole('list', { name: 'What became of each' }).getByRole('link', { name: 'GitHub #2' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.setViewportSize(PHONE);
  const ofPhone = await faults(open);
  await picture(open, 'tracker-sent-phone');
  await page.getByRole('button', { name: 'Send T1 to an issue tracker' }).click();
  await page.getByRole('button', { name: 'Refresh its status' }).click();
  await page.getByRole('dialog').getByText('closed', { exact: true }).waitFor();
  const ofSent = await faults(open);
  await picture(open, 'tracker-status-phone');

  expect([...ofForm, ...ofSettings, ...ofWebhook, ...ofPlan, ...ofDialog, ...ofPhone, ...ofSent]).toEqual([]);
  expect(await page.getByRole('link', { name: 'GitHub #1' }).first().getAttribute('rel')).toContain('noopener');
  const sent = github.requests.filter(({ method }) => method === 'POST');
  expect(sent.map(({ body }) => body)).toMatchObject([
    { labels: ['checkout'] },
    { title: 'Try again' },
    { issue_id: 1001 },
  ]);
  // The refused token is the one thing that the browser itself reports.
  expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
  expect(`${app.out()}${app.err()}`).not.toContain(TOKEN);
});

/** More signals than a window shows. */
const SIGNALS = 40;
/** Those that a person gave their theme. */
const NAMED = 3;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Writes feedback, a plan and a decision about lost mail: signals of a theme, a plan, and a decision that names both code and
 * plan.
 */
async function writeDown(app: App): Promise<void> {
  await send(app, 'POST plans', { text: PLAN.replace('# Retry mail', '# Lost mail') });
  await send(app, 'POST decisions', {
    title: 'Send mail again when it is lost',
    decision: 'Mail that is lost is sent again by `sendMail` in `src/mail.ts`.',
    links: ['plan:lost-mail', 'src/mail.ts'],
  });
  const signals = Array.from({ length: SIGNALS }, (_, shop) => ({
    text: `Lost mail at shop ${shop}`,
    date: new Date(Date.UTC(2026, 0, 1) + shop * DAY_MS).toISOString(),
  }));
  const { ids = [] } = await send(app, 'POST signals', { signals: signals.slice(0, NAMED) });
  for (const id of ids) await send(app, `PUT signals/${id}/theme`, { label: 'Mail is lost' });
  // They say the same, so they go where a person put the first.
  await send(app, 'POST signals', { signals: signals.slice(NAMED) });
  // The part of the code that it is about is looked for in the background.
  await expect
    .poll(async () => (await send(app, 'GET themes')).themes?.find(({ label }) => label === 'Mail is lost')?.place)
    .toMatch(/:src$/);
}

/** A page as it was left. */
interface PageState {
  address: string;
  title: string;
  scrolledPx: number;
}

async function stateOf(page: Page): Promise<PageState> {
  const scrolledPx = await page.evaluate<number>('Math.round(scrollY)');
  return { address: page.url(), title: await page.title(), scrolledPx };
}

/** Follows links by keyboard, and remembers how each page was left. */
class Walk {
  readonly states: PageState[] = [];
  readonly #open: OpenPage;

  constructor(open: OpenPage) {
    this.#open = open;
  }

  async follow(link: Locator, title: string): Promise<void> {
    const { page } = this.#open;
    await link.waitFor();
    // The router hears of scrolling once it has drawn a page, and with the next frame.
    await settle(this.#open);
    await link.focus();
    await page.evaluate(TWO_FRAMES);
    // The address of code gets its commit first.
    await page.waitForURL(({ pathname }) => !/^\/[rs]\/[^@]+@\//.test(pathname));
    this.states.push(await stateOf(page));
    await page.keyboard.press('Enter');
    await heading(page, title);
  }
}

/** From the list of signals, narrowed down and scrolled, to the plan. */
async function walkToPlan(walk: Walk, page: Page): Promise<void> {
  const main = page.getByRole('main');
  const link = (name: string): Locator => main.getByRole('link', { name, exact: true }).first();
  await page.getByRole('searchbox', { name: 'Text' }).fill('mail at');
  await page.waitForURL(/query=mail/);
  // Takes the focus out of the field, so that the next key scrolls.
  await page
    .getByRole('status')
    .filter({ hasText: `${SIGNALS} signals` })
    .click();
  const oldest = page.getByRole('link', { name: /open “Lost mail at shop 0”/ });
  while ((await oldest.count()) === 0) await page.keyboard.press('PageDown');
  await walk.follow(oldest, 'Lost mail at shop 0');
  await walk.follow(link('Mail is lost'), 'Mail is lost');
  await walk.follow(link('src/lost.ts'), 'lost.ts');
  await page.getByRole('link', { name: 'Line 2', exact: true }).click();
  await page.locator('#L2[data-selected]').waitFor();
  await walk.follow(page.getByRole('region', { name: 'Commits', exact: true }).getByText('Add files'), 'Add files');
  await walk.follow(page.getByRole('region', { name: 'Symbols it touched' }).getByText('sendMail'), 'sendMail');
  const background = page.getByRole('region', { name: 'Background' });
  const decision = background.getByRole('listitem').filter({ hasText: 'decision dec:' }).getByRole('link');
  await walk.follow(decision, 'Send mail again when it is lost');
  // What its text names is a link too.
  expect(await link('sendMail').getAttribute('href')).toMatch(/\/src\/mail\.ts#L1/);
  await walk.follow(link('plan:lost-mail'), 'Lost mail');
}

test('from a signal to its theme, code, commit, decision, plan, work item and issue, and back', async (context) => {
  const { app, open } = await signedIn(context, 'phone', shared);
  const { page, complaints } = open;
  const github = await openGithub('acme/mail');
  await writeDown(app);
  await visit(open, `${app.url}/settings/integrations`, 'Integrations');
  await page.getByRole('button', { name: 'Connect a tracker' }).click();
  await connect(page, { project: 'acme/mail', url: github.url, token: TOKEN });
  await page.getByRole('rowheader', { name: 'GitHub acme/mail' }).waitFor();

  await page.goto(`${app.url}/signals`);
  const walk = new Walk(open);
  await walkToPlan(walk, page);
  await page.getByRole('tab', { name: 'Work items' }).click();
  await page.getByRole('button', { name: 'Send T1 to an issue tracker' }).click();
  await page.getByLabel('Tracker', { exact: true }).selectOption('GitHub acme/mail');
  await page.getByRole('region', { name: 'Text of the issue' }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const issue = page.getByRole('link', { name: 'GitHub #1' });
  await issue.waitFor();
  await page
    .context()
    .route('https://github.com/**', (route) => route.fulfill({ contentType: 'text/plain', body: 'An issue' }));
  const [tab] = await Promise.all([page.waitForEvent('popup'), issue.click()]);
  await tab.waitForURL('https://github.com/acme/mail/issues/1');
  await tab.close();
  await walk.follow(page.getByRole('main').getByRole('link', { name: 'Plans', exact: true }), 'Plans');

  for (const state of walk.states.toReversed()) {
    await page.goBack();
    await expect.poll(() => stateOf(page)).toEqual(state);
  }
  expect(walk.states[0]?.scrolledPx).toBeGreaterThan(1_000);
  expect(await page.getByRole('searchbox', { name: 'Text' }).inputValue()).toBe('mail at');
  expect(complaints).toEqual([]);
});

test('who follows a link while the address of code gets its commit is not taken back', async (context) => {
  const { app, open } = await signedIn(context, 'wide', shared);
  const { page, complaints } = open;
  const { repositories = [] } = await send(app, 'GET repositories');
  const repo = repositories[0]?.name ?? '';
  for (const [path, answer] of [
    [`/s/${repo}@/src/mail.ts?symbol=sendMail`, /\/tools\/code-tool/],
    [`/r/${repo}@/src/mail.ts`, /\/content\?/],
  ] as const) {
    const held = await hold(page, answer);
    const next = await hold(page, /\/assets\/plans-[^/]*\.js/);
    await page.goto(app.url + path);
    await held.request;
    await page.getByRole('link', { name: 'Plans', exact: true }).click();
    await next.request;
    await held.release();
    await next.release();
    // Taken back, the address has its commit and no page of plans follows.
    await page.waitForURL(/\/plans$|@[0-9a-f]{12}/);
    expect(new URL(page.url()).pathname).toBe('/plans');
    await heading(page, 'Plans');
  }
  expect(complaints).toEqual([]);
});

interface Held {
  request: Promise<Request>;
  /** Lets the answer come, and waits until the page has drawn what it makes of it. */
  release: () => Promise<void>;
}

/** Keeps requests back until they are released. */
async function hold(page: Page, pattern: RegExp): Promise<Held> {
  const arrival = Promise.withResolvers<Request>();
  const released = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    arrival.resolve(route.request());
    await released.promise;
    await route.continue();
  });
  return {
    request: arrival.promise,
    release: async () => {
      const request = await arrival.promise;
      released.resolve();
      // None when the page has no more use for it.
      const answer = await request.response();
      await answer?.finished();
      await page.evaluate(TWO_FRAMES);
      await page.unroute(pattern);
    },
  };
}

test('from what an agent cites to the line', async (context) => {
  const { app, open } = await signedIn(context, 'wide', shared);
  const { page, complaints } = open;
  await visit(open, `${app.url}/ask`, 'Ask');
  await page.getByLabel('Question').fill('Where is sendMail defined?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('main').getByRole('link', { name: '[1]' }).first().click();
  const source = page.locator('#source-1');
  await source.getByText('src/mail.ts').first().waitFor();
  await source.getByRole('link').first().click();
  await page.getByRole('region', { name: 'Source of src/mail.ts' }).locator('#L1[data-selected]').waitFor();
  expect(page.url()).toMatch(/\/r\/[^@/]+@[0-9a-f]{7,}\/src\/mail\.ts#L1/);
  expect(complaints).toEqual([]);
});

test('from the palette to a symbol, to what uses it and to its caller', async (context) => {
  const { open } = await signedIn(context, 'wide', shared);
  const { page, complaints } = open;
  await page.keyboard.press('Control+k');
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.keyboard.type('sendMail');
  await page.getByRole('option', { name: /sendMail.*src\/mail\.ts:1/ }).click();
  const uses = await openSymbol(definedAt(page, 1), 'sendMail');
  await uses.getByRole('link', { name: /^Line 3 / }).click();
  await page.getByRole('region', { name: 'Source of src/order.ts' }).locator('#L3[data-selected]').waitFor();
  await page.goBack();
  await heading(page, 'sendMail');
  await page
    .getByRole('region', { name: 'Called and used by' })
    .getByRole('link', { name: 'order', exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: 'order', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
