import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import { rulesOf } from './conventions.ts';
import { type LifeGraph, markAlive } from './graph.ts';
import type { SymbolKind, TestFilter } from '../../code-index/format/rows.ts';
import { type Certainty, judge, type Judging, lastText, type Verdict } from './store-verdicts.ts';
import { type DeadCodeFile, findRoots } from './store-roots.ts';
import { kindAt, readGraph, readSymbols, type SymbolColumns } from './store-symbols.ts';
import { readClues } from './store-texts.ts';
import { fileMask, type FileFilter, type Page } from '../files/store-files.ts';
import { symbolRows } from '../symbols/store-symbols.ts';

interface DeadCodeSearch extends FileFilter, Page {
  /** Only these kinds; all when absent or empty. */
  kinds?: readonly SymbolKind[] | undefined;
  tests?: TestFilter | undefined;
}

export interface DeadCodeRow {
  path: string;
  line: number;
  end: number;
  kind: SymbolKind;
  name: string;
  qualified: string;
  /** Of an overload: see `SymbolRow`. */
  parameters: string;
  certainty: Certainty;
  reason: string;
  exported: boolean;
  test: boolean;
}

export interface DeadCodePage {
  total: number;
  byCertainty: Record<Certainty, number>;
  rows: DeadCodeRow[];
  /** How many roots there are of each sort. */
  roots: Record<string, number>;
  /** Searched files by language, of those whose dead code is not told, or only what is private. */
  unjudged: Record<string, number>;
}

const PROSE = namesOfLanguages(({ isProse }) => isProse === true);

/** The order of the rows. */
const ORDER: readonly Certainty[] = ['certain', 'likely', 'test_only'];

/** All that is known of an index once its dead code was looked for. */
interface DeadCode {
  verdicts: (Verdict & { file: number; kind: SymbolKind })[];
  roots: Record<string, number>;
}

/**
 * Symbols that nothing uses, the certain ones first, then by path and line.
 *
 * Everything is alive that code outside symbols, a package's entry files, a framework's conventions or a decorator reach.
 * What is exported from an entry file is public. Inside dead code only the outermost symbol is a row. The first question
 * to an index reads all of its texts (about a second for 50 MB); the answer is kept with the open index.
 */
export function deadCode(db: ShardDatabase, search: DeadCodeSearch): DeadCodePage {
  const { verdicts, roots } = db.derived('dead_code', () => findDeadCode(db));
  const mask = fileMask(db, search);
  const kinds = search.kinds === undefined || search.kinds.length === 0 ? undefined : new Set(search.kinds);
  const kept = verdicts.filter(({ file, kind }) => mask?.[file] !== 0 && kinds?.has(kind) !== false);
  const page = kept.slice(search.offset, search.offset + search.limit);
  const rows = symbolRows(
    db,
    page.map(({ symbol }) => symbol),
  );
  return {
    total: kept.length,
    byCertainty: {
      certain: kept.filter(({ certainty }) => certainty === 'certain').length,
      likely: kept.filter(({ certainty }) => certainty === 'likely').length,
      test_only: kept.filter(({ certainty }) => certainty === 'test_only').length,
    },
    rows: rows.map(({ path, line, end, kind, name, qualified, parameters, exported, test }, index) => ({
      path,
      line,
      end,
      kind,
      name,
      qualified,
      parameters,
      certainty: page[index]?.certainty ?? 'likely',
      reason: page[index]?.reason ?? '',
      exported,
      test,
    })),
    roots,
    unjudged: unjudgedFiles(db, mask),
  };
}

