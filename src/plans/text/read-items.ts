import type { List, ListItem, RootContent } from 'mdast';
import { mentionsIn } from '../../anchors/mentions/mentions.ts';
import { readBelowHeading, readEntry } from './item-body.ts';
import { addDetails, addLines, addMentions } from './item-details.ts';
import {
  boxOf,
  isMarked,
  isNumbered,
  isNumberedEntry,
  isStepHeading,
  isSubtask,
  isTaskAnywhere,
  newItem,
  withoutState,
} from './item-lead.ts';
import { leadOf, PHASE_HEADING, type PlanSection, TASK_HEADING } from './markdown.ts';
import { readTable } from './read-table.ts';
import type { ItemDraft, ItemStatus, Span } from './work-item-text.ts';

/** Headings of phases that are written as sentences: `Phase one`. */
const PHASE = /^(?:\*\*)?(?:phase|stage|milestone)\s+[\w.]+/i;

/** Kinds of sections whose headings are no steps, numbered as they may be. */
const NO_STEP = new Set([
  'goal',
  'context',
  'requirements',
  'constraints',
  'notes',
  'flow',
  'scope',
  'verify',
  'decisions',
]);

/** Kinds of sections whose checkboxes are not work, unless they are numbered as tasks are. */
const NOT_WORK = new Set(['requirements', 'constraints', 'scope', 'verify', 'decisions', 'notes']);

/** A plan that is being read. */
interface Reading {
  sections: readonly PlanSection[];
  body: string;
  /** Nodes and entries of lists that were read as work. */
  used: Set<RootContent | ListItem>;
  /** Sections with numbered tasks; where there are any, checkboxes elsewhere that have no number are none. */
  numbered: ReadonlySet<PlanSection>;
}

/**
 * Work items of a plan, in its order. Where the text marks them, only what is marked is one: headings such as `Task 1` and
 * `Step 1`, checkboxes, and entries and rows of tables with an id such as `T1`; else numbered headings, the rows of tables
 * and the entries of lists under a heading such as Tasks, the numbered ones before others. Checkboxes below an item are
 * steps of it and count as its acceptance; those whose number continues that of the item (`1.2` below `1`) are items.
 *
 * @param used takes up what was read.
 */
export function itemsOf(
  sections: readonly PlanSection[],
  body: string,
  used: Set<RootContent | ListItem>,
): ItemDraft[] {
  const numbered = new Set(sections.filter(({ nodes }) => nodes.some((node) => hasNumbered(node, body))));
  for (const form of formsOf(sections, body)) {
    const items = read({ sections, body, used, numbered }, form);
    if (items.length > 0) return items;
  }
  return [];
}

/** Returns the possible forms of the items, the surest first. */
function formsOf(sections: readonly PlanSection[], body: string): Form[] {
  const hasTasks = sections.some(({ title }) => TASK_HEADING.test(withoutState(title)));
  const inTasks = sections.filter(({ kind }) => kind === 'tasks').flatMap(({ nodes }) => nodes);
  const hasBarePhase = sections.some((section) => section.kind === 'tasks' && isBarePhase(section));
  const depth = depthOfSteps(sections, body);
  return [
    // Steps beside tasks are steps of them.
    {
      headings: (section) => (hasTasks ? TASK_HEADING.test(withoutState(section.title)) : isStepSection(section)),
      isStep: (section) => hasTasks && isStepSection(section),
      lists: 'marked',
    },
    {
      headings: ({ title, kind, isFirstOfKind }) =>
        kind === 'tasks' && !isFirstOfKind && (isNumbered(title) || (hasBarePhase && PHASE.test(title))),
      lists: 'none',
    },
    { headings: () => false, lists: 'tables' },
    { headings: () => false, lists: inTasks.some(isOrderedList) ? 'ordered' : 'all' },
    { headings: (section) => section.depth === depth && isStep(section), lists: 'none' },
    { headings: () => false, lists: 'implementation' },
  ];
}

/** Headings such as `Step 2: Send the mail`. */
function isStepSection({ title, kind }: PlanSection): boolean {
  return isStepHeading(withoutState(title)) && !NO_STEP.has(kind);
}

/** Headings such as `2. Send the mail` or `Phase 2`, wherever they stand. */
function isStep({ title, kind, depth }: PlanSection): boolean {
  return depth > 1 && (PHASE.test(title) || isNumbered(title)) && !NO_STEP.has(kind);
}

/**
 * The depth of headings that number the steps of a plan: phases, or numbers of which at least half name files. Chapters
 * of a text may be numbered too, but say what is.
 */
function depthOfSteps(sections: readonly PlanSection[], body: string): number | undefined {
  const byDepth = Map.groupBy(sections.filter(isStep), ({ depth }) => depth);
  const [first] = [...byDepth].toSorted(([left], [right]) => left - right);
  if (first === undefined) return undefined;
  const [depth, steps] = first;
  if (steps.length < 2) return undefined;
  if (steps.every(({ title }) => PHASE.test(title))) return depth;
  const withFiles = steps.filter((step) => namesFile(wholeStep(sections, step), body));
  return withFiles.length * 2 >= steps.length ? depth : undefined;
}

