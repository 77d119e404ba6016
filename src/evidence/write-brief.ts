import { charactersIn } from '../kernel/budget.ts';
import { partsOf } from '../text/terms.ts';
import type { QuestionVectors } from '../text/encoder/question-vectors.ts';
import type { SearchHit } from '../search/search.ts';
import { type Candidate, collectCandidates, type Effort } from './candidates.ts';
import { SourceList } from './source-list.ts';
import { confidenceOf, levelOf } from './confidence.ts';
import { choosePassages, type Passage, weighTerms } from './passages.ts';
import type { TermWeights } from '../text/best-lines.ts';
import { describeGaps, nextCalls } from './next-calls.ts';
import { readQuestion } from './read-question.ts';
import { isWritten, readCommits, referToText } from './search-written.ts';
import { computeFacts } from './facts/facts.ts';
import type { Brief, Reference } from './model/brief.ts';
import type { Operations } from './model/operations.ts';
import type { CodeSources, Question } from './model/question.ts';

/** Tokens that stand for themselves; what a larger budget adds continues the list. */
const FIRST_TOKENS = 1_500;
/** Characters of a budget for the header and the first statement beside passages. */
const FRAME_CHARACTERS = 250;
/** Passages that go before commits and texts of people, and what one of those takes beside its text, in characters. */
const [PASSAGES_FIRST, SOURCE_FRAME] = [3, 50];
/** Commits that are read for a reason. */
const MOST_COMMITS = 3;
/** Texts of people that are shown: those among the first hits of the search over all corpora. */
const [MOST_WRITTEN, WRITTEN_RANKS] = [3, 8];

const ASKS_WHY = /\bwhy\b|\breasons?\b|\brationale\b/i;

/** Dependencies of writing a brief. */
interface BriefParts {
  operations: Operations;
  sources: CodeSources;
  vectors: QuestionVectors | undefined;
}

/** Question, and the operation that it came through. */
interface BriefRequest {
  operation: string;
  text: string;
  repo: string | undefined;
  effort: Effort;
  maxTokens: number;
}

/**
 * Answers a question with evidence: what was computed about it, then the lines, commits and texts that say most about it,
 * each read from the index at its commit.
 */
export async function writeBrief(parts: BriefParts, request: BriefRequest): Promise<Brief> {
  const { operation, text, repo, effort, maxTokens } = request;
  const { operations, sources, vectors } = parts;
  const [read, candidates] = await Promise.all([
    readQuestion(sources, text),
    collectCandidates(operations, sources, { text, vectors, effort }),
  ]);
  const [{ facts, words }, commits] = await Promise.all([
    computeFacts(read, operations),
    ASKS_WHY.test(text) ? readCommits(operations, candidates.hits, MOST_COMMITS) : [],
  ]);
  const question = { ...read, absent: read.absent.filter(({ word }) => !words.includes(word)) };
  const weights = weighTerms(candidates.terms, candidates.total);
  const list = new SourceList(sources);
  const answer = await list.addFacts(facts);
  const written = writtenSources(candidates.hits);
  const after = [...commits, ...written.after];
  const spent =
    list.characters +
    [...written.before, ...after].reduce((sum, { text: shown = '' }) => sum + shown.length + SOURCE_FRAME, 0);
  const passages = choosePassages(
    candidates.units,
    weights,
    budgetsOf(maxTokens, spent + question.words.join(' ').length),
  );
  for (const source of written.before) list.add(source);
  for (const [at, passage] of passages.entries()) {
    if (at === PASSAGES_FIRST) for (const source of after) list.add(source);
    list.addPassage(passage, reasonsOf(passage, question, weights));
  }
  if (passages.length <= PASSAGES_FIRST) for (const source of after) list.add(source);
  const likelihood = confidenceOf(candidates, passages[0]?.terms ?? [], weights);
  const confidence = answer.length > 0 ? Math.round(500 * (1 + likelihood)) / 1000 : likelihood;
  const level = levelOf(confidence);
  return {
    read: question,
    answer: answer.length > 0 ? answer : list.describeFirst(level),
    isComputed: answer.length > 0,
    sources: list.sources,
    confidence: { level, score: confidence },
    gaps: describeGaps(question, operations),
    next: nextCalls({
      question,
      best: passages[0]?.unit,
      operation,
      repo,
      isOfSeveral: sources.repositories.length > 1,
    }),
    lookedAt: { calls: operations.calls.length, places: candidates.units.length },
    engine: 'evidence',
    provenances: sources.provenances,
  };
}

/** Characters of passages: of the part that stands for itself, then of all. */
function budgetsOf(maxTokens: number, spent: number): number[] {
  const room = (tokens: number): number => Math.max(0, charactersIn(tokens) - FRAME_CHARACTERS - spent);
  return maxTokens <= FIRST_TOKENS ? [room(maxTokens)] : [room(FIRST_TOKENS), room(maxTokens)];
}

/** Returns the texts of people: before the code where they fit the question better than all code, else behind it. */
function writtenSources(hits: readonly SearchHit[]): { before: Reference[]; after: Reference[] } {
  const firstCode = hits.find(({ corpus }) => corpus === 'code')?.rank ?? Infinity;
  const written = hits
    // A file of a repository is read as its units.
    .filter(
      ({ corpus, rank, snippet, path }) =>
        isWritten(corpus) && path === undefined && rank <= WRITTEN_RANKS && snippet !== '',
    )
    .slice(0, MOST_WRITTEN);
  return {
    before: written.filter(({ rank }) => rank < firstCode).flatMap(referToText),
    after: written.filter(({ rank }) => rank > firstCode).flatMap(referToText),
  };
}

/** Words that are named as the reason for a passage. */
const MOST_WORDS = 3;

/** Words of the question that meet in a passage, the rarest first, as the question spells them. */
function reasonsOf({ terms, unit }: Passage<Candidate>, { names, words }: Question, weights: TermWeights): string[] {
  const named = names.filter(({ places }) =>
    places.some(({ path, symbol }) => path === unit.path && symbol === unit.symbol),
  );
  const rarest = terms.toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0)).slice(0, MOST_WORDS);
  return [
    ...named.map(({ name }) => `is ${name}`),
    ...(rarest.length === 0 ? ['near in meaning'] : [spellTerms(rarest, words).join(', ')]),
    ...(unit.isTest ? ['test'] : []),
  ];
}

/** Terms as the question spells them. */
function spellTerms(terms: readonly string[], words: readonly string[]): string[] {
  return [...new Set(terms.map((term) => words.find((word) => partsOf(word).includes(term)) ?? term))];
}
