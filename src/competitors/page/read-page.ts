import { parseHTML } from 'linkedom';
import { ServiceError } from '../../kernel/errors.ts';
import { readTags } from '../../platform/html-tags.ts';
import { isChrome, SILENT } from './chrome.ts';
import type { PageElement } from './element.ts';
import { readShape, type PageShape } from './page-shape.ts';
import { type Block, isLike, normalText, type PageText, type Selection } from './page-text.ts';

/** Elements that begin a block of their own. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE DIV DL DT DD FIGURE FIGCAPTION FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P ' +
    'SECTION TABLE TBODY THEAD TFOOT TR UL BR OPTION SELECT BUTTON LABEL FIELDSET DETAILS SUMMARY CAPTION BODY CITE'
  ).split(' '),
);
const MAIN = 'main, [role=main], #content, #main';
/** Deeper pages are no pages for people, and reading them takes a stack as deep as they are. */
const MOST_LEVELS = 400;
/** A page with fewer words says next to nothing, unless it names a price. */
const SHELL_WORDS = 20;
const PRICE = /[$€£]\s?\d|\d\s?[$€£]/;
/** One part of the page is taken for its content when what stands beside it is no more than this share of the text. */
const BESIDE_SHARE = 0.15;
const LINKED_SHARE = 0.5;
/** The innermost elements that tell where a block stands. */
const PLACE_DEPTH = 4;
const PLACE_HEADING = 60;
/** Names of cards and terms of definitions end where the next heading begins, whatever its level. */
const NAME_LEVEL = 6;

/**
 * Reads what people see of a page: its content as blocks, without navigation, footers, dialogs and lists that lead elsewhere.
 * Tables, lists and forms of plans count as content. Nothing in the page is run or fetched. Linear in its length.
 *
 * @throws ServiceError `upstream_failed` for a page that is nested deeper than 400 levels; `bad_argument` for a selector
 * that is none.
 */
