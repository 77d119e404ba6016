import { askCode } from '../code-agent.ts';
import { levelOf } from '../confidence.ts';
import type { Effort } from '../gather/code.ts';
import { asksForAside, isAside } from '../gather/prefer.ts';
import type { Tools } from '../gather/tools.ts';
import { type Corpus, findMoves, findWritten, readWritten, type WrittenText } from '../gather/written.ts';
import type { Evidence } from '../ledger/ledger.ts';
import { introduceText } from '../prose/code.ts';
import { bestSentence, sentencesOf } from '../prose/excerpt.ts';
import { coverage, rootsOf, type TermWeights } from '../question/term-weights.ts';
import { quote } from '../prose/prose.ts';
import { parseQuestion } from '../question/question.ts';
import { asks } from '../question/kinds.ts';
import { soughtOf } from '../question/topic.ts';
import { withVerbs } from '../question/word-forms.ts';
import { countPairs, pairsOf } from '../question/word-pairs.ts';
import type { Claim } from './claims.ts';
import { claimCommits } from './commit-claims.ts';
import { weightsOf } from './fit.ts';

export const CORPORA = ['code', 'commits', 'plans', 'documents', 'signals', 'decisions', 'competitors'] as const;

/** What is collected for one part of a question, from one corpus. */
interface Facet {
  about: string;
  /** The part in the words of the question, which may only point to what it is about. */
  asked: string;
  corpus: Corpus;
  /** The parts before it. */
  before: readonly string[];
}

/** What a corpus had to say, and why it had nothing. */
export interface Collected {
  claims: Claim[];
  gap?: string;
  /** What the corpus has none of that fits, as people name one. */
  lacks?: string;
}

const CODE_CLAIMS = { quick: 3, standard: 5, deep: 8 } as const;
const TEXTS = { quick: 2, standard: 4, deep: 8 } as const;
/** What has less of the words of a question is about something else. */
const LEAST_COVERAGE = 0.5;
/** Texts that are read for each that is told. */
const TEXTS_READ = 2;
/** The same where only documents are asked: the section that answers is often not among the first. */
const DOCUMENTS_READ = 4;
/** Of a text in prose. */
const QUOTED_CHARACTERS = 400;

/**
 * Looks for claims in one corpus: one call in texts and commits and one for each that is read; 10 to 25 in code. A corpus that cannot
 * answer such a question is not asked.
 */
export async function collect(
  tools: Tools,
  facet: Facet,
  { effort, since }: { effort: Effort; since: string | undefined },
): Promise<Collected> {
  const { about, corpus } = facet;
  if (!canAnswer(about, corpus)) return { claims: [] };
  if (corpus === 'code') return fromCode(tools, facet, effort);
  // What became of something is told by its commits.
  const most = TEXTS[effort] * (corpus === 'commits' && asks('history', about) ? 2 : 1);
  if (corpus === 'commits') return claimsOr(await claimCommits(tools, facet, { most, since }), corpus);
  return fromTexts(tools, facet, { most, since });
}

const VOICED: ReadonlySet<Corpus> = new Set(['signals', 'plans', 'decisions', 'competitors']);

/** What people outside say is not in code, what the documentation says is in documents, and what changed is not in code as it is. */
function canAnswer(about: string, corpus: Corpus): boolean {
  if (asks('documents', about)) return corpus === 'documents';
  const asksHow = /^how\s+(?:do|does|did|is|are)\b/i.test(about);
  if (asks('customers', about) && !asksHow) return VOICED.has(corpus);
  return corpus !== 'code' || !asks('history', about);
}

async function fromCode(tools: Tools, { about }: Facet, effort: Effort): Promise<Collected> {
  const { composed, confidence } = await askCode(tools, parseQuestion(about), effort);
  if (levelOf(confidence) === 'low')
    return { claims: [], gap: `the code does not seem to contain an answer to ${quote(about)}` };
  const claims = composed.paragraphs.flatMap(({ sentences }) =>
    sentences
      .filter(({ sources }) => sources.some(({ kind }) => kind === 'code') && !isOfTests(about, sources))
      .map(({ text, sources, introduces }): Claim => {
        const voice = sources[0]?.path ?? '';
        const claim = { text, said: text, evidence: sources.map(toWrittenText), about, date: '', voice };
        return { ...claim, corpus: 'code', ...(introduces !== undefined && { introduces }) };
      }),
  );
  // What is only named, with its signature, stands behind what is told.
  const told = claims.filter(({ introduces }) => introduces?.isNameOnly !== true);
  const rest = claims.filter(({ introduces }) => introduces?.isNameOnly === true);
  return { claims: [...told, ...rest.slice(0, Math.max(0, LEAST_TOLD - told.length))].slice(0, CODE_CLAIMS[effort]) };
}

const LEAST_TOLD = 3;
/** Code that helps tests, and examples in a folder that tools pass over. */
const BESIDE = /(?:^|\/)(?:test[-_]?(?:utils?|helpers?|support|kit|data)(?:\/|\.)|_examples?\/)/i;

/** Whether what is told stands in tests and examples alone, and they are not asked for. */
function isOfTests(about: string, sources: readonly Evidence[]): boolean {
  return !asksForAside(about) && sources.every(({ path = '' }) => isAside(path) || BESIDE.test(path));
}

/** An entry of another ledger as evidence for a new one. */
function toWrittenText({ id, kind, repo, commit, path, lines, section, title, date, text }: Evidence): Evidence {
  return { id, kind, repo, commit, path, lines, section, title, date, text };
}

interface Limits {
  most: number;
  since: string | undefined;
}

