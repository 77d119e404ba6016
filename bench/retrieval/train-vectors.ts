import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Extractors } from '../../src/code/extract/extract.ts';
import type { TrainedVectors } from '../../src/code/word-vectors.ts';
import { termsOf } from '../../src/shards/shards.ts';
import { blankedFiles, termsOfPath } from './documented.ts';
import { corpus, mirrorOf } from './corpus.ts';
import { type Bag, DualEncoder } from './dual-encoder.ts';

/**
 * Learns the word vectors of the search from what documentation says of functions in the `vectors` repositories of
 * `corpus.json`, and writes them to `src/code/model/word-vectors.json`: `RETRIEVAL_MIRROR=<folder> node
 * bench/retrieval/train-vectors.ts`. The mirror holds `<owner>+<name>/repo` bare repositories. The same corpus gives the
 * same file. About 10 minutes.
 */

/** A term that is rarer, or known to fewer repositories, is one project's own. */
const LEAST_PAIRS = 20;
const LEAST_REPOSITORIES = 4;
const LONGEST_TERM = 24;
const LONGEST_TEXT = 6_000;
const LEAST_TEXT_TERMS = 8;
const LEAST_QUESTION_TERMS = 3;
const MOST_WORDS = 60;
const EPOCHS = 8;
const DIMENSIONS = 64;

interface Pair {
  repository: string;
  question: string[];
  text: string[];
  name: string[];
  place: string[];
}

const mirror = mirrorOf(process.env);
const pairs: Pair[] = [];
for (const { repository, commit } of corpus.vectors) {
  const before = pairs.length;
  const seen = new Set<string>();
  for await (const { documented } of blankedFiles(
    join(mirror, repository.replace('/', '+'), 'repo'),
    commit,
    new Extractors(),
  ))
    for (const one of documented) {
      const question = termsOf(one.sentences.split(' ').slice(0, MOST_WORDS).join(' '));
      const text = termsOf(one.text.slice(0, LONGEST_TEXT));
      if (question.length < LEAST_QUESTION_TERMS || text.length < LEAST_TEXT_TERMS || seen.has(one.sentences)) continue;
      seen.add(one.sentences);
      const place = [...termsOf(one.owner), ...termsOfPath(one.path.split('/').slice(-2).join('/'))];
      pairs.push({ repository, question, text, name: termsOf(one.name), place });
    }
  console.log(`${repository} ${pairs.length - before}`);
}

const { terms, idf } = vocabularyOf(pairs);
console.log(`${pairs.length} pairs, ${terms.length} terms`);
const rows = new Map(terms.map((term, row) => [term, row]));
const encoder = new DualEncoder({ terms: terms.length, dimensions: DIMENSIONS, idf, epochs: EPOCHS });
const losses = encoder.train(
  pairs.map(({ repository, question, text, name, place }) => ({
    group: repository,
    question: bagOf(question),
    text: bagOf(text),
    name: [...bagOf(name).keys()],
    place: [...bagOf(place).keys()],
  })),
  (epoch, loss) => console.log(`epoch ${epoch}: loss ${loss.toFixed(3)}`),
);
const trained: TrainedVectors = {
  dimensions: DIMENSIONS,
  terms: terms.join('\n'),
  idf: idf.map((value) => Math.round(value * 100) / 100).join(' '),
  question: base64Of(encoder.question),
  code: base64Of(encoder.code),
};
const target = join(import.meta.dirname, '../../src/code/model/word-vectors.json');
writeFileSync(target, `${JSON.stringify(trained, undefined, 2)}\n`);
const metrics = {
  corpus_sha256: createHash('sha256')
    .update(readFileSync(join(import.meta.dirname, 'corpus.json')))
    .digest('hex'),
  pairs: pairs.length,
  terms: terms.length,
  loss_of_last_epoch: losses.at(-1),
};
writeFileSync(join(import.meta.dirname, 'vectors-metrics.json'), `${JSON.stringify(metrics, undefined, 2)}\n`);

function vocabularyOf(all: readonly Pair[]): { terms: string[]; idf: number[] } {
  const counts = new Map<string, number>();
  const known = new Map<string, Set<string>>();
  for (const { repository, question, text, name, place } of all)
    for (const term of new Set([...question, ...text, ...name, ...place])) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      const where = known.get(term) ?? new Set<string>();
      known.set(term, where.add(repository));
    }
  const isCommon = (term: string): boolean =>
    (counts.get(term) ?? 0) >= LEAST_PAIRS &&
    (known.get(term)?.size ?? 0) >= LEAST_REPOSITORIES &&
    term.length <= LONGEST_TERM;
  const chosen = [...counts.keys()].filter(isCommon).toSorted();
  return { terms: chosen, idf: chosen.map((term) => Math.log(1 + all.length / (counts.get(term) ?? 1))) };
}

/** Rows of the known terms with how often each comes. */
function bagOf(words: readonly string[]): Bag {
  const bag = new Map<number, number>();
  for (const word of words) {
    const row = rows.get(word);
    if (row !== undefined) bag.set(row, (bag.get(row) ?? 0) + 1);
  }
  return bag;
}

/** Signed bytes; the largest value becomes 127. */
function base64Of(matrix: Float32Array): string {
  const largest = matrix.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Buffer.from(Int8Array.from(matrix, (value) => Math.round((value / largest) * 127)).buffer).toString('base64');
}
