import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaseSource, sourceIn } from './snapshots.ts';

/** Weights to be learnt from the histories of repositories. */
export interface Training<Case extends { project: string }, Weights> {
  usage: string;
  projects: readonly string[];
  readCases: (source: CaseSource) => Promise<Case[]>;
  fit: (cases: readonly Case[]) => Weights;
  /** Returns how well weights answer a case, from 0 to 1. */
  score: (example: Case, weights: Weights) => number;
  /** The weights that the product has now. */
  current: Weights;
  /** Writes the weights that were learnt from all cases. */
  write: (weights: Weights, results: Results<Case>) => void;
}

/** Quality of weights: means over the cases, in percent with one decimal. */
interface Results<Case> {
  cases: readonly Case[];
  /** Each case is answered with weights that were learnt from the other repositories. */
  unseen: number;
  inSample: number;
}

/** Learns weights as the command line asks: `EVAL_MIRROR=<folder> node <script> [--keep] [<folder for shards>]`. */
export async function train<Case extends { project: string }, Weights>(
  training: Training<Case, Weights>,
): Promise<void> {
  const mirror = process.env['EVAL_MIRROR'];
  if (mirror === undefined) {
    console.log(training.usage);
    process.exitCode = 1;
    return;
  }
  const cache = process.argv.slice(2).find((arg) => arg !== '--keep') ?? join(tmpdir(), 'svc-training');
  const cases: Case[] = [];
  for (const project of training.projects) {
    const projectCases = await training.readCases(sourceIn(mirror, project, cache));
    console.log(`${project}: ${projectCases.length} cases`);
    cases.push(...projectCases);
  }
  learnWeights(training, cases, process.argv.includes('--keep'));
}

function learnWeights<Case extends { project: string }, Weights>(
  training: Training<Case, Weights>,
  cases: readonly Case[],
  isUnchanged: boolean,
): void {
  const { fit, score, current } = training;
  const unseen = scoreHeldBack(training, cases);
  const before = cases.map((example) => score(example, current));
  const weights = fit(cases);
  const inSample = cases.map((example) => score(example, weights));
  const percents = { unseen: percentOf(unseen), seen: percentOf(inSample), kept_weights: percentOf(before) };
  console.log(JSON.stringify({ weights, percents }, undefined, 2));
  if (!isUnchanged) training.write(weights, { cases, unseen: percents.unseen, inSample: percents.seen });
}

/** Each case with weights that were learnt from the other repositories; says so for each, beside the kept weights. */
function scoreHeldBack<Case extends { project: string }, Weights>(
  { projects, fit, score, current }: Training<Case, Weights>,
  cases: readonly Case[],
): number[] {
  return projects.flatMap((project) => {
    const own = cases.filter((example) => example.project === project);
    const weights = fit(cases.filter((example) => example.project !== project));
    const scores = own.map((example) => score(example, weights));
    const before = percentOf(own.map((example) => score(example, current)));
    console.log(`${project}: ${percentOf(scores)} %, with the kept weights ${before} %`);
    return scores;
  });
}

function percentOf(scores: readonly number[]): number {
  return Math.round((1000 * scores.reduce((sum, score) => sum + score, 0)) / Math.max(1, scores.length)) / 10;
}
