import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProduct, listAudit } from '../accounts/accounts.ts';
import type { AnyOperation } from '../platform/operation/operation.ts';
import { savePlan } from '../plans/plans.ts';
import { testAccount } from '../testing/account.ts';
import { openPlanBench, type PlanBench } from '../testing/plans.ts';
import {
  decisionsAbout,
  decisionsAt,
  findDecision,
  listDecisions,
  recordDecision,
  refreshDecisions,
  updateDecision,
} from './decisions.ts';
import { adrFile } from './adr.ts';
import { recordDecisionTool } from './record-decision-tool.ts';

const actor = 'system' as const;
let bench: PlanBench;
let tool: AnyOperation;
let commit: string;

beforeAll(async () => {
  bench = await openPlanBench();
  commit = await bench.commitAndIndex({
    files: { 'src/mail.ts': 'export function sendMail(to: string): void {\n  console.log(to);\n}\n' },
  });
  await savePlan(bench.plans, bench.account, { text: '# Faster mail\n', actor });
  tool = recordDecisionTool(bench.plans, (number) => `https://svc.example/decisions/${number}`);
});
afterAll(() => bench.close());

interface Answer extends Record<string, unknown> {
  id: string | null;
  outcome: string;
  similar: { id: string; score: number; shared: string[]; contradicts?: string }[];
}

function numbers(results: { row: { number: number } }[]): number[] {
  return results.map((match) => match.row.number);
}

async function record(args: Record<string, unknown>): Promise<Answer> {
  const { json } = await bench.call(tool, args);
  // The fields of the contract.
  return json as Answer;
}

test('a decision is recorded once, with its links resolved, an audit entry and a handle', async () => {
  const args = {
    title: 'Queue for outgoing mail',
    decision: 'Mail goes through a queue, because `sendMail` blocked orders.',
    links: [
      'plan:faster-mail',
      'plan:none',
      'src/mail.ts:2',
      'symbol:Nothing',
      commit.slice(0, 7),
      'https://example.com/x',
    ],
    tags: ['mail'],
  };

  const dry = await record({ ...args, dry_run: true });
  const first = await record(args);
  const again = await record({ ...args, title: '  queue for OUTGOING, mail. ' });

  expect(dry).toMatchObject({ outcome: 'dry_run', id: null, slug: 'queue-for-outgoing-mail' });
  expect(first).toMatchObject({
    outcome: 'created',
    slug: 'queue-for-outgoing-mail',
    status: 'accepted',
    product: 'default',
    superseded: [],
    url: `https://svc.example/decisions/${first.id?.slice(4)}`,
  });
  expect(first['anchors']).toEqual([
    { written: 'src/mail.ts:2', status: 'resolved', path: 'src/mail.ts', symbol: 'sendMail', line: 1, commit },
    { written: 'Nothing', status: 'unresolved', reason: 'No symbol is named Nothing.' },
    { written: 'sendMail', status: 'resolved', path: 'src/mail.ts', symbol: 'sendMail', line: 1, commit },
    { written: 'plan:faster-mail', status: 'resolved' },
    { written: 'plan:none', status: 'unresolved', reason: 'The product has no such plan.' },
    { written: commit.slice(0, 7), status: 'resolved' },
    { written: 'https://example.com/x', status: 'unchecked', reason: 'A web address, which is not opened.' },
  ]);
  expect(again).toMatchObject({ outcome: 'duplicate_of', id: first.id, duplicate_of: first.id });
  const audit = await listAudit(bench.plans.db, bench.account.accountId, { limit: 50 });
  expect(audit.filter(({ action }) => action === 'decision.record')).toHaveLength(1);
});

