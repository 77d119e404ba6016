import { termsOfWord } from '../text/terms.ts';
import { wordsOf } from '../text/words.ts';

/** A word that tells something: its stem, by which it is compared, and how it was written. */
interface DecisionWord {
  stem: string;
  written: string;
}

/** The words of a text that are more than grammar, in its order. */
export function decisionWords(text: string): DecisionWord[] {
  return wordsOf(text, 'term').flatMap((written) => {
    const [stem] = termsOfWord(written);
    return stem === undefined ? [] : [{ stem, written }];
  });
}

export function stemsOf(text: string): Set<string> {
  return new Set(decisionWords(text).map(({ stem }) => stem));
}

/** Share of the stems that two sets have in common (Dice), 0..1. */
export function sharedPart(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = [...left].filter((stem) => right.has(stem)).length;
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size);
}

/** A text by its words and signs that make words, for comparison: case and punctuation do not count. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}+#-]+/gu, ' ')
    .trim();
}
