import type { IndexedRepository, SearchRow } from '../code/code.ts';
import type { HistorySources } from '../commits/commits.ts';
import { termsOf } from '../shards/shards.ts';
import type { Candidate, CorpusFindings, TermCounts } from './candidate.ts';
import type { Question } from './question.ts';

/** Lines of a hit that are compared with the question. */
const MOST_LINES = 40;
/** Lines of a file that a handle opens at first. */
const OPENED_LINES = 60;
/** Most hits of the engine, which are all looked at when only what changed since a moment is asked for. */
const ALL_HITS = 250;
const SNIPPET_CHARACTERS = 160;

/** A hit with its source and when its file was changed last, in seconds since 1970. */
interface Hit extends SearchRow {
  text: string;
  changed: number | undefined;
}

interface Found {
  repository: IndexedRepository;
  rows: Hit[];
  total: number;
  counts: TermCounts;
}

/** Symbols and files that fit a question, from all repositories. */
export async function codeHits(sources: HistorySources, question: Question, limit: number): Promise<CorpusFindings> {
  const found = await Promise.all(sources.repositories.map((one) => searchIn(sources, one, question, limit)));
  const best = Math.max(0, ...found.flatMap(({ rows }) => rows.map(({ score }) => score)));
  const isOne = found.length === 1;
  const documents = found.reduce((sum, { counts }) => sum + counts.documents, 0);
  return {
    candidates: found.flatMap((one) => candidatesOf(one, question.terms, { best, isOne })),
    total: found.reduce((sum, { total }) => sum + total, 0),
    counts: found.map(({ counts }) => counts),
    coverage: `${documents} symbols and files`,
  };
}

async function searchIn(
  sources: HistorySources,
  repository: IndexedRepository,
  { words, terms, since }: Question,
  limit: number,
): Promise<Found> {
  const page = { query: words, path: undefined, tests: 'include' as const, offset: 0 };
  const wanted = since === undefined ? limit : ALL_HITS;
  const found = await sources.code.ask(repository, ['semanticSearch', { ...page, limit: wanted }]);
  const changes = await changesOf(sources, repository, found.rows);
  const dated = found.rows.map((row, at) => ({ ...row, changed: changes[at] }));
  const kept = since === undefined ? dated : dated.filter(({ changed = 0 }) => changed * 1000 >= since.getTime());
  const rows = kept.slice(0, limit);
  const places = rows.map(({ path, start, end }) => ({ path, from: start, to: Math.min(end, start + MOST_LINES - 1) }));
  const { documents, having, texts } = await sources.code.ask(repository, ['hitTexts', { terms, places }]);
  return {
    repository,
    rows: rows.map((row, at) => ({ ...row, text: texts[at] ?? '' })),
    total: since === undefined ? found.total : kept.length,
    counts: { documents, having },
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
  { repository, rows }: Found,
  terms: readonly string[],
  { best, isOne }: { best: number; isOne: boolean },
): Candidate[] {
  const { repo } = repository.provenance;
  const asked = new Set(terms);
  return rows.map(({ path, start, end, symbol, kind, score, text, changed }): Candidate => {
    const head = new Set(termsOf(`${symbol} ${path}`));
    const all = new Set([...head, ...termsOf(text)]);
    const lines = `${path}:${start}-${end}`;
    return {
      corpus: 'code',
      id: symbol === '' ? `${path}:1-${Math.min(end, OPENED_LINES)}` : `sym:${symbol}@${path}`,
      title: symbol === '' ? path : `${kind} ${symbol}`,
      where: isOne ? lines : `${repo}: ${lines}`,
      date: changed === undefined ? undefined : new Date(changed * 1000),
      terms: terms.filter((term) => all.has(term)),
      headTerms: terms.filter((term) => head.has(term)),
      relevance: best > 0 ? Math.max(0, score / best) : 0,
      sameness: `code ${repo} ${symbol === '' ? '' : symbol}@${path}`,
      thing: `code ${repo} ${path}`,
      place: { path, symbol },
      repo,
      snippet: lineWith(asked, text),
    };
  });
}

/** The line that has most of the terms, the first of those. */
function lineWith(terms: ReadonlySet<string>, text: string): string {
  let best = { line: '', count: -1 };
  for (const line of text.split('\n')) {
    const count = new Set(termsOf(line).filter((term) => terms.has(term))).size;
    if (count > best.count && line.trim() !== '') best = { line: line.trim(), count };
  }
  return best.line.length > SNIPPET_CHARACTERS ? `${best.line.slice(0, SNIPPET_CHARACTERS)}…` : best.line;
}
