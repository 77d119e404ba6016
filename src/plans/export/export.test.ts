import { expect, test } from 'vitest';
import { charactersIn } from '../../kernel/budget.ts';
import type { WorkItem } from '../store/work-items.ts';
import { BLANK_ITEM } from '../text/work-item-text.ts';
import { openspec } from './openspec.ts';
import { paginate } from './paging.ts';
import type { Spec, SpecTask, Unit } from './spec.ts';
import { specKit } from './spec-kit.ts';
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

test('pages hold everything once, in order, and none is larger than asked for', () => {
  const units: Unit[] = [
    { file: 'a', text: 'head' },
    ...Array.from({ length: 40 }, (_, at) => ({ file: 'a', text: `task ${at} ${'x'.repeat(90)}`, task: `T${at}` })),
    { file: 'b', text: 'tail' },
  ];
  const huge: Unit[] = [{ file: 'a', text: Array.from({ length: 500 }, (_, at) => `line ${at}`).join('\n') }, ...units];

  const pages = paginate(units, { tokens: 500, reserved: 300 });
  const cut = paginate(huge, { tokens: 500, reserved: 300 });

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
    acceptance: [],
    test: '',
    estimate: '',
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
  notes: [],
};

/** Rules of the validator of OpenSpec 1.x, which was run on these files when they were made: `openspec validate --strict`. */
test('every requirement of the OpenSpec layout says MUST or SHALL and has a scenario, even when the plan states none', () => {
  const specs = [SPEC, { ...SPEC, requirements: [{ id: 'R1', text: 'mail goes out', scenarios: [] }] }];

  for (const spec of specs) {
    const files = new Map(
      openspec.assemble(spec, openspec.units(spec), { isContinued: false }).map((one) => [one.path, one.content]),
    );
    const delta = files.get('openspec/changes/mail/specs/mail/spec.md') ?? '';
    const requirements = delta.split('### Requirement: ').slice(1);

    expect(delta.startsWith('## ADDED Requirements\n')).toBe(true);
    expect(requirements).toHaveLength(1);
    for (const text of requirements) {
      expect(text).toMatch(/^[^\n]+\n\n[^\n]*\b(?:MUST|SHALL)\b/);
      expect(text).toMatch(/#### Scenario: [^\n]+\n\n(?:- \*\*(?:GIVEN|WHEN|THEN|AND)\*\* [^\n]+\n)+/);
    }
    const why = /## Why\n\n([\s\S]*?)\n\n## What Changes\n/.exec(files.get('openspec/changes/mail/proposal.md') ?? '');
    expect(why?.[1]?.length).toBeGreaterThanOrEqual(50);
    expect(files.get('openspec/changes/mail/tasks.md')).toMatch(/^## 1\. Implementation\n\n- \[ \] 1\.1 T1: Do T1/);
  }
});

test('lines of tasks in the spec-kit layout are checkbox, id, [P], description with its path', () => {
  const files = specKit.assemble(SPEC, specKit.units(SPEC), { isContinued: false });

  expect(files.find(({ path }) => path.endsWith('/tasks.md'))?.content).toContain(
    '- [ ] T001 [P] Do T1 in b.ts (was a.ts)\n- [ ] T012 [P] Do T12 in b.ts (was a.ts)\n',
  );
});

test('a file that the title of a task names as it is stands there once', () => {
  const fresh = { written: 'a.ts', path: 'a.ts', symbol: undefined, line: undefined, status: 'fresh' } as const;
  const spec = { ...SPEC, tasks: [{ ...task('T1'), title: 'Cut `a.ts`', files: [fresh] }] };
  const linesOf = (layout: typeof specKit): string =>
    layout
      .assemble(spec, layout.units(spec), { isContinued: false })
      .find(({ path }) => path.endsWith('/tasks.md'))
      ?.content.split('\n')
      .find((line) => line.includes('Cut')) ?? '';

  expect(linesOf(specKit)).toBe('- [ ] T001 [P] Cut `a.ts`');
  expect(linesOf(openspec)).toBe('- [ ] 1.1 T1: Cut `a.ts`');
});
