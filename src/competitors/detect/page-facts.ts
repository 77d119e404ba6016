import { type Block, pageWords } from '../page/page-text.ts';
import { amountsOf } from './amounts.ts';

/** Something that a page says of one of its subjects: a plan, the row or column of a table, or a section. */
export interface Fact {
  subject: string;
  /** Property of the subject: the other head of a cell in a table, or the label of a line. */
  label: string;
  /** Text of the fact, without the subject and the label. */
  text: string;
  /** The text of the block that says it. */
  block: string;
  /** Index of the block in the page. */
  at: number;
  /** The heading above it. */
  section: string;
  role: FactRole;
}

/** A price is an amount that a subject costs. Amounts in prose are none. */
type FactRole = 'price' | 'line' | 'prose' | 'heading';

interface Line {
  block: Block;
  at: number;
  /** Headings above it, the outermost first. */
  headings: Block[];
}

/** A line with what it is about as far as it says so itself. */
interface ReadLine extends Line {
  name: string;
  /** True if a colon or a dash sets the name apart. */
  isSetApart: boolean;
  text: string;
  role: FactRole;
}

/** Longer lines are prose, in which an amount is no price of a plan. */
const PRICE_LINE_CHARACTERS = 160;
const NAME_WORDS = 4;
const LINE_WORDS = 14;
const CELL_WORDS = 12;
const SENTENCE_END = /[.!?。！？]["')\]]*$/u;
const NAME_AND_VALUE = /^([^:：]{1,60})(?:\s*[:：]|\s+[–—-])\s+(\S.*)$/u;
const SEPARATOR = /[\s:：–—|,(-]+$/u;

/**
 * Returns the facts that a page states about each of its subjects. The structure of the page decides what belongs to what, in
 * any language.
 */
export function readFacts(blocks: readonly Block[]): Fact[] {
  const lines = linesOf(blocks);
  const facts: Fact[] = [];
  const read: ReadLine[] = [];
  for (let at = 0; at < lines.length;) {
    const table = tableAt(lines, at);
    if (table.length > 0) facts.push(...factsOfTable(table, namesOfPlans(lines)));
    else {
      const line = lines[at];
      if (line !== undefined) read.push(readLine(line));
    }
    at += Math.max(1, table.length);
  }
  facts.push(...factsOfLines(read));
  return facts.toSorted((a, b) => a.at - b.at);
}

/** Each block with the headings above it. A heading that is an amount names nothing. */
function linesOf(blocks: readonly Block[]): Line[] {
  let headings: Block[] = [];
  return blocks.map((block, at) => {
    const name = block.level > 0 ? nameIn(block.text) : '';
    if (name === '') return { block, at, headings };
    const above = headings.slice(0, headings.findLastIndex(({ level }) => level < block.level) + 1);
    headings = [...above, { ...block, text: name }];
    return { block, at, headings: above };
  });
}

/** Returns the name in a heading: the words before its amount; '' for a heading that is an amount. */
function nameIn(text: string): string {
  const [amount] = amountsOf(text);
  return (amount === undefined ? text : text.slice(0, amount.start)).replace(SEPARATOR, '').trim();
}

function readLine({ block, at, headings }: Line): ReadLine {
  const { text, level } = block;
  const [amount] = amountsOf(text);
  const [, title = '', value = ''] = NAME_AND_VALUE.exec(text) ?? [];
  const isTitled = title !== '' && pageWords(title).length <= NAME_WORDS && amountsOf(title).length === 0;
  const start = isTitled ? text.length - value.length : amount?.start;
  const before = text.slice(0, start ?? 0);
  const name = before.replace(SEPARATOR, '').trim();
  const isLeading = name === '';
  const isPrice =
    amount !== undefined &&
    text.length <= PRICE_LINE_CHARACTERS &&
    pageWords(name).length <= NAME_WORDS &&
    (isLeading || !SENTENCE_END.test(text));
  if (isPrice) {
    const isSetApart = isTitled || /[:：–—(-]\s*$/u.test(before);
    const own = level > 0 ? [...headings, { ...block, text: name }].filter((heading) => heading.text !== '') : headings;
    const line = { block, at, headings: own, isSetApart, text: text.slice(start), role: 'price' as const };
    return { ...line, name: level > 0 ? '' : name };
  }
  if (level > 0) return { block, at, headings, name: '', isSetApart: false, text, role: 'heading' };
  const isShort = pageWords(text).length <= LINE_WORDS && !SENTENCE_END.test(text);
  const isNamed = isShort && isTitled;
  const role = isShort ? ('line' as const) : ('prose' as const);
  return {
    block,
    at,
    headings,
    role,
    isSetApart: isNamed,
    name: isNamed ? title.trim() : '',
    text: isNamed ? value : text,
  };
}

/** Returns the facts of lines, each under its heading: the innermost one that has prices right below it, else the innermost. */
function factsOfLines(all: readonly ReadLine[]): Fact[] {
  const lines = withoutSharedHeadings(all);
  const priced = new Set(
    lines.flatMap(({ role, headings }) => (role === 'price' ? (headings.at(-1)?.text ?? []) : [])),
  );
  // A heading above those of plans is that of the list of them.
  const isAbove = new Set(
    lines.flatMap(({ headings }) =>
      headings
        .filter(({ text }) => priced.has(text))
        .slice(0, -1)
        .map(({ text }) => text),
    ),
  );
  const isPlan = ({ text }: Block): boolean => priced.has(text) && !isAbove.has(text) && !/[?？]$/u.test(text);
  const lists = listedNames(lines);
  return lines.map((line) => {
    const { block, at, headings, name, role, text } = line;
    const section = headings.at(-1)?.text ?? '';
    const heading = (role === 'prose' ? undefined : headings.findLast(isPlan)?.text) ?? section;
    const isListed = name !== '' && lists.has(`${section}\n${name}`);
    const isPrice = role === 'price' && !/[?？]$/u.test(heading);
    const shared = {
      text,
      block: block.text,
      at,
      section,
      role: role === 'price' && !isPrice ? ('prose' as const) : role,
    };
    return isListed ? { ...shared, subject: name, label: '' } : { ...shared, subject: heading, label: name };
  });
}

/**
 * Lines below a heading that comes back below others belong to what is above it: the period of a price in each card, or a title in
 * each. Of a price it is the label. One that has prices below a single other heading is a subject that several sections name.
 */
function withoutSharedHeadings(lines: readonly ReadLine[]): ReadLine[] {
  const shared = Map.groupBy(lines, ({ headings }) => headings.at(-1)?.text ?? '');
  const isShared = (name: string): boolean => {
    const own = shared.get(name) ?? [];
    const prices = own.filter(({ role }) => role === 'price');
    return countParents(own) > 1 && countParents(prices) !== 1;
  };
  const names = new Set([...shared.keys()].filter(isShared));
  return lines.map((line) => {
    const own = line.headings.at(-1)?.text ?? '';
    if (!names.has(own) || line.headings.length < 2) return line;
    const name = line.role === 'price' && line.name === '' ? own : line.name;
    return { ...line, name, headings: line.headings.slice(0, -1) };
  });
}

/** Counts the headings above those of the lines. */
function countParents(lines: readonly ReadLine[]): number {
  return new Set(lines.map(({ headings }) => headings.at(-2)?.text)).size;
}

/**
 * Names that lines begin with and that are subjects: what is said of several things below one heading. A name that comes back
 * below another heading is a property that several things have, such as the period of a price.
 */
function listedNames(lines: readonly ReadLine[]): Set<string> {
  const named = lines.filter(({ name }) => name !== '');
  const sections = Map.groupBy(named, ({ name }) => name.toLowerCase());
  const listed = new Set<string>();
  for (const [section, all] of Map.groupBy(named, ({ headings }) => headings.at(-1)?.text ?? '')) {
    const own = all.filter(
      ({ name }) =>
        new Set((sections.get(name.toLowerCase()) ?? []).map(({ headings }) => headings.at(-1)?.text)).size === 1,
    );
    const prices = own.filter(({ role }) => role === 'price');
    const isList = new Set(prices.map(({ name }) => name)).size > 1;
    for (const { name, isSetApart } of own)
      if (prices.some((price) => price.name === name) && (isList || isSetApart)) listed.add(`${section}\n${name}`);
  }
  const plans = new Set([...listed].map((entry) => entry.slice(entry.indexOf('\n') + 1)));
  for (const { name, headings } of named) if (plans.has(name)) listed.add(`${headings.at(-1)?.text ?? ''}\n${name}`);
  return listed;
}

/** Headings with prices right below them. */
function namesOfPlans(lines: readonly Line[]): Set<string> {
  return new Set(
    lines
      .map(readLine)
      .flatMap(({ role, headings }) => (role === 'price' ? (headings.at(-1)?.text.toLowerCase() ?? []) : [])),
  );
}

/** The rows that begin at a line and have cells; none where the line is no row. */
function tableAt(lines: readonly Line[], at: number): Line[] {
  const end = lines.findIndex(({ block }, index) => index >= at && !isRow(block));
  return lines.slice(at, end === -1 ? undefined : end);
}

function isRow({ text, level }: Block): boolean {
  return level === 0 && (text === '|' || /(?:^|\s)\|(?:\s|$)/.test(text));
}

function cellsOf({ text }: Block): string[] {
  return `${text.startsWith('|') ? ' ' : ''}${text}`.split(/\s?\|\s?/).map((cell) => cell.trim());
}

/** Cells by what they are about. Rows of another width than the first one have no heads of columns. */
function factsOfTable(rows: readonly Line[], plans: ReadonlySet<string>): Fact[] {
  const cells = rows.map(({ block }) => cellsOf(block));
  const [head = []] = cells;
  const hasHead = cells.length > 1;
  const isByColumn = hasHead && isAboutColumns(cells, plans);
  const facts = rows.flatMap(({ block, at, headings }, index) => {
    const row = cells[index] ?? [];
    const isHead = hasHead && index === 0;
    const first = row[0] ?? '';
    const section = headings.at(-1)?.text ?? '';
    return row.slice(1).flatMap((cell, rank): Fact[] => {
      const column = hasHead && row.length === head.length ? nameOfColumn(head[rank + 1] ?? '') : '';
      const text = isHead ? priceOfHead(cell) : cell;
      if (text === '' || (isHead && !isByColumn)) return [];
      const hasAmount = amountsOf(text).length > 0;
      const role = hasAmount && pageWords(text).length <= CELL_WORDS ? 'price' : 'line';
      const [subject, label] = isByColumn && column !== '' ? [column, isHead ? '' : first] : [first, column];
      return [{ subject: subject === '' ? section : subject, label, text, block: block.text, at, section, role }];
    });
  });
  return facts;
}

/**
 * True if the columns of a table are its subjects, and the rows their properties. Prices that fill some rows and leave others
 * say that each row is another property; names of plans elsewhere on the page say which side they are on.
 */
function isAboutColumns([head = [], ...rows]: readonly (readonly string[])[], plans: ReadonlySet<string>): boolean {
  const countPlans = (names: readonly string[]): number => names.filter((name) => plans.has(name.toLowerCase())).length;
  const [columns, firsts] = [head.slice(1).map(nameOfColumn), rows.map(([first = '']) => first)];
  if (countPlans(columns) !== countPlans(firsts)) return countPlans(columns) > countPlans(firsts);
  if (head.slice(1).some((cell) => amountsOf(cell).length > 0)) return true;
  const priced = rows.map((row) => row.slice(1).map((cell) => amountsOf(cell).length > 0));
  const fullRows = priced.filter((row) => row.filter(Boolean).length > 1).length;
  if (fullRows === 0) return head[0] === '' && head.length > 2 && priced.every((row) => !row.includes(true));
  const bareColumns = columns.filter((_, at) => priced.every((row) => row[at] !== true)).length;
  return bareColumns === 0 && fullRows < rows.length;
}

function nameOfColumn(cell: string): string {
  const [amount] = amountsOf(cell);
  return amount === undefined ? cell : nameIn(cell);
}

/** Returns what the head of a column says beside its name: the price of a plan. */
function priceOfHead(cell: string): string {
  const [amount] = amountsOf(cell);
  return amount === undefined ? '' : cell.slice(amount.start);
}
