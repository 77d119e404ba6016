import type { List, ListItem, RootContent } from 'mdast';
import { mentionsIn } from '../../anchors/mentions/mentions.ts';
import { addDetails, addLabel, addMentions } from './item-details.ts';
import { leadOf, oneLine, type PlanSection, sourceOf, TASK_HEADING } from './markdown.ts';
import { BLANK_ITEM, type ItemDraft, type ItemStatus, statusOf } from './work-item-text.ts';

const KEYED = /^(?:\*\*)?(?:task[\s-]+#?|T-?)(\d{1,4})(?!\.\d)(?:\*\*)?(?=[\s:.)\]*–—-]|$)[\s:.)\]*–—-]*(.*)$/is;
/** `1.`, `1.2`, `Task 1.2:`, `Step 3:`. A number alone may be part of a sentence. */
const NUMBERED =
  /^(?:\*\*)?(?:(?:task|step|id)\s+(\d{1,3}(?:\.\d{1,3})*)(?=[\s:.)*–—-]|$)|(\d{1,3}(?:\.\d{1,3})+)\.?(?=[\s:)*–—-])|(\d{1,3})[.)](?=\s))[\s:.)*–—-]*(.*)$/is;
const STEP_HEADING = /^(?:\*\*)?step\s+\d/i;
const PHASE = /^(?:\*\*)?(?:phase|stage|milestone)\s+[\w.]+/i;
const INLINE =
  /\s*\(((?:depends(?: on)?|after|before|blocked by|blocks|estimate|effort|size|assignee|priority)\b[^()]*)\)/gi;
/** Labels of one bracket stand after `;` or a comma; the names of other items may have commas between them too. */
const BETWEEN_LABELS = /;|,(?=\s*(?:depends|after|before|blocked|blocks|estimate|effort|size|assignee|priority)\b)/i;
/** What is said of the state in a heading or an entry: a sign before it, a word in brackets behind it. */
const STATE_SIGN = /^(✅|☑️?|🚧|🔄|⏳)\s*/u;
const STATE_WORD = /\s*[([](completed?|done|in[ -]progress|pending|not started|cancel+ed|dropped)[)\]]\s*$/i;
/** Boxes that Markdown itself does not know; a star behind one says that the task is optional. */
const OTHER_BOX = /^\[([ xX~/>-]|✅|🚧|🔄|⏳)\]\*?\s/u;

/** Kinds of sections whose headings are no steps, numbered as they may be. */
const NO_STEP = new Set(['goal', 'context', 'requirements', 'constraints', 'notes', 'scope', 'verify', 'decisions']);

/** Kinds of sections whose checkboxes are not work, unless they have a number or an id as tasks have. */
const NOT_WORK = new Set(['requirements', 'constraints', 'scope', 'verify', 'decisions', 'notes']);

/**
 * Work items of a plan, in its order. Where the text marks them, only what is marked is one: headings such as `Task 1` and
 * `Step 1`, checkboxes, and entries that begin with `T1`; else numbered headings and the entries of lists under a heading
 * such as Tasks, the numbered ones before others. Checkboxes below an item are steps of it and count as its acceptance;
 * those with a number of their own (`1.2`) are items.
 *
 * @param used takes up the lists that were read.
 */
export function itemsOf(sections: readonly PlanSection[], body: string, used: Set<RootContent>): ItemDraft[] {
  for (const form of formsOf(sections, body)) {
    const items = read(sections, { body, used }, form);
    if (items.length > 0) return items;
  }
  return [];
}

