import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { connectClient } from '../../src/testing/mcp-client.ts';
import { openRawStream } from '../../src/testing/raw-stream.ts';
import { serverFile } from './service-process.ts';
import { codeAt } from '../../src/accounts/totp.ts';
import { walkThroughCode } from './web-code.ts';
import { overviewOf, pageOf, PASSWORD, regenerateWithGrace, removeMembers } from './web-members.ts';
import { PROVIDER, signInByProvider, signInWithCode, watchSecondProduct } from './web-sign-in.ts';
import { type App, heading, Looker, picture, placesOf, shareApp, signedIn, visit } from './web-browser.ts';

const FILES = {
  'src/mail.ts':
    'export function sendMail(to: string): boolean {\n  return to.includes("@");\n}\n\nexport class MailQueue {\n  retry(): void {}\n}\n',
  'src/order.ts':
    'import { sendMail } from "./mail.ts";\n\nexport const order = (): boolean => sendMail("first@example.org");\n',
  'tools/report.py': 'def report(rows, since, until, by, order, limit):\n    return len(rows)\n',
};

const shared = shareApp(FILES);
/** It has no calls yet, which the Overview shows. */
const fresh = shareApp(FILES, { env: PROVIDER });

/** Opens the menu of a key's row and chooses an item. */
async function choose(page: Page, key: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${key}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Presses a key once the page listens to it. */
async function pressOn(page: Page, key: string): Promise<void> {
  await heading(page, 'Connect');
  await page.keyboard.press(key);
}

/** The status that a key gets. */
async function statusOf(app: App, key: string): Promise<number> {
  return (await fetch(`${app.url}/v1/repositories`, { headers: { 'x-api-key': key } })).status;
}

async function totalOf(app: App, keyId: string): Promise<number> {
  const { token } = serverFile(app.dataDir);
  const response = await fetch(`${app.url}/v1/api-keys/${keyId}/usage`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { total: number }).total;
}

test('from the first link to a connected client, and to the end of its key', async (context) => {
  const { app, open, link } = await signedIn(context, 'wide', shared);
  const { page, complaints } = open;
  const token = new URL(link).hash.slice('#token='.length);
  expect(await placesOf(open, token)).toEqual([]);
  await page.getByText('Index a repository (done)').waitFor();

  await page
    .getByRole('listitem')
    .filter({ hasText: 'Create an API key' })
    .getByRole('button', { name: 'Create key' })
    .click();
  await page.getByLabel('Name', { exact: true }).fill('journey');
  await page.getByText('90 days').click();
  await page.getByRole('button', { name: 'Create key' }).last().click();
  await page.getByRole('dialog', { name: 'Your API key' }).waitFor();
  await page.getByRole('status').filter({ hasText: 'Waiting for the first MCP call' }).waitFor();
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const key = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(key).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);

  const client = await connectClient('v1 sse', app.url, key);
  const { tools } = await client.listTools();
  await client.callTool({ name: 'code-tool', arguments: { action: 'usages', query: 'sendMail' } });
  await client.callTool({ name: 'code-tool', arguments: { action: 'definition', query: 'sendMail' } });
  const line = page.getByRole('status').filter({ hasText: 'Connected.' });
  await line.waitFor();
  const names = tools.map((tool) => tool.name).join(', ');
  expect(await line.textContent()).toContain(`The client found ${tools.length} operations: ${names}.`);
  await picture(open, 'secret-connected');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await placesOf(open, key)).toEqual([]);

  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'API Keys' }).click();
  await page.getByRole('link', { name: 'journey' }).click();
  await heading(page, 'journey');
  const keyId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  // Initialize, the notice after it, the list and two calls, over one stream.
  const total = await totalOf(app, keyId);
  await page.reload();
  const tile = (name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd').first();
  expect(await tile('Total Requests').textContent()).toBe(String(total));
  expect(await tile('Requests Today').textContent()).toBe(String(total));
  expect(await tile('This Month').textContent()).toBe(String(total));
  expect(await page.getByRole('row', { name: /^code-tool 2 / }).count()).toBe(1);
  await picture(open, 'key-used');

  const stream = await openRawStream(app.url, key);
  await stream.endpoint();
  await page.getByRole('button', { name: 'Regenerate…' }).click();
  await page.getByRole('button', { name: 'Regenerate key' }).click();
  await page.getByRole('alertdialog', { name: 'Your new API key' }).waitFor();
  const renewed = await page.getByRole('textbox', { name: 'journey' }).inputValue();
  await stream.ended;
  expect([await statusOf(app, key), await statusOf(app, renewed)]).toEqual([401, 200]);
  await expect(
    client.callTool({ name: 'code-tool', arguments: { action: 'usages', query: 'sendMail' } }),
  ).rejects.toThrow(/./);
  await page.keyboard.press('Escape');
  await page.getByText('You have not copied the key').waitFor();
  await page.getByRole('button', { name: 'Close anyway' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await placesOf(open, renewed)).toEqual([]);

  const newest = await regenerateWithGrace(page, '24 hours');
  expect([await statusOf(app, renewed), await statusOf(app, newest)]).toEqual([200, 200]);
  await page.getByRole('button', { name: 'End now' }).click();
  await page.getByText('its former value works until').waitFor({ state: 'detached' });
  expect([await statusOf(app, renewed), await statusOf(app, newest)]).toEqual([401, 200]);

  await page.getByRole('button', { name: 'Delete…' }).click();
  const confirm = page.getByRole('button', { name: 'Delete key' });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel('Type journey to confirm').fill('journey');
  await confirm.click();
  await heading(page, 'API Keys');
  await page.getByRole('table').waitFor();
  expect(await page.getByRole('link', { name: 'journey' }).count()).toBe(0);
  expect(await statusOf(app, newest)).toBe(401);
  expect(complaints).toEqual([]);

  await removeMembers(app, open);
});