/** A section with those below it. */
function wholeStep(sections: readonly PlanSection[], step: PlanSection): PlanSection[] {
  const rest = sections.slice(sections.indexOf(step) + 1);
  const end = rest.findIndex(({ depth }) => depth <= step.depth);
  return [step, ...rest.slice(0, end < 0 ? rest.length : end)];
}

function namesFile(sections: readonly PlanSection[], body: string): boolean {
  const item = newItem('');
  for (const section of sections) addHeaded(item, section, body);
  return item.files.length > 0;
}

interface Form {
  /** Headings that are items. */
  headings: (section: PlanSection) => boolean;
  /** Headings that belong to the item before them, however deep they are. */
  isStep?: (section: PlanSection) => boolean;
  /**
   * Lists whose entries are items: of `marked` those with a checkbox or an id, of the others those under such a heading.
   * `tables` are those under such a heading; with ids they are read where marks are.
   */
  lists: 'marked' | 'none' | 'tables' | 'ordered' | 'all' | 'implementation';
}

function read(reading: Reading, form: Form): ItemDraft[] {
  const items: ItemDraft[] = [];
  const isNumberedPlan = reading.numbered.size > 0 || reading.sections.some(form.headings);
  let heading: { depth: number; item: ItemDraft; sections: PlanSection[] } | undefined;
  for (const section of reading.sections) {
    const isStepOf = heading !== undefined && form.isStep?.(section) === true;
    if (heading !== undefined && section.depth <= heading.depth && !isStepOf) heading = undefined;
    if (heading === undefined && section.depth > 0 && form.headings(section)) {
      const item = { ...newItem(section.title), headings: section.headings.slice(0, -1) };
      heading = { depth: section.depth, item, sections: [] };
      items.push(item);
    }
    if (heading === undefined) items.push(...readNodes(section, items, { ...reading, form, isNumberedPlan }));
    else addSection(heading, section, reading);
  }
  return withoutRepeats(items).filter(({ title }) => title !== '');
}

/** Adds a section to the item whose heading stands above it. */
function addSection(
  { item, depth, sections }: { item: ItemDraft; depth: number; sections: PlanSection[] },
  section: PlanSection,
  { body, used }: Reading,
): void {
  sections.push(section);
  for (const node of section.nodes) used.add(node);
  const start = endOf(sections[0]?.heading);
  const end = endOf(section.nodes.at(-1) ?? section.heading);
  item.body = readBelowHeading(body.slice(start, end));
  if (section.depth > depth && isOfPlan(section)) return;
  addHeaded(item, section, body);
  item.spans = [...item.spans, { start: section.heading?.position?.start.offset ?? start, end }];
}

function endOf(node: RootContent | undefined): number {
  return node?.position?.end.offset ?? 0;
}

/** Constraints and decisions hold for the whole plan, also where they stand below an item. */
function isOfPlan({ announced }: PlanSection): boolean {
  return announced === 'constraints' || announced === 'decisions';
}

/** Adds what a heading and the text below it say. */
function addHeaded(item: ItemDraft, section: PlanSection, body: string): void {
  const before = item.status;
  if (section.heading !== undefined) addMentions(item, mentionsIn({ type: 'root', children: [section.heading] }));
  addDetails(item, section.nodes, body);
  // A status that is written counts for more than the boxes of the steps.
  if (item.status === before) item.status = stateOfSteps(section, before);
}

/** A phase that says what is done in sentences: otherwise its lists are the work. */
function isBarePhase({ title, nodes }: PlanSection): boolean {
  return PHASE.test(title) && nodes.length > 0 && !nodes.some(({ type }) => type === 'list');
}

interface NodeReading extends Reading {
  form: Form;
  isNumberedPlan: boolean;
}

/** The items of the lists and tables right below a heading. */
function readNodes(section: PlanSection, before: readonly ItemDraft[], reading: NodeReading): ItemDraft[] {
  const { lists } = reading.form;
  const drafts: ItemDraft[] = [];
  for (const node of section.nodes) {
    if (node.type === 'table' && (lists === 'marked' || (lists === 'tables' && section.kind === 'tasks'))) {
      const rows = readTable(node, section, { body: reading.body, isMarked: lists === 'marked' });
      if (rows.length > 0) reading.used.add(node);
      drafts.push(...rows);
    } else if (node.type === 'list' && isRead(node, section, lists)) {
      const last = [...before, ...drafts].findLast(({ label }) => /^\d+$/.test(label))?.label ?? '';
      drafts.push(...readList(node, { section, headings: section.headings, last }, reading));
    }
  }
  return drafts;
}

function isRead(list: List, { kind, isFirstOfKind }: PlanSection, lists: Form['lists']): boolean {
  if (lists === 'marked') return list.children.some((entry) => isMarked(entry) || isGroup(entry, list, kind));
  if (lists === 'implementation') return list.ordered === true && kind === 'implementation' && isFirstOfKind;
  return kind === 'tasks' && (lists === 'all' || (lists === 'ordered' && list.ordered === true));
}

