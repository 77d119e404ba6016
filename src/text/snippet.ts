import { termsOfWord, WORD } from './terms.ts';

/** Most characters of a snippet. */
const SNIPPET_CHARACTERS = 240;

/** Characters of a snippet before the first word of the query. */
const LEAD_CHARACTERS = 40;

/**
 * The stretch of a text that has most of the terms, on one line, with `…` where text was left out. The beginning when it
 * has none of them.
 */
export function snippetOf(text: string, terms: ReadonlySet<string>): string {
  const matches = findTerms(text, terms);
  let best = { index: 0, count: 0 };
  for (const [at, { index }] of matches.entries()) {
    const distinct = new Set<string>();
    for (const word of matches.slice(at, at + SNIPPET_CHARACTERS / 2)) {
      if (word.index > index + SNIPPET_CHARACTERS - LEAD_CHARACTERS) break;
      for (const term of word.terms) distinct.add(term);
    }
    if (distinct.size > best.count) best = { index, count: distinct.size };
    if (best.count === terms.size) break;
  }
  const start = best.index <= LEAD_CHARACTERS ? 0 : wordStart(text, best.index - LEAD_CHARACTERS);
  const isCut = start + SNIPPET_CHARACTERS < text.length;
  const end = isCut ? wordEnd(text, start + SNIPPET_CHARACTERS) : text.length;
  const line = text.slice(start, end).replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${line}${isCut ? '…' : ''}`;
}

/** The words that have some of the terms, in order. */
function findTerms(text: string, terms: ReadonlySet<string>): { index: number; terms: readonly string[] }[] {
  // Texts repeat their words, and taking one apart is what costs.
  const termsOfWords = new Map<string, readonly string[]>();
  const matches: { index: number; terms: readonly string[] }[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    let own = termsOfWords.get(word);
    if (own === undefined) {
      own = termsOfWord(word).filter((term) => terms.has(term));
      termsOfWords.set(word, own);
    }
    if (own.length > 0) matches.push({ index, terms: own });
  }
  return matches;
}

/** The first character after a space at or after `at`, unless a word is too long for that. */
function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + LEAD_CHARACTERS).search(/\s/);
  return space === -1 ? at : at + space + 1;
}

function wordEnd(text: string, at: number): number {
  const space = text.slice(at - LEAD_CHARACTERS, at).search(/\s\S*$/);
  return space === -1 ? at : at - LEAD_CHARACTERS + space;
}
