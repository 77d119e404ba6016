import { detailLines, type Layout, type Spec, type SpecTask, type Unit } from './spec.ts';

const FILE = '.taskmaster/tasks/tasks.json';
const STATUS = { todo: 'pending', doing: 'in-progress', done: 'done', dropped: 'cancelled' } as const;

/** It knows three; the details say which one was meant. */
const PRIORITY: Record<string, string> = { urgent: 'high', high: 'high', medium: 'medium', low: 'low' };

/** The layout of Task Master: `.taskmaster/tasks/tasks.json` with one tag, `master`. A further page holds further tasks of it. */
export const taskMaster: Layout = {
  isText: false,
  units: (spec) =>
    spec.tasks.map((task): Unit => ({
      file: FILE,
      text: JSON.stringify(taskJson(spec, task), undefined, 2),
      task: task.key,
    })),
  assemble: (spec, units) => {
    const texts = units.map(({ text }) => text);
    const metadata = {
      projectName: spec.title,
      created: spec.exportedAt,
      updated: spec.exportedAt,
      description: `${spec.title} (plan ${spec.slug} version ${spec.version}, ${spec.repo}@${spec.commit.slice(0, 7)})`,
    };
    const indented = texts.map((text) => text.replaceAll(/^/gm, '      ')).join(',\n');
    const tasks = indented === '' ? '[]' : `[\n${indented}\n    ]`;
    const content = `{\n  "master": {\n    "tasks": ${tasks},\n    "metadata": ${JSON.stringify(metadata)}\n  }\n}\n`;
    return [{ path: FILE, content }];
  },
};

function taskJson(spec: Spec, task: SpecTask): Record<string, unknown> {
  const numbers = new Map(spec.tasks.map(({ key }) => [key, numberOf(key)]));
  const details = [
    ...detailLines(task).map((line) => line.trim()),
    ...section('Constraints', spec.constraints),
    ...section(
      'Decisions',
      spec.decisions.map(({ handle, title }) => `${handle} ${title}`),
    ),
    ...section('Verify', spec.verify),
  ];
  const priority = PRIORITY[task.priority];
  return {
    id: numberOf(task.key),
    title: task.title,
    description: task.title,
    status: STATUS[task.status],
    dependencies: task.depends.flatMap((key) => numbers.get(key) ?? []),
    ...(priority !== undefined && { priority }),
    details: details.join('\n'),
    testStrategy: task.test,
    subtasks: [],
  };
}

/** Under a heading, which tells the details of the task from what holds for all of them. */
function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map((line) => `- ${line}`)];
}

function numberOf(key: string): number {
  return Number(key.replace(/^T/, ''));
}
