import { decisionLine, staleLine } from './prompt.ts';
import { belowTask, describeKeys, filesOf, type Layout, type Spec, type SpecTask, type Unit, section } from './spec.ts';

/**
 * The layout of GitHub's spec-kit: `specs/<number>-<slug>/` with `spec.md`, `plan.md` and `tasks.md`. Requirements are
 * numbered FR-001, tasks T001: the plan's own numbers, filled up with zeros.
 */
export const specKit: Layout = {
  isText: true,
  units: (spec) => {
    const folder = folderOf(spec);
    return [
      ...specFile(spec, `${folder}/spec.md`),
      ...planFile(spec, `${folder}/plan.md`),
      ...taskFile(spec, `${folder}/tasks.md`),
    ];
  },
  assemble: (_spec, units) => filesOf(units),
};

function folderOf({ slug }: Spec): string {
  return `specs/001-${slug}`;
}

function specFile(spec: Spec, file: string): Unit[] {
  const stories = spec.requirements.map(({ id, text, scenarios }, index) =>
    [
      `### User Story ${index + 1} - ${text}`,
      '',
      `${text} (${requirementId(id)})`,
      '',
      ...(scenarios.length === 0 ? [] : ['**Acceptance Scenarios**:', '', `1. ${scenarioLine(scenarios)}`, '']),
    ].join('\n'),
  );
  return [
    {
      file,
      text: [
        `# Feature Specification: ${spec.title}`,
        '',
        `**Feature Branch**: \`001-${spec.slug}\``,
        `**Created**: ${spec.exportedAt.slice(0, 10)}`,
        `**Status**: ${spec.status}`,
        `**Input**: plan ${spec.slug} version ${spec.version} (${spec.stale ?? 'not compared with an index'}) at ${spec.repo}@${spec.commit.slice(0, 7)}`,
        '',
        ...(spec.goal === '' ? [] : [spec.goal, '']),
        ...(spec.context === '' ? [] : ['## Context', '', spec.context, '']),
        '## User Scenarios & Testing *(mandatory)*',
        '',
      ].join('\n'),
    },
    ...stories.map((text) => ({ file, text })),
    {
      file,
      text: [
        '## Requirements *(mandatory)*',
        '',
        '### Functional Requirements',
        '',
        ...(spec.requirements.length === 0 ? ['The plan states no requirements.'] : []),
        ...spec.requirements.map(({ id, text }) => `- **${requirementId(id)}**: ${text}`),
        '',
        '## Success Criteria *(mandatory)*',
        '',
        '### Measurable Outcomes',
        '',
        ...criteria(spec).map((text, index) => `- **SC-${padNumber(index + 1)}**: ${text}`),
        ...(spec.outOfScope.length === 0
          ? []
          : ['', '## Out of Scope', '', ...spec.outOfScope.map((line) => `- ${line}`)]),
      ].join('\n'),
    },
  ];
}

function planFile(spec: Spec, file: string): Unit[] {
  const head = [
    `# Implementation Plan: ${spec.title}`,
    '',
    `**Branch**: \`001-${spec.slug}\` | **Date**: ${spec.exportedAt.slice(0, 10)} | **Spec**: [spec.md](./spec.md)`,
    '',
    '## Summary',
    '',
    spec.goal === '' ? spec.title : spec.goal,
    '',
    '## Technical Context',
    '',
    `**Testing**: ${spec.verify.join('; ') || 'NEEDS CLARIFICATION'}`,
    `**Constraints**: ${spec.constraints.join('; ') || 'none stated'}`,
    ...section('Decisions', spec.decisions.map(decisionLine)),
    ...section('Stale anchors', spec.staleAnchors.map(staleLine)),
    ...spec.more.flatMap(({ title, text }) => section(title === '' ? 'Introduction' : title, [text])),
    ...section(
      'Notes',
      spec.notes.map((line) => `- ${line}`),
    ),
  ];
  return [{ file, text: head.join('\n') }];
}

function taskFile(spec: Spec, file: string): Unit[] {
  const head = [
    `# Tasks: ${spec.title}`,
    '',
    `**Input**: Design documents from \`/${folderOf(spec)}/\``,
    '**Prerequisites**: plan.md (required), spec.md (required for user stories)',
    '',
    '## Format: `[ID] [P?] Description`',
    '',
    '- **[P]**: Can run in parallel (different files, no dependencies)',
    '',
  ];
  let group: string | undefined;
  const units = spec.tasks.flatMap((task): Unit[] => {
    const heading =
      task.group === group
        ? []
        : [{ file, text: `\n## ${task.group === '' ? 'Phase 1: Implementation' : task.group}\n` }];
    group = task.group;
    return [...heading, { file, text: taskLine(task), task: task.key }];
  });
  return [{ file, text: head.join('\n') }, ...units];
}

function taskLine(task: SpecTask): string {
  const depends =
    task.depends.length === 0 ? '' : ` (depends on ${describeKeys(task.depends).replaceAll(/T\d+/g, taskId)})`;
  const line = `- [${task.status === 'done' ? 'x' : ' '}] ${taskId(task.key)}${task.parallel ? ' [P]' : ''} ${task.title}${depends}`;
  return [line, ...belowTask(task)].join('\n');
}

function criteria(spec: Spec): string[] {
  const done = spec.tasks.flatMap(({ acceptance }) => acceptance);
  return done.length === 0 ? spec.requirements.map(({ text }) => text) : done;
}

function scenarioLine(scenarios: readonly string[]): string {
  return scenarios
    .map((line) => line.replace(/^\**(given|when|then|and)\b\**:?/i, (_whole, word: string) => `**${capital(word)}**`))
    .join(', ');
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();
}

function taskId(key: string): string {
  return `T${padNumber(Number(key.replace(/^T/, '')))}`;
}

function requirementId(id: string): string {
  return `FR-${padNumber(Number(id.replace(/^R/, '')))}`;
}

function padNumber(number: number): string {
  return String(number).padStart(3, '0');
}
