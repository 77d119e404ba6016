import { unitVector } from '../../text/encoder/vector.ts';

/** Result of `lab/feedback/train-intent.ts`. */
export interface TrainedIntentHead {
  /** The encoder whose vectors it reads. */
  model: string;
  /** `other` among them: none of the others. */
  classes: readonly string[];
  /** Base64 of signed bytes: for each class, one weight a component of a vector of length 1. */
  weights: string;
  /** Factor of the weights: the value that a weight of 1 stands for. */
  unit: number;
  /** One a class. */
  bias: readonly number[];
  /** Least probability of a class from which on it is shown. */
  least: number;
}

/** Weights of a trained head as numbers, class after class. */
export function openWeights({ weights: packed }: Pick<TrainedIntentHead, 'weights'>): Int8Array {
  const bytes = Buffer.from(packed, 'base64');
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Probability of each class, in their order. */
export function classProbabilities(
  vector: Int8Array,
  { unit, bias }: Pick<TrainedIntentHead, 'unit' | 'bias'>,
  opened: Int8Array,
): number[] {
  const direction = unitVector(vector);
  const scores = bias.map((start, at) => {
    const from = (at * opened.length) / bias.length;
    return direction.reduce((sum, value, index) => sum + value * unit * (opened[from + index] ?? 0), start);
  });
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}
