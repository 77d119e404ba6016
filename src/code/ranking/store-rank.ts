import { roundTo } from '../../kernel/shown-values.ts';
import type { QuestionVector } from '../../text/encoder/question-vectors.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { termsOf } from '../../text/terms.ts';
import { bestScoreOf, type Candidate, type Question, type Ranked, rankFeatures, whyOf } from './rank-features.ts';
import { findOlderCopies } from '../../text/older-copies.ts';
import { omittedKind } from '../../kernel/path-kinds.ts';
import { codeTermsOf } from '../../text/near-words.ts';
import { scoreDocuments, type Scores, type TermStatistics } from './rank-score.ts';
import type { SearchRow, SymbolKind } from '../../code-index/format/rows.ts';
import { isAboutTests, isQuestionText, isSentenceText } from './sentences.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { embeddedSimilarities } from './store-embeddings.ts';
import { dense, fileMask, firstSymbols, testFlags, type FileFilter, type Page } from '../files/store-files.ts';
import { symbolRows } from '../symbols/store-symbols.ts';
import { similarities, WORD_VECTORS } from '../../code-index/format/word-vectors.ts';

/** Documents that the second, finer scoring looks at: by shared words, and by their vectors. Also the most rows of an answer. */
const CANDIDATES = 170;
const NEAR = 80;
/** Weight of words that code may have for those of a question, beside its own, when documents are chosen for a closer look. */
const CODE_TERMS_WEIGHT = 0.5;
/** Such a word counts while at most so many documents have it, or that share of all. */
const FEW = 5;
const MOST_SHARE = 0.03;
/** Documents that are less near to a sentence have nothing to do with it. */
const LEAST_SIMILARITY = 0.25;

/** Weight of a document of test code while the question is not about tests. */
const TEST_WEIGHT = 0.3;

/** Words that make a sentence a question; they say nothing about code unless they are all there is. */
const QUESTION_WORDS = /\b(?:where|how|what|why|which|when|does|find|show)\b/gi;

interface RankedSearch extends FileFilter, Page {
  query: string;
  kinds?: readonly (SymbolKind | 'file')[] | undefined;
  /** The query by an embedding service; the encoder that is built in reads it where the shard has nothing like it. */
  embedding?: QuestionVector | undefined;
  /** Of all repositories that are searched together. */
  statistics?: TermStatistics | undefined;
}

interface RankedPage {
  /** Rows over all pages, at most 250. */
  total: number;
  /** True if more documents than are ranked fit the query at all. */
  isCut: boolean;
  rows: SearchRow[];
  /**
   * How well the best document fits by words alone, 0 if none does. Scores of rows are in proportion to it, so those of several repositories, with the
   * same statistics, are compared by score times this.
   */
  best: number;
  /** True if the embedding of the query was compared with those of the documents. */
  isEmbedded: boolean;
}

/**
 * Symbols and files by how well their names, signatures, comments and bodies answer a question, best first, then by path
 * and line. A sentence also finds what is said in other words (see `WordVectors`); a name or a few words find themselves
 * and their forms. Test code counts less unless the question is about tests, and of a document that is there in several
 * versions the newest one that is searched counts.
 */
export function semanticSearch(db: ShardDatabase, search: RankedSearch): RankedPage {
  const { candidates, isCut, question, isEmbedded } = candidatesOf(db, search);
  const ranked = rankFeatures(db, candidates, question).toSorted(
    (a, b) => b.score - a.score || a.file - b.file || a.document - b.document,
  );
  const page = ranked.slice(search.offset, search.offset + search.limit);
  const rows = page.map((document) => rowOf(db, document, question));
  return { total: ranked.length, isCut, rows, best: bestScoreOf(question, candidates), isEmbedded };
}

/** Candidates that a search looks at more closely: the best of the searched documents by their first scores. */
export function candidatesOf(
  db: ShardDatabase,
  search: RankedSearch,
): { candidates: Candidate[]; isCut: boolean; question: Question; isEmbedded: boolean } {
  const text = withoutQuestion(search.query);
  const terms = searchTerms(search.query);
  const isSentence = isSentenceText(search.query);
  const embedded = isSentence && search.embedding ? embeddedSimilarities(db, search.embedding) : undefined;
  const vector = embedded ?? (isSentence ? builtInSimilarities(db, search.query) : undefined);
  const scores = scoreDocuments(db, weighTerms(terms), { vector, statistics: search.statistics });
  const asksForTests = isAboutTests(search.query) || search.tests === 'only';
  const isQuestion = isQuestionText(search.query);
  const codeScores = isQuestion ? scoreCodeTerms(db, search.query, scores.score.length) : undefined;
  const question = { text, isSentence, isQuestion, isAboutTests: asksForTests, scores, codeScores };
  const { candidates, isCut } = bestDocuments(db, question, { search, testWeight: asksForTests ? 1 : TEST_WEIGHT });
  return { candidates, isCut, question, isEmbedded: embedded !== undefined };
}

/** Scores by the words that code may have for those of a question. What much of the code is called tells nothing apart. */
function scoreCodeTerms(db: ShardDatabase, question: string, documents: number): Scores {
  const mostDocuments = Math.max(FEW, MOST_SHARE * documents);
  return scoreDocuments(db, weighTerms(codeTermsOf(question)), { mostDocuments });
}

