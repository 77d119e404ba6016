import { FactsBuilder } from '../facts/facts-builder.ts';
import { DefinitionFlag, DefinitionKind, type FileFacts, ScopeKind } from '../facts/facts.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*$/;
/** Lines that are no paragraph, so that a line of `-` under them is no heading. */
const NO_PARAGRAPH = /^\s*$|^ {0,3}([-*+>|]|\d+[.)])\s|^ {4}|^ {0,3}[|<]/;
/** Longest text under a heading that is kept as its description, in characters. */
const LONGEST_DESCRIPTION = 500;

interface Line {
  text: string;
  start: number;
}

interface Heading {
  level: number;
  name: string;
  nameStart: number;
  start: number;
  /** End of the line (or the underline) of the heading. */
  head: number;
  /** Index of the first line after it. */
  next: number;
}

/**
 * The headings of a Markdown text, one inside the other by level: each spans all up to the next heading of its own level
 * or above, and is described by the paragraph that follows it. What stands in code blocks, comments and front matter is
 * no heading. Linear in the text.
 */
export function extractMarkdown(text: string): FileFacts {
  const facts = new FactsBuilder('markdown', text);
  facts.scope(-1, ScopeKind.module);
  const lines = linesOf(text);
  const open: { level: number; definition: number }[] = [];
  for (const heading of headingsOf(lines)) {
    while ((open.at(-1)?.level ?? 0) >= heading.level) closeSections(facts, open, heading.start);
    const owner = open.at(-1)?.definition ?? -1;
    const definition = facts.define({
      name: heading.name,
      kind: DefinitionKind.heading,
      flags: DefinitionFlag.exported | DefinitionFlag.topLevel,
      nameStart: heading.nameStart,
      start: heading.start,
      end: text.length,
      scope: owner === -1 ? 0 : -1,
      owner,
    });
    facts.amend(definition, 'head', heading.head);
    describe(facts, definition, lines, heading.next);
    open.push({ level: heading.level, definition });
  }
  return facts.finish();
}

function closeSections(facts: FactsBuilder, open: { level: number; definition: number }[], end: number): void {
  const closed = open.pop();
  if (closed !== undefined) facts.amend(closed.definition, 'end', end);
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    lines.push({ text: text.slice(start, text[end - 1] === '\r' ? end - 1 : end), start });
    start = end + 1;
  }
  return lines;
}

/** The lines that are prose, by index: neither front matter, nor code between fences, nor comments. */
function* proseOf(lines: readonly Line[]): Generator<number> {
  let fence = '';
  let isComment = false;
  const front =
    lines[0]?.text === '---' ? lines.findIndex(({ text }, at) => at > 0 && /^(---|\.\.\.)$/.test(text)) : -1;
  for (let at = front + 1; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? '';
    const mark = FENCE.exec(text)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence) && text.trim() === mark) fence = '';
    } else if (isComment) isComment = !text.includes('-->');
    else if (mark !== '') fence = mark;
    else if (/^ {0,3}<!--/.test(text)) isComment = !text.includes('-->');
    else yield at;
  }
}

function* headingsOf(lines: readonly Line[]): Generator<Heading> {
  let before = -1;
  for (const at of proseOf(lines)) {
    const line = lines[at];
    const above = before === at - 1 ? lines[before] : undefined;
    before = at;
    if (line === undefined) continue;
    const [, marks, written = ''] = HEADING.exec(line.text) ?? [];
    const end = line.start + line.text.length;
    if (marks !== undefined) {
      const name = plainText(written);
      const nameStart = line.start + Math.max(line.text.indexOf(written, line.text.indexOf(marks) + marks.length), 0);
      if (name !== '') yield { level: marks.length, name, nameStart, start: line.start, head: end, next: at + 1 };
      continue;
    }
    const underline = UNDERLINE.exec(line.text)?.[1];
    if (underline === undefined || above === undefined || NO_PARAGRAPH.test(above.text) || HEADING.test(above.text))
      continue;
    const nameStart = above.start + (above.text.length - above.text.trimStart().length);
    const level = underline.startsWith('=') ? 1 : 2;
    const name = plainText(above.text);
    if (name !== '') yield { level, name, nameStart, start: above.start, head: end, next: at + 1 };
    before = -1;
  }
}

/** A heading as it is read: links and images are their text, marks of emphasis and code are left out. */
function plainText(written: string): string {
  return written
    .replaceAll(/<!--.*?-->|<[^<>]*>/g, '')
    .replaceAll(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, '$1')
    .replaceAll(/\{#[^{}]*\}|[`*]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Notes the first paragraph under a heading as its description. */
function describe(facts: FactsBuilder, definition: number, lines: readonly Line[], from: number): void {
  let at = from;
  while (at < lines.length && (lines[at]?.text ?? '').trim() === '') at += 1;
  const first = lines[at];
  if (first === undefined || HEADING.test(first.text) || FENCE.test(first.text) || NO_PARAGRAPH.test(first.text))
    return;
  let end = first.start;
  for (; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || line.text.trim() === '' || end - first.start > LONGEST_DESCRIPTION) break;
    end = line.start + line.text.length;
  }
  if (UNDERLINE.test(lines[at - 1]?.text ?? '')) return;
  facts.amend(definition, 'docStart', first.start);
  facts.amend(definition, 'docEnd', end);
}
