import { once } from '../../kernel/once.ts';
import { type CommitText, type Features, featuresOf } from './classify-features.ts';
import { COMMIT_TYPES, type CommitType, parseHeader } from './classify-header.ts';
import { pathKind } from '../../kernel/path-kinds.ts';

import trained from './commit-types.json' with { type: 'json' };

/** The model that `lab/classify/train.ts` writes. */
export interface TrainedModel {
  /** In the order of `COMMIT_TYPES`. */
  classes: readonly string[];
  /** Names of the features, one a line. */
  features: string;
  /** Base64 of signed bytes: for each feature, and last for the bias, one weight a class. */
  weights: string;
  /** The value of a weight of 1. */
  unit: number;
  /** Scores are multiplied by this, so that the confidence tells how often the answer is right. */
  sharpness: number;
}

/** A type and how likely it is, 0 to 1. */
export interface Likelihood {
  type: CommitType;
  probability: number;
}

/** Tells the types a commit with these features may have, likeliest first. They sum up to 1. */
export type TypeModel = (features: Features) => Likelihood[];

/** Makes a model ready for use. About 20 ms. */
export function openModel({ classes, features, weights, unit, sharpness }: TrainedModel): TypeModel {
  const rows = new Map(features.split('\n').map((name, at) => [name, at]));
  const bytes = Int8Array.from(Buffer.from(weights, 'base64'), (byte) => (byte << 24) >> 24);
  const types = COMMIT_TYPES.filter((type) => classes.includes(type));
  const width = types.length;
  return (commit) => {
    const scores = new Float64Array(width);
    const add = (row: number, value: number): void => {
      for (let at = 0; at < width; at += 1) scores[at] = (scores[at] ?? 0) + (bytes[row * width + at] ?? 0) * value;
    };
    add(rows.size, 1);
    for (const [name, value] of commit) {
      const row = rows.get(name);
      if (row !== undefined) add(row, value);
    }
    const powers = scores.map((score) => Math.exp(score * unit * sharpness));
    const sum = powers.reduce((all, power) => all + power, 0);
    return types
      .map((type, at) => ({ type, probability: (powers[at] ?? 0) / sum }))
      .toSorted((a, b) => b.probability - a.probability);
  };
}

/** The model of this build. */
const commitTypeModel = once(() => openModel(trained));

/**
 * The type of a commit whose files are all of one kind that leaves no other: workflows, documentation, tests. Manifests
 * are not among them: half of the projects call their changes `build`, the other half `chore`.
 */
export function typeByPaths(files: readonly { path: string }[]): 'ci' | 'docs' | 'test' | undefined {
  const kinds = new Set(files.map((file) => pathKind(file.path)));
  const [kind] = kinds;
  if (kinds.size !== 1) return undefined;
  return kind === 'ci' || kind === 'docs' || kind === 'test' ? kind : undefined;
}

/** Below this the model says that it does not know. */
const LEAST_CONFIDENCE = 0.6;
/** By the definitions of the types; of the authors of 35 projects seven in ten say the same, the others mostly `chore` or `fix`. */
const RULE_CONFIDENCE = 0.95;
/** Git's own words for joining branches, and the messages of releases: no type fits them better. */
const HOUSEKEEPING =
  /^(merge (branch|pull request|remote-tracking|tag|commit)\b|(release |version )?v?\d+\.\d+\.\d+\S*$)/i;

/** The type of a commit, where it comes from, and how sure it is. */
export interface CommitClass {
  type: CommitType | 'unclassified';
  /** From `!`, a footer or the subject. Exports that were removed without a word are not seen here. */
  breaking: boolean;
  scope?: string;
  /** 0 to 1. 1 where the author says it. */
  confidence: number;
  /** `author`: the message follows a convention. `rule`: paths or git's own words decide. `model`: learnt from other projects. */
  labelSource: 'author' | 'rule' | 'model';
  /** Of an unclassified commit: the two likeliest types, best first. */
  best?: [string, string];
}

/**
 * Tells what a commit is about: by what its author says, else by what all of its files are, else by a model that has learnt
 * from other projects; below a confidence of 0.6 it is `unclassified`.
 *
 * Pure and deterministic; about 30 µs.
 */
export function classifyCommit(commit: CommitText): CommitClass {
  const { type, scope, breaking, description } = parseHeader(commit.subject, commit.body);
  const attributes = { breaking, ...(scope !== undefined && { scope }) };
  if (type !== undefined) return { type, ...attributes, confidence: 1, labelSource: 'author' };
  const ruled = HOUSEKEEPING.test(commit.subject) ? 'chore' : typeByPaths(commit.files);
  if (ruled !== undefined) return { type: ruled, ...attributes, confidence: RULE_CONFIDENCE, labelSource: 'rule' };
  const [first, second] = commitTypeModel()(featuresOf(description, commit));
  if (first === undefined || second === undefined) throw new Error('the model of commit types knows fewer than two');
  const confidence = Math.round(100 * first.probability) / 100;
  const learnt = { ...attributes, confidence, labelSource: 'model' as const };
  if (confidence >= LEAST_CONFIDENCE) return { type: first.type, ...learnt };
  return { type: 'unclassified', ...learnt, best: [first.type, second.type] };
}
