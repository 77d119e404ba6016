import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stem } from '../../src/kernel/terms.ts';
import { wordsOf } from '../../src/signals/language/text-terms.ts';
import { type TrainedMeanings, WordMeanings } from '../../src/signals/language/word-meanings.ts';
import { sha256Of, writeTrained } from '../trained-model.ts';
import { corpus } from './corpus.ts';
import { eigen, type Matrix, zeros } from './matrix.ts';

/**
 * Learns what words mean in messages of customers, and writes it to `src/signals/language/word-meanings.json`:
 * `FEEDBACK_MIRROR=<folder of <owner>+<name>/repo> FEEDBACK_PACKAGES=<node_modules> node bench/feedback/train-meanings.ts`.
 * Public word vectors are turned so that messages of one intent lie together (within-class whitening), and brought to
 * fewer dimensions; the weight of a word is how few intents it is spread over. About a minute and 3 GB of memory.
 */

/** The most frequent words of the public vectors, in their order. */
const WORDS = 20_000;
const GIVEN_DIMENSIONS = 100;
const DIMENSIONS = 96;
/** How far the spread inside intents is drawn towards an even one. */
const SHRINKAGE = 0.3;
/** Sightings at which what was seen of a word counts as much as what is expected of one. */
const PRIOR_SIGHTINGS = 5;
const EXPECTED_WEIGHT = 0.6;
const LEAST_SIGHTINGS = 2;
/** Every fifth intent is kept back for the figures. */
const HELD = 5;

interface Message {
  text: string;
  intent: string;
}

const mirror = folder('FEEDBACK_MIRROR');
const { repository, commit, file } = corpus.intents;
const git = ['--git-dir', join(mirror, repository.replace('/', '+'), 'repo'), 'show', `${commit}:${file}`];
const parts = JSON.parse(execFileSync('git', git, { maxBuffer: 1e8, encoding: 'utf8' })) as Record<
  'train' | 'val' | 'test',
  [string, string][]
>;
const messages: Message[] = [...parts.train, ...parts.val, ...parts.test].map(([text, intent]) => ({ text, intent }));
const given = readVectors();
const intents = [...new Set(messages.map(({ intent }) => intent))].toSorted();
const held = new Set(intents.filter((_, at) => at % HELD === 0));
const metrics = {
  corpus_sha256: sha256Of(corpus),
  messages: messages.length,
  intents: intents.length,
  words: given.words.length,
  nearest_message_has_the_intent: {
    of_intents_kept_back: held.size,
    given_vectors: nearestShare(learn([])),
    learnt: nearestShare(learn(messages.filter(({ intent }) => !held.has(intent)))),
  },
};
writeTrained(learn(messages), {
  modelFile: 'src/signals/language/word-meanings.json',
  metricsFile: 'bench/feedback/meanings-metrics.json',
  script: 'bench/feedback/train-meanings.ts',
  corpus: { list: 'bench/feedback/corpus.ts', sha256: metrics.corpus_sha256 },
  metrics,
});
console.log(JSON.stringify(metrics, undefined, 2));

