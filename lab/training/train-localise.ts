import { createHash } from 'node:crypto';
import trained from '../../src/code/localise/localise-weights.json' with { type: 'json' };
import { FEATURES, type Feature } from '../../src/code/localise/rank-files.ts';
import { type Example, learn } from '../retrieval/linear-ranker.ts';
import { writeTrained } from '../trained-model.ts';
import { type FixCase, readFixCases } from './fix-cases.ts';
import { FIXED_PROJECTS as PROJECTS } from './projects.ts';
import { train } from './train.ts';

const USAGE = `EVAL_MIRROR=<folder of <owner>+<name>/repo> node lab/training/train-localise.ts [--keep] [<folder for shards>]

Learns the weights by which files are suspected of a fault, from the messages of fixes, and writes them with their
figures. Each repository is also asked with weights that were learnt from the others, and beside it with the weights that
are kept now. --keep writes nothing.`;

type Weights = Record<Feature, number>;

/** Weights that messages of fixes cannot teach: they quote no traces and paths, and they fix neither tests nor prose. */
const SET = { frame: 7, path: 2, changed: 1, prose: -5, test: -4 } as const satisfies Partial<Weights>;
const LEARNT = FEATURES.filter((name) => !(name in SET));
/** Before anything is learnt, all that speaks for a file counts the same, and what speaks against it as much. */
const PRIOR = LEARNT.map((name) => (name === 'beside' || name === 'tooling' ? -1 : 1));
/** Pull towards PRIOR: without it, hopeless cases pull the weights away from what helps the others. */
const DECAY = 0.1;

await train({
  usage: USAGE,
  projects: PROJECTS,
  readCases: readFixCases,
  fit,
  score: averagePrecision,
  current: trained.weights,
  write(weights, { cases, unseen, inSample }) {
    const sha256 = hashOf(cases);
    const metrics = {
      corpus: { projects: PROJECTS.length, fixes: cases.length, sha256 },
      mean_average_precision_percent: { unseen_projects: unseen, seen: inSample },
    };
    writeTrained(
      { weights },
      {
        modelFile: 'src/code/localise/localise-weights.json',
        metricsFile: 'lab/training/localise-metrics.json',
        script: 'lab/training/train-localise.ts',
        corpus: { list: 'lab/training/projects.ts', sha256 },
        metrics,
      },
    );
  },
});

/** The weights under which the files that fixes changed are likeliest, beside those that are set. */
function fit(cases: readonly FixCase[]): Weights {
  const learnt = learn(cases.map(exampleOf), { prior: PRIOR, decay: DECAY });
  const rounded = Array.from(learnt, (weight, at) => [LEARNT[at], Math.round(100 * weight) / 100] as const);
  const weights: Partial<Weights> = { ...Object.fromEntries(rounded), ...SET };
  return Object.fromEntries(FEATURES.map((name) => [name, weights[name] ?? 0])) as Weights;
}

function exampleOf({ candidates }: FixCase): Example {
  const isAnswer = Uint8Array.from(candidates, ({ isChanged }) => Number(isChanged));
  const values = candidates.flatMap(({ features }) => LEARNT.map((name) => features[FEATURES.indexOf(name)] ?? 0));
  return { width: LEARNT.length, values: Float32Array.from(values), isAnswer };
}

/** Mean over the changed files of how many of the files up to it were changed; one that is no candidate counts 0. */
function averagePrecision({ candidates, relevant }: FixCase, weights: Weights): number {
  const ranked = candidates
    .map(({ features, isChanged }) => ({ isChanged, score: scoreOf(features, weights) }))
    .toSorted((a, b) => b.score - a.score);
  let [hits, sum] = [0, 0];
  for (const [at, { isChanged }] of ranked.entries()) {
    if (!isChanged) continue;
    hits += 1;
    sum += hits / (at + 1);
  }
  return sum / relevant;
}

function scoreOf(features: Float32Array, weights: Weights): number {
  return FEATURES.reduce((sum, name, at) => sum + weights[name] * (features[at] ?? 0), 0);
}

/** Of which fixes they are, not of their features: those change with what is read of code. */
function hashOf(cases: readonly FixCase[]): string {
  const hash = createHash('sha256');
  for (const { project, sha, relevant } of cases) hash.update(`${project} ${sha} ${relevant}\n`);
  return hash.digest('hex');
}
