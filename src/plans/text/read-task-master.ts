import { oneLine } from '../../kernel/shown-values.ts';
import { z } from 'zod';
import { parseJson } from '../../kernel/json.ts';
import { blankDraft, type ItemDraft, priorityOf, statusOf } from './work-item-text.ts';

const Id = z.union([z.string(), z.number()]).transform(String);
const Task = z.object({
  id: Id,
  title: z.string().catch(''),
  description: z.string().catch(''),
  status: z.string().catch(''),
  priority: z.string().catch(''),
  dependencies: z.array(Id).catch([]),
  details: z.string().catch(''),
  testStrategy: z.string().catch(''),
  get subtasks() {
    return z.array(Task).catch([]);
  },
});
type Task = z.output<typeof Task>;
const Tag = z.object({
  tasks: z.array(Task),
  metadata: z.object({ projectName: z.string().optional() }).catch({}),
});

const NO_TITLE = 'Task Master tasks';
/** The tag in which Task Master keeps what has no other. */
const MAIN_TAG = 'master';

/** The `tasks.json` of Task Master. */
interface TaskMasterPlan {
  title: string;
  /** Text for people: a heading for each task and subtask, and its content below. */
  markdown: string;
  /** Each task, then its subtasks. What they say is their body, verbatim. */
  items: ItemDraft[];
}

/**
 * Reads the `tasks.json` of Task Master; undefined for any other text. The tasks of the tag `master`, or of the only one,
 * keep their numbers; those of further tags stand under the name of their tag.
 */
export function readTaskMaster(text: string): TaskMasterPlan | undefined {
  if (!/^\uFEFF?\s*\{/.test(text)) return undefined;
  const tags = tagsOf(text);
  if (tags.length === 0) return undefined;
  const main = tags.find(({ name }) => name === MAIN_TAG) ?? tags[0];
  const title = tags.map(({ tag }) => tag.metadata.projectName ?? '').find((name) => name.trim() !== '') ?? NO_TITLE;
  const markdown: string[] = [`# ${oneLine(title)}`];
  const items: ItemDraft[] = [];
  tags.forEach(({ name, tag }, index) => {
    const heading = tags.length === 1 ? 'Tasks' : `Tasks of ${name}`;
    const place: Place = {
      prefix: name === main?.name ? '' : `${index + 1}.`,
      headings: tags.length === 1 ? [] : [heading],
      siblings: tag.tasks,
    };
    markdown.push(`## ${heading}`);
    for (const task of tag.tasks) addTask(task, place, { markdown, items });
  });
  return { title: oneLine(title), markdown: markdown.join('\n\n'), items };
}

/** One object with `tasks` was the format until tags came; since then each tag is one. */
function tagsOf(text: string): { name: string; tag: z.output<typeof Tag> }[] {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  if (typeof value !== 'object' || value === null) return [];
  const whole = Tag.safeParse(value);
  if (whole.success) return [{ name: MAIN_TAG, tag: whole.data }];
  return Object.entries(value).flatMap(([name, inside]) => {
    const { success, data } = Tag.safeParse(inside);
    return success ? [{ name, tag: data }] : [];
  });
}

interface Place {
  /** Of the numbers: those of a subtask stand behind the one of its task. */
  prefix: string;
  headings: readonly string[];
  siblings: readonly Task[];
}

function addTask(task: Task, place: Place, plan: { markdown: string[]; items: ItemDraft[] }): void {
  const { prefix, headings, siblings } = place;
  const number = `${prefix}${numberIn(siblings, task.id)}`;
  const title = oneLine(task.title === '' ? task.description : task.title);
  const description = [task.title, ''].includes(task.description) || task.title === '' ? '' : task.description.trim();
  const body = [description, task.details.replace(/^(?:[ \t]*\n)+/, '').trimEnd()]
    .filter((part) => part !== '')
    .join('\n\n');
  plan.items.push({
    ...blankDraft(),
    ...(prefix === '' && { key: `T${Number(number)}` }),
    label: number,
    title,
    body,
    headings,
    status: statusOf(task.status) ?? 'todo',
    priority: priorityOf(task.priority),
    test: task.testStrategy.trim(),
    depends: task.dependencies.map((id) => {
      const isSibling = siblings.some((other) => other.id === id);
      const name = isSibling ? `${prefix}${numberIn(siblings, id)}` : id;
      return name.includes('.') ? name : `T${name}`;
    }),
  });
  plan.markdown.push(
    `### ${number} ${title}`,
    ...[description, belowHeading(task.details), task.testStrategy.trim()].filter(Boolean),
  );
  for (const subtask of task.subtasks)
    addTask(subtask, { prefix: `${number}.`, headings, siblings: task.subtasks }, plan);
}

/** The last part of an id that is a number, as `2` of `1.2`; ids that are words stand for their places. */
function numberIn(siblings: readonly Task[], id: string): string {
  const isNumbered = siblings.every((task) => /^(?:\d+\.)*\d{1,4}$/.test(task.id));
  return isNumbered ? id.replace(/^.*\./, '') : String(siblings.findIndex((task) => task.id === id) + 1);
}

/** Headings of a text so deep that they belong to the task; in code they are none. */
function belowHeading(text: string): string {
  let isCode = false;
  const lines = text.split('\n').map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    return isCode ? line : line.replace(/^ {0,3}#{1,6}(?=\s)/, '####');
  });
  // A fence that is never closed would take in the tasks that follow.
  return [...lines, ...(isCode ? ['```'] : [])].join('\n').trim();
}
