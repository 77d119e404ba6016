import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { fileOfSymbolId } from '../../code-index/format/shard-input.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import { rulesOf } from './conventions.ts';
import {
  kindAt,
  type LifeGraph,
  markAlive,
  readFileUses,
  readGraph,
  readNames,
  readSymbols,
  type SymbolColumns,
} from './store-symbols.ts';
import type { SymbolKind, SymbolRow, TestFilter } from '../../code-index/format/rows.ts';
import { type Certainty, judge, type Judging, lastText, type Verdict } from './store-verdicts.ts';
import { type DeadCodeFile, findRoots } from './store-roots.ts';
import { findTwins, shareUses } from './platform.ts';
import { haveSameClues } from './same-clues.ts';
import { readClues, type TextClues } from './store-texts.ts';
import { dense, fileMask, type FileFilter, firstSymbols, type Page } from '../files/store-files.ts';
import { type StoredValue, storedValue } from '../stored/stored.ts';
import { symbolRows } from '../symbols/store-symbols.ts';

interface DeadCodeSearch extends FileFilter, Page {
  /** Only these kinds; all when absent or empty. */
  kinds?: readonly SymbolKind[] | undefined;
  tests?: TestFilter | undefined;
}

export interface DeadCodeRow extends SymbolRow {
  certainty: Certainty;
  reason: string;
}

export interface DeadCodePage {
  total: number;
  /** True if there are more than are counted. */
  isCut: boolean;
  byCertainty: Record<Certainty, number>;
  rows: DeadCodeRow[];
  /** Number of roots of each sort. */
  roots: Record<string, number>;
  /** Searched files by language, of those whose dead code is not told, or only what is private. */
  unjudged: Record<string, number>;
}

const PROSE = namesOfLanguages(({ isProse }) => isProse === true);

/** The order of the rows. */
const ORDER = ['certain', 'likely', 'test_only'] as const satisfies readonly Certainty[];

/** Verdicts that an index holds, the certain ones first. */
const MOST_VERDICTS = 100_000;

/** All that is known of an index once its dead code was looked for; the verdicts, in their order, as columns. */
interface DeadCode {
  symbols: Int32Array;
  /** Index in ORDER. */
  certainties: Uint8Array;
  /** Index in `texts`. */
  reasons: Int32Array;
  texts: string[];
  isCut: boolean;
  roots: Record<string, number>;
}

/** The dead code of an index: one value, because nobody asks for a part of it that costs less. */
export const DEAD_CODE: StoredValue<DeadCode> = {
  name: 'dead_code',
  compute: findDeadCode,
  inputs: {
    columns: {
      file: ['path', 'language', 'test', 'generated'],
      name: ['text'],
      symbol: [
        ...(['file', 'name', 'qualified', 'kind', 'line', 'end_line', 'parent', 'family', 'exported'] as const),
        ...(['parameters', 'signature'] as const),
      ],
      usage: ['refs', 'uses'],
      named: ['name'],
      edge: ['refers', 'extends'],
      file_edge: ['refers', 'depends'],
    },
    isSameText: haveSameClues,
  },
  pack: ({ symbols, certainties, reasons, ...others }) =>
    zstdCompressSync(
      JSON.stringify({
        ...others,
        symbols: Array.from(symbols),
        certainties: Array.from(certainties),
        reasons: Array.from(reasons),
      }),
    ),
  unpack: (data) => {
    const { symbols, certainties, reasons, ...others } = JSON.parse(zstdDecompressSync(data).toString()) as Record<
      'symbols' | 'certainties' | 'reasons',
      number[]
    > &
      Omit<DeadCode, 'symbols' | 'certainties' | 'reasons'>;
    return {
      ...others,
      symbols: Int32Array.from(symbols),
      certainties: Uint8Array.from(certainties),
      reasons: Int32Array.from(reasons),
    };
  },
};

/**
 * Symbols that nothing uses, the certain ones first, then by path and line.
 *
 * Everything is alive that code outside symbols, a package's entry files, a framework's conventions or a decorator reach.
 * What is exported from an entry file is public. Inside dead code only the outermost symbol is a row. All of it is found with
 * the index, which reads all texts (about a second for 50 MB).
 */
export function deadCode(db: ShardDatabase, search: DeadCodeSearch): DeadCodePage {
  const { symbols, certainties, reasons, texts, roots, isCut } = storedValue(db, DEAD_CODE);
  const mask = fileMask(db, search);
  const [first, codes] = [firstSymbols(db), db.derived('symbol_kind', () => dense(db, 'symbol_kind'))];
  const isAny = search.kinds === undefined || search.kinds.length === 0;
  const isRequested = SYMBOL_KINDS.map((kind) => isAny || search.kinds?.includes(kind) === true);
  const counts = ORDER.map(() => 0);
  const page: { symbol: number; certainty: Certainty; reason: string }[] = [];
  let total = 0;
  for (const [at, symbol] of symbols.entries()) {
    if (mask?.[fileOfSymbolId(first, symbol)] === 0 || isRequested[codes[symbol] ?? -1] !== true) continue;
    const code = certainties[at] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
    if (total >= search.offset && page.length < search.limit)
      page.push({ symbol, certainty: ORDER[code] ?? 'likely', reason: texts[reasons[at] ?? 0] ?? '' });
    total += 1;
  }
  const rows = symbolRows(
    db,
    page.map(({ symbol }) => symbol),
  );
  return {
    total,
    isCut,
    byCertainty: { certain: counts[0] ?? 0, likely: counts[1] ?? 0, test_only: counts[2] ?? 0 },
    rows: rows.map((row, index) => ({
      ...row,
      certainty: page[index]?.certainty ?? 'likely',
      reason: page[index]?.reason ?? '',
    })),
    roots,
    unjudged: unjudgedFiles(db, mask),
  };
}