/** How the items may be written, the surest way first. */
function formsOf(sections: readonly PlanSection[], body: string): Form[] {
  const hasTasks = sections.some(({ title }) => TASK_HEADING.test(plainLead(title)));
  const inTasks = sections.filter(({ kind }) => kind === 'tasks').flatMap(({ nodes }) => nodes);
  const hasBarePhase = sections.some((section) => section.kind === 'tasks' && isBarePhase(section));
  const depth = depthOfSteps(sections, body);
  return [
    // Steps beside tasks are steps of them.
    {
      headings: ({ title }) => (hasTasks ? TASK_HEADING : STEP_HEADING).test(plainLead(title)),
      isStep: ({ title }) => hasTasks && STEP_HEADING.test(plainLead(title)),
      lists: 'marked',
    },
    {
      headings: ({ title, kind, isFirstOfKind }) =>
        kind === 'tasks' && !isFirstOfKind && (NUMBERED.test(title) || (hasBarePhase && PHASE.test(title))),
      lists: 'none',
    },
    { headings: () => false, lists: inTasks.some(isOrderedList) ? 'ordered' : 'all' },
    { headings: (section) => section.depth === depth && isStep(section), lists: 'none' },
    { headings: () => false, lists: 'implementation' },
  ];
}

/** Headings such as `2. Send the mail` or `Phase 2`, wherever they stand. */
function isStep({ title, kind, depth }: PlanSection): boolean {
  return depth > 1 && (PHASE.test(title) || NUMBERED.test(title)) && !NO_STEP.has(kind);
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
  /** Lists whose entries are items: of `marked` those with a checkbox or an id, of the others those under such a heading. */
  lists: 'marked' | 'none' | 'ordered' | 'all' | 'implementation';
}

