import type { List, Root, RootContent } from 'mdast';
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
import { type Mention, mentionsIn } from '../../anchors/mentions/mentions.ts';
import { addMentions } from './item-details.ts';
import { isNumberedTask, itemsOf, newItem } from './read-items.ts';
import { markdownOfTaskMaster } from './read-task-master.ts';
import { type ItemDraft, statusOf } from './work-item-text.ts';

/** One thing that must be true when the plan is done. */
interface RequirementDraft {
  /** `R1` as written, or nothing. */
  id?: string;
  text: string;
  /** Given/When/Then, each one line. */
  scenarios: string[];
}

/** What a plan says, read from its Markdown. */
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
  const { fields: written, body } = splitFrontMatter(markdownOfTaskMaster(text) ?? text);
  const status = written.status ?? statusAtHead(body);
  const fields: FrontMatter = { ...written, ...(status !== undefined && { status }) };
  const tree = parseMarkdown(body);
  const sections = sectionsOf(tree, body);
  const titled = sections.find(({ depth, title }) => depth === 1 && title !== '')?.title;
  const listed = (kind: SectionKind): string[] => [
    ...new Set(sections.filter((section) => section.kind === kind).flatMap((section) => linesOf(section, body))),
  ];
  const used = new Set<RootContent>();
  const items = fields.todos === undefined ? itemsOf(sections, body, used) : fields.todos.map(itemOfTodo);
  return {
    fields,
    title: fields.title ?? titled ?? sections.find(({ title }) => title !== '')?.title ?? '',
    sections: sections.map(
      ({ nodes, heading: _heading, announced: _announced, isFirstOfKind: _isFirst, ...section }) => ({
        ...section,
        rest: restOf({ kind: section.kind, nodes }, used, body),
      }),
    ),
    requirements: sections
      .filter(({ kind }) => kind === 'requirements')
      .flatMap((section) => requirementsOf(section, body)),
    constraints: listed('constraints'),
    outOfScope: listed('scope'),
    verify: listed('verify'),
    items,
    mentions: fields.todos === undefined ? mentionsIn(tree) : [...mentionsIn(tree), ...mentionsOfTodos(fields.todos)],
  };
}

/** Kinds of sections of which the entries of lists are what counts, or all when they have none. */
const OF_ENTRIES = new Set<SectionKind>(['requirements', 'constraints', 'scope', 'verify']);

function restOf(
  { kind, nodes }: Pick<PlanSection, 'kind' | 'nodes'>,
  used: ReadonlySet<RootContent>,
  body: string,
): string {
  if (kind === 'goal' || kind === 'context') return '';
  const hasList = nodes.some(({ type }) => type === 'list');
  // Without a list the paragraphs are what counts; of requirements only lists do.
  if (OF_ENTRIES.has(kind) && kind !== 'requirements' && !hasList) return '';
  return nodes
    .filter((node) => !used.has(node) && !(OF_ENTRIES.has(kind) && node.type === 'list'))
    .map((node) => sourceOf(node, body))
    .join('\n\n');
}

/** Tasks in the front matter are all the tasks: the text says how, and often lists them again. */
function itemOfTodo({ id, content, status, dependencies }: FrontMatterTodo): ItemDraft {
  const item = newItem(content, statusOf(status));
  addMentions(item, mentionsOfText(content));
  return { ...item, ...(id !== '' && { label: id }), depends: [...item.depends, ...dependencies] };
}

/** What todos name stands before the text, and each beside nothing but itself. */
function mentionsOfTodos(todos: readonly FrontMatterTodo[]): Mention[] {
  return todos.flatMap(({ content }, index) =>
    mentionsOfText(content).map((mention) => ({
      ...mention,
      block: -1 - index,
      offset: mention.offset - LONGEST_PLAN,
    })),
  );
}

/** What a Markdown text names in the code; `PlanTexts` reads it within limits. */
export function mentionsOfText(text: string): Mention[] {
  return mentionsIn(parseMarkdown(text));
}

function parseMarkdown(text: string): Root {
  return unified().use(remarkParse).use(remarkGfm).parse(text);
}

/** Entries of the lists of a section; its paragraphs when it has none. */
function linesOf({ nodes }: PlanSection, body: string): string[] {
  const lists = nodes.filter((node): node is List => node.type === 'list');
  if (lists.length > 0) {
    return lists.flatMap(({ children }) =>
      children.filter((entry) => !isNumberedTask(entry, body)).map((entry) => leadOf(entry, body)),
    );
  }
  return nodes.flatMap((node) => {
    if (node.type === 'code') return node.value.split('\n').filter((line) => line.trim() !== '');
    return [oneLine(sourceOf(node, body))];
  });
}

function requirementsOf({ nodes, title }: PlanSection, body: string): RequirementDraft[] {
  const lists = nodes.filter((node): node is List => node.type === 'list');
  const [, id, name] = /^(R\d+)\b[\s:.)–-]*(.*)$/i.exec(title) ?? [];
  if (id !== undefined) {
    const lines = lists.flatMap(({ children }) => children.map((item) => leadOf(item, body)));
    const prose = nodes.filter(({ type }) => type === 'paragraph').map((node) => oneLine(sourceOf(node, body)));
    const text = [name ?? '', ...prose].filter((part) => part !== '').join('. ');
    return [{ id: id.toUpperCase(), text, scenarios: lines }];
  }
  return lists.flatMap(({ children }) =>
    children.map((item) => {
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
