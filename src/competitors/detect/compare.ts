import { type Block, countsOf, subtractItems, pageWords } from '../page/page-text.ts';
import { textOf } from './noise.ts';

/** Blocks that came and went between two states of a page. Those that only moved are in neither. */
export interface Difference {
  added: Block[];
  removed: Block[];
}

/** Compares by content, wherever it stands: lists whose items are in another order are the same. */
export function compareBlocks(before: readonly Block[], after: readonly Block[]): Difference {
  const added = subtractItems(after, before, textOf);
  const removed = subtractItems(before, after, textOf);
  // The same words, cut into other blocks.
  return lettersOf(added) === lettersOf(removed) ? { added: [], removed: [] } : { added, removed };
}

export function isSame({ added, removed }: Difference): boolean {
  return added.length === 0 && removed.length === 0;
}

/** Words that are in one of two lists of texts more often than in the other. */
export function wordDifference(
  added: readonly string[],
  removed: readonly string[],
): { added: string[]; removed: string[] } {
  const [came, went] = [added.flatMap(pageWords), removed.flatMap(pageWords)];
  return { added: subtractItems(came, went, itself), removed: subtractItems(went, came, itself) };
}

/** 0..1: the share of their words that two texts have in common. */
export function likeness(left: string, right: string): number {
  const [a, b] = [pageWords(left), pageWords(right)];
  const common = a.length - subtractItems(a, b, itself).length;
  return (2 * common) / Math.max(1, a.length + b.length);
}

/** The share of the words of `before` that `after` still has; 1 for nothing. */
export function retainedShare(before: readonly Block[], after: readonly Block[]): number {
  const words = before.flatMap(({ text }) => pageWords(text));
  if (words.length === 0) return 1;
  const counts = countsOf(after.flatMap(({ text }) => pageWords(text)));
  const retained = words.filter((word) => {
    const count = counts.get(word) ?? 0;
    if (count > 0) counts.set(word, count - 1);
    return count > 0;
  });
  return retained.length / words.length;
}

function itself(word: string): string {
  return word;
}

function lettersOf(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text.replaceAll(/\s+/g, '')).join('');
}