async function fromTexts(tools: Tools, facet: Facet, { most, since }: Limits): Promise<Collected> {
  const { about, corpus, before } = facet;
  const topic = soughtOf(about);
  const span = since !== undefined && { since };
  if (corpus === 'competitors') {
    const moves = await findMoves(tools, withVerbs(topic), { limit: most, ...span });
    const weights = weightsOf(topic, moves, before);
    return claimsOr(
      moves.map((move) => claimOf(move, weights, facet)),
      corpus,
    );
  }
  const hits = await findWritten(tools, withVerbs(topic), {
    corpora: [corpus],
    limit: most * (asks('documents', about) ? DOCUMENTS_READ : TEXTS_READ),
    ...span,
  });
  const texts = await readWritten(tools, hits);
  const weights = weightsOf(topic, texts, before);
  const claims = texts
    .map((text) => claimOf(text, weights, facet))
    .filter((claim, at) => isAboutIt(claim, texts[at], { weights, pairs: pairsOf(topic) }));
  // What a list of changes says was true once; what became of something stands nowhere else.
  const changes = claims.filter(isOld);
  const ordered =
    asks('history', about) && corpus === 'documents'
      ? changes
      : claims.toSorted((a, b) => Number(isOld(a)) - Number(isOld(b)));
  return claimsOr(ordered.slice(0, most), corpus);
}

/**
 * Whether what is quoted speaks of the question, with the title and heading that it stands under: a long text has all words somewhere.
 * A document says much under one heading, so half of the words are enough, but one of several is not; a heading with two neighbouring words is about them.
 */
function isAboutIt(
  { said, corpus }: Claim,
  text: WrittenText | undefined,
  { weights, pairs }: { weights: TermWeights; pairs: ReturnType<typeof pairsOf> },
): boolean {
  if (said === '' || text === undefined) return false;
  if (corpus === 'documents') {
    if (countPairs(pairs, lastHeading(text)) > 0) return true;
    const there = new Set(rootsOf(`${text.heading} ${said}`));
    const shared = [...weights.keys()].filter((term) => there.has(term)).length;
    return shared >= Math.min(2, weights.size) && coverage(weights, [text.heading, said]) >= LEAST_COVERAGE;
  }
  // What stands in place of the title of a signal is who says it.
  const title = corpus === 'signals' ? '' : `${text.title} ${text.heading}`;
  return coverage(weights, [title, said]) > LEAST_COVERAGE;
}

/** Whether a claim is taken from a list of changes. */
export function isOld({ evidence: [first] }: Claim): boolean {
  return CHANGES.test(`${first?.path} ${first?.title}`);
}

/** Names of documents that list what changed. */
const CHANGES = /\b(?:change ?log|changes|history|news|release notes|releases|upgrad\w*|migrat\w*)\b/i;

function claimsOr(claims: Claim[], corpus: Corpus): Collected {
  return claims.length === 0 ? { claims, lacks: NAMES[corpus] } : { claims };
}

/** What each corpus holds, as people name one of it. */
export const NAMES: Record<Corpus, string> = {
  code: 'code',
  commits: 'commit',
  plans: 'plan',
  documents: 'document',
  signals: 'signal of a customer',
  decisions: 'decision',
  competitors: 'change of a competitor',
};

function claimOf(text: WrittenText, weights: TermWeights, { about, corpus }: Facet): Claim {
  // A document without a sentence about it says nothing; anything else is short enough to be quoted as it is.
  const whole = corpus === 'documents' ? '' : text.text;
  const said = (sayingOf(text, weights, about) ?? whole).slice(0, QUOTED_CHARACTERS);
  const { id, kind, repo, path, section, date, title, about: facts } = text;
  const evidence: Evidence = { id, kind, repo, path, section, date, title, text: said };
  const voice = corpus === 'signals' && facts.customer !== '' ? facts.customer : id;
  return {
    text: `${introduceText(text)} ${quote(said, 260)}.`,
    said,
    evidence: [evidence],
    corpus,
    about,
    date,
    voice,
  };
}

/** The sentence that says most, with the one behind it when a document is asked what it says; the first one when none has a word. */
function sayingOf({ kind, text }: WrittenText, weights: TermWeights, about: string): string | undefined {
  if (kind === 'document' && asks('limits', about)) return limitIn(text, weights);
  const best = bestSentence(text, weights);
  if (kind !== 'document') return best;
  const sentences = sentencesOf(text);
  const at = Math.max(0, best === undefined ? 0 : sentences.indexOf(best));
  const said = best ?? sentences[0];
  if (!asks('documents', about)) return said;
  const next = sentences[at + 1];
  return (said !== undefined && next !== undefined && stretchOf(text, said, next)) || said;
}

/** From one sentence to the end of another; undefined when a table, code or the mark of a list stands between them. */
function stretchOf(text: string, first: string, second: string): string | undefined {
  const from = text.indexOf(first);
  const rest = text.slice(from + first.length);
  const behind = rest.trimStart();
  return from === -1 || !behind.startsWith(second)
    ? undefined
    : `${first}${rest.slice(0, rest.length - behind.length)}${second}`;
}

/** What is not so, or only under a condition. */
const LIMITING =
  /\b(?:not|never|cannot|only|no longer|unsupported|unless|without|\w+n['’]t|limit(?:s|ed|ation|ations)?|known issues?|does no)\b/i;

/** The sentence that says most of what a text denies or limits; '' when it does neither. */
function limitIn(text: string, weights: TermWeights): string {
  const limiting = sentencesOf(text).filter((sentence) => LIMITING.test(sentence));
  return bestSentence(limiting.join('\n\n'), weights) ?? '';
}

/** The heading that a section stands under, without those above it. */
function lastHeading({ heading }: WrittenText): string {
  return heading.split(/ (?:›|>) /).at(-1) ?? '';
}
