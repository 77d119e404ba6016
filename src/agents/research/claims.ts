import { termsOf } from '../../kernel/terms.ts';
import type { Corpus } from '../gather/written.ts';
import type { Evidence } from '../ledger/ledger.ts';
import type { IntroducedPlace } from '../prose/prose.ts';

/** A statement that was found, and what it is taken from. Plain data: a step of a run stores it. */
export interface Claim {
  /** A sentence with its full stop. */
  text: string;
  /** What it says in the words of its source: this is compared with other claims. */
  said: string;
  evidence: Evidence[];
  corpus: Corpus;
  /** The part of the question that it was found for. */
  about: string;
  /** ISO date of the source; '' when it has none. */
  date: string;
  /** Who says it: a customer, an author, a document. Two claims of one voice do not corroborate each other. */
  voice: string;
  /** How well it answers its part, 0..1, where that was weighed by how rare the words are. */
  worth?: number;
  /** Whether it is only what comes nearest to an answer. */
  isNear?: boolean;
  /** The place of the code that it introduces, where it does. */
  introduces?: IntroducedPlace;
}

export interface Contradiction {
  a: Claim;
  b: Claim;
  why: string;
}

/** A claim with those of other voices that say the like. */
export interface Finding {
  claim: Claim;
  supported: Claim[];
}

/** Texts of which this share of three-word stretches is the same say the same. */
const SAME = 0.6;
/** Claims that share this much of their weight are about the same thing. */
const ALIKE = 0.35;
/** So many terms they share at least. */
const LEAST_SHARED = 2;

/** Without claims that repeat an earlier one almost word for word; the earlier one keeps their evidence. */
export function withoutRepeats(claims: readonly Claim[]): Claim[] {
  const kept: { claim: Claim; grams: ReadonlySet<string> }[] = [];
  for (const claim of claims) {
    const grams = stretches(claim.said);
    const same = kept.find(
      (known) =>
        isSamePlace(known.claim, claim) ||
        (known.claim.voice === claim.voice && hasWithin(known.claim, claim)) ||
        (jaccard(known.grams, grams) >= SAME && (known.claim.voice === claim.voice || isMerge(known.claim, claim))),
    );
    if (same === undefined) kept.push({ claim, grams });
  }
  return kept.map(({ claim }) => claim);
}

/** What one quote of a text says, another one may go on with. */
export function hasWithin(a: Claim, b: Claim): boolean {
  if (a.corpus !== 'documents' || b.corpus !== 'documents') return false;
  const [left, right] = [quotedBy(a), quotedBy(b)];
  return left.includes(right) || right.includes(left);
}

function quotedBy({ said, evidence: [source] }: Claim): string {
  return source?.text ?? said;
}

/** What one place of the code is, told for two parts of a question. A call is told of its caller and is no such claim. */
function isSamePlace(a: Claim, b: Claim): boolean {
  if (a.corpus !== 'code' || b.corpus !== 'code') return false;
  const [left, right] = [a.introduces, b.introduces];
  if (left === undefined || right === undefined || left.symbol === '') return false;
  return left.symbol === right.symbol && left.path === right.path && left.line === right.line;
}

/** A commit and the one that merged it say the same. */
function isMerge(a: Claim, b: Claim): boolean {
  return a.corpus === 'commits' && b.corpus === 'commits';
}

/**
 * Each claim with the claims of other voices that say the like: the best corroborated first, else in their order. What code does and
 * what was done when is told in its order.
 */
export function corroborate(claims: readonly Claim[]): Finding[] {
  const alike = likeness(claims);
  const findings = claims.map((claim, at) => {
    const supported = claims.filter((other, index) => isIndependent(claim, other) && alike(at, index));
    // One voice counts once.
    return { claim, supported: [...new Map(supported.map((other) => [other.voice, other])).values()] };
  });
  const rankOf = ({ claim, supported }: Finding): number =>
    DERIVED.has(claim.corpus) ? 2 : Math.min(supported.length, 2);
  return findings.toSorted((a, b) => rankOf(b) - rankOf(a));
}

