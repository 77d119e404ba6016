import { excerpt } from '../../kernel/shown-values.ts';
import type { Block } from '../page/page-text.ts';
import { type ChangeKind, isFrontPage } from '../page/page-kind.ts';
import { amountsOf } from './amounts.ts';
import { type Difference, likeness, wordDifference } from './compare.ts';

export const SEVERITIES = ['low', 'medium', 'high'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Subject and severity of a change, with the rules that decided them. */
export interface Judgement {
  kind: ChangeKind;
  severity: Severity;
  reasons: string[];
}

/** Input of a judgement: the kind of the page, its blocks on both sides of the change, and the difference. */
interface Judged {
  url: string;
  pageKind: ChangeKind;
  before: readonly Block[];
  after: readonly Block[];
  difference: Difference;
}

/** As many words make a change worth reading, whatever they say. */
const MANY_WORDS = 40;
/** A paragraph that came or went counts from as many words on. */
const PARAGRAPH_WORDS = 15;
/** Texts that have so much in common are one text that was reworded. */
const REWORDED = 0.6;
/** A heading under another number, or in other words, is the same heading. */
const SAME_HEADING = 0.7;
const SHORTEST_ITEM = 3;
/** Pages that list what there is to buy, to use or to apply for: an item that comes or goes is news. */
const LISTS: ReadonlySet<ChangeKind> = new Set(['pricing', 'feature', 'changelog', 'jobs']);
/** A role in a list of jobs is so short. */
const ROLE_WORDS = 8;
/** The part of a front page that says what the product is. */
const TOP_SHARE = 0.15;
const TOP_BLOCKS = 4;
const SHOWN = 60;

/** Judges a change by rules, each of which is reported with it. */
export function judge(given: Judged): Judgement {
  const high = [...moneyReasons(given), ...limitReasons(given)];
  const medium = [...headingReasons(given), ...sizeReasons(given), ...itemReasons(given)];
  const severity = high.length > 0 ? 'high' : medium.length > 0 ? 'medium' : 'low';
  const { kind, reason } = kindOf(given, moneyReasons(given).length > 0);
  const weight =
    severity === 'low' ? ['wording: no amount, heading, item or paragraph was added or removed'] : [...high, ...medium];
  return { kind, severity, reasons: [...weight, reason] };
}

function moneyReasons({ difference }: Judged): string[] {
  const [before, after] = [difference.removed, difference.added].map((blocks) =>
    blocks.flatMap(({ text }) => amountsOf(text).map((amount) => amount.text)).toSorted(),
  ) as [string[], string[]];
  if (before.join(' ') === after.join(' ')) return [];
  return [`amounts of money changed: ${showValues(before)} -> ${showValues(after)}`];
}

/** A number of a page about prices is a limit, a quota or a price without its sign. */
function limitReasons({ pageKind, difference }: Judged): string[] {
  if (pageKind !== 'pricing') return [];
  const words = wordDifference(texts(difference.added), texts(difference.removed));
  const numbers = [words.removed, words.added].map((side) => side.filter(isLimit)) as [string[], string[]];
  if (numbers[0].length + numbers[1].length === 0) return [];
  return [`numbers on a page about prices changed: ${showValues(numbers[0])} -> ${showValues(numbers[1])}`];
}

function headingReasons({ difference }: Judged): string[] {
  const { added, removed } = difference;
  if (differingWords(difference) === 0) return [];
  return [
    ...loneHeadings(added, removed).map(({ text }) => `heading added: ${cut(text)}`),
    ...loneHeadings(removed, added).map(({ text }) => `heading removed: ${cut(text)}`),
  ];
}

/** Headings that none of the others is another wording of. */
function loneHeadings(blocks: readonly Block[], others: readonly Block[]): Block[] {
  return blocks.filter(
    ({ level, text }) =>
      level > 0 && !others.some((other) => likeness(stripNumber(text), stripNumber(other.text)) >= SAME_HEADING),
  );
}

function sizeReasons({ difference }: Judged): string[] {
  const count = differingWords(difference);
  return count >= MANY_WORDS ? [`${count} words differ`] : [];
}

function itemReasons({ pageKind, difference: { added, removed } }: Judged): string[] {
  const count = differingWords({ added, removed });
  const isList = LISTS.has(pageKind);
  if (!isList && count < PARAGRAPH_WORDS) return [];
  const [came, went] = [findUnmatched(added, removed), findUnmatched(removed, added)];
  const what = isList ? 'item' : 'paragraph';
  const reasons = [
    ...came.map(({ text }) => `${what} added: ${cut(text)}`),
    ...went.map(({ text }) => `${what} removed: ${cut(text)}`),
  ];
  if (reasons.length > 0 || pageKind !== 'jobs' || count < 2) return reasons;
  const role = [...added, ...removed].find(({ text, level }) => level === 0 && text.split(' ').length <= ROLE_WORDS);
  return role === undefined ? [] : [`a role changed: ${cut(role.text)}`];
}

/** Blocks with words of their own: none of the others is another wording of them. */
function findUnmatched(blocks: readonly Block[], others: readonly Block[]): Block[] {
  return blocks.filter(
    ({ text }) =>
      text.split(' ').length >= SHORTEST_ITEM && !others.some((other) => likeness(text, other.text) >= REWORDED),
  );
}

function kindOf(
  { url, pageKind, before, after, difference }: Judged,
  hasMoney: boolean,
): { kind: ChangeKind; reason: string } {
  const isOpen = ['positioning', 'feature', 'other'].includes(pageKind);
  if (isOpen && hasMoney) return { kind: 'pricing', reason: 'about pricing: an amount of money changed' };
  if (!isFrontPage(url)) return { kind: pageKind, reason: `about ${pageKind}: the kind of the page` };
  const top = new Set([before, after].flatMap((blocks) => topOf(blocks)));
  const changed = [...texts(difference.added), ...texts(difference.removed)];
  const isAtTop = changed.filter((text) => top.has(text)).length >= changed.length / 2;
  return isAtTop
    ? { kind: 'positioning', reason: 'about positioning: at the top of the front page' }
    : { kind: 'feature', reason: 'about features: below the top of the front page' };
}

function topOf(blocks: readonly Block[]): string[] {
  return texts(blocks.slice(0, Math.max(TOP_BLOCKS, Math.round(blocks.length * TOP_SHARE))));
}

function differingWords({ added, removed }: Difference): number {
  const words = wordDifference(texts(added), texts(removed));
  return words.added.length + words.removed.length;
}

/** A number that is no year. */
function isLimit(word: string): boolean {
  return /^\d/.test(word) && !/^(?:19|20)\d\d$/.test(word);
}

function texts(blocks: readonly Block[]): string[] {
  return blocks.map(({ text }) => text);
}

/** A heading without its number. */
function stripNumber(text: string): string {
  return text.replace(/^(?:[A-Z\d]+(?:\.\d+)*[.)]|\d+)\s+/, '');
}

function cut(text: string): string {
  return `"${excerpt(text, SHOWN)}"`;
}

function showValues(values: readonly string[]): string {
  if (values.length === 0) return 'none';
  return values.length > 6 ? `${values.slice(0, 6).join(', ')} and ${values.length - 6} more` : values.join(', ');
}
