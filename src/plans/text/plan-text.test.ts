import { expect, test } from 'vitest';
import { ServiceError } from '../../kernel/errors.ts';
import { LONGEST_PLAN } from './plan-limit.ts';
import { readPlan } from './plan-text.ts';

const PLAN = `---
title: Faster search
status: proposed
owner: platform team
version: 1.10
---
# Something else

The goal is speed.

## Goal

Answers under 50 ms.

## Requirements

- R1: Search MUST answer in 50 ms
  - Given an index of 1 GB
  - When a word is looked for
- Nothing is lost

## Tasks

- [ ] T1 Adapt \`searchSymbols\` in \`src/store-symbols.ts\` (depends: T3; estimate: 2d)
  - Files: \`src/new-file.ts\`, src/rows.ts
  - Done when: p95 < 50 ms
  - Test: \`npm test -- search\`
- [x] **T2**: Rework \`src/rows.ts:10-20\`.
- Write the docs in docs/api.md

### Task 5: The last one

Depends on: T1

- [ ] step one

## Acceptance

- [ ] the owner agrees

## Out of scope

- Fuzzy search

## How to test

\`\`\`
npm test
npm run bench
\`\`\`
`;

test.each([
  ['# Offline mode\n\nStatus: in progress\n\n## Tasks\n', 'active'],
  ['# Offline mode\n\n- **Status:** Accepted\n- Owner: core\n', 'accepted'],
  ['---\nstatus: draft\n---\n# Offline mode\nStatus: done\n', 'draft'],
  ['# Offline mode\n\nStatus: blocked by legal\n', undefined],
  ['# Offline mode\n\n## Tasks\n\nStatus: done\n', undefined],
  ['# Offline mode\n\n- [ ] T1 Open\nStatus: done\n', undefined],
])('the status of a plan stands in its front matter or on a line at its head: %j', (text, status) => {
  expect(readPlan(text).fields.status).toBe(status);
});

test('front matter names the plan; other keys are left alone', () => {
  expect(readPlan(PLAN)).toMatchObject({
    title: 'Faster search',
    fields: { title: 'Faster search', status: 'proposed', owner: 'platform team' },
  });
  expect(readPlan('# Only a heading\n\ntext').title).toBe('Only a heading');
  expect(readPlan('just a line').title).toBe('');
});

test('the labels of a bracket may have commas between them', () => {
  const { items } = readPlan('# P\n\n## Tasks\n\n- [ ] T3 Ship it (depends: T1, T2, estimate: 3d)\n');

  expect(items[0]).toMatchObject({ title: 'Ship it', depends: ['T1', 'T2'], estimate: '3d' });
});

test.each([
  ['P0', 'urgent'],
  ['P2 (nice to have)', 'medium'],
  ['High', 'high'],
  ['soon', ''],
])('an item says whose it is and how important: %s', (written, priority) => {
  const { items } = readPlan(`# P\n\n- [ ] Ship it (assignee: build agent)\n  - Priority: ${written}\n`);

  expect(items).toMatchObject([{ title: 'Ship it', assignee: 'build agent', priority }]);
});

test('work items are read with their details from checkboxes, lists under Tasks and headings with an id', () => {
  const { items } = readPlan(PLAN);

  expect(items.map(({ key, title, status }) => [key, title, status])).toEqual([
    ['T1', 'Adapt `searchSymbols` in `src/store-symbols.ts`', 'todo'],
    ['T2', 'Rework `src/rows.ts:10-20`.', 'done'],
    [undefined, 'Write the docs in docs/api.md', 'todo'],
    ['T5', 'The last one', 'todo'],
  ]);
  expect(items[0]).toMatchObject({
    depends: ['T3'],
    estimate: '2d',
    files: ['src/new-file.ts', 'src/rows.ts', 'src/store-symbols.ts'],
    symbols: ['searchSymbols'],
    acceptance: ['p95 < 50 ms'],
    test: 'npm test -- search',
  });
  expect(items[3]).toMatchObject({ depends: ['T1'], acceptance: ['step one'] });
});

test('requirements, what is out of scope and how to verify are read from their sections', () => {
  const { requirements, outOfScope, verify } = readPlan(PLAN);

  expect(requirements).toEqual([
    {
      id: 'R1',
      text: 'Search MUST answer in 50 ms',
      scenarios: ['Given an index of 1 GB', 'When a word is looked for'],
    },
    { text: 'Nothing is lost', scenarios: [] },
    { text: 'the owner agrees', scenarios: [] },
  ]);
  expect(outOfScope).toEqual(['Fuzzy search']);
  expect(verify).toEqual(['npm test', 'npm run bench']);
});

