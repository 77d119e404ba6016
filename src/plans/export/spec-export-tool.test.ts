import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokensOf } from '../../kernel/budget.ts';
import type { AnyOperation } from '../../platform/operation/operation.ts';
import { openPlanBench, type PlanBench } from '../../testing/plans.ts';
import { savePlan } from '../plans.ts';
import { specExportTool } from './spec-export-tool.ts';

const PLAN = `---
title: Faster mail
status: accepted
---
# Faster mail

## Goal

Mail goes out within a second.

## Requirements

- R2: Mail MUST be sent within a second
  - Given a customer
  - When an order is placed
  - Then the mail is sent
- Nothing is lost

## Constraints

- No new dependency

## Tasks

- [ ] T3 Write the queue (depends: T1; estimate: 2d)
  - Files: \`src/queue.ts\`
- [ ] T1 Adapt \`sendMail\` in \`src/mail.ts\`
  - Done when: p95 < 1 s
  - Test: \`npm test -- mail\`
- [ ] Tune \`readMail()\`
- [x] T2 Move \`src/letter.ts\`

## Out of scope

- Fax
`;

const BEGIN = {
  'package.json': JSON.stringify({ scripts: { test: 'vitest', lint: 'oxlint', postinstall: 'evil' } }),
  'src/mail.ts':
    'export function sendMail(to: string): string {\n  const text = `to ${to}`;\n  console.log(text);\n  return text;\n}\n',
  'src/letter.ts':
    'export function readMail(): string[] {\n  const all: string[] = [];\n  all.push("a");\n  return all;\n}\n',
};

let bench: PlanBench;
let tool: AnyOperation;
let commit: string;

beforeAll(async () => {
  bench = await openPlanBench();
  await bench.commitAndIndex({ files: BEGIN });
  await savePlan(bench.plans, bench.account, { text: PLAN, actor: 'system' });
  commit = await bench.commitAndIndex({
    files: { 'src/letter.ts': undefined, 'src/box/letter.ts': BEGIN['src/letter.ts'] },
    message: 'refactor: put letters into a box',
  });
  tool = specExportTool(bench.plans, {
    decisions: async (_scope, { paths }) => [
      {
        handle: 'dec:4',
        title: 'Use a queue',
        status: 'accepted',
        decision: `For ${paths.length} paths.`,
        stale: undefined,
      },
    ],
    signals: async () => [{ handle: 'sig:1', text: 'Mail is slow', customer: 'a shop', date: '2026-11-01' }],
  });
});
afterAll(() => bench.close());

test('without a plan the plans are listed with how stale they are', async () => {
  const { text, json } = await bench.call(tool, {});

  expect(json).toMatchObject({
    total: 1,
    shown: 1,
    rows: [{ id: 'plan:faster-mail', slug: 'faster-mail', title: 'Faster mail', status: 'accepted', stale: 'aging' }],
  });
  expect(text).toContain('faster-mail · Faster mail · accepted · aging');
});

test('a prompt has the sections of the contract, and names files and symbols as they are now', async () => {
  const { text } = await bench.call(tool, { plan: 'faster-mail' });

  expect(text).toBe(`---
plan: faster-mail
version: 1
repo: shop
commit: ${commit}
exported_at: 2026-11-21T10:00:00.000Z
stale: aging
tasks: 4 of 4 tasks
---

# Faster mail

## Goal

Mail goes out within a second.

## Requirements

- **R2** Mail MUST be sent within a second
  - Given a customer
  - When an order is placed
  - Then the mail is sent
- **R3** Nothing is lost

## Constraints

- No new dependency

## Tasks

In an order in which you can do them. [P]: can run in parallel with other tasks.

### T1 [P] Adapt \`sendMail\` in \`src/mail.ts\`

- Stale: fresh
- Files: \`src/mail.ts\`
- Symbols: \`sendMail\` at src/mail.ts:1

- Done when: p95 < 1 s
- Test: \`npm test -- mail\`

### T3 [P] Write the queue

- Depends on: T1
- Stale: unresolved 1/1
- Files: \`src/queue.ts\` (new)
- Estimate: 2d

- Files: \`src/queue.ts\`

### T4 [P] Tune \`readMail()\`

- Stale: aging: \`readMail\` moved by ${commit.slice(0, 7)}
- Symbols: \`readMail\` at src/box/letter.ts:1 (was readMail)

### T2 Move \`src/letter.ts\` (done)

- Stale: aging: \`src/letter.ts\` moved by ${commit.slice(0, 7)}
- Files: \`src/box/letter.ts\` (was src/letter.ts)

## Decisions

- dec:4 Use a queue (accepted): For 0 paths.

## Stale anchors

- \`src/queue.ts\` unresolved: There is no file src/queue.ts.
- \`readMail\` moved: now readMail at src/box/letter.ts:1 · ${commit.slice(0, 7)} refactor: put letters into a box
- \`src/letter.ts\` moved: now src/box/letter.ts · ${commit.slice(0, 7)} refactor: put letters into a box

## Out of scope

- Fax

## Verify

- \`npm run lint\`
- \`npm test\`
`);
});

