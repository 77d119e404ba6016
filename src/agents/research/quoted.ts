import { codeSpan } from '../../kernel/code-span.ts';
import { sentencesOf } from '../prose/excerpt.ts';
import { type Block, blocksOf, type Span } from './blocks.ts';
import type { Passage } from './passages.ts';
import { shareOf, type Wish } from './wish.ts';

/** A passage with what belongs to it. */
interface Quoted {
  /** As it is told, on one line: items and rows behind each other, what is left out counted. */
  shown: string;
  /** As it stands in its section, from the first word told to the last. */
  text: string;
}

/** Code that is told with its lead. */
const LONGEST_CODE = 160;
/** Items that are told of a list that is too long, beside those that have words of the question. */
const LEAST_ITEMS = 1;

/**
 * A passage as it is quoted: the blocks that belong together, an introduction with its list or table, and what goes on behind them, in at
 * most so many characters. Of a long list the items that have the words of the question
 * are told, and how many more there are. Of a list of changes each change stands alone. Pure.
 */
export function quotePassage(passage: Passage, wish: Wish, most: number): Quoted {
  const { section, place } = passage;
  const blocks = blocksOf(section.text).filter(({ kind }) => kind !== 'definition');
  const holding = blocks.findIndex(({ from, to }) => from <= place.from && place.from < to);
  const block = blocks[holding];
  if (block === undefined) return { shown: flat(passage.text), text: passage.text };
  const unit = unitOf(section.text, blocks, holding);
  const isLead = block.kind === 'prose' && unit[1] > holding;
  if (section.isOld && !isLead) return quoteChange(section.text, block, place, most);
  const told = section.isOld ? range(holding, unit[1]) : withNeighbours(section.text, blocks, unit, most);
  const pieces = told.flatMap((at) => {
    const one = blocks[at];
    return one === undefined ? [] : [{ block: one, text: section.text.slice(one.from, one.to) }];
  });
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= most) {
    const text = section.text.slice(pieces[0]?.block.from, pieces.at(-1)?.block.to);
    const shown = pieces.map(({ block: one }) => showBlock(section.text, one)).join(' ');
    const list = blocks[(told.at(-1) ?? 0) + 1];
    const left = most - length;
    if (!section.isOld && list?.kind === 'list' && left >= LEAST_FOR_LIST) {
      const begun = shortenList(section.text, list, { before: '', wish, most: left, start: -1 });
      return {
        shown: `${shown} ${begun.shown}`,
        text: section.text.slice(pieces[0]?.block.from, list.from) + begun.text,
      };
    }
    return { shown: withoutLead(shown), text };
  }
  return shorten(
    section.text,
    pieces.map((piece) => piece.block),
    { passage, wish, most },
  );
}

/** The blocks that say nothing without each other: a list or table with its lead, and a lead with what it announces. */
function unitOf(text: string, blocks: readonly Block[], at: number): [number, number] {
  let [first, last] = [at, at];
  while (first > 0 && belongsBefore(text, blocks[first - 1], blocks[first])) first -= 1;
  while (last + 1 < blocks.length && belongsBefore(text, blocks[last], blocks[last + 1])) last += 1;
  return [first, last];
}

function belongsBefore(text: string, before: Block | undefined, block: Block | undefined): boolean {
  if (before === undefined || block === undefined || before.kind === 'list' || before.kind === 'table') return false;
  const isLead = /:\s*$/.test(text.slice(before.from, before.to));
  if (block.kind === 'code') return isLead && block.to - block.from <= LONGEST_CODE;
  return (
    isLead || ((block.kind === 'list' || block.kind === 'table') && !/\n\s*\n/.test(text.slice(before.to, block.from)))
  );
}

function isTold({ kind, from, to }: Block): boolean {
  return kind !== 'code' || to - from <= LONGEST_CODE;
}

