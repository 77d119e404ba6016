import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { termsOfWord, WORD } from '../../text/terms.ts';
import { sourceOf } from '../files/store-files.ts';

/** Of a hit the line that has most of the terms, with those below it. */
const [SNIPPET_LINES, SNIPPET_CHARACTERS] = [3, 400];

/** The terms that the source of a hit has, and the line that has most of them, the first of those, with what follows it. */
export interface HitText {
  matchedTerms: string[];
  snippet: string;
}

/** Counts and texts that a search over several corpora needs to compare hits of the code with others. */
export interface HitTexts {
  /** Symbols and files that the search goes through. */
  documents: number;
  /** Number of them that have each of the terms. */
  having: number[];
  /** In the order of the places; without terms for one that is not there. */
  texts: HitText[];
}

/** Counts how common terms are in the code, and compares the source of some locations with them. */
export function hitTexts(
  db: ShardDatabase,
  { terms, places }: { terms: readonly string[]; places: readonly { path: string; from: number; to: number }[] },
): HitTexts {
  const documents = db.derived('searched_documents', () => {
    const row = db.prepare('select (select count(*) from symbol) + (select count(*) from file) as documents').get();
    return Number(row?.['documents'] ?? 0);
  });
  const count = db.prepare('select documents from term where text = ?');
  const termsIn = termFinder(terms);
  return {
    documents,
    having: terms.map((term) => Number(count.get(term)?.['documents'] ?? 0)),
    texts: places.map((place) => compareText(sourceOf(db, place)?.lines ?? [], termsIn)),
  };
}

/** Returns a function that gives the terms that a word has. Texts repeat their words, and splitting one is expensive. */
function termFinder(terms: readonly string[]): (word: string) => readonly string[] {
  const termsByWord = new Map<string, readonly string[]>();
  return (word) => {
    let own = termsByWord.get(word);
    if (own === undefined) termsByWord.set(word, (own = termsOfWord(word).filter((term) => terms.includes(term))));
    return own;
  };
}

function compareText(source: readonly string[], termsIn: (word: string) => readonly string[]): HitText {
  const matchedTerms = new Set<string>();
  const lines = source.filter((line) => /[\p{L}\p{N}]/u.test(line));
  let best = { at: 0, count: -1 };
  for (const [at, line] of lines.entries()) {
    const own = new Set<string>();
    for (const word of line.match(WORD) ?? []) for (const term of termsIn(word)) own.add(term);
    for (const term of own) matchedTerms.add(term);
    if (own.size > best.count) best = { at, count: own.size };
  }
  const snippet = lines
    .slice(best.at, best.at + SNIPPET_LINES)
    .map((line) => line.trim())
    .join('\n');
  return {
    matchedTerms: [...matchedTerms],
    snippet: snippet.length > SNIPPET_CHARACTERS ? `${snippet.slice(0, SNIPPET_CHARACTERS)}…` : snippet,
  };
}
