import type { Candidates } from './candidates.ts';
import type { Brief } from './model/brief.ts';
import { sumWeights, type TermWeights } from '../text/best-lines.ts';

/** Below the first the index does not seem to hold the answer; from the second on it most likely does. */
const LEVELS = { low: 0.2, high: 0.5 } as const;

/**
 * Returns the confidence that the index holds the answer, 0..1: half of it is the similarity of the best hit by meaning, half
 * the share of the question's words, by their rarity, that the best unit has. Questions about another repository share common
 * words with this one, but neither of these.
 */
export function confidenceOf(
  { similarity }: Pick<Candidates, 'similarity'>,
  bestTerms: readonly string[],
  weights: TermWeights,
): number {
  const all = sumWeights(weights.keys(), weights);
  const coverage = all === 0 ? 0 : sumWeights(bestTerms, weights) / all;
  return Math.round(500 * (Math.min(1, similarity) + coverage)) / 1000;
}

export function levelOf(confidence: number): Brief['confidence']['level'] {
  return confidence < LEVELS.low ? 'low' : confidence < LEVELS.high ? 'medium' : 'high';
}
