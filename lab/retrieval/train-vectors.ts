import type { TrainedVectors } from '../../src/code-index/format/word-vectors.ts';
import { sha256Of, writeTrained } from '../trained-model.ts';
import { corpus, mirrorOf } from './corpus.ts';
import { DualEncoder, type WeightedRows } from './dual-encoder.ts';
import { type Pair, pairsOf } from './pairs.ts';

/**
 * Learns the word vectors of the search from what documentation says of functions in the `vectors` repositories of
 * `corpus.json`, and writes them to `src/code-index/format/word-vectors.json`: `RETRIEVAL_MIRROR=<folder>
 * RETRIEVAL_PAIRS=<folder> node lab/retrieval/train-vectors.ts`. The mirror holds `<owner>+<name>/repo` bare
 * repositories; the pairs of each are kept in the other folder, so that a second run only learns. The same corpus gives
 * the same file. About 30 minutes for the pairs, 10 to learn, and 4 GB of memory.
 */

/** A term that is rarer, or known to fewer repositories, is one project's own. */
const LEAST_PAIRS = 60;
const LEAST_REPOSITORIES = 8;
const LONGEST_TERM = 24;
/** Of a repository, so that none sets the tone. They are spread over it. */
const MOST_PAIRS = 4_000;
const EPOCHS = 3;
const DIMENSIONS = 96;
/** As in `WordVectors.ofCode`. */
const TEXT = 3;
const NAME = 0.4;
const CONTEXT = 0.14;

const mirror = mirrorOf(process.env);
const pairs: Pair[] = [];
const groups: string[] = [];
for (const source of corpus.vectors) {
  const ofSource = await pairsOf(source, { mirror, cache: process.env['RETRIEVAL_PAIRS'] });
  const step = Math.max(1, ofSource.length / MOST_PAIRS);
  for (let at = 0; Math.floor(at) < ofSource.length; at += step) {
    const pair = ofSource[Math.floor(at)];
    if (pair !== undefined) pairs.push(pair);
  }
  while (groups.length < pairs.length) groups.push(source.repository);
  console.log(`${source.repository} ${ofSource.length}`);
}

const { terms, idf } = vocabularyOf();
const rows = new Map(terms.map((term, row) => [term, row]));
const rarity = (row: number): number => idf[row] ?? 0;
console.log(`${pairs.length} pairs, ${terms.length} terms`);
const encoder = new DualEncoder({ terms: terms.length, dimensions: DIMENSIONS, epochs: EPOCHS });
const losses = encoder.train(
  {
    groups,
    question: weighRows(
      ({ question }) => question,
      (row, count) => rarity(row) * (0.5 + 0.5 * count),
    ),
    text: toLength(
      TEXT,
      weighRows(
        ({ text }) => text,
        (row, count) => rarity(row) * Math.log1p(count),
      ),
    ),
    name: weighRows(
      ({ name }) => name,
      (row) => rarity(row) * NAME,
    ),
    context: weighRows(
      ({ place: context }) => context,
      (row) => rarity(row) * CONTEXT,
    ),
  },
  (epoch, loss) => console.log(`epoch ${epoch}: loss ${loss.toFixed(3)}`),
);
const trained: TrainedVectors = {
  dimensions: DIMENSIONS,
  terms: terms.join('\n'),
  idf: idf.map((value) => Math.round(value * 100) / 100).join(' '),
  question: base64Of(encoder.question),
  code: base64Of(encoder.code),
};
const metrics = {
  corpus_sha256: sha256Of(corpus.vectors),
  pairs: pairs.length,
  terms: terms.length,
  loss_of_last_epoch: losses.at(-1),
};
writeTrained(trained, {
  modelFile: 'src/code-index/format/word-vectors.json',
  metricsFile: 'lab/retrieval/vectors-metrics.json',
  script: 'lab/retrieval/train-vectors.ts',
  corpus: { list: 'lab/retrieval/corpus.json', sha256: metrics.corpus_sha256 },
  metrics,
});

function vocabularyOf(): { terms: string[]; idf: number[] } {
  const counts = new Map<string, number>();
  const groupsOfTerm = new Map<string, Set<string>>();
  for (const [index, { question, text, name, place: context }] of pairs.entries())
    for (const term of new Set([...question, ...text, ...name, ...context])) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      const where = groupsOfTerm.get(term);
      if (where === undefined) groupsOfTerm.set(term, new Set([groups[index] ?? '']));
      else where.add(groups[index] ?? '');
    }
  const isCommon = (term: string): boolean =>
    (counts.get(term) ?? 0) >= LEAST_PAIRS &&
    (groupsOfTerm.get(term)?.size ?? 0) >= LEAST_REPOSITORIES &&
    term.length <= LONGEST_TERM;
  const chosen = [...counts.keys()].filter(isCommon).toSorted();
  return { terms: chosen, idf: chosen.map((term) => Math.log(1 + pairs.length / (counts.get(term) ?? 1))) };
}

/** The known terms of one kind, pair after pair, each once with the weight that it has there so many times. */
function weighRows(termsIn: (pair: Pair) => string[], weigh: (row: number, count: number) => number): WeightedRows {
  const starts = new Int32Array(pairs.length + 1);
  const rowIds: number[] = [];
  const weights: number[] = [];
  for (const [index, pair] of pairs.entries()) {
    const counts = new Map<number, number>();
    for (const term of termsIn(pair)) {
      const row = rows.get(term);
      if (row !== undefined) counts.set(row, (counts.get(row) ?? 0) + 1);
    }
    for (const [row, count] of counts) {
      rowIds.push(row);
      weights.push(weigh(row, count));
    }
    starts[index + 1] = rowIds.length;
  }
  return { starts, rows: Int32Array.from(rowIds), weights: Float32Array.from(weights) };
}

/** The rows with the weights of each pair brought to a length. */
function toLength(length: number, { starts, rows: rowIds, weights }: WeightedRows): WeightedRows {
  for (let pair = 0; pair + 1 < starts.length; pair++) {
    const own = weights.subarray(starts[pair], starts[pair + 1]);
    const squares = own.reduce((sum, weight) => sum + weight * weight, 0);
    for (let at = 0; at < own.length; at++) own[at] = ((own[at] ?? 0) * length) / (Math.sqrt(squares) || 1);
  }
  return { starts, rows: rowIds, weights };
}

/** Signed bytes; the largest value becomes 127. */
function base64Of(matrix: Float32Array): string {
  const largest = matrix.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Buffer.from(Int8Array.from(matrix, (value) => Math.round((value / largest) * 127)).buffer).toString('base64');
}
