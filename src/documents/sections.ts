import { wordsOf } from '../text/words.ts';

/** Most characters of one section; longer ones are split between paragraphs. */
const SECTION_CHARACTERS = 6_000;

/** Most characters of a heading or title: longer ones have no readers, and every section repeats them. */
export const HEADING_CHARACTERS = 300;

/** Longest id of a section, so that handles stay short. */
const ID_CHARACTERS = 80;

/** A part of a document as it is found and read. */
export interface Section {
  /** Made of the headings that lead to it, so it stays when other parts change. Unique in the document. */
  id: string;
  /** Headings from the outside in, joined by ` › `; '' before the first one. */
  heading: string;
  text: string;
}

/** Text below one heading, as parsers meet it. */
export interface Block {
  /** Headings from the outside in. */
  path: readonly string[];
  text: string;
}

/** Result of parsing a file. */
export interface ParsedDocument {
  /** The first heading or what the file calls itself; '' when it says nothing. */
  title: string;
  tags: readonly string[];
  sections: Section[];
}

/** A document of blocks with the title that its file states, else with its first heading as the title. */
export function documentOf(blocks: readonly Block[], title = ''): ParsedDocument {
  const heading = blocks.find(({ path }) => path.length > 0)?.path[0] ?? '';
  return { title: title || heading, tags: [], sections: sectionsOf(blocks) };
}

/** Sections of blocks, in order. Blocks without text are left out; long ones become several sections. */
export function sectionsOf(blocks: readonly Block[]): Section[] {
  const taken = new Map<string, number>();
  const sections: Section[] = [];
  for (const { path: headings, text } of blocks) {
    const path = headings.map((heading) => heading.slice(0, HEADING_CHARACTERS));
    for (const part of splitText(text)) {
      const base = slug(path.join(' ')) || 'start';
      const times = (taken.get(base) ?? 0) + 1;
      taken.set(base, times);
      sections.push({ id: times === 1 ? base : `${base}~${times}`, heading: path.join(' › '), text: part });
    }
  }
  return sections;
}

/** Letters and digits in lower case with `-` between words. */
function slug(text: string): string {
  const words = wordsOf(text.normalize('NFKC').toLowerCase(), 'plain');
  return words.join('-').slice(0, ID_CHARACTERS).replace(/-$/, '');
}

/** Pieces of at most 6,000 characters, cut at an empty line, else at a line, else anywhere. */
function splitText(text: string): string[] {
  const pieces: string[] = [];
  let remainder = text.trim();
  while (remainder.length > SECTION_CHARACTERS) {
    const window = remainder.slice(0, SECTION_CHARACTERS);
    const cut = [window.lastIndexOf('\n\n'), window.lastIndexOf('\n'), window.lastIndexOf(' ')].find(
      (at) => at > SECTION_CHARACTERS / 2,
    );
    pieces.push(remainder.slice(0, cut ?? SECTION_CHARACTERS).trimEnd());
    remainder = remainder.slice(cut ?? SECTION_CHARACTERS).trimStart();
  }
  if (remainder !== '') pieces.push(remainder);
  return pieces;
}
