import type { Effort } from '../gather/code.ts';
import type { Tools } from '../gather/tools.ts';
import type { Corpus } from '../gather/written.ts';
import { type Entry, Ledger } from '../ledger/ledger.ts';
import type { Verdict } from '../ledger/verify.ts';
import { wordingsOf } from '../question/parts.ts';
import { asks, asksPast } from '../question/kinds.ts';
import { hasTopic, soughtOf } from '../question/topic.ts';
import { rootsOf } from '../question/term-weights.ts';
import { describeCall } from '../../kernel/answer.ts';
import { day, joinWords, type Paragraph, quote, type Sentence } from '../prose/prose.ts';
import { answerParts } from './answer-parts.ts';
import { answeredParts, fits, givesReason, weighParts } from './fit.ts';
import {
  type Claim,
  type Contradiction,
  contradictions,
  corroborate,
  type Finding,
  hasWithin,
  withoutRepeats,
} from './claims.ts';
import { collect, type Collected, CORPORA, NAMES } from './collect.ts';
import { isListOfChanges } from './document-claims.ts';

/** What is to be researched. */
interface ResearchRequest {
  question: string;
  corpora?: readonly Corpus[] | undefined;
  since?: string | undefined;
  effort: Effort;
}

/** What one corpus had to say about each part of the question, and the calls that were made for it. Plain data: a run stores it. */
export interface CorpusResult {
  collected: Collected[];
  calls: string[];
}

/** A finding with its evidence in the ledger of the report. */
export interface CitedFinding extends Finding {
  sentence: Sentence;
  corroboration: number;
}

/** What a research found, before its sources are checked. */
export interface Research {
  subquestions: readonly string[];
  /** The words of the question for each part, where they are others. */
  wordings: ReadonlyMap<string, string>;
  ledger: Ledger;
  /** All that was found, each once; their evidence is in the ledger. */
  claims: Claim[];
  findings: CitedFinding[];
  contradictions: { found: Contradiction; a: Sentence; b: Sentence }[];
  timeline: { date: string; sentence: Sentence }[];
  gaps: string[];
  actions: string[];
}

const MOST_FINDINGS = { quick: 8, standard: 16, deep: 32 } as const;
const MOST_CONTRADICTIONS = 5;
const MOST_DATES = 12;

/** The corpora that a request asks, in their order. */
export function askedCorpora({ corpora }: Pick<ResearchRequest, 'corpora'>): Corpus[] {
  return corpora === undefined || corpora.length === 0
    ? [...CORPORA]
    : CORPORA.filter((corpus) => corpora.includes(corpus));
}

/** Collects claims for each part of a question from one corpus. */
export async function searchCorpus(
  tools: Tools,
  corpus: Corpus,
  { question, effort, since, subquestions }: ResearchRequest & { subquestions: readonly string[] },
): Promise<CorpusResult> {
  const wordings = wordingsOf(question);
  const facets = subquestions
    .map((about, at) => ({
      about,
      asked: wordings.get(about) ?? about,
      corpus,
      before: subquestions.slice(0, at),
      others: subquestions.filter((other) => other !== about),
    }))
    // What was done is no answer to a part where another one asks for it.
    .filter(({ about }) => corpus !== 'commits' || asksPast(about) || !subquestions.some(asksPast));
  const collected = await Promise.all(facets.map((facet) => collect(tools, facet, { effort, since })));
  return { collected, calls: [...tools.calls] };
}

/** Weighs what was collected: what supports what, where sources differ, when what happened, and what is missing. Pure. */
export function conclude(
  { question, effort, subquestions }: ResearchRequest & { subquestions: readonly string[] },
  results: readonly CorpusResult[],
): Research {
  const collected = results.flatMap((result) => result.collected);
  return weigh(collected, { subquestions, most: MOST_FINDINGS[effort], question });
}