/** A unit with the blocks behind it as long as all of them are short enough: a quote begins with what answers. */
function withNeighbours(
  text: string,
  blocks: readonly Block[],
  [first, last]: [number, number],
  most: number,
): number[] {
  const lengthOf = (from: number, to: number): number => (blocks[to]?.to ?? 0) - (blocks[from]?.from ?? 0);
  let to = last;
  while (to + 1 < blocks.length && lengthOf(first, to + 1) <= most) to += 1;
  // A lead without what it leads to says nothing.
  while (to > last && /:\s*$/.test(text.slice(blocks[to]?.from, blocks[to]?.to))) to -= 1;
  return range(first, to).filter((at) => {
    const block = blocks[at];
    return block !== undefined && isTold(block);
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** Characters that are left for a list behind what is told: with less none of its items is. */
const LEAST_FOR_LIST = 160;

interface Shortening {
  passage: Passage;
  wish: Wish;
  most: number;
}

/** Blocks that are too long: of a list or table the items with words of the question, of prose the sentences of the passage and those behind. */
function shorten(text: string, blocks: readonly Block[], { passage, wish, most }: Shortening): Quoted {
  const list = blocks.find(({ kind, parts }) => (kind === 'list' || kind === 'table') && parts.length > 1);
  const lead = blocks[0];
  const start = passage.place.from;
  if (list !== undefined && lead !== undefined && (lead === list || start < list.to) && start >= lead.from) {
    const before = lead === list ? '' : lastSentence(text.slice(lead.from, list.from));
    return shortenList(text, list, { before, wish, most: most - before.length, start });
  }
  const end = blocks.find(({ from, to }) => from <= start && start < to)?.to ?? passage.place.to;
  const sentences = sentencesOf(text.slice(start, end));
  let shown = passage.text;
  let to = passage.place.to;
  for (const sentence of sentences) {
    const at = text.indexOf(sentence, start);
    if (at < to || at + sentence.length - start > most) continue;
    to = at + sentence.length;
    shown = text.slice(start, to);
  }
  return { shown: withoutLead(flat(shown)), text: text.slice(start, to) };
}

function lastSentence(text: string): string {
  return sentencesOf(text).at(-1) ?? text.trim();
}

function shortenList(
  text: string,
  list: Block,
  { before, wish, most, start }: { before: string; wish: Wish; most: number; start: number },
): Quoted {
  const items = list.parts.map((part, at) => {
    const said = text.slice(part.from, part.to);
    // What the head of a table says is needed for its rows.
    const isHead = list.kind === 'table' && at === 0;
    const holds = part.from <= start && start < part.to;
    return { at, part, said, worth: isHead ? 2 : shareOf(wish.own, [[said, 1]]) + Number(holds) };
  });
  const chosen = new Set<number>();
  let left = most;
  for (const { at, said, worth } of items.toSorted((a, b) => b.worth - a.worth)) {
    if (said.length > left && chosen.size >= LEAST_ITEMS) continue;
    if (worth === 0 && chosen.size >= LEAST_ITEMS) continue;
    chosen.add(at);
    left -= said.length;
  }
  // Where no item has a word, the first ones are told.
  for (const { at, said } of items) {
    if (said.length > left || chosen.has(at)) continue;
    chosen.add(at);
    left -= said.length;
  }
  const told = items.filter(({ at }) => chosen.has(at));
  const missing = items.length - told.length;
  const rest = missing === 0 ? '' : ` · … ${missing} more`;
  const shown = told.map(({ said }) => showPart(said)).join(' · ');
  const [first, last] = [told[0]?.part.from ?? list.from, told.at(-1)?.part.to ?? list.to];
  const from = before === '' ? first : text.lastIndexOf(before, list.from);
  return { shown: `${before === '' ? '' : `${flat(before)} `}${shown}${rest}`, text: text.slice(from, last) };
}

/** One change of a list of changes, with what is said of it below. */
function quoteChange(text: string, block: Block, place: Span, most: number): Quoted {
  const item = block.parts.find(({ from, to }) => from <= place.from && place.from < to) ?? block;
  const whole = text.slice(item.from, item.to);
  const said = whole.length <= most || block.kind === 'prose' ? whole.slice(0, most) : text.slice(place.from, place.to);
  return { shown: showPart(said), text: said };
}

function showBlock(text: string, { kind, parts, from, to }: Block): string {
  if (kind === 'list' || kind === 'table')
    return parts.map((part) => showPart(text.slice(part.from, part.to))).join(' · ');
  const said = text.slice(from, to);
  return kind === 'code' ? codeSpan(said.replaceAll(/^\s*(?:```|~~~).*$/gm, '')) : flat(said);
}

/** What begins an item. */
const MARK = /^\s*(?:[-*+•]|\d{1,2}[.)]|\(\d{1,2}\)|#\.)\s+(?:\[[ xX]\]\s+)?/;

/** An item without its mark, those in it behind each other; a row with its cells so. */
function showPart(said: string): string {
  if (/^\s*\|.*\|\s*$/.test(said)) {
    const cells = said.trim().slice(1, -1).split('|');
    return cells
      .map(flat)
      .filter((cell) => cell !== '')
      .join(', ');
  }
  const lines = withoutLongCode(said)
    .split('\n')
    .map((line, at) => line.replace(MARK, at === 0 ? '' : '· '));
  return flat(lines.join('\n'));
}

/** An item without code that is too long to be told. */
function withoutLongCode(said: string): string {
  return said.replaceAll(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[ \t]*$|(?![\s\S]))/gm, (code) =>
    code.length > LONGEST_CODE ? '' : code.replaceAll(/^[ \t]*(?:```|~~~).*$/gm, ''),
  );
}

/** Without a last sentence that only leads to what is not told. */
function withoutLead(shown: string): string {
  const rest = shown.replace(/(?<=[.!?]\s)[^.!?]*:+$/, '').trim();
  return rest === '' ? shown : rest;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
