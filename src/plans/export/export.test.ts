import { expect, test } from 'vitest';
import { charactersIn } from '../../kernel/budget.ts';
import type { WorkItem } from '../store/work-items.ts';
import { mergeItems } from '../store/work-items.ts';
import { readPlan } from '../text/plan-text.ts';
import { BLANK_ITEM } from '../text/work-item-text.ts';
import { openspec } from './openspec.ts';
import { paginate } from './paging.ts';
import { prompt } from './prompt.ts';
import type { Layout, Spec, SpecPlace, SpecTask, Unit } from './spec.ts';
import { specKit } from './spec-kit.ts';
import { taskMaster } from './task-master.ts';
import { inOrder, parallelItems } from './task-order.ts';
import { verifyCommands } from './verify-commands.ts';

function item(key: string, more: Partial<WorkItem> = {}): WorkItem {
  return {
    ...BLANK_ITEM,
    planId: 'p',
    key,
    number: 1,
    title: key,
    updatedAt: new Date(0),
    ...more,
  };
}

function order(items: WorkItem[]): string[] {
  return inOrder(items).ordered.map(({ key }) => key);
}

test('tasks stand after what they depend on, otherwise as the plan has them; a circle is told and ends', () => {
  expect(order([item('T3', { depends: ['T1'] }), item('T2'), item('T1')])).toEqual(['T1', 'T3', 'T2']);
  expect(order([item('T1', { depends: ['T9'] })])).toEqual(['T1']);
  expect(inOrder([item('T1', { depends: ['T2'] }), item('T2', { depends: ['T1'] })])).toMatchObject({
    circle: ['T1'],
    ordered: [{ key: 'T2' }, { key: 'T1' }],
  });
});

test('tasks are parallel when no open task beside them names one of their files', () => {
  const items = [
    item('T1', { files: ['a'] }),
    item('T2', { files: ['b'], depends: ['T1'] }),
    item('T3', { files: ['b', 'c'] }),
    item('T4', { files: ['d'] }),
    item('T5', { files: ['d'], status: 'done' }),
    item('T6'),
  ];

  expect([...parallelItems(items, ({ files }) => files)]).toEqual(['T1', 'T4']);
  expect([...parallelItems([item('T1', { files: ['a'] })], ({ files }) => files)]).toEqual([]);
});

const sizeOf = ({ text }: Unit): number => text.length;

test('pages hold everything once, in order, and none is larger than asked for', () => {
  const units: Unit[] = [
    { file: 'a', text: 'head' },
    ...Array.from({ length: 40 }, (_, at) => ({ file: 'a', text: `task ${at} ${'x'.repeat(90)}`, task: `T${at}` })),
    { file: 'b', text: 'tail' },
  ];
  const huge: Unit[] = [{ file: 'a', text: Array.from({ length: 500 }, (_, at) => `line ${at}`).join('\n') }, ...units];

  const pages = paginate(units, { tokens: 500, reserved: 300, sizeOf });
  const cut = paginate(huge, { tokens: 500, reserved: 300, sizeOf });

  expect(pages[0]?.map(({ text }) => text.slice(0, 6))).toEqual(expect.arrayContaining(['head', 'tail', 'task 0']));
  expect(pages.flat().filter((unit) => unit.task !== undefined)).toEqual(
    units.filter((unit) => unit.task !== undefined),
  );
  expect(pages.flat()).toHaveLength(units.length);
  for (const page of [...pages, ...cut])
    expect(page.reduce((sum, { text }) => sum + text.length + 2, 0)).toBeLessThanOrEqual(charactersIn(500) - 300);
  expect(
    cut
      .flat()
      .map(({ text }) => text)
      .join('\n'),
  ).toBe(huge.map(({ text }) => text).join('\n'));
});

