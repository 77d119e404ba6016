import { type CommitRow, findCommits } from '../gather/around.ts';
import { readBody } from '../gather/reasons.ts';
import type { Tools } from '../gather/tools.ts';
import { sentencesOf } from '../prose/excerpt.ts';
import { day, quote } from '../prose/prose.ts';
import { asks, asksPast } from '../question/kinds.ts';
import { becameOf } from '../question/topic.ts';
import { coverage, rootsOf, type TermWeights } from '../question/term-weights.ts';
import { countPairs, pairsOf, withJoined, withParted } from '../question/word-pairs.ts';
import type { Claim } from './claims.ts';
import { weightsOf } from './fit.ts';

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

type Row = CommitRow & { repo: string };

/** A part of a question that commits may answer. */
interface Part {
  about: string;
  /** In the words of the question, without the subject that it only points to. */
  asked: string;
  before: readonly string[];
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
  const found = await find(topic);
  const fitting = chooseCommits(found, topic, part);
  const own = becameOf(asked);
  const rows =
    fitting.length > 0 || own === topic ? fitting : chooseCommits(await find(own), own, { ...part, asked: own });
  const chosen = asks('beginning', about) ? beginningsOf(rows) : rows.slice(0, most);
  const claims = chosen.toSorted((a, b) => (a.date < b.date ? -1 : 1)).map((row) => claimOf(row, about));
  return asks('why', about) ? Promise.all(claims.map((claim) => withReason(tools, claim))) : claims;
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
  const isAbout = (said: string): boolean =>
    carried.size === 0
      ? coverage(weights, [said]) > ABOVE_COVERAGE && sharedOf(weights, said) >= Math.min(LEAST_SHARED, weights.size)
      : coverage(carried, [said]) >= MOST_OF_SUBJECT &&
        (carried.size > 1 || rootsOf(said).some((term) => weights.has(term) && own.has(term)));
  const ranked = found
    .map((row) => ({ row, said: withParted(pairs, row.subject) }))
    .filter(({ said }) => isAbout(said))
    .map(({ row, said }) => ({ row, share: coverage(weights, [said]) }))
    .toSorted((a, b) => b.share - a.share);
  return ranked.length > 0 ? ranked.map(({ row }) => row) : withPairs(found, topic);
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

/** A subject of a commit that brings something. */
const BRINGS =
  /^feature\b|\b(?:add(?:s|ed)?|feat|introduc\w*|implement\w*|support(?:s|ed)?|new|allow(?:s|ed)?|initial)\b/i;

/** The oldest commits that bring something; the oldest ones when none says so. */
function beginningsOf(rows: readonly Row[]): Row[] {
  const bringing = rows.filter(({ subject }) => BRINGS.test(subject));
  return (bringing.length > 0 ? bringing : rows)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
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

/** The claim with what the message of its commit gives as the reason, when it gives one. One call. */
async function withReason(tools: Tools, claim: Claim): Promise<Claim> {
  const [evidence] = claim.evidence;
  if (evidence?.commit === undefined) return claim;
  const reason = reasonIn(claim.said, await readBody(tools, { sha: evidence.commit, repo: evidence.repo }));
  if (reason === undefined) return claim;
  const text = `${claim.text.replace(/\.$/, '')} and wrote: ${quote(reason, 300)}.`;
  return { ...claim, text, evidence: [evidence, { ...evidence, text: reason }] };
}

/** Words that lead to a reason. */
const REASON =
  /\b(?:because|so that|since|in order to|to (?:avoid|prevent|allow|make|ensure|support)|otherwise|instead of|no longer|due to|as it|which (?:caused|made|meant|led))\b/i;
/** Who had a part in a commit, and what a squashed commit was called: no sentence of its message. */
const NO_REASON = /^(?:[A-Z][\w-]+-by:|(?:\w+)(?:\([^)]*\))?!?: |(?:closes|fixes|refs?|see)\b[^a-z]*$)/i;

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
