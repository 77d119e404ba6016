import {
  belowTask,
  describeKeys,
  factsOf,
  filesOf,
  type Layout,
  type Spec,
  type SpecTask,
  textsOf,
  type Unit,
} from './spec.ts';

/** A prompt that a coding agent can carry out: one Markdown text. */
export const prompt: Layout = {
  isText: true,
  units: (spec) => unitsOf(spec, `${spec.slug}.md`, taskText),
  assemble: (_spec, units) => filesOf(units, '\n\n'),
};

/** Returns the front matter of a page. Values are quoted where YAML needs it. */
export async function frontMatter(spec: Spec, more: Record<string, string>): Promise<string> {
  const { stringify } = await import('yaml');
  const { slug, version, repo, commit, exportedAt, stale } = spec;
  const fields = { plan: slug, version, repo, commit, exported_at: exportedAt, stale: stale ?? 'unknown', ...more };
  return `---\n${stringify(fields)}---`;
}

/**
 * The sections of the contract, in its order. Those without content are left out, but for the goal and the tasks.
 *
 * @param textOf writes a task.
 */
export function unitsOf(spec: Spec, file: string, textOf: (task: SpecTask) => string): Unit[] {
  const section = (title: string, lines: readonly string[]): Unit[] =>
    lines.length === 0 ? [] : [{ file, text: `## ${title}\n\n${lines.join('\n')}` }];
  const tasks = spec.tasks.map((task) => ({ file, text: textOf(task), task: task.key }));
  return [
    { file, text: `# ${spec.title}` },
    ...section('Goal', [spec.goal === '' ? spec.title : spec.goal]),
    ...section('Context', spec.context === '' ? [] : [spec.context]),
    ...section('Signals', spec.signals.map(signalLine)),
    ...section('Requirements', spec.requirements.map(requirementText)),
    ...section(
      'Constraints',
      spec.constraints.map((line) => `- ${line}`),
    ),
    {
      file,
      text: `## Tasks\n\n${tasks.length === 0 ? 'The plan has no tasks.' : 'In an order in which you can do them. [P]: can run in parallel with other tasks.'}`,
    },
    ...tasks,
    ...section('Decisions', spec.decisions.map(decisionLine)),
    ...section('Stale anchors', spec.staleAnchors.map(staleLine)),
    ...section(
      'Out of scope',
      spec.outOfScope.map((line) => `- ${line}`),
    ),
    ...section(
      'Verify',
      spec.verify.map((line) => `- \`${line.replaceAll('`', '')}\``),
    ),
    ...section(
      'More from the plan',
      spec.more.map(({ title, text }) => `${title === '' ? '' : `### ${title}\n\n`}${text}\n`),
    ),
    ...section(
      'Notes',
      spec.notes.map((line) => `- ${line}`),
    ),
  ];
}

function requirementText({ id, text, scenarios }: Spec['requirements'][number]): string {
  return [`- **${id}** ${text}`, ...scenarios.map((line) => `  - ${line}`)].join('\n');
}

/** A heading, then what is known of the task, then its text as the plan has it. */
function taskText(task: SpecTask): string {
  const state = task.status === 'todo' ? '' : ` (${task.status})`;
  const facts = [...ownFacts(task), ...factsOf({ ...task, status: 'todo' })].map((line) => `- ${line}`);
  return [
    `### ${task.key}${task.parallel ? ' [P]' : ''} ${task.title}${state}`,
    ...(facts.length === 0 ? [] : [facts.join('\n')]),
    ...textsOf(task).map(closedText),
    ...task.excerpts.map(({ place, text }) => [`${place}:`, fence(text), text, fence(text)].join('\n')),
  ].join('\n\n');
}

/** A task as an entry of a checklist. */
export function taskEntry(task: SpecTask): string {
  const state = task.status === 'doing' || task.status === 'dropped' ? ` (${task.status})` : '';
  const below = [...ownFacts(task).map((line) => `  - ${line}`), ...belowTask({ ...task, status: 'todo' })];
  const excerpts = task.excerpts.flatMap(({ place, text }) =>
    [`- ${place}`, `  ${fence(text)}`, ...text.split('\n').map((line) => `  ${line}`), `  ${fence(text)}`].map(
      (line) => `  ${line}`,
    ),
  );
  const box = task.status === 'done' ? 'x' : ' ';
  return [`- [${box}] **${task.key}**${task.parallel ? ' [P]' : ''} ${task.title}${state}`, ...below, ...excerpts].join(
    '\n',
  );
}

/** Returns the facts of a task that are not read back: other layouts write them in their own formats, or not at all. */
function ownFacts({ key, label, group, depends, stale, history }: SpecTask): string[] {
  const facts = [
    ['Number', label === key ? '' : label],
    ['Group', group],
    ['Depends on', describeKeys(depends)],
    ['Stale', stale],
    ['History', history.join('; ')],
  ];
  return facts.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]));
}

/** A text whose headings would end the task stands in a fence, so that not a character of it has to change. */
function closedText(text: string): string {
  return endsTask(text) ? `${fence(text)}markdown\n${text}\n${fence(text)}` : text;
}

/** True if a text has headings as high as a task, or an unclosed block of code. */
function endsTask(text: string): boolean {
  let open = '';
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (open === '' && mark !== '') open = mark;
    else if (open !== '' && mark.startsWith(open) && line.trim() === mark) open = '';
    else if (open === '' && /^ {0,3}(?:#{1,3}(?:\s|$)|(?:=+|-+)[ \t]*$)/.test(line)) return true;
  }
  return open !== '';
}

/** Longer than any run of back-quotes in the text, so that nothing in it ends the block. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(longest + 1);
}

export function decisionLine({ handle, title, status, decision, stale }: Spec['decisions'][number]): string {
  return `- ${handle} ${title} (${[status, ...(stale === undefined || stale === 'fresh' ? [] : [stale])].join(', ')}): ${decision}`;
}

function signalLine({ handle, text, customer, date }: Spec['signals'][number]): string {
  return `- ${handle}${customer === '' ? '' : ` ${customer}`}${date === '' ? '' : ` (${date})`}: ${text}`;
}

export function staleLine({ written, status, now, commits }: Spec['staleAnchors'][number]): string {
  const by = commits.length === 0 ? '' : ` · ${commits.join('; ')}`;
  return `- \`${written}\` ${status}${now === '' ? '' : `: ${now}`}${by}`;
}
