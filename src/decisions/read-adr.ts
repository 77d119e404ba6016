import { dayOf } from '../kernel/time.ts';
import { dateOf } from '../signals/import/import.ts';
import { partsByPosition, type Section, textOf } from './adr-parts.ts';
import type { DecisionOption, DecisionStatus } from './store.ts';

/** The content of a decision record. */
export interface AdrText {
  title: string;
  status: DecisionStatus;
  /** The text in the position of a status, when it is no known status. */
  unknownStatus?: string;
  /** The day that it gives, `2027-01-31`; null where it gives none. */
  decidedOn: string | null;
  decision: string;
  context: string;
  options: DecisionOption[];
  consequences: string[];
  tags: string[];
  /** Other records, as `nameOfRecord` tells them apart. */
  supersedes: string[];
  supersededBy: string[];
  /** Records that it amends, that amend it, or that it is related to. */
  related: string[];
}

const FENCE = /^\s{0,3}(?:```|~~~)/;
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
/** A name and its value in the head of a record, as `FIELD` has them, of any name. */
const ANY_FIELD = /^\s*(?:[-*]\s+)?(?:\*\*?|__?)?\p{L}[\p{L} ]{0,30}(?:\*\*?|__?)?\s*:(?:\*\*?|__?)?\s*(.+)$/u;
/** `Status: x`, `- Status: x`, `* **Status**: x`, `**Status:** x`, `*Status:* x`. */
const FIELD =
  /^\s*(?:[-*]\s+)?(?:\*\*?|__?)?(status|date|decided(?: on)?|tags?|supersedes|superseded[- ]by)(?:\*\*?|__?)?\s*:(?:\*\*?|__?)?\s*(.+)$/i;
/** The line below the first row of a table. */
const TABLE_RULE = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/;
const REPLACED_WORD = /\b(?:superseded|superceded|replaced|obsoleted)\b/i;
/** The status as people write it, in the order in which it is looked for. */
const STATUS_WORDS: readonly (readonly [DecisionStatus, RegExp])[] = [
  ['superseded', REPLACED_WORD],
  ['deprecated', /\b(?:deprecated|obsolete|retired|withdrawn|no longer)\b/i],
  ['rejected', /\b(?:rejected|declined|abandoned|cancell?ed|not accepted)\b/i],
  ['accepted', /\b(?:accepted|approved|decided|adopted|agreed|implemented|active|done|final)\b/i],
  ['proposed', /\b(?:proposed|draft|pending|in review|under review|rfc|open|todo|wip)\b/i],
];
/** Only a part of the record was replaced: the rest still holds. */
const IN_PART = /\b(?:partial(?:ly)?|in part|partly|portions?|parts? of)\b/i;
const REPLACED = /\b(?:superseded|superceded|replaced|obsoleted)\b[^.\n]*?\bby\b/i;
const REPLACES = /\b(?:supersedes|supercedes|replaces|obsoletes)\b/i;
const RELATED =
  /\b(?:amend(?:s|ed)|clarif(?:ies|ied)|extend(?:s|ed)|relate[sd]?|refine[sd]?|see also|complement(?:s|ed)|link(?:s|ed))\b/i;
const MOST_ENTRIES = 200;
/** Longest statement of a status or link that is read: patterns take time that grows with the square of it. */
const STATEMENT_CHARACTERS = 2_000;
const DECIDED = /^(?:the |our )?(?:decision(?: outcome)?|resolution|outcome|solution|chosen option)s?\b/i;
/** A line in bold, which some write for a heading. */
const BOLD_LINE = /^\s*(?:\*\*|__)([^*_]{1,80}?):?(?:\*\*|__)\s*:?\s*$/;
const STATUS = /^status\b/i;
const CONTEXT = /^(?:context|problem|background|motivation|issue)\b/i;
/** Headings of parts of a record: none is its title. */
const PART = /^(?:status|date|context|decision|consequences|problem)\b/i;

/** The title of the front matter, on the line of its name or, as a block, below it. */
function frontTitle(yaml: string): string | undefined {
  const [, block = '', inline = ''] =
    /^title:[ \t]*(?:[|>][-+]?[ \t]*\r?\n[ \t]+(.+)|["']?(.+?)["']?[ \t]*)$/m.exec(yaml) ?? [];
  const title = (block === '' ? inline : block).trim();
  return title === '' ? undefined : title;
}

/**
 * Reads a decision record in the layouts of adr-tools (Nygard), MADR and log4brains, and those alike: a title, a status under a
 * heading, in a list or in the front matter, and a section that says what was decided. Headings in other languages are known
 * by their order. Undefined when it has no such section. Its cost grows with the length of the text.
 *
 * @param path of its file, which names a record without a title.
 */
export function readAdr(text: string, path: string): AdrText | undefined {
  const [front = '', yaml = ''] = FRONT_MATTER.exec(text) ?? [];
  const sections = sectionsOf(text.slice(front.length).replace(/^\uFEFF/, ''));
  const head = sections.find(({ title }) => title !== '');
  const of = (words: RegExp): Section[] => sections.filter(({ title }) => words.test(title));
  const filledSections = sections.filter(
    (section) => (section !== head || PART.test(section.title)) && textOf(section) !== '',
  );
  const decided =
    filledSections.find(({ title }) => DECIDED.test(title)) ??
    filledSections.find(({ title }) =>
      /^(?:proposal|proposed (?:solution|change)|what.s proposed|rationale)\b/i.test(title),
    );
  const headLines = [...yaml.split('\n'), ...withTableFields([...(sections[0]?.lines ?? []), ...(head?.lines ?? [])])];
  const fields = fieldsOf(headLines);
  // `## Status: Accepted` says it in the heading.
  const stated = of(STATUS).flatMap(({ title: name, lines }) => [name.replace(/^status\s*[:–—-]?\s*/i, ''), ...lines]);
  const named = [fields.get('status') ?? '', ...stated].join('\n').trim();
  const placed = named === '' ? (bareStatus(headLines, sections) ?? '') : named;
  const others = sections.filter((section) => !STATUS.test(section.title) && textOf(section) !== placed);
  const parts = decided === undefined ? partsByPosition(others, head, placed !== '') : undefined;
  const state = placed === '' ? (parts?.status ?? '') : placed;
  const decision = textOf(decided ?? parts?.decision ?? { lines: [] });
  const title = titleOf(frontTitle(yaml) ?? (head === undefined || PART.test(head.title) ? '' : head.title), path);
  if (decision === '' || title === '') return undefined;
  const status = statusOf(state);
  return {
    title,
    status: status ?? 'proposed',
    ...(status === undefined && { unknownStatus: statementsOf(state)[0] ?? '' }),
    decidedOn: firstDayIn([
      fields.get('date') ?? fields.get('decided') ?? '',
      ...of(/^(?:date|decided)\b/i).flatMap(({ lines }) => lines),
    ]),
    decision,
    context: (parts === undefined ? of(CONTEXT) : [parts.context]).map(textOf).join('\n\n'),
    options: optionsOf(sections),
    consequences: of(/^(?:consequences|implications)\b|^(?:positive|negative|neutral) consequences/i).flatMap(
      entriesOf,
    ),
    tags: (fields.get('tags') ?? '')
      .replaceAll(/[[\]"']/g, '')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    ...linksOf(
      [state, ...of(/^(?:links|more information|related|references)\b/i).flatMap(({ lines }) => lines)],
      fields,
    ),
  };
}

/**
 * Returns the names that other records use for a record: `#12` by its number, else the name of its file without its ending. Of
 * a text, those that it names: by a link to a file, `ADR-0012`, `12. Title` or a bare file name.
 */
export function namesOfRecords(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+\.(?:md|markdown))(?:#[^)]*)?\)/gi)].map(([, file = '']) =>
    nameOfFile(file),
  );
  if (links.length > 0) return links;
  const files = [...text.matchAll(/\b(\d{1,8}-[a-z][\w-]{3,})(?:\.md)?\b/g)].map(([, name = '']) => name.toLowerCase());
  if (files.length > 0) return files;
  const numbers = text.matchAll(
    /\b(?:ADR|RFC|decision|record)s?[\s#-]*(\d{1,5})\b|(?:^|\bby|\bsupersedes|,|\band)\s*#?(\d{1,4})(?=[.\s,:)]|$)/gi,
  );
  return [...numbers].map(([, named, bare]) => `#${Number(named ?? bare)}`);
}

/** `0012-use-x` of a path, in lower case; of `adr-003/README.md` the name of its folder. */
export function nameOfFile(path: string): string {
  const own = path.replace(/\/(?:README|index)\.[^./]+$/i, '');
  return own
    .slice(own.lastIndexOf('/') + 1)
    .replace(/\.[^.]+$/, '')
    .toLowerCase();
}

/** `#12` of `0012-use-x` and of `adr-012-x`; undefined where the file has no number. A date is none. */
export function numberOfFile(path: string): string | undefined {
  const [, digits] = /^(?:\D{0,12}?[-_ ]?)?(\d{1,5})(?!\d)/.exec(nameOfFile(path)) ?? [];
  return digits === undefined ? undefined : `#${Number(digits)}`;
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [{ depth: 0, title: '', lines: [] }];
  let isCode = false;
  const lines = text.split(/\r?\n/);
  lines.forEach((line, index) => {
    if (FENCE.test(line)) isCode = !isCode;
    const [, marks = '', title = ''] = isCode ? [] : (/^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) ?? []);
    const under = isCode ? undefined : /^(=+|-{3,})\s*$/.exec(lines[index + 1] ?? '')?.[1];
    const bold = isCode ? '' : (BOLD_LINE.exec(line)?.[1] ?? '');
    if (marks !== '')
      sections.push({ depth: marks.length, title: marks === '#' ? title : withoutNumber(title), lines: [] });
    else if (PART.test(bold)) sections.push({ depth: 2, title: bold, lines: [] });
    else if (under !== undefined && line.trim() !== '' && !/^\s*[-*|>]/.test(line))
      sections.push({ depth: under.startsWith('=') ? 1 : 2, title: line.trim(), lines: [] });
    else if (!/^(?:=+|-{3,})\s*$/.test(line) || isCode) sections.at(-1)?.lines.push(line);
  });
  return sections;
}

