import { z } from 'zod';
import { type CommitRow, findCommits } from '../gather/around.ts';
import { readBody } from '../gather/commit-body.ts';
import type { Tools } from '../gather/tools.ts';
import { sentencesOf } from '../prose/excerpt.ts';
import { day, quote } from '../prose/prose.ts';
import { asks, asksPast } from '../question/kinds.ts';
import { becameOf } from '../question/topic.ts';
import { coverage, rootsOf, type TermWeights } from '../question/term-weights.ts';
import { countPairs, pairsOf, withJoined, withParted } from '../question/word-pairs.ts';
import type { Claim } from './claims.ts';
import { weightsOf } from './fit.ts';
import { countShared, OF_BESIDE, readWish, searchWords, shareOf, type Wish } from './wish.ts';

/** Commits that are read for each that is told. */
const COMMITS_READ = 5;
const WHOLE_HISTORY = '50y';
/** A subject is short: one that has half of the words of a question speaks of anything. */
const ABOVE_COVERAGE = 0.5;
/** One word of several is shared with anything, even one that no part before has. */
const LEAST_SHARED = 2;
/** The share of a subject that is carried over. */
const MOST_OF_SUBJECT = 0.65;
/** Commits that tell how something began, and whose messages are read for a reason. */
const MOST_BEGINNINGS = 2;
const LEAST_OF_BEGINNING = 0.7;
/** What was done is no reason: it is told where it is clearly about the part. */
const LEAST_WITHOUT_REASON = 0.65;

/** Kinds of problems, as they are asked for. */
const PROBLEMS: ReadonlySet<string> = new Set(
  rootsOf('security crash crashes leak leaks deadlock corruption regression'),
);

type Row = CommitRow & { repo: string };

interface Weighed {
  row: Row;
  worth: number;
}

/** A part of a question that commits may answer. */
interface Part {
  about: string;
  /** In the words of the question, without the subject that it only points to. */
  asked: string;
  before: readonly string[];
  others: readonly string[];
}

/** What commits say of a part, the oldest first: one or two searches, and the message of each that is asked why. */
export async function claimCommits(
  tools: Tools,
  part: Part,
  { most, since }: { most: number; since: string | undefined },
): Promise<Claim[]> {
  const { about, asked } = part;
  // What became of something began long ago.
  const span = since === undefined ? asksPast(about) && { since: WHOLE_HISTORY } : { since };
  const find = (topic: string): Promise<Row[]> =>
    findCommits(tools, withJoined(topic), { limit: most * COMMITS_READ, ...span });
  const topic = becameOf(about);
  const [found, wish] = await Promise.all([find(topic), readWish(tools, { ...part, asked: about })]);
  const fitting = chooseCommits(found, topic, part);
  const own = becameOf(asked);
  const ofOwn =
    fitting.length > 0 || own === topic
      ? fitting
      : // That something changed or came in is said of anything.
        chooseCommits(await find(own), own, { ...part, asked: own }).filter(
          ({ subject }) => countShared(sharedWith(wish.own, asked), subject) > 0,
        );
  // The reason or the beginning of something near misleads.
  const isNearTold =
    !asks('why', about) && !asks('beginning', about) && !rootsOf(asked).some((term) => PROBLEMS.has(term));
  const rows =
    ofOwn.length > 0 || !isNearTold
      ? ofOwn
      : nearestOf([...found, ...(await find(searchWords(wish, part.others)))], wish);
  const ranked = rows.map((row) => ({ row, worth: worthOf(row, wish) })).toSorted((a, b) => b.worth - a.worth);
  const best = ranked[0]?.worth ?? 0;
  const telling = ranked.filter(({ worth }) => worth >= best * LEAST_SHARE);
  const chosen = asks('beginning', about) ? beginningsOf(ranked) : telling.slice(0, most);
  const claims = chosen
    .toSorted((a, b) => (a.row.date < b.row.date ? -1 : 1))
    .map(({ row, worth }) => ({ ...claimOf(row, about), worth }));
  if (!asks('why', about)) return Promise.all(claims.map((claim) => withVersion(tools, claim)));
  const reasoned = await Promise.all(claims.map((claim) => withReason(tools, claim)));
  const reasons = reasoned.filter((claim, at) => claim !== claims[at]);
  // Without a reason, what was done is told once.
  return reasons.length > 0 ? reasons : bestOf(claims.filter(({ worth }) => worth >= LEAST_WITHOUT_REASON));
}

/**
 * Those with most words of a topic, and of a subject that is carried over most words of it: what has only the words of the part itself
 * is about something else, and so is what has a subject of one word alone. Where there is none, those that have two neighbouring words.
 */
