import { askCode } from '../code-agent.ts';
import { levelOf } from '../confidence.ts';
import { findCommits } from '../gather/around.ts';
import type { Effort } from '../gather/code.ts';
import type { Tools } from '../gather/tools.ts';
import { type Corpus, findMoves, findWritten, readWritten, type WrittenText } from '../gather/written.ts';
import type { Evidence } from '../ledger/ledger.ts';
import { introduceText } from '../prose/code.ts';
import { bestSentence, coverage, type TermWeights, weighTerms } from '../prose/excerpt.ts';
import { day, quote } from '../prose/prose.ts';
import { parseQuestion } from '../question/question.ts';
import { asksCustomers, subjectOf } from '../question/subject.ts';
import type { Claim } from './claims.ts';

export const CORPORA = ['code', 'commits', 'plans', 'documents', 'signals', 'decisions', 'competitors'] as const;

/** What is collected for one part of a question, from one corpus. */
interface Facet {
  about: string;
  corpus: Corpus;
}

/** What a corpus had to say, and why it had nothing. */
export interface Collected {
  claims: Claim[];
  gap?: string;
}

const CODE_CLAIMS = { quick: 3, standard: 5, deep: 8 } as const;
const TEXTS = { quick: 2, standard: 4, deep: 8 } as const;
/** A text that has less of the weight of a question is about something else. */
const LEAST_COVERAGE = 0.34;
/** Of a text in prose. */
const QUOTED_CHARACTERS = 400;

/** Looks for claims in one corpus: one call in texts and commits and one for each that is read; 10 to 25 in code. */
export function collect(
  tools: Tools,
  facet: Facet,
  { effort, since }: { effort: Effort; since: string | undefined },
): Promise<Collected> {
  if (facet.corpus === 'code') return fromCode(tools, facet, effort);
  if (facet.corpus === 'commits') return fromCommits(tools, facet, { most: TEXTS[effort], since });
  return fromTexts(tools, facet, { most: TEXTS[effort], since });
}

async function fromCode(tools: Tools, { about }: Facet, effort: Effort): Promise<Collected> {
  if (asksCustomers(about) && !/^how\s+(?:do|does|did|is|are)\b/i.test(about))
    return { claims: [], gap: `${quote(about)} is no question to code` };
  const { composed, confidence } = await askCode(tools, { ...parseQuestion(about), words: subjectOf(about) }, effort);
  if (levelOf(confidence) === 'low')
    return { claims: [], gap: `the code does not seem to contain an answer to ${quote(about)}` };
  const claims = composed.paragraphs.flatMap(({ sentences }) =>
    sentences
      .filter(({ sources }) => sources.some(({ kind }) => kind === 'code'))
      .map(({ text, sources }): Claim => {
        const voice = sources[0]?.path ?? '';
        return { text, said: text, evidence: sources.map(toWrittenText), corpus: 'code', about, date: '', voice };
      }),
  );
  return { claims: claims.slice(0, CODE_CLAIMS[effort]) };
}

/** An entry of another ledger as evidence for a new one. */
function toWrittenText({ id, kind, repo, commit, path, lines, section, title, date, text }: Evidence): Evidence {
  return { id, kind, repo, commit, path, lines, section, title, date, text };
}

interface Limits {
  most: number;
  since: string | undefined;
}

async function fromCommits(tools: Tools, { about }: Facet, { most, since }: Limits): Promise<Collected> {
  const rows = await findCommits(tools, subjectOf(about), {
    limit: most,
    ...(since !== undefined && { since }),
  });
  const claims = rows.map(({ id, sha, subject, date, author, repo }): Claim => ({
    text: `On ${day(date)} ${author} committed ${quote(subject)}.`,
    said: subject,
    evidence: [{ id, kind: 'commit', repo, commit: sha, title: subject, date, text: subject }],
    corpus: 'commits',
    about,
    date,
    voice: id,
  }));
  return claims.length === 0 ? { claims, gap: `no commit speaks of ${quote(about)}` } : { claims };
}

async function fromTexts(tools: Tools, { about, corpus }: Facet, { most, since }: Limits): Promise<Collected> {
  const subject = subjectOf(about);
  if (corpus === 'competitors') {
    const moves = await findMoves(tools, subject, { limit: most, ...(since !== undefined && { since }) });
    return claimsOr(
      moves.map((move) => claimOf(move, weightsOf(subject), { about, corpus })),
      { about, corpus },
    );
  }
  const hits = await findWritten(tools, subject, {
    corpora: [corpus],
    limit: most * 2,
    ...(since !== undefined && { since }),
  });
  const weights = weightsOf(subject);
  const texts = await readWritten(tools, hits);
  const fitting = texts.filter(({ title, heading, text }) => {
    return coverage(weights, [title, heading, text]) >= LEAST_COVERAGE;
  });
  return claimsOr(
    fitting.slice(0, most).map((text) => claimOf(text, weights, { about, corpus })),
    { about, corpus },
  );
}

function weightsOf(subject: string): TermWeights {
  return weighTerms(parseQuestion(subject).terms, 1, {});
}

function claimsOr(claims: Claim[], { about, corpus }: Facet): Collected {
  return claims.length === 0 ? { claims, gap: `no ${NAMES[corpus]} fits ${quote(about)}` } : { claims };
}

const NAMES: Record<Corpus, string> = {
  code: 'code',
  commits: 'commit',
  plans: 'plan',
  documents: 'document',
  signals: 'signal of a customer',
  decisions: 'decision',
  competitors: 'change of a competitor',
};

function claimOf(text: WrittenText, weights: TermWeights, { about, corpus }: Facet): Claim {
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
