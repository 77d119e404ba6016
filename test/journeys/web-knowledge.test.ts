import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { lookAtGraph } from './web-graph.ts';
import { type App, faults, heading, Looker, send, shareApp, signedIn, visit, visitUntil } from './web-browser.ts';

const FILES = {
  'src/mail.ts':
    'export function sendMail(to: string): boolean {\n  return to.includes("@");\n}\n\nexport class MailQueue {\n  retry(): void {}\n}\n',
  'src/order.ts':
    'import { sendMail } from "./mail.ts";\n\nexport const order = (): boolean => sendMail("first@example.org");\n',
  'docs/mail.md': '# Sending mail\n\nMail is sent at once.\n\n## Retries\n\nThere are none.\n',
};

/** Application in which forms are filled; `shown` is looked at before and after it has content. */
const written = shareApp(FILES);
const shown = shareApp(FILES);

/** Markup that a careless page would run or fetch. */
const HOSTILE =
  '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">\n\n![pixel](https://example.com/p.png) [go](javascript:alert(1)) [site](https://example.com)';

const PLAN = `---
title: Retry failed mail
status: proposed
owner: platform team
---

# Retry failed mail

## Goal

A mail that fails once arrives later.

## Requirements

- R1: A failed mail MUST be tried again within a minute

| attempt | after |
| ------- | ----- |
| 1       | 10 s  |

## Tasks

- [ ] T1 Let \`sendMail\` in \`src/mail.ts\` say why it failed (estimate: 1d)
  - Done when: the reason is in the log
- [x] T2 Fill \`MailQueue.retry\` in \`src/mail.ts\` (depends: T1)
- [ ] T3 Remove \`dropMail\` from \`src/old.ts\`

## Notes

${HOSTILE}
`;

/** Commits another `sendMail`, and waits until the plan knows. */
async function changeMail(app: App): Promise<void> {
  const folder = dirname(app.dataDir);
  const git = (...words: string[]): void => {
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...words], { cwd: folder });
  };
  writeFileSync(join(folder, 'src/mail.ts'), FILES['src/mail.ts'].replace('return to', 'return to !== "" && to'));
  git('commit', '--quiet', '--message', 'Refuse what is no address', 'src/mail.ts');
  const { repositories = [] } = await send(app, 'GET repositories');
  await send(app, `POST repositories/${repositories[0]?.id ?? ''}/index`, {});
  await expect.poll(async () => (await send(app, 'GET plans/retry-failed-mail')).stale?.changed).toBe(1);
}

test('documents are uploaded, read, shown as text and deleted', async (context) => {
  const { app, open } = await signedIn(context, 'wide', written);
  const { page, complaints } = open;
  await page.getByRole('link', { name: 'Documents' }).click();
  await heading(page, 'Documents');

  await page.getByLabel('Files to upload').setInputFiles([
    {
      name: 'handbook.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from(`# Handbook\n\n${HOSTILE}\n\n## Hours\n\nAlways.\n`),
    },
    { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 broken') },
  ]);
  await page.getByText('2 of 2 files sent').waitFor();
  await page.getByRole('link', { name: 'Handbook' }).waitFor();
  await page.getByText('Failed', { exact: true }).last().waitFor();
  await page.getByRole('link', { name: 'Handbook' }).click();
  await heading(page, 'Handbook');
  await page.getByRole('heading', { name: 'Hours' }).waitFor();

  expect(await page.getByRole('main').locator('img, script, [href^="javascript"]').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'site' }).getAttribute('rel')).toContain('noopener');
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete document' }).click();
  await heading(page, 'Documents');
  await page.getByRole('link', { name: 'Handbook' }).waitFor({ state: 'detached' });
  expect(await page.title()).toBe('Documents · svc');
  await page.goto(`${app.url}/documents?status=failed`);
  await page.getByRole('link', { name: 'broken.pdf' }).waitFor();
  expect(await page.getByRole('main').getByRole('link').count()).toBe(1);
  expect(complaints).toEqual([]);
});