/** Every page with its title, as a first visit finds it. */
const PAGES = [
  ['/', 'Overview'],
  ['/repositories', 'Repositories'],
  ['/search', 'Search'],
  ['/search?q=sendMail&mode=symbols', 'Search'],
  ['/search?q=send%20mail', 'Search'],
  ['/ask?q=Where%20is%20mail%20sent', 'Ask'],
  ['/connect', 'Connect'],
  ['/settings/api-keys', 'API Keys'],
  ['/settings/members', 'Members'],
  ['/settings/products', 'Products'],
  ['/settings/integrations', 'Integrations'],
  ['/settings/audit-log', 'Audit Log'],
  ['/settings/account', 'Account'],
  ['/nowhere', 'Page not found'],
] as const;

/** Everything that opens on top of a page: where, and how. */
const OVERLAYS: readonly [path: string, name: string, open: (page: Page) => Promise<void>][] = [
  ['/settings/api-keys', 'create', (page) => page.getByRole('button', { name: 'Create key' }).click()],
  ['/settings/api-keys', 'menu', (page) => page.getByRole('button', { name: 'Actions for first key' }).click()],
  ['/settings/api-keys', 'regenerate', (page) => choose(page, 'first key', 'Regenerate…')],
  ['/settings/api-keys', 'delete', (page) => choose(page, 'first key', 'Delete…')],
  ['/repositories', 'add', (page) => page.getByRole('button', { name: 'Add repository' }).click()],
  ['/repositories', 'follow', (page) => page.getByRole('button', { name: 'Follow an organization' }).click()],
  ['/settings/members', 'invite', (page) => page.getByRole('button', { name: 'Invite', exact: true }).click()],
  ['/connect', 'palette', (page) => pressOn(page, 'Control+k')],
  ['/connect', 'shortcuts', (page) => pressOn(page, '?')],
  ['/settings/products', 'product', (page) => page.getByRole('button', { name: 'New product' }).click()],
  ['/settings/products', 'access', (page) => page.getByRole('button', { name: 'Access to default' }).click()],
];

test('every page and dialog is accessible, fits and keeps its policy', async (context) => {
  const { app, open } = await signedIn(context, 'phone', shared);
  const { page, complaints } = open;
  const looker = new Looker(open);

  for (const [path, title] of PAGES) {
    await visit(open, app.url + path, title);
    await looker.look(path.replaceAll(/[^a-z]+/gi, '-'));
  }
  await visit(open, `${app.url}/repositories`, 'Repositories');
  await page.getByRole('main').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'About this repository' }).waitFor();
  await looker.look('repository');
  await walkThroughCode(app, open, looker);
  await visit(open, `${app.url}/settings/api-keys`, 'API Keys');
  await page.getByRole('link', { name: 'first key' }).click();
  await page.getByText('Total Requests').waitFor();
  await looker.look('key');
  await visit(open, `${app.url}/settings/integrations`, 'Integrations');
  await page.getByText('Add Google').click();
  await page.getByRole('region', { name: 'Variables of Google' }).waitFor();
  await looker.look('provider');
  const overlay = page.locator('[role=dialog], [role=alertdialog], [role=menu]');
  for (const [path, name, show] of OVERLAYS) {
    const title = PAGES.find(([address]) => address === path)?.[1] ?? '';
    if (new URL(page.url()).pathname !== path) await visit(open, app.url + path, title);
    await show(page);
    await overlay.waitFor();
    await looker.look(name);
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });
  }
  await visit(open, `${app.url}/settings/api-keys`, 'API Keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name', { exact: true }).press('Enter');
  await page.getByText('This is required.').waitFor();
  await looker.look('create-fault');
  await page.getByLabel('Name', { exact: true }).fill('shown');
  await page.getByLabel('Name', { exact: true }).press('Enter');
  await page.getByRole('dialog', { name: 'Your API key' }).waitFor();
  await looker.look('secret');
  await page.keyboard.press('Escape');
  await page.getByText('You have not copied the key').waitFor();
  await looker.look('secret-asked');
  await page.context().clearCookies();
  await page.goto(app.url);
  await heading(page, 'Sign in');
  await looker.look('sign-in');
  await page.goto(`${app.url}/welcome#token=${'x'.repeat(43)}`);
  await heading(page, 'This link does not work');

  expect(looker.problems).toEqual([]);
  // The used-up link is answered with a failure, which the browser writes to its console.
  expect(complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
});

