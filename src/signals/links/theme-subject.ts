import { termsOf } from '../../text/terms.ts';
import { contrastOf } from '../../text/term-weights.ts';
import { isFunctionWord } from '../../text/function-words.ts';
import { wordsOf } from '../../text/words.ts';

/** A text of a theme. */
interface SubjectText {
  text: string;
  /** ISO 639-1. */
  language: string;
}

/** A term that the texts of one theme have more often than others: how much more, and how a text writes it. */
export interface SubjectTerm {
  term: string;
  word: string;
  weight: number;
}

/** Texts of a theme that have a term before it belongs to the subject. */
const LEAST_TEXTS = 2;
const MOST_TERMS = 12;

/**
 * The subject of each theme: the terms for which its texts have the greatest preference over the texts of all other themes, heaviest
 * first. Function words are left out.
 */
export function subjectsOf(themes: ReadonlyMap<string, readonly SubjectText[]>): Map<string, SubjectTerm[]> {
  const everywhere = new Map<string, number>();
  let all = 0;
  const counted = Array.from(themes, ([theme, texts]) => {
    const counts = countTerms(texts);
    all += texts.length;
    for (const [term, { texts: having }] of counts) everywhere.set(term, (everywhere.get(term) ?? 0) + having);
    return { theme, size: texts.length, counts };
  });
  return new Map(
    counted.map(({ theme, size, counts }) => {
      const terms = Array.from(counts, ([term, { texts, word }]) => {
        const having = { group: texts, all: everywhere.get(term) ?? 0 };
        return { term, word, texts, weight: contrastOf(having, { group: size, all }) };
      });
      const heaviest = terms
        .filter(({ texts, weight }) => texts >= LEAST_TEXTS && weight > 0)
        .toSorted((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
      return [theme, heaviest.slice(0, MOST_TERMS).map(({ term, word, weight }) => ({ term, word, weight }))];
    }),
  );
}

/** Counts the texts that have each term. */
function countTerms(texts: readonly SubjectText[]): Map<string, { texts: number; word: string }> {
  const counts = new Map<string, { texts: number; word: string }>();
  for (const { text, language } of texts) {
    const own = new Map<string, string>();
    for (const word of wordsOf(text, 'name'))
      if (!isFunctionWord(word, language)) for (const term of termsOf(word)) if (!own.has(term)) own.set(term, word);
    for (const [term, word] of own) counts.set(term, { texts: (counts.get(term)?.texts ?? 0) + 1, word });
  }
  return counts;
}
