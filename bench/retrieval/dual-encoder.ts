/** Rows of terms with how often each comes. */
export type Bag = ReadonlyMap<number, number>;

/** A question and the code that answers it. */
export interface TrainingPair {
  /** Pairs of one group meet in one batch: they are the hard ones to tell apart. */
  group: string;
  question: Bag;
  text: Bag;
  name: readonly number[];
  place: readonly number[];
}

interface Shape {
  terms: number;
  dimensions: number;
  idf: readonly number[];
  epochs: number;
}

const BATCH = 768;
const RUN = 96;
const TEMPERATURE = 0.06;
/** Share of names that are held back, so that code is recognised without its name. */
const HELD_NAMES = 0.35;
/** As in `WordVectors.ofCode`. */
const TEXT = 3;
const NAME = 0.4;
const PLACE = 0.14;

/** A matrix of weights and what Adam remembers of its gradients. */
class Trained {
  readonly values: Float32Array;
  readonly #mean: Float32Array;
  readonly #square: Float32Array;

  constructor(values: Float32Array) {
    this.values = values;
    this.#mean = new Float32Array(values.length);
    this.#square = new Float32Array(values.length);
  }

  step(gradient: Float32Array, step: number, rate: number): void {
    const [first, second] = [1 - 0.9 ** step, 1 - 0.999 ** step];
    for (let at = 0; at < gradient.length; at++) {
      const slope = gradient[at] ?? 0;
      const mean = (this.#mean[at] = 0.9 * (this.#mean[at] ?? 0) + 0.1 * slope);
      const square = (this.#square[at] = 0.999 * (this.#square[at] ?? 0) + 0.001 * slope * slope);
      this.values[at] = (this.values[at] ?? 0) - (rate * (mean / first)) / (Math.sqrt(square / second) + 1e-7);
    }
  }
}

/** Weighted rows, one list an example. */
type Weighted = readonly (readonly [row: number, weight: number])[];

/** Two bags of words that meet: learned by telling the right code of a question from that of the others in a batch. */
export class DualEncoder {
  readonly #shape: Shape;
  readonly #question: Trained;
  readonly #code: Trained;
  #seed = 7;

  constructor(shape: Shape) {
    this.#shape = shape;
    const start = Float32Array.from({ length: shape.terms * shape.dimensions }, () => 0.1 * this.#normal());
    this.#question = new Trained(start.slice());
    this.#code = new Trained(start);
  }

  /** Term after term. */
  get question(): Float32Array {
    return this.#question.values;
  }

  get code(): Float32Array {
    return this.#code.values;
  }

  /** Gives the mean loss of each epoch. */
  train(pairs: readonly TrainingPair[], onEpoch: (epoch: number, loss: number) => void): number[] {
    const usable = pairs.filter(({ question, text }) => question.size > 0 && text.size > 0);
    const batches = Math.floor(usable.length / BATCH);
    const steps = this.#shape.epochs * batches;
    const losses: number[] = [];
    for (let epoch = 0, step = 1; epoch < this.#shape.epochs; epoch++) {
      const order = this.#shuffledRuns(usable);
      let sum = 0;
      for (let batch = 0; batch < batches; batch++, step++)
        sum += this.#learn(order.slice(batch * BATCH, (batch + 1) * BATCH), step, 0.01 * (1 - step / steps) + 0.0005);
      losses.push(sum / batches);
      onEpoch(epoch + 1, sum / batches);
    }
    return losses;
  }

  #learn(batch: readonly TrainingPair[], step: number, rate: number): number {
    const { dimensions } = this.#shape;
    const asked = batch.map(({ question }) => this.#weightedQuestion(question));
    const coded = batch.map((pair) => this.#weightedCode(pair));
    const questions = project(asked, this.#question.values, dimensions);
    const codes = project(coded, this.#code.values, dimensions);
    const { loss, toQuestions, toCodes } = contrast(questions.unit, codes.unit, dimensions);
    this.#question.step(gradientOf(asked, questions, toQuestions, this.#question.values.length), step, rate);
    this.#code.step(gradientOf(coded, codes, toCodes, this.#code.values.length), step, rate);
    return loss;
  }

  #weightedQuestion(bag: Bag): Weighted {
    return [...bag].map(([row, count]) => [row, this.#idf(row) * (0.5 + 0.5 * count)] as const);
  }

  #weightedCode({ text, name, place }: TrainingPair): Weighted {
    const written = [...text].map(([row, count]) => [row, this.#idf(row) * Math.log1p(count)] as const);
    const share = TEXT / Math.sqrt(written.reduce((sum, [, weight]) => sum + weight * weight, 0));
    const isHeld = this.#random() < HELD_NAMES;
    return [
      ...written.map(([row, weight]) => [row, weight * share] as const),
      ...(isHeld ? [] : name).map((row) => [row, this.#idf(row) * NAME] as const),
      ...place.map((row) => [row, this.#idf(row) * PLACE] as const),
    ];
  }

  #idf(row: number): number {
    return this.#shape.idf[row] ?? 0;
  }

  /** All pairs in random order, those of a group in runs. */
  #shuffledRuns(pairs: readonly TrainingPair[]): TrainingPair[] {
    const runs: TrainingPair[][] = [];
    for (const group of Map.groupBy(pairs, (pair) => pair.group).values()) {
      const mixed = this.#shuffled(group);
      for (let at = 0; at < mixed.length; at += RUN) runs.push(mixed.slice(at, at + RUN));
    }
    return this.#shuffled(runs).flat();
  }

  #shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => [this.#random(), item] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, item]) => item);
  }

  /** Mulberry32. */
  #random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
  }
}

interface Projected {
  /** Example after example, each of length 1. */
  unit: Float32Array;
  lengths: Float32Array;
}

function project(examples: readonly Weighted[], matrix: Float32Array, dimensions: number): Projected {
  const unit = new Float32Array(examples.length * dimensions);
  const lengths = new Float32Array(examples.length);
  for (const [index, rows] of examples.entries()) {
    const vector = unit.subarray(index * dimensions, (index + 1) * dimensions);
    for (const [row, weight] of rows) {
      const from = row * dimensions;
      for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) + weight * (matrix[from + at] ?? 0);
    }
    const length = Math.max(1e-6, Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)));
    lengths[index] = length;
    for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) / length;
  }
  return { unit, lengths };
}

/** Cross entropy of choosing the right code for each question and the right question for each code, with its slopes. */
function contrast(
  questions: Float32Array,
  codes: Float32Array,
  dimensions: number,
): { loss: number; toQuestions: Float32Array; toCodes: Float32Array } {
  const size = questions.length / dimensions;
  const logits = new Float32Array(size * size);
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      let sum = 0;
      for (let at = 0; at < dimensions; at++)
        sum += (questions[row * dimensions + at] ?? 0) * (codes[column * dimensions + at] ?? 0);
      // Cosines are at most 1, so powers stay small enough without taking off the largest.
      logits[row * size + column] = Math.exp((sum - 1) / TEMPERATURE);
    }
  const [rowSums, columnSums] = [new Float32Array(size), new Float32Array(size)];
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const value = logits[row * size + column] ?? 0;
      rowSums[row] = (rowSums[row] ?? 0) + value;
      columnSums[column] = (columnSums[column] ?? 0) + value;
    }
  let loss = 0;
  const [toQuestions, toCodes] = [new Float32Array(questions.length), new Float32Array(codes.length)];
  for (let row = 0; row < size; row++) {
    loss -= Math.log(Math.max(1e-9, (logits[row * size + row] ?? 0) / (rowSums[row] ?? 1)));
    for (let column = 0; column < size; column++) {
      const value = logits[row * size + column] ?? 0;
      const chance = value / (rowSums[row] ?? 1) + value / (columnSums[column] ?? 1) - (row === column ? 2 : 0);
      const slope = chance / (2 * size * TEMPERATURE);
      if (Math.abs(slope) < 1e-9) continue;
      for (let at = 0; at < dimensions; at++) {
        const [left, right] = [row * dimensions + at, column * dimensions + at];
        toQuestions[left] = (toQuestions[left] ?? 0) + slope * (codes[right] ?? 0);
        toCodes[right] = (toCodes[right] ?? 0) + slope * (questions[left] ?? 0);
      }
    }
  }
  return { loss: loss / size, toQuestions, toCodes };
}

/** Carries the slopes of the unit vectors back to the rows they were summed from. */
function gradientOf(
  examples: readonly Weighted[],
  { unit, lengths }: Projected,
  slopes: Float32Array,
  length: number,
): Float32Array {
  const gradient = new Float32Array(length);
  const dimensions = unit.length / examples.length;
  for (const [index, rows] of examples.entries()) {
    const vector = unit.subarray(index * dimensions, (index + 1) * dimensions);
    const slope = slopes.subarray(index * dimensions, (index + 1) * dimensions);
    let along = 0;
    for (let at = 0; at < dimensions; at++) along += (vector[at] ?? 0) * (slope[at] ?? 0);
    const inner = vector.map((value, at) => ((slope[at] ?? 0) - value * along) / (lengths[index] ?? 1));
    for (const [row, weight] of rows) {
      const from = row * dimensions;
      for (let at = 0; at < dimensions; at++)
        gradient[from + at] = (gradient[from + at] ?? 0) + weight * (inner[at] ?? 0);
    }
  }
  return gradient;
}
