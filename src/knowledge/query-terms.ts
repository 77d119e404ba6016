import { termsOfWord } from '../text/terms.ts';
import { joinedTerms, partsOfWord } from '../text/word-joints.ts';

/** Factor for words that are joined in the text and apart in the question, and for the reverse. */
const JOINED_SHARE = 0.8;
const APART_SHARE = 0.6;
/** A term that an entry has for one that was misspelt. */
const MISSPELT_SHARE = 0.6;

/** Terms that together may stand for one that was asked, and what they count against it. */
interface StandIn {
  terms: readonly string[];
  weight: number;
}

/** A term of a question, and what may stand for it. */
export interface QueryTerm {
  term: string;
  others: readonly StandIn[];
}

/** The terms of an index. */
interface IndexTerms {
  has: (term: string) => boolean;
  /** Terms that a misspelt one may mean. */
  nearest: (term: string) => readonly string[];
}

/** The distinct terms of a question, each with what may stand for it in entries with these terms. */
export function queryTermsOf(text: string, index: IndexTerms): QueryTerm[] {
  const standIns = new Map<string, StandIn[]>();
  for (const { word, joined } of joinedTerms(text))
    for (const term of termsOfWord(word)) {
      const others = standIns.get(term) ?? [];
      standIns.set(term, [...others, ...standInsOf(word, joined, index)]);
    }
  return Array.from(standIns, ([term, others]) => {
    if ([term, ...others.flatMap((other) => other.terms)].some((one) => index.has(one))) return { term, others };
    return { term, others: index.nearest(term).map((near) => ({ terms: [near], weight: MISSPELT_SHARE })) };
  });
}

/** The word written together with its neighbours, and its parts. */
function standInsOf(word: string, joined: readonly string[], index: IndexTerms): StandIn[] {
  const parts = partsOfWord(word).find((terms) => terms.every((term) => index.has(term)));
  return [
    ...joined.filter((term) => index.has(term)).map((term) => ({ terms: [term], weight: JOINED_SHARE })),
    ...(parts === undefined ? [] : [{ terms: parts, weight: APART_SHARE }]),
  ];
}