/** Returns functions that read and move the focus of the keyboard. */
function keyboardOf(page: Page) {
  const focused = (): Promise<string> =>
    page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
  return {
    focused,
    focusedValue: (): Promise<string> => page.evaluate<string>('document.activeElement.value'),
    tabTo: async (name: string): Promise<void> => {
      for (let presses = 0; (await focused()).trim() !== name; presses++) {
        if (presses > 40) throw new Error(`Tab does not reach ${name}`);
        await page.keyboard.press('Tab');
      }
    },
  };
}

test('the keyboard alone creates a key and comes back to where it was', async (context) => {
  const { app, open } = await signedIn(context, 'wide', fresh);
  const { page } = open;
  const { focused, focusedValue, tabTo } = keyboardOf(page);
  await page.goto(`${app.url}/settings/api-keys`);
  await page.getByRole('table').waitFor();

  await tabTo('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await tabTo('Create key');
  await page.keyboard.press('Enter');
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.keyboard.type('by keyboard');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your API key' }).waitFor();
  const key = await page.getByRole('textbox', { name: 'by keyboard' }).inputValue();
  expect(await focusedValue()).toBe(key);
  await tabTo('Copy and close');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  expect(await focused()).toBe('Create key');

  await page.getByRole('link', { name: 'by keyboard' }).waitFor();
  await tabTo('Actions for by keyboard');
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.type('Reg');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  expect(await focused()).toBe('Cancel');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('Actions for by keyboard');

  // The second step of a dialog has the focus: on the new value, when the old one is dead already.
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.type('Reg');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await tabTo('Regenerate key');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: 'Your new API key' }).waitFor();
  const renewed = await page.getByRole('textbox', { name: 'by keyboard' }).inputValue();
  expect(await focusedValue()).toBe(renewed);
  await tabTo('Copy and close');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(renewed);
  expect(await focused()).toBe('Actions for by keyboard');

  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await heading(page, 'History');
  await page.keyboard.press('Control+k');
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.keyboard.type('mem');
  await page.getByRole('option', { name: 'Members' }).waitFor();
  await page.keyboard.press('Enter');
  await heading(page, 'Members');
  await page.getByRole('button', { name: 'Invite', exact: true }).press('Enter');
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.keyboard.type('somebody@example.org');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Invitation' }).waitFor();
  expect(await focusedValue()).toBe(await page.getByRole('textbox', { name: 'Link' }).inputValue());
  expect(await overviewOf(app, open, 'member')).toEqual(
    expect.arrayContaining(['Create an API key (to do)', 'Connect']),
  );
  const viewer = await overviewOf(app, open, 'viewer');
  expect(viewer).toEqual(expect.arrayContaining(['Search', 'History', 'Plans', 'Indexes']));
  expect(viewer.join(' ')).not.toMatch(/to do|Create|Connect|Add a repository/);
});

test('the second factor by keyboard, signing in with it and by a provider, and a second product', async (context) => {
  const { app, open } = await signedIn(context, 'wide', fresh);
  const page = await pageOf(app, open, 'member', 'Ada');
  const { focused, tabTo } = keyboardOf(page);
  const purpose = (): Promise<string> => page.evaluate<string>('document.activeElement.autocomplete');
  await page.goto(`${app.url}/settings/account`);
  await heading(page, 'Account');

  await tabTo('Turn on…');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Turn on the second factor' }).locator('input:focus').waitFor();
  expect(await purpose()).toBe('current-password');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('Turn on…');

  await page.keyboard.press('Enter');
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const scan = page.getByRole('dialog', { name: 'Scan this with your authenticator' });
  await scan.locator('input:focus').waitFor();
  expect(await purpose()).toBe('one-time-code');
  const secret = (await scan.getByText(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '';
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await scan.getByRole('alert').waitFor();
  expect(await purpose()).toBe('one-time-code');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(codeAt(secret.replaceAll(' ', ''), Math.floor(Date.now() / 30_000)));
  await page.keyboard.press('Enter');
  await scan.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Turn off…' }).waitFor();
  expect(await focused()).toBe('Turn off…');

  expect(await signInWithCode(app, page, { email: 'ada@example.org', secret })).toEqual([]);
  expect(await signInByProvider(app, open)).toEqual([]);
  expect(await watchSecondProduct(app, open)).toEqual([]);
  await tabTo('Turn off…');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Turn off the second factor?' }).locator('input:focus').waitFor();
  expect(await purpose()).toBe('current-password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Turn on…' }).waitFor();
  expect(await focused()).toBe('Turn on…');
  await page.context().close();
});