export function readPage(html: string, { include, remove, ignore: ignored }: Selection): PageText {
  if (readTags(html).levels > MOST_LEVELS) {
    throw new ServiceError('upstream_failed', `The page is nested deeper than ${MOST_LEVELS} levels.`, {
      fix: 'Watch another page.',
    });
  }
  const { document } = parseHTML(
    isWhole(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`,
  );
  const title = normalText(document.querySelector('title')?.textContent ?? '');
  const body: PageElement = document.body;
  for (const selector of remove) for (const element of selectElements(body, selector)) element.remove();
  const roots = include.length > 0 ? include.flatMap((selector) => selectElements(body, selector)) : [contentOf(body)];
  const reader = new BlockReader(include.length > 0);
  for (const root of roots) reader.read(root);
  const blocks = reader.blocks.filter(({ text }) => !ignored.some((pattern) => isLike(text, pattern)));
  const words = blocks.reduce((sum, { text }) => sum + text.split(' ').length, 0);
  const namesPrice = blocks.some(({ text }) => PRICE.test(text));
  return {
    title,
    blocks,
    isEmptyShell: words < SHELL_WORDS && !namesPrice && document.querySelector('script') !== null,
    isFeed: false,
  };
}

function isWhole(html: string): boolean {
  return /<body[\s>]/i.test(html);
}

function selectElements(body: PageElement, selector: string): PageElement[] {
  try {
    return [...body.querySelectorAll(selector)];
  } catch (cause) {
    throw new ServiceError('bad_argument', `"${selector.slice(0, 200)}" is not a CSS selector.`, {
      fix: 'Correct the selectors of the watched page.',
      cause,
    });
  }
}

/** The part of the page that holds its content: what its author marked as such, else the one that holds nearly all text. */
function contentOf(body: PageElement): PageElement {
  const whole = lengthOf(body);
  const marked = [...body.querySelectorAll(MAIN)].find((element) => lengthOf(element) >= whole / 4);
  let root = marked ?? body;
  for (;;) {
    const next = soleContent(root);
    if (next === undefined) return root;
    root = next;
  }
}

/** The child beside which there is nothing but a little text, or lists of links. */
function soleContent(root: PageElement): PageElement | undefined {
  const parts = [...root.children].filter(({ tagName }) => !SILENT.has(tagName.toUpperCase()));
  const sizes = parts.map(lengthOf);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const at = sizes.indexOf(Math.max(...sizes, 0));
  const [part, size = 0] = [parts[at], sizes[at]];
  if (part === undefined || whole === 0 || size < whole / 2 || !/^(?:DIV|SECTION|MAIN|ARTICLE)$/i.test(part.tagName))
    return undefined;
  if (lengthOf(root) - whole > BESIDE_SHARE * whole) return undefined;
  const beside = parts.filter((other) => other !== part);
  const isAlone = beside.every((other) => !isContent(other)) || whole - size <= 0;
  return isAlone ? part : undefined;
}

function isContent(element: PageElement): boolean {
  if (isChrome(element, false)) return false;
  const length = lengthOf(element);
  if (length === 0) return false;
  return element.querySelector('h1, h2, table') !== null || /^(?:H[1-6]|P|UL|OL|TABLE)$/i.test(element.tagName)
    ? true
    : linkedLength(element) < LINKED_SHARE * length;
}

/** Characters of an element that are in links. */
function linkedLength(element: PageElement): number {
  return [...element.querySelectorAll('a')].reduce((sum, link) => sum + lengthOf(link), 0);
}

function lengthOf(element: PageElement): number {
  if (SILENT.has(element.tagName.toUpperCase())) return 0;
  return (element.textContent ?? '').replaceAll(/\s+/g, '').length;
}

/** Collects blocks in the order of the page. */
class BlockReader {
  readonly blocks: Block[] = [];
  readonly #isChosen: boolean;
  #shape: PageShape = { names: new Set(), prices: new Set() };
  #parts: string[] = [];
  #level = 0;
  #path: string[] = [];
  #place: string[] = [];
  #heading = '';

  /** `isChosen`: somebody named these parts, so none of them is left out as chrome. */
  constructor(isChosen: boolean) {
    this.#isChosen = isChosen;
  }

  read(root: PageElement): void {
    const isInside = root.closest('main, article, [role=main]') !== null;
    this.#shape = readShape(root);
    this.#element(root, { isRow: false, level: 0, isInside });
    this.#end();
  }

  #element(element: PageElement, at: { isRow: boolean; level: number; isInside: boolean }): void {
    const tag = element.tagName.toUpperCase();
    if (SILENT.has(tag) || (!this.#isChosen && isChrome(element, at.isInside))) return;
    if (tag === 'PRE') return this.#code(element);
    if (at.isRow && (tag === 'TD' || tag === 'TH')) {
      if (this.#parts.length === 0) [this.#level, this.#place] = [0, this.#path.slice(-PLACE_DEPTH)];
      this.#parts.push(this.#parts.length === 0 ? '' : ' | ');
    }
    const isBlock = BLOCKS.has(tag) && !at.isRow;
    if (isBlock) this.#end();
    else if (at.isRow && BLOCKS.has(tag)) this.#parts.push(' ');
    if (tag === 'SUP') this.#parts.push(this.#markBefore(element));
    const level = this.#shape.names.has(element) ? NAME_LEVEL : /^H[1-6]$/.test(tag) ? Number(tag[1]) : at.level;
    const inner = {
      isRow: at.isRow || tag === 'TR' || this.#shape.prices.has(element),
      level,
      isInside: at.isInside || tag === 'MAIN' || tag === 'ARTICLE',
    };
    this.#path.push(tag.toLowerCase());
    for (const child of element.childNodes) {
      if (child.nodeType === 3) this.#text(child.textContent ?? '', level);
      else if (child.nodeType === 1) this.#element(child as PageElement, inner);
    }
    if (isBlock) this.#end();
    this.#path.pop();
  }

  #text(text: string, level: number): void {
    if (this.#parts.length === 0 && text.trim() === '') return;
    if (this.#parts.every((part) => part.trim() === ''))
      [this.#level, this.#place] = [level, this.#path.slice(-PLACE_DEPTH)];
    this.#parts.push(text);
  }

  /** Returns the mark that separates a raised number from the number before it: cents, or a note. */
  #markBefore(element: PageElement): string {
    const [before, raised] = [this.#parts.join(''), (element.textContent ?? '').trim()];
    if (!/\d$/.test(before) || !/^\d/.test(raised)) return '';
    return /^\d\d$/.test(raised) && /\p{Sc}\s?[\d.,]+$/u.test(before) ? '.' : ' ';
  }

  #code(element: PageElement): void {
    this.#end();
    for (const line of (element.textContent ?? '').split('\n')) {
      [this.#parts, this.#level, this.#place] = [[line], 0, ['pre']];
      this.#end();
    }
  }

  #end(): void {
    const text = normalText(this.#parts.join(''));
    this.#parts = [];
    if (text === '') return;
    if (this.#level > 0) this.#heading = text.slice(0, PLACE_HEADING);
    const heading = this.#level > 0 ? '' : this.#heading;
    this.blocks.push({ text, level: this.#level, place: `${this.#place.join('>')} ${heading}` });
  }
}
