import type { Entry } from '../../knowledge/knowledge.ts';
import { type Block, blocksOfText, textOfBlocks, pageWords } from '../page/page-text.ts';
import type { PageRow } from '../store/store.ts';

/** Sections of a page that searches have, from its top. */
const MOST_SECTIONS = 100;
const SECTION_CHARACTERS = 10_000;
/** A page with fewer words says next to nothing: what is read of it is hardly what people see. */
const FEW_WORDS = 12;

/** The text of a page as a thing of searches. */
export function pageThing({ id }: Pick<PageRow, 'id'>): { corpus: 'competitors'; id: string } {
  return { corpus: 'competitors', id: `page:${id}` };
}

/** Returns the search entries of a page: one for each section. */
export function pageEntries(
  { competitor, kind, url }: Pick<PageRow, 'competitor' | 'kind' | 'url'>,
  { title, text, at }: { title: string; text: string; at: Date },
): Entry[] {
  const name = `${competitor}: ${title === '' ? url : title}`;
  const shared = { kind, title: name, date: at, tags: [kind], customer: '', segment: '', source: url };
  return sectionsOf(blocksOfText(text))
    .slice(0, MOST_SECTIONS)
    .map(({ heading, blocks }, part) => ({
      ...shared,
      part: String(part),
      section: heading,
      text: textOfBlocks(blocks).slice(0, SECTION_CHARACTERS),
    }));
}

/**
 * Splits a page into the blocks below each heading, and those before the first one. A heading with nothing below it is part of
 * the next section.
 */
function sectionsOf(blocks: readonly Block[]): { heading: string; blocks: Block[] }[] {
  const sections: { heading: string; blocks: Block[] }[] = [];
  for (const block of blocks) {
    const open = sections.at(-1);
    const isBare = open !== undefined && open.blocks.every(({ level }) => level > 0);
    if (open === undefined || (block.level > 0 && !isBare))
      sections.push({ heading: block.level > 0 ? block.text : '', blocks: [block] });
    else open.blocks.push(block);
  }
  return sections;
}

/** A warning about a page that says next to nothing; '' for others. */
export function describeThinPage(blocks: readonly Block[]): string {
  const text = blocks.map((block) => block.text).join(' ');
  const words = pageWords(text).length;
  if (words >= FEW_WORDS || /\d\s?\p{Sc}|\p{Sc}\s?\d/u.test(text)) return '';
  const what = words === 0 ? 'no words' : `only ${words} ${words === 1 ? 'word' : 'words'}: "${text.slice(0, 80)}"`;
  return `Warning: the page shows ${what}. Open it in a browser; scripts, a consent page or the selectors may hide its content.`;
}