test('extra context comes when it is asked for, and one task alone can be exported', async () => {
  const include = ['code', 'decisions', 'signals', 'history'];
  const { text } = await bench.call(tool, { plan: 'plan:faster-mail', task: 't1', include });

  expect(text).toContain('tasks: 1 of 1 tasks');
  expect(text).toContain('export function sendMail(to: string): string {');
  expect(text).toContain('- dec:4 Use a queue (accepted): For 1 paths.');
  expect(text).toContain('- sig:1 a shop (2026-11-01): Mail is slow');
  expect(text).toMatch(/History: \w{7} 2026-01-01 Add files/);
  expect(text).not.toContain('### T3');
});

/** Steps with a heading and code. */
const body = (word: string): string =>
  `## Steps\n\n- [ ] **Step 1: ${word}**\n\n\`\`\`ts\n# ${word}\n\n  go();\n\`\`\``;

test('the text of a task comes as it is written, whatever its headings, and what the plan says beside it whole', async () => {
  const background = 'A long story. '.repeat(1_000).trim();
  const tasks = ['one', 'two'].map((word, at) => `# Task ${at + 1}: Do ${word}\n\n${body(word)}\n`);
  const text = `# Bodies\n\n## Background\n\n${background}\n\n## Risks\n\n${background}\n\n${tasks.join('\n')}`;
  await savePlan(bench.plans, bench.account, { text, actor: 'system' });

  const { text: whole } = await bench.call(tool, { plan: 'bodies', max_tokens: 20_000 });
  const { text: entry } = await bench.call(tool, { plan: 'bodies', max_tokens: 20_000, target: 'issue' });
  const pages: string[] = [];
  for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
    const { json } = await bench.call(tool, { plan: 'bodies', max_tokens: 2_000, format: 'json', cursor });
    pages.push(...(json['files'] as { content: string }[]).map(({ content }) => content));
    expect(tokensOf(JSON.stringify(json))).toBeLessThanOrEqual(2_000);
    cursor = json['next'] as string | undefined;
  }

  for (const word of ['one', 'two']) {
    expect(whole).toContain(`\n\`\`\`\`markdown\n${body(word)}\n\`\`\`\`\n`);
    expect(entry).toContain(body(word).replaceAll(/^(?=.)/gm, '  '));
    expect(pages.join('')).toContain(body(word));
  }
  expect(whole.split(background)).toHaveLength(3);
});

test('over budget, later tasks move to the next page; together the pages have all of them', async () => {
  const tasks = Array.from(
    { length: 60 },
    (_, at) => `- [ ] T${at + 1} Do step ${at + 1} of many with care\n  - Done when: step ${at + 1} is seen to work`,
  );
  const text = `# Long\n\n## Goal\n\nMany steps.\n\n## Tasks\n\n${tasks.join('\n')}\n`;
  await savePlan(bench.plans, bench.account, { text, actor: 'system' });
  const keys: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const args = { plan: 'long', max_tokens: 700, ...(cursor !== undefined && { cursor }) };
    const answer = await bench.call(tool, args);
    pages += 1;
    expect(tokensOf(answer.text)).toBeLessThanOrEqual(700);
    keys.push(...[...answer.text.matchAll(/^### (T\d+)/gm)].map(([, key = '']) => key));
    cursor = /^next: (\S+)$/m.exec(answer.text)?.[1];
  } while (cursor !== undefined);

  expect(pages).toBeGreaterThan(2);
  expect(keys).toEqual(tasks.map((_, at) => `T${at + 1}`));
});

test('the other layouts have their files, ids stay the same, and JSON has the tasks as rows', async () => {
  const paths = async (target: string): Promise<string[]> => {
    const { json } = await bench.call(tool, { plan: 'faster-mail', target, format: 'json' });
    expect(json).toMatchObject({ total: 4, shown: 4, stale: 'aging' });
    return (json['files'] as { path: string }[]).map(({ path }) => path);
  };

  expect(await paths('spec-kit')).toEqual([
    'specs/001-faster-mail/spec.md',
    'specs/001-faster-mail/plan.md',
    'specs/001-faster-mail/tasks.md',
  ]);
  expect(await paths('openspec')).toEqual([
    'openspec/changes/faster-mail/proposal.md',
    'openspec/changes/faster-mail/design.md',
    'openspec/changes/faster-mail/tasks.md',
    'openspec/changes/faster-mail/specs/faster-mail/spec.md',
  ]);
  expect(await paths('issue')).toEqual(['issue.md']);
  const { json } = await bench.call(tool, { plan: 'faster-mail', target: 'task-master', format: 'json' });
  const [file] = json['files'] as { path: string; content: string }[];
  expect(file?.path).toBe('.taskmaster/tasks/tasks.json');
  const { master } = JSON.parse(file?.content ?? '') as { master: { tasks: Record<string, unknown>[] } };
  expect(master.tasks.map(({ id, status, dependencies }) => [id, status, dependencies])).toEqual([
    [1, 'pending', []],
    [3, 'pending', [1]],
    [4, 'pending', []],
    [2, 'done', []],
  ]);
});

test.each([
  [{ plan: 'none' }, 'unknown_id'],
  [{ plan: 'faster-mail', task: 'T99' }, 'unknown_id'],
  [{ plan: 'faster-mail', task: 'wi:999999' }, 'unknown_id'],
  [{ plan: 'faster-mail', cursor: 'made up' }, 'bad_argument'],
])('%j is answered with %s', async (args, code) => {
  await expect(bench.call(tool, args)).rejects.toMatchObject({ code });
});
