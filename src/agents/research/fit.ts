import { partsOf } from '../../kernel/terms.ts';
import { asks, asksPast } from '../question/kinds.ts';
import { soughtOf } from '../question/topic.ts';
import { coverage, rootsOf, type TermWeights, weighPart } from '../question/term-weights.ts';
import type { Claim } from './claims.ts';
import { REASON } from './passages.ts';

/** The words of each part of a question, by the part. */
export type PartWeights = ReadonlyMap<string, TermWeights>;

/** The least share of the words of its part that a claim has which stands behind the answer to it: what has less is beside the point. */
const LEAST_FIT: Partial<Record<Claim['corpus'], number>> = { code: 0.5, documents: 0.6, commits: 0.6 };
/** What follows the place that answers a part. */
const LEAST_FIT_BESIDE_PLACE = 0.3;
/** One word of several is shared with anything. */
const LEAST_SHARED = 2;

/** Weighs the words of each part: those of no part before it count twice. The name of a repository says nothing of what is in it. */
export function weighParts(subquestions: readonly string[], claims: readonly Claim[]): PartWeights {
  const evidence = claims.flatMap((claim) => claim.evidence);
  return new Map(
    subquestions.map((about, at) => [about, weightsOf(soughtOf(about), evidence, subquestions.slice(0, at))]),
  );
}

/** The words of a topic: the name of a repository says nothing in what it has itself. */
export function weightsOf(topic: string, found: readonly { repo: string }[], before: readonly string[]): TermWeights {
  const terms = [...new Set(partsOf(topic))];
  const names = new Set(found.flatMap(({ repo }) => partsOf(repo)));
  const rest = terms.filter((term) => !names.has(term));
  return weighPart(rest.length === 0 ? terms : rest, before);
}

/** The share of the words of a part that a claim has, 0..1. */
export function fitOf({ about, text }: Claim, weights: PartWeights): number {
  return coverage(weights.get(about) ?? new Map(), [text]);
}

/**
 * Whether a claim may follow the answer to its part. What people say and plan, and commits for a part that asks for them, were found by
 * most of its words already.
 */
export function fits(claim: Claim, weights: PartWeights): boolean {
  if (claim.corpus === 'commits' && asksPast(claim.about)) return true;
  return hasShare(claim, weights, LEAST_FIT[claim.corpus] ?? 0);
}

/** Whether a place that is only named answers a part: `The place to look is …` says nothing where it does not have the words. */
export function fitsBesidePlace(claim: Claim, weights: PartWeights): boolean {
  return hasShare(claim, weights, LEAST_FIT_BESIDE_PLACE);
}

function hasShare(claim: Claim, weights: PartWeights, least: number): boolean {
  if (least === 0) return true;
  const own = weights.get(claim.about) ?? new Map<string, number>();
  const there = new Set(rootsOf(claim.text));
  const shared = [...own.keys()].filter((term) => there.has(term)).length;
  return shared >= Math.min(LEAST_SHARED, own.size) && coverage(own, [claim.text]) >= least;
}

/** The least share of the words of a part that what answers it has, with the lines that it is taken from. */
const LEAST_ANSWER = 0.5;

/** Whether a claim gives a reason: a decision does, and so does what a commit adds to its subject. */
export function givesReason({ corpus, text, evidence }: Claim): boolean {
  return corpus === 'decisions' || REASON.test(text) || (corpus === 'commits' && evidence.length > 1);
}

/** The parts that a claim answers, as far as words tell: one has half of the words of the part at least. */
export function answeredParts(claims: readonly Claim[], subquestions: readonly string[]): ReadonlySet<string> {
  const weights = weighParts(subquestions, claims);
  const answering = claims.filter((claim) => {
    const { about, text, evidence, isNear } = claim;
    const own = weights.get(about);
    if (isNear === true || (asks('why', about) && !givesReason(claim))) return false;
    return own !== undefined && coverage(own, [text, ...evidence.map((source) => source.text)]) >= LEAST_ANSWER;
  });
  return new Set(answering.map(({ about }) => about));
}
