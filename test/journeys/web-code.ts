import type { Locator, Page } from 'playwright-core';
import { heading } from './web-browser.ts';

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
