import { expect, test } from 'vitest';
import { mergeItems } from '../store/work-items.ts';
import { readPlan } from './plan-text.ts';

/** Returns the stored items: key, title, status, and the keys that they wait for. */
function mergedItems(text: string): string[] {
  const items = mergeItems('p', [], readPlan(text).items, new Date(0));
  return items.map(({ key, written: { title, status, depends } }) =>
    [key, status, title, ...(depends.length > 0 ? [`after ${depends.join(' ')}`] : [])].join(' · '),
  );
}

test('todos of the front matter are the tasks, with their status and what they wait for; lists of the text are not', () => {
  const text = `---
name: Faster login
overview: Log in within a second.
todos:
  - id: cache-keys
    content: Cache the keys in \`src/keys.ts\`
    status: completed
  - id: measure
    content: "Measure: p95 of the login"
    status: in_progress
    dependencies:
      - cache-keys
  - id: old
    content: Keep the old way
    status: cancelled
isProject: false
---

# Plan

## Implementation steps

### 1. Cache the keys

- Read them once
- [ ] and write them

### To-dos

- [ ] Cache the keys
`;

  expect(mergedItems(text)).toEqual([
    'T1 · done · Cache the keys in `src/keys.ts`',
    'T2 · doing · Measure: p95 of the login · after T1',
    'T3 · dropped · Keep the old way',
  ]);
  expect(readPlan(text)).toMatchObject({ title: 'Faster login', items: [{ files: ['src/keys.ts'] }, {}, {}] });
  expect(readPlan(text).mentions.map(({ path }) => path)).toEqual(['src/keys.ts']);
});