/** The terms by which a question is compared with documents. */
export function searchTerms(query: string): string[] {
  return termsOf(withoutQuestion(query));
}

/** The vector of a question by the encoder that is built in; undefined when it knows no word of it. */
export function questionVector(query: string): Float32Array | undefined {
  return WORD_VECTORS.ofQuestion(searchTerms(query));
}

function builtInSimilarities(db: ShardDatabase, query: string): Float32Array | undefined {
  const question = questionVector(query);
  if (question === undefined) return undefined;
  const vectors = db.derived('document_vector', () => {
    const bytes = dense(db, 'document_vector');
    return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  });
  return similarities(question, vectors);
}

function withoutQuestion(query: string): string {
  const remainder = query.replace(QUESTION_WORDS, ' ');
  return termsOf(remainder).length > 0 ? remainder : query;
}

/** The terms of a query; one that is repeated counts half more each time. */
function weighTerms(terms: readonly string[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const term of terms) weights.set(term, (weights.get(term) ?? 0.5) + 0.5);
  return weights;
}

/** The best documents that are searched: by the words that they share with the question or may have for its own, and by their vectors. */
function bestDocuments(
  db: ShardDatabase,
  { scores: { score, symbols, vector }, codeScores }: Pick<Question, 'scores' | 'codeScores'>,
  { search, testWeight }: { search: RankedSearch; testWeight: number },
): { candidates: Candidate[]; isCut: boolean } {
  const mask = fileMask(db, search);
  const kinds = search.kinds === undefined || search.kinds.length === 0 ? undefined : new Set<string>(search.kinds);
  const kindCodes = db.derived('symbol_kind', () => dense(db, 'symbol_kind'));
  const [isTest, starts] = [testFlags(db), firstSymbols(db)];
  const newer = newerFiles(db);
  const shared: Scored[] = [];
  const near: Scored[] = [];
  let file = 0;
  let isCut = false;
  for (let document = 0; document < score.length; document++) {
    const first = (score[document] ?? 0) + CODE_TERMS_WEIGHT * (codeScores?.score[document] ?? 0);
    const similarity = vector?.[document] ?? 0;
    if (document >= symbols) file = document - symbols;
    else while (file + 1 < starts.length && (starts[file + 1] ?? 0) <= document) file++;
    if ((first === 0 && similarity < LEAST_SIMILARITY) || mask?.[file] === 0) continue;
    const copy = newer.get(file);
    if (copy !== undefined && mask?.[copy] !== 0) continue;
    const kind = document >= symbols ? 'file' : (SYMBOL_KINDS[kindCodes[document] ?? 0] ?? '');
    if (kinds?.has(kind) === false) continue;
    const weight = isTest[file] === 1 ? testWeight : 1;
    if (first > 0) {
      isCut ||= shared.length === CANDIDATES;
      keepBest(shared, { document, file, score: first * weight }, CANDIDATES);
    }
    if (similarity >= LEAST_SIMILARITY) {
      isCut ||= near.length === NEAR;
      keepBest(near, { document, file, score: similarity * weight }, NEAR);
    }
  }
  const chosen = new Map([...shared, ...near].map((scored) => [scored.document, scored.file]));
  return { candidates: [...chosen].map(([document, inFile]) => ({ document, file: inFile })), isCut };
}

/** The newest version of each document and vendored file that the repository holds in several, by their ids. */
function newerFiles(db: ShardDatabase): Map<number, number> {
  return db.derived('file_newer', () => {
    const rows = db.prepare('select id, path, blob, size_bytes as "sizeBytes" from file').all();
    const files = rows as unknown as { id: number; path: string; blob: string; sizeBytes: number }[];
    const ids = new Map(files.map(({ id, path }) => [path, id]));
    const copies = findOlderCopies(files, (path) => omittedKind(path) === 'vendored');
    return new Map([...copies].map(([older, newer]) => [ids.get(older) ?? -1, ids.get(newer) ?? -1]));
  });
}

interface Scored extends Candidate {
  score: number;
}

/** Puts a document to its place among the best ones, of which `most` stay. Of equals the one that came first is better. */
function keepBest(best: Scored[], candidate: Scored, most: number): void {
  if (best.length === most && candidate.score <= (best[most - 1]?.score ?? 0)) return;
  let [low, high] = [0, best.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((best[middle]?.score ?? 0) >= candidate.score) low = middle + 1;
    else high = middle;
  }
  best.splice(low, 0, candidate);
  if (best.length > most) best.pop();
}

function rowOf(db: ShardDatabase, ranked: Ranked, question: Question): SearchRow {
  const { document, file } = ranked;
  const [why, score] = [whyOf(ranked, question), roundTo(3, ranked.score)];
  const [symbol] = document < question.scores.symbols ? symbolRows(db, [document]) : [];
  if (symbol !== undefined) {
    const { path, line, end, qualified, kind, signature, doc } = symbol;
    return { path, start: line, end, symbol: qualified, kind, signature, doc, score, why };
  }
  const row = db.prepare('select path, lines from file where id = ?').get(file) as { path: string; lines: number };
  const location = { path: row.path, start: 1, end: row.lines };
  return { ...location, symbol: '', kind: 'file', signature: '', doc: '', score, why };
}
