import { roundTo } from '../../kernel/shown-values.ts';
import { CODE_QUERIES } from '../../code/code.ts';
import { contentTerms, type Effort, isComment, Operations, searchCorpus, writeBrief } from '../../evidence/evidence.ts';
import type { NextCall, Source } from '../../evidence/model/brief.ts';
import { linesOf } from '../../evidence/model/citations.ts';
import type { Question } from '../../evidence/model/question.ts';
import { IndexSources } from '../../indexes/indexes.ts';
import { partsOf } from '../../text/terms.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import type { AskParts } from '../ask-tools.ts';

export const CORPORA = ['code', 'commits', 'plans', 'documents', 'signals', 'decisions', 'competitors'] as const;
export type Corpus = (typeof CORPORA)[number];

/** Sources of a part that one corpus gives, beside those of computed facts. */
const MOST_SOURCES = { quick: 3, standard: 5, deep: 8 } as const;
/** Tokens of lines that are chosen of the code for a part. */
const CODE_TOKENS = 1_500;
/** The name under which a brief would offer to ask the same question again: a research asks it itself. */
const RESEARCH_CALL = 'run_deepResearchWorkflow';
/** A text with less of the words of a part is about something else. */
const LEAST_COVERAGE = 1 / 3;

/** A source that was found for a part of a question. Plain data: a step of a run stores it. */
export interface CorpusSource {
  source: Omit<Source, 'number'>;
  corpus: Corpus;
  /** ISO text; '' when it has none. */
  date: string;
  /** Its line with most words of the part. */
  quote: string;
}

/** Results of one corpus for one part of a question. */
export interface PartResult {
  about: string;
  /** Computed statements, with the positions in `found` of what they rest on. */
  facts: { sentence: string; cites: number[] }[];
  found: CorpusSource[];
  /** Fit of the answer to the part, 0..1; 0 for no result. */
  fit: number;
  /** The part as it was read against the code. */
  read?: Question;
  gaps: string[];
  next: NextCall[];
}

/** Results of one corpus for each part of a question, and the calls that gave them. */
export interface CorpusResult {
  corpus: Corpus;
  parts: PartResult[];
  calls: string[];
}

/** Question to research, and its scope. */
interface ResearchRequest {
  question: string;
  corpora?: readonly Corpus[] | undefined;
  repo?: string | undefined;
  since?: string | undefined;
  effort: Effort;
}

/** The corpora that a request asks, in their order. */
export function requestedCorpora({ corpora }: Pick<ResearchRequest, 'corpora'>): Corpus[] {
  return corpora === undefined || corpora.length === 0
    ? [...CORPORA]
    : CORPORA.filter((corpus) => corpora.includes(corpus));
}

/** Looks in one corpus for each part of a question. */
export async function collect(
  parts: AskParts,
  context: CallContext,
  { corpus, request, subquestions }: { corpus: Corpus; request: ResearchRequest; subquestions: readonly string[] },
): Promise<CorpusResult> {
  const operations = new Operations(parts.tools, context, request.repo ?? '*');
  const sources: PartResult[] = [];
  for (const about of subquestions)
    sources.push(
      corpus === 'code'
        ? await collectCode(parts, context, { operations, request, about })
        : await collectTexts(operations, { corpus, request, about }),
    );
  return { corpus, parts: sources, calls: [...operations.calls] };
}

async function collectCode(
  { tools, indexes }: AskParts,
  { caller, signal }: CallContext,
  { operations, request, about }: { operations: Operations; request: ResearchRequest; about: string },
): Promise<PartResult> {
  const repositories = await indexes.repositories(caller, request.repo ?? '*');
  const brief = await writeBrief(
    {
      operations,
      sources: new IndexSources(indexes, CODE_QUERIES, { caller, signal, repositories }),
      vectors: indexes.questionVectors,
    },
    { operation: RESEARCH_CALL, text: about, repo: request.repo, effort: request.effort, maxTokens: CODE_TOKENS },
  );
  const facts = brief.isComputed ? brief.answer : [];
  const cited = new Set(facts.flatMap(({ cites }) => cites));
  const others = brief.sources
    .filter(({ kind, number }) => kind === 'code' && !cited.has(number))
    .slice(0, MOST_SOURCES[request.effort]);
  const sources = [...brief.sources.filter(({ number }) => cited.has(number)), ...others];
  const positions = new Map(sources.map(({ number }, at) => [number, at]));
  const terms = new Set(contentTerms(about));
  return {
    about,
    facts: facts.map(({ sentence, cites }) => ({
      sentence,
      cites: cites.flatMap((number) => positions.get(number) ?? []),
    })),
    found: sources.map(({ number: _, ...source }) => ({
      source,
      corpus: 'code',
      date: '',
      quote: source.kind === 'code' ? bestCode(source.shown, terms) : bestLine(source.shown, terms),
    })),
    fit: facts.length > 0 ? 1 : brief.confidence.score,
    read: brief.read,
    gaps: [...brief.gaps],
    next: brief.next.filter(({ operation }) => tools.offered().has(operation) && operation !== RESEARCH_CALL),
  };
}

async function collectTexts(
  operations: Operations,
  { corpus, request, about }: { corpus: Corpus; request: ResearchRequest; about: string },
): Promise<PartResult> {
  const most = MOST_SOURCES[request.effort];
  const terms = new Set(contentTerms(about));
  const hits = await searchCorpus(operations, { text: about, corpus, since: request.since, most });
  const sources = hits.flatMap(({ reference: { text = '', ...reference }, date }) => {
    const shown = linesOf(text);
    const fit = coverage([text, ...reference.why].join('\n'), terms);
    if (fit < LEAST_COVERAGE) return [];
    const source = { ...reference, shown, score: roundTo(3, fit) };
    return [{ source, corpus, date, quote: bestLine(shown, terms) }];
  });
  const fit = Math.max(0, ...sources.map(({ source }) => source.score));
  const gaps = operations.failures.map(({ message }) => message);
  return { about, facts: [], found: sources, fit, gaps: [...new Set(gaps)], next: [] };
}

/** The share of the terms that a text has, 0..1. */
function coverage(text: string, terms: ReadonlySet<string>): number {
  if (terms.size === 0) return 0;
  const own = new Set(partsOf(text));
  return [...terms].filter((term) => own.has(term)).length / terms.size;
}

/** Returns the line of code with most of the terms; a comment with the line of code after it, or else before it. */
function bestCode(shown: Source['shown'], terms: ReadonlySet<string>): string {
  const best = bestLine(shown, terms);
  if (!isComment(best)) return best;
  const lines = shown.map(({ text }) => text.trim());
  const at = lines.indexOf(best);
  const after = lines.slice(at).find((line) => !isComment(line));
  if (after !== undefined) return `${best} ${after}`;
  const before = lines.slice(0, at).findLast((line) => !isComment(line));
  return before === undefined ? best : `${before} ${best}`;
}

/** Returns the line with most of the terms, the first of equal ones. */
function bestLine(shown: Source['shown'], terms: ReadonlySet<string>): string {
  const lines = shown.map(({ text }) => text.trim());
  const having = lines.map((line) => coverage(line, terms));
  return lines[having.indexOf(Math.max(...having))] ?? '';
}
