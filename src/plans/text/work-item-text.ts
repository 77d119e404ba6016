import type { List, ListItem, RootContent } from 'mdast';
import { type Mention, mentionOf, mentionsIn } from '../../anchors/mentions/mentions.ts';
import { leadOf, oneLine, type PlanSection, sourceOf } from './markdown.ts';

export const ITEM_STATUSES = ['todo', 'doing', 'done', 'dropped'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];
export const ITEM_PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const;
export type ItemPriority = (typeof ITEM_PRIORITIES)[number];

/** What a work item is, whoever said it: the text of the plan, or a person who edited it. */
export interface ItemFields {
  title: string;
  status: ItemStatus;
  /** Keys of items of the same plan that come before it. */
  depends: string[];
  /** As written: paths that may not exist yet. */
  files: string[];
  /** `Class/method`. */
  symbols: string[];
  /** What must be true when it is done; Given/When/Then or a sentence. */
  acceptance: string[];
  /** As written, for example `2d`; '' without one. */
  estimate: string;
  /** How it is tested; '' when the plan does not say. */
  test: string;
  /** Who works on it, as written: a person or an agent; '' for nobody. */
  assignee: string;
  /** '' without one. */
  priority: ItemPriority | '';
  /** What whoever works on it has to say. */
  notes: string;
}

/** An item of which nothing is said yet. */
export const BLANK_ITEM: ItemFields = {
  title: '',
  status: 'todo',
  depends: [],
  files: [],
  symbols: [],
  acceptance: [],
  estimate: '',
  test: '',
  assignee: '',
  priority: '',
  notes: '',
};

/** A work item of a text. `key` is `T1` when the text gives one. */
export interface ItemDraft extends ItemFields {
  key?: string;
}

