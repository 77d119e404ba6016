import { describePlace, filesOf, type Layout, type Spec, type SpecTask, type Unit } from './spec.ts';

/** A prompt that a coding agent can carry out: one Markdown text. */
export const prompt: Layout = {
  isText: true,
  units: (spec) => unitsOf(spec, `${spec.slug}.md`),
  assemble: (_spec, units) => filesOf(units, '\n\n'),
};

/** What stands at the head of each page. Values are quoted where YAML needs it. */
export async function frontMatter(spec: Spec, more: Record<string, string>): Promise<string> {
  const { stringify } = await import('yaml');
  const { slug, version, repo, commit, exportedAt, stale } = spec;
  const fields = { plan: slug, version, repo, commit, exported_at: exportedAt, stale: stale ?? 'unknown', ...more };
  return `---\n${stringify(fields)}---`;
}

/** The sections of the contract, in its order. Those without content are left out, but for the goal and the tasks. */
export function unitsOf(spec: Spec, file: string): Unit[] {
  const section = (title: string, lines: readonly string[]): Unit[] =>
    lines.length === 0 ? [] : [{ file, text: `## ${title}\n\n${lines.join('\n')}` }];
  const tasks = spec.tasks.map((task) => ({ file, text: taskText(task), task: task.key }));
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

function taskText(task: SpecTask): string {
  const box = task.status === 'done' ? 'x' : ' ';
  const state = task.status === 'doing' || task.status === 'dropped' ? ` (${task.status})` : '';
  const lines = [`- [${box}] **${task.key}**${task.parallel ? ' [P]' : ''} ${task.title}${state}`];
  const add = (name: string, value: string): void => {
    if (value !== '') lines.push(`  - ${name}: ${value}`);
  };
  add('files', task.files.map((place) => `\`${describePlace(place)}\``).join(', '));
  add('symbols', task.symbols.map((place) => `\`${describePlace(place)}\``).join(', '));
  add('depends', task.depends.join(', '));
  for (const text of task.details) lines.push(`  - ${text}`);
  add('done when', task.acceptance.join('; '));
  add('test', task.test === '' ? '' : `\`${task.test}\``);
  add('estimate', task.estimate);
  add('assignee', task.assignee);
  add('priority', task.priority);
  add('notes', task.notes);
  add('history', task.history.join('; '));
  for (const { place, text } of task.excerpts)
    lines.push(
      `  - ${place}`,
      `    ${fence(text)}`,
      ...text.split('\n').map((line) => `    ${line}`),
      `    ${fence(text)}`,
    );
  return lines.join('\n');
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
