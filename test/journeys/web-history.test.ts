import { expect, test } from 'vitest';
import type { TestRepository } from '../../src/testing/git.ts';
import { type App, heading, Looker, send, shareApp, signedIn, visitUntil } from './web-browser.ts';

const SEND = 'export function send(to: string): boolean {\n  return to.includes("@");\n}\n';
const RETRY = 'export function retry(): void {}\n';

const FILES = {
  'package.json': '{"name": "mail", "main": "src/send.ts"}\n',
  'src/send.ts': SEND + RETRY,
  'src/listOfSubscriptions.ts': 'export const list = [];\n',
  CODEOWNERS: '/src/ second@example.org\n',
};

/** Markup that a careless page would run or fetch. */
const HOSTILE =
  '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'"> [go](javascript:alert(1))';

/** Two versions: the second takes an export away without a word. */
function makeHistory({ commit, git }: TestRepository): void {
  git('tag', 'v1.0.0');
  const files = { 'src/send.ts': SEND.replace('to.includes', 'to !== "" && to.includes') + RETRY };
  commit({ message: `fix(mail): refuse nobody ${HOSTILE} (#7)\n\n${HOSTILE}`, files });
  commit({ message: 'refactor: simplify sending', files: { 'src/send.ts': SEND } });
  for (const at of [1, 2, 3])
    commit({
      message: `feat: page lists ${at}`,
      author: 'Second Author <second@example.org>',
      files: { 'src/send.ts': `${SEND}// ${at}\n`, 'src/listOfSubscriptions.ts': `export const list = [${at}];\n` },
    });
  git('tag', 'v2.0.0');
}

const shared = shareApp(FILES, { prepare: makeHistory });

/** Waits until the job that follows an index run has looked for removed exports: until then a changelog says that it has not. */
async function findRemovedExports(app: App): Promise<void> {
  const changelog = () => send(app, 'POST tools/commit-tool', { action: 'changelog' });
  await expect.poll(async () => JSON.stringify(await changelog())).not.toContain('not known yet');
}

test('the history tells where the code changes, what came with a version, and who knows a file', async (context) => {
  const { app, open } = await signedIn(context, 'wide', shared);
  await findRemovedExports(app);
  const { page, complaints } = open;
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await heading(page, 'History');
  await page.getByRole('row', { name: /^src\/send\.ts 100 / }).waitFor();

  await page.getByRole('link', { name: 'Change together' }).click();
  await page.getByRole('row', { name: /src\/listOfSubscriptions\.ts src\/send\.ts/ }).waitFor();
  await page.getByRole('link', { name: 'Changelog' }).click();
  await page.getByLabel('After').selectOption('v1.0.0');
  // The other choice is about what is shown by then.
  await page.waitForURL(/since=v1\.0\.0/);
  await page.getByLabel('Up to').selectOption('v2.0.0');
  await page.getByText('removes retry').waitFor();
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toMatch(
    /^## \[v2\.0\.0\] - 2026-01-01\n\n### Breaking changes\n\n- Simplify sending; removed: retry \(/,
  );
  expect(copied).toContain(String.raw`\<script>`);

  await page.getByRole('link', { name: 'Compare the code' }).click();
  expect(new URL(page.url()).search).toContain('since=v1.0.0&until=v2.0.0');
  const breaks = page.getByRole('region', { name: 'What may break' });
  await breaks.getByText('retry', { exact: true }).waitFor();
  const compared = page.getByRole('list', { name: 'Files that differ' });
  await compared.getByRole('button', { name: 'src/send.ts' }).click();
  await compared.getByRole('region', { name: 'Changes of src/send.ts' }).getByText('// 3').waitFor();
  expect(await compared.getByText('export function retry(): void {}').count()).toBe(1);
  await page.getByRole('button', { name: 'Swap' }).click();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.waitForURL(/since=v2\.0\.0&until=v1\.0\.0/);
  await breaks.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Owners' }).click();
  await page.getByRole('rowheader', { name: 'Second Author' }).waitFor();
  await page.getByRole('button', { name: 'src/', exact: true }).click();
  await page.getByRole('row', { name: /^listOfSubscriptions\.ts 1 Second Author 75 % 1 / }).waitFor();
  await page.getByLabel('Find a file').fill('send');
  await page.getByRole('button', { name: 'src/send.ts' }).click();
  await page.getByText('CODEOWNERS, line 1: second@example.org.').waitFor();
  await page.getByRole('rowheader', { name: 'First Author' }).waitFor();

  await page.getByRole('link', { name: 'Commits' }).click();
  await page.getByLabel('Type').selectOption('fix');
  await page.getByRole('list', { name: 'Commits' }).getByRole('link', { name: /^fix/ }).click();
  await page.getByRole('heading', { level: 1, name: /^fix\(mail\): refuse nobody/ }).waitFor();
  await page.getByText('The author says so.').waitFor();
  expect(await page.getByRole('main').locator('img, script, [href^="javascript"]').count()).toBe(0);
  const changed = page.getByRole('list', { name: 'Changed files' });
  // The rest of the page is there before the difference is.
  await changed.locator('mark').first().waitFor();
  expect(await changed.locator('mark').allTextContents()).toEqual([' !== "" && to']);
  await page.getByText('Side by side').click();
  await changed.getByText('export function send').last().waitFor();
  await changed.getByRole('link', { name: 'src/send.ts' }).click();
  const source = page.getByRole('region', { name: 'Source of src/send.ts' });
  await source.getByText('retry').waitFor();
  await page.getByText('older commit').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Files' }).waitFor();
  expect(await page.title()).toMatch(/^fix\(mail\): refuse nobody .* · svc$/);
  expect(new URL(page.url()).origin).toBe(app.url);
  expect(complaints).toEqual([]);
});