const KEYED = /^(?:\*\*)?(?:task\s+#?|T-?)(\d{1,4})(?:\*\*)?(?=[\s:.)\]*–—-]|$)[\s:.)\]*–—-]*(.*)$/is;
const LABEL =
  /^(?:\*\*|_)?(files?|paths?|symbols?|depends(?: on)?|after|blocked by|acceptance(?: criteria)?|accept|done when|estimate|effort|size|status|assignee|priority|tests?)(?:\*\*|_)?\s*:(?:\*\*|_)?\s*(.*)$/is;
const INLINE = /\s*\(((?:depends(?: on)?|after|blocked by|estimate|effort|size|assignee|priority)\b[^()]*)\)/gi;
/** Labels of one bracket stand after `;` or a comma; the names of other items may have commas between them too. */
const BETWEEN_LABELS = /;|,(?=\s*(?:depends|after|blocked|estimate|effort|size|assignee|priority)\b)/i;
const SCENARIO = /^(?:\*\*)?(?:given|when|then|and)\b/i;

/** Kinds of sections whose checkboxes are not work. */
const NOT_WORK = new Set(['requirements', 'constraints', 'scope', 'verify', 'decisions']);

/**
 * Work items of a plan, in its order: checkboxes anywhere but under headings such as Requirements or Out of scope, every
 * list entry under a heading such as Tasks, and headings that begin with `T1` or `Task 1`, whose lists are then their
 * details. Checkboxes below an item are steps of it, and count as its acceptance.
 */
export function itemsOf(sections: readonly PlanSection[], body: string): ItemDraft[] {
  const items: ItemDraft[] = [];
  let heading: { depth: number; item: ItemDraft } | undefined;
  for (const section of sections) {
    if (heading !== undefined && section.depth <= heading.depth) heading = undefined;
    const keyed = heading === undefined ? KEYED.exec(section.title) : null;
    if (keyed !== null) {
      const item = newItem(keyed[2] ?? '', keyed[1]);
      heading = { depth: section.depth, item };
      items.push(item);
    }
    if (heading !== undefined) {
      addDetails(heading.item, section.nodes, body);
      continue;
    }
    if (NOT_WORK.has(section.kind)) continue;
    for (const node of section.nodes)
      if (node.type === 'list') items.push(...listed(node, section.kind === 'tasks', body));
  }
  return items.filter(({ title }) => title !== '');
}

function listed(list: List, isWork: boolean, body: string): ItemDraft[] {
  return list.children.flatMap((entry) => {
    const lead = leadOf(entry, body);
    const keyed = KEYED.exec(lead);
    const isChecked = typeof entry.checked === 'boolean';
    if (!isWork && !isChecked && keyed === null) return [];
    const item = newItem(keyed?.[2] ?? lead, keyed?.[1]);
    if (entry.checked === true) item.status = 'done';
    addDetails(item, entry.children.slice(1), body);
    addMentions(item, mentionsIn({ type: 'root', children: entry.children.slice(0, 1) }));
    return [item];
  });
}

function newItem(lead: string, number?: string): ItemDraft {
  const item: ItemDraft = {
    ...structuredClone(BLANK_ITEM),
    ...(number !== undefined && { key: `T${Number(number)}` }),
  };
  const title = lead.replaceAll(INLINE, (_whole, inside: string) => {
    for (const part of inside.split(BETWEEN_LABELS))
      addLabel(item, (part.includes(':') ? part : part.replace(/\s(?=T?\d)/i, ': ')).trim());
    return '';
  });
  item.title = oneLine(title)
    .replace(/^\[P\]\s*/, '')
    .replaceAll('**', '')
    .trim();
  return item;
}

function addDetails(item: ItemDraft, nodes: readonly RootContent[], body: string): void {
  for (const node of nodes) {
    if (node.type === 'list') for (const entry of node.children) addEntry(item, entry, body);
    if (node.type !== 'paragraph') continue;
    for (const line of sourceOf(node, body).split('\n')) addLabel(item, line.trim());
    addMentions(item, mentionsIn({ type: 'root', children: [node] }));
  }
}

function addEntry(item: ItemDraft, entry: ListItem, body: string): void {
  const lead = leadOf(entry, body);
  const rest = entry.children.slice(1);
  const label = LABEL.exec(lead);
  if (label !== null) {
    const nested = rest.flatMap((node) => (node.type === 'list' ? node.children.map((one) => leadOf(one, body)) : []));
    for (const value of [label[2] ?? '', ...nested]) if (value !== '') addValue(item, label[1] ?? '', value);
  } else if (typeof entry.checked === 'boolean' || SCENARIO.test(lead)) item.acceptance.push(lead);
  addMentions(item, mentionsIn({ type: 'root', children: [entry] }));
}

function addLabel(item: ItemDraft, line: string): void {
  const [, label = '', value = ''] = LABEL.exec(line) ?? [];
  if (label !== '' && value !== '') addValue(item, label, value);
  else if (SCENARIO.test(line)) item.acceptance.push(line);
}

function addValue(item: ItemDraft, label: string, value: string): void {
  const kind = label.toLowerCase();
  if (/^(?:file|path)/.test(kind)) addWords(item, value, 'path');
  else if (kind.startsWith('symbol')) addWords(item, value, 'symbol');
  else if (/^(?:depends|after|blocked)/.test(kind))
    for (const [, number] of value.matchAll(/\b(?:T-?|task\s+)?(\d{1,4})\b/gi))
      addOnce(item.depends, `T${Number(number)}`);
  else if (/^(?:accept|done)/.test(kind)) item.acceptance.push(value);
  else if (/^(?:estimate|effort|size)/.test(kind)) item.estimate = value.slice(0, 40);
  else if (kind === 'status') item.status = statusOf(value) ?? item.status;
  else if (kind === 'assignee') item.assignee = value.slice(0, 80);
  else if (kind === 'priority') item.priority = priorityOf(value);
  else item.test = value.replaceAll('`', '').slice(0, 400);
}

function addWords(item: ItemDraft, value: string, kind: 'path' | 'symbol'): void {
  for (const word of value.split(/[,\s]+/)) {
    const mention = mentionOf(word.replaceAll('`', ''));
    if (mention === undefined) continue;
    if (kind === 'path' && mention.path !== '') addOnce(item.files, mention.path);
    if (kind === 'symbol' && mention.symbol !== '') addOnce(item.symbols, mention.symbol);
  }
}

function addMentions(item: ItemDraft, mentions: readonly Mention[]): void {
  for (const { path, symbol, isCertain } of mentions) {
    if (path !== '') addOnce(item.files, path);
    if (symbol !== '' && isCertain) addOnce(item.symbols, symbol);
  }
}

function statusOf(word: string): ItemStatus | undefined {
  const text = word.trim().toLowerCase();
  if (/^(?:done|closed|complete)/.test(text)) return 'done';
  if (/^(?:doing|in progress|started|active)/.test(text)) return 'doing';
  if (/^(?:dropped|cancel|wont|won't|rejected)/.test(text)) return 'dropped';
  return /^(?:todo|to do|open|planned)/.test(text) ? 'todo' : undefined;
}

/** The words of issue trackers, and `P0` to `P3`. */
function priorityOf(word: string): ItemFields['priority'] {
  const text = word.trim().toLowerCase();
  const [, level] = /^p([0-3])\b/.exec(text) ?? [];
  if (level !== undefined) return ITEM_PRIORITIES[Number(level)] ?? '';
  if (text.startsWith('critical')) return 'urgent';
  return ITEM_PRIORITIES.find((priority) => text.startsWith(priority)) ?? '';
}

function addOnce(list: string[], value: string): void {
  if (!list.includes(value)) list.push(value);
}
