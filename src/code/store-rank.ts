import { type ShardDatabase, termsOf } from '../shards/shards.ts';
import { rankFeatures, scoreDocuments, type Ranked, type Scores } from './rank-score.ts';
import type { SearchRow, SymbolKind } from './rows.ts';
import { SYMBOL_KINDS } from './shard-schema.ts';
import { dense, fileMask, firstSymbols, testFlags, type FileScope, type Page } from './store-files.ts';
import { symbolRows } from './store-symbols.ts';

/** Documents that the second, finer scoring looks at; also the most rows of an answer over all pages. */
const CANDIDATES = 200;

/** What a document of test code is worth while the question is not about tests. */
const TEST_WEIGHT = 0.3;

/** Words that make a sentence a question; they say nothing about code unless they are all there is. */
const QUESTION_WORDS = /\b(?:where|how|what|why|which|when|does|find|show)\b/gi;

export interface RankedSearch extends FileScope, Page {
  query: string;
  kinds?: readonly (SymbolKind | 'file')[] | undefined;
}

export interface RankedPage {
  /** Rows over all pages, at most 200. */
  total: number;
  rows: SearchRow[];
}

/**
 * Symbols and files by how well their names, signatures, comments and bodies answer a question in words, best first, then
 * by path and line. Test code counts less unless the question is about tests. Finds words and their forms, not synonyms.
 */
export function semanticSearch(db: ShardDatabase, search: RankedSearch): RankedPage {
  const text = withoutQuestion(search.query);
  const scores = scoreDocuments(db, weighTerms(text));
  const aboutTests = /\b(?:tests?|specs?|fixtures?)\b/i.test(search.query) || search.tests === 'only';
  const top = topDocuments(db, scores, { search, testWeight: aboutTests ? 1 : TEST_WEIGHT });
  const isTest = testFlags(db);
  const ranked = rankFeatures(db, { documents: top, scores, text })
    .map((one) => ({ ...one, score: one.score * (isTest[one.file] === 1 && !aboutTests ? TEST_WEIGHT : 1) }))
    .toSorted((a, b) => b.score - a.score || a.file - b.file || a.document - b.document);
  const page = ranked.slice(search.offset, search.offset + search.limit);
  return { total: ranked.length, rows: page.map((one) => rowOf(db, one)) };
}

function withoutQuestion(query: string): string {
  const rest = query.replace(QUESTION_WORDS, ' ');
  return termsOf(rest).length > 0 ? rest : query;
}

/** The terms of a query; one that is repeated counts half more each time. */
function weighTerms(text: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const term of termsOf(text)) weights.set(term, (weights.get(term) ?? 0.5) + 0.5);
  return weights;
}

/** The best documents in scope by their first score, as pairs of document and file. */
function topDocuments(
  db: ShardDatabase,
  { score, symbols }: Scores,
  { search, testWeight }: { search: RankedSearch; testWeight: number },
): { document: number; file: number }[] {
  const mask = fileMask(db, search);
  const kinds = search.kinds === undefined || search.kinds.length === 0 ? undefined : new Set<string>(search.kinds);
  const kindCodes = db.derived('symbol_kind', () => dense(db, 'symbol_kind'));
  const [isTest, starts] = [testFlags(db), firstSymbols(db)];
  const found: { document: number; file: number; score: number }[] = [];
  let file = 0;
  for (let document = 0; document < score.length; document++) {
    const first = score[document] ?? 0;
    if (document >= symbols) file = document - symbols;
    else while (file + 1 < starts.length && (starts[file + 1] ?? 0) <= document) file++;
    if (first === 0 || mask?.[file] === 0) continue;
    const kind = document >= symbols ? 'file' : (SYMBOL_KINDS[kindCodes[document] ?? 0] ?? '');
    if (kinds?.has(kind) === false) continue;
    found.push({ document, file, score: isTest[file] === 1 ? first * testWeight : first });
  }
  return found.toSorted((a, b) => b.score - a.score || a.document - b.document).slice(0, CANDIDATES);
}

function rowOf(db: ShardDatabase, { document, file, score, why, symbols }: Ranked): SearchRow {
  const rounded = Math.round(score * 1000) / 1000;
  const [symbol] = document < symbols ? symbolRows(db, [document]) : [];
  if (symbol !== undefined) {
    const { path, line, end, qualified, kind } = symbol;
    return { path, start: line, end, symbol: qualified, kind, score: rounded, why };
  }
  const row = db.prepare('select path, lines from file where id = ?').get(file) as { path: string; lines: number };
  return { path: row.path, start: 1, end: row.lines, symbol: '', kind: 'file', score: rounded, why };
}
