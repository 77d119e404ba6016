/** A stretch of a text, by its characters. */
export interface Span {
  from: number;
  to: number;
}

/** What a text consists of. An aside is a note or a warning; a definition is a term with what is said of it. */
type BlockKind = 'prose' | 'aside' | 'list' | 'table' | 'code' | 'definition';

export interface Block extends Span {
  kind: BlockKind;
  /** Items of a list, rows of a table, and what is said of a term: where they stand. */
  parts: readonly Span[];
  /** What a definition defines. */
  term: string;
}

interface Line extends Span {
  text: string;
  indent: number;
}

/** A block, and the line behind it. Without a block, lines that say nothing. */
interface Read {
  block?: Block;
  next: number;
}

/** Fails when a block is not of its kind. */
type Reader = (lines: readonly Line[], at: number) => Read | undefined;

const ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)]|\(\d{1,2}\)|#\.)\s+\S/;
const FENCE = /^\s*(```+|~~~+)/;
const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^\s*(?:\|?(?:\s*:?-{3,}:?\s*\|)+\s*(?::?-{3,}:?\s*\|?)?|[=+-][=+ -]*)\s*$/;
const DRAWN = /^\s*(?:\+[-=+]+\+|={2,}(?:\s+={2,})+)\s*$/;
const DIRECTIVE = /^\s*\.\.\s+([\w:-]+)::\s*(.*)$/;
const ASIDE =
  /^(?:note|notes|warning|tip|hint|caution|danger|important|attention|seealso|versionadded|versionchanged|deprecated)$/;
const MARKED_ASIDE = /^\s*(?:!!!|\?\?\?)\s+\w+/;
/** The fence around a note, and what is only its mark. */
const FENCED_ASIDE = /^\s*:::+\s*\w*/;
/** What a reader does not see: targets of links, and comments. */
const UNSEEN = /^\s*(?:\.\.(?:\s|$)|<!--|\[[^\]]+\]:\s)/;
/** Names and options in front of what is said of them. */
const TERM = /^\s*(?:``[^`]+``|`[^`]+`|\*\*[^*]+\*\*|--?[\w-]+|[A-Z][A-Z\d_]{2,})(?:\s*[,=(<[].*|\s+\S{1,40})?\s*:?$/;
const LONGEST_TERM = 100;
const MOST_WORDS_OF_TERM = 6;
/** Directives that show code, pictures and tables from elsewhere. */
const SHOWN =
  /^(?:code|code-block|sourcecode|literalinclude|image|figure|include|toctree|highlight|contents|raw|math|csv-table)$/;

/** The blocks of a text in Markdown, reStructuredText or plain lines, in their order. Goes through the lines once. */
export function blocksOf(text: string): Block[] {
  const lines = linesOf(text);
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const read = READERS.map((reader) => reader(lines, at)).find((found) => found !== undefined) ?? { next: at + 1 };
    if (read.block !== undefined) blocks.push(read.block);
    at = Math.max(read.next, at + 1);
  }
  return blocks;
}

function linesOf(text: string): Line[] {
  let from = 0;
  return text.split('\n').map((line) => {
    const place = { text: line, from, to: from + line.length, indent: line.search(/\S/) };
    from += line.length + 1;
    return place;
  });
}

function isBlank(line: Line | undefined): boolean {
  return line === undefined || line.indent === -1;
}

function blockOf(kind: BlockKind, of: readonly Line[], parts: readonly Span[] = [], term = ''): Block {
  const seen = of.filter((line) => !isBlank(line));
  return { kind, from: seen[0]?.from ?? 0, to: seen.at(-1)?.to ?? 0, parts, term };
}

/** The line behind those that are deeper than an indent, with the empty ones between them. */
function endOfBody(lines: readonly Line[], at: number, indent: number): number {
  let end = at;
  for (let next = at; next < lines.length; next += 1) {
    const line = lines[next];
    if (line === undefined || isBlank(line)) continue;
    if (line.indent <= indent) break;
    end = next + 1;
  }
  return end;
}

function readNothing(lines: readonly Line[], at: number): Read | undefined {
  const line = lines[at];
  if (line === undefined || isBlank(line)) return { next: at + 1 };
  if (line.text.trim().startsWith('<!--')) {
    const end = lines.findIndex((other, index) => index >= at && other.text.includes('-->'));
    return { next: end === -1 ? lines.length : end + 1 };
  }
  if (!UNSEEN.test(line.text) || DIRECTIVE.test(line.text)) return undefined;
  return { next: line.text.trim().startsWith('..') ? endOfBody(lines, at + 1, line.indent) : at + 1 };
}

function readFence(lines: readonly Line[], at: number): Read | undefined {
  const [, fence] = FENCE.exec(lines[at]?.text ?? '') ?? [];
  if (fence === undefined) return undefined;
  const end = lines.findIndex((line, index) => index > at && line.text.trim().startsWith(fence));
  const next = end === -1 ? lines.length : end + 1;
  return { block: blockOf('code', lines.slice(at, next)), next };
}

function readTable(lines: readonly Line[], at: number): Read | undefined {
  const text = lines[at]?.text ?? '';
  const isDrawn = DRAWN.test(text);
  if (!isDrawn && !ROW.test(text)) return undefined;
  const end = lines.findIndex((line, index) => index > at && (isBlank(line) || !(isDrawn || ROW.test(line.text))));
  const next = end === -1 ? lines.length : end;
  const rows = lines.slice(at, next);
  const parts = rows.filter((line) => !RULE.test(line.text));
  return { block: blockOf('table', rows, parts), next };
}

function readDirective(lines: readonly Line[], at: number): Read | undefined {
  const line = lines[at];
  if (line === undefined) return undefined;
  const [, name = '', argument = ''] = DIRECTIVE.exec(line.text) ?? [];
  if (name === '' && !MARKED_ASIDE.test(line.text)) return undefined;
  const next = Math.max(at + 1, endOfBody(lines, at + 1, line.indent));
  const body = lines.slice(at + 1, next);
  if (SHOWN.test(name)) return { block: blockOf('code', lines.slice(at, next)), next };
  if (name === '' || ASIDE.test(name)) {
    const own = argument === '' ? body : [{ ...line, from: line.from + line.text.indexOf(argument) }, ...body];
    return { ...(own.some((one) => !isBlank(one)) && { block: blockOf('aside', own) }), next };
  }
  return body.some((one) => !isBlank(one))
    ? { block: blockOf('definition', lines.slice(at, next), [blockOf('prose', body)], argument), next }
    : { next };
}

function readFencedAside(lines: readonly Line[], at: number): Read | undefined {
  const line = lines[at];
  if (line === undefined || !FENCED_ASIDE.test(line.text)) return undefined;
  const end = lines.findIndex((other, index) => index > at && /^\s*:::+\s*$/.test(other.text));
  const title = /\[([^\]]+)\]/.exec(line.text);
  const head =
    title === null
      ? []
      : [{ ...line, from: line.from + title.index + 1, to: line.from + title.index + title[0].length - 1 }];
  const body = [...head, ...lines.slice(at + 1, end === -1 ? at + 1 : end)];
  return {
    ...(body.some((one) => !isBlank(one)) && { block: blockOf('aside', body) }),
    next: end === -1 ? at + 1 : end + 1,
  };
}

function readDefinition(lines: readonly Line[], at: number): Read | undefined {
  const line = lines[at];
  if (line === undefined || ITEM.test(line.text)) return undefined;
  const said = line.text.trim();
  if (said.length > LONGEST_TERM || said.split(/\s+/).length > MOST_WORDS_OF_TERM) return undefined;
  const isMarked = /^:\s+\S/.test(lines[at + 1]?.text ?? '');
  const below = lines.slice(at + 1).find((one) => !isBlank(one));
  const isDeeper = below !== undefined && below.indent > line.indent && !ITEM.test(below.text);
  // What stands right below a line and deeper is said of it; behind an empty line only where the line is a name.
  const isSaid = isDeeper && (below === lines[at + 1] ? !/[:.,]$/.test(line.text.trim()) : TERM.test(line.text));
  if (!isMarked && !isSaid) return undefined;
  const blank = lines.findIndex((other, index) => index > at && isBlank(other));
  const next = !isMarked ? endOfBody(lines, at + 1, line.indent) : blank === -1 ? lines.length : blank;
  const whole = blockOf('prose', lines.slice(at + 1, next));
  const body = isMarked ? { ...whole, from: whole.from + 1 } : whole;
  const term = line.text.trim().replaceAll(/[`*]|:$/g, '');
  // `Q` and `A` name nothing.
  if (term.length < 2) return { block: body, next };
  return { block: blockOf('definition', lines.slice(at, next), [body], term), next };
}

