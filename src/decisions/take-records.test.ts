import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlanBench, type PlanBench } from '../testing/plans.ts';
import { adrFile } from './adr.ts';
import { decisionsAt, findDecision, listDecisions, recordDecision, updateDecision } from './decisions.ts';
import { isRecordFile, takeRepositoryRecords } from './repository-records.ts';
import { takeRecords } from './take-records.ts';

let bench: PlanBench;
beforeAll(async () => {
  bench = await openPlanBench();
});
afterAll(() => bench.close());

function adr(title: string, { status = 'Accepted', decision = 'Done.' } = {}): string {
  return `# ${title}\n\n## Status\n\n${status}\n\n## Decision\n\n${decision}\n`;
}

/** Decisions by number: title, status, what took their place, links, file. */
async function describeDecisions(): Promise<string[]> {
  const listed = await listDecisions(bench.plans, bench.account);
  return listed
    .toReversed()
    .map(({ row }) =>
      [row.number, row.title, row.status, row.supersededBy ?? '-', row.links.join(' '), row.path].join(' | '),
    );
}

test('the records of a repository become decisions, and stay in step with its files', async () => {
  const take = async (files: Record<string, string | undefined>) => {
    await bench.commitAndIndex({ files });
    const signal = new AbortController().signal;
    const given = { repositoryId: bench.repositoryId, signal };
    return takeRepositoryRecords(bench.plans, bench.account, given);
  };

  const first = await take({
    'src/mail.ts': 'export function sendMail(to: string): void {\n  console.log(to);\n}\n',
    'docs/adr/0001-mail.md': adr('1. Mail at once', {
      decision: 'See `sendMail`.',
      status: 'Superseded by [2](0002-queue.md)',
    }),
    'docs/adr/0002-queue.md': adr('2. Mail by a queue', { status: 'Accepted\n\nAmends [3](0003-late.md)' }),
    'docs/adr/0003-late.md': adr('3. Late mail'),
    'docs/adr/notes.md': '# Notes\n\nNothing.\n',
    'docs/adr/README.md': '# Records\n\n## Decision\n\nNone.\n',
  });

  expect(first).toMatchObject({
    created: ['dec:1', 'dec:2', 'dec:3'],
    failed: [{ path: 'docs/adr/notes.md', reason: expect.stringContaining('what was decided') as string }],
  });
  expect(await describeDecisions()).toEqual([
    '1 | Mail at once | superseded | 2 |  | docs/adr/0001-mail.md',
    '2 | Mail by a queue | accepted | - | dec:3 | docs/adr/0002-queue.md',
    '3 | Late mail | accepted | - |  | docs/adr/0003-late.md',
  ]);
  const naming = await decisionsAt(bench.plans, bench.account, [{ path: 'src/mail.ts', symbol: 'sendMail' }]);
  expect(naming.map(({ row }) => row.number)).toEqual([1]);

  const next = await take({
    'docs/adr/0002-queue.md': adr('2. Mail by a queue', { decision: 'Two queues.' }),
    'docs/adr/0003-late.md': undefined,
    'docs/decisions/0003-late.md': adr('3. Late mail'),
    'docs/adr/0001-mail.md': undefined,
  });

  expect(next).toMatchObject({ created: [], updated: ['dec:2', 'dec:3'], removed: ['Mail at once'] });
  expect(await describeDecisions()).toEqual([
    '2 | Mail by a queue | accepted | - |  | docs/adr/0002-queue.md',
    '3 | Late mail | accepted | - |  | docs/decisions/0003-late.md',
  ]);
  expect((await findDecision(bench.plans, bench.account, 'dec:2')).row.decision).toBe('Two queues.');
  expect(await take({ 'src/other.ts': 'export const other = 1;\n' })).toMatchObject({ unchanged: 2, updated: [] });

  const actor = 'system' as const;
  const change = { status: 'rejected' } as const;
  await expect(updateDecision(bench.plans, bench.account, { handle: 'dec:2', change, actor })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('an imported folder is told apart from the repository; without all its files nothing is removed', async () => {
  const take = (files: Record<string, string>, isWhole: boolean) =>
    takeRecords(bench.plans, bench.account, {
      files: Object.entries(files).map(([path, text]) => ({ path, text })),
      repositoryId: null,
      isWhole,
      actor: 'system',
    });
  const before = await describeDecisions();
  const draft = { title: 'Kept by hand', decision: 'Yes.' };
  await recordDecision(bench.plans, bench.account, { wanted: draft, actor: 'system' });

  const first = await take(
    { '0001-a.md': adr('1. A'), '0002-b.md': adr('2. B', { status: 'Supersedes ADR-1' }) },
    false,
  );
  const part = await take({ '0002-b.md': adr('2. B', { status: 'Supersedes ADR-1' }) }, false);
  const whole = await take({ '0001-a.md': adr('1. A') }, true);

  expect([first.created.length, part, whole]).toMatchObject([2, { unchanged: 1, removed: [] }, { removed: ['B'] }]);
  const after = await describeDecisions();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length).map((line) => line.replace(/^\d+ \| /, ''))).toEqual([
    'Kept by hand | accepted | - |  | ',
    'A | accepted | - |  | 0001-a.md',
  ]);
});

function takeFolder(folder: string | undefined, files: Record<string, string>): ReturnType<typeof takeRecords> {
  return takeRecords(bench.plans, bench.account, {
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
    repositoryId: null,
    ...(folder !== undefined && { folder }),
    isWhole: true,
    actor: 'system',
  });
}

test('folders of records that are imported one after the other leave each other alone', async () => {
  await takeFolder(undefined, { '0001-x.md': adr('1. Of no folder') });

  const named = await takeFolder('shop/adr', { '0001-x.md': adr('1. Of no folder'), '0002-y.md': adr('2. Shop') });
  const other = await takeFolder('mail/adr', { '0001-x.md': adr('1. Mail'), '0002-y.md': adr('2. More mail') });
  const again = await takeFolder('shop/adr', { '0001-x.md': adr('1. Of no folder') });

  expect([named, other, again]).toMatchObject([
    { created: [expect.any(String)], updated: [expect.any(String)], removed: [] },
    { created: [expect.any(String), expect.any(String)], removed: [] },
    { unchanged: 1, removed: ['Shop'] },
  ]);
  expect((await describeDecisions()).slice(-3).map((line) => line.split(' | ').at(-1))).toEqual([
    'shop/adr/0001-x.md',
    'mail/adr/0001-x.md',
    'mail/adr/0002-y.md',
  ]);
});

test('a status that is not known counts as proposed, and that is reported', async () => {
  const { created, unclear } = await takeFolder('fax', { '0004-fax.md': adr('4. Fax', { status: 'Abgelehnt' }) });

  expect((await findDecision(bench.plans, bench.account, created[0] ?? '')).row.status).toBe('proposed');
  expect(unclear).toEqual([{ path: 'fax/0004-fax.md', reason: expect.stringContaining('Its status "Abgelehnt"') }]);
});

test.each([
  ['docs/adr/0001-x.md', true],
  ['doc/architecture/decisions/0001-x.md', true],
  ['architecture-decision-record/001-x.md', true],
  ['packages/core/docs/adr/20240101-x.md', true],
  ['docs/adr/template.md', false],
  ['docs/adr/adr-template.md', false],
  ['docs/adr/adr-003/README.md', true],
  ['docs/decisions/0012-queues/index.md', true],
  ['docs/adr/README.md', false],
  ['integration-tests/docs/adr/0001-x.md', false],
  ['src/decisions/store.ts', false],
])('%s is a record of the repository: %s', (path, isOne) => {
  expect(isRecordFile(path)).toBe(isOne);
});

test('a decision is of the day that its record gives, in search and as a file, whenever it was taken over', async () => {
  const taker = { repositoryId: null, folder: 'dated', isWhole: false, actor: 'system' as const };
  const text = adr('Keep dates').replace('\n\n', '\n\nDate: 2024-02-12\n\n');
  const take = () => takeRecords(bench.plans, bench.account, { ...taker, files: [{ path: '0009-dates.md', text }] });
  const [handle = ''] = (await take()).created;
  const { row } = await findDecision(bench.plans, bench.account, handle);

  expect(row.decidedOn).toBe('2024-02-12');
  expect((await adrFile(row)).content).toContain('date: 2024-02-12\n');
  const { rows } = await sql<{ day: string }>`
    select to_char(date at time zone 'UTC', 'YYYY-MM-DD') as day from knowledge_entry where id = ${handle}`.execute(
    bench.plans.db,
  );
  expect(rows).toEqual([{ day: '2024-02-12' }]);

  // A file whose day was not read yet is read again.
  await sql`update decision set decided_on = null where number = ${row.number}`.execute(bench.plans.db);
  expect(await take()).toMatchObject({ updated: [handle], unchanged: 0 });
  expect(await take()).toMatchObject({ updated: [], unchanged: 1 });
});
