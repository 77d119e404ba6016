import { roundTo } from '../kernel/shown-values.ts';
import { compareTexts } from '../kernel/text-order.ts';
import { idfOf } from '../text/term-weights.ts';
import type { Candidate, TermCounts } from './candidate.ts';

/**
 * Shares of a score: how much of the question a hit has, weighed by how rare its words are; how much of it stands in its
 * name or heading; and what its own engine says. Chosen on lab/search (see docs/search.md).
 */
const COVERAGE = 0.3;
const HEAD = 0.3;
const RELEVANCE = 0.4;

/** Factor for each further hit of the same corpus: a large corpus does not keep the others out. */
const REPEATED = 0.9;

/** Parts of one thing that are shown: sections of a document, symbols of a file. */
const MOST_PARTS = 2;

/** Words that every entry has still say a little. */
const LEAST_WEIGHT = 0.05;

/** A hit in the order of the answer. */
export interface RankedHit {
  candidate: Candidate;
  /** 0..1, on one scale for all corpora. */
  score: number;
  /** Hits that say the same or are parts of the same thing, and are not shown for that. */
  duplicates: number;
}

/**
 * Returns the weight of each term, 0..1: 1 for one that nothing has, near 0 for one that everything has. Collections count by
 * the logarithm of their size; `groups` holds those of one kind together, so that many repositories do not outvote the others.
 */
export function termWeights(terms: readonly string[], groups: readonly (readonly TermCounts[])[]): Map<string, number> {
  const collections = groups.map((group) => group.reduce<TermCounts>(addCounts, { documents: 0, having: [] }));
  const sizes = collections.map(({ documents }) => Math.log1p(documents));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return new Map(
    terms.map((term, at) => {
      const weight = collections.reduce((sum, { documents, having }, index) => {
        return sum + (sizes[index] ?? 0) * rarity(documents, having[at] ?? 0);
      }, 0);
      return [term, all === 0 ? 1 : Math.max(LEAST_WEIGHT, weight / all)];
    }),
  );
}

/**
 * Puts the hits of all corpora into one order, best first: near-duplicates are folded, few parts of one thing are shown,
 * and hits of a corpus that has many already count a little less. Scores never rise from one hit to the next.
 */
export function fuse(candidates: readonly Candidate[], weights: ReadonlyMap<string, number>): RankedHit[] {
  const all = sumOf(weights.keys(), weights);
  const originals = withoutCopies(candidates);
  // What says the same in other words has as much of the question as if it had the words.
  const coverage = originals.map(({ terms, meaning = 0 }) =>
    all === 0 ? 1 : Math.max(meaning, sumOf(terms, weights) / all),
  );
  const best = new Map<string, number>();
  originals.forEach(({ corpus }, at) => best.set(corpus, Math.max(best.get(corpus) ?? 0, coverage[at] ?? 0)));
  const scored = originals.map((candidate, at) => {
    const { corpus, headTerms, relevance } = candidate;
    const head = all === 0 ? 0 : sumOf(headTerms, weights) / all;
    // The best of a corpus that has nothing to say about the question is not much.
    const own = relevance * (best.get(corpus) ?? 0);
    return { candidate, score: COVERAGE * (coverage[at] ?? 0) + HEAD * head + RELEVANCE * own, duplicates: 0 };
  });
  return spread(mergeSimilar(scored.toSorted(compareHits)));
}

/** Without hits of the code in files that were found as documents or plans: those say what they are. */
function withoutCopies(candidates: readonly Candidate[]): readonly Candidate[] {
  const sources = new Set(candidates.flatMap(({ source }) => source ?? []));
  return candidates.filter(({ location, repo = '' }) => {
    return location === undefined || !(sources.has(location.path) || sources.has(`${repo}/${location.path}`));
  });
}

/** Keeps the best of those that say the same, and the best parts of each thing. Expects the best first. */
function mergeSimilar(hits: readonly RankedHit[]): RankedHit[] {
  const bySameness = new Map<string, RankedHit>();
  const byThing = new Map<string, RankedHit[]>();
  for (const hit of hits) {
    const { sameness, thing } = hit.candidate;
    const similar = bySameness.get(sameness);
    const parts = byThing.get(thing) ?? [];
    const into = similar ?? (parts.length >= MOST_PARTS ? parts[0] : undefined);
    if (into !== undefined) {
      into.duplicates += 1;
      continue;
    }
    const best = { ...hit };
    bySameness.set(sameness, best);
    byThing.set(thing, [...parts, best]);
  }
  return [...bySameness.values()];
}

/** Takes the best one again and again, where each further hit of a corpus is worth a little less. */
function spread(hits: readonly RankedHit[]): RankedHit[] {
  const queues = [...Map.groupBy(hits, ({ candidate }) => candidate.corpus).values()];
  const next = queues.map(() => 0);
  const order: RankedHit[] = [];
  while (order.length < hits.length) {
    let chosen: { hit: RankedHit; queue: number } | undefined;
    for (const [queue, list] of queues.entries()) {
      const at = next[queue] ?? 0;
      const hit = list[at];
      if (hit === undefined) continue;
      const weighted = { ...hit, score: roundTo(3, hit.score * REPEATED ** at) };
      if (chosen === undefined || compareHits(weighted, chosen.hit) < 0) chosen = { hit: weighted, queue };
    }
    if (chosen === undefined) break;
    next[chosen.queue] = (next[chosen.queue] ?? 0) + 1;
    order.push(chosen.hit);
  }
  return order;
}

/** Best first; among equals the newest, then by handle. */
function compareHits(a: RankedHit, b: RankedHit): number {
  const [left, right] = [a.candidate, b.candidate];
  return (
    b.score - a.score ||
    (right.date?.getTime() ?? 0) - (left.date?.getTime() ?? 0) ||
    (left.id === right.id ? compareTexts(left.part ?? '', right.part ?? '') : compareTexts(left.id, right.id))
  );
}

function sumOf(terms: Iterable<string>, weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const term of new Set(terms)) sum += weights.get(term) ?? 0;
  return sum;
}

/** Inverse document frequency as a share of what it is for a term that nothing has. */
function rarity(documents: number, having: number): number {
  return documents === 0 ? 0 : idfOf(documents, Math.min(having, documents)) / idfOf(documents, 0);
}

function addCounts(sum: TermCounts, { documents, having }: TermCounts): TermCounts {
  const longest = Math.max(sum.having.length, having.length);
  return {
    documents: sum.documents + documents,
    having: Array.from({ length: longest }, (_, at) => (sum.having[at] ?? 0) + (having[at] ?? 0)),
  };
}
