import { termsOf } from '../../kernel/terms.ts';
import { rootOf } from './word-forms.ts';

/** How much each term of a question says: rare ones say most. */
export type TermWeights = ReadonlyMap<string, number>;

/** Weights by how many of all texts have a term. */
export function weighTerms(
  terms: readonly string[],
  searched: number,
  having: Readonly<Record<string, number>>,
): TermWeights {
  return new Map(terms.map((term) => [rootOf(term), Math.log(1 + searched / ((having[term] ?? 0) + 0.5))]));
}

/** Weights of the words of a part of a question: those that no part before it has count twice, any other once. */
export function weighPart(terms: readonly string[], before: readonly string[]): TermWeights {
  const known = new Set(before.flatMap(rootsOf));
  return new Map(terms.map(rootOf).map((term) => [term, known.has(term) ? 1 : 2]));
}

/** The terms of a text, irregular verbs in one form as the weights have them. */
export function rootsOf(text: string): string[] {
  return termsOf(text).map(rootOf);
}

/** The share of a question's weight that some texts have together, 0..1, by the terms that `termsIn` finds in a text. */
export function coverage(
  weights: TermWeights,
  texts: readonly string[],
  termsIn: (text: string) => readonly string[] = rootsOf,
): number {
  const there = new Set(texts.flatMap((text) => termsIn(text)));
  let all = 0;
  let covered = 0;
  for (const [term, weight] of weights) {
    all += weight;
    if (there.has(term)) covered += weight;
  }
  return all === 0 ? 0 : covered / all;
}
