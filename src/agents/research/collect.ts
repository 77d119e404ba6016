import { counted } from '../../kernel/counted.ts';
import { askCode } from '../code-agent.ts';
import { levelOf } from '../confidence.ts';
import type { Effort } from '../gather/code.ts';
import { asksForAside, isAside } from '../gather/prefer.ts';
import type { Tools } from '../gather/tools.ts';
import { type Corpus, findMoves, findWritten, readWritten, type WrittenText } from '../gather/written.ts';
import type { Evidence } from '../ledger/ledger.ts';
import { introduceText } from '../prose/code.ts';
import { bestSentence } from '../prose/excerpt.ts';
import { coverage, type TermWeights } from '../question/term-weights.ts';
import { quote } from '../prose/prose.ts';
import { parseQuestion } from '../question/question.ts';
import { asks } from '../question/kinds.ts';
import { soughtOf } from '../question/topic.ts';
import { withVerbs } from '../question/word-forms.ts';
import type { Claim } from './claims.ts';
import { claimCommits } from './commit-claims.ts';
import { claimDocuments } from './document-claims.ts';
import { weightsOf } from './fit.ts';
import { OF_BESIDE, readWish, shareOf, type Wish } from './wish.ts';

export const CORPORA = ['code', 'commits', 'plans', 'documents', 'signals', 'decisions', 'competitors'] as const;

/** What is collected for one part of a question, from one corpus. */
interface Facet {
  about: string;
  /** The part in the words of the question, which may only point to what it is about. */
  asked: string;
  corpus: Corpus;
  /** The parts before it, and all others. */
  before: readonly string[];
  others: readonly string[];
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
/** Of a text in prose. */
const QUOTED_CHARACTERS = 400;

/**
 * Looks for claims in one corpus: one call in texts and commits and one for each that is read; 10 to 20 in code. A corpus that cannot
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
  const most = TEXTS[effort] + Number(corpus === 'commits' && asks('history', about));
  if (corpus === 'commits') return claimsOr(await claimCommits(tools, facet, { most, since }), corpus);
  if (corpus === 'documents') {
    const found = claimsOr(await claimDocuments(tools, facet, { most, since }), corpus);
    return tools.unread === 0
      ? found
      : { ...found, gap: `${counted(tools.unread, 'document')} not read yet: ask again in a moment` };
  }
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

async function fromCode(tools: Tools, facet: Facet, effort: Effort): Promise<Collected> {
  const { about } = facet;
  const { paragraphs, confidence } = await askCode(tools, parseQuestion(about), effort);
  const wish = await readWish(tools, facet);
  if (levelOf(confidence) === 'low') return { claims: [], gap: `no answer was found in the code to ${quote(about)}` };
  const claims = paragraphs.flatMap(({ sentences }) =>
    sentences
      .filter(({ sources }) => sources.some(({ kind }) => kind === 'code') && !isOfTests(about, sources))
      .map(({ text, sources, introduces }): Claim => {
        const voice = sources[0]?.path ?? '';
        const claim = { text, said: text, evidence: sources.map(toWrittenText), about, date: '', voice };
        const worth = worthOfCode(claim, wish);
        return { ...claim, corpus: 'code', worth, ...(introduces !== undefined && { introduces }) };
      }),
  );
  // What is only named, with its signature, stands behind what is told.
  const told = claims.filter(({ introduces }) => introduces?.isNameOnly !== true);
  const rest = claims.filter(({ introduces }) => introduces?.isNameOnly === true);
  return { claims: [...told, ...rest.slice(0, Math.max(0, LEAST_TOLD - told.length))].slice(0, CODE_CLAIMS[effort]) };
}

const LEAST_TOLD = 3;
/** What a word counts in what a place calls or says, and in the lines around. */
const IN_LINES = 0.6;
const IN_EVIDENCE = 0.3;
/** What leads from the name of a place to its lines. */
const TO_LINES = /,? in full:|: `| calls /;
/** A function that gives back what has the name says nothing of it. */
const GIVES_BACK = /in full: .{0,240}\breturn (?:self\.|this\.)?_?\w+[;`\s]/;
/** Lines that only name parameters and types do nothing. */
const SAYS = /[=(]|\b(?:return|if|throw|raise|while|for|match|case)\b/;
const OF_SAYING_LITTLE = 0.5;

/** How much of the rare words of a part a place has: by its name they count most, any function has many words in its lines. */
function worthOfCode({ text, evidence }: Pick<Claim, 'text' | 'evidence'>, { own, beside }: Wish): number {
  const places = [
    [text.split(TO_LINES)[0] ?? '', 1],
    [text, IN_LINES],
    ...evidence.map((source) => [source.text, IN_EVIDENCE] as const),
  ] as const;
  const share = shareOf(own, places) + OF_BESIDE * shareOf(beside, places);
  const [head = '', ...lines] = text.split(TO_LINES);
  // Any place has one word of a question that says no more.
  const isBare = own.size < 2 && shareOf(beside, [[head, 1]]) === 0;
  const saysLittle = GIVES_BACK.test(text) || (text.includes(': `') && !SAYS.test(lines.join(' ')));
  return isBare ? 0 : Math.min(1, share) * (saysLittle ? OF_SAYING_LITTLE : 1);
}

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
  const hits = await findWritten(tools, withVerbs(topic), { corpora: [corpus], limit: most * TEXTS_READ, ...span });
  const texts = await readWritten(tools, hits);
  const weights = weightsOf(topic, texts, before);
  const claims = texts
    .map((text) => claimOf(text, weights, facet))
    .filter((claim, at) => isAboutIt(claim, texts[at], weights));
  return claimsOr(claims.slice(0, most), corpus);
}

/** Whether what is quoted speaks of the question, with the title and heading that it stands under: a long text has all words somewhere. */
function isAboutIt({ said, corpus }: Claim, text: WrittenText | undefined, weights: TermWeights): boolean {
  if (said === '' || text === undefined) return false;
  // What stands in place of the title of a signal is who says it.
  const title = corpus === 'signals' ? '' : `${text.title} ${text.heading}`;
  return coverage(weights, [title, said]) > LEAST_COVERAGE;
}

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
  // Anything without a sentence about it is short enough to be quoted as it is.
  const said = (bestSentence(text.text, weights) ?? text.text).slice(0, QUOTED_CHARACTERS);
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
