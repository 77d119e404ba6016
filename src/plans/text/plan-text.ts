import type { List, ListItem, Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { ServiceError } from '../../kernel/errors.ts';
import { type FrontMatter, type FrontMatterTodo, splitFrontMatter } from './front-matter.ts';
import { statusAtHead } from './plan-status.ts';
import {
  leadOf,
  oneLine,
  type PlanSection,
  type SectionKind,
  type SectionText,
  sectionsOf,
  sourceOf,
} from './markdown.ts';
import { LONGEST_PLAN } from './plan-limit.ts';
import { type Mention, mentionsIn, namesOf } from '../../anchors/mentions/mentions.ts';
import { addDetails, addMentions } from './item-details.ts';
import { newItem } from './item-lead.ts';
import { linkPhases } from './phases.ts';
import { isWithin, itemsOf } from './read-items.ts';
import { readTaskMaster } from './read-task-master.ts';
import { GROUP_SEPARATOR, type ItemDraft, statusOf } from './work-item-text.ts';

/** One thing that must be true when the plan is done. */
interface RequirementDraft {
  /** `R1` as written, or nothing. */
  id?: string;
  text: string;
  /** Given/When/Then, each one line. */
  scenarios: string[];
}

/** Content of a plan, read from its Markdown. */
export interface PlanText {
  fields: FrontMatter;
  title: string;
  sections: SectionText[];
  requirements: RequirementDraft[];
  constraints: string[];
  outOfScope: string[];
  verify: string[];
  items: ItemDraft[];
  mentions: Mention[];
}

/**
 * Reads a plan; `PlanTexts` does it within limits. Everything is optional: a text without front matter, headings or tasks is a
 * plan with a title. The `tasks.json` of Task Master is read too.
 *
 * @throws ServiceError `bad_argument` for faulty front matter, `too_large` beyond 1,000,000 characters.
 */
export function readPlan(text: string): PlanText {
  if (text.length > LONGEST_PLAN) throw tooLarge(text.length);
  const taskMaster = readTaskMaster(text);
  const { fields: written, body } = splitFrontMatter(taskMaster?.markdown ?? text);
  const status = written.status ?? statusAtHead(body);
  const fields: FrontMatter = { ...written, ...(status !== undefined && { status }) };
  const tree = parseMarkdown(body);
  const sections = sectionsOf(tree, body);
  const titled = sections.find(({ depth, title }) => depth === 1 && title !== '')?.title;
  const used = new Set<RootContent | ListItem>();
  const listedItems = taskMaster?.items.map(withDetails) ?? fields.todos?.map(itemOfTodo);
  const items = listedItems ?? itemsOf(sections, body, used);
  if (listedItems === undefined) linkPhases(items, sections, body);
  // What listed items say is read by itself; of Task Master it is all that the text says.
  const ofItems = listedItems === undefined ? [] : mentionsOfItems(listedItems);
  const mentions = taskMaster === undefined ? [...mentionsIn(tree), ...ofItems] : ofItems;
  // What stands below a task is of the task, but for constraints.
  const ofPlan = (kind: SectionKind): PlanSection[] =>
    sections.filter(
      (section) => section.kind === kind && (kind === 'constraints' || !section.nodes.some((node) => used.has(node))),
    );
  const listed = (kind: SectionKind): string[] => [
    ...new Set(ofPlan(kind).flatMap((section) => linesOf(section, body, used))),
  ];
  return {
    fields,
    title: fields.title ?? titled ?? sections.find(({ title }) => title !== '')?.title ?? '',
    sections: sections.map(({ kind, title, depth, text: own, isProse, nodes }) => ({
      kind,
      title,
      depth,
      text: own,
      isProse,
      rest: taskMaster === undefined ? restOf({ kind, nodes }, used, body) : '',
    })),
    requirements: ofPlan('requirements').flatMap((section) => requirementsOf(section, body, used)),
    constraints: listed('constraints'),
    outOfScope: listed('scope'),
    verify: listed('verify'),
    items: withNames(items, mentions),
    mentions,
  };
}

/** Items with their groups, and with what each names as anchors of the plan are written. */
function withNames(items: readonly ItemDraft[], mentions: readonly Mention[]): ItemDraft[] {
  const names = namesOf(mentions);
  return items.map((item) => ({
    ...item,
    group: item.headings.join(GROUP_SEPARATOR),
    names: [...new Set(names.filter((_name, index) => isWithin(mentions[index]?.offset ?? 0, item.spans)))],
  }));
}

/** Kinds of sections in which the entries of lists count, or everything when there is no list. */
const OF_ENTRIES = new Set<SectionKind>(['requirements', 'constraints', 'scope', 'verify']);

function restOf(
  { kind, nodes }: Pick<PlanSection, 'kind' | 'nodes'>,
  used: ReadonlySet<RootContent | ListItem>,
  body: string,
): string {
  if (kind === 'goal' || kind === 'context') return '';
  const hasList = nodes.some(({ type }) => type === 'list');
  // Without a list the paragraphs are what counts; of requirements only lists do.
  if (OF_ENTRIES.has(kind) && kind !== 'requirements' && !hasList) return '';
  return nodes
    .filter((node) => !used.has(node) && !(OF_ENTRIES.has(kind) && node.type === 'list'))
    .map((node) => unusedOf(node, used, body))
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns a node as it is written; of a list with some entries that are work items, the others. */
function unusedOf(node: RootContent, used: ReadonlySet<RootContent | ListItem>, body: string): string {
  if (node.type !== 'list' || !node.children.some((entry) => used.has(entry))) return sourceOf(node, body);
  const others = node.children.filter((entry) => !used.has(entry));
  return others.map((entry) => sourceOf(entry, body)).join('\n');
}

/** Tasks in the front matter are all the tasks: the text says how, and often lists them again. */
function itemOfTodo({ id, content, status, dependencies }: FrontMatterTodo): ItemDraft {
  const item = newItem(content, statusOf(status));
  addMentions(item, mentionsOfText(content));
  return { ...item, ...(id !== '' && { label: id }), depends: [...item.depends, ...dependencies] };
}

/** A task of Task Master with what its text says under labels and in boxes, as for tasks that are written in Markdown. */
function withDetails(task: ItemDraft): ItemDraft {
  const { status, test } = task;
  const item = structuredClone(task);
  addMentions(item, mentionsOfText(task.title));
  addDetails(item, parseMarkdown(task.body).children, task.body);
  return {
    ...item,
    status,
    test: test === '' ? item.test : test,
  };
}

/** Returns the mentions in listed items: as if each stood before the text, beside nothing but itself. */
function mentionsOfItems(items: ItemDraft[]): Mention[] {
  let offset = 0;
  let block = 0;
  return items.flatMap((item) => {
    const text = `${item.title}\n\n${item.body}`;
    const start = (offset -= text.length + 1);
    item.spans = [{ start, end: start + text.length }];
    const mentions = mentionsOfText(text);
    const first = (block -= 1 + Math.max(0, ...mentions.map((mention) => mention.block)));
    return mentions.map((mention) => ({
      ...mention,
      block: first + mention.block,
      offset: start + mention.offset,
    }));
  });
}

/** Returns the mentions of code in a Markdown text; `PlanTexts` reads it within limits. */
export function mentionsOfText(text: string): Mention[] {
  return mentionsIn(parseMarkdown(text));
}

function parseMarkdown(text: string): Root {
  return unified().use(remarkParse).use(remarkGfm).parse(text);
}

/** Entries of the lists of a section; its paragraphs when it has none. */
function linesOf({ nodes }: PlanSection, body: string, used: ReadonlySet<RootContent | ListItem>): string[] {
  const lists = nodes.filter((node): node is List => node.type === 'list');
  if (lists.length > 0) {
    return lists.flatMap(({ children }) =>
      children.filter((entry) => !used.has(entry)).map((entry) => leadOf(entry, body)),
    );
  }
  return nodes.flatMap((node) => {
    if (node.type === 'code') return node.value.split('\n').filter((line) => line.trim() !== '');
    return [oneLine(sourceOf(node, body))];
  });
}

function requirementsOf(
  { nodes, title }: PlanSection,
  body: string,
  used: ReadonlySet<RootContent | ListItem>,
): RequirementDraft[] {
  const lists = nodes.filter((node): node is List => node.type === 'list');
  const [, id, name] = /^(R\d+)\b[\s:.)–-]*(.*)$/i.exec(title) ?? [];
  if (id !== undefined) {
    const lines = lists.flatMap(({ children }) => children.map((item) => leadOf(item, body)));
    const prose = nodes.filter(({ type }) => type === 'paragraph').map((node) => oneLine(sourceOf(node, body)));
    const text = [name ?? '', ...prose].filter((part) => part !== '').join('. ');
    return [{ id: id.toUpperCase(), text, scenarios: lines }];
  }
  return lists.flatMap(({ children }) =>
    children
      .filter((item) => !used.has(item))
      .map((item) => {
        const lead = leadOf(item, body).replaceAll('**', '');
        const [, written, rest] = /^(R\d+)\b[\s:.)–-]*(.*)$/i.exec(lead) ?? [];
        const nested = item.children.filter((node): node is List => node.type === 'list');
        const scenarios = nested.flatMap((list) => list.children.map((child) => leadOf(child, body)));
        return { ...(written !== undefined && { id: written.toUpperCase() }), text: rest ?? lead, scenarios };
      }),
  );
}

function tooLarge(length: number): ServiceError {
  return new ServiceError('too_large', `The plan has ${length} characters, more than the limit of ${LONGEST_PLAN}.`, {
    fix: 'Split it into several plans, and move long material to documents.',
  });
}