function weigh(
  collected: readonly Collected[],
  { subquestions, most, question }: { subquestions: readonly string[]; most: number; question: string },
): Research {
  const ledger = new Ledger();
  const wordings = wordingsOf(question);
  const collectedClaims = collected.flatMap((part) => part.claims);
  // A part that asks documents alone is left without an answer by what another part has of them too.
  const isOnly = (only: Claim): boolean =>
    isFirm(only) && collectedClaims.filter((claim) => claim.about === only.about && isFirm(claim)).length === 1;
  const kept = new Set(
    withoutRepeats(
      collectedClaims
        .toSorted((a, b) => +asks('documents', b.about) - +asks('documents', a.about))
        .toSorted((a, b) => (b.worth ?? 0) - (a.worth ?? 0))
        .toSorted((a, b) => Number(isOnly(b)) - Number(isOnly(a))),
    ),
  );
  const claims = collectedClaims.filter((claim) => kept.has(claim));
  const weights = weighParts(subquestions, claims);
  const cite = (claim: Claim): Sentence => ({ text: claim.text, sources: entriesOf(ledger, claim) });
  const own = corroborate(claims).map((finding): CitedFinding => {
    return { ...finding, sentence: cite(finding.claim), corroboration: finding.supported.length };
  });
  const all = [...own, ...toldBefore(own, { collected: collectedClaims, subquestions, wordings })];
  const { told } = answerParts(all, subquestions);
  // Behind the answer to a part stands only what fits it.
  const rest = all.filter((finding) => !told.has(finding) && fits(finding.claim, weights));
  const further = new Set(rest.slice(0, Math.max(0, most - told.size)));
  const cited = all.filter((finding) => told.has(finding) || further.has(finding));
  const opposed = contradictions(claims.filter((claim) => !isOnce(claim))).slice(0, MOST_CONTRADICTIONS);
  const dated = claims.filter(({ date }) => date !== '').toSorted((a, b) => (a.date < b.date ? -1 : 1));
  // A model may cite any of them.
  for (const claim of claims) entriesOf(ledger, claim);
  return {
    subquestions,
    ledger,
    claims,
    findings: cited,
    contradictions: opposed.map((found) => ({ found, a: cite(found.a), b: cite(found.b) })),
    timeline: dated.slice(-MOST_DATES).map((claim) => ({ date: day(claim.date), sentence: cite(claim) })),
    wordings,
    gaps: gapsOf(collected, { subquestions, wordings, claims: cited.map(({ claim }) => claim) }),
    actions: actionsOf(
      claims.filter((claim) => claim.corpus !== 'code' || cited.some((finding) => finding.claim === claim)),
      opposed,
      question,
    ),
  };
}

/**
 * What is missing: parts of the question about which nothing was found, what no corpus has for any part, and what the code does not
 * seem to contain.
 */
function gapsOf(
  collected: readonly Collected[],
  { subquestions, wordings, claims }: Pick<Research, 'subquestions' | 'wordings' | 'claims'>,
): string[] {
  const told = new Set(claims.map(({ about }) => about));
  const answered = answeredParts(claims, subquestions);
  const found = new Set(collected.flatMap((part) => part.claims.map(({ about }) => about)));
  const silent = subquestions.length === 1 ? [] : subquestions.filter((about) => !told.has(about));
  const weak = subquestions.filter((about) => told.has(about) && !answered.has(about));
  const nameOf = (about: string): string => quote(wordings.get(about) ?? about);
  const asked = new Set<string>(subquestions.flatMap(soughtIn).map((corpus) => NAMES[corpus]));
  const lacking = new Set(collected.flatMap(({ lacks = '' }) => (asked.has(lacks) ? lacks : [])));
  // A corpus that has something for one part of a question is not missing.
  for (const { corpus } of collected.flatMap((part) => part.claims)) lacking.delete(NAMES[corpus]);
  return [
    // That there is nothing is more than is known where something was found that fits too little to be told.
    ...silent.map((about) =>
      found.has(about)
        ? `nothing that was found for ${nameOf(about)} has most of its words, ${quote(soughtOf(about))}`
        : `nothing was found for ${nameOf(about)}, looked for as ${quote(soughtOf(about))}`,
    ),
    ...subquestions
      .filter((about) => asks('why', about) && told.has(about))
      .filter((about) => !claims.some((claim) => claim.about === about && givesReason(claim)))
      .map((about) => `what was found for ${nameOf(about)} tells what was done, and no reason`),
    ...weak.map((about) => `what is told for ${nameOf(about)} has few of its words, ${quote(soughtOf(about))}`),
    // That the code has nothing says little where a document answers.
    ...new Set(
      collected.flatMap(({ gap }) =>
        gap === undefined || [...answered].some((about) => gap.endsWith(quote(about))) ? [] : gap,
      ),
    ),
    ...(lacking.size === 0 ? [] : [`no ${joinWords([...lacking], 'or')} fits`]),
  ];
}

