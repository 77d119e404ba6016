import { addToList } from '../../kernel/lists.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { USE_CODES } from '../../code-index/format/shard-input.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { unpackIds, unpackReferences } from '../../code-index/format/store-codec.ts';
import { IntList } from '../../kernel/int-list.ts';
import { VarintReader } from '../../kernel/varints.ts';
import { dense, firstSymbols } from '../files/store-files.ts';
import { rulesOf } from './conventions.ts';
import type { Twins } from './platform.ts';

/** Uses that keep symbols alive. Symbols are their ids. */
export interface LifeGraph {
  count: number;
  /** Symbols that the code of a symbol uses, its super types included. */
  usesOf(symbol: number): Iterable<number>;
  /** Symbol around each, or -1. */
  parents: Int32Array;
  /** Symbols right inside each; none of a module, whose parts live by themselves. */
  childrenOf(symbol: number): readonly number[];
  /** The other members of its override family, and the definitions of which a build has one. */
  familyOf(symbol: number): readonly number[];
}

/**
 * Marks everything that the roots reach, on top of what is marked already (1 in `alive`).
 *
 * A symbol keeps alive what it uses and what is inside it, a member also what it is a member of: whoever uses it holds one.
 * A member that overrides a live one lives, and says nothing about its class.
 */
export function markAlive(graph: LifeGraph, roots: Iterable<number>, alive: Uint8Array): void {
  const waiting: number[] = [];
  const reach = (symbol: number): void => {
    if (symbol < 0 || alive[symbol] === 1) return;
    alive[symbol] = 1;
    waiting.push(symbol);
  };
  const reachWithParent = (symbol: number): void => {
    reach(symbol);
    reach(graph.parents[symbol] ?? -1);
  };
  for (const root of roots) reachWithParent(root);
  for (let symbol = waiting.pop(); symbol !== undefined; symbol = waiting.pop()) {
    for (const used of graph.usesOf(symbol)) reachWithParent(used);
    for (const inner of graph.childrenOf(symbol)) reach(inner);
    for (const relative of graph.familyOf(symbol)) reach(relative);
  }
}

/** Only hands a symbol on: whoever takes it from there uses it. */
const ONLY_EXPORTED = 1 << USE_CODES.indexOf('export');
const USE_BITS = (1 << USE_CODES.length) - 1;

/** Columns of all symbols of an index. */
export interface SymbolColumns {
  count: number;
  files: Int32Array;
  names: Int32Array;
  lines: Int32Array;
  parents: Int32Array;
  /** -1 for none. */
  families: Int32Array;
  exported: Uint8Array;
  /** Index in SYMBOL_KINDS. */
  kinds: Uint8Array;
  firstSymbols: Int32Array;
  /** Uses by resolved reference. */
  references: Int32Array;
}

/** The names of symbols by their id. */
export function readNames(db: ShardDatabase): string[] {
  return (db.prepare('select text from name order by id').all() as { text: string }[]).map(({ text }) => text);
}

export function readSymbols(db: ShardDatabase): SymbolColumns {
  const kinds = dense(db, 'symbol_kind');
  const count = kinds.length;
  const columns: SymbolColumns = {
    count,
    kinds,
    files: new Int32Array(count),
    names: new Int32Array(count),
    lines: new Int32Array(count),
    parents: new Int32Array(count).fill(-1),
    families: new Int32Array(count).fill(-1),
    exported: new Uint8Array(count),
    firstSymbols: firstSymbols(db),
    references: new Int32Array(count),
  };
  const all = db.prepare(
    'select id, file, name, line, coalesce(parent, -1), coalesce(family, -1), exported from symbol',
  );
  // An array a row takes a quarter of the time of an object.
  all.setReturnArrays(true);
  const rows = all.all() as unknown as [number, number, number, number, number, number, number][];
  for (const [id, file, name, line, parent, family, exported] of rows) {
    columns.files[id] = file;
    columns.names[id] = name;
    columns.lines[id] = line;
    columns.parents[id] = parent;
    columns.families[id] = family;
    columns.exported[id] = exported;
  }
  const used = db.prepare('select symbol, refs from usage').all() as { symbol: number; refs: number }[];
  for (const { symbol, refs } of used) columns.references[symbol] = refs;
  return columns;
}

/** Symbol that holds a member, or -1: what a module holds stands for itself. */
export function holderOf(columns: SymbolColumns, symbol: number): number {
  const parent = columns.parents[symbol] ?? -1;
  return parent >= 0 && kindAt(columns, parent) === 'module' ? -1 : parent;
}

