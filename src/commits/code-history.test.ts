import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeTool } from '../code/code-tool.ts';
import type { AnyOperation } from '../platform/operation/operation.ts';
import { openSearchBench, type SearchBench } from '../testing/search.ts';
import { openCodeHistory } from './code-history.ts';

let bench: SearchBench;
let tool: AnyOperation;

const REFUND = 'export function refund(order: string): string {\n  return order;\n}\n';
const SHOP = `import { refund } from './refund.ts';
export function cancel(order: string): string {
  return refund(order);
}
export function keep(): void {}
`;
const OPEN = '\uFEFFexport function open(): void {}';
const TEST = "import { cancel } from '../src/shop.ts';\ntest('is cancelled', () => {\n  cancel('a');\n});\n";

beforeAll(async () => {
  bench = await openSearchBench();
  const { repository } = bench;
  repository.commit({
    files: {
      'src/refund.ts': REFUND,
      'src/shop.ts': SHOP,
      'test/shop.test.ts': TEST,
      'test/other.test.ts': '1;\n',
      'old.ts': 'export {};\n',
      'windows/open.ts': `${OPEN}\r\nexport function reopen(): void {\r\n  open();\r\n}\r\n`,
    },
    author: 'Ann Lee <ann@example.org>',
  });
  for (const number of [1, 2])
    repository.commit({
      files: { 'src/refund.ts': `${REFUND}// ${number}\n`, 'test/other.test.ts': `${number};\n` },
      author: 'Bo Day <bo@example.org>',
      date: `2026-0${number + 1}-01T00:00:00Z`,
    });
  await bench.commitAndIndex({
    files: { 'src/refund.ts': REFUND.replace('return order', 'return order.trim()'), 'old.ts': undefined },
    author: 'Bo Day <bo@example.org>',
    date: '2026-04-01T00:00:00Z',
  });
  const { indexes } = bench.parts;
  tool = codeTool({ ...indexes, history: openCodeHistory(indexes) });
});
afterAll(() => bench.close());

const ask = async (args: Record<string, unknown>): Promise<Record<string, unknown>> =>
  (await bench.call(tool, args)).json;

test('files say when they changed last, and who works on them', async () => {
  expect(await ask({ action: 'files', query: 'src' })).toMatchObject({
    rows: [
      { path: 'src/refund.ts', last_changed: '2026-04-01', owner: 'Bo Day', owner_pct: 79 },
      { path: 'src/shop.ts', last_changed: '2026-01-01', owner: 'Ann Lee', owner_pct: 100 },
    ],
  });
});

test('the tests of a difference are those that reach the changed lines, and those that changed with their files', async () => {
  const { rows, untested, notes } = await ask({ action: 'tests', query: 'HEAD~1..', depth: 3 });

  expect(rows).toMatchObject([
    { path: 'test/shop.test.ts', test: 'is cancelled', reason: 'calls', hop: 2, via: 'cancel' },
    { path: 'test/other.test.ts', test: '', reason: 'changed together', shared: 2, revisions: 4 },
  ]);
  expect(untested).toMatchObject({ of: 1, total: 0 });
  expect(notes).toContain('1 removed file not followed: commit-tool compare tells what their removal breaks');
});

const places = async (query: string): Promise<unknown[]> =>
  ((await ask({ action: 'impact', query, depth: 1 }))['rows'] as { symbol: string }[]).map(({ symbol }) => symbol);

test('impact of a difference says what of it no test reaches, and who knows its files', async () => {
  const answer = await ask({ action: 'impact', query: 'HEAD~3..', depth: 1 });

  expect(answer).toMatchObject({ untested: { of: 1, total: 0 }, reviewers: [{ name: 'Bo Day', files: 2 }] });
  expect(answer['notes']).toContain('main authors of 2 files: Bo Day (2)');
  expect(await ask({ action: 'impact', query: 'refund', depth: 1 })).not.toHaveProperty('reviewers');
  const pages = { query: 'HEAD~3..', depth: 2, limit: 1 };
  const { next: cursor } = await ask({ action: 'impact', ...pages });
  expect(await ask({ action: 'impact', ...pages, cursor })).not.toHaveProperty('reviewers');
  const { next } = await ask({ action: 'tests', ...pages });
  expect(await ask({ action: 'tests', ...pages, cursor: next })).not.toHaveProperty('untested');
});

test('impact follows what changed between two commits, of which the second may be an older one', async () => {
  expect(await places('HEAD~1..HEAD')).toEqual(['cancel']);
  expect(await places('HEAD..')).toEqual([]);
  await expect(places('nowhere..')).rejects.toMatchObject({ code: 'unknown_id' });
});

test('the text of a difference is followed on the side of it that is indexed', async () => {
  const { path } = bench.repository;
  const diff = (...range: string[]): string =>
    execFileSync('git', ['-C', path, 'diff', ...range], { encoding: 'utf8' });
  const text = diff('HEAD~1', 'HEAD');

  expect(await places(text)).toEqual(['cancel']);
  const { rows, notes } = await ask({ action: 'tests', query: text, depth: 3 });
  expect(rows).toMatchObject([{ path: 'test/shop.test.ts', via: 'cancel' }, { path: 'test/other.test.ts' }]);
  expect(notes).toContain('the index of shop has the change');
  // What the index has not got yet: the same change taken back.
  expect(await places(diff('HEAD', 'HEAD~1'))).toEqual(['cancel']);
  expect((await ask({ action: 'tests', query: diff('HEAD', 'HEAD~1') }))['notes']).toEqual(
    expect.arrayContaining([
      'lines are those before the change: the index of shop has not got it',
      '1 new file not followed: not in the index',
    ]),
  );
  await expect(places(diff('HEAD~3', 'HEAD~2'))).rejects.toMatchObject({ code: 'conflict' });
  const windows = `--- a/windows/open.ts\n+++ b/windows/open.ts\n@@ -1 +1 @@\n-${OPEN}\r\n+// none\r\n`;
  expect(await places(windows)).toEqual(['reopen']);
  const after = '@@ -0,0 +1 @@\n+// more\n@@ -2 +3 @@\n-  return order.trim();\n+  return order;\n';
  expect(await places(`--- src/refund.ts\n+++ src/refund.ts\n${after}`)).toEqual(['cancel']);
  await expect(
    places('diff --cc a.ts\n--- a/a.ts\n+++ b/a.ts\n@@@ -1,1 -1,1 +1,1 @@@\n--a\n -b\n++c\n'),
  ).rejects.toMatchObject({ code: 'bad_argument', message: expect.stringContaining('merge') });
  await expect(places('diff --git a/x b/y\nrename from x\nrename to y\n')).rejects.toMatchObject({
    code: 'bad_argument',
  });
});
