import { RELATIONS as CODE_RELATIONS, heritage } from '../../code-index/format/relations.ts';
import { EXACT_BIT, GRADE_CODES, USE_CODES } from '../../code-index/format/shard-input.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { unpackIds, unpackReferences } from '../../code-index/format/store-codec.ts';
import { dense, fileOfSymbol, firstSymbols, pathOf, testFlags, usesOf } from '../../code/reading/reading.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import {
  type EdgeColumns,
  emptyColumns,
  gradeCode,
  type NodeNumber,
  RELATIONS,
  type Relation,
  relationCode,
} from '../model/model.ts';
import { type GraphView, graphView } from './graph-view.ts';

/** Edges that one question gives; then it stops and says so. */
const MOST_EDGES = 50_000;

const EXACT_GRADE = GRADE_CODES.indexOf('exact');
const EXACT = gradeCode('exact');
const RESOLVED = gradeCode('resolved');
const STATED = gradeCode('stated');
const CONTAINS = relationCode('contains');
const TESTS = relationCode('tests');

/** Of several uses between two symbols the strongest is told. */
const USE_RELATIONS: readonly (readonly [(typeof USE_CODES)[number], Relation])[] = [
  ['call', 'calls'],
  ['test', 'calls'],
  ['write', 'writes'],
  ['read', 'reads'],
  ['implements', 'implements'],
  ['type', 'references'],
  ['import', 'imports'],
  ['export', 'references'],
];

export interface EdgeQuestion {
  nodes: readonly NodeNumber[];
  direction: 'in' | 'out' | 'both';
  /** All when absent. */
  relations?: readonly Relation[] | undefined;
}

/** The edges of some nodes, each node's together. What an edge between two symbols says is the strongest of its uses that is wanted. */
export function edgesOf(db: ShardDatabase, { nodes, direction, relations }: EdgeQuestion): EdgeColumns {
  const view = graphView(db);
  const wanted = relations === undefined || relations.length === 0 ? undefined : new Set(relations.map(relationCode));
  const out = new Collector(wanted);
  for (const node of nodes) {
    if (out.isFull || db.cancelled()) break;
    if (direction !== 'in') addLeaving(db, view, node, out);
    if (direction !== 'out') addReaching(db, view, node, out);
  }
  return out.columns;
}

/** Gathers the edges that are wanted. */
class Collector {
  readonly columns = emptyColumns();
  readonly #wanted: ReadonlySet<number> | undefined;

  constructor(wanted: ReadonlySet<number> | undefined) {
    this.#wanted = wanted;
  }

  get isFull(): boolean {
    if (this.columns.from.length < MOST_EDGES) return false;
    this.columns.isCut = true;
    return true;
  }

  wants(relation: number): boolean {
    return this.#wanted === undefined || this.#wanted.has(relation);
  }

  add(from: NodeNumber, to: NodeNumber, relation: number, grade: number): void {
    if (from === to || !this.wants(relation)) return;
    this.columns.from.push(from);
    this.columns.to.push(to);
    this.columns.relation.push(relation);
    this.columns.grade.push(grade);
  }

  /** The strongest of some uses that is wanted. What tests use of other code they test. */
  addUses(from: NodeNumber, to: NodeNumber, uses: number, isTesting: boolean): void {
    const sureness = (uses & EXACT_BIT) === 0 ? RESOLVED : EXACT;
    if (isTesting) return this.add(from, to, TESTS, sureness);
    for (const [use, relation] of USE_RELATIONS) {
      const code = relationCode(relation);
      if ((uses & (1 << USE_CODES.indexOf(use))) === 0 || !this.wants(code)) continue;
      this.add(from, to, code, sureness);
      return;
    }
  }
}

