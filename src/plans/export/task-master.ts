import { factsOf, type Layout, type SpecTask, type Unit } from './spec.ts';

const FILE = '.taskmaster/tasks/tasks.json';
const STATUS = { todo: 'pending', doing: 'in-progress', done: 'done', dropped: 'cancelled' } as const;

/** It knows three; the details say which one was meant. */
const PRIORITY: Record<string, string> = { urgent: 'high', high: 'high', medium: 'medium', low: 'low' };

/**
 * The layout of Task Master: `.taskmaster/tasks/tasks.json` with one tag, `master`; tasks whose number continues that of another
 * one (`1.2`) are its subtasks. A further page holds further tasks.
 */
export const taskMaster: Layout = {
  isText: false,
  units: (spec) => {
    const children = Map.groupBy(spec.tasks, (task) => parentOf(task, spec.tasks)?.key);
    return (children.get(undefined) ?? []).map((task): Unit => {
      const family = descendants(task, children);
      return {
        file: FILE,
        text: JSON.stringify(taskJson(task, { tasks: spec.tasks, children }), undefined, 2),
        task: task.key,
        subtasks: family.map(({ key }) => key),
      };
    });
  },
  assemble: (spec, units) => {
    const texts = units.map(({ text }) => text);
    const metadata = {
      projectName: spec.title,
      created: spec.exportedAt,
      updated: spec.exportedAt,
      description: `${spec.title} (plan ${spec.slug} version ${spec.version}, ${spec.repo}@${spec.commit.slice(0, 7)})`,
      // It has no place for what holds for all tasks, and leaves keys alone that it does not know.
      ...(spec.constraints.length > 0 && { constraints: spec.constraints }),
      ...(spec.decisions.length > 0 && { decisions: spec.decisions.map(({ handle, title }) => `${handle} ${title}`) }),
      ...(spec.verify.length > 0 && { verify: spec.verify }),
    };
    const indented = texts.map((text) => text.replaceAll(/^/gm, '      ')).join(',\n');
    const tasks = indented === '' ? '[]' : `[\n${indented}\n    ]`;
    const content = `{\n  "master": {\n    "tasks": ${tasks},\n    "metadata": ${JSON.stringify(metadata)}\n  }\n}\n`;
    return [{ path: FILE, content }];
  },
};

/** Tasks of an export, and the keys of the parents of subtasks. */
interface Tree {
  tasks: readonly SpecTask[];
  children: ReadonlyMap<string | undefined, readonly SpecTask[]>;
}

/** The task `1` of a task `1.2`. */
function parentOf({ label }: SpecTask, tasks: readonly SpecTask[]): SpecTask | undefined {
  const [, outer] = /^(\d+(?:\.\d+)*)\.\d+$/.exec(label) ?? [];
  return outer === undefined ? undefined : tasks.find((task) => task.label === outer);
}

function descendants({ key }: SpecTask, children: Tree['children']): SpecTask[] {
  return (children.get(key) ?? []).flatMap((task) => [task, ...descendants(task, children)]);
}

function taskJson(task: SpecTask, tree: Tree): Record<string, unknown> {
  const { description, details } = partsOf(task);
  const priority = PRIORITY[task.priority];
  return {
    id: numberOf(task, tree.tasks),
    title: task.title,
    description: description === '' ? task.title : description,
    status: STATUS[task.status],
    dependencies: dependenciesOf(task, tree.tasks),
    ...(priority !== undefined && { priority }),
    details,
    testStrategy: task.test,
    subtasks: (tree.children.get(task.key) ?? []).map((subtask) => taskJson(subtask, tree)),
  };
}

/** A first paragraph is the description, all else the details, with what is known beside them. */
function partsOf(task: SpecTask): { description: string; details: string } {
  const [, first = '', rest = ''] = /^(.*?)(?:\n[ \t]*\n([\s\S]*))?$/s.exec(task.body) ?? [];
  const isParagraph = !/^\s*(?:[-*+#>|`~]|\d+[.)]\s|\*\*[^*]+:\*\*)/.test(first);
  const description = isParagraph ? first : '';
  // How it is tested and how important it is have fields of their own.
  const facts = factsOf({
    ...task,
    test: '',
    priority: PRIORITY[task.priority] === task.priority ? '' : task.priority,
    status: task.status === 'doing' || task.status === 'dropped' ? 'todo' : task.status,
  });
  return {
    description,
    details: [isParagraph ? rest : task.body, facts.join('\n')].filter((part) => part !== '').join('\n\n'),
  };
}

/** Within its parent, or among all. */
function numberOf(task: SpecTask, tasks: readonly SpecTask[]): number {
  return Number(parentOf(task, tasks) === undefined ? task.key.slice(1) : task.label.replace(/^.*\./, ''));
}

/** Numbers of siblings and of tasks; others are named by their whole number: `2.1`. */
function dependenciesOf(task: SpecTask, tasks: readonly SpecTask[]): (number | string)[] {
  const parent = parentOf(task, tasks);
  return task.depends.flatMap((key): (number | string)[] => {
    const other = tasks.find((candidate) => candidate.key === key);
    if (other === undefined) return [];
    const otherParent = parentOf(other, tasks);
    if (otherParent?.key === parent?.key) return [numberOf(other, tasks)];
    return [otherParent === undefined ? Number(key.slice(1)) : pathOf(other, tasks)];
  });
}

/** `1.2`: the numbers of its parents before its own. */
function pathOf(task: SpecTask, tasks: readonly SpecTask[]): string {
  const parent = parentOf(task, tasks);
  const own = String(numberOf(task, tasks));
  return parent === undefined ? own : `${pathOf(parent, tasks)}.${own}`;
}