function read(
  sections: readonly PlanSection[],
  { body, used }: { body: string; used: Set<RootContent> },
  form: Form,
): ItemDraft[] {
  const items: ItemDraft[] = [];
  let heading: { depth: number; item: ItemDraft } | undefined;
  for (const section of sections) {
    const isStepOf = heading !== undefined && form.isStep?.(section) === true;
    if (heading !== undefined && section.depth <= heading.depth && !isStepOf) heading = undefined;
    if (heading === undefined && section.depth > 0 && form.headings(section)) {
      const item = newItem(section.title);
      heading = { depth: section.depth, item };
      items.push(item);
    }
    if (heading !== undefined) {
      if (section.depth <= heading.depth || !isOfPlan(section)) addHeaded(heading.item, section, body);
      continue;
    }
    for (const node of section.nodes) {
      if (node.type !== 'list' || !isRead(node, section, form)) continue;
      const found = readListItems(node, section, body);
      if (found.length > 0) used.add(node);
      items.push(...found);
    }
  }
  return items.filter(({ title }) => title !== '');
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

function plainLead(title: string): string {
  return title.replace(STATE_SIGN, '');
}

/** A phase that says what is done in sentences: otherwise its lists are the work. */
function isBarePhase({ title, nodes }: PlanSection): boolean {
  return PHASE.test(title) && nodes.length > 0 && !nodes.some(({ type }) => type === 'list');
}

function isRead(list: List, { kind, isFirstOfKind }: PlanSection, { lists }: Form): boolean {
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

function isMarked(entry: ListItem): boolean {
  return hasBox(entry) || KEYED.test(textOf(entry));
}

function hasBox(entry: ListItem): boolean {
  return typeof entry.checked === 'boolean' || OTHER_BOX.test(textOf(entry));
}

function isOrderedList(node: PlanSection['nodes'][number]): boolean {
  return node.type === 'list' && node.ordered === true;
}

/** The items of a list, each with those below it that have a number of their own. */
function readListItems(list: List, { kind }: Pick<PlanSection, 'kind'>, body: string): ItemDraft[] {
  return list.children.flatMap((entry) => {
    if (isGroup(entry, list, kind)) return listsOf(entry).flatMap((below) => readListItems(below, { kind }, body));
    if (kind !== 'tasks' && kind !== 'implementation' && !isMarked(entry)) return [];
    if (NOT_WORK.has(kind) && !isNumberedTask(entry, body)) return [];
    const item = newItem(leadOf(entry, body), boxOf(entry, body));
    const own = entry.children.slice(1).flatMap((node) => (node.type === 'list' ? [splitList(node, body)] : []));
    const others = entry.children.slice(1).filter(({ type }) => type !== 'list');
    item.details.push(...addDetails(item, others, body));
    item.details.push(
      ...addDetails(
        item,
        own.map(({ details }) => details),
        body,
      ),
    );
    addMentions(item, mentionsIn({ type: 'root', children: entry.children.slice(0, 1) }));
    return [
      item,
      ...own.flatMap(({ items }) => (items.children.length === 0 ? [] : readListItems(items, { kind }, body))),
    ];
  });
}

/** A nested list as what belongs to its item, and what are items themselves. */
function splitList(list: List, body: string): { details: List; items: List } {
  return {
    details: { ...list, children: list.children.filter((entry) => !isNumberedTask(entry, body)) },
    items: { ...list, children: list.children.filter((entry) => isNumberedTask(entry, body)) },
  };
}

/** A checkbox with a number or an id is a task wherever it stands. */
export function isNumberedTask(entry: ListItem, body: string): boolean {
  const lead = leadOf(entry, body);
  return hasBox(entry) && (KEYED.test(lead) || NUMBERED.test(lead));
}

/** An item from how a heading or an entry begins. */
export function newItem(lead: string, status: ItemStatus = 'todo'): ItemDraft {
  const [, sign = ''] = STATE_SIGN.exec(lead) ?? [];
  const [, word = ''] = STATE_WORD.exec(lead) ?? [];
  const plain = lead.replace(STATE_SIGN, '').replace(STATE_WORD, '');
  const [, stepped, dotted, counted, rest = plain] = NUMBERED.exec(plain) ?? [];
  const label = stepped ?? dotted ?? counted;
  // An own id may follow the number: `1.1 T3: …`.
  const [, key, title = rest] = KEYED.exec(stepped === undefined ? rest : plain) ?? [];
  const item: ItemDraft = {
    ...structuredClone(BLANK_ITEM),
    status: statusOf(sign) ?? statusOf(word) ?? status,
    ...(key !== undefined && { key: `T${Number(key)}` }),
    ...(label !== undefined && { label }),
  };
  item.title = titleOf(item, title);
  return item;
}

/** What remains of a lead without the labels in its brackets. */
function titleOf(item: ItemDraft, lead: string): string {
  const title = lead.replaceAll(INLINE, (_whole, inside: string) => {
    for (const part of inside.split(BETWEEN_LABELS))
      addLabel(item, (part.includes(':') ? part : part.replace(/\s(?=T?\d)/i, ': ')).trim());
    return '';
  });
  return oneLine(title)
    .replace(/^\[P\]\s*/, '')
    .replaceAll('**', '')
    .trim();
}

function boxOf(entry: ListItem, body: string): ItemStatus {
  if (entry.checked === true) return 'done';
  const [first] = entry.children;
  const [, box] = OTHER_BOX.exec(first === undefined ? '' : sourceOf(first, body)) ?? [];
  if (box === undefined || box === ' ') return 'todo';
  if (box === '-') return 'dropped';
  return statusOf(box.toLowerCase()) ?? 'doing';
}

/** A task whose steps are all checked is done; when some are, it is begun. */
function stateOfSteps({ nodes }: PlanSection, status: ItemStatus): ItemStatus {
  const boxes = nodes.flatMap((node) =>
    node.type === 'list' ? node.children.flatMap(({ checked }) => (typeof checked === 'boolean' ? [checked] : [])) : [],
  );
  if (status === 'dropped' || boxes.length === 0 || !boxes.includes(true)) return status;
  return boxes.includes(false) || status === 'doing' ? 'doing' : 'done';
}

function textOf(entry: ListItem): string {
  const [first] = entry.children;
  const [inner] = first?.type === 'paragraph' ? first.children : [];
  if (inner?.type === 'text') return inner.value;
  return inner?.type === 'strong' && inner.children[0]?.type === 'text' ? inner.children[0].value : '';
}
