/** Weighted rows of many examples, one example after the other; `starts` has one entry more than there are examples. */
export interface WeightedRows {
  starts: Int32Array;
  rows: Int32Array;
  weights: Float32Array;
}

/** Questions and the code that answers each: the terms that are written in it, those of its name, and of its place. */
interface TrainingPairs {
  /** Pairs of one group meet in one batch: they are the hard ones to tell apart. */
  groups: readonly string[];
  question: WeightedRows;
  text: WeightedRows;
  name: WeightedRows;
  context: WeightedRows;
}

interface Shape {
  terms: number;
  dimensions: number;
  epochs: number;
}

const BATCH = 512;
const RUN = 96;
const TEMPERATURE = 0.06;
/** Share of names that are held back, so that code is recognised without its name. */
const HELD_NAMES = 0.35;

/** A matrix of weights and what Adam remembers of its gradients. */
class Trained {
  readonly values: Float32Array;
  /** Slopes of the batch at hand; a step empties them. */
  readonly gradient: Float32Array;
  readonly #mean: Float32Array;
  readonly #square: Float32Array;

  constructor(values: Float32Array) {
    this.values = values;
    this.gradient = new Float32Array(values.length);
    this.#mean = new Float32Array(values.length);
    this.#square = new Float32Array(values.length);
  }

  step(step: number, rate: number): void {
    const { gradient, values } = this;
    const [means, squares] = [this.#mean, this.#square];
    const [first, second] = [1 - 0.9 ** step, 1 - 0.999 ** step];
    for (let at = 0; at < gradient.length; at++) {
      const slope = gradient[at] ?? 0;
      const mean = (means[at] = 0.9 * (means[at] ?? 0) + 0.1 * slope);
      const square = (squares[at] = 0.999 * (squares[at] ?? 0) + 0.001 * slope * slope);
      values[at] = (values[at] ?? 0) - (rate * (mean / first)) / (Math.sqrt(square / second) + 1e-7);
    }
    gradient.fill(0);
  }
}

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
  train(pairs: TrainingPairs, onEpoch: (epoch: number, loss: number) => void): number[] {
    const batches = Math.floor(pairs.groups.length / BATCH);
    const steps = this.#shape.epochs * batches;
    const losses: number[] = [];
    for (let epoch = 0, step = 1; epoch < this.#shape.epochs; epoch++) {
      const order = this.#shuffledRuns(pairs.groups);
      let sum = 0;
      for (let batch = 0; batch < batches; batch++, step++) {
        const chosen = order.subarray(batch * BATCH, (batch + 1) * BATCH);
        sum += this.#learn(pairs, chosen, { step, rate: 0.01 * (1 - step / steps) + 0.0005 });
      }
      losses.push(sum / batches);
      onEpoch(epoch + 1, sum / batches);
    }
    return losses;
  }

