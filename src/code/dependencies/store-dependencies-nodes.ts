import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { heritage, relationBit, relationsOfUses } from '../../code-index/format/relations.ts';
import type { SymbolKind } from '../../code-index/format/rows.ts';
import { EXACT_BIT, GRADE_CODES } from '../../code-index/format/shard-input.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { unpackIds, unpackReferences } from '../../code-index/format/store-codec.ts';
import { dense, fileAt, fileMask, firstSymbols, pathOf } from '../files/store-files.ts';
import { fileOfSymbol } from '../symbols/store-symbols.ts';
import { usesOf } from '../usages/store-usages.ts';

/** A symbol as its id, or a file as -1 - id: all of it between files, else what is in no symbol of it. */
export type Node = number;

/** One thing that depends on another, with relation bits. */
export interface Edge {
  from: Node;
  to: Node;
  bits: number;
  /** The first line where it shows; 0 when only the files are known. */
  line: number;
}

/** Lines of a file, as pairs of first and last. */
interface ChangedLines {
  path: string;
  lines: readonly (readonly [from: number, to: number])[];
}

/** Start of a question. Lines are 1-based, both ends included. */
export type Root =
  | { symbols: readonly number[] }
  | { path: string }
  | { path: string; from: number; to: number }
  | { changed: readonly ChangedLines[] };

/** One end of a dependency. `symbol` is the qualified name, of an overload with its parameters, '' for a file. */
export interface EndRow {
  path: string;
  symbol: string;
  kind: SymbolKind | 'file';
  line: number;
}

const EXACT_GRADE = GRADE_CODES.indexOf('exact');

export function nodeOfFile(file: number): Node {
  return -1 - file;
}

export function isFileNode(node: Node): boolean {
  return node < 0;
}

/** The file that holds a node. */
export function fileOfNode(db: ShardDatabase, node: Node): number {
  return isFileNode(node) ? -1 - node : fileOfSymbol(db, node);
}

/** The files of a path, as nodes. */
export function filesAt(db: ShardDatabase, path: string): Node[] {
  const mask = fileMask(db, { path }) ?? new Uint8Array(firstSymbols(db).length).fill(1);
  return [...mask.keys()].filter((file) => mask[file] === 1).map(nodeOfFile);
}

/** Symbols with everything inside them. */
export function withInner(db: ShardDatabase, symbols: readonly number[]): Node[] {
  const nodes = new Set<Node>(symbols);
  for (const [file, roots] of Map.groupBy(symbols, (symbol) => fileOfSymbol(db, symbol))) {
    for (const { id, parent } of symbolsAfter(db, file, Math.min(...roots)))
      if (parent !== null && nodes.has(parent)) nodes.add(id);
  }
  return [...nodes];
}

/**
 * The outermost function around a symbol, itself when there is none: nobody outside can use what is inside a function but
 * through the function.
 */
export function outermostFunction(db: ShardDatabase, symbol: number): number {
  return db.derived('outermost_function', () => outermostFunctions(db))[symbol] ?? symbol;
}

/** By symbol. One scan, because a question about a hub asks for thousands. */
function outermostFunctions(db: ShardDatabase): Int32Array {
  const outermost = Int32Array.from(kinds(db), (_, symbol) => symbol);
  const rows = db.prepare('select id, parent from symbol where parent is not null order by id').iterate();
  for (const { id, parent } of rows as Iterable<{ id: number; parent: number }>) {
    // What is around a symbol comes before it, so its own answer is known.
    const around = outermost[parent] ?? parent;
    if (around !== parent || isFunction(db, parent)) outermost[id] = around;
  }
  return outermost;
}

export function isFunction(db: ShardDatabase, symbol: number): boolean {
  const kind = kindOf(db, symbol);
  return kind === 'function' || kind === 'method';
}

/** The innermost symbols of some lines of a file, and those that start there; the file itself when there are none. */
export function nodesOnLines(db: ShardDatabase, { path, lines }: ChangedLines): Node[] {
  const file = fileAt(db, path);
  if (file === undefined || lines.length === 0) return [];
  const rows = db
    .prepare('select id, line, end_line as "end" from symbol where id >= ? and id < ? order by line, id')
    .all(...symbolsOf(db, file)) as unknown as { id: number; line: number; end: number }[];
  const nodes = new Set<Node>();
  // One pass over both: a difference may have tens of thousands of lines in a file.
  const open: typeof rows = [];
  let [next, line] = [0, 0];
  for (const [from, to] of lines.toSorted((a, b) => a[0] - b[0])) {
    for (line = Math.max(from, line); line <= to; line += 1) {
      const starting: number[] = [];
      for (let row = rows[next]; row !== undefined && row.line <= line; row = rows[(next += 1)]) {
        if (row.line === line) starting.push(row.id);
        open.push(row);
      }
      while ((open.at(-1)?.end ?? line) < line) open.pop();
      const innermost = open.at(-1);
      if (starting.length === 0 && innermost !== undefined) nodes.add(innermost.id);
      for (const id of starting) nodes.add(id);
    }
  }
  return nodes.size === 0 ? [nodeOfFile(file)] : [...nodes];
}

