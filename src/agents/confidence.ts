/** What tells how well an index fits a question. */
interface Fit {
  /** Share of the question's weight that its best three places have together, 0..1. */
  coverage: number;
  /** Names in the question that the index has, and those that it has not. */
  knownNames: number;
  unknownNames: number;
  /** Score of the best hit, 0..1. */
  topScore: number;
}

export type ConfidenceLevel = 'high' | 'medium' | 'low';

/** Below it the index does not seem to contain what is asked for; above the second, the answer is most likely there. */
const LEVELS = { low: 0.34, high: 0.66 } as const;
/** A score of nothing is not minus infinity. */
const LEAST_SCORE = 1e-4;

/**
 * How likely the index contains what is asked for, 0..1. A logistic of coverage, of whether names in the question are known, and of
 * the logarithm of the best score: a question about other code shares common words with this one, but neither names nor a place
 * that has its rare words together. See docs/agents.md for how it was chosen.
 */
export function confidenceOf({ coverage, knownNames, unknownNames, topScore }: Fit): number {
  const names = knownNames + unknownNames === 0 ? 0.5 : knownNames / (knownNames + unknownNames);
  const sum = 2 * coverage + names + Math.log(Math.max(topScore, 0) + LEAST_SCORE) / 6;
  return Math.round(1000 / (1 + Math.exp(-STEEPNESS * (sum - MIDDLE)))) / 1000;
}

/** Between the questions to a repository and those to another one. */
const MIDDLE = 0.17;
const STEEPNESS = 3;

/** What tells how well what people wrote answers a question about the product, each 0..1. */
interface ProductFit {
  /** Share of the question's words that one text has. */
  coverage: number;
  /** Share of them in the name of a theme, or in the title of a plan, a decision, a document or a competitor's change. */
  titled: number;
  /** Score of the best hit. */
  topScore: number;
}

/**
 * Log odds, learnt from 237 questions about themes of customers, two thirds of them to a product whose customers speak of other
 * things (see docs/agents.md). Words alone are not enough: other products have them too.
 */
const PRODUCT_WEIGHTS = { constant: -4, coverage: 2.4, titled: 2.2, topScore: 2.2 } as const;

/** How likely most of what an answer about the product quotes is about what was asked, 0..1. */
export function productConfidenceOf({ coverage, titled, topScore }: ProductFit): number {
  const { constant, ...weights } = PRODUCT_WEIGHTS;
  const sum =
    constant + weights.coverage * coverage + weights.titled * titled + weights.topScore * Math.min(topScore, 1);
  return Math.round(1000 / (1 + Math.exp(-sum))) / 1000;
}

export function levelOf(confidence: number): ConfidenceLevel {
  if (confidence < LEVELS.low) return 'low';
  return confidence < LEVELS.high ? 'medium' : 'high';
}