test.each([
  [{ 'package.json': '{"scripts":{"test":"a","check":"b","start":"c"}}' }, ['npm run check', 'npm test']],
  [{ 'package.json': '{"scripts":{"lint":"a"},"packageManager":"pnpm@9"}' }, ['pnpm run lint']],
  [{ 'package.json': 'not json', Makefile: 'all:\n\ntest: all\n\tx\n' }, ['make test']],
  [{ 'go.mod': 'module x' }, ['go vet ./...', 'go test ./...']],
  [{ 'pyproject.toml': '[tool.pytest.ini_options]' }, ['pytest']],
  [{ 'Cargo.toml': '', 'pom.xml': '', 'build.gradle': '' }, ['cargo test', 'mvn test', 'gradle test']],
  [{}, []],
])('a project with %j is checked by %j', (files, commands) => {
  expect(verifyCommands(new Map(Object.entries(files)))).toEqual(commands);
});

function task(key: string): SpecTask {
  return {
    handle: 'wi:1',
    key,
    title: `Do ${key}`,
    status: 'todo',
    parallel: true,
    depends: [],
    files: [{ written: 'a.ts', path: 'b.ts', symbol: undefined, line: undefined, status: 'moved' }],
    symbols: [],
    body: '',
    group: '',
    label: '',
    stale: '',
    acceptance: [],
    test: '',
    estimate: '',
    assignee: '',
    priority: '',
    notes: '',
    excerpts: [],
    history: [],
  };
}

const SPEC: Spec = {
  slug: 'mail',
  title: 'Mail',
  status: 'accepted',
  owner: '',
  version: 1,
  repo: 'shop',
  commit: 'a1b2c3d4',
  exportedAt: '2026-11-21T10:00:00.000Z',
  stale: undefined,
  goal: '',
  context: '',
  requirements: [],
  constraints: [],
  tasks: [task('T1'), task('T12')],
  decisions: [],
  signals: [],
  staleAnchors: [],
  outOfScope: [],
  verify: [],
  more: [],
  notes: [],
};

function filesOf(layout: Layout, spec: Spec): Map<string, string> {
  const files = layout.assemble(spec, layout.units(spec), { isContinued: false });
  return new Map(files.map(({ path, content }) => [path.slice(path.lastIndexOf('/') + 1), content]));
}

test('requirements are exported as the plan states them; where it states none, that is said', () => {
  const scenarios = ['Given a mail', 'When it is sent', 'Then it arrives'];
  const stated = {
    ...SPEC,
    requirements: [
      { id: 'R1', text: 'mail goes out', scenarios: [] },
      { id: 'R2', text: 'Mail MUST arrive', scenarios },
    ],
  };

  expect([filesOf(openspec, SPEC).has('spec.md'), filesOf(openspec, stated).get('spec.md')]).toEqual([
    false,
    `## ADDED Requirements

### Requirement: R1 mail goes out

mail goes out

### Requirement: R2 Mail MUST arrive

Mail MUST arrive

#### Scenario: R2

- **GIVEN** a mail
- **WHEN** it is sent
- **THEN** it arrives

`,
  ]);
  expect(filesOf(openspec, SPEC).get('proposal.md')).toContain('- Requirements: the plan states none.\n');
  expect(filesOf(specKit, SPEC).get('spec.md')).toContain('The plan states no requirements.\n');
  expect(filesOf(specKit, stated).get('spec.md')).toContain(
    '### User Story 1 - mail goes out\n\nmail goes out (FR-001)\n\n### User Story 2 -',
  );
  expect(filesOf(specKit, stated).get('spec.md')).not.toMatch(/Priority|Independent Test/);
});

test('what else the plan says is part of each export, under its own heading', () => {
  const spec = { ...SPEC, more: [{ title: 'Risks', text: 'It may rain.' }] };

  expect(filesOf(openspec, spec).get('design.md')).toContain('## Risks\n\nIt may rain.');
  expect(filesOf(specKit, spec).get('plan.md')).toContain('## Risks\n\nIt may rain.');
  expect(filesOf(prompt, spec).get('mail.md')).toContain('## More from the plan\n\n### Risks\n\nIt may rain.');
});

