import type { Looker, OpenPage } from './web-browser.ts';

/** From a decision to its surroundings, on to its code, along a path and to the features. */
export async function lookAtGraph({ page }: OpenPage, looker: Looker): Promise<void> {
  await page.getByRole('link', { name: 'In the graph' }).click();
  await page.getByRole('table', { name: 'Neighbours of Send mail over a queue' }).waitFor();
  await page.getByLabel('Hops').selectOption('Two');
  await page.getByRole('row', { name: /MailQueue.retry\s*over MailQueue/ }).waitFor();
  await looker.look('graph');
  await page.getByRole('link', { name: 'Path', exact: true }).click();
  await page.getByLabel('To', { exact: true }).fill('ord');
  await page.getByRole('option', { name: /^order\s*symbol/ }).click();
  await page.getByRole('list', { name: 'Paths, the best first' }).getByText('is called by').first().waitFor();
  await looker.look('graph-path');
  await page.getByRole('link', { name: 'Features and layers' }).click();
  await page
    .getByRole('heading', { name: /feature/ })
    .first()
    .waitFor();
  await looker.look('graph-features');
  await page.getByRole('link', { name: 'Services' }).click();
  await page.getByText('No requests between repositories').waitFor();
}