function chooseCommits(found: readonly Row[], topic: string, { about, asked, before }: Part): Row[] {
  const weights = weightsOf(topic, found, before);
  const pairs = pairsOf(topic);
  const own = new Set(about === asked ? weights.keys() : rootsOf(asked));
  const carried = new Map([...weights.keys()].filter((term) => !own.has(term)).map((term) => [term, 1]));
  // A part like `how did it change?` has no word of its own.
  const hasOwn = [...weights.keys()].some((term) => own.has(term));
  // Of problems of a kind no others are told.
  const kinds = rootsOf(asked).filter((term) => PROBLEMS.has(term));
  const isAbout = (said: string): boolean =>
    (kinds.length === 0 || kinds.some((kind) => rootsOf(said).includes(kind))) &&
    (carried.size === 0
      ? coverage(weights, [said]) > ABOVE_COVERAGE && sharedOf(weights, said) >= Math.min(LEAST_SHARED, weights.size)
      : coverage(carried, [said]) >= MOST_OF_SUBJECT &&
        (carried.size > 1 || !hasOwn || rootsOf(said).some((term) => weights.has(term) && own.has(term))));
  const ranked = found
    .map((row) => ({ row, said: withParted(pairs, row.subject) }))
    .filter(({ said }) => isAbout(said))
    .map(({ row, said }) => ({ row, share: coverage(weights, [said]) }))
    .toSorted((a, b) => b.share - a.share);
  return ranked.length > 0 || kinds.length > 0 ? ranked.map(({ row }) => row) : withPairs(found, topic);
}

/** The weights of the words that a text has. */
function sharedWith(weights: TermWeights, text: string): TermWeights {
  const there = new Set(rootsOf(text));
  return new Map([...weights].filter(([term]) => there.has(term)));
}

function sharedOf(weights: TermWeights, said: string): number {
  const there = new Set(rootsOf(said));
  return [...weights.keys()].filter((term) => there.has(term)).length;
}

