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

test.each([
  [
    'numbered tasks beside a checklist, criteria, and the steps of a flow',
    `# Login

## User flow

### Steps

1. Somebody opens the page
2. Somebody signs in

### Step 1: The page opens

## Tasks

- [ ] 1. Cache keys
  - [ ] Step 1: Read
  - [ ] 1.1 In threads

## Success metrics

- [ ] 1. Faster than 50 ms

## Completion checklist

- [ ] All tests pass
- [ ] 1. No warnings

## Before the launch

- [ ] Everybody agrees
`,
    ['T1 · todo · Cache keys', 'T2 · todo · In threads'],
  ],
  [
    'tasks without numbers, but not what must be true at the end',
    '# Login\n\n## Work\n\n- [ ] Cache keys\n\n## Definition of done\n\n- [ ] Fast\n',
    ['T1 · todo · Cache keys'],
  ],
  [
    'a table of tasks with what each waits for',
    `# Login

## Implementation plan

| ID | Task | Depends on | Files | Status | Estimate |
| --- | --- | --- | --- | --- | --- |
| T1 | Cache keys | — | \`src/keys.ts\` | Done | 1d |
| T2 | Measure | T1 | | In progress | 2d |

| Risk | Owner |
| --- | --- |
| Slow | Ada |
`,
    ['T1 · done · Cache keys', 'T2 · doing · Measure · after T1'],
  ],
  [
    'tasks whose states a table lists again',
    '# Login\n\n- [x] T1 Cache keys\n- [ ] T2 Measure\n\n| Id | Task |\n| --- | --- |\n| T1 | Keys |\n| T3 | Ship |\n',
    ['T1 · done · Cache keys', 'T2 · todo · Measure', 'T3 · todo · Ship'],
  ],
  [
    'phases of spec-kit with what each depends on',
    `# Tasks

## Phase 1: Setup

- [ ] T001 Make the folder

## Phase 2: Foundational (Blocking)

- [ ] T002 Make the table

## Phase 3: User Story 1 - Log in (Priority: P1)

**Goal**: Log in

- [ ] T003 [US1] Log in

## Phase 4: User Story 2 - Log out

- [ ] T004 [US2] Log out

## Final Phase: Polish & more

- [ ] T005 Polish

## Dependencies & Execution Order

### Phase Dependencies

- **Setup (Phase 1)**: No dependencies - can start immediately
- **Foundational (Phase 2)**: Depends on Setup completion - BLOCKS all user stories
- **User Stories (Phase 3+)**: All depend on Foundational phase completion
- **Polish (Final Phase)**: Depends on all desired user stories being complete

### User Story Dependencies

- **User Story 2 (P2)**: Can start after Foundational (Phase 2) - May integrate with US1

## Implementation Strategy

### MVP First (User Stories 1-2)

1. Complete Phase 1
`,
    [
      'T1 · todo · Make the folder',
      'T2 · todo · Make the table · after T1',
      'T3 · todo · [US1] Log in · after T2',
      'T4 · todo · [US2] Log out · after T2',
      'T5 · todo · Polish · after T3 T4',
    ],
  ],
])('%s are read as the work, and nothing else is', (_style, text, expected) => {
  expect(mergedItems(text)).toEqual(expected);
});

/** The phase of each item, and the keys that it waits for. */
function phasesOf(text: string): unknown[] {
  return mergeItems('p', [], readPlan(text).items, new Date(0)).map(({ written }) => [written.phase, written.depends]);
}

/** Three phases, the second of which says more. */
const threePhases = (more: string): string =>
  `# P\n\n## Phase 1: Requirements\n\n- [ ] Ask\n\n## Phase 2: Build\n\n${more}- [ ] Make\n- [ ] Test\n\n## Phase 3: Ship\n\n- [ ] Ship\n`;

test('phases follow each other where the text does not say what each waits for, and are no requirements', () => {
  expect(phasesOf(threePhases(''))).toEqual([
    [1, []],
    [2, []],
    [2, []],
    [3, []],
  ]);
  expect(phasesOf(threePhases('Depends on: Phase 1\n\n'))).toEqual([
    [0, []],
    [0, ['T1']],
    [0, ['T1']],
    [0, []],
  ]);
  expect(readPlan(threePhases('')).requirements).toEqual([]);
});

test.each([
  ['US1 to US3', 'T2 T3 T4'],
  ['Phases 2-3', 'T2 T3'],
  ['User Stories 1, 3', 'T2 T4'],
  ['all user stories', 'T2 T3 T4'],
  ['ALL phases complete', 'T1 T2 T3 T4'],
  ['Phase 2 completion — can run beside Phase 3', 'T2'],
  ['the weather', ''],
])('a phase that depends on %s waits for %s', (names, keys) => {
  const phases = ['Base', 'User Story 1 - A', 'User Story 2 - B', 'User Story 3 - C', 'Polish'];
  const tasks = phases.map((name, at) => `## Phase ${at + 1}: ${name}\n\n- [ ] T${at + 1} Do it\n`);
  const text = `# P\n\n${tasks.join('\n')}\n## Dependencies\n\n- **Polish (Phase 5)**: Depends on ${names}\n`;

  expect(mergeItems('p', [], readPlan(text).items, new Date(0)).at(-1)?.written.depends.join(' ')).toBe(keys);
});