  #learn(pairs: TrainingPairs, chosen: Int32Array, { step, rate }: { step: number; rate: number }): number {
    const { dimensions } = this.#shape;
    const isHeld = Uint8Array.from(chosen, () => (this.#random() < HELD_NAMES ? 1 : 0));
    const named = chosen.map((pair, index) => (isHeld[index] === 1 ? -1 : pair));
    const asking = [{ from: pairs.question, chosen }];
    const coded = [
      { from: pairs.text, chosen },
      { from: pairs.name, chosen: named },
      { from: pairs.context, chosen },
    ];
    const questions = project(asking, this.#question.values, dimensions);
    const codes = project(coded, this.#code.values, dimensions);
    const { loss, toQuestions, toCodes } = contrast(questions.unit, codes.unit, dimensions);
    addGradient(this.#question.gradient, asking, { projected: questions, slopes: toQuestions });
    addGradient(this.#code.gradient, coded, { projected: codes, slopes: toCodes });
    this.#question.step(step, rate);
    this.#code.step(step, rate);
    return loss;
  }

  /** All pairs in random order, those of a group in runs. */
  #shuffledRuns(groups: readonly string[]): Int32Array {
    const runs: number[][] = [];
    for (const group of Map.groupBy(groups.keys(), (pair) => groups[pair] ?? '').values()) {
      const mixed = this.#shuffled(group);
      for (let at = 0; at < mixed.length; at += RUN) runs.push(mixed.slice(at, at + RUN));
    }
    return Int32Array.from(this.#shuffled(runs).flat());
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

/** One kind of rows for each example of a batch; -1 stands for none. */
interface Part {
  from: WeightedRows;
  chosen: Int32Array;
}

interface Projected {
  /** Example after example, each of length 1. */
  unit: Float32Array;
  lengths: Float32Array;
}

function project(parts: readonly Part[], matrix: Float32Array, dimensions: number): Projected {
  const size = parts[0]?.chosen.length ?? 0;
  const unit = new Float32Array(size * dimensions);
  const lengths = new Float32Array(size);
  for (let index = 0; index < size; index++) {
    const to = index * dimensions;
    for (const { from, chosen } of parts) {
      const pair = chosen[index] ?? -1;
      const end = pair === -1 ? 0 : (from.starts[pair + 1] ?? 0);
      for (let at = pair === -1 ? 0 : (from.starts[pair] ?? 0); at < end; at++)
        addScaled(unit, to, {
          from: matrix,
          at: (from.rows[at] ?? 0) * dimensions,
          dimensions,
          by: from.weights[at] ?? 0,
        });
    }
    let squares = 0;
    for (let at = to; at < to + dimensions; at++) squares += (unit[at] ?? 0) ** 2;
    const length = (lengths[index] = Math.max(1e-6, Math.sqrt(squares)));
    for (let at = to; at < to + dimensions; at++) unit[at] = (unit[at] ?? 0) / length;
  }
  return { unit, lengths };
}

interface Scaled {
  from: Float32Array;
  at: number;
  dimensions: number;
  by: number;
}

function addScaled(sums: Float32Array, to: number, { from, at, dimensions, by }: Scaled): void {
  for (let offset = 0; offset < dimensions; offset++)
    sums[to + offset] = (sums[to + offset] ?? 0) + by * (from[at + offset] ?? 0);
}

/** Cross entropy of choosing the right code for each question and the right question for each code, with its slopes. */
function contrast(
  questions: Float32Array,
  codes: Float32Array,
  dimensions: number,
): { loss: number; toQuestions: Float32Array; toCodes: Float32Array } {
  const size = questions.length / dimensions;
  const powers = new Float32Array(size * size);
  const [rowSums, columnSums] = [new Float32Array(size), new Float32Array(size)];
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const cosine = product(questions, row * dimensions, { from: codes, at: column * dimensions, dimensions });
      // Cosines are at most 1, so powers stay small enough without taking off the largest.
      const power = (powers[row * size + column] = Math.exp((cosine - 1) / TEMPERATURE));
      rowSums[row] = (rowSums[row] ?? 0) + power;
      columnSums[column] = (columnSums[column] ?? 0) + power;
    }
  let loss = 0;
  const [toQuestions, toCodes] = [new Float32Array(questions.length), new Float32Array(codes.length)];
  for (let row = 0; row < size; row++) {
    loss -= Math.log(Math.max(1e-9, (powers[row * size + row] ?? 0) / (rowSums[row] ?? 1)));
    for (let column = 0; column < size; column++) {
      const power = powers[row * size + column] ?? 0;
      const chance = power / (rowSums[row] ?? 1) + power / (columnSums[column] ?? 1) - (row === column ? 2 : 0);
      const by = chance / (2 * size * TEMPERATURE);
      // Most codes are far from most questions and teach nothing.
      if (Math.abs(by) < 1e-7) continue;
      addScaled(toQuestions, row * dimensions, { from: codes, at: column * dimensions, dimensions, by });
      addScaled(toCodes, column * dimensions, { from: questions, at: row * dimensions, dimensions, by });
    }
  }
  return { loss: loss / size, toQuestions, toCodes };
}

/** In four sums that do not wait for each other. `dimensions` is divisible by four. */
function product(vectors: Float32Array, to: number, { from, at, dimensions }: Omit<Scaled, 'by'>): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let offset = 0; offset < dimensions; offset += 4) {
    first += (vectors[to + offset] ?? 0) * (from[at + offset] ?? 0);
    second += (vectors[to + offset + 1] ?? 0) * (from[at + offset + 1] ?? 0);
    third += (vectors[to + offset + 2] ?? 0) * (from[at + offset + 2] ?? 0);
    fourth += (vectors[to + offset + 3] ?? 0) * (from[at + offset + 3] ?? 0);
  }
  return first + second + third + fourth;
}

/** Carries the slopes of the unit vectors back to the rows they were summed from. */
function addGradient(
  gradient: Float32Array,
  parts: readonly Part[],
  { projected: { unit, lengths }, slopes }: { projected: Projected; slopes: Float32Array },
): void {
  const dimensions = unit.length / lengths.length;
  const inner = new Float32Array(dimensions);
  for (let index = 0; index < lengths.length; index++) {
    const start = index * dimensions;
    const along = product(unit, start, { from: slopes, at: start, dimensions });
    for (let at = 0; at < dimensions; at++)
      inner[at] = ((slopes[start + at] ?? 0) - (unit[start + at] ?? 0) * along) / (lengths[index] ?? 1);
    for (const { from, chosen } of parts) {
      const pair = chosen[index] ?? -1;
      const end = pair === -1 ? 0 : (from.starts[pair + 1] ?? 0);
      for (let at = pair === -1 ? 0 : (from.starts[pair] ?? 0); at < end; at++)
        addScaled(gradient, (from.rows[at] ?? 0) * dimensions, {
          from: inner,
          at: 0,
          dimensions,
          by: from.weights[at] ?? 0,
        });
    }
  }
}