function folder(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Set ${name}; the head of this script says to what.`);
  return value;
}

function readVectors(): { words: string[]; vectors: Float32Array; rows: Map<string, number> } {
  const { package: name, file: json } = corpus.vectors;
  const path = join(folder('FEEDBACK_PACKAGES'), name, json);
  const { vectors: table } = JSON.parse(readFileSync(path, 'utf8')) as { vectors: Record<string, number[]> };
  const words = Object.keys(table)
    .filter((word) => /^\p{L}[\p{L}'-]{1,23}$/u.test(word))
    .slice(0, WORDS);
  const vectors = new Float32Array(words.length * GIVEN_DIMENSIONS);
  for (const [row, word] of words.entries())
    vectors.set((table[word] ?? []).slice(0, GIVEN_DIMENSIONS), row * GIVEN_DIMENSIONS);
  return { words, vectors, rows: new Map(words.map((word, row) => [word, row])) };
}

/** With no messages the given vectors alone, cut to the dimensions that spread most. */
function learn(known: readonly Message[]): TrainedMeanings {
  const weights = weightsOf(known);
  const projection = projectionOf(known, weights);
  const turned = new Float32Array(given.words.length * DIMENSIONS);
  for (let row = 0; row < given.words.length; row += 1)
    turned.set(
      times(projection, given.vectors.subarray(row * GIVEN_DIMENSIONS, (row + 1) * GIVEN_DIMENSIONS)),
      row * DIMENSIONS,
    );
  const largest = turned.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const stems = [...weights.keys()].toSorted();
  return {
    dimensions: DIMENSIONS,
    words: given.words.join('\n'),
    vectors: Buffer.from(Int8Array.from(turned, (value) => Math.round((value / largest) * 127)).buffer).toString(
      'base64',
    ),
    stems: stems.join('\n'),
    weights: Buffer.from(stems.map((word) => Math.round(255 * (weights.get(word) ?? 0)))).toString('base64'),
  };
}

/** 1 less the entropy over intents, drawn to what is expected of a word for those that were seen a few times. */
function weightsOf(known: readonly Message[]): Map<string, number> {
  const counts = new Map<string, Map<string, number>>();
  for (const { text, intent } of known)
    for (const word of new Set(wordsOf(text).map((part) => part.stem))) {
      const own = counts.get(word) ?? new Map<string, number>();
      own.set(intent, (own.get(intent) ?? 0) + 1);
      counts.set(word, own);
    }
  const most = Math.log(new Set(known.map(({ intent }) => intent)).size || 2);
  const weights = new Map<string, number>();
  for (const [word, own] of counts) {
    const total = [...own.values()].reduce((sum, count) => sum + count, 0);
    if (total < LEAST_SIGHTINGS) continue;
    const entropy = [...own.values()].reduce((sum, count) => sum - (count / total) * Math.log(count / total), 0);
    const share = total / (total + PRIOR_SIGHTINGS);
    weights.set(word, share * (1 - entropy / most) + (1 - share) * EXPECTED_WEIGHT);
  }
  return weights;
}

/** Whitens what messages of one intent differ in, and keeps the dimensions that words spread over most. */
function projectionOf(known: readonly Message[], weights: ReadonlyMap<string, number>): Matrix {
  const whitening = known.length === 0 ? undefined : whiteningOf(known, weights);
  const spread = zeros(GIVEN_DIMENSIONS, GIVEN_DIMENSIONS);
  for (let row = 0; row < given.words.length; row += 4) {
    const vector = given.vectors.subarray(row * GIVEN_DIMENSIONS, (row + 1) * GIVEN_DIMENSIONS);
    addOuter(spread, whitening === undefined ? Float64Array.from(vector) : times(whitening, vector));
  }
  const { vectors } = eigen(spread);
  const axes = Array.from({ length: DIMENSIONS }, (_, axis) => Float64Array.from(vectors, (row) => row[axis] ?? 0));
  if (whitening === undefined) return axes;
  return axes.map((axis) =>
    Float64Array.from({ length: GIVEN_DIMENSIONS }, (_, column) =>
      whitening.reduce((sum, row, at) => sum + (axis[at] ?? 0) * (row[column] ?? 0), 0),
    ),
  );
}

function whiteningOf(known: readonly Message[], weights: ReadonlyMap<string, number>): Matrix {
  const within = zeros(GIVEN_DIMENSIONS, GIVEN_DIMENSIONS);
  for (const group of Map.groupBy(known, ({ intent }) => intent).values()) {
    const vectors = group.map(({ text }) => givenVectorOf(text, weights));
    const mean = new Float64Array(GIVEN_DIMENSIONS);
    for (const vector of vectors)
      for (let at = 0; at < mean.length; at += 1) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0) / vectors.length;
    for (const vector of vectors)
      addOuter(
        within,
        vector.map((value, at) => value - (mean[at] ?? 0)),
      );
  }
  const trace = within.reduce((sum, row, at) => sum + (row[at] ?? 0), 0) / GIVEN_DIMENSIONS;
  const shrunk = within.map((row, at) =>
    row.map((value, column) => value * (1 - SHRINKAGE) + (at === column ? SHRINKAGE * trace : 0)),
  );
  const { values, vectors } = eigen(shrunk);
  return zeros(GIVEN_DIMENSIONS, GIVEN_DIMENSIONS).map((row, a) =>
    row.map((_, b) =>
      values.reduce(
        (sum, value, axis) => sum + ((vectors[a]?.[axis] ?? 0) * (vectors[b]?.[axis] ?? 0)) / Math.sqrt(value / trace),
        0,
      ),
    ),
  );
}

function givenVectorOf(text: string, weights: ReadonlyMap<string, number>): Float64Array {
  const sum = new Float64Array(GIVEN_DIMENSIONS);
  for (const { written } of wordsOf(text)) {
    const row = given.rows.get(written.toLowerCase());
    if (row === undefined) continue;
    const weight = weights.get(stem(written.toLowerCase())) ?? EXPECTED_WEIGHT;
    for (let at = 0; at < sum.length; at += 1)
      sum[at] = (sum[at] ?? 0) + weight * (given.vectors[row * GIVEN_DIMENSIONS + at] ?? 0);
  }
  const length = Math.sqrt(sum.reduce((all, value) => all + value * value, 0)) || 1;
  return sum.map((value) => value / length);
}

function times(matrix: Matrix, vector: Float32Array | Float64Array): Float64Array {
  return Float64Array.from(matrix, (row) => row.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0));
}

function addOuter(sum: Matrix, vector: Float64Array): void {
  for (const [at, row] of sum.entries()) {
    const value = vector[at] ?? 0;
    for (let column = 0; column < row.length; column += 1)
      row[column] = (row[column] ?? 0) + value * (vector[column] ?? 0);
  }
}

/** Share of the test messages of the intents kept back whose nearest other one has the same intent. */
function nearestShare(trained: TrainedMeanings): number {
  const meanings = new WordMeanings(trained);
  const asked = parts.test.filter(([, intent]) => held.has(intent));
  const vectors = asked.map(([text]) => meanings.vectorOf(text, () => 1));
  const right = vectors.filter((vector, at) => {
    let [best, most] = [-1, -Infinity];
    for (const [other, candidate] of vectors.entries()) {
      if (other === at) continue;
      const cosine = vector.reduce((sum, value, place) => sum + value * (candidate[place] ?? 0), 0);
      if (cosine > most) [best, most] = [other, cosine];
    }
    return asked[best]?.[1] === asked[at]?.[1];
  });
  return Math.round((1000 * right.length) / asked.length) / 1000;
}