function addLeaving(db: ShardDatabase, view: GraphView, node: NodeNumber, out: Collector): void {
  addDerived(view, view.leaving.get(node) ?? [], out);
  if (node < view.symbols) {
    const file = fileOfSymbol(db, node);
    addInside(db, view, { node, file, parent: node }, out);
    const row = db.prepare('select refers, extends from edge where symbol = ?').get(node) as
      | { refers: Uint8Array | null; extends: Uint8Array | null }
      | undefined;
    for (const above of unpackIds(row?.extends ?? null)) out.add(node, above, heritageCode(db, node, above), RESOLVED);
    addReferences(db, { node, file, refers: row?.refers ?? null }, out);
  } else if (node - view.symbols < view.files) {
    const file = node - view.symbols;
    addInside(db, view, { node, file, parent: null }, out);
    const row = db.prepare('select refers, depends from file_edge where file = ?').get(file) as
      | { refers: Uint8Array | null; depends: Uint8Array | null }
      | undefined;
    for (const { target, uses } of unpackReferences(row?.depends ?? null))
      addFileEdge(db, view, { from: file, to: target, bits: uses }, out);
    addReferences(db, { node, file, refers: row?.refers ?? null }, out);
  }
}

/** What a symbol, or the code of a file outside symbols, refers to. */
function addReferences(
  db: ShardDatabase,
  { node, file, refers }: { node: NodeNumber; file: number; refers: Uint8Array | null },
  out: Collector,
): void {
  const isTest = testFlags(db);
  for (const { target, uses } of unpackReferences(refers))
    out.addUses(node, target, uses, isTest[file] === 1 && isTest[fileOfSymbol(db, target)] !== 1);
}

function addReaching(db: ShardDatabase, view: GraphView, node: NodeNumber, out: Collector): void {
  addDerived(view, view.reaching.get(node) ?? [], out);
  if (node < view.symbols) {
    const parent = parents(db)[node] ?? -1;
    out.add(parent === -1 ? view.symbols + fileOfSymbol(db, node) : parent, node, CONTAINS, STATED);
    addUsers(db, view, node, out);
    const row = db.prepare('select extended_by as below from edge where symbol = ?').get(node) as
      | { below: Uint8Array | null }
      | undefined;
    for (const below of unpackIds(row?.below ?? null)) out.add(below, node, heritageCode(db, below, node), RESOLVED);
  } else if (node - view.symbols < view.files) {
    const file = node - view.symbols;
    const row = db.prepare('select depended_by as users from file_edge where file = ?').get(file) as
      | { users: Uint8Array | null }
      | undefined;
    for (const { target, uses } of unpackReferences(row?.users ?? null))
      addFileEdge(db, view, { from: target, to: file, bits: uses }, out);
  }
}

function addDerived({ graph }: GraphView, edges: readonly number[], out: Collector): void {
  for (const index of edges) {
    const edge = graph.edges[index];
    if (edge !== undefined) out.add(edge.from, edge.to, relationCode(edge.relation), gradeCode(edge.grade));
  }
}

/** Who uses a symbol: the innermost symbol around each use, else the file. */
function addUsers(db: ShardDatabase, view: GraphView, symbol: number, out: Collector): void {
  const isTest = testFlags(db);
  const isTested = isTest[fileOfSymbol(db, symbol)] !== 1;
  const users = new Map<NodeNumber, { uses: number; file: number }>();
  for (const { file, use, grade, enclosing } of usesOf(db, symbol)) {
    const from = enclosing === -1 ? view.symbols + file : enclosing;
    const bits = (1 << use) | (grade === EXACT_GRADE ? EXACT_BIT : 0);
    const known = users.get(from);
    if (known === undefined) users.set(from, { uses: bits, file });
    else known.uses |= bits;
  }
  for (const [from, { uses, file }] of users) out.addUses(from, symbol, uses, isTested && isTest[file] === 1);
}

const CALLS = CODE_RELATIONS.indexOf('calls');
const IMPORTS = CODE_RELATIONS.indexOf('imports');

