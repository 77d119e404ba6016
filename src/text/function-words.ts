import { STOP_WORDS, STOP_WORDS_BY_LANGUAGE } from './stop-words.ts';
import { partsOf, termsOfWord } from './terms.ts';
import { wordsOf } from './words.ts';

/** The languages that have a function word; a word without its apostrophe counts as with it (`dont`). */
const LANGUAGES_OF = new Map<string, Set<string>>();
for (const [language, list] of Object.entries(STOP_WORDS_BY_LANGUAGE))
  for (const word of list)
    for (const spelling of [word, word.replaceAll("'", '')])
      LANGUAGES_OF.set(spelling, (LANGUAGES_OF.get(spelling) ?? new Set()).add(language));

const NONE: ReadonlySet<string> = new Set();

/** True if a word is an article, pronoun or the like of a language, by ISO 639-1; English for one that has no list. */
export function isFunctionWord(written: string, language = 'en'): boolean {
  const word = foldWord(written);
  const listLanguage = language in STOP_WORDS_BY_LANGUAGE ? language : 'en';
  return languagesOfFunctionWord(word).has(listLanguage) || (listLanguage === 'en' && termsOfWord(word).length === 0);
}

/** True if a word only serves the grammar of a question about code. */
export function isQuestionWord(word: string): boolean {
  return STOP_WORDS.question.has(word.toLowerCase()) || partsOf(word).length === 0;
}

/** The same of a question about signals, which may be in other languages than English. */
export function isFeedbackQuestionWord(word: string): boolean {
  return STOP_WORDS.feedback.has(word.toLowerCase()) || termsOfWord(word).length === 0;
}

/** The languages in which a word is a function word. */
function languagesOfFunctionWord(written: string): ReadonlySet<string> {
  return LANGUAGES_OF.get(foldWord(written)) ?? NONE;
}

function foldWord(written: string): string {
  return written.toLowerCase().replaceAll('’', "'");
}

/** Function words that a text needs for its language to be read from it alone. */
const LEAST_HITS = 2;
/** Share of the words of a text: less is said by chance in a language that has no list here. */
const LEAST_SHARE = 0.15;

/**
 * The language of each text by ISO 639-1: the one that came with it, else the one that most of its function words are of. A text
 * that does not show it is taken for one of those that others show: by a single function word, else for the commonest one.
 *
 * @param given as the source writes it, for example `pt-BR`.
 */
export function languagesOf(texts: readonly string[], given: readonly (string | null)[] = []): string[] {
  const hits = texts.map(countHits);
  const evident = hits.map((own, at) => given[at]?.toLowerCase().split(/[-_]/, 1)[0] || evidentLanguage(own));
  const counts = new Map<string, number>();
  for (const language of evident) if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  const commonest = [...counts.keys()].toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return evident.map((language, at) => {
    if (language !== undefined) return language;
    const [likeliest = 'en'] = commonest.toSorted((a, b) => (hits[at]?.get(b) ?? 0) - (hits[at]?.get(a) ?? 0));
    return likeliest;
  });
}

/** The language that a text shows by itself; undefined where its function words are few, of several languages, or none known. */
export function writtenLanguage(text: string): string | undefined {
  const hits = countHits(text);
  const language = evidentLanguage(hits);
  const words = wordsOf(text, 'spoken').length;
  return language !== undefined && (hits.get(language) ?? 0) >= words * LEAST_SHARE ? language : undefined;
}

/** Counts the words of a text that are function words of each language. */
function countHits(text: string): Map<string, number> {
  const hits = new Map<string, number>();
  for (const word of wordsOf(text, 'spoken'))
    for (const language of languagesOfFunctionWord(word)) hits.set(language, (hits.get(language) ?? 0) + 1);
  return hits;
}

function evidentLanguage(hits: ReadonlyMap<string, number>): string | undefined {
  const [first, second] = [...hits].toSorted(([, a], [, b]) => b - a);
  return first !== undefined && first[1] >= LEAST_HITS && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}
