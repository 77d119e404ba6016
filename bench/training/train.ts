import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaseSource, sourceIn } from './snapshots.ts';

/** Weights to be learnt from the histories of repositories. */
export interface Training<Case extends { project: string }, Weights> {
  usage: string;
  projects: readonly string[];
  readCases: (source: CaseSource) => Promise<Case[]>;
  fit: (cases: readonly Case[]) => Weights;
  /** How well weights answer a case, from 0 to 1. */
  score: (example: Case, weights: Weights) => number;
  /** The weights that the product has now. */
  kept: Weights;
  /** Writes the weights that were learnt from all cases. */
  write: (weights: Weights, results: Results<Case>) => void;
}

/** What weights are worth: means over the cases, in percent with one decimal. */
export interface Results<Case> {
  cases: readonly Case[];
  /** Each case is answered with weights that were learnt from the other repositories. */
  unseen: number;
  seen: number;
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
    const found = await training.readCases(sourceIn(mirror, project, cache));
    console.log(`${project}: ${found.length} cases`);
    cases.push(...found);
  }
  learnWeights(training, cases, process.argv.includes('--keep'));
}

function learnWeights<Case extends { project: string }, Weights>(
  training: Training<Case, Weights>,
  cases: readonly Case[],
  isKept: boolean,
): void {
  const { fit, score, kept } = training;
  const unseen = scoreHeldBack(training, cases);
  const before = cases.map((example) => score(example, kept));
  const weights = fit(cases);
  const seen = cases.map((example) => score(example, weights));
  const percents = { unseen: percentOf(unseen), seen: percentOf(seen), kept_weights: percentOf(before) };
  console.log(JSON.stringify({ weights, percents }, undefined, 2));
  if (!isKept) training.write(weights, { cases, unseen: percents.unseen, seen: percents.seen });
}

/** Each case with weights that were learnt from the other repositories; says so for each, beside the kept weights. */
function scoreHeldBack<Case extends { project: string }, Weights>(
  { projects, fit, score, kept }: Training<Case, Weights>,
  cases: readonly Case[],
): number[] {
  return projects.flatMap((project) => {
    const own = cases.filter((example) => example.project === project);
    const weights = fit(cases.filter((example) => example.project !== project));
    const scores = own.map((example) => score(example, weights));
    const before = percentOf(own.map((example) => score(example, kept)));
    console.log(`${project}: ${percentOf(scores)} %, with the kept weights ${before} %`);
    return scores;
  });
}

function percentOf(scores: readonly number[]): number {
  return Math.round((1000 * scores.reduce((sum, score) => sum + score, 0)) / Math.max(1, scores.length)) / 10;
}
