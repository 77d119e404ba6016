import { type IdentifierPart, isAcronymPlural, joinedParts, splitIdentifier } from './identifier-parts.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { wordsOf } from './words.ts';

/**
 * Terms of a text in order, repeats included: the stems of each word's parts, then the words that its spelling joins
 * (`oauth` of `getOAuthToken`), and a compound identifier whole too.
 */
export function termsOf(text: string): string[] {
  return wordsOf(text, 'term').flatMap(termsOfWord);
}

/** As `termsOf`, without joined words and whole identifiers. */
export function partsOf(text: string): string[] {
  return wordsOf(text, 'term').flatMap((word) => stems(splitIdentifier(word)));
}

/** The terms of one word as the rule `term` finds it. */
export function termsOfWord(word: string): string[] {
  const parts = splitIdentifier(word);
  const terms = stems(parts);
  if (parts.length === 0 || (parts.length === 1 && !isAcronymPlural(parts[0]?.text))) return terms;
  const wholes = [...parts.map(({ text }) => text).filter(isAcronymPlural), ...joinedParts(parts), word];
  const joined = new Set(wholes.map((text) => stem(text.toLowerCase())));
  return [...terms, ...[...joined].filter((term) => !terms.includes(term))];
}

/**
 * Returns a function that gives those terms of a word that are accepted. Texts repeat their words, and taking one apart is what
 * costs.
 */
export function termFinder(isAccepted: (term: string) => boolean): (word: string) => readonly string[] {
  const termsByWord = new Map<string, readonly string[]>();
  return (word) => {
    let own = termsByWord.get(word);
    if (own === undefined) termsByWord.set(word, (own = termsOfWord(word).filter(isAccepted)));
    return own;
  };
}

/** Remembers what words are taken apart into, up to so many of them. */
export class WordCache {
  readonly #read: (word: string) => readonly string[];
  readonly #most: number;
  readonly #isCached: (word: string) => boolean;
  #parts = new Map<string, readonly string[]>();

  constructor(
    read: (word: string) => readonly string[],
    most: number,
    isCached: (word: string) => boolean = () => true,
  ) {
    [this.#read, this.#most, this.#isCached] = [read, most, isCached];
  }

  of(word: string): readonly string[] {
    const cached = this.#parts.get(word);
    if (cached !== undefined) return cached;
    const parts = this.#read(word);
    if (!this.#isCached(word)) return parts;
    if (this.#parts.size >= this.#most) this.#parts = new Map();
    this.#parts.set(word, parts);
    return parts;
  }

  /** Gives back the memory of what it remembers; false when that is nothing. */
  forget(): boolean {
    if (this.#parts.size === 0) return false;
    this.#parts = new Map();
    return true;
  }
}

/** The lower-case parts of an identifier: `getFooBar` → get, foo, bar. */
export function identifierParts(identifier: string): string[] {
  return splitIdentifier(identifier).map(({ text }) => text.toLowerCase());
}

/** Stems of the parts that say something. Capitals with a plural `s` are the word without it: `IDs` → id. */
function stems(parts: readonly IdentifierPart[]): string[] {
  return parts
    .map(({ text }) => (isAcronymPlural(text) ? text.slice(0, -1).toLowerCase() : text.toLowerCase()))
    .filter((part) => !STOP_WORDS.code.has(part))
    .map(stem);
}