/** Kind of a symbol. */
export function kindAt({ kinds }: SymbolColumns, symbol: number): (typeof SYMBOL_KINDS)[number] {
  return SYMBOL_KINDS[kinds[symbol] ?? 0] ?? 'variable';
}

/** True for a namespace of scripts: exported, with parts that live with it. */
export function isNamespace(columns: SymbolColumns, symbol: number, language: string): boolean {
  return (
    rulesOf(language)?.hasPathModules === true &&
    columns.exported[symbol] === 1 &&
    (columns.parents[symbol] ?? -1) < 0 &&
    kindAt(columns, symbol) === 'module'
  );
}

/** True if a symbol of a script is part of an exported namespace, at any depth. */
export function isInNamespace(columns: SymbolColumns, symbol: number, language: string): boolean {
  const parent = columns.parents[symbol] ?? -1;
  if (parent < 0) return false;
  return isNamespace(columns, parent, language) || isInNamespace(columns, parent, language);
}

export function readGraph(
  db: ShardDatabase,
  columns: SymbolColumns,
  { files, twins }: { files: readonly { language: string }[]; twins: Twins },
): LifeGraph {
  const { count, parents, families } = columns;
  const children = new Map<number, number[]>();
  const relatives = new Map<number, number[]>();
  for (let symbol = 0; symbol < count; symbol += 1) {
    const language = files[columns.files[symbol] ?? 0]?.language ?? '';
    if (holderOf(columns, symbol) >= 0 || isInNamespace(columns, symbol, language))
      addToList(children, parents[symbol] ?? -1, symbol);
    if ((families[symbol] ?? -1) >= 0) addToList(relatives, families[symbol] ?? -1, symbol);
  }
  const uses = readUses(db, count);
  return {
    count,
    parents,
    childrenOf: (symbol) => children.get(symbol) ?? [],
    familyOf: (symbol) => [...(relatives.get(families[symbol] ?? -1) ?? []), ...(twins.of.get(symbol) ?? [])],
    usesOf: (symbol) => uses.targets.subarray(uses.starts[symbol], uses.starts[symbol + 1]),
  };
}

/**
 * Symbols that each uses, its super types behind them: those of a symbol are `targets[starts[symbol]]` up to that of the next. Each is
 * read several times.
 */
function readUses(db: ShardDatabase, count: number): { starts: Int32Array; targets: Int32Array } {
  const starts = new Int32Array(count + 1);
  const targets = new IntList();
  let next = 0;
  const rows = db.prepare('select symbol, refers, extends from edge order by symbol').iterate();
  for (const row of rows as Iterable<{ symbol: number; refers: Uint8Array | null; extends: Uint8Array | null }>) {
    for (; next <= row.symbol; next += 1) starts[next] = targets.length;
    for (const used of usedTargets(row.refers)) targets.push(used);
    for (const above of unpackIds(row.extends)) targets.push(above);
  }
  starts.fill(targets.length, next);
  return { starts, targets: targets.values() };
}

/** Symbols that the code outside symbols of each file uses; `all` holds also what it only exports or imports. */
export function readFileUses(db: ShardDatabase): Map<number, { used: number[]; all: number[] }> {
  const rows = db.prepare('select file, refers from file_edge where refers is not null').all() as unknown as {
    file: number;
    refers: Uint8Array;
  }[];
  return new Map(
    rows.map(({ file, refers }) => {
      const all = unpackReferences(refers).map(({ target }) => target);
      return [file, { used: usedTargets(refers), all }] as const;
    }),
  );
}

/** The files that each file imports. */
export function importsOf(db: ShardDatabase, file: number): number[] {
  const row = db.prepare('select depends from file_edge where file = ?').get(file) as
    | { depends: Uint8Array | null }
    | undefined;
  return unpackReferences(row?.depends ?? null).map(({ target }) => target);
}

/**
 * Targets that a blob of references uses other than by re-exporting them. Reads without an object for each: all of an index are
 * read.
 */
function usedTargets(refers: Uint8Array | null): number[] {
  const targets: number[] = [];
  if (refers === null) return targets;
  const from = new VarintReader(refers);
  let target = 0;
  while (from.more) {
    target += from.next();
    if ((from.next() & USE_BITS) !== ONLY_EXPORTED) targets.push(target);
  }
  return targets;
}
