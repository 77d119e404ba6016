import type { Features } from '../../src/commits/classify/classify-features.ts';
import { randomOf } from '../random.ts';

/** Settings of a fit. The same settings and examples give the same model. */
export interface Fit {
  /** Features seen in fewer examples are left out, then the most frequent ones are kept. */
  leastExamples: number;
  mostFeatures: number;
  rounds: number;
  rate: number;
  decay: number;
  /** 0 leaves rare classes rare, 1 gives each class the same weight. */
  balance: number;
}

/** One row of weights a feature, one column a class. */
export interface Softmax {
  classes: readonly string[];
  features: Map<string, number>;
  /** Row by row; the last row is the bias. */
  weights: Float64Array;
}

export interface LabelledFeatures {
  features: Features;
  label: string;
}

const BATCH = 64;

/** Fits a softmax by AdaGrad over shuffled batches. */
export function fitSoftmax(examples: readonly LabelledFeatures[], classes: readonly string[], fit: Fit): Softmax {
  const features = vocabularyOf(examples, fit);
  const width = classes.length;
  const weights = new Float64Array((features.size + 1) * width);
  const gradients = new Float64Array(weights.length);
  const squares = new Float64Array(weights.length).fill(1e-4);
  const averaged = new Float64Array(weights.length);
  const rows = examples.map((example) => vectorOf(example.features, features));
  const labels = examples.map(({ label }) => classes.indexOf(label));
  const classWeights = classes.map((_, at) => {
    const count = labels.filter((label) => label === at).length;
    return (labels.length / width / Math.max(1, count)) ** fit.balance;
  });
  const order = examples.map((_, at) => at);
  const random = randomOf(1);
  for (let round = 0; round < fit.rounds; round += 1) {
    shuffle(order, random);
    for (let from = 0; from < order.length; from += BATCH) {
      const touched = new Set<number>();
      for (const at of order.slice(from, from + BATCH)) {
        const label = labels[at] ?? 0;
        const row = rows[at] ?? [];
        const errors = probabilities(row, weights, width);
        errors[label] = (errors[label] ?? 0) - 1;
        const scale = classWeights[label] ?? 1;
        for (const [feature, value] of row) {
          touched.add(feature);
          const first = feature * width;
          for (let k = 0; k < width; k += 1)
            gradients[first + k] = (gradients[first + k] ?? 0) + (errors[k] ?? 0) * value * scale;
        }
      }
      for (const feature of touched) {
        for (let at = feature * width; at < (feature + 1) * width; at += 1) {
          const slope = (gradients[at] ?? 0) / BATCH + fit.decay * (weights[at] ?? 0);
          gradients[at] = 0;
          squares[at] = (squares[at] ?? 0) + slope * slope;
          weights[at] = (weights[at] ?? 0) - (fit.rate * slope) / Math.sqrt(squares[at] ?? 1);
        }
      }
    }
    // The last steps wander about the best place: their mean is nearer to it.
    const lastRounds = fit.rounds - Math.floor(fit.rounds / 2);
    if (round >= fit.rounds - lastRounds)
      for (let at = 0; at < weights.length; at += 1)
        averaged[at] = (averaged[at] ?? 0) + (weights[at] ?? 0) / lastRounds;
  }
  return { classes, features, weights: averaged };
}

type Vector = readonly (readonly [feature: number, value: number])[];

function vectorOf(example: Features, features: Map<string, number>): Vector {
  const vector: [number, number][] = [[features.size, 1]];
  for (const [name, value] of example) {
    const at = features.get(name);
    if (at !== undefined && value !== 0) vector.push([at, value]);
  }
  return vector;
}

function probabilities(vector: Vector, weights: Float64Array, width: number): Float64Array {
  const scores = new Float64Array(width);
  for (const [feature, value] of vector)
    for (let k = 0; k < width; k += 1) scores[k] = (scores[k] ?? 0) + (weights[feature * width + k] ?? 0) * value;
  const most = Math.max(...scores);
  let sum = 0;
  for (let k = 0; k < width; k += 1) sum += scores[k] = Math.exp((scores[k] ?? 0) - most);
  return scores.map((score) => score / sum);
}

function vocabularyOf(
  examples: readonly LabelledFeatures[],
  { leastExamples, mostFeatures }: Fit,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { features } of examples)
    for (const name of features.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const selected = [...counts]
    .filter(([, count]) => count >= leastExamples)
    .toSorted(([name, count], [otherName, otherCount]) => otherCount - count || (name < otherName ? -1 : 1))
    .slice(0, mostFeatures);
  return new Map(selected.map(([name], at) => [name, at]));
}

function shuffle(order: number[], random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
}
