import type { MessageFeatures } from './message-features.ts';

/** What `bench/feedback/train-messages.ts` writes. */
export interface TrainedMessageModel {
  classes: readonly string[];
  /** One a line. */
  features: string;
  /** Base64 of signed bytes: for each feature, and last for the bias, one weight a class. */
  weights: string;
  /** What a weight of 1 stands for. */
  unit: number;
  /** Scores are multiplied by this, so that the probability tells how often the answer is right. */
  sharpness: number;
  /** Least probability of a class from which on it is said. */
  least: number;
}

interface MessageVerdict {
  /** The likeliest class; undefined when it is not sure enough to be said. */
  said: string | undefined;
  probability: number;
}

/** A linear model over the features of a message. Opening takes some milliseconds, a verdict some tenths of one. */
export class MessageModel {
  readonly #classes: readonly string[];
  readonly #rows: ReadonlyMap<string, number>;
  readonly #weights: Int8Array;
  readonly #trained: TrainedMessageModel;

  constructor(trained: TrainedMessageModel) {
    this.#trained = trained;
    this.#classes = trained.classes;
    this.#rows = new Map(trained.features.split('\n').map((name, at) => [name, at]));
    this.#weights = Int8Array.from(Buffer.from(trained.weights, 'base64'), (byte) => (byte << 24) >> 24);
  }

  verdict(features: MessageFeatures): MessageVerdict {
    const { unit, sharpness, least } = this.#trained;
    const scores = this.#classes.map((_, at) => this.#weight(this.#rows.size, at));
    for (const [name, value] of features) {
      const row = this.#rows.get(name);
      if (row === undefined) continue;
      for (const at of scores.keys()) scores[at] = (scores[at] ?? 0) + value * this.#weight(row, at);
    }
    const powers = scores.map((score) => Math.exp(score * unit * sharpness));
    const sum = powers.reduce((all, power) => all + power, 0);
    const best = powers.indexOf(Math.max(...powers));
    const probability = (powers[best] ?? 0) / sum;
    return { said: probability >= least ? this.#classes[best] : undefined, probability };
  }

  #weight(row: number, at: number): number {
    return this.#weights[row * this.#classes.length + at] ?? 0;
  }
}
