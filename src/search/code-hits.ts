import type { CatalogQuestion, Selection } from '../code/catalog/catalog.ts';
import { CODE_QUERIES, encodeSentence } from '../code/code.ts';
import type { BestLine } from '../text/best-lines.ts';
import type { EncodedQuestion, QuestionVectors } from '../text/encoder/question-vectors.ts';
import { MOST_UNREAD, unreadNotes } from '../kernel/unread-files.ts';
import type { IndexedRepository, IndexSources } from '../indexes/indexes.ts';
import type { SearchRow } from '../code-index/format/rows.ts';
import type { HistorySources } from '../commits/commits.ts';
import { isSentenceText, type RankedUnit } from '../code/units/units.ts';
import { termsOf } from '../text/terms.ts';
import type { Candidate, CorpusFindings } from './candidate.ts';
import type { Question } from './question.ts';

/** Lines of a hit that are compared with the question. */
const MOST_LINES = 120;
/** Lines of a file that a handle opens at first. */
const OPENED_LINES = 60;
/** Most hits of the engine, which are all looked at when only what changed since a moment is asked for. */
const ALL_HITS = 250;

const NO_TEXT: BestLine = { matchedTerms: [], snippet: '' };

/** How repositories are searched. */
export interface CodeSearch {
  /** Most hits of each. */
  limit: number;
  vectors: QuestionVectors | undefined;
  /** Gives those of some repositories that may have an answer. */
  select: (repositories: readonly IndexedRepository[], question: CatalogQuestion) => Promise<Selection>;
}

type CodeSources = IndexSources<Required<typeof CODE_QUERIES>['queries']>;

/** A hit with what its source has of the question, and when its file was changed last, in seconds since 1970. */
interface Hit extends SearchRow, BestLine {
  changed: number | undefined;
}

interface CodeResults {
  repository: IndexedRepository;
  rows: Hit[];
  total: number;
  isCut: boolean;
}

/** Symbols and files that fit a question, from all repositories. */
export async function codeHits(
  sources: HistorySources,
  question: Question,
  { limit, vectors, select }: CodeSearch,
): Promise<CorpusFindings> {
  const { words, terms } = question;
  const { embedding, failure } = await encodeSentence(vectors, words);
  const request = { words, isEmbedded: embedding !== undefined, counted: terms };
  const selection = await select(sources.repositories, request);
  const apart = await sources.with(CODE_QUERIES).askAll(['hitTexts', { terms, places: [] }], selection.apart);
  const counts = [selection, ...apart.map(({ result }) => result)];
  const results = await searchCode(sources, question, { limit, embedding, chosen: selection.may });
  const best = Math.max(0, ...results.flatMap(({ rows }) => rows.map(({ score }) => score)));
  const isOne = sources.repositories.length === 1;
  const documents = counts.reduce((sum, count) => sum + count.documents, 0);
  const total = results.reduce((sum, answer) => sum + answer.total, 0);
  const unread =
    total === 0
      ? await sources.with(CODE_QUERIES).askAll(['unreadFiles', { limit: MOST_UNREAD }], selection.unread)
      : [];
  return {
    candidates: results.flatMap((answer) => candidatesOf(answer, question.terms, { best, isOne })),
    total,
    // Of lines only the best are ranked.
    isCut: isSentenceText(words) || results.some((answer) => answer.isCut),
    notes: [
      ...(failure === undefined ? [] : [`${failure} Code was ranked with the built-in encoder.`]),
      ...unreadNotes(unread.map(({ result }) => result)),
    ],
    counts,
    coverage: `${documents} symbols and files`,
  };
}

