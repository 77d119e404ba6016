import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompanionFeature } from '../../src/commits/queries/coupling.ts';
import { writeTrained } from '../trained-model.ts';
import { sourceIn } from '../training/snapshots.ts';
import { type Case, readCases } from './cases.ts';
import { PROJECTS } from './projects.ts';

const USAGE = `EVAL_MIRROR=<folder of <owner>+<name>/repo> node lab/coupling/train.ts [<folder for shards>]

Learns the weights by which coupling orders the files that may change with one, and writes them with their figures to
metrics.json: five runs, each on the projects that the other four have not seen. They are copied into coupling.ts.`;

const FEATURES: readonly CompanionFeature[] = ['exclusive', 'linked', 'words', 'isTest', 'folder', 'lately'];
const FOLDS = 5;
const ROUNDS = 400;
const RATE = 0.5;
const DECAY = 1e-3;
const FIRST = 10;

type Weights = Record<CompanionFeature, number>;

const mirror = process.env['EVAL_MIRROR'];
if (mirror === undefined) {
  console.log(USAGE);
  process.exitCode = 1;
} else await main(mirror, process.argv[2] ?? join(tmpdir(), 'svc-coupling'));

async function main(folder: string, cache: string): Promise<void> {
  const cases: Case[] = [];
  for (const project of PROJECTS) {
    const projectCases = await readCases(sourceIn(folder, project, cache));
    console.log(`${project}: ${projectCases.length} cases`);
    cases.push(...projectCases);
  }
  const foldOf = ({ project }: Case): number => PROJECTS.indexOf(project) % FOLDS;
  const recalls = Array.from({ length: FOLDS }, (_, fold) => {
    const weights = learn(cases.filter((example) => foldOf(example) !== fold));
    return cases.filter((example) => foldOf(example) === fold).map((example) => recallOf(example, weights));
  });
  const together = { ...Object.fromEntries(FEATURES.map((name) => [name, 0])), exclusive: 1 } as Weights;
  const metrics = {
    corpus: { projects: new Set(cases.map(({ project }) => project)).size, cases: cases.length, sha256: hashOf(cases) },
    unseenProjects: {
      recallAt10: percentOf(recalls.flat()),
      bySharedCommitsAlone: percentOf(cases.map((example) => recallOf(example, together))),
      most: percentOf(
        cases.map(
          ({ candidates, relevant }) => changedAmong(candidates.map((candidate) => candidate.isChanged)) / relevant,
        ),
      ),
    },
  };
  writeTrained(
    { weights: learn(cases) },
    {
      modelFile: 'src/commits/queries/coupling-weights.json',
      metricsFile: 'lab/coupling/metrics.json',
      script: 'lab/coupling/train.ts',
      corpus: { list: 'lab/coupling/projects.ts', sha256: metrics.corpus.sha256 },
      metrics,
    },
  );
  console.log(JSON.stringify(metrics, undefined, 2));
}

/** Candidates one after the other, in arrays that are quick to go through. */
interface Table {
  values: Float64Array;
  /** Of each candidate: 1 divided among the files of its case that changed, else 0. */
  changed: Float64Array;
  /** Index of the first candidate of each case; the last entry is the number of candidates. */
  starts: readonly number[];
}

function tableOf(cases: readonly Case[]): Table {
  const answerable = cases.filter(({ candidates }) => candidates.some(({ isChanged }) => isChanged));
  const all = answerable.flatMap(({ candidates }) => candidates);
  const starts = [0];
  for (const { candidates } of answerable) starts.push((starts.at(-1) ?? 0) + candidates.length);
  const shares = answerable.flatMap(({ candidates }) => {
    const changed = changedAmong(candidates.map(({ isChanged }) => isChanged));
    return candidates.map(({ isChanged }) => Number(isChanged) / changed);
  });
  const values = all.flatMap(({ features }) => FEATURES.map((name) => features[name]));
  return { values: Float64Array.from(values), changed: Float64Array.from(shares), starts };
}

/** The weights under which the files that changed are likeliest among the candidates of their cases. */
function learn(cases: readonly Case[]): Weights {
  const table = tableOf(cases);
  const weights = new Float64Array(FEATURES.length);
  const squares = new Float64Array(FEATURES.length).fill(1e-8);
  for (let round = 0; round < ROUNDS; round += 1) {
    const slopes = slopesOf(table, weights);
    for (const [k, slope] of slopes.entries()) {
      squares[k] = (squares[k] ?? 0) + slope * slope;
      weights[k] = (weights[k] ?? 0) - (RATE * slope) / Math.sqrt(squares[k] ?? 1);
    }
  }
  return Object.fromEntries(FEATURES.map((name, k) => [name, Math.round(100 * (weights[k] ?? 0)) / 100])) as Weights;
}

function slopesOf({ values, changed, starts }: Table, weights: Float64Array): Float64Array {
  const width = weights.length;
  const slopes = weights.map((weight) => DECAY * weight);
  const powers = new Float64Array(changed.length);
  for (let next = 1; next < starts.length; next += 1) {
    const [from, to] = [starts[next - 1] ?? 0, starts[next] ?? 0];
    let sum = 0;
    for (let at = from; at < to; at += 1) {
      let score = 0;
      for (let k = 0; k < width; k += 1) score += (values[at * width + k] ?? 0) * (weights[k] ?? 0);
      sum += powers[at] = Math.exp(score);
    }
    for (let at = from; at < to; at += 1) {
      const error = ((powers[at] ?? 0) / sum - (changed[at] ?? 0)) / (starts.length - 1);
      for (let k = 0; k < width; k += 1) slopes[k] = (slopes[k] ?? 0) + error * (values[at * width + k] ?? 0);
    }
  }
  return slopes;
}

/** Part of the files to be found that are among the first ten. */
function recallOf({ candidates, relevant }: Case, weights: Weights): number {
  const scoreOf = (features: Weights): number =>
    FEATURES.reduce((score, name) => score + weights[name] * features[name], 0);
  const ranked = candidates
    .map(({ features, isChanged }) => ({ score: scoreOf(features), isChanged }))
    .toSorted((a, b) => b.score - a.score);
  return changedAmong(ranked.slice(0, FIRST).map(({ isChanged }) => isChanged)) / relevant;
}

function changedAmong(changed: readonly boolean[]): number {
  return changed.filter(Boolean).length;
}

function hashOf(cases: readonly Case[]): string {
  const hash = createHash('sha256');
  for (const { project, sha, relevant } of cases) hash.update(`${project} ${sha} ${relevant}\n`);
  return hash.digest('hex');
}

function percentOf(parts: readonly number[]): number {
  return Math.round((1000 * parts.reduce((sum, part) => sum + part, 0)) / Math.max(1, parts.length)) / 10;
}