/** The share of its own words that a passage has which is told for another part. */
const LEAST_OF_ASKED = 0.75;

/** For each part whose best passage another part is told by, that this is so. */
function toldBefore(
  findings: readonly CitedFinding[],
  { collected, subquestions, wordings }: Pick<Research, 'subquestions' | 'wordings'> & { collected: readonly Claim[] },
): CitedFinding[] {
  return subquestions.flatMap((about): CitedFinding[] => {
    const [best] = collected
      .filter((claim) => claim.about === about && isFirm(claim))
      .toSorted((a, b) => (b.worth ?? 0) - (a.worth ?? 0));
    if (best === undefined || findings.some(({ claim }) => claim === best)) return [];
    // What the part itself asks has to stand there, beside the subject that both are about.
    const asked = new Set(rootsOf(soughtOf(wordings.get(about) ?? about)));
    const there = new Set(rootsOf(best.evidence.map((source) => source.text).join(' ')));
    if (
      hasTopic(wordings.get(about) ?? about) &&
      [...asked].filter((term) => there.has(term)).length < asked.size * LEAST_OF_ASKED
    )
      return [];
    const same = findings.find(({ claim }) => claim.about !== about && isFirm(claim) && hasWithin(claim, best));
    if (same === undefined) return [];
    const text = `See the answer to ${quote((wordings.get(same.claim.about) ?? same.claim.about).replace(/\?$/, ''), 80)}, which also covers this.`;
    return [
      { ...same, claim: { ...same.claim, about, text, worth: best.worth ?? 0 }, sentence: { ...same.sentence, text } },
    ];
  });
}

/** Whether a claim is a passage that answers its part, and no mere nearest one. */
function isFirm({ corpus, isNear }: Claim): boolean {
  return corpus === 'documents' && isNear !== true;
}

/** Whether a claim was true once, and contradicts nothing that is so now. */
function isOnce({ evidence: [source] }: Claim): boolean {
  return source !== undefined && isListOfChanges(source);
}

/** The corpora whose silence says something to who asks a part. */
function soughtIn(about: string): Corpus[] {
  const always: Corpus[] = asks('documents', about)
    ? ['documents']
    : asksPast(about)
      ? ['commits']
      : ['code', 'documents'];
  return [
    ...always,
    ...(asks('customers', about) ? (['signals'] as const) : []),
    ...(asks('plans', about) ? (['plans', 'decisions'] as const) : []),
    ...(/\bcompetitors?\b/i.test(about) ? (['competitors'] as const) : []),
  ];
}

/** Parts of the question of which all that was found is not where it was found, by how the sources were found again. */
export function lostParts(
  { findings, subquestions, wordings }: Pick<Research, 'findings' | 'subquestions' | 'wordings'>,
  verdicts: ReadonlyMap<number, Verdict>,
): string[] {
  const isThere = ({ number }: Entry): boolean => verdicts.get(number)?.state !== 'missing';
  return subquestions.flatMap((about) => {
    // What is not told was not looked up again.
    const sources = findings.flatMap(({ claim, sentence }) =>
      claim.about === about ? sentence.sources.filter(({ number }) => verdicts.has(number)) : [],
    );
    return sources.length === 0 || sources.some(isThere)
      ? []
      : [`what was found for ${quote(wordings.get(about) ?? about)} is not there any more`];
  });
}

