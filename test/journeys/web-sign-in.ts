import { createHash } from 'node:crypto';
import type { Page, Route } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { codeAt } from '../../src/accounts/totp.ts';
import { testRepository } from '../../src/testing/git.ts';
import { testIssuer } from '../../src/testing/issuer.ts';
import { PAGE_LIMIT_MS } from '../../src/testing/limits.ts';
import { openGitServer } from './git-server.ts';
import { type App, faults, heading, type OpenPage } from './web-browser.ts';
import { PASSWORD } from './web-members.ts';

/** Files of the repository that is added while one watches. */
const FILES = 150;
const FILE_HASHES = 60;
/** Parts of its objects after which its server waits until the page has shown them. */
const SHARES = [0.35, 0.7];

const issuer = await testIssuer();
afterAll(() => issuer.close());

/** Lets people sign in with an identity provider of the tests, and repositories come from a server of this machine. */
export const PROVIDER = {
  SVC_PRIVATE_HOSTS: '127.0.0.1',
  SVC_OIDC_ISSUER: issuer.url,
  SVC_OIDC_NAME: 'Example ID',
  SVC_OIDC_CLIENT_ID: 'svc',
  SVC_OIDC_CLIENT_SECRET: 'secret',
};

function openOf(page: Page): OpenPage {
  return { page, complaints: [], waiting: new Set() };
}

/** Signs a member in again by the keyboard: address, password, then the code of the second factor; ends on the page Account. */
export async function signInWithCode(app: App, page: Page, { email, secret }: { email: string; secret: string }) {
  await page.context().clearCookies();
  await page.goto(app.url);
  await heading(page, 'Sign in');
  const problems = await faults(openOf(page));
  await page.getByLabel('E-mail address').focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code from your authenticator').and(page.locator(':focus')).waitFor();
  problems.push(...(await faults(openOf(page))));
  // The code of this half minute was used to turn it on; the one after it is taken already.
  await page.keyboard.type(codeAt(secret.replaceAll(' ', ''), Math.floor(Date.now() / 30_000) + 1));
  await page.keyboard.press('Enter');
  await heading(page, 'Overview');
  await page.goto(`${app.url}/settings/account`);
  await heading(page, 'Account');
  return problems;
}

/** Signs somebody in through the identity provider who was invited to the address that it has verified. */
export async function signInByProvider(app: App, { page: owner }: OpenPage): Promise<string[]> {
  const email = 'olga@example.org';
  await owner.context().request.post(`${app.url}/app/api/invitations`, {
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    data: { role: 'member', email },
  });
  const own = await owner.context().browser()?.newContext();
  if (own === undefined) throw new Error('There is no browser.');
  own.setDefaultTimeout(PAGE_LIMIT_MS);
  const page = await own.newPage();
  // The person agrees at once: the provider sends the browser back with a code.
  await page.route(`${issuer.url}/authorize**`, async (route: Route) => {
    const request = new URL(route.request().url());
    const back = new URL(request.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('code', issuer.agree(request.href, { sub: '7', email, email_verified: true, name: 'Olga' }));
    back.searchParams.set('state', request.searchParams.get('state') ?? '');
    await route.fulfill({ status: 302, headers: { location: back.href } });
  });
  await page.goto(app.url);
  await page.getByRole('button', { name: 'Continue with Example ID' }).click();
  await heading(page, 'Overview');
  await page.getByRole('button', { name: /Olga/ }).waitFor();
  const problems = await faults(openOf(page));
  await own.close();
  return problems;
}

/** Makes a second product, goes there, adds a repository and sees how far it is, then its index, without loading the page again. */
export async function watchSecondProduct(app: App, open: OpenPage): Promise<string[]> {
  const { page } = open;
  const repository = testRepository([{ files: largeFiles() }]);
  const server = await openGitServer(repository.path);
  await page.goto(`${app.url}/settings/products`);
  await page.getByRole('button', { name: 'New product' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Second');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show Second' }).click();
  await page.getByRole('row', { name: /^Second .*Shown$/ }).waitFor();
  const problems = await faults(open);
  await page.getByRole('link', { name: 'Repositories', exact: true }).first().click();
  await page.getByRole('heading', { name: 'No repositories yet' }).waitFor();
  problems.push(...(await faults(open)));
  await page.evaluate('window.isSamePage = true');
  await page.getByRole('button', { name: 'Add repository' }).first().click();
  await page.getByLabel('URL or folder').fill(server.url);
  await page.keyboard.press('Enter');
  const percents = [0];
  for (const share of SHARES) {
    server.sendUpTo(share);
    percents.push(await progressAfter(page, percents.at(-1) ?? 0));
  }
  problems.push(...(await faults(open)));
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  server.sendUpTo(1);
  await page.getByText(`${FILES} files`).waitFor();
  problems.push(...(await faults(open)));
  expect(await page.evaluate('window.isSamePage')).toBe(true);
  server.close();
  repository.remove();
  return problems;
}

/** The percentage that the page shows once it is no more the one before. */
async function progressAfter(page: Page, before: number): Promise<number> {
  const shown = page.locator(`main progress:not([value="0"]):not([value="${before}"])`);
  await shown.waitFor();
  return Number(await shown.getAttribute('value'));
}

/** Texts that hardly pack: their objects take many packets on the wire. */
function largeFiles(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, file) => [`data/part-${file}.txt`, `${hashesOf(file).join('\n')}\n`]),
  );
}

function hashesOf(file: number): string[] {
  return Array.from({ length: FILE_HASHES }, (_, line) =>
    createHash('sha512').update(`${file} ${line}`).digest('base64'),
  );
}