test('similar decisions are shown with what they share, contradicting ones with why; the chain of what replaced what is kept', async () => {
  const old = await record({
    title: 'Redis for the session cache',
    decision: 'Sessions are kept in Redis, because it is fast.',
    options: [
      { name: 'Redis', pros: ['fast'] },
      { name: 'PostgreSQL', cons: ['slower'] },
    ],
  });
  const args = {
    title: 'PostgreSQL for the session cache',
    decision: 'Sessions are kept in PostgreSQL: one thing less to run.',
  };

  const preview = await record({ ...args, dry_run: true });
  const first = await record(args);
  const replaced = await record({ ...args, supersedes: [old.id] });
  const { row } = await findDecision(bench.plans, bench.account, old.id ?? '');

  expect(preview.similar[0]).toMatchObject({ id: old.id });
  expect(preview.similar[0]?.shared).toEqual(expect.arrayContaining(['session', 'cache']));
  expect(preview.similar[0]?.contradicts).toContain('"PostgreSQL"');
  expect(replaced).toMatchObject({ outcome: 'duplicate_of', id: first.id, superseded: [old.id] });
  expect(row).toMatchObject({ status: 'superseded', supersededBy: Number(first.id?.slice(4)) });
  await expect(
    record({ title: 'Files for sessions', decision: 'Sessions are files.', supersedes: [old.id] }),
  ).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(
    updateDecision(bench.plans, bench.account, { handle: old.id ?? '', change: { status: 'accepted' }, actor }),
  ).rejects.toMatchObject({ code: 'conflict' });
});

test.each([
  [{ title: '!?', decision: 'x' }, 'bad_argument'],
  [{ title: 'No text', decision: '  ' }, 'bad_argument'],
  [{ title: 'A date', decision: 'x', review_on: 'soon' }, 'bad_argument'],
  [{ title: 'A handle', decision: 'x', supersedes: ['plan:a'] }, 'bad_argument'],
  [{ title: 'Nothing there', decision: 'x', supersedes: ['dec:999999'] }, 'unknown_id'],
])('%j is refused with %s, and nothing is written', async (args, code) => {
  const before = await listDecisions(bench.plans, bench.account);

  await expect(record(args)).rejects.toMatchObject({ code });
  expect(await listDecisions(bench.plans, bench.account)).toHaveLength(before.length);
});

test('a decision is found by the code it names, and drifts when that changes', async () => {
  const { row } = await recordDecision(bench.plans, bench.account, {
    wanted: {
      title: 'Addresses are logged',
      decision: 'See the links.',
      links: ['src/mail.ts', 'src/late.ts', 'plan:faster-mail'],
    },
    actor,
  });
  const handle = `dec:${row.number}`;
  const before = await findDecision(bench.plans, bench.account, handle);
  await bench.commitAndIndex({
    files: {
      'src/mail.ts': 'export function sendMail(to: string): void {\n  console.log(`to ${to}`);\n}\n',
      'src/late.ts': 'export const x = 1;\n',
    },
  });
  await refreshDecisions(bench.plans, bench.account, new AbortController().signal);
  const after = await findDecision(bench.plans, bench.account, handle);

  expect([before.staleness?.label, before.staleness?.unresolved]).toEqual(['unresolved 1/2', 1]);
  expect(after.staleness).toMatchObject({ changed: 1, fresh: 1, unresolved: 0 });
  expect(numbers(await decisionsAt(bench.plans, bench.account, [{ path: 'src/late.ts' }]))).toEqual([row.number]);
  expect(
    numbers(await decisionsAt(bench.plans, bench.account, [{ path: 'src/mail.ts', symbol: 'sendMail' }])),
  ).toContain(row.number);
  expect(numbers(await decisionsAbout(bench.plans, bench.account, { plan: 'faster-mail', paths: [] }))).toContain(
    row.number,
  );
  expect(await decisionsAt(bench.plans, bench.account, [{ path: 'src/other.ts' }])).toEqual([]);
});