/** A test that depends on code tests it; other files import it, or use it without an import. */
function addFileEdge(
  db: ShardDatabase,
  { symbols }: GraphView,
  { from, to, bits }: { from: number; to: number; bits: number },
  out: Collector,
): void {
  const isTest = testFlags(db);
  const kind = bits & (1 << IMPORTS) ? 'imports' : bits & (1 << CALLS) ? 'calls' : 'references';
  const relation = isTest[from] === 1 && isTest[to] !== 1 ? TESTS : relationCode(kind);
  out.add(symbols + from, symbols + to, relation, (bits & EXACT_BIT) === 0 ? RESOLVED : EXACT);
}

/** What is directly inside a file or symbol. What is inside a symbol follows it. */
function addInside(
  db: ShardDatabase,
  view: GraphView,
  { node, file, parent }: { node: NodeNumber; file: number; parent: number | null },
  out: Collector,
): void {
  if (!out.wants(CONTAINS)) return;
  const starts = firstSymbols(db);
  const around = parents(db);
  const end = starts[file + 1] ?? view.symbols;
  for (let symbol = parent === null ? (starts[file] ?? end) : parent + 1; symbol < end; symbol += 1) {
    const own = around[symbol] ?? -1;
    if (parent !== null && own < parent) return;
    if (own === (parent ?? -1)) out.add(node, symbol, CONTAINS, STATED);
  }
}

/** The symbol around each symbol, or -1. */
function parents(db: ShardDatabase): Int32Array {
  return db.derived('graph_parents', () => {
    const rows = db.prepare('select coalesce(parent, -1) as parent from symbol order by id').all() as {
      parent: number;
    }[];
    return Int32Array.from(rows, ({ parent }) => parent);
  });
}

/** Who extends a promise without a body implements it; for the graph, who extends a class does so too. */
function heritageCode(db: ShardDatabase, below: number, above: number): number {
  const kinds = db.derived('symbol_kind', () => dense(db, 'symbol_kind'));
  const relation = heritage(SYMBOL_KINDS[kinds[below] ?? -1], SYMBOL_KINDS[kinds[above] ?? -1]);
  return relationCode(relation === 'implements' || relation === 'extends' ? 'implements' : 'references');
}

/** An edge that an answer shows. */
export interface ShownEdge {
  from: NodeNumber;
  to: NodeNumber;
  /** Index in RELATIONS. */
  relation: number;
}

/** Where each edge stands: `path:line` of the first use, what a derived edge says, else the path of the file. In their order. */
export function edgeSources(db: ShardDatabase, { edges }: { edges: readonly ShownEdge[] }): string[] {
  const view = graphView(db);
  return edges.map((edge) => derivedSource(view, edge) ?? placeOfUse(db, view, edge));
}

function derivedSource({ graph, leaving }: GraphView, { from, to, relation }: ShownEdge): string | undefined {
  const found = (leaving.get(from) ?? []).find((index) => {
    const edge = graph.edges[index];
    return edge?.to === to && edge.relation === RELATIONS[relation];
  });
  return found === undefined ? undefined : graph.edges[found]?.source;
}

function placeOfUse(db: ShardDatabase, view: GraphView, { from, to, relation }: ShownEdge): string {
  const file = from < view.symbols ? fileOfSymbol(db, from) : from - view.symbols;
  const path = pathOf(db, file);
  if (to >= view.symbols) return path;
  if (relation === CONTAINS) return `${path}:${lineOf(db, to)}`;
  const enclosing = from < view.symbols ? from : -1;
  const use = usesOf(db, to).find((one) => one.file === file && one.enclosing === enclosing);
  return `${path}:${use?.line ?? (from < view.symbols ? lineOf(db, from) : 1)}`;
}

function lineOf(db: ShardDatabase, symbol: number): number {
  return (db.prepare('select line from symbol where id = ?').get(symbol) as { line: number } | undefined)?.line ?? 1;
}

/** How many edges each node has, in its order: for symbols and files those to other files count, too. */
export function degrees(db: ShardDatabase, { nodes }: { nodes: readonly NodeNumber[] }): number[] {
  return nodes.map((node) => edgesOf(db, { nodes: [node], direction: 'both' }).from.length);
}