/** Those that have two neighbouring words of a topic, most pairs first: what a question that says much beside its subject is about. */
function withPairs(found: readonly Row[], topic: string): Row[] {
  const pairs = pairsOf(topic);
  return found
    .map((row) => ({ row, count: countPairs(pairs, row.subject) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map(({ row }) => row);
}

/** What has less than this share of the worth of the best commit only mentions the subject. */
const LEAST_SHARE = 0.5;
/** How much the words of a subject that are not about the part take from it. */
const OF_DENSITY = 0.4;
/** Commits that only keep texts, tests and releases in order, and those that mend something. */
const KEEPS_ORDER =
  /^(?:docs?|tests?|ci|chore|style|build|version|release|merge|bump)\b|\b(?:typos?|readme|changelog|docs|documentation|document|tests?|link|merge|bump|lint|clippy|example)\b/i;
const MENDS = /^(?:fix|avoid|don['’]t)\w*\b|^\w*fix(?:es|ed)?[(:]/i;
const OF_ORDER = 0.4;
const OF_MEND = 0.75;

/** How far a commit tells what became of a part: by its rare words, by how much of the subject they are, and by what the commit does. */
function worthOf({ subject: written }: Row, { about, own, beside, literals }: Wish): number {
  const subject = withParted(pairsOf(becameOf(about)), written);
  const terms = new Set(rootsOf(subject.replaceAll(/\(#\d+\)/g, '')));
  const density = [...terms].filter((term) => own.has(term) || beside.has(term)).length / Math.max(1, terms.size);
  const share = shareOf(own, [[subject, 1]]) + OF_BESIDE * shareOf(beside, [[subject, 1]]);
  const isNamed = literals.length === 0 || literals.some((literal) => subject.toLowerCase().includes(literal));
  const keepsOrder = KEEPS_ORDER.test(subject) && !KEEPS_ORDER.test(about);
  const isMend = MENDS.test(subject) && !/\b(?:fix|bugs?|problems?|issues?)/i.test(about);
  return (
    share *
    (1 - OF_DENSITY + OF_DENSITY * density) *
    (keepsOrder ? OF_ORDER : isMend ? OF_MEND : 1) *
    (isNamed ? 1 : 0.5)
  );
}

/** With less of the words of a part, rare ones counting most, a commit is about something else. */
const LEAST_OF_NEAREST = 0.4;

/** Where no commit has most words of a part: those with a word of it and of the other parts, or with two of its own. */
function nearestOf(found: readonly Row[], { own, beside }: Wish): Row[] {
  const each = new Map(found.map((row) => [row.id, row]));
  return [...each.values()].filter(({ subject }) => {
    const shared = countShared(own, subject);
    return (
      shared > 0 &&
      shared + countShared(beside, subject) >= LEAST_SHARED &&
      shareOf(own, [[subject, 1]]) + OF_BESIDE * shareOf(beside, [[subject, 1]]) >= LEAST_OF_NEAREST
    );
  });
}

/** A subject of a commit that brings something. */
const BRINGS =
  /^feature\b|\b(?:add(?:s|ed)?|feat|introduc\w*|implement\w*|support(?:s|ed)?|new|allow(?:s|ed)?|initial)\b/i;

/**
 * The commits that bring something, of those worth about as much as the best the oldest, and the next one where the first is about more
 * than that; the oldest ones when none says so.
 */
function beginningsOf(ranked: readonly Weighed[]): Weighed[] {
  const bringing = ranked.filter(({ row }) => BRINGS.test(row.subject) && !KEEPS_ORDER.test(row.subject));
  const best = bringing[0]?.worth ?? 0;
  const near = bringing.filter(({ worth }) => worth >= best * LEAST_OF_BEGINNING);
  return (near.length > 0 ? near : ranked)
    .toSorted((a, b) => (a.row.date < b.row.date ? -1 : 1))
    .slice(0, MOST_BEGINNINGS);
}

function claimOf({ id, sha, subject, date, author, repo }: Row, about: string): Claim {
  return {
    text: `On ${day(date)} ${author} committed ${quote(subject)}.`,
    said: subject,
    evidence: [{ id, kind: 'commit', repo, commit: sha, title: subject, date, text: subject }],
    corpus: 'commits',
    about,
    date,
    voice: id,
  };
}

const Change = z.looseObject({ version: z.string().nullish(), shas: z.array(z.string()).default([]) });
/** Changes of one day that are read. */
const MOST_OF_DAY = 50;

/** The claim with the first version of the branch that has its commit, where there is one: others may have it earlier. One call. */
async function withVersion(tools: Tools, claim: Claim): Promise<Claim> {
  const [evidence] = claim.evidence;
  if (evidence === undefined) return claim;
  const { repo, commit = '' } = evidence;
  const span = { since: day(claim.date), until: day(claim.date) };
  const args = { action: 'changelog', ...span, limit: MOST_OF_DAY, ...(repo !== '' && { repo }) };
  const found = await tools.ask('commit-tool', args, Change);
  const version = found?.rows.find(({ shas }) => shas.some((sha) => commit !== '' && sha.startsWith(commit)))?.version;
  if (version === undefined || version === null || version === '') return claim;
  return { ...claim, text: `${claim.text.replace(/\.$/, '')}, on this branch first in ${version}.` };
}

/** The claim that is worth most, the older one of those alike. */
function bestOf(claims: readonly Claim[]): Claim[] {
  return claims.toSorted((a, b) => (b.worth ?? 0) - (a.worth ?? 0)).slice(0, 1);
}

/** The claim with what the message of its commit gives as the reason, when it gives one. One call. */
async function withReason(tools: Tools, claim: Claim): Promise<Claim> {
  const [evidence] = claim.evidence;
  if (evidence?.commit === undefined) return claim;
  const reason = reasonIn(claim.said, await readBody(tools, { sha: evidence.commit, repo: evidence.repo }));
  if (reason === undefined || STEP.test(reason) || isRepeated(reason, claim.said)) return claim;
  const text = `${claim.text.replace(/\.$/, '')} and wrote: ${quote(reason, 300)}.`;
  return { ...claim, text, evidence: [evidence, { ...evidence, text: reason }] };
}

/** Words that lead to a reason. */
const REASON =
  /\b(?:because|so that|since|in order to|to (?:avoid|prevent|allow|make|ensure|support)|otherwise|instead of|no longer|due to|as it|which (?:caused|made|meant|led))\b/i;
/** Who had a part in a commit, and what a squashed commit was called: no sentence of its message. */
const NO_REASON = /^(?:[A-Z][\w-]+-by:|(?:\w+)(?:\([^)]*\))?!?: |(?:closes|fixes|refs?|see)\b[^a-z]*$)/i;

/** Whether a sentence says no more than the subject. */
function isRepeated(sentence: string, subject: string): boolean {
  const known = new Set(rootsOf(subject));
  return rootsOf(sentence).every((term) => known.has(term));
}

/** What a squashed message lists was done, and is no reason. */
const STEP =
  /^(?:add|fix|remove|update|use|switch|move|rename|bump|make|drop|test|document|merge|refactor|tweak|cleanup|initial|first)\w*\b(?!.*\b(?:because|so that|since|in order to|otherwise|instead of|due to|to (?:avoid|prevent|allow|ensure))\b)/i;

/** A sentence that leads to a reason counts as one that shares so many words with the subject. */
const WORTH_OF_REASON = 1.5;

/** What a message says of its subject, with a reason where it gives one; undefined when it has no sentence that shares a word with it. */
export function reasonIn(subject: string, body: string): string | undefined {
  const about = new Set(rootsOf(subject));
  const worth = (sentence: string): number => {
    const shared = new Set(rootsOf(sentence).filter((term) => about.has(term))).size;
    return shared === 0 ? 0 : shared + (REASON.test(sentence) ? WORTH_OF_REASON : 0);
  };
  const [best] = sentencesOf(body)
    .filter((sentence) => !NO_REASON.test(sentence) && worth(sentence) > 0)
    .toSorted((a, b) => worth(b) - worth(a));
  return best;
}
