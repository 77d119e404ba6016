import { featuresOf } from '../../src/commits/classify/classify-features.ts';
import { COMMIT_TYPES } from '../../src/commits/classify/classify-header.ts';
import {
  type Likelihood,
  openModel,
  type TrainedModel,
  typeByPaths,
  type TypeModel,
} from '../../src/commits/classify/classify.ts';
import { corpusHash, type Example, readCorpus } from './corpus.ts';
import { consistentLabel, figuresOf, percent } from './labels.ts';
import { PROJECTS } from './projects.ts';
import { writeTrained } from '../trained-model.ts';
import { fitSoftmax, type LabelledFeatures, type Softmax } from './softmax.ts';

const USAGE = `EVAL_MIRROR=<folder of <owner>+<name>/repo> node lab/classify/train.ts

Trains the model of commit types anew from the projects in projects.ts and writes it beside the classifier, with its
figures to metrics.json: five runs, each on the projects that the other four have not seen.`;

const CLASSES = COMMIT_TYPES.filter((type) => type !== 'revert');
const FOLDS = 5;
/** Found on unseen projects; all near ones are within half a point. */
const FIT = { leastExamples: 4, mostFeatures: 12_000, rounds: 10, rate: 0.15, decay: 5e-4, balance: 0.8 };
/** Part of the commits of a type that must be called another one to be listed. */
const LEAST_CONFUSED = 10;

const mirror = process.env['EVAL_MIRROR'];
if (mirror === undefined) {
  console.log(USAGE);
  process.exitCode = 1;
} else await main(mirror);

async function main(folder: string): Promise<void> {
  const examples = await readCorpus(folder, PROJECTS);
  const labelled = examples.map(({ commit, type }): LabelledFeatures => ({
    features: featuresOf(commit.subject, commit),
    label: consistentLabel(commit, type),
  }));
  const unseen = crossValidate(examples, labelled);
  const sharpness = sharpnessOf(examples, unseen);
  const model = pack(fitSoftmax(labelled, CLASSES, FIT), sharpness);
  const metrics = {
    corpus: { projects: PROJECTS.length, commits: examples.length, sha256: corpusHash(examples) },
    fit: FIT,
    sharpness,
    unseenProjects: measure(examples, unseen, sharpness),
  };
  writeTrained(model, {
    modelFile: 'src/commits/classify/commit-types.json',
    metricsFile: 'lab/classify/metrics.json',
    script: 'lab/classify/train.ts',
    corpus: { list: 'lab/classify/projects.ts', sha256: metrics.corpus.sha256 },
    metrics,
  });
  console.log(JSON.stringify(metrics, undefined, 2));
}

/** For each example the likelihoods of a model that saw nothing of its project, before sharpening. */
function crossValidate(examples: readonly Example[], labelled: readonly LabelledFeatures[]): Likelihood[][] {
  const foldOf = (at: number): number => PROJECTS.indexOf(examples[at]?.project ?? '') % FOLDS;
  const models = Array.from({ length: FOLDS }, (_, fold): TypeModel => {
    const others = labelled.filter((_example, at) => foldOf(at) !== fold);
    return openModel(pack(fitSoftmax(others, CLASSES, FIT), 1));
  });
  return labelled.map(({ features }, at) => models[foldOf(at)]?.(features) ?? []);
}

/** The sharpness under which the right answers (by definition) are likeliest. */
function sharpnessOf(examples: readonly Example[], unseen: readonly Likelihood[][]): number {
  const open = examples.flatMap(({ commit, type }, at) =>
    typeByPaths(commit.files) === undefined ? [{ label: consistentLabel(commit, type), likely: unseen[at] ?? [] }] : [],
  );
  const lossOf = (sharpness: number): number =>
    open.reduce((loss, { label, likely }) => {
      const right = sharpen(likely, sharpness).find(({ type }) => type === label)?.probability ?? 0;
      return loss - Math.log(Math.max(right, 1e-9));
    }, 0);
  const tried = Array.from({ length: 26 }, (_, at) => 0.5 + at / 10);
  return tried.reduce((best, value) => (lossOf(value) < lossOf(best) ? value : best));
}

function sharpen(likely: readonly Likelihood[], sharpness: number): Likelihood[] {
  const powers = likely.map(({ type, probability }) => ({ type, probability: probability ** sharpness }));
  const sum = powers.reduce((all, { probability }) => all + probability, 0);
  return powers.map(({ type, probability }) => ({ type, probability: probability / sum }));
}

function measure(
  examples: readonly Example[],
  unseen: readonly Likelihood[][],
  sharpness: number,
): Record<string, unknown> {
  const predictions = examples.map(({ commit }, at) => {
    const ruled = typeByPaths(commit.files);
    const [best] = sharpen(unseen[at] ?? [], sharpness);
    return ruled === undefined
      ? { type: best?.type ?? '', confidence: best?.probability ?? 0 }
      : { type: ruled, confidence: 1 };
  });
  const types = predictions.map(({ type }) => type);
  const byDefinition = examples.map(({ commit, type }) => consistentLabel(commit, type));
  const sure = [0.6, 0.7, 0.8, 0.9].map((least) => {
    const confident = predictions.map(({ confidence }, at) => (confidence >= least ? at : -1)).filter((at) => at >= 0);
    const right = confident.filter((at) => predictions[at]?.type === byDefinition[at]).length;
    return {
      least,
      covered: percent(confident.length / predictions.length),
      accuracy: percent(right / Math.max(1, confident.length)),
    };
  });
  return {
    asAuthorsSay: figuresOf(
      examples.map(({ type }) => type),
      types,
      CLASSES,
    ),
    byDefinition: figuresOf(byDefinition, types, CLASSES),
    byDefinitionWhereSure: sure,
    mistakes: mistakesOf(byDefinition, types),
  };
}

/** For each type, in percent of its commits: the others that these are often called. */
function mistakesOf(gold: readonly string[], predictions: readonly string[]): Record<string, Record<string, number>> {
  const rows = CLASSES.map((type) => {
    const called = predictions.filter((_, at) => gold[at] === type);
    const shares = CLASSES.filter((other) => other !== type).map((other): [string, number] => [
      other,
      percent(called.filter((name) => name === other).length / Math.max(1, called.length)),
    ]);
    return [type, Object.fromEntries(shares.filter(([, share]) => share >= LEAST_CONFUSED))] as const;
  });
  return Object.fromEntries(rows);
}

/** Weights as signed bytes, an eighth of their size. The figures above are measured on such models. */
function pack({ classes, features, weights }: Softmax, sharpness: number): TrainedModel {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const unit = largest / 127;
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / unit));
  return {
    classes,
    features: [...features.keys()].join('\n'),
    weights: Buffer.from(bytes.buffer).toString('base64'),
    unit,
    sharpness,
  };
}