/** Files call each other and commits follow each other: only what stands elsewhere supports them. */
function isIndependent(a: Claim, b: Claim): boolean {
  return a.voice !== b.voice && (a.corpus !== b.corpus || !DERIVED.has(a.corpus));
}

/** Corpora whose claims are told by us, or are true of a moment: they contradict nothing. */
const DERIVED: ReadonlySet<string> = new Set(['code', 'commits']);

/** Pairs of claims about the same thing of which one denies what the other says, or gives another number. */
export function contradictions(claims: readonly Claim[]): Contradiction[] {
  const alike = likeness(claims);
  const found: Contradiction[] = [];
  claims.forEach((a, at) => {
    claims.slice(at + 1).forEach((b, by) => {
      if (a.voice === b.voice || DERIVED.has(a.corpus) || DERIVED.has(b.corpus) || !alike(at, at + 1 + by)) return;
      const why = conflict(a.said, b.said);
      if (why !== undefined) found.push({ a, b, why });
    });
  });
  return found;
}

/** A case that a text speaks of, which it does not say to be so. */
const CASE = /\b(?:when|if|unless|whether|where|who|which|in case)\b[^.;:]*/gi;
/** A denial, and what it denies: the words up to the third after it. */
const DENIAL =
  /\b(?:not|never|no longer|cannot|can't|doesn't|don't|didn't|won't|isn't|aren't|wasn't)\s+((?:[\w'-]+\s*){1,3})/gi;
const NUMBER = /(?<![\w.#:-])(\d+(?:\.\d+)?)\s*(%|percent|[a-z]{2,})/gi;

function conflict(a: string, b: string): string | undefined {
  for (const [unit, values] of numbersOf(a)) {
    const others = numbersOf(b).get(unit);
    if (others === undefined) continue;
    const isShared = [...values].some((value) => others.has(value));
    if (!isShared) return `${[...values].join(', ')} against ${[...others].join(', ')} ${unit}`;
  }
  // Two that deny something may well say the same in other words.
  if (DENIES.test(a) && DENIES.test(b)) return undefined;
  return denies(a, b) !== denies(b, a) ? 'one denies what the other says' : undefined;
}

/** Any denial, and the values of what is off. */
const DENIES = /\b(?:not|never|no|no longer|cannot|none|without|unlike|false|disabled|off|\w+n['’]t)\b/i;

/** Whether a text denies something of which another one has every word. */
function denies(text: string, other: string): boolean {
  const spoken = new Set(termsOf(other));
  return [...text.replaceAll(CASE, ' ').matchAll(DENIAL)].some(([, denied = '']) => {
    const terms = termsOf(denied);
    return terms.length > 0 && terms.every((term) => spoken.has(term));
  });
}

/** The numbers of a text by what they count, in the singular. */
function numbersOf(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, value = '', unit = ''] of text.matchAll(NUMBER)) {
    const key = unit.toLowerCase().replace(/s$/, '');
    found.set(key, (found.get(key) ?? new Set()).add(value));
  }
  return found;
}

/** Whether two claims, by their places in the list, are about the same thing: terms that few claims have weigh most. */
function likeness(claims: readonly Claim[]): (a: number, b: number) => boolean {
  const terms = claims.map(({ said }) => new Set(termsOf(said)));
  const having = new Map<string, number>();
  for (const own of terms) for (const term of own) having.set(term, (having.get(term) ?? 0) + 1);
  const weight = (term: string): number => Math.log(1 + claims.length / (having.get(term) ?? 1));
  const sum = (list: Iterable<string>): number => [...list].reduce((total, term) => total + weight(term), 0);
  const sums = terms.map(sum);
  return (a, b) => {
    const shared = [...(terms[a] ?? [])].filter((term) => terms[b]?.has(term) === true);
    const least = Math.min(sums[a] ?? 0, sums[b] ?? 0);
    return shared.length >= LEAST_SHARED && least > 0 && sum(shared) / least >= ALIKE;
  };
}

function stretches(text: string): Set<string> {
  const terms = termsOf(text);
  if (terms.length < 3) return new Set([terms.join(' ')]);
  return new Set(terms.slice(2).map((_, at) => terms.slice(at, at + 3).join(' ')));
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((gram) => b.has(gram)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