/**
 * An entry without a mark that has marked ones below it: a heading of them. Numbered entries of a list of tasks are tasks,
 * and boxes below them their steps.
 */
function isGroup(entry: ListItem, list: List, kind: PlanSection['kind']): boolean {
  if (isMarked(entry) || (list.ordered === true && (kind === 'tasks' || kind === 'implementation'))) return false;
  return listsOf(entry).some((below) => below.children.some((child) => isMarked(child) || isGroup(child, below, kind)));
}

function listsOf(entry: ListItem): List[] {
  return entry.children.filter((node) => node.type === 'list');
}

function isOrderedList(node: PlanSection['nodes'][number]): boolean {
  return node.type === 'list' && node.ordered === true;
}

function hasNumbered(node: RootContent, body: string): boolean {
  if (node.type !== 'list') return false;
  return node.children.some(
    (entry) => isNumberedEntry(entry, body) || listsOf(entry).some((below) => hasNumbered(below, body)),
  );
}

interface ListPlace {
  section: PlanSection;
  headings: readonly string[];
  /** The number of the last numbered item before. */
  last: string;
}

/** The items of a list, each with those below it. */
function readList(list: List, place: ListPlace, reading: NodeReading): ItemDraft[] {
  const { section, headings } = place;
  const { body, used } = reading;
  let { last } = place;
  return list.children.flatMap((entry) => {
    if (isGroup(entry, list, section.kind)) {
      const group = { ...place, last, headings: [...headings, leadOf(entry, body).replaceAll('**', '')] };
      used.add(entry);
      return listsOf(entry).flatMap((below) => readList(below, group, reading));
    }
    if (!isWork(entry, { ...place, last }, reading)) return [];
    used.add(entry);
    const drafts = readItem(entry, headings, body);
    if (/^\d+$/.test(drafts[0]?.label ?? '')) last = drafts[0]?.label ?? last;
    return drafts;
  });
}

function isWork(entry: ListItem, { section, last }: ListPlace, reading: NodeReading): boolean {
  const { body, numbered, isNumberedPlan, form } = reading;
  const { kind, headings } = section;
  if (NOT_WORK.has(kind)) return isTaskAnywhere(entry, body, last);
  const isInTasks = kind === 'tasks' || kind === 'implementation';
  if (isInTasks) return true;
  if (!isMarked(entry)) return false;
  // Where tasks are numbered, a checklist without numbers is about something else.
  const isAmongTasks =
    numbered.has(section) || headings.some((heading) => isNumbered(heading) || PHASE_HEADING.test(heading));
  return form.lists !== 'marked' || !isNumberedPlan || isAmongTasks;
}

/** The item of an entry, then those below it. */
function readItem(entry: ListItem, headings: readonly string[], body: string): ItemDraft[] {
  const { key, label } = newItem(leadOf(entry, body));
  const isOther = (below: ListItem): boolean => isSubtask(below, { ...(key !== undefined && { key }), label }, body);
  const text = readEntry(entry, body, isOther);
  const item = { ...newItem(text.lead, boxOf(entry, body)), headings, body: text.body, spans: text.spans };
  const lists = listsOf(entry);
  const others = entry.children.slice(1).filter(({ type }) => type !== 'list');
  if (text.continued !== '') addLines(item, text.continued);
  addDetails(item, others, body);
  addDetails(
    item,
    lists.map((list) => ({ ...list, children: list.children.filter((below) => !isOther(below)) })),
    body,
  );
  addMentions(item, mentionsIn({ type: 'root', children: entry.children.slice(0, 1) }));
  const below = lists.flatMap((list) => list.children.filter(isOther));
  return [item, ...below.flatMap((child) => readItem(child, headings, body))];
}

/** Tables often list again what is a task elsewhere: what has a number that was there before is left out. */
function withoutRepeats(items: readonly ItemDraft[]): ItemDraft[] {
  const labels = new Set(items.filter(({ isRow }) => isRow !== true).flatMap(({ key = '', label }) => [key, label]));
  labels.delete('');
  return items.filter(({ isRow, key = '', label }) => isRow !== true || !(labels.has(key) || labels.has(label)));
}

/** A task whose steps are all checked is done; when some are, it is begun. */
function stateOfSteps({ nodes }: PlanSection, status: ItemStatus): ItemStatus {
  const boxes = nodes.flatMap((node) =>
    node.type === 'list' ? node.children.flatMap(({ checked }) => (typeof checked === 'boolean' ? [checked] : [])) : [],
  );
  if (status === 'dropped' || boxes.length === 0 || !boxes.includes(true)) return status;
  return boxes.includes(false) || status === 'doing' ? 'doing' : 'done';
}

/** True if an offset is in one of these parts of the text, which hold what an item names. */
export function isWithin(offset: number, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => offset >= start && offset < end);
}