function entriesOf(ledger: Ledger, { evidence }: Claim): Entry[] {
  return evidence.map((item) => ledger.add(item));
}

/** What to do next, as calls where there is one. */
function actionsOf(claims: readonly Claim[], opposed: readonly Contradiction[], question: string): string[] {
  const has = (corpus: string): boolean => claims.some((claim) => claim.corpus === corpus);
  const first = claims.find(({ corpus }) => corpus === 'code')?.evidence[0];
  return [
    ...opposed
      .slice(0, 2)
      .map(({ a, b, why }) => `settle what ${a.evidence[0]?.id} and ${b.evidence[0]?.id} say differently (${why})`),
    ...(has('signals') && !has('plans')
      ? [`customers ask for it and no plan has it: write one, or record why not`]
      : []),
    ...(claims.length > 0 && !has('decisions') && asks('decisions', question)
      ? [`no decision was found: ${describeCall('record-decision-tool', { title: question.slice(0, 80) })}`]
      : []),
    ...(first?.path === undefined
      ? []
      : [`see what a change touches: ${describeCall('code-tool', { action: 'impact', query: first.path })}`]),
  ];
}

const HEADINGS: readonly (readonly [string, readonly string[]])[] = [
  ['What the code does:', ['code']],
  ['What was planned and decided:', ['plans', 'decisions']],
  ['What customers say:', ['signals']],
  ['What competitors do:', ['competitors']],
  ['What the documentation says:', ['documents']],
  ['What was done:', ['commits']],
];

/** What a heading says already. */
const TOLD_BY_HEADING = /^The documentation says under /;

/**
 * The report as paragraphs: the answer to each part of the question, the rest by what speaks, and where sources differ. Of a part that has
 * an answer the rest is told only when the report is to be whole: most of it is beside the point of who asks.
 */
export function reportOf(
  {
    findings: all,
    contradictions: opposed,
    subquestions,
    wordings,
  }: Pick<Research, 'findings' | 'contradictions' | 'subquestions' | 'wordings'>,
  isWhole = true,
): Paragraph[] {
  const answer = answerParts(all, subquestions, wordings);
  const answered = new Set(Array.from(answer.told, ({ claim }) => claim.about));
  const findings = isWhole ? all : all.filter(({ claim }) => !answered.has(claim.about));
  const headings = HEADINGS.flatMap(([heading, corpora]) => {
    const own = findings.filter((finding) => corpora.includes(finding.claim.corpus) && !answer.told.has(finding));
    // What the code does for one part of a question is no answer to another one.
    const parts = [...new Set(own.map(({ claim }) => claim.about))];
    if (subquestions.length < 2 || !corpora.includes('code')) return [{ heading, own }];
    return parts.map((about) => ({
      heading: `${heading.replace(/:$/, '')} for ${quote((wordings.get(about) ?? about).replace(/\?$/, ''))}:`,
      own: own.filter(({ claim }) => claim.about === about),
    }));
  });
  const parts = headings.map(({ heading, own }): Paragraph => {
    const rows = own.map(({ sentence }) => ({ ...sentence, text: sentence.text.replace(TOLD_BY_HEADING, 'Under ') }));
    return { isList: true, sentences: [{ text: heading, sources: [] }, ...rows] };
  });
  const differing = opposed.map(({ found, a, b }): Sentence => {
    const text = `${quote(found.a.said, 120)} against ${quote(found.b.said, 120)}: ${found.why}.`;
    return { text, sources: [...a.sources, ...b.sources] };
  });
  const rest = [...parts, { isList: true, sentences: [{ text: 'Where sources differ:', sources: [] }, ...differing] }];
  return [...answer.paragraphs, ...rest.filter(({ sentences }) => sentences.length > 1)];
}
