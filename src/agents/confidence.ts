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
const MIDDLE = 0.55;
const STEEPNESS = 3;

/**
 * The confidence of an answer whose place no name tells beyond doubt: never high, since the first place is right in half of such
 * answers at best. Keeps the order, and what is low stays as it is.
 */
export function belowHigh(confidence: number): number {
  const { low, high } = LEVELS;
  if (confidence < low) return confidence;
  return Math.floor(1000 * (low + ((confidence - low) * (high - low)) / (1 - low + 0.01))) / 1000;
}

/** The nearest confidence that is medium at most, or at least. */
export function asMedium(confidence: number): number {
  return Math.min(Math.max(confidence, LEVELS.low), LEVELS.high - 0.001);
}

/** The nearest confidence that is low. */
export function asLow(confidence: number): number {
  return Math.min(confidence, LEVELS.low - 0.001);
}

export function levelOf(confidence: number): ConfidenceLevel {
  if (confidence < LEVELS.low) return 'low';
  return confidence < LEVELS.high ? 'medium' : 'high';
}
