import { partsOf, stem } from '../../kernel/terms.ts';
import { rootOf, withVerbs } from './word-forms.ts';

/** Two words that stand side by side in a question. */
type WordPair = readonly [string, string];

const CHANGED = stem('changed');

/** The words of a topic that stand side by side, two at a time: `live reload of pages` has live reload and reload pages. That something changed pairs with anything. */
export function pairsOf(topic: string): WordPair[] {
  const terms = partsOf(topic).map(rootOf);
  return terms.flatMap((term, at): WordPair[] => {
    const next = terms[at + 1];
    return next === undefined || next === term || term === CHANGED || next === CHANGED ? [] : [[term, next]];
  });
}

/** How many of the pairs a text has, both words anywhere in it, or written as one: `livereload`. */
export function countPairs(pairs: readonly WordPair[], text: string): number {
  const there = new Set(partsOf(text).map(rootOf));
  return pairs.filter(([first, second]) => (there.has(first) && there.has(second)) || there.has(`${first}${second}`))
    .length;
}

/** Words to search commits for: with their verbs, and each pair written as one word. */
export function withJoined(topic: string): string {
  return [withVerbs(topic), ...pairsOf(topic).map(([first, second]) => `${first}${second}`)].join(' ');
}

/** A text with the words of each pair that it writes as one: `livereload` has live and reload. */
export function withParted(pairs: readonly WordPair[], text: string): string {
  const there = new Set(partsOf(text).map(rootOf));
  return [text, ...pairs.filter(([first, second]) => there.has(`${first}${second}`)).flat()].join(' ');
}