test.each([
  [
    'numbered steps with labels',
    `# Login

## Steps

### 1. Cache keys

Files: \`src/keys.ts\`, \`src/login.ts\`

- Read them once
- Verify: \`npm test -- keys\`

### 2. Measure

**Depends on:** 1

## Risks

1. It is slow
`,
    ['T1 · todo · Cache keys', 'T2 · todo · Measure · after T1'],
  ],
  [
    'headings of steps whose checkboxes say how far they are',
    `# Login

## Step 1: Cache keys

- [x] read
- [x] write

## Step 2: Measure

- [x] once
- [ ] twice

## ✅ Step 3: Ship

## Step 4: Tell (in progress)
`,
    ['T1 · done · Cache keys', 'T2 · doing · Measure', 'T3 · done · Ship', 'T4 · doing · Tell'],
  ],
  [
    'tasks of phases, their ids kept, with [P], before and after',
    `# Tasks: Login

**Input**: documents

## Format: \`[ID] [P?] Description\`

- **[P]**: in parallel

## Phase 1: Setup

- [x] T001 Make the folder in src/login/
- [ ] T002 [P] [US1] Cache keys in src/login/keys.ts (before T010)

## Phase 2: Story

- [ ] T010 Measure (after T001-T002)

## Dependencies & Execution Order

- Setup: no dependencies
- T010 blocks all

## Implementation Strategy

1. Finish Phase 1
`,
    [
      'T1 · done · Make the folder in src/login/',
      'T2 · todo · [US1] Cache keys in src/login/keys.ts',
      'T10 · todo · Measure · after T1 T2',
    ],
  ],
  [
    'tasks numbered by group, also where they verify, and tasks below tasks',
    `## 1. Keys

- [x] 1.1 Cache keys
- [ ] 1.2 Read them once (depends on 1.1)
  - [ ] 1.2.1 In threads
  - a detail

## 2. Validation

- [ ] 2.1 Run the tests
- all is green
`,
    [
      'T1 · done · Cache keys',
      'T2 · todo · Read them once · after T1',
      'T3 · todo · In threads',
      'T4 · todo · Run the tests',
    ],
  ],
  [
    'numbered checkboxes',
    `# Implementation Plan

- [ ] 1. Cache keys
  - once
  - _Requirements: 1.1, 2.3_
- [~] 2. Measure
- [-] 3. Print
- [ ] 4 retries
`,
    ['T1 · todo · Cache keys', 'T2 · doing · Measure', 'T3 · dropped · Print', 'T4 · todo · 4 retries'],
  ],
  [
    'a proposal with a list of its roll-out',
    `# RFC 12: Login

## Motivation

1. It is slow

## Alternatives

- [Another one](https://example.com)

## Rollout

1. Behind a flag
2. For everybody (after 1)

## Open questions

1. Who pays?
`,
    ['T1 · todo · Behind a flag', 'T2 · todo · For everybody · after T1'],
  ],
  [
    'a proposal whose phases are told in sentences',
    `# Login

## Rollout

### Phase 1: Shadow

Both run.

### Phase 2: Switch

The new one answers.
`,
    ['T1 · todo · Phase 1: Shadow', 'T2 · todo · Phase 2: Switch'],
  ],
  [
    'the checklist of an issue',
    `Login is slow.

- Version: 12
- [x] #12
- [ ] Cache \`Keys.read\`
`,
    ['T1 · done · #12', 'T2 · todo · Cache `Keys.read`'],
  ],
  [
    'a list of steps beside other lists',
    `# Login

## Implementation

### Architecture

1. Keys are cached

## Next steps

1. Cache keys
2. Measure
`,
    ['T1 · todo · Cache keys', 'T2 · todo · Measure'],
  ],
  [
    'numbered headings that name files, without a heading above them that announces work',
    `# Login

## 1. Context

Slow in \`src/login.ts\`.

## 2. Cache keys in \`src/keys.ts\`

### 2.1 Why

1. It is read often

## 3. Measure

File: \`bench/login.ts\`

## 4. Files to touch

- src/keys.ts

## 5. What not to do

- Two caches
`,
    ['T1 · todo · Cache keys in `src/keys.ts`', 'T2 · todo · Measure'],
  ],
  ['chapters of a text that names no files', '# Login\n\n## 1. Keys\n\nSlow.\n\n## 2. Locks\n\nSlower.\n', []],
  [
    'an order of work whose heading is numbered too',
    '# Login\n\n## 1. Cache in `src/keys.ts`\n\n## 2. Implementation order\n\n1. Cache keys\n2. Measure\n',
    ['T1 · todo · Cache keys', 'T2 · todo · Measure'],
  ],
  [
    'phases, one of them without a list, and phases that stand alone',
    '# Login\n\n## Rollout\n\n### Phase 1: Shadow\n\n1. Both run\n2. One answers\n\n### Phase 2: Switch\n\nThe new one.\n',
    ['T1 · todo · Phase 1: Shadow', 'T2 · todo · Phase 2: Switch'],
  ],
  [
    'phases that stand alone, whatever headings below them are called',
    '# Login\n\n## Phase 1: Shadow\n\n### Task detection\n\n- by name\n\n## Phase 2: Switch\n\n1. Both\n\n## Files\n',
    ['T1 · todo · Phase 1: Shadow', 'T2 · todo · Phase 2: Switch'],
  ],
  [
    'steps beside tasks, which belong to them',
    '## Task 1: Cache keys\n\n- [x] once\n\n## Step 1: Read\n\n- [x] twice\n\n## Task 2: Measure\n',
    ['T1 · done · Cache keys', 'T2 · todo · Measure'],
  ],
  [
    'boxes with a star, with a picture, and with an id in words',
    '- [ ]* 1. Cache keys\n- [x]* 2. Measure\n- [🔄] **Ship**\n- [x] ID 4: Tell\n  - [x] ID 4.1: Everybody\n',
    ['T1 · todo · Cache keys', 'T2 · done · Measure', 'T3 · doing · Ship', 'T4 · done · Tell', 'T5 · done · Everybody'],
  ],
  [
    'a proposal that numbers how things are implemented',
    '# RFC\n\n## Implementation\n\n### Versions\n\n1. The component mounts\n2. The store changes\n',
    [],
  ],
])('%s are read as the work, and nothing else is', (_style, text, expected) => {
  expect(mergedItems(text)).toEqual(expected);
});

test('a status that is written counts for more than boxes, and limits that stand below a task are of the plan', () => {
  const { items, constraints } = readPlan(`# Login

## Task 1: Known limits

Status: done

- [x] once
- [ ] twice

### Constraints

- No lock in \`src/z.ts\`

## Task 2: Measure

### Constraints

- No lock in \`src/z.ts\`
`);

  expect(items).toMatchObject([
    { status: 'done', files: [] },
    { status: 'todo', files: [] },
  ]);
  expect(constraints).toEqual(['No lock in `src/z.ts`']);
});

test('labels below a task are read whatever they are called', () => {
  const { items } = readPlan(`# Login

### Task 3: Cache keys

**Files:**
- Create: \`src/keys.ts\`
- Modify: \`src/login.ts:10-20\`
- Test: \`test/keys.test.ts\`

**Owner:** build agent
**Verify:** run \`npm test -- keys\`

Update: this takes two days.

- Symbols: \`Keys/read\` at src/keys.ts:12
- Blocked by: #31, Task 2
- Notes: ask first
- Definition of done: p95 < 1 s
`);

  expect(items).toMatchObject([
    {
      key: 'T3',
      files: ['src/keys.ts', 'src/login.ts', 'test/keys.test.ts'],
      symbols: ['Keys/read'],
      depends: ['T2'],
      assignee: 'build agent',
      test: 'run npm test -- keys',
      notes: 'ask first',
      acceptance: ['p95 < 1 s'],
    },
  ]);
});
