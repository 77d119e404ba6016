import { identifierWords, isAcronymPlural } from './identifier-parts.ts';
import { stem } from './stem.ts';
import { wordsOf } from './words.ts';

/** A word as it was written, and the stem under which its forms meet. */
interface Word {
  written: string;
  stem: string;
}

/** The hump of a word that is written like an identifier; product names such as `iOS` stay one word. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/u;
/** Longer words are data. */
const LONGEST_WORD = 40;

/** The words of a text in order, of any language. Numbers are none. */
export function proseWords(text: string): Word[] {
  return wordsOf(text, 'prose')
    .filter((word) => word.length <= LONGEST_WORD)
    .flatMap((word) => (HUMP.test(word) ? identifierWords(word) : [word]))
    .filter((word) => word.length > 1)
    .map((written) => ({ written, stem: stemOf(written) }));
}

/** The stem of a word as people write it: without a possessive, capitals without their plural `s`. */
export function stemOf(written: string): string {
  const own = written.replace(/['’]s$/i, '');
  const singular = isAcronymPlural(own) ? own.slice(0, -1) : own;
  return stem(singular.toLowerCase().replaceAll('’', "'"));
}
