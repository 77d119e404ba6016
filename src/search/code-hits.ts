import { CODE_QUERIES, encodeSentence, type HitTexts } from '../code/code.ts';
import type { EncodedQuestion, QuestionVectors } from '../text/encoder/question-vectors.ts';
import { MOST_UNREAD, unreadNotes } from '../kernel/unread-files.ts';
import type { IndexedRepository, IndexSources } from '../indexes/indexes.ts';
import type { SearchRow } from '../code-index/format/rows.ts';
import type { HistorySources } from '../commits/commits.ts';
import { isSentenceText } from '../code/units/units.ts';
import { termsOf, termsOfWord, WORD } from '../kernel/terms.ts';
import type { Candidate, CorpusFindings, TermCounts } from './candidate.ts';
import type { Question } from './question.ts';

/** Lines of a hit that are compared with the question. */
const MOST_LINES = 120;
/** Lines of a file that a handle opens at first. */
const OPENED_LINES = 60;
/** Most hits of the engine, which are all looked at when only what changed since a moment is asked for. */
const ALL_HITS = 250;
/** Of a hit the line that has most of the words, with those below it. */
const [SNIPPET_LINES, SNIPPET_CHARACTERS] = [3, 400];

type CodeSources = IndexSources<Required<typeof CODE_QUERIES>['queries']>;

/** A hit with its source and when its file was changed last, in seconds since 1970. */
interface Hit extends SearchRow {
  text: string;
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
    const rows = answer.rows.map((row, at) => ({ ...row, text: texts[at] ?? '', changed: changes[at] }));
    return { repository, rows, failure, total: answer.total, isCut: answer.isCut, counts: { documents, having } };
  }
  const changes = await changesOf(sources, repository, answer.rows);
  const recentRows = answer.rows
    .map((row, at) => ({ ...row, changed: changes[at] }))
    .filter(({ changed = 0 }) => changed * 1000 >= since.getTime());
  const { documents, having, texts } = await textsOf(recentRows.slice(0, limit));
  const rows = recentRows.slice(0, limit).map((row, at) => ({ ...row, text: texts[at] ?? '' }));
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
  const isOneOf = termFinder(terms);
  return rows.map(({ path, start, end, symbol, kind, score, text, changed }): Candidate => {
    const head = new Set(termsOf(`${symbol} ${path}`));
    const { matchedTerms, snippet } = findTerms(text, isOneOf);
    const lines = `${path}:${start}-${end}`;
    return {
      corpus: 'code',
      id: symbol === '' ? `${path}:${start}-${Math.min(end, start + OPENED_LINES - 1)}` : `sym:${symbol}@${path}`,
      title: symbol === '' ? path : `${kind} ${symbol}`,
      where: isOne ? lines : `${repo}: ${lines}`,
      date: changed === undefined ? undefined : new Date(changed * 1000),
      terms: terms.filter((term) => head.has(term) || matchedTerms.has(term)),
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

/** Returns a function that gives the terms that a word has. Texts repeat their words, and splitting one is expensive. */
function termFinder(terms: readonly string[]): (word: string) => readonly string[] {
  const termsByWord = new Map<string, readonly string[]>();
  return (word) => {
    let own = termsByWord.get(word);
    if (own === undefined) termsByWord.set(word, (own = termsOfWord(word).filter((term) => terms.includes(term))));
    return own;
  };
}

/** The terms that a text has, and the line that has most of them, the first of those, with what follows it. */
function findTerms(
  text: string,
  termsIn: (word: string) => readonly string[],
): { matchedTerms: Set<string>; snippet: string } {
  const matchedTerms = new Set<string>();
  const lines = text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line));
  let best = { at: 0, count: -1 };
  for (const [at, line] of lines.entries()) {
    const own = new Set<string>();
    for (const word of line.match(WORD) ?? []) for (const term of termsIn(word)) own.add(term);
    for (const term of own) matchedTerms.add(term);
    if (own.size > best.count) best = { at, count: own.size };
  }
  const snippet = lines
    .slice(best.at, best.at + SNIPPET_LINES)
    .map((line) => line.trim())
    .join('\n');
  return {
    matchedTerms,
    snippet: snippet.length > SNIPPET_CHARACTERS ? `${snippet.slice(0, SNIPPET_CHARACTERS)}…` : snippet,
  };
}