/** Asks all repositories one thing after the other: small ones are asked together. */
async function searchCode(
  sources: HistorySources,
  { words, terms, since }: Question,
  { limit, embedding, chosen }: Pick<RankedSearch, 'limit' | 'embedding'> & { chosen: readonly IndexedRepository[] },
): Promise<CodeResults[]> {
  const code = sources.with(CODE_QUERIES);
  const mostRows = since === undefined ? limit : ALL_HITS;
  const ranked = await rankedRows(code, { query: words, limit: mostRows, embedding }, chosen);
  const changes = await changesOf(sources, ranked);
  const hits = ranked.map(({ repository, rows, total, isCut }) => {
    const dated = rows.map((row, place) => ({ ...row, changed: changes.get(repository)?.[place] }));
    if (since === undefined) return { repository, rows: dated, total, isCut };
    const recent = dated.filter(({ changed = 0 }) => changed * 1000 >= since.getTime());
    return { repository, rows: recent.slice(0, limit), total: recent.length, isCut };
  });
  const texts = new Map<IndexedRepository, readonly BestLine[]>();
  const requests = hits.flatMap(({ repository, rows }) =>
    rows.length === 0 ? [] : [{ repository, args: { terms, places: rows.map(placeOf) } }],
  );
  for (const { repository, result } of await code.askEach('hitTexts', requests)) texts.set(repository, result.texts);
  return hits.map(({ repository, rows, total, isCut }) => ({
    repository,
    rows: rows.map((row, at) => ({ ...row, ...(texts.get(repository)?.[at] ?? NO_TEXT) })),
    total,
    isCut,
  }));
}

function placeOf({ path, start, end }: SearchRow): { path: string; from: number; to: number } {
  return { path, from: start, to: Math.min(end, start + MOST_LINES - 1) };
}

interface RankedSearch {
  query: string;
  limit: number;
  embedding: EncodedQuestion['embedding'] | undefined;
}

interface RankedRows {
  repository: IndexedRepository;
  rows: readonly SearchRow[];
  total: number;
  isCut: boolean;
}

/** The rows of each repository that answer: a name finds itself; a sentence is answered by lines, wherever they are. */
async function rankedRows(
  code: CodeSources,
  search: RankedSearch,
  chosen: readonly IndexedRepository[],
): Promise<RankedRows[]> {
  if (!isSentenceText(search.query)) {
    const page = { ...search, path: undefined, tests: 'include' as const, offset: 0 };
    const answers = await code.askAll(['semanticSearch', page], chosen);
    return answers.map(({ repository, result: { rows, total, isCut } }) => ({ repository, rows, total, isCut }));
  }
  const answers = await code.askAll(['rankUnits', search], chosen);
  return answers.map(({ repository, result: { rows, matches } }) => ({
    repository,
    rows: rows.map(rowOfUnit),
    total: matches,
    isCut: true,
  }));
}

/** A unit as a hit: a symbol where one is a unit, else its lines. */
function rowOfUnit({ path, start, end, symbol, kind, isSymbol, score }: RankedUnit): SearchRow {
  return {
    path,
    start,
    end,
    symbol: isSymbol ? symbol : '',
    kind: isSymbol && kind !== '' ? kind : 'file',
    signature: '',
    doc: '',
    score,
    why: '',
  };
}

/** When the file of each row was changed last, of the repositories that have rows and a history. */
async function changesOf(
  sources: HistorySources,
  ranked: readonly RankedRows[],
): Promise<ReadonlyMap<IndexedRepository, readonly (number | undefined)[]>> {
  const requests = ranked.flatMap(({ repository, rows }) =>
    rows.length === 0 || repository.history === undefined
      ? []
      : [{ repository, args: { paths: rows.map(({ path }) => path) } }],
  );
  const answers = await sources.askEach('lastChanges', requests);
  return new Map(answers.map(({ repository, result }) => [repository, result]));
}

function candidatesOf(
  { repository, rows }: CodeResults,
  terms: readonly string[],
  { best, isOne }: { best: number; isOne: boolean },
): Candidate[] {
  const { repo } = repository.provenance;
  return rows.map(({ path, start, end, symbol, kind, score, changed, matchedTerms, snippet }): Candidate => {
    const head = new Set(termsOf(`${symbol} ${path}`));
    const lines = `${path}:${start}-${end}`;
    return {
      corpus: 'code',
      id: symbol === '' ? `${path}:${start}-${Math.min(end, start + OPENED_LINES - 1)}` : `sym:${symbol}@${path}`,
      title: symbol === '' ? path : `${kind} ${symbol}`,
      where: isOne ? lines : `${repo}: ${lines}`,
      date: changed === undefined ? undefined : new Date(changed * 1000),
      terms: terms.filter((term) => head.has(term) || matchedTerms.includes(term)),
      headTerms: terms.filter((term) => head.has(term)),
      relevance: best > 0 ? Math.max(0, score / best) : 0,
      sameness: `code ${repo} ${symbol === '' ? lines : symbol}@${path}`,
      thing: `code ${repo} ${path}`,
      path,
      location: { path, symbol },
      repo,
      snippet,
    };
  });
}
