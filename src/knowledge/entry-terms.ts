import { termsOfWord, WordCache } from '../text/terms.ts';
import { particleTerm } from '../text/word-joints.ts';
import { wordsOf } from '../text/words.ts';

/** Fields of an entry in which words are counted. The position is the bit in a posting. */
export const FIELDS = ['text', 'title', 'section', 'tags'] as const;
export type Field = (typeof FIELDS)[number];

/** Occurrences of a term in each field of one entry, in the order of `FIELDS`. */
export type Counts = [number, number, number, number];

/** Words whose terms stay in memory; beyond that the memory is emptied. */
const KNOWN_WORDS = 10_000;

/** Words that are not remembered, because they rarely occur again: ids, hashes, numbers. */
const RARE = /\d|^.{25}/;

/** Counts the terms of entries. */
export class TermCounter {
  readonly #cache = new WordCache(termsOfWord, KNOWN_WORDS, (word) => !RARE.test(word));

  /** The terms of an entry with their counts, and how many terms each field has. */
  count(texts: Record<Field, string>): { terms: Map<string, Counts>; lengths: Counts } {
    const terms = new Map<string, Counts>();
    const lengths: Counts = [0, 0, 0, 0];
    const add = (term: string, field: number): void => {
      const counts = terms.get(term) ?? [0, 0, 0, 0];
      counts[field] = (counts[field] ?? 0) + 1;
      terms.set(term, counts);
    };
    for (const [field, name] of FIELDS.entries()) {
      let before = '';
      for (const word of wordsOf(texts[name], 'term')) {
        for (const term of this.#cache.of(word)) {
          lengths[field] = (lengths[field] ?? 0) + 1;
          add(term, field);
        }
        const joined = particleTerm(before, word);
        if (joined !== undefined) add(joined, field);
        before = word;
      }
    }
    return { terms, lengths };
  }

  /** Gives back the memory of what it remembers; false when that is nothing. */
  forget(): boolean {
    return this.#cache.forget();
  }
}