function readList(lines: readonly Line[], at: number): Read | undefined {
  const [first] = lines.slice(at, at + 1);
  if (first === undefined || !ITEM.test(first.text)) return undefined;
  const starts: number[] = [];
  let next = at;
  for (; next < lines.length; next += 1) {
    const line = lines[next];
    if (line === undefined || isBlank(line)) continue;
    const isItem = ITEM.test(line.text) && line.indent <= first.indent;
    if (isItem) starts.push(next);
    else if (line.indent <= first.indent && isBlank(lines[next - 1])) break;
    else if (UNSEEN.test(line.text) && line.indent <= first.indent) break;
  }
  const parts = starts.flatMap((start, index) => itemsOf(lines.slice(start, starts[index + 1] ?? next)));
  return { block: blockOf('list', lines.slice(at, next), parts), next };
}

/** What only names what the items in it are: `- Features`, `- Bug fixes:`. */
const NAMES_ITEMS = /^\s*\S+\s+\S+(?:\s\S+)?$/;

/** An item, or those in it where it only names them. */
function itemsOf(lines: readonly Line[]): Span[] {
  const [first, ...rest] = lines;
  const below = rest.find((line) => !isBlank(line));
  if (first === undefined || below === undefined || !NAMES_ITEMS.test(first.text) || !ITEM.test(below.text))
    return [blockOf('list', lines)];
  const starts = rest.flatMap((line, at) => (ITEM.test(line.text) && line.indent === below.indent ? [at] : []));
  return starts.map((start, index) => blockOf('list', rest.slice(start, starts[index + 1])));
}

