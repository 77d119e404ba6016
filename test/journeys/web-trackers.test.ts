import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openTrackerServer, type TrackerServer } from '../../src/testing/tracker-server.ts';
import { faults, heading, picture, send, shareApp, signedIn } from './web-browser.ts';

const TOKEN = 'token-of-the-tracker';
const PHONE = { width: 320, height: 640 };
const PLAN =
  '# Retry mail\n\n## Tasks\n\n- [ ] T1 Say why sending failed\n  - Done when: the reason is in the log\n- [ ] T2 Try again (depends: T1)\n';

const FILES = {
  'src/mail.ts': 'export function sendMail(to: string): boolean {\n  return to.includes("@");\n}\n',
  'src/order.ts':
    'import { sendMail } from "./mail.ts";\n\nexport const order = (): boolean => sendMail("first@example.org");\n',
};

const shared = shareApp(FILES, { env: { SVC_PRIVATE_HOSTS: '127.0.0.1' } });

/** A repository without issues, as GitHub serves it. */
async function openGithub(): Promise<TrackerServer> {
  let made = 0;
  const server = await openTrackerServer(({ method, path, headers }) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, json: { message: 'Bad credentials' } };
    const [, below] = /^\/api\/v3\/repos\/acme\/shop(?:\/([^?]+))?/.exec(path) ?? [];
    if (below === undefined) return { status: 200, json: {} };
    if (below === 'labels') return { status: 200, json: [{ name: 'checkout' }] };
    if (below === 'assignees') return { status: 200, json: [{ login: 'ada' }] };
    if (below === 'milestones') return { status: 200, json: [] };
    if (below.endsWith('/blocked_by')) return { status: 200, json: [] };
    if (method === 'POST') made += 1;
    const number = method === 'POST' ? made : Number(below.replace('issues/', ''));
    const html_url = `https://github.com/acme/shop/issues/${number}`;
    const issue = { id: 1000 + number, number, html_url, state: method === 'POST' ? 'open' : 'closed' };
    return { status: method === 'POST' ? 201 : 200, json: issue };
  });
  onTestFinished(() => server.close());
  return server;
}

async function connect(page: Page, { url, token }: { url: string; token: string }): Promise<void> {
  await page.getByLabel('Repository').fill('acme/shop');
  await page.getByLabel('Address (optional)').fill(url);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

test('a tracker is connected, a work item is sent there once, and its status comes back', async (context) => {
  const { app, open } = await signedIn(context, 'wide', shared);
  const github = await openGithub();
  const { page, complaints } = open;

  await page.goto(`${app.url}/settings/integrations`);
  await page.getByRole('button', { name: 'Connect a tracker' }).click();
  await connect(page, { url: github.url, token: 'wrong' });
  await page.getByText('GitHub does not accept the token (401)').waitFor();
  const ofForm = await faults(open);
  await picture(open, 'tracker-connect');
  await connect(page, { url: github.url, token: TOKEN });
  await page.getByRole('rowheader', { name: 'GitHub acme/shop' }).waitFor();
  const ofSettings = await faults(open);
  await page.getByRole('button', { name: 'Webhook of GitHub acme/shop' }).click();
  await page.getByRole('button', { name: 'Make a secret' }).click();
  await page.getByText('Copy the secret now').waitFor();
  const ofWebhook = await faults(open);
  await picture(open, 'tracker-webhook');
  await page.getByRole('button', { name: 'Done' }).click();

  await page.goto(`${app.url}/plans/new`);
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
  const sent = github.seen.filter(({ method }) => method === 'POST');
  expect(sent.map(({ body }) => body)).toMatchObject([
    { labels: ['checkout'] },
    { title: 'Try again' },
    { issue_id: 1001 },
  ]);
  // The refused token is the one thing that the browser itself tells.
  expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
  expect(`${app.out()}${app.err()}`).not.toContain(TOKEN);
});

test('from what a customer said to its theme, a decision, its code, the commit and back', async (context) => {
  const { app, open } = await signedIn(context, 'wide', shared);
  const { page, complaints } = open;
  await send(app, 'POST decisions', {
    title: 'Send mail again when it is lost',
    decision: 'Mail that is lost is sent again by `sendMail` in `src/mail.ts`.',
  });
  const signals = [{ text: 'My mail is lost too often', customer: 'Shop A' }];
  const { ids: [signal = ''] = [] } = await send(app, 'POST signals', { signals });
  await send(app, `PUT signals/${signal}/theme`, { label: 'Lost mail' });

  await page.goto(`${app.url}/signals/${signal}`);
  await heading(page, 'My mail is lost too often');
  await page.getByRole('main').getByRole('link', { name: 'Lost mail', exact: true }).click();
  await heading(page, 'Lost mail');
  await page
    .getByRole('region', { name: 'Plans and decisions about it' })
    .getByRole('link', { name: 'Send mail again when it is lost' })
    .click();
  await heading(page, 'Send mail again when it is lost');
  await page
    .getByRole('list', { name: 'Named in the code' })
    .getByRole('link', { name: 'src/mail.ts:1', exact: true })
    .first()
    .click();
  await page.getByRole('region', { name: 'Source of src/mail.ts' }).locator('#L1[data-selected]').waitFor();
  await page.getByRole('region', { name: 'Commits', exact: true }).getByRole('link', { name: 'Add files' }).click();
  await heading(page, 'Add files');
  await page.getByRole('list', { name: 'Changed files' }).getByRole('link', { name: 'src/mail.ts' }).waitFor();
  for (const title of ['mail.ts', 'Send mail again when it is lost', 'Lost mail', 'My mail is lost too often']) {
    await page.goBack();
    await heading(page, title);
  }
  expect(complaints).toEqual([]);
});

test('from code to the plan that names it, and to its work item', async (context) => {
  const { app, open } = await signedIn(context, 'wide', shared);
  const { page, complaints } = open;
  await send(app, 'POST plans', {
    text: '# Reasons of failures\n\n## Tasks\n\n- [ ] T1 Let `sendMail` in `src/mail.ts` say why it failed\n',
  });

  await page.goto(`${app.url}/search?q=sendMail&mode=symbols`);
  await page.getByRole('list', { name: 'Results' }).getByRole('link', { name: 'sendMail', exact: true }).click();
  await page
    .getByRole('region', { name: 'Plans and decisions' })
    .getByRole('listitem')
    .filter({ hasText: 'plan:reasons-of-failures' })
    .getByRole('link')
    .first()
    .click();
  await heading(page, 'Reasons of failures');
  await page.getByRole('tab', { name: 'Work items' }).click();
  await page.getByRole('rowheader', { name: 'Let sendMail in src/mail.ts say why it failed' }).waitFor();
  expect(complaints).toEqual([]);
});

test('from what an agent cites to the line', async (context) => {
  const { app, open } = await signedIn(context, 'wide', shared);
  const { page, complaints } = open;
  await page.goto(`${app.url}/ask`);
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
  const name = page.locator('#L1[data-selected] a[data-name]');
  await name.focus();
  await page
    .getByRole('dialog', { name: 'About sendMail' })
    .getByRole('link', { name: /^\d uses?$/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await heading(page, 'sendMail');
  // The address keeps the commit from here on.
  await page.waitForURL(/@[0-9a-f]{12}\//);
  await page
    .getByRole('list', { name: 'Files that use it' })
    .getByRole('link', { name: /^Line 3 / })
    .click();
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
