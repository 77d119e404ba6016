import { createHash } from 'node:crypto';
import trained from '../../src/commits/queries/coupling-weights.json' with { type: 'json' };
import type { CompanionFeature } from '../../src/commits/queries/coupling.ts';
import { type Example, learn } from '../retrieval/linear-ranker.ts';
import { writeTrained } from '../trained-model.ts';
import { train } from '../training/train.ts';
import { type Case, readCases } from './cases.ts';
import { PROJECTS } from './projects.ts';

const USAGE = `EVAL_MIRROR=<folder of <owner>+<name>/repo> node lab/coupling/train.ts [--keep] [<folder for shards>]

Learns the weights by which coupling orders the files that may change with one, and writes them with their figures. Each
repository is also ordered with weights that were learnt from the others, and beside it with the weights that are there
now. --keep writes nothing.`;

const FEATURES: readonly CompanionFeature[] = ['exclusive', 'linked', 'words', 'isTest', 'folder', 'lately'];
const FIRST = 10;

interface Weights {
  weights: Record<CompanionFeature, number>;
}

await train({
  usage: USAGE,
  projects: PROJECTS,
  readCases,
  fit,
  score: recallOf,
  current: trained,
  write(weights, { cases, unseen, inSample }) {
    const sha256 = hashOf(cases);
    const projects = new Set(cases.map(({ project }) => project)).size;
    const recallAt10 = { unseen_projects: unseen, seen: inSample };
    writeTrained(weights, {
      modelFile: 'src/commits/queries/coupling-weights.json',
      metricsFile: 'lab/coupling/metrics.json',
      script: 'lab/coupling/train.ts',
      corpus: { list: 'lab/coupling/projects.ts', sha256 },
      metrics: { corpus: { projects, cases: cases.length, sha256 }, recallAt10 },
    });
  },
});

/** The weights under which the files that changed are likeliest among the candidates of their cases. */
function fit(cases: readonly Case[]): Weights {
  const learnt = learn(cases.map(exampleOf));
  const weights = FEATURES.map((name, at) => [name, Math.round(100 * (learnt[at] ?? 0)) / 100]);
  return { weights: Object.fromEntries(weights) as Weights['weights'] };
}

function exampleOf({ candidates }: Case): Example {
  const values = candidates.flatMap(({ features }) => FEATURES.map((name) => features[name]));
  const isAnswer = Uint8Array.from(candidates, ({ isChanged }) => Number(isChanged));
  return { width: FEATURES.length, values: Float32Array.from(values), isAnswer };
}

/** Part of the files to be found that are among the first ten. */
function recallOf({ candidates, relevant }: Case, { weights }: Weights): number {
  const ranked = candidates
    .map(({ features, isChanged }) => {
      return { isChanged, score: FEATURES.reduce((sum, name) => sum + weights[name] * features[name], 0) };
    })
    .toSorted((a, b) => b.score - a.score);
  return ranked.slice(0, FIRST).filter(({ isChanged }) => isChanged).length / relevant;
}

function hashOf(cases: readonly Case[]): string {
  const hash = createHash('sha256');
  for (const { project, sha, relevant } of cases) hash.update(`${project} ${sha} ${relevant}\n`);
  return hash.digest('hex');
}