function readProse(lines: readonly Line[], at: number): Read | undefined {
  const [first] = lines.slice(at, at + 1);
  if (first === undefined) return undefined;
  let next = at + 1;
  while (next < lines.length) {
    const line = lines[next];
    if (line === undefined || isBlank(line) || ITEM.test(line.text) || FENCE.test(line.text) || ROW.test(line.text))
      break;
    if (DIRECTIVE.test(line.text)) break;
    next += 1;
  }
  return { block: blockOf('prose', lines.slice(at, next)), next };
}

/** What is indented so far is code in Markdown, and behind two colons in reStructuredText whatever its depth. */
const CODE_INDENT = 4;

function readCode(lines: readonly Line[], at: number): Read | undefined {
  const indent = lines[at]?.indent ?? -1;
  const before = lines.slice(0, at).findLast((line) => !isBlank(line));
  if (before === undefined || indent <= before.indent || !isBlank(lines[at - 1])) return undefined;
  const isLed = before.text.trimEnd().endsWith('::');
  if (!isLed && (indent < CODE_INDENT || before.indent > 0)) return undefined;
  const next = endOfBody(lines, at, before.indent);
  return { block: blockOf('code', lines.slice(at, next)), next };
}

const READERS: readonly Reader[] = [
  readNothing,
  readFence,
  readTable,
  readCode,
  readDirective,
  readFencedAside,
  readDefinition,
  readList,
  readProse,
];
