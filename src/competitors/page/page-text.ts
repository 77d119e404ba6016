import { wordsOf } from '../../text/words.ts';
/** A piece of a page that people see as one: a paragraph, an item, a heading, the row of a table, a line of code. */
export interface Block {
  text: string;
  /** 1 to 6 for a heading, 0 for the others. */
  level: number;
  /** Location in the page: the heading above it and the elements around it. Blocks of one list or table share it. */
  place: string;
}

/** Visible text of a page, in the order of the page. */
export interface PageText {
  title: string;
  blocks: Block[];
  /** True if it shows next to nothing without scripts. */
  isEmptyShell: boolean;
  /** True if it is a list of entries, from which old ones disappear by themselves. */
  isFeed: boolean;
}

/** Part of a page that the person who watches it selected; without any of it, all of the content. */
export interface Selection {
  /** CSS selectors of what is read, and of what is left out. */
  include: readonly string[];
  remove: readonly string[];
  /** Patterns of blocks that do not count: see `isLike`. */
  ignore: readonly string[];
}

/** Writes blocks as they are stored and shown: one a line, headings marked as in Markdown. */
export function textOfBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ level, text }) => (level > 0 ? `${'#'.repeat(level)} ${text}` : text)).join('\n');
}

/** Reads blocks from stored text; their locations are not stored. */
export function blocksOfText(text: string): Block[] {
  return text.split('\n').flatMap((line) => {
    const [, marks = '', words = ''] = /^(?:(#{1,6}) )?(.*)$/.exec(line) ?? [];
    return words === '' ? [] : [{ text: words, level: marks.length, place: '' }];
  });
}

/** True if a text has the parts of a pattern in their order, in any case; `*` between them stands for anything. Linear. */
export function isLike(text: string, pattern: string): boolean {
  const parts = normalText(pattern).toLowerCase().split('*');
  const lower = text.toLowerCase();
  let at = 0;
  for (const part of parts) {
    const index = lower.indexOf(part, at);
    if (index === -1) return false;
    at = index + part.length;
  }
  return true;
}

/** Normalizes a text for comparison: quotes, blanks and invisible characters. */
export function normalText(text: string): string {
  return text
    .replaceAll(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, '')
    .replaceAll(/[\u2018\u2019\u201B]/g, "'")
    .replaceAll(/[\u201C\u201D\u201F]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Words and numbers in lower case; amounts keep their currency. */
export function pageWords(text: string): string[] {
  return wordsOf(text.toLowerCase(), 'amount');
}

/** Counts the occurrences of each value. */
export function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The items whose keys `others` does not have as often, in their order: those that come first are taken as the common ones. */
export function subtractItems<Item>(
  items: readonly Item[],
  others: readonly Item[],
  keyOf: (item: Item) => string,
): Item[] {
  const left = countsOf(others.map(keyOf));
  return items.filter((item) => {
    const key = keyOf(item);
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count === 0;
  });
}