/** Edges to what a symbol, or the code of a file outside symbols, refers to and extends. */
export function edgesOut(db: ShardDatabase, node: Node): Edge[] {
  if (isFileNode(node)) {
    const row = db.prepare('select refers from file_edge where file = ?').get(-1 - node) as
      | { refers: Uint8Array | null }
      | undefined;
    return unpackReferences(row?.refers ?? null).map(({ target, uses }) => edge(node, target, relationsOfUses(uses)));
  }
  const row = db.prepare('select refers, extends from edge where symbol = ?').get(node) as
    | { refers: Uint8Array | null; extends: Uint8Array | null }
    | undefined;
  if (row === undefined) return [];
  const bits = new Map(unpackReferences(row.refers).map(({ target, uses }) => [target, relationsOfUses(uses)]));
  for (const above of unpackIds(row.extends)) bits.set(above, (bits.get(above) ?? 0) | heritageBit(db, node, above));
  return [...bits].map(([target, relations]) => edge(node, target, relations));
}

/** Edges from what uses or extends a symbol: the innermost symbol around each use, else the file. Names alone do not count. */
export function edgesIn(db: ShardDatabase, node: Node): Edge[] {
  if (isFileNode(node)) return fileEdges(db, node, 'in').filter(({ bits }) => (bits & ~EXACT_BIT) === IMPORTS);
  const edges = new Map<Node, Edge>();
  for (const { file, line, use, grade, enclosing } of usesOf(db, node)) {
    const from = enclosing === -1 ? nodeOfFile(file) : enclosing;
    const bits = relationsOfUses(1 << use) | (grade === EXACT_GRADE ? EXACT_BIT : 0);
    const existing = edges.get(from);
    if (existing === undefined) edges.set(from, { from, to: node, bits, line });
    else existing.bits |= bits;
  }
  const row = db.prepare('select extended_by from edge where symbol = ?').get(node) as
    | { extended_by: Uint8Array | null }
    | undefined;
  for (const below of unpackIds(row?.extended_by ?? null)) {
    const edgeBelow = edges.get(below) ?? edge(below, node, 0);
    edges.set(below, { ...edgeBelow, bits: edgeBelow.bits | heritageBit(db, below, node) });
  }
  return [...edges.values()];
}

const IMPORTS = relationBit('imports');

/** Edges to what a whole file depends on, or from what depends on it. */
export function fileEdges(db: ShardDatabase, node: Node, side: 'in' | 'out'): Edge[] {
  const row = db.prepare('select depends, depended_by from file_edge where file = ?').get(-1 - node) as
    | { depends: Uint8Array | null; depended_by: Uint8Array | null }
    | undefined;
  return unpackReferences((side === 'out' ? row?.depends : row?.depended_by) ?? null).map(({ target, uses }) => {
    const other = nodeOfFile(target);
    return side === 'out' ? edge(node, other, uses) : edge(other, node, uses);
  });
}

function kindOf(db: ShardDatabase, symbol: number): SymbolKind | undefined {
  return SYMBOL_KINDS[kinds(db)[symbol] ?? -1];
}

/** By symbol, as index in SYMBOL_KINDS. */
function kinds(db: ShardDatabase): Uint8Array {
  return db.derived('symbol_kind', () => dense(db, 'symbol_kind'));
}

/** Nodes in the order of their files, a file before its symbols. */
export function byLocation(db: ShardDatabase): (a: Node, b: Node) => number {
  return (a, b) => fileOfNode(db, a) - fileOfNode(db, b) || a - b;
}

/** The ids of a file's symbols, from and up to: they are neighbours, so asking by id needs no index on the file. */
export function symbolsOf(db: ShardDatabase, file: number): [from: number, to: number] {
  const starts = firstSymbols(db);
  return [starts[file] ?? 0, starts[file + 1] ?? kinds(db).length];
}

/** Turns nodes into rows; asks for each once. */
export class EndRows {
  readonly #db: ShardDatabase;
  readonly #rows = new Map<Node, EndRow>();

  constructor(db: ShardDatabase) {
    this.#db = db;
  }

  /** `line` stands in for a file, which has none of its own; the first one when it is not known. */
  row(node: Node, line = 1): EndRow {
    const cached = this.#rows.get(node);
    const row = cached ?? this.#read(node);
    if (cached === undefined) this.#rows.set(node, row);
    return isFileNode(node) ? { ...row, line: Math.max(1, line) } : row;
  }

  #read(node: Node): EndRow {
    if (isFileNode(node)) return { path: pathOf(this.#db, -1 - node), symbol: '', kind: 'file', line: 0 };
    const row = this.#db
      .prepare(
        `select f.path, s.qualified || coalesce(s.parameters, '') as symbol, s.kind, s.line
           from symbol s join file f on f.id = s.file where s.id = ?`,
      )
      .get(node) as EndRow | undefined;
    if (row === undefined) throw new Error(`The shard has no symbol ${node}.`);
    return { ...row };
  }
}

function symbolsAfter(db: ShardDatabase, file: number, first: number): Iterable<{ id: number; parent: number | null }> {
  const [, end] = symbolsOf(db, file);
  return db
    .prepare('select id, parent from symbol where id >= ? and id < ? order by id')
    .all(first, end) as unknown as { id: number; parent: number | null }[];
}

function heritageBit(db: ShardDatabase, below: number, above: number): number {
  return relationBit(heritage(kindOf(db, below), kindOf(db, above)));
}

function edge(from: Node, to: Node, bits: number): Edge {
  return { from, to, bits, line: 0 };
}