/** `## 2. Context` is the context. */
function withoutNumber(title: string): string {
  return title.replace(/^\d+(?:\.\d+)*[.)]\s+(?=\p{L})/u, '');
}

/** Entries of its lists, its paragraphs when it has none. */
function entriesOf(section: Section): string[] {
  const text = textOf(section);
  const entries = [...text.matchAll(/^(?:[-*+]|\d+[.)])\s+(.*(?:\n(?![-*+]\s|\d+[.)]\s|\n).*)*)/gm)].map(
    ([, entry = '']) => entry,
  );
  const parts = entries.length > 0 ? entries : text.split(/\n\s*\n/);
  return parts
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .slice(0, MOST_ENTRIES);
}

function titleOf(heading: string, path: string): string {
  const written = heading === '' ? nameOfFile(path) : heading;
  const isName = /^\S+$/.test(written.replace(/^\d+[.:)]\s+/, '')) && /[-_].*[-_]/.test(written);
  return (isName ? written.replaceAll(/[-_]+/g, ' ') : written)
    .replace(/^(?:ADR|RFC)?[\s#-]*\d{1,8}(?:\s*[.:)|–—-]\s*|\s+)/i, '')
    .replace(/^(?:ADR|architect\w+ decision(?: record)?)\s*:\s*/i, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim();
}

/**
 * The lines, with the cells of tables as fields: of rows of a name and its value, and of a row of names above one of values.
 */
function withTableFields(lines: readonly string[]): string[] {
  return lines.flatMap((line, at) => {
    const cells = cellsOf(line);
    if (cells.length < 2) return [line];
    if (!TABLE_RULE.test(lines[at + 1] ?? '')) return [`${cells[0] ?? ''}: ${cells[1] ?? ''}`];
    const values = cellsOf(lines[at + 2] ?? '');
    const fields = cells.map((name, column) => `${name}: ${values[column] ?? ''}`);
    // Of two columns the first row may be a name and its value too.
    if (cells.length === 2) fields.push(`${cells[0] ?? ''}: ${cells[1] ?? ''}`);
    return fields.filter((field) => !/:\s*$/.test(field));
  });
}

/** The cells of a row of a table, without emphasis; none for another line. */
function cellsOf(line: string): string[] {
  const [, row] = /^\s*\|(.*)\|\s*$/.exec(line) ?? [];
  return row === undefined ? [] : row.split('|').map((cell) => cell.replaceAll(/[*_]{1,2}/g, '').trim());
}

/** The first of each field of the head. */
function fieldsOf(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = FIELD.exec(line.slice(0, STATEMENT_CHARACTERS)) ?? [];
    const key = name
      .toLowerCase()
      .replace(/^tag$/, 'tags')
      .replace(/^decided on$/, 'decided')
      .replace(/[- ]by$/, '-by');
    if (name !== '' && !fields.has(key)) fields.set(key, value.replaceAll(/^["']|["']$|<!--.*?-->/g, '').trim());
  }
  return fields;
}

function isInPart(line: string): boolean {
  return REPLACED_WORD.test(line) && IN_PART.test(line);
}

/** The first date of some lines: `2027-01-31`, and as people write it (`31 January 2027`). */
function firstDayIn(lines: readonly string[]): string | null {
  const [first] = lines.flatMap((line) => dateOf(/\d{4}-\d{2}-\d{2}/.exec(line)?.[0] ?? line, 'day first') ?? []);
  return first === undefined ? null : dayOf(first);
}

/**
 * The status of a record: its first statement, and later ones that begin with a status ("Superseded by 12"); prose below
 * that mentions one says nothing. A record without a status is in force, and so is one of which only a part was replaced.
 * Undefined for a status that is none of ours.
 */
function statusOf(state: string): DecisionStatus | undefined {
  const [first = '', ...others] = statementsOf(state);
  const statements = [first, ...others.filter(beginsWithStatus)].filter(
    (line) => !REPLACES.test(line) && !isInPart(line),
  );
  const status = STATUS_WORDS.find(([, words]) => statements.some((line) => statesStatus(line, words)))?.[0];
  return status ?? (state === '' || statementsOf(state).some(isInPart) ? 'accepted' : undefined);
}

/** A status and nothing else, as the value of a field of the head or as the first part, whatever these are called. */
function bareStatus(head: readonly string[], sections: readonly Section[]): string | undefined {
  const values = head.map((line) => ANY_FIELD.exec(line.slice(0, STATEMENT_CHARACTERS))?.[1] ?? '');
  const first = sections.filter(({ title }) => title !== '')[1];
  return [...values, ...(first === undefined ? [] : [textOf(first)])].find(
    (value) => !value.includes('\n') && isBareStatus(value),
  );
}

/** A statement that only mentions that something is superseded does not say so of the record, unless it names by what. */
function statesStatus(line: string, words: RegExp): boolean {
  return words === REPLACED_WORD ? REPLACED.test(line) || beginsWith(line, words) : words.test(line);
}

function beginsWithStatus(line: string): boolean {
  return STATUS_WORDS.some(([, words]) => beginsWith(line, words));
}

function beginsWith(line: string, words: RegExp): boolean {
  const plain = line.replace(/^[^\p{L}]*(?:status\W+)?(?:(?:this|the) \w+ (?:is|was|has been) )?/iu, '');
  return plain.search(words) === 0;
}

/** A line that is a status and nothing else, but for signs and a date. */
function isBareStatus(line: string): boolean {
  return beginsWithStatus(line) && !/\bby\W*$/i.test(line) && /^\W*\p{L}+(?: \p{L}+)?[\W\d]*$/u.test(line);
}

/** Sentences and entries of lists, each on one line: a sentence may wrap. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let isOpen = false;
  for (const whole of text.split('\n')) {
    const line = whole.slice(0, STATEMENT_CHARACTERS);
    const isNew = !isOpen || /^\s*(?:[-*+]|\d+[.)])\s/.test(line) || (/^\W*\p{Lu}/u.test(line) && beginsWithLink(line));
    if (line.trim() === '') isOpen = false;
    else if (isNew) statements.push(line.trim());
    else statements.push(`${statements.pop() ?? ''} ${line.trim()}`);
    isOpen = line.trim() !== '' && !isBareStatus(line);
  }
  return statements.flatMap((statement) =>
    statement.slice(0, STATEMENT_CHARACTERS).split(/(?<=[^\d][.!?])\s+(?=[\p{Lu}[])/u),
  );
}

function beginsWithLink(line: string): boolean {
  return beginsWithStatus(line) || beginsWith(line, REPLACES) || beginsWith(line, RELATED);
}

function linksOf(
  lines: readonly string[],
  fields: ReadonlyMap<string, string>,
): Pick<AdrText, 'supersedes' | 'supersededBy' | 'related'> {
  const links = { supersedes: [] as string[], supersededBy: [] as string[], related: [] as string[] };
  for (const line of statementsOf(lines.join('\n'))) {
    if (REPLACED.test(line)) links[IN_PART.test(line) ? 'related' : 'supersededBy'].push(...namesOfRecords(line));
    else if (REPLACES.test(line)) links[IN_PART.test(line) ? 'related' : 'supersedes'].push(...namesOfRecords(line));
    else if (RELATED.test(line)) links.related.push(...namesOfRecords(line));
  }
  links.supersedes.push(...namesOfRecords(fields.get('supersedes') ?? ''));
  links.supersededBy.push(...namesOfRecords(fields.get('superseded-by') ?? ''));
  return links;
}

/** The considered options, with what speaks for and against each. */
function optionsOf(sections: readonly Section[]): DecisionOption[] {
  const listed = sections.find(({ title }) =>
    /^(?:considered|decision) options|^options(?: considered)?$|^alternatives/i.test(title),
  );
  const options = new Map<string, DecisionOption>();
  const optionOf = (name: string): DecisionOption => {
    const key = name.toLowerCase();
    const option = options.get(key) ?? { name, pros: [], cons: [] };
    options.set(key, option);
    return option;
  };
  for (const entry of listed === undefined || !/^(?:[-*+]|\d+[.)])\s/m.test(textOf(listed)) ? [] : entriesOf(listed))
    optionOf(plainOption(entry));
  const from = sections.findIndex(({ title }) => /^pros and cons/i.test(title));
  const depth = sections[from]?.depth ?? 0;
  for (const section of from < 0 ? [] : sections.slice(from + 1)) {
    if (section.depth <= depth) break;
    const option = optionOf(plainOption(section.title));
    for (const entry of entriesOf(section)) {
      const [, side = '', reason = ''] = /^(good|bad|pro|con)s?\b[,:]?\s*(?:because\s+)?(.*)$/i.exec(entry) ?? [];
      if (/^(?:good|pro)/i.test(side)) option.pros.push(reason);
      else if (side !== '') option.cons.push(reason);
    }
  }
  return [...options.values()];
}

function plainOption(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '')
    .replace(/^option\s+\w+\s*[:.–—-]\s*/i, '')
    .trim()
    .slice(0, 200);
}
