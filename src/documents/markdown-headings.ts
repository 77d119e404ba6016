/** A heading as it is written in a text. */
export interface RawHeading {
  /** 1 is the outermost. */
  depth: number;
  /** With its emphasis, links and code as they were written. */
  raw: string;
  /** Start and end of the heading in the text, as offsets. */
  start: number;
  end: number;
}

const TAB_COLUMNS = 4;
/** From this indentation on a line is code, unless it goes on with a paragraph. */
const CODE_COLUMNS = 4;

const ATX = /^(#{1,6})(?:[ \t]+(.*))?$/;
const SETEXT = /^(=+|-+)[ \t]*$/;
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/;
const DEFINITION = /^\[[^\]]+\]:/;
/** Start of a block of HTML and its end, by the kinds of CommonMark. Undefined: an empty line. */
const HTML: readonly (readonly [RegExp, RegExp | undefined])[] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [
    /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[\s>]|\/>|$)/i,
    undefined,
  ],
];
/** One tag alone on its line: a block of HTML that does not end a paragraph. */
const LONE_TAG =
  /^<(?:\/[a-z][\w-]*\s*|[a-z][\w-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?)>\s*$/i;

interface Line {
  /** Without indentation and what ends it. */
  text: string;
  /** Width of the indentation, in columns. */
  indent: number;
  /** Start and end of the text, as offsets. */
  start: number;
  end: number;
}

/** State of the parser after a line: what the next one may continue. */
type State =
  | { kind: 'between' }
  /** A paragraph that an underline makes a heading. */
  | { kind: 'paragraph'; start: number; isDefinition: boolean }
  /** Text that goes on with a paragraph within a quote or list. */
  | { kind: 'lazy' }
  | { kind: 'fence'; sign: string; length: number }
  | { kind: 'html'; end: RegExp | undefined };

/**
 * The headings of a Markdown text (CommonMark) that stand in no quote, list, code or HTML. Goes through the lines once:
 * a parser of all of Markdown takes time and memory that grow with the square of what a hostile text nests, and a
 * hundred times as much of either for a usual one.
 */
export function markdownHeadings(text: string): RawHeading[] {
  const headings: RawHeading[] = [];
  let state: State = { kind: 'between' };
  /** Lines from this indentation on belong to the list above; undefined when there is none. */
  let itemColumns: number | undefined;
  for (const line of linesOf(text)) {
    if (itemColumns !== undefined) {
      const isWithin = line.text === '' || line.indent >= itemColumns;
      if (isWithin) {
        state = line.text === '' ? { kind: 'between' } : { kind: 'lazy' };
        continue;
      }
      if (state.kind === 'between') itemColumns = undefined;
    }
    const read = readLine(line, state, text);
    if (read.heading !== undefined) headings.push(read.heading);
    if (read.itemColumns !== undefined) itemColumns = read.itemColumns;
    else if (read.state.kind !== 'lazy') itemColumns = undefined;
    state = read.state;
  }
  return headings;
}

interface Read {
  state: State;
  heading?: RawHeading;
  /** Set when the line begins an entry of a list. */
  itemColumns?: number;
}

function readLine(line: Line, state: State, text: string): Read {
  if (state.kind === 'fence') return { state: endsFence(line, state) ? { kind: 'between' } : state };
  if (state.kind === 'html') return { state: afterHtml(line, state.end) };
  if (line.text === '') return { state: { kind: 'between' } };
  if (line.indent >= CODE_COLUMNS) return { state };
  if (state.kind === 'paragraph' && !state.isDefinition && SETEXT.test(line.text)) {
    const { start } = state;
    const raw = text.slice(start, line.start).trimEnd();
    return {
      state: { kind: 'between' },
      heading: { depth: line.text.startsWith('=') ? 1 : 2, raw, start, end: line.end },
    };
  }
  return readBlock(line, state) ?? readText(line, state);
}

/** Reads the start of a block that may begin in any state. */
function readBlock(line: Line, state: State): Read | undefined {
  const atx = ATX.exec(line.text);
  if (atx !== null) {
    const raw = (atx[2] ?? '').replace(/(?:^|[ \t])#+$/, '').trim();
    const { start, end } = line;
    return { state: { kind: 'between' }, heading: { depth: atx[1]?.length ?? 1, raw, start, end } };
  }
  const fence = FENCE.exec(line.text)?.[1];
  if (fence !== undefined) return { state: { kind: 'fence', sign: fence.charAt(0), length: fence.length } };
  if (line.text.startsWith('>')) return { state: afterQuote(line.text) };
  if (RULE.test(line.text)) return { state: { kind: 'between' } };
  const item = ITEM.exec(line.text);
  if (item !== null && (state.kind !== 'paragraph' || canInterrupt(line.text, item))) {
    const content = line.text.slice(item[0].length);
    return {
      state: content.trim() === '' ? { kind: 'between' } : { kind: 'lazy' },
      itemColumns: line.indent + item[0].length + blanksBefore(content),
    };
  }
  const html = HTML.find(([begin]) => begin.test(line.text));
  if (html !== undefined)
    return { state: html[1]?.test(line.text) === true ? { kind: 'between' } : { kind: 'html', end: html[1] } };
  return undefined;
}

function readText(line: Line, state: State): Read {
  if (state.kind === 'lazy') return { state };
  if (state.kind === 'paragraph' && !(state.isDefinition && !DEFINITION.test(line.text))) return { state };
  if (state.kind === 'between' && LONE_TAG.test(line.text)) return { state: { kind: 'html', end: undefined } };
  return { state: { kind: 'paragraph', start: line.start, isDefinition: DEFINITION.test(line.text) } };
}

function endsFence({ text, indent }: Line, { sign, length }: { sign: string; length: number }): boolean {
  if (indent >= CODE_COLUMNS || text.length < length) return false;
  const signs = text.trimEnd();
  return signs.length >= length && signs === sign.repeat(signs.length);
}

function afterHtml({ text }: Line, end: RegExp | undefined): State {
  const hasEnded = end === undefined ? text === '' : end.test(text);
  return hasEnded ? { kind: 'between' } : { kind: 'html', end };
}

/** A quote whose last line is text goes on with lines that have no sign of it. */
function afterQuote(text: string): State {
  const content = text.replace(/^(?:>[ \t]?)+/, '').trim();
  const isText = content !== '' && !ATX.test(content) && !FENCE.test(content) && !RULE.test(content);
  return isText ? { kind: 'lazy' } : { kind: 'between' };
}

/** A paragraph goes on with a line that begins like an empty entry of a list, or with a number that is not 1. */
function canInterrupt(text: string, item: RegExpExecArray): boolean {
  return text.slice(item[0].length).trim() !== '' && (item[1] === undefined || Number(item[1]) === 1);
}

/** Columns between the sign of an entry and its text; five and more mean code, which begins after one. */
function blanksBefore(content: string): number {
  const { indent, from } = indentOf(content, 0, content.length);
  return from === content.length || indent > CODE_COLUMNS ? 1 : indent;
}

function* linesOf(text: string): Generator<Line> {
  for (let at = 0; at <= text.length;) {
    const feed = text.indexOf('\n', at);
    const next = feed === -1 ? text.length + 1 : feed + 1;
    let end = feed === -1 ? text.length : feed;
    if (text[end - 1] === '\r' && end > at) end -= 1;
    const { indent, from } = indentOf(text, at, end);
    yield { text: text.slice(from, end), indent, start: from, end };
    at = next;
  }
}

function indentOf(text: string, at: number, end: number): { indent: number; from: number } {
  let indent = 0;
  let from = at;
  for (; from < end; from += 1) {
    if (text[from] === ' ') indent += 1;
    else if (text[from] === '\t') indent += TAB_COLUMNS - (indent % TAB_COLUMNS);
    else break;
  }
  return { indent, from };
}
