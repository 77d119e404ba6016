import { identifierWords, isAcronymPlural } from '../../kernel/identifier-parts.ts';
import { stem, termsOfWord } from '../../kernel/terms.ts';

/** A word as it was written, and the stem under which its forms meet. */
export interface Word {
  written: string;
  stem: string;
}

const WORD = /\p{L}[\p{L}\p{N}]*(?:['’]\p{L}+)?/gu;
/** What a word written like an identifier has; product names such as `iOS` stay one word. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/u;
/** Longer words are data. */
const LONGEST_WORD = 40;

/** Words of at least so many letters share parts with their compounds: `Ticketautomat`, `Automaten`. */
const LEAST_COMPOUND = 7;
const PART_LETTERS = 5;

/** The words of a text in order, of any language. Numbers are none. */
export function wordsOf(text: string): Word[] {
  return (text.match(WORD) ?? [])
    .filter((word) => word.length <= LONGEST_WORD)
    .flatMap((word) => (HUMP.test(word) ? identifierWords(word) : [word]))
    .filter((word) => word.length > 1)
    .map((written) => ({ written, stem: stemOf(written) }));
}

/** The stem of a word as people write it: without a possessive, capitals without their plural `s`. */
function stemOf(written: string): string {
  const own = written.replace(/['’]s$/i, '');
  const singular = isAcronymPlural(own) ? own.slice(0, -1) : own;
  return stem(singular.toLowerCase().replaceAll('’', "'"));
}

/** The runs of letters by which a long word meets its compounds and its other forms; none of a short one. */
export function partsOfWord(written: string): string[] {
  const word = written.toLowerCase();
  if (word.length < LEAST_COMPOUND) return [];
  return Array.from({ length: word.length - PART_LETTERS + 1 }, (_, at) => word.slice(at, at + PART_LETTERS));
}

/** Words of grammar and politeness, English beside those that say nothing about code either, and German. */
const FUNCTION_WORDS = new Set(
  (
    'why how what where about because like get got want need know please still ve re ll won isn aren doesn didn hello hi hey ' +
    'thanks thank really even ever never always yes ok amp ' +
    'der die das den dem des ein eine einen einem einer eines und oder aber auch nicht kein keine keinen ist sind war waren ' +
    'bin bist sein wird werden wurde wurden worden hat habe haben hatte hatten ich du er sie es wir ihr mich mir dich dir uns ' +
    'euch ihm ihn ihnen mein meine meinen meiner dein deine unser unsere euer eure ihre ihren seine zu zum zur in im ins an am ' +
    'auf aus bei beim mit nach von vom vor für über unter um durch gegen ohne bis seit als wie wenn dass weil ob so noch nur ' +
    'schon mal doch ja nein man sich was wer wo warum wann hier da dort dann denn diese dieser dieses diesen jetzt heute immer ' +
    'wieder sehr mehr viel kann können könnte muss müssen soll sollte will würde mag bitte danke hallo'
  ).split(' '),
);

/** Articles, pronouns and the like of English and German. */
export function isFunctionWord(written: string): boolean {
  const word = written.toLowerCase();
  return FUNCTION_WORDS.has(word) || termsOfWord(word).length === 0;
}
