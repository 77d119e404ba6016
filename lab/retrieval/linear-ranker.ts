/** The candidates of one question in their first order: features row after row, and which of them answer it. */
export interface Example {
  /** Features of a row. */
  width: number;
  values: Float32Array;
  isAnswer: Uint8Array;
}

const STEPS = 300;
const RATE = 0.05;
const DECAY = 1e-3;
const SHOWN = 10;

/**
 * Weights under which the answers of all questions are likeliest: a softmax over each question's candidates, by Adam. They
 * are held near `prior` (0 if not given), the more the greater `decay`.
 */
export function learn(
  examples: readonly Example[],
  { prior = [], decay = DECAY }: { prior?: readonly number[]; decay?: number } = {},
): Float64Array {
  const usable = examples.filter(({ isAnswer }) => isAnswer.includes(1));
  const width = usable[0]?.width ?? 0;
  const weights = Float64Array.from({ length: width }, (_, at) => prior[at] ?? 0);
  const means = new Float64Array(width);
  const squares = new Float64Array(width);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight, at) => decay * (weight - (prior[at] ?? 0)));
    for (const example of usable) addGradient(gradient, example, { weights, share: 1 / usable.length });
    for (let at = 0; at < width; at++) {
      const slope = gradient[at] ?? 0;
      const mean = (means[at] = 0.9 * (means[at] ?? 0) + 0.1 * slope);
      const square = (squares[at] = 0.999 * (squares[at] ?? 0) + 0.001 * slope * slope);
      const rate = (RATE * (mean / (1 - 0.9 ** step))) / (Math.sqrt(square / (1 - 0.999 ** step)) + 1e-8);
      weights[at] = (weights[at] ?? 0) - rate;
    }
  }
  return weights;
}

/** Mean of 1 / rank of the first answer among the first ten, 0 where none is. */
export function meanReciprocalRank(examples: readonly Example[], weights: Float64Array): number {
  const ranks = examples.map((example) => {
    const rank = orderCandidates(example, weights).findIndex(({ isAnswer }) => isAnswer);
    return rank === -1 ? 0 : 1 / (rank + 1);
  });
  return ranks.reduce((sum, rank) => sum + rank, 0) / Math.max(1, ranks.length);
}

/** The score at which one of the first ten is as likely an answer as not: where expected and real answers are as many. */
export function evenPoint(examples: readonly Example[], weights: Float64Array): number {
  const shown = examples.flatMap((example) => orderCandidates(example, weights));
  const answers = shown.filter(({ isAnswer }) => isAnswer).length;
  let [low, high] = [-50, 50];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    const expected = shown.reduce((sum, { score }) => sum + 1 / (1 + Math.exp(middle - score)), 0);
    if (expected > answers) low = middle;
    else high = middle;
  }
  return low;
}

function orderCandidates(example: Example, weights: Float64Array): { isAnswer: boolean; score: number }[] {
  const scored = Array.from(scoresOf(example, weights), (score, row) => ({
    isAnswer: example.isAnswer[row] === 1,
    score,
  }));
  return scored.toSorted((a, b) => b.score - a.score).slice(0, SHOWN);
}

function addGradient(
  gradient: Float64Array,
  example: Example,
  { weights, share }: { weights: Float64Array; share: number },
): void {
  const { width, values, isAnswer } = example;
  const scores = scoresOf(example, weights);
  let largest = -Infinity;
  let [sum, answers] = [0, 0];
  for (const score of scores) largest = Math.max(largest, score);
  for (let row = 0; row < scores.length; row++) {
    sum += scores[row] = Math.exp((scores[row] ?? 0) - largest);
    answers += isAnswer[row] ?? 0;
  }
  for (let row = 0, from = 0; row < scores.length; row++, from += width) {
    const slope = share * ((scores[row] ?? 0) / sum - (isAnswer[row] ?? 0) / answers);
    for (let at = 0; at < width; at++) gradient[at] = (gradient[at] ?? 0) + slope * (values[from + at] ?? 0);
  }
}

function scoresOf({ width, values, isAnswer }: Example, weights: Float64Array): Float64Array {
  const scores = new Float64Array(isAnswer.length);
  for (let row = 0, from = 0; row < scores.length; row++, from += width) {
    let sum = 0;
    for (let at = 0; at < width; at++) sum += (weights[at] ?? 0) * (values[from + at] ?? 0);
    scores[row] = sum;
  }
  return scores;
}