/** Every view, with what is there once it is loaded. */
const VIEWS = [
  ['hotspots', '/history', 'src/send.ts'],
  ['activity', '/history?view=activity', 'Commits per month'],
  ['together', '/history?view=together', 'src/listOfSubscriptions.ts'],
  ['changelog', '/history?view=changelog&since=v1.0.0&until=v2.0.0', 'removes retry'],
  ['owners', '/history?view=owners&path=src/listOfSubscriptions.ts', 'Bus factor'],
  ['compare', '/history?view=compare&since=v1.0.0&until=v2.0.0', 'May break'],
  ['ownership', '/history?view=owners', 'At bus factor 1'],
  ['ownership-folder', '/history?view=owners&path=src/', 'All files'],
  ['commits', '/history?view=commits', 'feat: page lists 3'],
] as const;

/** The same parts on every view: looked at where there is least room. */
const STATES = [
  ['hotspots-none', '/history?path=nowhere', 'No source file changed'],
  ['changelog-unknown', '/history?view=changelog&since=nowhere', 'Could not load the changelog'],
  ['compare-unknown', '/history?view=compare&since=nowhere', 'Could not load the comparison'],
  ['owners-found', '/history?view=owners&query=list', 'src/listOfSubscriptions.ts'],
  ['commits-none', '/history?view=commits&author=nobody', 'No commit matches'],
] as const;

test('every page of the history is accessible, fits and keeps its policy', async (context) => {
  const { app, open } = await signedIn(context, 'phone', shared);
  const { page, complaints } = open;
  const looker = new Looker(open);
  for (const [name, path, text] of VIEWS) {
    await visitUntil(open, app.url + path, page.getByRole('main').getByText(text));
    await looker.look(`history-${name}`);
  }
  for (const [name, path, text] of STATES) {
    await visitUntil(open, app.url + path, page.getByRole('main').getByText(text));
    await looker.lookWhereNarrow(`history-${name}`);
  }
  const fix = page.getByRole('list', { name: 'Commits' }).getByRole('link', { name: /^fix/ });
  await visitUntil(open, `${app.url}/history?view=commits&types=fix`, fix);
  await fix.click();
  await page.getByRole('heading', { name: 'Files' }).waitFor();
  await looker.look('history-commit');
  await visitUntil(open, new URL('deadbeef', page.url()).href, page.getByText('Could not load this commit'));
  await looker.look('history-commit-unknown');

  expect(looker.problems).toEqual([]);
  // What is not there is answered with a failure, which the browser writes to its console.
  expect(complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
});
