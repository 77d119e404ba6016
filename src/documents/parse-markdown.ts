import type { Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { parse as parseYaml } from 'yaml';
import { type RawHeading, markdownHeadings } from './markdown-headings.ts';
import { type Block, HEADING_CHARACTERS, type ParsedDocument, sectionsOf } from './sections.ts';

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
/** Longest front matter that is looked at, and most tags of it. */
const FRONT_MATTER_CHARACTERS = 64_000;
const MOST_TAGS = 50;
/** Headings that are shown without their markup: more of them have no readers, and each takes up to a millisecond. */
const PLAIN_HEADINGS = 5_000;

const MARKUP = unified().use(remarkParse).use(remarkGfm).freeze();

/**
 * Reads Markdown: one section a heading, its text as it was written. The front matter gives title and tags. Linear in the
 * length of the text, also when it was written to take long.
 */
export function parseMarkdown(source: string): ParsedDocument {
  const front = FRONT_MATTER.exec(source);
  const body = front === null ? source : source.slice(front[0].length);
  const fields = front === null ? {} : readFrontMatter(front[1] ?? '');
  const headings = markdownHeadings(body).map(({ raw, ...span }, index) => ({
    ...span,
    text: index < PLAIN_HEADINGS ? plainText(raw) : raw.slice(0, HEADING_CHARACTERS),
  }));
  const title = fields.title ?? headings[0]?.text ?? '';
  return { title, tags: fields.tags ?? [], sections: sectionsOf(blocksBelow(body, headings)) };
}

/** The text of a heading without its emphasis, links and code. */
function plainText(raw: string): string {
  const line = raw.slice(0, HEADING_CHARACTERS).replaceAll(/\s+/g, ' ').trim();
  return /[[\]*_~`<&\\:@]/.test(line) ? MARKUP.parse(`# ${line}`).children.map(textOf).join(' ') : line;
}

/** A heading in a text. */
export interface LocatedHeading extends Omit<RawHeading, 'raw'> {
  text: string;
}

/** Cuts a text at its headings (in order) into the parts below each, and before the first one. */
export function blocksBelow(text: string, headings: readonly LocatedHeading[]): Block[] {
  const blocks: Block[] = [{ path: [], text: text.slice(0, headings[0]?.start) }];
  const open: LocatedHeading[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((open.at(-1)?.depth ?? 0) >= heading.depth) open.pop();
    open.push(heading);
    const path = open.map((ancestor) => ancestor.text).filter((title) => title !== '');
    blocks.push({ path, text: text.slice(heading.end, headings[index + 1]?.start) });
  }
  return blocks;
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  if ('children' in node) return node.children.map(textOf).join('').replaceAll(/\s+/g, ' ').trim();
  return '';
}

/** Title and tags; nothing when it is no YAML, which many files that begin with a rule are not. */
function readFrontMatter(source: string): { title?: string; tags?: string[] } {
  if (source.length > FRONT_MATTER_CHARACTERS) return {};
  let fields: unknown;
  try {
    fields = parseYaml(source, { maxAliasCount: 10 });
  } catch {
    return {};
  }
  if (typeof fields !== 'object' || fields === null) return {};
  const { title, tags } = fields as { title?: unknown; tags?: unknown };
  const list = Array.isArray(tags) ? tags : typeof tags === 'string' ? tags.split(',') : [];
  const names = list
    .slice(0, MOST_TAGS)
    .map((tag) => String(tag).trim())
    .filter((tag) => tag !== '');
  return { ...(typeof title === 'string' && { title }), tags: names };
}
