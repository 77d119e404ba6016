import { CODE_QUERIES, encodeSentence, type HitText, type HitTexts } from '../code/code.ts';
import type { EncodedQuestion, QuestionVectors } from '../text/encoder/question-vectors.ts';
import { MOST_UNREAD, unreadNotes } from '../kernel/unread-files.ts';
import type { IndexedRepository, IndexSources } from '../indexes/indexes.ts';
import type { SearchRow } from '../code-index/format/rows.ts';
import type { HistorySources } from '../commits/commits.ts';
import { isSentenceText } from '../code/units/units.ts';
import { termsOf } from '../kernel/terms.ts';
import type { Candidate, CorpusFindings, TermCounts } from './candidate.ts';
import type { Question } from './question.ts';

/** Lines of a hit that are compared with the question. */
const MOST_LINES = 120;
/** Lines of a file that a handle opens at first. */
const OPENED_LINES = 60;
/** Most hits of the engine, which are all looked at when only what changed since a moment is asked for. */
const ALL_HITS = 250;

const NO_TEXT: HitText = { matchedTerms: [], snippet: '' };

type CodeSources = IndexSources<Required<typeof CODE_QUERIES>['queries']>;

/** A hit with what its source has of the question, and when its file was changed last, in seconds since 1970. */
interface Hit extends SearchRow, HitText {
  changed: number | undefined;
}

interface CodeResults {
  repository: IndexedRepository;
  rows: Hit[];
  total: number;
  isCut: boolean;
  /** The reason why the embedding service was not used, where one is configured. */
  failure: string | undefined;
  counts: TermCounts;
}

/** Symbols and files that fit a question, from all repositories. */
export async function codeHits(
  sources: HistorySources,
  question: Question,
  { limit, vectors }: { limit: number; vectors: QuestionVectors | undefined },
): Promise<CorpusFindings> {
  const embedded = await encodeSentence(vectors, question.words);
  const results = await sources.fromEach(sources.repositories, (repository) =>
    searchIn(sources, repository, question, { limit, ...embedded }),
  );
  const best = Math.max(0, ...results.flatMap(({ rows }) => rows.map(({ score }) => score)));
  const isOne = results.length === 1;
  const documents = results.reduce((sum, { counts }) => sum + counts.documents, 0);
  const total = results.reduce((sum, answer) => sum + answer.total, 0);
  const unread = total === 0 ? await sources.with(CODE_QUERIES).askAll(['unreadFiles', { limit: MOST_UNREAD }]) : [];
  return {
    candidates: results.flatMap((answer) => candidatesOf(answer, question.terms, { best, isOne })),
    total,
    isCut: results.some((answer) => answer.isCut),
    notes: [
      ...[...new Set(results.flatMap(({ failure }) => failure ?? []))].map(
        (failure) => `${failure} Code was ranked with the built-in encoder.`,
      ),
      ...unreadNotes(unread.map(({ result }) => result)),
    ],
    counts: results.map(({ counts }) => counts),
    coverage: `${documents} symbols and files`,
  };
}

async function searchIn(
  sources: HistorySources,
  repository: IndexedRepository,
  { words, terms, since }: Question,
  { limit, embedding, failure }: EncodedQuestion & { limit: number },
): Promise<CodeResults> {
  const code = sources.with(CODE_QUERIES);
  const page = { query: words, path: undefined, tests: 'include' as const, offset: 0, embedding };
  const mostRows = since === undefined ? limit : ALL_HITS;
  // A name finds itself; a sentence is answered by lines, wherever they are.
  const answer = isSentenceText(words)
    ? await rankedUnits(code, repository, { query: words, limit: mostRows, embedding })
    : await code.ask(repository, ['semanticSearch', { ...page, limit: mostRows }]);
  const textsOf = (rows: readonly SearchRow[]): Promise<HitTexts> => {
    const places = rows.map(({ path, start, end }) => ({
      path,
      from: start,
      to: Math.min(end, start + MOST_LINES - 1),
    }));
    return code.ask(repository, ['hitTexts', { terms, places }]);
  };
  if (since === undefined) {
    const [changes, { documents, having, texts }] = await Promise.all([
      changesOf(sources, repository, answer.rows),
      textsOf(answer.rows),
    ]);
    const rows = answer.rows.map((row, at) => ({ ...row, ...(texts[at] ?? NO_TEXT), changed: changes[at] }));
    return { repository, rows, failure, total: answer.total, isCut: answer.isCut, counts: { documents, having } };
  }
  const changes = await changesOf(sources, repository, answer.rows);
  const recentRows = answer.rows
    .map((row, at) => ({ ...row, changed: changes[at] }))
    .filter(({ changed = 0 }) => changed * 1000 >= since.getTime());
  const { documents, having, texts } = await textsOf(recentRows.slice(0, limit));
  const rows = recentRows.slice(0, limit).map((row, at) => ({ ...row, ...(texts[at] ?? NO_TEXT) }));
  return { repository, rows, failure, total: recentRows.length, isCut: answer.isCut, counts: { documents, having } };
}

/** The units that answer a sentence best, as hits: a symbol where one is a unit, else its lines. */
async function rankedUnits(
  code: CodeSources,
  repository: IndexedRepository,
  search: { query: string; limit: number; embedding: EncodedQuestion['embedding'] | undefined },
): Promise<{ rows: SearchRow[]; total: number; isCut: boolean }> {
  const { rows, matches } = await code.ask(repository, ['rankUnits', search]);
  return {
    rows: rows.map(({ path, start, end, symbol, kind, isSymbol, score }) => ({
      path,
      start,
      end,
      symbol: isSymbol ? symbol : '',
      kind: isSymbol && kind !== '' ? kind : 'file',
      signature: '',
      doc: '',
      score,
      why: '',
    })),
    total: matches,
    isCut: true,
  };
}

async function changesOf(
  sources: HistorySources,
  repository: IndexedRepository,
  rows: readonly SearchRow[],
): Promise<readonly (number | undefined)[]> {
  if (repository.history === undefined) return [];
  return sources.ask(repository, ['lastChanges', { paths: rows.map(({ path }) => path) }]);
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
