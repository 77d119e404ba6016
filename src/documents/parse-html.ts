import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { readTags } from '../platform/html-tags.ts';
import { type Block, documentOf, HEADING_CHARACTERS, type ParsedDocument } from './sections.ts';

/** Elements that hold no text for people. */
const SILENT = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD', 'NAV', 'IFRAME', 'TITLE']);
/** Elements that begin a line of their own. */
const LINES = new Set(
  'P DIV LI UL OL TR TABLE SECTION ARTICLE BLOCKQUOTE PRE BR DT DD DL FIGURE HEADER FOOTER MAIN ASIDE'.split(' '),
);
/** Pages beyond either are read whole: finding their article takes a stack as deep as they are, or minutes. */
const ARTICLE_LEVELS = 200;
const ARTICLE_TAGS = 10_000;

/** Size of the head in which the title of a page is looked for. */
const HEAD_CHARACTERS = 64_000;

const HEADING = /^H[1-6]$/;

/** Reads a page: its article without what surrounds it when there is one, otherwise all of it. Nothing in it is run. */
export function parseHtml(source: string): ParsedDocument {
  const body = bodyOf(source);
  const whole = new PageText(body);
  const page = isArticle(whole) ? new PageText(articleOf(body) ?? body) : whole;
  return documentOf(blocksOf(page), titleOf(source.slice(0, HEAD_CHARACTERS)));
}

/** Reads markup that is content only. Linear in its length, however deep it is. */
export function parseHtmlContent(source: string): ParsedDocument {
  return documentOf(htmlBlocks(source));
}

/** The text of markup that is content only, by its headings. */
export function htmlBlocks(source: string): Block[] {
  return blocksOf(new PageText(bodyOf(source)));
}

function blocksOf({ blocks }: PageText): Block[] {
  return blocks
    .map(({ path, parts }) => ({ path, text: textOfLines(parts.join('')) }))
    .filter(({ path, text }) => path.length > 0 || text.trim() !== '');
}

function isArticle({ tags, levels }: PageText): boolean {
  return tags <= ARTICLE_TAGS && levels <= ARTICLE_LEVELS;
}

function articleOf(body: string): string | undefined {
  // A whole page: the parser does not add what a browser would.
  const { document } = parseHTML(`<!doctype html><html><head></head><body>${body}</body></html>`);
  return new Readability(document, { charThreshold: 200 }).parse()?.content ?? undefined;
}

function titleOf(head: string): string {
  const start = head.search(/<title[\s>]/i);
  if (start === -1) return '';
  return parseHTML(head.slice(start)).document.querySelector('title')?.textContent?.trim() ?? '';
}

/** Returns the body; all of the source without one. Searched by position, as a pattern would start again at each tag. */
function bodyOf(source: string): string {
  const tag = source.search(/<body[\s>]/i);
  const start = tag === -1 ? -1 : source.indexOf('>', tag);
  if (start === -1) return source;
  const end = Math.max(source.lastIndexOf('</body>'), source.lastIndexOf('</BODY>'));
  return source.slice(start + 1, end > start ? end : undefined);
}

/** The text of a page by its headings. Looks at one tag after the other: no tree is made, whose depth anybody could choose. */
class PageText {
  readonly blocks: { path: string[]; parts: string[] }[] = [{ path: [], parts: [] }];
  /** Number of tags, and the highest number that are open at a time. */
  readonly tags: number;
  readonly levels: number;
  readonly #headings: { depth: number; text: string }[] = [];
  /** The element whose text is not shown, and how often it is open. */
  #silent: { name: string; times: number } | undefined;
  #heading: { depth: number; parts: string[] } | undefined;

  constructor(source: string) {
    const { tags, levels } = readTags(source, {
      open: (name) => this.#open(name),
      close: (name) => this.#close(name),
      text: (text) => this.#add(text),
    });
    this.#endHeading();
    [this.tags, this.levels] = [tags, levels];
  }

  #add(text: string): void {
    if (this.#silent !== undefined) return;
    (this.#heading ?? this.#block).parts.push(text.replaceAll(/\s+/g, ' '));
  }

  get #block(): { parts: string[] } {
    const block = this.blocks.at(-1);
    if (block === undefined) throw new Error('There is a block from the start on.');
    return block;
  }

  #open(name: string): void {
    if (this.#silent !== undefined) {
      if (this.#silent.name === name) this.#silent.times += 1;
      return;
    }
    if (SILENT.has(name)) {
      this.#silent = { name, times: 1 };
      return;
    }
    if (HEADING.test(name)) {
      this.#endHeading();
      this.#heading = { depth: Number(name.slice(1)), parts: [] };
    } else if (LINES.has(name) && this.#heading === undefined) this.#block.parts.push('\n');
  }

  #close(name: string): void {
    if (this.#silent !== undefined) {
      if (this.#silent.name !== name) return;
      this.#silent.times -= 1;
      if (this.#silent.times === 0) this.#silent = undefined;
      return;
    }
    if (HEADING.test(name)) this.#endHeading();
    else if (LINES.has(name) && this.#heading === undefined) this.#block.parts.push('\n');
  }

  /** Ends the heading: the text that follows is below it. */
  #endHeading(): void {
    if (this.#heading === undefined) return;
    const { depth, parts } = this.#heading;
    this.#heading = undefined;
    while ((this.#headings.at(-1)?.depth ?? 0) >= depth) this.#headings.pop();
    const text = parts.join('').replaceAll(/\s+/g, ' ').trim().slice(0, HEADING_CHARACTERS);
    this.#headings.push({ depth, text });
    this.blocks.push({
      path: this.#headings.map((heading) => heading.text).filter((title) => title !== ''),
      parts: [],
    });
  }
}

/** Without blanks at the ends of lines, and with at most one empty line between two that are not. */
function textOfLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}