test('a plan is written, worked on and exported, and tells what changed its code', async (context) => {
  const { app, open } = await signedIn(context, 'wide', written);
  const { page, complaints } = open;
  await page.getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('link', { name: 'New plan' }).click();
  await page.getByLabel('Text', { exact: true }).fill(PLAN);
  await page.getByRole('button', { name: 'Save plan' }).click();
  await heading(page, 'Retry failed mail');
  // The text below does not say its title again.
  await page.getByRole('heading', { name: 'Goal' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Retry failed mail' }).count()).toBe(1);

  await page.getByRole('tab', { name: 'Work items' }).click();
  await page.getByLabel('Status of T1').selectOption('done');
  await page.getByText('2 of 3', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit T3' }).click();
  await page.getByLabel('Estimate').fill('2d');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: '2d' }).waitFor();
  await page.getByRole('tab', { name: 'Code' }).click();
  await page.getByRole('list', { name: 'Named in the code' }).getByText('MailQueue/retry', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Export' }).click();
  await page.getByLabel('Layout').selectOption('issue');
  await page.getByRole('region').getByText('sendMail').first().waitFor();
  await changeMail(app);
  await page.reload();
  await page.getByText(/^(?:stale|aging)/).waitFor();
  await page.getByRole('tab', { name: 'Code' }).click();
  const changed = page.getByRole('listitem').filter({ hasText: 'sendMail' }).filter({ hasText: 'changed' });
  await changed.getByText('Refuse what is no address').waitFor();
  await page.getByRole('button', { name: 'Accept…' }).click();
  await page.getByRole('button', { name: 'Accept plan' }).click();
  await page.getByText('accepted', { exact: true }).waitFor();
  await page.getByText('fresh', { exact: true }).first().waitFor();

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Text', { exact: true }).fill(PLAN.replace('MUST', 'SHOULD'));
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Save plan' }).click();
  await page.getByText('Version 2').waitFor();
  expect(await page.title()).toBe('Retry failed mail · svc');
  expect(complaints).toEqual([]);
});

test('a decision is recorded once, and its successor says so', async (context) => {
  const { app, open } = await signedIn(context, 'wide', written);
  const { page, complaints } = open;
  await visit(open, `${app.url}/decisions`, 'Decisions');
  await page.getByRole('link', { name: 'Record decision' }).click();
  await page.getByLabel('Title').fill('Send mail over a queue');
  await page.getByLabel('Decision', { exact: true }).fill('All mail goes through `MailQueue` in `src/mail.ts`.');
  await page.getByRole('button', { name: 'Record decision' }).click();
  await heading(page, 'Send mail over a queue');
  await page.getByRole('list', { name: 'Named in the code' }).getByText('MailQueue', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Supersede' }).click();
  expect(await page.getByLabel('Supersedes').inputValue()).toBe('dec:1');
  await page.getByLabel('Title').fill('Send mail over a queue of the database');
  await page.getByLabel('Decision', { exact: true }).fill('All mail goes through `MailQueue`, kept in the database.');
  await page.getByRole('button', { name: 'Record decision' }).click();
  await heading(page, 'Send mail over a queue of the database');
  await page.getByRole('link', { name: 'dec:1' }).click();
  await page.getByText('superseded', { exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
});

test('signals are imported by their columns, pinned to a theme and found by it', async (context) => {
  const { app, open } = await signedIn(context, 'wide', written);
  const { page, complaints } = open;
  await page.getByRole('link', { name: 'Signals' }).click();
  await page.getByRole('button', { name: 'Import' }).click();
  const csv =
    'Kunde,Wortlaut,created\nShop A,The export is slow,2026-11-02\nShop B,Export takes forever,2026-11-03\nShop C,,2026-11-04\n';
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'tickets.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Nummer,created\n17,2026-11-02\n'),
  });
  await page.getByText('No column looks like the text of a signal.').waitFor();
  // Its values say which column is the text.
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'tickets.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByLabel('customer').selectOption('Kunde');
  await page.getByRole('cell', { name: 'Shop B' }).waitFor();
  await page.getByText('2 signals to import, 1 line left out.').waitFor();
  await page.getByRole('button', { name: 'Import 2 signals' }).click();
  await page.getByText('2 signals added').waitFor();

  await page.getByRole('button', { name: 'Add signal' }).click();
  await page.getByLabel('Text', { exact: true }).last().fill(`Bills are wrong ${HOSTILE}`);
  await page.getByRole('button', { name: 'Add signal' }).last().click();
  await page.getByText('Bills are wrong').waitFor();
  expect(await page.getByRole('main').locator('img, script').count()).toBe(0);
  await page.getByRole('button', { name: 'Actions for “The export is slow”' }).click();
  await page.getByRole('menuitem', { name: 'Pin to a theme…' }).click();
  await page.getByLabel('Theme', { exact: true }).last().selectOption('');
  await page.getByLabel('Name of the new theme').fill('Slow exports');
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await page.getByRole('list', { name: 'Signals' }).getByRole('link', { name: 'Slow exports' }).waitFor();
  await page.getByLabel('Select “Export takes forever”').check();
  await page.getByRole('group', { name: 'Selected signals' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted 1 signal').waitFor();
  await page.getByText('Export takes forever').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('link', { name: 'open “Export takes forever”' }).click();
  await heading(page, 'Export takes forever');
  expect(await faults(open)).toEqual([]);
  await page.getByRole('button', { name: 'Copy as MCP call' }).click();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  const call = JSON.parse(copied) as { name: string; arguments: object };
  expect(JSON.stringify(await send(app, `POST tools/${call.name}`, call.arguments))).toContain('Export takes forever');

  await visit(open, `${app.url}/themes`, 'Themes');
  await page.getByRole('button', { name: 'Actions for Slow exports' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Exports');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('link', { name: 'Exports', exact: true }).click();
  await heading(page, 'Exports');
  await page.getByRole('link', { name: /^All \d+ signals?$/ }).click();
  await page.getByText('The export is slow').waitFor();
  expect(await page.getByRole('list', { name: 'Signals' }).getByText('Bills are wrong').count()).toBe(0);
  // The first file has no text, which is answered with a failure.
  expect(complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
});

/** Every page with its title, as somebody finds it who has nothing yet. */
const PAGES = [
  ['/documents', 'Documents'],
  ['/documents/doc:none', 'Document'],
  ['/plans', 'Plans'],
  ['/plans/new', 'New plan'],
  ['/decisions', 'Decisions'],
  ['/decisions/new', 'Record decision'],
  ['/signals', 'Signals'],
  ['/themes', 'Themes'],
  ['/customers', 'Customers'],
  ['/work-items', 'Work items'],
  ['/runs', 'Runs'],
  ['/competitors', 'Competitors'],
] as const;

/** Pages of one thing that is not there: made as that of a document is. */
const NOWHERE = [
  ['/plans/none', 'Plan'],
  ['/decisions/dec:99', 'Decision'],
  ['/themes/none', 'Theme'],
  ['/runs/none', 'Run'],
  ['/competitors/none', 'Competitor'],
] as const;

async function fill(app: App): Promise<void> {
  await send(app, 'POST plans', { text: PLAN });
  const options = [
    { name: 'A queue', pros: ['Survives a stop'], cons: ['One more thing to watch'] },
    { name: 'Send at once', pros: ['Simple'], cons: ['Lost when the server is away'] },
  ];
  await send(app, 'POST decisions', {
    title: 'Send mail over a queue',
    decision: 'All mail goes through `MailQueue` in `src/mail.ts`.',
    context: 'Mail was lost when the other side was away.',
    options,
    consequences: ['Mail may arrive late'],
    tags: ['mail'],
    links: ['src/mail.ts:5', 'https://example.com/queue'],
  });
  const { ids = [] } = await send(app, 'POST signals', {
    signals: [
      { text: 'Mail never arrived, this is terrible', customer: 'Shop A', segment: 'enterprise', value: 12_000 },
      { text: 'Great that mail is fast now', customer: 'Shop B', source: 'survey', tags: ['mail'] },
      { text: 'How do I change the sender?', customer: 'Shop C', link: 'https://example.com/ticket/1' },
    ],
  });
  await send(app, `PUT signals/${ids[0] ?? ''}/theme`, { label: 'Lost mail' });
  await send(app, 'POST tools/run_bugAnalysisWorkflow', {
    report: 'Error: lost\n    at MailQueue.add (src/mail.ts:2:3)',
  });
}

test('every page of knowledge that has nothing yet is accessible, fits and keeps its policy', async (context) => {
  const { app, open } = await signedIn(context, 'phone', shown);
  const { complaints } = open;
  const looker = new Looker(open);
  for (const [path, title] of PAGES) {
    await visit(open, app.url + path, title);
    await looker.look(`none${path.replaceAll(/[^a-z]+/gi, '-')}`);
  }
  for (const [path, title] of NOWHERE) {
    await visit(open, app.url + path, title);
    await looker.lookWhereNarrow(`none${path.replaceAll(/[^a-z]+/gi, '-')}`);
  }

  expect(looker.problems).toEqual([]);
  // What is not there is answered with a failure, which the browser writes to its console.
  expect(complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
});

/** Pages that list what was written. */
const FILLED_PAGES = PAGES.filter(([path]) =>
  ['/documents', '/plans', '/decisions', '/signals', '/themes', '/work-items', '/runs'].includes(path),
);

/** The service that is looked at, once it is filled. */
const filled: { app?: Promise<void> } = {};

test('every page of knowledge is accessible, fits and keeps its policy', async (context) => {
  const { app, open } = await signedIn(context, 'phone', shown);
  await (filled.app ??= fill(app));
  const { page, complaints } = open;
  // What the first page has read is older than what was written.
  await page.goto(app.url);
  const looker = new Looker(open);
  for (const [path, title] of FILLED_PAGES) {
    await visit(open, app.url + path, title);
    await page.getByRole('main').locator('li, tbody tr').first().waitFor();
    await looker.look(`some${path.replaceAll(/[^a-z]+/gi, '-')}`);
  }
  await visit(open, `${app.url}/themes`, 'Themes');
  await page.getByRole('link', { name: 'Lost mail' }).click();
  await page.getByRole('heading', { name: 'What they say' }).waitFor();
  await looker.look('theme');
  const year = new Date().getFullYear() - 1;
  await page.getByRole('textbox', { name: 'From' }).focus();
  await page.keyboard.type(`0501${year}`);
  await page.waitForURL((url) => url.searchParams.get('since') === `${year}-05-01`);
  await visit(open, `${app.url}/runs`, 'Runs');
  await page.getByRole('link', { name: 'Error: lost' }).click();
  await page.getByRole('heading', { name: 'Files', exact: true }).waitFor();
  await looker.look('run');
  await page.getByRole('link', { name: 'src/mail.ts' }).first().click();
  await page.getByRole('region', { name: 'Source of src/mail.ts' }).waitFor();
  await visit(open, `${app.url}/documents`, 'Documents');
  await page.getByRole('link', { name: 'Sending mail' }).click();
  await page.getByRole('heading', { name: 'Retries' }).waitFor();
  await looker.look('document');
  await visit(open, `${app.url}/plans/retry-failed-mail`, 'Retry failed mail');
  for (const tab of ['Text', 'Work items', 'Code', 'Export', 'Versions']) {
    await page.getByRole('tab', { name: tab }).click();
    await looker.look(`plan-${tab.toLowerCase().replace(' ', '-')}`);
  }
  await page.getByRole('button', { name: 'Show version 1' }).click();
  await page.getByRole('region', { name: 'Text of version 1' }).waitFor();
  await looker.look('plan-version');
  await visit(open, `${app.url}/plans/retry-failed-mail`, 'Retry failed mail');
  await page.getByRole('tab', { name: 'Work items' }).click();
  await page.getByRole('button', { name: 'Edit T1' }).click();
  await looker.look('work-item');
  await visitUntil(open, `${app.url}/plans/retry-failed-mail/edit`, page.getByLabel('Text', { exact: true }));
  await looker.look('plan-editor');
  // Text that is not saved would ask before it is left.
  await page.goto(`${app.url}/decisions/dec:1`);
  await heading(page, 'Send mail over a queue');
  await looker.look('decision');
  await lookAtGraph(open, looker);
  await visit(open, `${app.url}/decisions/new`, 'Record decision');
  await page.getByLabel('Title').fill('Send no mail over a queue');
  await page.getByLabel('Decision', { exact: true }).fill('Mail goes through no `MailQueue` in `src/mail.ts`.');
  await page.getByRole('button', { name: 'Add an option' }).click();
  await page.getByRole('button', { name: 'Record decision' }).click();
  await page.getByText('Similar decisions already exist').waitFor();
  await looker.look('decision-similar');
  await page.goto(`${app.url}/decisions`);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('dialog').getByRole('region').waitFor();
  await looker.look('decision-files');

  await visit(open, `${app.url}/signals`, 'Signals');
  await page.getByLabel(/^Select “Mail never/).check();
  await looker.look('signal-selected');
  await page.getByRole('button', { name: 'Add signal' }).click();
  await looker.look('signal-add');
  await page.goto(`${app.url}/signals`);
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'tickets.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('customer,text,date\nShop A,The export is slow,2026-11-02\nShop B,,2026-11-03\n'),
  });
  await page.getByText('1 signal to import').waitFor();
  await looker.look('signal-import');
  await visit(open, `${app.url}/themes`, 'Themes');
  await page.getByRole('button', { name: 'Actions for Lost mail' }).click();
  await page.getByRole('menuitem', { name: 'Merge into another…' }).click();
  await page.getByRole('dialog').waitFor();
  await looker.look('theme-merge');

  expect(looker.problems).toEqual([]);
  // What is not there is answered with a failure, which the browser writes to its console.
  expect(complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
});
