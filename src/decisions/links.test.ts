import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDocuments, saveUploads } from '../documents/documents.ts';
import { openBlobStore } from '../platform/blobs.ts';
import type { AnyOperation } from '../platform/operation/operation.ts';
import { savePlan } from '../plans/plans.ts';
import { saveSignals } from '../signals/signals.ts';
import { testFolder } from '../testing/git.ts';
import { openPlanBench, type PlanBench } from '../testing/plans.ts';
import { listDecisions } from './decisions.ts';
import { recordDecisionTool } from './record-decision-tool.ts';
import { type LinkKind, linkKind } from './links.ts';
import { TEST_SECRET_KEYS } from '../testing/secrets.ts';

const actor = 'system' as const;
let bench: PlanBench;
/** The same repository in a product of another account. */
let other: PlanBench;
let tool: AnyOperation;
let commit: string;

beforeAll(async () => {
  bench = await openPlanBench();
  commit = await bench.commitAndIndex({
    files: {
      'src/mail.ts': 'export function sendMail(to: string): void {\n  console.log(to);\n}\n',
      'bin/run': '#!/bin/sh\n',
    },
  });
  other = await bench.another(commit);
  tool = recordDecisionTool(bench.plans, (number) => `https://svc.example/decisions/${number}`);
});
afterAll(async () => {
  await bench.close();
});

interface Pin {
  written: string;
  status: string;
  reason?: string;
}

/** A check of these links: its text, and what is told of each. */
async function check(...links: string[]): Promise<{ text: string; pins: Pin[] }> {
  const { text, json } = await bench.call(tool, {
    title: 'Links',
    decision: 'They are looked up.',
    links,
    dry_run: true,
  });
  // The fields of the contract.
  return { text, pins: json['anchors'] as Pin[] };
}

/** Handles of a plan, a signal and a document that the product now has. */
async function handlesOf({ plans, account }: PlanBench): Promise<string[]> {
  const folder = testFolder();
  const blobs = await openBlobStore(join(folder, 'blobs'));
  const documents = openDocuments({ ...plans, blobs, workDir: join(folder, 'work'), readers: 1 });
  const request = { ...account, actor, tags: [] };
  const { row } = await savePlan(plans, account, { text: '# Faster mail\n\n## Tasks\n\n- T1 Send it\n', actor });
  const [upload] = await saveUploads(documents, request, [{ name: 'a.md', content: [Buffer.from('# A')] }]);
  const signals = { ...plans, secretKeys: TEST_SECRET_KEYS };
  const { ids } = await saveSignals(signals, request, [{ externalId: '1', source: 'mail', text: 'Too slow.' }]);
  await documents.close();
  rmSync(folder, { recursive: true });
  const document = upload !== undefined && 'document' in upload ? upload.document.id : '';
  return [`plan:${row.slug}`, ...ids, `doc:${document}`];
}

test.each<[string, LinkKind]>([
  ['src/a.ts:10', 'code'],
  ['symbol:Mailer.send', 'code'],
  ['shop:src/a.ts', 'code'],
  ['repo:no/such/file', 'code'],
  ['dec:12', 'decision'],
  ['decision:12', 'decision'],
  ['commit:abcdef0', 'commit'],
  ['019a0000-1111-7222-8333-444455556666', 'signal'],
  ['HTTPS://example.com', 'address'],
  ['https:///nowhere', 'unknown'],
  ['foo:bar', 'unknown'],
  ['javascript:alert(1)', 'unknown'],
  ['mailto:somebody@example.com', 'unknown'],
  ['just some words', 'unknown'],
  ['symbol:no symbol', 'unknown'],
])('the link %s is taken as %s', (link, kind) => {
  expect(linkKind(link)).toBe(kind);
});

test('what is neither a handle nor looked up is never called resolved', async () => {
  const { text, pins } = await check('foo:bar', 'javascript:alert(1)', 'feature:search', 'https://example.com/x');

  expect(pins).toEqual([
    {
      written: 'foo:bar',
      status: 'unresolved',
      reason: 'This is neither a handle of this product nor an http address.',
    },
    { written: 'javascript:alert(1)', status: 'unresolved', reason: expect.stringContaining('neither a handle') },
    { written: 'feature:search', status: 'unresolved', reason: expect.stringContaining('neither a handle') },
    { written: 'https://example.com/x', status: 'unchecked', reason: 'A web address, which is not opened.' },
  ]);
  expect(text).toContain('0 of 4 links resolved');
  expect(text).toContain(' ? https://example.com/x unchecked: A web address, which is not opened.');
});

test('handles are looked up in the product; those of another one are unknown', async () => {
  const mine = await handlesOf(bench);
  const theirs = (await handlesOf(other)).filter((handle) => !handle.startsWith('plan:'));

  const { pins } = await check(...mine, ...theirs, 'wi:999', 'dec:999', 'plan:none', commit.slice(0, 9), 'c:0000000');

  expect(pins.filter(({ status }) => status === 'resolved').map(({ written }) => written)).toEqual([
    ...mine,
    commit.slice(0, 9),
  ]);
  expect(pins.filter(({ status }) => status === 'unresolved').map(({ written, reason }) => [written, reason])).toEqual([
    [theirs[0], 'The product has no such signal.'],
    [theirs[1], 'The product has no such document.'],
    ['wi:999', 'The product has no such work item.'],
    ['dec:999', 'The product has no such decision.'],
    ['plan:none', 'The product has no such plan.'],
    ['c:0000000', 'The product has no such commit.'],
  ]);
});

test('a path of a named repository is pinned to a commit, or the decision is refused and nothing is written', async () => {
  const { pins } = await check('shop:src/mail.ts:2', 'repo:bin/run');
  const refused = async (link: string): Promise<unknown> =>
    bench.call(tool, { title: `With ${link}`, decision: 'x', links: [link] }).catch((error: unknown) => error);

  expect(pins).toEqual([
    { written: 'shop:src/mail.ts:2', status: 'resolved', path: 'src/mail.ts', symbol: 'sendMail', line: 1, commit },
    { written: 'repo:bin/run', status: 'resolved', path: 'bin/run', symbol: null, line: null, commit },
  ]);
  expect(await refused('repo:no/such/file')).toMatchObject({
    code: 'bad_argument',
    message: 'The link repo:no/such/file cannot be pinned: There is no file no/such/file.',
  });
  expect(await refused('elsewhere:src/mail.ts')).toMatchObject({
    code: 'bad_argument',
    message: expect.stringContaining('No indexed repository of the product is named elsewhere.'),
  });
  expect(await refused('repo:src')).toMatchObject({ code: 'bad_argument' });
  expect(await listDecisions(bench.plans, bench.account)).toEqual([]);
});