test.each([
  ['---\ntitle: [a\n---\n', 'YAML'],
  ['---\n- a\n- b\n---\n', 'keys with values'],
  ['---\ntitle: &x a\nowner: *x\n---\n', 'YAML'],
])('front matter that cannot be used is refused: %j', (text, reason) => {
  expect(() => readPlan(text)).toThrow(expect.objectContaining({ code: 'bad_argument' }) as Error);
  expect(() => readPlan(text)).toThrow(reason);
});

test('a text that is too long is refused before it is read', () => {
  expect(() => readPlan('a'.repeat(LONGEST_PLAN + 1))).toThrow(ServiceError);
});

test('front matter is read although nobody quoted its colons', () => {
  const { fields } = readPlan(`---
name: Login: faster
todos:
  - id: keys
    content: Cache: the keys
    status: completed
---
`);

  expect(fields).toMatchObject({
    title: 'Login: faster',
    todos: [{ content: 'Cache: the keys', status: 'completed' }],
  });
});

test('what stands below a task in its list is kept with it, whatever it is', () => {
  const { items } = readPlan(`# Login

- [ ] 1. Cache keys
  - Make the table
    - with an index
  - Files: \`src/keys.ts\`
  - _Requirements: 1.1, 2.3_
  - [ ] 1.1 Read them

  Ask the owner first,
  before it begins.

      svc up
`);

  expect(items).toMatchObject([
    {
      label: '1',
      files: ['src/keys.ts'],
      body: [
        '- Make the table',
        '  - with an index',
        '- Files: `src/keys.ts`',
        '- _Requirements: 1.1, 2.3_',
        'Ask the owner first,',
        'before it begins.',
        '',
        '    svc up',
      ].join('\n'),
      acceptance: [],
      names: ['src/keys.ts'],
    },
    { label: '1.1', title: 'Read them', body: '', names: [] },
  ]);
});

test('the body of a task is what stands below it, to the letter, and nothing of it is listed elsewhere', () => {
  const body =
    '**Files:** `src/keys.ts`\n\n- [ ] **Step 1: Write the test**\n\n```ts\n# no heading\n\n  expect(1);\n```\n\n### Steps\n\nShip it.';
  const { items, sections } = readPlan(
    `# Login\n\n## Phase 1: Keys\n\nWhy.\n\n## Task 7: Cache\n\n${body}\n\n---\n\n## Notes\n\nLast.\n`,
  );

  expect(items).toMatchObject([
    { key: 'T7', label: '7', title: 'Cache', body, acceptance: ['**Step 1: Write the test**'] },
  ]);
  expect(sections.map(({ rest }) => rest).filter((rest) => rest !== '')).toEqual(['Why.', 'Last.']);
});

test('a paragraph begins a task up to its first label or line in bold, and what follows is its body', () => {
  const { items } = readPlan(
    '# P\n\n## Tasks\n\n- [ ] T1 Cache the keys\n      of everybody\n      Done when: it is fast\n      or small\n- [ ] **Measure**\n  twice\n',
  );

  expect(items).toMatchObject([
    { title: 'Cache the keys of everybody', body: 'Done when: it is fast\nor small', acceptance: ['it is fast'] },
    { title: 'Measure', body: 'twice' },
  ]);
});

test('items have the headings above them as their group, and their numbers as they are written', () => {
  const { items } = readPlan(
    '# P\n\n## Tasks\n\n### Phase 1: Setup\n\n- [ ] T001 Make it\n\n### Phase 2: Story\n\n#### Tests\n\n- Backend\n  - [ ] T002 Test it\n- [ ] TASK-003 Ship it\n',
  );

  expect(items.map(({ label, group }) => [label, group])).toEqual([
    ['T001', 'Phase 1: Setup'],
    ['T002', 'Phase 2: Story › Tests › Backend'],
    ['TASK-003', 'Phase 2: Story › Tests'],
  ]);
});

test('what a name beside another file means is looked for there', () => {
  const { items, mentions } = readPlan(
    '# P\n\n## Tasks\n\n- [ ] Fix `send` in `src/a.ts`\n- [ ] Fix `send` in `src/b.ts`\n- [ ] Fix `send` and `Sha256`\n',
  );

  expect(items.map(({ names }) => names)).toEqual([
    ['send', 'src/a.ts'],
    ['send@src/b.ts', 'src/b.ts'],
    ['send', 'Sha256'],
  ]);
  expect(mentions).toHaveLength(6);
});

test.each(['Tasks', 'Overview'])('boxes below plain entries of a list are the items, under "%s"', (heading) => {
  const { items } = readPlan(
    `# P\n\n## ${heading}\n\n- Backend\n  - [ ] Cache keys\n  - [x] Read them\n- Web\n  - [ ] Show them\n`,
  );

  expect(items.map(({ title, status }) => [title, status])).toEqual([
    ['Cache keys', 'todo'],
    ['Read them', 'done'],
    ['Show them', 'todo'],
  ]);
});
