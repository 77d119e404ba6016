import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { type Block, type ParsedDocument, sectionsOf } from './sections.ts';

/** Elements that hold no text for people. */
const SILENT = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD', 'NAV', 'IFRAME']);
/** Elements that begin a line of their own. */
const LINES = new Set(
  'P DIV LI UL OL TR TABLE SECTION ARTICLE BLOCKQUOTE PRE BR DT DD DL FIGURE HEADER FOOTER MAIN ASIDE'.split(' '),
);
const ELEMENT = 1;
const TEXT = 3;

/** What is read of a node; the parser's own types want those of a browser. */
interface HtmlNode {
  nodeType: number;
  nodeName: string;
  textContent: string | null;
  childNodes: Iterable<HtmlNode>;
}

/** Reads a page: its article without what surrounds it when there is one, otherwise all of it. Nothing in it is run. */
export function parseHtml(source: string): ParsedDocument {
  const title = parseHTML(source).document.querySelector('title')?.textContent?.trim() ?? '';
  const body = bodyOf(source);
  const article = new Readability(pageOf(body), { charThreshold: 200 }).parse();
  const parsed = parseHtmlContent(article?.content ?? body);
  return { ...parsed, title: title === '' ? parsed.title : title };
}

/** Reads markup all of which is content. */
export function parseHtmlContent(source: string): ParsedDocument {
  const blocks = blocksOf(pageOf(bodyOf(source)).body);
  const title = blocks.find((block) => block.path.length > 0)?.path[0] ?? '';
  return { title, tags: [], sections: sectionsOf(blocks) };
}

/** A whole page: the parser does not add what a browser would. */
function pageOf(body: string) {
  return parseHTML(`<!doctype html><html><head></head><body>${body}</body></html>`).document;
}

function bodyOf(source: string): string {
  return /<body\b[^>]*>([\s\S]*)<\/body>/i.exec(source)?.[1] ?? source;
}

/** Walks without recursion: hostile markup is nested deeper than a stack. */
function blocksOf(body: HtmlNode): Block[] {
  const blocks: { path: string[]; text: string }[] = [{ path: [], text: '' }];
  const open: { depth: number; text: string }[] = [];
  const stack: (HtmlNode | 'line')[] = [body];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const block = blocks.at(-1);
    if (block === undefined) break;
    if (node === 'line') {
      block.text += '\n';
      continue;
    }
    if (node.nodeType === TEXT) block.text += (node.textContent ?? '').replaceAll(/\s+/g, ' ');
    if (node.nodeType !== ELEMENT || SILENT.has(node.nodeName.toUpperCase())) continue;
    const name = node.nodeName.toUpperCase();
    const depth = /^H([1-6])$/.exec(name)?.[1];
    if (depth !== undefined) {
      while ((open.at(-1)?.depth ?? 0) >= Number(depth)) open.pop();
      open.push({ depth: Number(depth), text: (node.textContent ?? '').replaceAll(/\s+/g, ' ').trim() });
      blocks.push({ path: open.map((one) => one.text).filter((one) => one !== ''), text: '' });
      continue;
    }
    if (LINES.has(name)) {
      block.text += '\n';
      stack.push('line');
    }
    stack.push(...[...node.childNodes].toReversed());
  }
  return blocks.map(({ path, text }) => ({
    path,
    text: text.replaceAll(/ *\n */g, '\n').replaceAll(/\n{3,}/g, '\n\n'),
  }));
}