function findDeadCode(db: ShardDatabase): DeadCode {
  const files = db
    .prepare('select id, path, language, test, generated from file order by id')
    .all() as unknown as DeadCodeFile[];
  const names = (db.prepare('select text from name order by id').all() as { text: string }[]).map(({ text }) => text);
  const symbols = readSymbols(db);
  const clues = readClues(db, names, symbols);
  const named = new Set((db.prepare('select name from named').all() as { name: number }[]).map(({ name }) => name));
  const roots = findRoots({ db, files, symbols, clues, names, named });
  const graph = readGraph(db, symbols, files);
  const alive = new Uint8Array(symbols.count);
  markAlive(graph, [...roots.code, ...valuesAtLoad(graph, { files, symbols }, 0)], alive);
  for (const symbol of roots.built) if (alive[symbol] === 1) roots.built.delete(symbol);
  markAlive(graph, roots.built, alive);
  const reached = alive.slice();
  markAlive(graph, [...roots.tests, ...valuesAtLoad(graph, { files, symbols }, 1)], reached);
  const judging: Judging = { db, files, names, symbols, clues, roots, alive, reached, named, textOf: lastText(db) };
  const verdicts: DeadCode['verdicts'] = [];
  for (let symbol = 0; symbol < symbols.count; symbol += 1) {
    const verdict = judge(judging, symbol);
    if (verdict === undefined) continue;
    verdicts.push({ ...verdict, file: symbols.files[symbol] ?? 0, kind: kindAt(symbols, symbol) });
  }
  doubtUsed(verdicts, graph, reached);
  verdicts.sort((a, b) => ORDER.indexOf(a.certainty) - ORDER.indexOf(b.certainty) || a.symbol - b.symbol);
  return { verdicts, roots: roots.counts };
}

/** What anything uses that is not certain to be dead is no more than likely dead itself, whatever else is known of its user. */
function doubtUsed(verdicts: Verdict[], graph: LifeGraph, reached: Uint8Array): void {
  const certain = new Uint8Array(graph.count);
  for (const { symbol, certainty } of verdicts) if (certainty === 'certain') certain[symbol] = 1;
  const isCertain = (symbol: number): boolean => {
    for (let around = symbol; around >= 0; around = graph.parents[around] ?? -1) if (certain[around] === 1) return true;
    return false;
  };
  const used = new Uint8Array(graph.count);
  markAlive(
    graph,
    Array.from({ length: graph.count }, (_, symbol) => symbol).filter((symbol) => !isCertain(symbol)),
    used,
  );
  for (const verdict of verdicts) {
    if (verdict.certainty !== 'certain' || used[verdict.symbol] !== 1 || reached[verdict.symbol] === 1) continue;
    verdict.certainty = 'likely';
    verdict.reason += '; not all of that is certain to be dead';
  }
}

/** What the values of top-level constants use: they are made when the file is loaded, whoever reads them. */
function* valuesAtLoad(
  graph: LifeGraph,
  { files, symbols }: { files: readonly DeadCodeFile[]; symbols: SymbolColumns },
  test: number,
): Generator<number> {
  for (let symbol = 0; symbol < symbols.count; symbol += 1) {
    if ((symbols.parents[symbol] ?? -1) >= 0 || files[symbols.files[symbol] ?? 0]?.test !== test) continue;
    const kind = kindAt(symbols, symbol);
    if (kind !== 'constant' && kind !== 'variable') continue;
    for (const used of graph.usesOf(symbol)) if (used !== symbol && symbols.parents[used] !== symbol) yield used;
  }
}

/** Searched files with symbols of languages whose dead code is not told. */
function unjudgedFiles(db: ShardDatabase, mask: Uint8Array | undefined): Record<string, number> {
  const rows = db.derived('unjudged_files', () => {
    const files = db.prepare('select id, language from file where symbols > 0 order by language, id').all() as {
      id: number;
      language: string;
    }[];
    return files.filter(({ language }) => !PROSE.has(language) && rulesOf(language) === undefined);
  });
  const counts: Record<string, number> = {};
  for (const { id, language } of rows) {
    if (mask?.[id] === 0) continue;
    counts[language] = (counts[language] ?? 0) + 1;
  }
  return counts;
}
