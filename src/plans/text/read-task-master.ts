import { z } from 'zod';
import { parseJson } from '../../kernel/json.ts';

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

/**
 * The Markdown of the `tasks.json` of Task Master: a heading for each task and subtask, with its number and all that it
 * says. Undefined for any other text. The tasks of the tag `master`, or of the only one, keep their numbers; those of
 * further tags stand under the name of their tag.
 */
export function markdownOfTaskMaster(text: string): string | undefined {
  if (!/^\uFEFF?\s*\{/.test(text)) return undefined;
  const tags = tagsOf(text);
  if (tags.length === 0) return undefined;
  const main = tags.find(({ name }) => name === MAIN_TAG) ?? tags[0];
  const title = tags.map(({ tag }) => tag.metadata.projectName ?? '').find((name) => name.trim() !== '') ?? NO_TITLE;
  const parts = tags.map(({ name, tag }, index) => {
    const prefix = name === main?.name ? '' : `${index + 1}.`;
    const heading = tags.length === 1 ? 'Tasks' : `Tasks of ${name}`;
    return [`## ${heading}`, ...tag.tasks.flatMap((task) => taskParts(task, { prefix, siblings: tag.tasks }))];
  });
  return [`# ${oneLine(title)}`, ...parts.flat()].join('\n\n');
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

/** @param prefix of the numbers: those of a subtask stand behind the one of its task. */
function taskParts(task: Task, { prefix, siblings }: { prefix: string; siblings: readonly Task[] }): string[] {
  const number = `${prefix}${numberIn(siblings, task.id)}`;
  const names = task.dependencies.map((id) => {
    const isSibling = siblings.some((other) => other.id === id);
    return nameOf(isSibling ? `${prefix}${numberIn(siblings, id)}` : id);
  });
  const labels = [
    ['Status', task.status],
    ['Priority', task.priority],
    ['Depends on', names.join(', ')],
  ];
  return [
    `### Task ${number}: ${oneLine(task.title === '' ? task.description : task.title)}`,
    ...(task.description === '' || task.description === task.title ? [] : [belowHeading(task.description)]),
    labels.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])).join('\n'),
    belowHeading(task.details),
    task.testStrategy === '' ? '' : `Test: ${oneLine(task.testStrategy)}`,
    ...task.subtasks.flatMap((sub) => taskParts(sub, { prefix: `${number}.`, siblings: task.subtasks })),
  ].filter((part) => part !== '');
}

/** The last part of an id that is a number, as `2` of `1.2`; ids that are words stand for their places. */
function numberIn(siblings: readonly Task[], id: string): string {
  const isNumbered = siblings.every((task) => /^(?:\d+\.)*\d{1,4}$/.test(task.id));
  return isNumbered ? id.replace(/^.*\./, '') : String(siblings.findIndex((task) => task.id === id) + 1);
}

function nameOf(number: string): string {
  return number.includes('.') ? number : `T${number}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
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
