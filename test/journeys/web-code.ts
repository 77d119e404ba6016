import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type App, heading, type Looker, type OpenPage, visit, visitUntil } from './web-browser.ts';

/** The link of the name that a selected line defines. */
export function definedAt(page: Page, line: number): Locator {
  return page.locator(`#L${line}[data-selected] a[data-name]`);
}

/** By keyboard from a name in the source, over its card, to the page of the symbol. Gives the list of what uses it. */
export async function openSymbol(name: Locator, symbol: string): Promise<Locator> {
  const page = name.page();
  await name.focus();
  await page
    .getByRole('dialog', { name: `About ${symbol}` })
    .getByRole('link', { name: /^\d uses?$/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await heading(page, symbol);
  // The address keeps the commit from here on.
  await page.waitForURL(/@[0-9a-f]{12}\//);
  return page.getByRole('list', { name: 'Files that use it' });
}

/** From a hit of the search to its line, to the symbol there, to who uses it, to that file and its folder. */
export async function walkThroughCode(app: App, open: OpenPage, looker: Looker): Promise<void> {
  const { page } = open;
  await visit(open, `${app.url}/search?q=sendMail&mode=symbols`, 'Search');
  await page.getByRole('list', { name: 'Results' }).getByRole('link', { name: 'sendMail', exact: true }).click();
  const name = definedAt(page, 1);
  await name.waitFor();
  expect(page.url()).toMatch(/\/r\/[^@/]+@[0-9a-f]{12}\/src\/mail\.ts#L1-3$/);
  await looker.look('source');
  const uses = await openSymbol(name, 'sendMail');
  await uses.getByRole('link', { name: /^Line 3 / }).waitFor();
  await looker.look('symbol');
  await uses.getByRole('link', { name: /^Line 3 / }).click();
  await page.getByRole('region', { name: 'Source of src/order.ts' }).locator('#L3[data-selected]').waitFor();
  await page.getByRole('button', { name: 'Blame' }).click();
  await page
    .getByRole('region', { name: 'Source of src/order.ts' })
    .getByRole('link', { name: /^First Author/ })
    .waitFor();
  await looker.look('blame');
  await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'src', exact: true }).click();
  await page.getByRole('list', { name: 'Files' }).getByRole('link', { name: 'mail.ts' }).waitFor();
  await looker.look('folder');
  // What smells is marked in the margin: the keyboard reaches it and selects what it is about.
  const report = page.getByRole('region', { name: 'Source of tools/report.py' });
  await visitUntil(open, page.url().replace(/@.*/, '@/tools/report.py'), report);
  const mark = report.getByRole('link', { name: '6 parameters (threshold 5)' });
  await mark.focus();
  await page.keyboard.press('Enter');
  await page.locator('#L2[data-selected]').waitFor();
  await page.getByRole('region', { name: 'Complexity and smells' }).getByText('lines 1 to 2').waitFor();
  await looker.look('smell');
}
