import { isFunctionWord } from '../code/units/units.ts';
import { partsOf } from '../kernel/terms.ts';

/** Terms of the words of a text that say something. */
export function contentTerms(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  return words.filter((word) => !isFunctionWord(word)).flatMap((word) => partsOf(word));
}
