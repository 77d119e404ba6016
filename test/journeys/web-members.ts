import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PAGE_LIMIT_MS } from '../../src/testing/limits.ts';
import type { App, OpenPage } from './web-browser.ts';
import { heading, picture } from './web-browser.ts';

const PAGES = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

/** Somebody whom the signed-in owner invited, with the API key that they made. */
async function memberWithKey(app: App, { page }: OpenPage, name: string): Promise<string> {
  const invited = await page.context().request.post(`${app.url}/app/api/invitations`, {
    headers: PAGES,
    data: { role: 'member', email: `${name.toLowerCase()}@example.org` },
  });
  const { url } = (await invited.json()) as { url: string };
  const token = new URL(url).hash.slice('#token='.length);
  const send = (path: string, body: object, cookie = ''): Promise<Response> =>
    fetch(`${app.url}/app/api/${path}`, {
      method: 'POST',
      headers: { ...PAGES, cookie },
      body: JSON.stringify(body),
    });
  const accepted = await send('invitations/accept', { token, name, password: 'correct horse battery' });
  const [cookie = ''] = (accepted.headers.get('set-cookie') ?? '').split(';');
  const made = await send('keys', { name: `of ${name}` }, cookie);
  return ((await made.json()) as { key: string }).key;
}

async function statusOf(app: App, key: string): Promise<number> {
  return (await fetch(`${app.url}/v1/repositories`, { headers: { 'x-api-key': key } })).status;
}

/** Removes two people on the page Members: the key of one ends, the key of the other is handed over and goes on. */
export async function removeMembers(app: App, open: OpenPage): Promise<void> {
  const { page } = open;
  const [ended, active] = [await memberWithKey(app, open, 'Ada'), await memberWithKey(app, open, 'Grace')];
  expect([await statusOf(app, ended), await statusOf(app, active)]).toEqual([200, 200]);
  await page.goto(`${app.url}/settings/members`);
  await heading(page, 'Members');

  for (const name of ['Ada', 'Grace']) {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('group', { name: 'Their API key' }).waitFor();
    if (name === 'Grace') await page.getByText('Hand them over').click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  }

  expect([await statusOf(app, ended), await statusOf(app, active)]).toEqual([401, 200]);
  await page.goto(`${app.url}/settings/api-keys`);
  await page.getByRole('link', { name: 'of Grace' }).click();
  await page.getByText('Acts for').waitFor();
  await page
    .getByRole('definition')
    .filter({ hasText: /^owner$/ })
    .waitFor();
}

/** Password of the people in these tests. */
export const PASSWORD = 'correct horse battery';

/** A page of somebody with this role, who was invited by the signed-in owner just now, in a browser profile of their own. */
export async function pageOf(app: App, { page }: OpenPage, role: 'viewer' | 'member', name: string): Promise<Page> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.org`;
  const invited = await page.context().request.post(`${app.url}/app/api/invitations`, {
    headers: PAGES,
    data: { role, email },
  });
  const { url } = (await invited.json()) as { url: string };
  const own = await page.context().browser()?.newContext();
  if (own === undefined) throw new Error('There is no browser.');
  own.setDefaultTimeout(PAGE_LIMIT_MS);
  const token = new URL(url).hash.slice('#token='.length);
  await own.request.post(`${app.url}/app/api/invitations/accept`, {
    headers: PAGES,
    data: { token, name, password: PASSWORD },
  });
  return own.newPage();
}

/** Returns what the Overview offers to a new member with this role who has done nothing yet. */
export async function overviewOf(app: App, open: OpenPage, role: 'viewer' | 'member'): Promise<string[]> {
  const theirs = await pageOf(app, open, role, `A ${role}`);
  await theirs.goto(app.url);
  await heading(theirs, 'Overview');
  // The last part that comes.
  const last = role === 'viewer' ? 'Indexes' : 'Map';
  await theirs.getByRole('heading', { level: 2, name: last, exact: true }).waitFor();
  await picture({ page: theirs, complaints: [], waiting: new Set() }, `overview-${role}`);
  const offered = await theirs.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
  const links = await theirs.getByRole('main').getByRole('link').allTextContents();
  await theirs.context().close();
  return [...offered, ...links];
}

/** Gives the key whose page is open a new value, and gives that. */
export async function regenerateWithGrace(page: Page, period: string): Promise<string> {
  await page.getByRole('button', { name: 'Regenerate…' }).click();
  await page.getByText(period).click();
  await page.getByRole('button', { name: 'Regenerate key' }).click();
  await page.getByText('The old key works until').waitFor();
  const value = await page.getByRole('textbox', { name: 'journey' }).inputValue();
  await page.getByRole('button', { name: 'Copy and close' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  return value;
}