function findDeadCode(db: ShardDatabase): DeadCode {
  const files = db
    .prepare('select id, path, language, test, generated from file order by id')
    .all() as unknown as DeadCodeFile[];
  const names = readNames(db);
  const symbols = readSymbols(db);
  const clues = readClues(db, names, symbols.firstSymbols);
  const named = new Set((db.prepare('select name from named').all() as { name: number }[]).map(({ name }) => name));
  const roots = findRoots({ db, files, symbols, clues, names, named });
  const twins = findTwins(db, { files, symbols, choices: clues.choices });
  shareUses(symbols, twins);
  const graph = readGraph(db, symbols, { files, twins });
  const alive = new Uint8Array(symbols.count);
  markAlive(graph, [...roots.code, ...valuesAtLoad(graph, { files, symbols }, 0)], alive);
  for (const symbol of roots.built) if (alive[symbol] === 1) roots.built.delete(symbol);
  markAlive(graph, roots.built, alive);
  const reached = alive.slice();
  markAlive(graph, [...roots.tests, ...valuesAtLoad(graph, { files, symbols }, 1)], reached);
  const gathering = {
    db,
    files,
    names,
    symbols,
    clues,
    roots,
    twins,
    joined: joinedFiles(graph, { symbols, clues, fileUses: readFileUses(db), count: files.length }),
  };
  const judging: Judging = { ...gathering, alive, reached, named, textOf: lastText(db) };
  const verdicts: Verdict[] = [];
  for (let symbol = 0; symbol < symbols.count; symbol += 1) {
    const verdict = judge(judging, symbol);
    if (verdict !== undefined) verdicts.push(verdict);
  }
  doubtUsed(verdicts, graph, reached);
  verdicts.sort((a, b) => ORDER.indexOf(a.certainty) - ORDER.indexOf(b.certainty) || a.symbol - b.symbol);
  return columnsOf(verdicts, roots.counts);
}

function columnsOf(verdicts: readonly Verdict[], roots: Record<string, number>): DeadCode {
  const stored = verdicts.slice(0, MOST_VERDICTS);
  const places = new Map<string, number>();
  for (const { reason } of stored) if (!places.has(reason)) places.set(reason, places.size);
  return {
    symbols: Int32Array.from(stored, ({ symbol }) => symbol),
    certainties: Uint8Array.from(stored, ({ certainty }) => ORDER.indexOf(certainty)),
    reasons: Int32Array.from(stored, ({ reason }) => places.get(reason) ?? 0),
    texts: [...places.keys()],
    isCut: stored.length < verdicts.length,
    roots,
  };
}

/** By file, 1 where its code uses something of another file, is used there, or is registered as a test may be. */
function joinedFiles(
  graph: LifeGraph,
  {
    symbols,
    clues,
    fileUses,
    count,
  }: { symbols: SymbolColumns; clues: TextClues; fileUses: ReturnType<typeof readFileUses>; count: number },
): Uint8Array {
  const joined = new Uint8Array(count);
  for (const symbol of clues.registered) joined[symbols.files[symbol] ?? 0] = 1;
  for (let symbol = 0; symbol < symbols.count; symbol += 1) {
    const file = symbols.files[symbol] ?? 0;
    for (const used of graph.usesOf(symbol)) {
      const other = symbols.files[used] ?? file;
      if (other !== file) joined[file] = joined[other] = 1;
    }
  }
  for (const [file, { all }] of fileUses)
    for (const used of all) {
      const other = symbols.files[used] ?? file;
      if (other !== file) joined[file] = joined[other] = 1;
    }
  return joined;
}

/**
 * Lowers the certainty of symbols that something uses which is not certain to be dead: they are likely dead at most, whatever
 * else is known of the user.
 */
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

/**
 * Symbols that the values of top-level constants use, and the functions in them, which a call may have been given: the values
 * are made when the file is loaded, whoever reads them.
 */
function* valuesAtLoad(
  graph: LifeGraph,
  { files, symbols }: { files: readonly DeadCodeFile[]; symbols: SymbolColumns },
  test: number,
): Generator<number> {
  for (let symbol = 0; symbol < symbols.count; symbol += 1) {
    if ((symbols.parents[symbol] ?? -1) >= 0 || files[symbols.files[symbol] ?? 0]?.test !== test) continue;
    const kind = kindAt(symbols, symbol);
    if (kind !== 'constant' && kind !== 'variable') continue;
    for (const holder of withAllInside(graph, symbol))
      for (const used of graph.usesOf(holder)) if (used !== symbol && symbols.parents[used] !== symbol) yield used;
  }
}

function* withAllInside(graph: LifeGraph, symbol: number): Generator<number> {
  yield symbol;
  for (const inner of graph.childrenOf(symbol)) yield* withAllInside(graph, inner);
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