/** Any of the values, by a generator that gives the same ones each time. */
function picker(seed: number): <Value>(values: readonly Value[]) => Value {
  let state = seed;
  return (values) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return values[(state >>> 8) % values.length] as (typeof values)[number];
  };
}

/** Steps with code, headings, and empty lines that code ends with. */
const BODY = [
  'Cut it in two.',
  '',
  '- [ ] **Step 1: Write the test**',
  '',
  '```ts',
  '# no heading',
  '  expect(cut()).toBe(2);',
  '',
  '```',
  '',
  '- [ ] **Step 2: Run it**',
  '  1. once',
  '  2. twice',
].join('\n');

/** Tasks with everything that a plan can say of them. */
function anyTasks(seed: number): SpecTask[] {
  const pick = picker(seed);
  const place = (written: string, symbol?: string): SpecPlace => ({
    written,
    path: symbol === undefined ? written : 'src/a.ts',
    symbol,
    line: symbol === undefined ? undefined : 3,
    status: pick(['fresh', 'changed', 'new'] as const),
  });
  return [1, 4, 12].map((number, index, all): SpecTask => ({
    ...task(`T${number}`),
    title: pick(['Cut the log (twice)', 'Write `src/b.ts`', '1.2 is the version', 'Read it: all of it']),
    status: pick(['todo', 'doing', 'done', 'dropped'] as const),
    parallel: pick([true, false]),
    depends: index === 0 ? [] : pick([[], [`T${all[index - 1]}`], [`T${all[0]}`]]),
    files: pick([[], [place('src/b.ts')], [place('src/c d.ts'.replace(' ', '-')), place('Makefile')]]),
    symbols: pick([[], [place('Mailer/send', 'Mailer/send')]]),
    body: pick(['', BODY, '- Ask the owner first\n- In May']),
    group: pick(['', 'Phase 1: Setup']),
    acceptance: pick([[], ['p95 < 50 ms'], ['Given a mail', 'it is quick']]),
    test: pick(['', 'npm test -- mail']),
    estimate: pick(['', '2d']),
    assignee: pick(['', 'build agent']),
    priority: pick(['', 'high', 'urgent']),
    notes: pick(['', 'Measured: 41 ms.']),
  }));
}

test.each([
  ['spec-kit', specKit],
  ['OpenSpec', openspec],
  ['Task Master', taskMaster],
])('tasks exported for %s are read back as they were', (_name, layout) => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const tasks = anyTasks(seed);
    const exported = filesOf(layout, { ...SPEC, tasks, constraints: ['No lock in `src/z.ts`'], verify: ['npm test'] });
    const { items } = readPlan(exported.get('tasks.md') ?? exported.get('tasks.json') ?? '');
    const merged = mergeItems('p', [], items, new Date(0));

    const back = merged.map(({ key, written: { files, acceptance, body, ...written } }, at) => {
      expect(body).toContain(tasks[at]?.body);
      const { group: _group, label: _label, phase: _phase, names: _names, ...fields } = written;
      return { key, ...fields, acceptance: acceptance.toSorted(), files: files.toSorted() };
    });
    expect(back).toEqual(
      tasks.map(({ key, title, status, depends, files, symbols, body, acceptance, test: how, ...rest }) => ({
        key,
        title,
        status,
        depends,
        // What its title and the places of its symbols name is a file of the task too.
        files: [
          ...new Set([
            ...files.map(({ written }) => written),
            ...(title.includes('`src/b.ts`') ? ['src/b.ts'] : []),
            ...symbols.filter((symbol) => symbol.status !== 'new').map(({ path }) => path),
          ]),
        ].toSorted(),
        symbols: symbols.map(({ symbol }) => symbol),
        acceptance: [
          ...acceptance,
          ...(body === BODY ? ['**Step 1: Write the test**', '**Step 2: Run it**'] : []),
        ].toSorted(),
        test: how,
        estimate: rest.estimate,
        assignee: rest.assignee,
        priority: rest.priority,
        notes: rest.notes,
      })),
    );
  }
});
