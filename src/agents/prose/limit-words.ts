import type { Paragraph, Sentence } from './prose.ts';

/** What a person reads at once. Who wants more asks with more effort. */
export const MOST_WORDS = 400;

/**
 * The sentences of an answer up to a number of words, in their order: an answer begins with what matters most. The sentence that
 * crosses the limit is left out with all behind it; the first one stays however long it is.
 */
export function limitWords(paragraphs: readonly Paragraph[], most = MOST_WORDS): Paragraph[] {
  let left = most;
  const take = ({ text }: Sentence): boolean => {
    const isFirst = left === most;
    left -= text.split(/\s+/).length;
    return left >= 0 || isFirst;
  };
  return paragraphs.flatMap((paragraph) => {
    const end = paragraph.sentences.findIndex((sentence) => !take(sentence));
    const sentences = end === -1 ? paragraph.sentences : paragraph.sentences.slice(0, end);
    if (end !== -1) left = -1;
    return sentences.length === 0 ? [] : [{ ...paragraph, sentences }];
  });
}
