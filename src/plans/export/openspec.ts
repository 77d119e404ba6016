import type { Requirement } from '../store/store.ts';
import { decisionLine, staleLine } from './prompt.ts';
import {
  belowTask,
  describeKeys,
  describePlace,
  filesOf,
  type Layout,
  type Spec,
  type SpecTask,
  type Unit,
  section,
} from './spec.ts';

/** Below this a "Why" is refused by the validator. */
const SHORTEST_WHY = 50;
/** Longer headings of requirements and scenarios are cut. */
const LONGEST_HEADING = 100;

/**
 * The layout of OpenSpec: `openspec/changes/<slug>/` with `proposal.md`, `tasks.md`, `design.md` and what changes in the
 * specification, where the plan states requirements.
 */
export const openspec: Layout = {
  isText: true,
  units: (spec) => {
    const folder = `openspec/changes/${spec.slug}`;
    return [
      ...proposal(spec, `${folder}/proposal.md`),
      ...design(spec, `${folder}/design.md`),
      ...tasks(spec, `${folder}/tasks.md`),
      ...deltas(spec, `${folder}/specs/${spec.slug}/spec.md`),
    ];
  },
  assemble: (_spec, units) => filesOf(units),
};

function proposal(spec: Spec, file: string): Unit[] {
  const why = [spec.goal === '' ? spec.title : spec.goal, ...(spec.context === '' ? [] : [spec.context])].join('\n\n');
  const padded =
    why.length >= SHORTEST_WHY
      ? why
      : `${why}\n\nFrom the plan "${spec.title}" (${spec.slug}, version ${spec.version}) for ${spec.repo}@${spec.commit.slice(0, 7)}.`;
  const files = [...new Set(spec.tasks.flatMap((task) => task.files.map(describePlace)))];
  const lines = [
    `# Change: ${spec.title}`,
    '',
    '## Why',
    '',
    padded,
    '',
    '## What Changes',
    '',
    ...spec.tasks.map(({ title }) => `- ${title}`),
    ...(spec.tasks.length === 0 ? [`- ${spec.title}`] : []),
    '',
    '## Impact',
    '',
    `- Affected specs: ${spec.slug}`,
    `- Affected code: ${files.join(', ') || 'not stated'}`,
    ...(spec.requirements.length === 0 ? ['- Requirements: the plan states none.'] : []),
    ...spec.outOfScope.map((line) => `- Out of scope: ${line}`),
  ];
  return [{ file, text: lines.join('\n') }];
}

function design(spec: Spec, file: string): Unit[] {
  const lines = [
    ...section(
      'Constraints',
      spec.constraints.map((line) => `- ${line}`),
    ),
    ...section('Decisions', spec.decisions.map(decisionLine)),
    ...section('Stale anchors', spec.staleAnchors.map(staleLine)),
    ...section(
      'Verify',
      spec.verify.map((line) => `- \`${line.replaceAll('`', '')}\``),
    ),
    ...spec.more.flatMap(({ title, text }) => section(title === '' ? 'Introduction' : title, [text])),
    ...section(
      'Notes',
      spec.notes.map((line) => `- ${line}`),
    ),
  ];
  return lines.length === 0 ? [] : [{ file, text: [`# Design: ${spec.title}`, ...lines].join('\n') }];
}

function tasks(spec: Spec, file: string): Unit[] {
  const groups: { name: string; tasks: SpecTask[] }[] = [];
  for (const task of spec.tasks) {
    const last = groups.at(-1);
    if (last?.name === task.group) last.tasks.push(task);
    else groups.push({ name: task.group, tasks: [task] });
  }
  // The plan's own numbers where they are such as this layout has.
  const isNumbered =
    spec.tasks.every(({ label }) => /^\d+\.\d+$/.test(label)) &&
    new Set(spec.tasks.map(({ label }) => label)).size === spec.tasks.length;
  const units = groups.flatMap(({ name, tasks: own }, index): Unit[] => {
    const title = name === '' ? 'Implementation' : name.replace(/^\d+[.)]\s+/, '');
    const number = isNumbered ? (own[0]?.label ?? '').replace(/\..*$/, '') : String(index + 1);
    return [
      { file, text: `${index === 0 ? '' : '\n'}## ${number}. ${title}\n` },
      ...own.map((task, at) => ({
        file,
        text: taskText(task, isNumbered ? task.label : `${number}.${at + 1}`),
        task: task.key,
      })),
    ];
  });
  return units.length === 0 ? [{ file, text: '## 1. Implementation\n' }] : units;
}

function taskText(task: SpecTask, number: string): string {
  const depends = task.depends.length === 0 ? '' : ` (after ${describeKeys(task.depends)})`;
  const box = task.status === 'done' ? 'x' : ' ';
  return [`- [${box}] ${number} ${task.key}: ${task.title}${depends}`, ...belowTask(task)].join('\n');
}

/** Returns the requirements in the words of the plan: nothing is added to please a validator. */
function deltas(spec: Spec, file: string): Unit[] {
  if (spec.requirements.length === 0) return [];
  return [
    { file, text: '## ADDED Requirements\n' },
    ...spec.requirements.map((entry) => ({ file, text: requirement(entry) })),
  ];
}

function requirement({ id, text, scenarios }: Requirement): string {
  const heading = firstLine(text).replaceAll(/[`*]/g, '').slice(0, LONGEST_HEADING);
  const scenario = scenarios.length === 0 ? [] : [`#### Scenario: ${id}`, '', ...scenarios.map(scenarioLine), ''];
  return [`### Requirement: ${id} ${heading}`, '', text, '', ...scenario].join('\n');
}

function scenarioLine(line: string): string {
  const [, word, rest] = /^\**(given|when|then|and)\b\**:?\s*(.*)$/i.exec(line) ?? [];
  return word === undefined ? `- **THEN** ${line}` : `- **${word.toUpperCase()}** ${rest ?? ''}`;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
