import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readTable } from '../../src/platform/csv.ts';
import { BUILT_IN_MODEL } from '../../src/text/encoder/built-in-encoder.ts';
import { loadEncoder } from '../../src/text/encoder/load-encoder.ts';
import { toBytes, unitVector } from '../../src/text/encoder/vector.ts';
import { sha256Of, writeTrained } from '../trained-model.ts';
import { general } from './corpus.ts';

/**
 * Measures the mean direction of messages about many subjects and writes it to `src/signals/grouping/general-mean.json`:
 * `FEEDBACK_MIRROR=<folder of <owner>+<name>/repo> node lab/feedback/train-mean.ts`. As many messages of each language, taken
 * evenly; about a minute.
 */

const EACH = 100;
const CHARACTERS = 300;
const LARGEST_BYTE = 127;

const mirror = process.env['FEEDBACK_MIRROR'];
if (mirror === undefined) throw new Error('Set FEEDBACK_MIRROR; the head of this script says to what.');
const encode = loadEncoder(join(import.meta.dirname, '../../models'));
const { intents, tweets } = general;
const sets = new Map<string, string[]>(
  tweets.languages.map((language) => [
    language,
    readTable(readPublicFile(mirror, tweets, `data/${language}/train.csv`).toString('utf8'))
      .slice(1)
      .map(([text = '']) => text),
  ]),
);
const questions = JSON.parse(readPublicFile(mirror, intents, intents.file).toString('utf8')) as Record<
  string,
  [string, string][]
>;
sets.set(
  'questions',
  (questions['train'] ?? []).map(([text]) => text),
);
const texts = [...sets.values()].flatMap((set) => {
  const step = set.length / EACH;
  return Array.from({ length: EACH }, (_, at) => set[Math.floor(at * step)] ?? '');
});
const vectors = texts.map((text) => unitVector(encode(text.slice(0, CHARACTERS), 'query')));
const mean = new Float32Array(vectors[0]?.length ?? 0);
for (const vector of vectors)
  for (let at = 0; at < mean.length; at += 1) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0) / vectors.length;
const largest = Math.max(...mean.map(Math.abs));
const nearness = vectors.map((vector) => vector.reduce((sum, value, at) => sum + value * (mean[at] ?? 0), 0));
const metrics = {
  corpus_sha256: sha256Of(general),
  messages: texts.length,
  length_of_the_mean: Number(Math.hypot(...mean).toFixed(3)),
  least_nearness_of_a_message: Number(Math.min(...nearness).toFixed(3)),
};
writeTrained(
  {
    model: BUILT_IN_MODEL,
    unit: largest / LARGEST_BYTE,
    vector: Buffer.from(toBytes(mean).buffer).toString('base64'),
  },
  {
    modelFile: 'src/signals/grouping/general-mean.json',
    metricsFile: 'lab/feedback/mean-metrics.json',
    script: 'lab/feedback/train-mean.ts',
    corpus: { list: 'lab/feedback/corpus.ts', sha256: metrics.corpus_sha256 },
    metrics,
  },
);
console.log(JSON.stringify(metrics, undefined, 2));

/** A file of a repository in a folder of bare mirrors, `<owner>+<name>/repo` each. */
function readPublicFile(
  mirrors: string,
  { repository, commit }: { repository: string; commit: string },
  path: string,
): Buffer {
  const folder = join(mirrors, repository.replace('/', '+'), 'repo');
  return execFileSync('git', ['--git-dir', folder, 'show', `${commit}:${path}`], { maxBuffer: 1e8 });
}
