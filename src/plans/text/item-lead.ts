import type { ListItem } from 'mdast';
import { addLabel } from './item-details.ts';
import { leadOf, oneLine, sourceOf } from './markdown.ts';
import { blankDraft, type ItemDraft, type ItemStatus, statusOf } from './work-item-text.ts';

const KEYED = /^(?:\*\*)?(task[\s-]+#?|T-?)(\d{1,4})(?!\.\d)(?:\*\*)?(?=[\s:.)\]*–—-]|$)[\s:.)\]*–—-]*(.*)$/is;
/** `1.`, `1.2`, `Task 1.2:`, `Step 3:`. A number alone may be part of a sentence. */
const NUMBERED =
  /^(?:\*\*)?(?:(?:task|step|id)\s+(\d{1,3}(?:\.\d{1,3})*)(?=[\s:.)*–—-]|$)|(\d{1,3}(?:\.\d{1,3})+)\.?(?=[\s:)*–—-])|(\d{1,3})[.)](?=\s))[\s:.)*–—-]*(.*)$/is;
const STEP = /^(?:\*\*)?step\s+\d/i;
const INLINE =
  /\s*\(((?:depends(?: on)?|after|before|blocked by|blocks|estimate|effort|size|assignee|priority)\b[^()]*)\)/gi;
/** Labels of one bracket stand after `;` or a comma; the names of other items may have commas between them too. */
const BETWEEN_LABELS = /;|,(?=\s*(?:depends|after|before|blocked|blocks|estimate|effort|size|assignee|priority)\b)/i;
/** State in a heading or an entry: a sign before it, a word in brackets behind it. */
const STATE_SIGN = /^(✅|☑️?|🚧|🔄|⏳)\s*/u;
const STATE_WORD = /\s*[([](completed?|done|doing|in[ -]progress|pending|not started|cancel+ed|dropped)[)\]]\s*$/i;
/** Boxes that Markdown itself does not know; a star behind one says that the task is optional. */
const OTHER_BOX = /^\[([ xX~/>-]|✅|🚧|🔄|⏳)\]\*?\s/u;

/** An item from how a heading or an entry begins. */
export function newItem(lead: string, status: ItemStatus = 'todo'): ItemDraft {
  const [, sign = ''] = STATE_SIGN.exec(lead) ?? [];
  const [, word = ''] = STATE_WORD.exec(lead) ?? [];
  const plain = withoutState(lead);
  const [, stepped, dotted, counted, rest = plain] = NUMBERED.exec(plain) ?? [];
  const number = stepped ?? dotted ?? counted;
  // An own id may follow the number: `1.1 T3: …`.
  const [, prefix = '', key, title = rest] = KEYED.exec(stepped === undefined ? rest : plain) ?? [];
  const item: ItemDraft = {
    ...blankDraft(),
    status: statusOf(sign) ?? statusOf(word) ?? status,
    ...(key !== undefined && { key: `T${Number(key)}` }),
    label: number ?? (key === undefined ? '' : `${/\s$/.test(prefix) ? '' : prefix}${key}`),
  };
  item.title = titleOf(item, title);
  return item;
}

/** A lead without the signs and words that say how far the work is. */
export function withoutState(lead: string): string {
  return lead.replace(STATE_SIGN, '').replace(STATE_WORD, '');
}

/** True if a heading has a number of its own, such as `2. Send the mail`. */
export function isNumbered(title: string): boolean {
  return NUMBERED.test(title);
}

/** True if a heading is a step: `Step 2: Send the mail`. */
export function isStepHeading(title: string): boolean {
  return STEP.test(title);
}

/** An entry with a checkbox, or with an id as tasks have: `T1`. */
export function isMarked(entry: ListItem): boolean {
  return hasBox(entry) || KEYED.test(textOf(entry));
}

/** A checkbox, or an entry with an id, that has a number as tasks have. */
export function isNumberedEntry(entry: ListItem, body: string): boolean {
  const lead = leadOf(entry, body);
  return KEYED.test(lead) || (hasBox(entry) && NUMBERED.test(lead) && !STEP.test(lead));
}

/**
 * True if a checkbox is a task where checkboxes usually are none, as among the criteria of success: it has an id, a number of
 * two parts, or the number that follows the last one.
 */
export function isTaskAnywhere(entry: ListItem, body: string, last: string): boolean {
  if (!hasBox(entry)) return false;
  const lead = leadOf(entry, body);
  if (KEYED.test(lead)) return true;
  const [, stepped, dotted, counted = ''] = NUMBERED.exec(lead) ?? [];
  return (stepped ?? dotted) !== undefined || (counted !== '' && Number(counted) === Number(last) + 1 && last !== '');
}

/** True if a checkbox below an item is an item too, and not a step of it: its number continues that of the item. */
export function isSubtask(entry: ListItem, { key, label }: Pick<ItemDraft, 'key' | 'label'>, body: string): boolean {
  if (!hasBox(entry)) return false;
  const lead = leadOf(entry, body);
  if (KEYED.test(lead)) return true;
  const [, stepped, dotted, counted] = NUMBERED.exec(lead) ?? [];
  const number = stepped ?? dotted ?? counted;
  if (number === undefined || STEP.test(lead)) return false;
  const outer = [label, key?.slice(1) ?? ''].filter((name) => /^\d/.test(name));
  return outer.length === 0 || outer.some((name) => number.startsWith(`${name}.`));
}

/** The status that the box of an entry says. */
export function boxOf(entry: ListItem, body: string): ItemStatus {
  if (entry.checked === true) return 'done';
  const [first] = entry.children;
  const [, box] = OTHER_BOX.exec(first === undefined ? '' : sourceOf(first, body)) ?? [];
  if (box === undefined || box === ' ') return 'todo';
  if (box === '-') return 'dropped';
  return statusOf(box.toLowerCase()) ?? 'doing';
}

function hasBox(entry: ListItem): boolean {
  return typeof entry.checked === 'boolean' || OTHER_BOX.test(textOf(entry));
}

/** Returns a lead without the labels in its brackets. */
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

function textOf(entry: ListItem): string {
  const [first] = entry.children;
  const [inner] = first?.type === 'paragraph' ? first.children : [];
  if (inner?.type === 'text') return inner.value;
  return inner?.type === 'strong' && inner.children[0]?.type === 'text' ? inner.children[0].value : '';
}