test('status and review date change; a decision of another account is unknown', async () => {
  const { row } = await recordDecision(bench.plans, bench.account, {
    wanted: { title: 'To be reviewed', decision: 'Soon.' },
    actor,
  });
  const handle = `dec:${row.number}`;
  const stranger = await testAccount();

  const changed = await updateDecision(bench.plans, bench.account, {
    handle,
    change: { status: 'deprecated', reviewOn: '2027-01-31' },
    actor,
  });

  expect(changed).toMatchObject({ status: 'deprecated', reviewOn: '2027-01-31' });
  expect((await findDecision(bench.plans, bench.account, handle)).row).toMatchObject({
    status: 'deprecated',
    reviewOn: '2027-01-31',
  });
  await expect(findDecision(bench.plans, stranger, handle)).rejects.toMatchObject({ code: 'unknown_id' });
  expect(await listDecisions(bench.plans, stranger)).toEqual([]);
});

test('each product of an account counts its own decisions, and knows no others', async () => {
  const draft = { title: 'Said in both', decision: 'In each product.' };
  const { accountId } = bench.account;
  const product = await createProduct(bench.plans.db, { accountId, name: 'other', actor }, new Date());
  const other = { accountId, productId: product.id };

  const here = await recordDecision(bench.plans, bench.account, { wanted: draft, actor });
  const there = await recordDecision(bench.plans, other, { wanted: draft, actor });
  const change = { status: 'rejected', reviewOn: null } as const;
  await updateDecision(bench.plans, other, { handle: 'dec:1', change, actor });

  expect([there.outcome, there.row.number]).toEqual(['created', 1]);
  expect(here.row.number).toBeGreaterThan(1);
  expect(numbers(await listDecisions(bench.plans, other))).toEqual([1]);
  const mixed = { ...other, accountId: (await testAccount()).accountId };
  expect(await listDecisions(bench.plans, mixed)).toEqual([]);
  expect((await findDecision(bench.plans, other, 'dec:1')).row).toMatchObject({
    status: 'rejected',
    title: draft.title,
  });
  expect((await findDecision(bench.plans, bench.account, 'dec:1')).row.title).not.toBe(draft.title);
  expect((await findDecision(bench.plans, bench.account, `dec:${here.row.number}`)).row.status).toBe('accepted');
  await expect(findDecision(bench.plans, other, `dec:${here.row.number}`)).rejects.toMatchObject({
    code: 'unknown_id',
  });
});

test('two callers that record the same at once make one decision', async () => {
  const draft = { title: 'One of two', decision: 'Whoever comes first.' };

  const made = await Promise.all(
    [1, 2, 3].map(() => recordDecision(bench.plans, bench.account, { wanted: draft, actor })),
  );

  expect(new Set(made.map(({ row }) => row.number)).size).toBe(1);
  expect(made.map(({ outcome }) => outcome).toSorted()).toEqual(['created', 'duplicate_of', 'duplicate_of']);
});

test('a decision is written as a Markdown decision record', async () => {
  const { row } = await recordDecision(bench.plans, bench.account, {
    wanted: {
      title: 'Use "plain" SQL: always',
      decision: 'SQL is written by hand.',
      context: 'Queries must be read.',
      options: [
        { name: 'SQL', pros: ['plain'], cons: ['longer'] },
        { name: 'A mapper', pros: [], cons: [] },
      ],
      consequences: ['Reviews are easier'],
      links: ['https://example.com'],
      tags: ['database'],
      reviewOn: '2027-06-01',
    },
    actor,
  });

  const { path, content } = await adrFile(row);

  expect(path).toBe(`${String(row.number).padStart(4, '0')}-use-plain-sql-always.md`);
  expect(content).toBe(`---
status: accepted
date: 2026-11-21
tags:
  - database
review_on: 2027-06-01
---

# Use "plain" SQL: always

## Context and Problem Statement

Queries must be read.

## Considered Options

* SQL
* A mapper

## Decision Outcome

SQL is written by hand.

### Consequences

* Reviews are easier

## Pros and Cons of the Options

### SQL

* Good, because plain
* Bad, because longer


## More Information

* https://example.com
`);
});
