import { once } from '../../kernel/once.ts';
import trained from './commit-types.json' with { type: 'json' };
import type { Features } from './classify-features.ts';
import { COMMIT_TYPES, type CommitType } from './classify-header.ts';

/** The model that `lab/classify/train.ts` writes. */
export interface TrainedModel {
  /** In the order of `COMMIT_TYPES`. */
  classes: readonly string[];
  /** Names of the features, one a line. */
  features: string;
  /** Base64 of signed bytes: for each feature, and last for the bias, one weight a class. */
  weights: string;
  /** The value of a weight of 1. */
  unit: number;
  /** Scores are multiplied by this, so that the confidence tells how often the answer is right. */
  sharpness: number;
}

/** A type and how likely it is, 0 to 1. */
export interface Likelihood {
  type: CommitType;
  probability: number;
}

/** Tells the types a commit with these features may have, likeliest first. They sum up to 1. */
export type TypeModel = (features: Features) => Likelihood[];

/** Makes a model ready for use. About 20 ms. */
export function openModel({ classes, features, weights, unit, sharpness }: TrainedModel): TypeModel {
  const rows = new Map(features.split('\n').map((name, at) => [name, at]));
  const bytes = Int8Array.from(Buffer.from(weights, 'base64'), (byte) => (byte << 24) >> 24);
  const types = COMMIT_TYPES.filter((type) => classes.includes(type));
  const width = types.length;
  return (commit) => {
    const scores = new Float64Array(width);
    const add = (row: number, value: number): void => {
      for (let at = 0; at < width; at += 1) scores[at] = (scores[at] ?? 0) + (bytes[row * width + at] ?? 0) * value;
    };
    add(rows.size, 1);
    for (const [name, value] of commit) {
      const row = rows.get(name);
      if (row !== undefined) add(row, value);
    }
    const powers = scores.map((score) => Math.exp(score * unit * sharpness));
    const sum = powers.reduce((all, power) => all + power, 0);
    return types
      .map((type, at) => ({ type, probability: (powers[at] ?? 0) / sum }))
      .toSorted((a, b) => b.probability - a.probability);
  };
}

/** The model of this build. */
export const commitTypeModel = once(() => openModel(trained));
