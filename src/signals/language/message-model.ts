import type { MessageFeatures } from './message-features.ts';
import { isFunctionWord } from './function-words.ts';

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
  /** The words that speak most for it, most first: none of grammar. */
  words: string[];
}

/** Words that are named for a verdict at most. */
export const MOST_WORDS = 4;
/** Words that speak for a class less than this share of the first one are not named. */
const CLEAR = 1 / 3;
const NEGATION = /^(?:not|no|never|without|cannot|nicht|kein\p{L}*|nie|ohne|\p{L}+n't)$/u;

/** Whether a word, or a pair with a negation, says something: grammar alone does not, nor does a pair add anything to its word. */
function isTelling(name: string): boolean {
  if (!/^\p{L}[\p{L}' ]*$/u.test(name)) return false;
  const words = name.split(' ');
  const said = words.filter((word) => !isFunctionWord(word) && !NEGATION.test(word));
  return said.length > 0 && words.every((word) => said.includes(word) || NEGATION.test(word));
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
    return {
      said: probability >= least ? this.#classes[best] : undefined,
      probability,
      words: this.#wordsFor(features, best),
    };
  }

  /** Words and pairs that speak for a class more than for the others on average, those that speak clearly. */
  #wordsFor(features: MessageFeatures, best: number): string[] {
    const ranked = [...features.keys()]
      .flatMap((name) => {
        const row = this.#rows.get(name);
        if (row === undefined || !isTelling(name) || name === 'praise' || name === 'complaint') return [];
        const mean = this.#classes.reduce((sum, _, at) => sum + this.#weight(row, at), 0) / this.#classes.length;
        return [{ name, pull: this.#weight(row, best) - mean }];
      })
      .toSorted((a, b) => b.pull - a.pull || (a.name < b.name ? -1 : 1));
    const least = (ranked[0]?.pull ?? 0) * CLEAR;
    const clear = ranked.filter(({ pull }) => pull > 0 && pull >= least).map(({ name }) => name);
    return clear
      .filter((name) => !clear.some((pair) => pair !== name && pair.split(' ').includes(name)))
      .slice(0, MOST_WORDS);
  }

  #weight(row: number, at: number): number {
    return this.#weights[row * this.#classes.length + at] ?? 0;
  }
}
