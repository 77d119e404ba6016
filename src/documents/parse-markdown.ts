import type { Heading, Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { parse as parseYaml } from 'yaml';
import { type Block, type ParsedDocument, sectionsOf } from './sections.ts';

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** Reads Markdown: one section a heading, its text as it was written. The front matter gives title and tags. */
export function parseMarkdown(source: string): ParsedDocument {
  const front = FRONT_MATTER.exec(source);
  const body = front === null ? source : source.slice(front[0].length);
  const fields = front === null ? {} : readFrontMatter(front[1] ?? '');
  const headings = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .parse(body)
    .children.filter((node) => node.type === 'heading');
  const blocks = blocksBelow(
    body,
    headings.map((heading) => ({
      depth: heading.depth,
      text: textOf(heading),
      start: heading.position?.start.offset ?? 0,
      end: heading.position?.end.offset ?? 0,
    })),
  );
  const [first] = headings;
  const title = fields.title ?? (first === undefined ? '' : textOf(first));
  return { title, tags: fields.tags ?? [], sections: sectionsOf(blocks) };
}

/** A heading in a text. */
export interface HeadingPlace {
  /** 1 is the outermost. */
  depth: number;
  text: string;
  /** Where it begins, and where what stands below it does. */
  start: number;
  end: number;
}

/** Cuts a text at its headings (in order) into what stands below each, and before the first one. */
export function blocksBelow(text: string, headings: readonly HeadingPlace[]): Block[] {
  const blocks: Block[] = [{ path: [], text: text.slice(0, headings[0]?.start) }];
  const open: HeadingPlace[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((open.at(-1)?.depth ?? 0) >= heading.depth) open.pop();
    open.push(heading);
    const path = open.map((one) => one.text).filter((one) => one !== '');
    blocks.push({ path, text: text.slice(heading.end, headings[index + 1]?.start) });
  }
  return blocks;
}

function textOf(node: Heading | Nodes): string {
  if ('value' in node) return node.value;
  if ('children' in node) return node.children.map(textOf).join('').replaceAll(/\s+/g, ' ').trim();
  return '';
}

/** Title and tags; nothing when it is no YAML, which many files that begin with a rule are not. */
function readFrontMatter(source: string): { title?: string; tags?: string[] } {
  let fields: unknown;
  try {
    fields = parseYaml(source, { maxAliasCount: 10 });
  } catch {
    return {};
  }
  if (typeof fields !== 'object' || fields === null) return {};
  const { title, tags } = fields as { title?: unknown; tags?: unknown };
  const list = Array.isArray(tags) ? tags : typeof tags === 'string' ? tags.split(',') : [];
  const names = list.map((tag) => String(tag).trim()).filter((tag) => tag !== '');
  return { ...(typeof title === 'string' && { title }), tags: names };
}
