import { partsOf } from '../../text/terms.ts';

/** Function words of questions beside the stop words of code: code is full of things that happen `before`, `after` or `between`. */
export const FUNCTION_WORDS = new Set(
  (
    'how what why where when which who whom about after against because before below between during few further out up ' +
    'down off above own same such very ever get gets there how many much find show tell explain'
  ).split(' '),
);

/** True if a word only serves the grammar of a question. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word.toLowerCase()) || partsOf(word).length === 0;
}
