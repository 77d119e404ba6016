import { limitWords } from './limit-words.ts';
import type { Paragraph } from './prose.ts';
import { saysAll } from '../../kernel/says-all.ts';
import { citedEntries } from './settle.ts';

/** How much an answer shows: lines of code by what they are of, other places of which lines are shown, and calls that are told. */
export interface Layout {
  main: number;
  near: number;
  other: number;
  shown: number;
  calls: number;
}

/**
 * The most that an answer shows, then less and less. What is called goes before lines of the places that may be meant, and the last
 * of those before lines of the first: many lines of few places say more than a few lines of each.
 */
const LAYOUTS: readonly Layout[] = [
  { main: 48, near: 30, other: 8, shown: 5, calls: 20 },
  { main: 48, near: 30, other: 8, shown: 5, calls: 4 },
  { main: 48, near: 30, other: 4, shown: 5, calls: 0 },
  { main: 40, near: 30, other: 4, shown: 4, calls: 0 },
  { main: 40, near: 30, other: 4, shown: 3, calls: 0 },
];
/** What an answer has around its paragraphs and sources. */
const FRAME = 270;
/** Characters around the number of a source, and around each of its lines. */
const NUMBER_FRAME = 5;
const LINE_FRAME = 3;

/** What `compose` tells in the first layout that fits into a number of characters; in the last one where none does. */
export function composeWithin(compose: (layout: Layout) => Paragraph[], characters: number): Paragraph[] {
  let composed: Paragraph[] = [];
  for (const layout of LAYOUTS) {
    composed = compose(layout);
    if (lengthOf(composed) <= characters) break;
  }
  return composed;
}

/** About how many characters an answer has, with the lines of its sources. */
function lengthOf(paragraphs: readonly Paragraph[]): number {
  const told = limitWords(paragraphs);
  const sentences = told.flatMap((paragraph) => paragraph.sentences);
  const said = sentences.reduce((sum, { text, sources }) => sum + text.length + 3 + 4 * sources.length, 0);
  let before = '';
  let listed = 0;
  for (const entry of citedEntries(told)) {
    const isQuoted =
      entry.kind !== 'commit' &&
      !sentences.some(({ text, sources }) => sources.includes(entry) && saysAll(text, entry.text));
    const isBeside = !isQuoted && entry.kind === 'code' && before === entry.path;
    const place = isBeside
      ? entry.id.length - (entry.path?.length ?? 0)
      : entry.id.length + (entry.title?.length ?? 0) + 3;
    listed += NUMBER_FRAME + place + (isQuoted ? lengthOfLines(entry.text) : 0);
    before = isQuoted ? '' : (entry.path ?? '');
  }
  return FRAME + said + listed;
}

function lengthOfLines(text: string): number {
  const lines = text.split('\n');
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  return text.length + (LINE_FRAME - 1 - Math.min(...depths)) * lines.length;
}
