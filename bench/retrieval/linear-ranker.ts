/** The candidates of one question in their first order, each with its features. */
export interface Example {
  rows: readonly { isAnswer: boolean; values: readonly number[] }[];
}

const STEPS = 300;
const RATE = 0.05;
const DECAY = 1e-3;
const SHOWN = 10;

/** Weights under which the answers of all questions are likeliest: a softmax over each question's candidates, by Adam. */
export function learn(examples: readonly Example[]): number[] {
  const usable = examples.filter(({ rows }) => rows.some(({ isAnswer }) => isAnswer));
  const width = usable[0]?.rows[0]?.values.length ?? 0;
  const weights = zeros(width);
  const means = zeros(width);
  const squares = zeros(width);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight) => DECAY * weight);
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
export function meanReciprocalRank(examples: readonly Example[], weights: readonly number[]): number {
  const ranks = examples.map((example) => {
    const rank = ordered(example, weights).findIndex(({ isAnswer }) => isAnswer);
    return rank === -1 ? 0 : 1 / (rank + 1);
  });
  return ranks.reduce((sum, rank) => sum + rank, 0) / Math.max(1, ranks.length);
}

/** The score at which one of the first ten is as likely an answer as not: where expected and real answers are as many. */
export function evenPoint(examples: readonly Example[], weights: readonly number[]): number {
  const shown = examples.flatMap((example) => ordered(example, weights));
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

function ordered({ rows }: Example, weights: readonly number[]): { isAnswer: boolean; score: number }[] {
  const scored = rows.map(({ isAnswer, values }) => ({ isAnswer, score: dot(values, weights) }));
  return scored.toSorted((a, b) => b.score - a.score).slice(0, SHOWN);
}

function addGradient(
  gradient: number[],
  { rows }: Example,
  { weights, share }: { weights: readonly number[]; share: number },
): void {
  const scores = rows.map(({ values }) => dot(values, weights));
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((all, power) => all + power, 0);
  const answers = rows.filter(({ isAnswer }) => isAnswer).length;
  for (const [index, { values, isAnswer }] of rows.entries()) {
    const slope = share * ((powers[index] ?? 0) / sum - (isAnswer ? 1 / answers : 0));
    for (const [at, value] of values.entries()) gradient[at] = (gradient[at] ?? 0) + slope * value;
  }
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0);
}

function dot(values: readonly number[], weights: readonly number[]): number {
  return values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
}
