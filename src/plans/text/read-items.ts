import type { List, ListItem, RootContent } from 'mdast';
import { mentionsIn } from '../../anchors/mentions/mentions.ts';
import { addDetails, addLabel, addMentions } from './item-details.ts';
import { leadOf, oneLine, type PlanSection, sourceOf } from './markdown.ts';
import { BLANK_ITEM, type ItemDraft, type ItemStatus, statusOf } from './work-item-text.ts';

const KEYED = /^(?:\*\*)?(?:task[\s-]+#?|T-?)(\d{1,4})(?!\.\d)(?:\*\*)?(?=[\s:.)\]*–—-]|$)[\s:.)\]*–—-]*(.*)$/is;
/** `1.`, `1.2`, `Task 1.2:`, `Step 3:`. A number alone may be part of a sentence. */
const NUMBERED =
  /^(?:\*\*)?(?:(?:task|step)\s+(\d{1,3}(?:\.\d{1,3})*)(?=[\s:.)*–—-]|$)|(\d{1,3}(?:\.\d{1,3})+)\.?(?=[\s:)*–—-])|(\d{1,3})[.)](?=\s))[\s:.)*–—-]*(.*)$/is;
const PHASE = /^(?:\*\*)?(?:phase|stage|milestone)\s+[\w.]+/i;
const INLINE =
  /\s*\(((?:depends(?: on)?|after|before|blocked by|blocks|estimate|effort|size|assignee|priority)\b[^()]*)\)/gi;
/** Labels of one bracket stand after `;` or a comma; the names of other items may have commas between them too. */
const BETWEEN_LABELS = /;|,(?=\s*(?:depends|after|before|blocked|blocks|estimate|effort|size|assignee|priority)\b)/i;
/** What is said of the state in a heading or an entry: a sign before it, a word in brackets behind it. */
const STATE_SIGN = /^(✅|☑️?|🚧|🔄|⏳)\s*/u;
const STATE_WORD = /\s*[([](completed?|done|in[ -]progress|pending|not started|cancel+ed|dropped)[)\]]\s*$/i;
/** Boxes that Markdown itself does not know. */
const OTHER_BOX = /^\[([~/>-])\]\s/;

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
  const marked = read(sections, { body, used }, { headings: (title) => isHeadingOfTask(title), lists: 'marked' });
  if (marked.length > 0) return marked;
  const numbered = read(
    sections,
    { body, used },
    {
      headings: (title, section) => section.kind === 'tasks' && (NUMBERED.test(title) || isBarePhase(section)),
      lists: 'none',
    },
  );
  if (numbered.length > 0) return numbered;
  const inTasks = sections.filter(({ kind }) => kind === 'tasks').flatMap(({ nodes }) => nodes);
  if (inTasks.some(({ type }) => type === 'list'))
    return read(
      sections,
      { body, used },
      { headings: () => false, lists: inTasks.some(isOrderedList) ? 'ordered' : 'all' },
    );
  return read(sections, { body, used }, { headings: () => false, lists: 'implementation' });
}

interface Form {
  /** Headings that are items. */
  headings: (title: string, section: PlanSection) => boolean;
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
    if (heading !== undefined && section.depth <= heading.depth) heading = undefined;
    if (heading === undefined && section.depth > 0 && form.headings(section.title, section)) {
      const item = newItem(section.title);
      heading = { depth: section.depth, item };
      items.push(item);
    }
    if (heading !== undefined) {
      addDetails(heading.item, section.nodes, body);
      heading.item.status = stateOfSteps(section, heading.item.status);
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

function isHeadingOfTask(title: string): boolean {
  const plain = title.replace(STATE_SIGN, '');
  return KEYED.test(plain) || /^(?:\*\*)?(?:task|step)\s+\d/i.test(plain);
}

/** A phase that says what is done in sentences: otherwise its lists are the work. */
function isBarePhase({ title, nodes }: PlanSection): boolean {
  return PHASE.test(title) && nodes.length > 0 && !nodes.some(({ type }) => type === 'list');
}

function isRead(list: List, { kind }: PlanSection, { lists }: Form): boolean {
  if (lists === 'marked') return list.children.some((entry) => isMarked(entry));
  const isWanted = lists === 'all' || (lists !== 'none' && list.ordered === true);
  return isWanted && kind === (lists === 'implementation' ? 'implementation' : 'tasks');
}

function isMarked(entry: ListItem): boolean {
  return typeof entry.checked === 'boolean' || OTHER_BOX.test(textOf(entry)) || KEYED.test(textOf(entry));
}

function isOrderedList(node: PlanSection['nodes'][number]): boolean {
  return node.type === 'list' && node.ordered === true;
}

/** The items of a list, each with those below it that have a number of their own. */
function readListItems(list: List, { kind }: PlanSection, body: string): ItemDraft[] {
  return list.children.flatMap((entry) => {
    if (kind !== 'tasks' && kind !== 'implementation' && !isMarked(entry)) return [];
    if (NOT_WORK.has(kind) && !isNumberedTask(entry, body)) return [];
    const item = newItem(leadOf(entry, body), boxOf(entry, body));
    const own = entry.children.slice(1).flatMap((node) => (node.type === 'list' ? [splitList(node, body)] : []));
    addDetails(
      item,
      entry.children.slice(1).filter(({ type }) => type !== 'list'),
      body,
    );
    addDetails(
      item,
      own.map(({ details }) => details),
      body,
    );
    addMentions(item, mentionsIn({ type: 'root', children: entry.children.slice(0, 1) }));
    return [
      item,
      ...own.flatMap(({ items }) =>
        items.children.length === 0 ? [] : readListItems(items, { kind } as PlanSection, body),
      ),
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
  return typeof entry.checked === 'boolean' && (KEYED.test(lead) || NUMBERED.test(lead));
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
  if (box === undefined) return 'todo';
  return box === '-' ? 'dropped' : 'doing';
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
