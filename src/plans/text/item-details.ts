import type { ListItem, RootContent } from 'mdast';
import { type Mention, mentionOf, mentionsIn } from '../../anchors/mentions/mentions.ts';
import { leadOf, sourceOf } from './markdown.ts';
import { type ItemDraft, priorityOf, statusOf } from './work-item-text.ts';

const WORDS =
  'files?(?: (?:to (?:create|modify|change|edit)|modified|changed|affected|touched))?|paths?|location|create|modify|update|edit|delete|symbols?|functions?|depends(?: on)?|dependenc(?:y|ies)|after|before|blocks|blocked by|prerequisites?|acceptance(?: criteria)?|accept|success criteria|done when|definition of done|estimate|effort|size|status|assignee|owner|priority|tests?|test(?:ing)? strategy|testing|verify|verification|run|notes?';
const LABEL = new RegExp(String.raw`^(?:\*\*|__|_|\*)?(${WORDS})(?:\*\*|__|_|\*)?\s*:(?:\*\*|__|_|\*)?\s*(.*)$`, 'is');
/** Labels that are plain verbs too: they are ones only where a path follows. */
const OF_PATHS = /^(?:location|create|modify|update|edit|delete)$/;
const SCENARIO = /^(?:\*\*)?(?:given|when|then|and)\b/i;
/** The outcome without which lines that begin with When or And are no scenario. */
const OUTCOME = /(?:^|[,;:*-])\s*(?:\*\*)?then\b/im;
const BULLET = /^\s*(?:[-*+]|\d+[.)])\s+/;
/** Names of other items: `T1`, `T1-T3`, `Task 2`, `1.2`, `3`. `#12` is an issue. */
const ITEM_NAME =
  /(?<![#\w.])(?:T-?(\d{1,4})(?:\s*(?:-|–|to|\.\.)\s*T-?(\d{1,4}))?|(?:(?:task|step)[\s-]+#?)?(\d{1,4}(?:\.\d{1,3})*))(?![\w])/gi;
const MOST_OF_A_RANGE = 100;

/** Adds to an item what stands below it: labels, scenarios, checkboxes as acceptance, and the code that it names. */
export function addDetails(item: ItemDraft, nodes: readonly RootContent[], body: string): void {
  let open = '';
  const before = item.acceptance.length;
  for (const node of nodes) {
    if (node.type === 'list') {
      for (const entry of node.children) addEntry(item, entry, body, open);
      open = '';
    } else if (node.type === 'paragraph') {
      open = addLines(item, sourceOf(node, body));
      addMentions(item, mentionsIn({ type: 'root', children: [node] }));
    }
  }
  const sources = nodes.map((node) => sourceOf(node, body));
  if (sources.some((source) => OUTCOME.test(source))) return;
  // "When an order is changed, look up its mail" is a step of the work.
  const lines = new Set(sources.flatMap((source) => source.split('\n').map((line) => line.replace(BULLET, '').trim())));
  const added = item.acceptance.splice(before);
  item.acceptance.push(...added.filter((line) => !SCENARIO.test(line) || !lines.has(line)));
}

/** Takes each line as `addLabel` does. @returns the label that the last line leaves open. */
export function addLines(item: ItemDraft, text: string): string {
  let open = '';
  for (const line of text.split('\n')) open = addLabel(item, line.trim());
  return open;
}

/** True if a line is a label, with or without its value. */
export function isLabel(line: string): boolean {
  return LABEL.test(line.trim());
}

/**
 * Takes a line as `Label: value`, or as a line of a scenario.
 *
 * @returns the label when no value follows it: what comes next is its value.
 */
export function addLabel(item: ItemDraft, line: string): string {
  const [, label = '', value = ''] = LABEL.exec(line) ?? [];
  if (label !== '' && value === '') return OF_PATHS.test(label.toLowerCase()) ? '' : label;
  if (label !== '') addValue(item, label, value);
  else if (SCENARIO.test(line)) item.acceptance.push(line);
  return '';
}

/** Adds what Markdown names in the code. */
export function addMentions(item: ItemDraft, mentions: readonly Mention[]): void {
  for (const { path, symbol, isCertain } of mentions) {
    if (path !== '') addOnce(item.files, path);
    if (symbol !== '' && isCertain) addOnce(item.symbols, symbol);
  }
}

function addEntry(item: ItemDraft, entry: ListItem, body: string, label: string): void {
  const lead = leadOf(entry, body);
  const [, own, value = ''] = LABEL.exec(lead) ?? [];
  const nested = entry.children
    .slice(1)
    .flatMap((node) => (node.type === 'list' ? node.children.map((child) => leadOf(child, body)) : []));
  if (/^file/i.test(label)) addWords(item, own === undefined ? lead : value, 'path');
  else if (own !== undefined) for (const text of [value, ...nested]) addValue(item, own, text);
  else if (label !== '') addValue(item, label, lead);
  else if (typeof entry.checked === 'boolean' || SCENARIO.test(lead)) item.acceptance.push(lead);
  addMentions(item, mentionsIn({ type: 'root', children: [entry] }));
}

function addValue(item: ItemDraft, label: string, value: string): void {
  const kind = label.toLowerCase();
  if (value === '') return;
  if (/^(?:file|path)/.test(kind) || OF_PATHS.test(kind)) addWords(item, value, 'path');
  else if (/^(?:symbol|function)/.test(kind)) addWords(item, value, 'symbol');
  else if (/^(?:depend|after|blocked|prerequisite)/.test(kind))
    for (const name of itemNames(value)) addOnce(item.depends, name);
  else if (/^(?:before|blocks)/.test(kind)) item.before = [...(item.before ?? []), ...itemNames(value)];
  else if (/^(?:accept|done|success|definition)/.test(kind)) item.acceptance.push(value);
  else if (/^(?:estimate|effort|size)/.test(kind)) item.estimate = value.slice(0, 40);
  else if (kind === 'status') item.status = statusOf(value) ?? item.status;
  else if (/^(?:assignee|owner)/.test(kind)) item.assignee = value.slice(0, 80);
  else if (kind === 'priority') item.priority = priorityOf(value);
  else if (kind.startsWith('note')) item.notes = [item.notes, value].filter((part) => part !== '').join('\n');
  // Of `Verify: all is green` nothing can be run.
  else if (/^(?:verif|run)/.test(kind) && !value.includes('`')) item.acceptance.push(value);
  else if (item.test === '' || kind.startsWith('test')) item.test = value.replaceAll('`', '');
}

/** Keys (`T1`) and other names of items that a text names. */
function itemNames(text: string): string[] {
  return [...text.matchAll(ITEM_NAME)].flatMap(([, key, last, number = '']) => {
    if (key === undefined) return number.includes('.') ? [number] : [`T${Number(number)}`];
    const [from, to] = [Number(key), Math.min(Number(last ?? key), Number(key) + MOST_OF_A_RANGE)];
    return Array.from({ length: Math.max(1, to - from + 1) }, (_, index) => `T${from + index}`);
  });
}

/** With back-quotes only what stands in them is meant; else each part between commas and spaces. */
function addWords(item: ItemDraft, value: string, kind: 'path' | 'symbol'): void {
  const quoted = [...value.matchAll(/`([^`]+)`/g)].flatMap(([, inside = '']) => inside.split(/,\s*/));
  for (const word of quoted.length > 0 ? quoted : value.split(/[,\s]+/)) {
    const mention = mentionOf(word.trim().replace(/\s.*$/s, ''));
    if (mention === undefined) continue;
    if (kind === 'path' && mention.path !== '') addOnce(item.files, mention.path);
    if (kind === 'symbol' && mention.symbol !== '') addOnce(item.symbols, mention.symbol);
  }
}

function addOnce(list: string[], value: string): void {
  if (!list.includes(value)) list.push(value);
}
