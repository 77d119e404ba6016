import { RELATIONS as CODE_RELATIONS, heritage } from '../../code-index/format/relations.ts';
import { EXACT_BIT, USE_CODES } from '../../code-index/format/shard-input.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { unpackIds, unpackReferences } from '../../code-index/format/store-codec.ts';
import { methodSets } from '../../code/heritage/heritage.ts';
import { dense, fileOfSymbol, firstSymbols, testFlags } from '../../code/reading/reading.ts';
import { isBarrel } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { NODE_KINDS, type NodeNumber, type Relation } from '../model/model.ts';
import {
  type Adjacency,
  countAt,
  EdgeGatherer,
  type EdgeList,
  packSays,
  relationMask,
  strongestOf,
} from '../model/adjacency.ts';
import { type GraphView, graphView, kindOf } from './graph-view.ts';
import { degreeWeight } from '../model/weights.ts';

/** What each use between two symbols is in the graph, in the order of USE_CODES. */
const RELATION_OF_USE: Record<(typeof USE_CODES)[number], Relation> = {
  call: 'calls',
  test: 'calls',
  write: 'writes',
  read: 'reads',
  implements: 'implements',
  type: 'references',
  import: 'imports',
  export: 'references',
};

/** Bits of relations by bits of uses. */
const MASK_OF_USES = Uint16Array.from({ length: EXACT_BIT }, (_, uses) =>
  USE_CODES.reduce((bits, use, code) => ((uses >> code) & 1 ? bits | relationMask([RELATION_OF_USE[use]]) : bits), 0),
);

const CONTAINS = packSays(relationMask(['contains']), 'stated');
const TESTS = relationMask(['tests']);

/** What files that only pass on what others define weigh more. */
const BARREL_WEIGHT = 4;

/** Reads all edges of a shard: about a second for 1.5 million. */
export function readAdjacency(db: ShardDatabase, _question: object): Adjacency {
  const view = graphView(db);
  const { symbols, files, graph } = view;
  const nodes = symbols + files + graph.nodes.length;
  const edges = new EdgeGatherer();
  addContained(db, view, edges);
  addSymbolEdges(db, edges);
  addMethodSets(db, edges);
  addFileEdges(db, view, edges);
  for (const { from, to, relation, grade } of graph.edges)
    edges.add(from, to, packSays(relationMask([relation]), grade));
  const [leaving, reaching] = [edges.leaving(nodes), edges.reaching(nodes)];
  const [kinds, commonness] = [sharedBytes(nodes), sharedBytes(nodes)];
  const barrels = barrelFlags(db);
  for (let node = 0; node < nodes; node += 1) {
    kinds[node] = NODE_KINDS.indexOf(kindOf(db, view, node));
    const isDerived = node >= symbols + files;
    const barrel = barrels[node - symbols] === 1 ? BARREL_WEIGHT : 0;
    const used = isDerived ? countAt(reaching, node) + countAt(leaving, node) : usesAt(reaching, node);
    commonness[node] = degreeWeight(used) + barrel;
  }
  return { symbols, files, kinds, commonness, leaving, reaching };
}

/** How many edges come to a node but those of tests: what many tests use is not common for that. */
function usesAt({ starts, says }: EdgeList, node: NodeNumber): number {
  let count = 0;
  for (let edge = starts[node] ?? 0; edge < (starts[node + 1] ?? 0); edge += 1)
    if (strongestOf(says[edge] ?? 0, TESTS) === -1) count += 1;
  return count;
}

function sharedBytes(length: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/** Each symbol in the one around it, or in its file. */
function addContained(db: ShardDatabase, { symbols }: GraphView, edges: EdgeGatherer): void {
  const rows = db.prepare('select coalesce(parent, -1) as parent from symbol order by id').iterate();
  const starts = firstSymbols(db);
  let [symbol, file] = [0, 0];
  for (const { parent } of rows as Iterable<{ parent: number }>) {
    while ((starts[file + 1] ?? Infinity) <= symbol) file += 1;
    edges.add(parent === -1 ? symbols + file : parent, symbol, CONTAINS);
    symbol += 1;
  }
}

function addSymbolEdges(db: ShardDatabase, edges: EdgeGatherer): void {
  const kinds = dense(db, 'symbol_kind');
  const rows = db.prepare('select symbol, refers, extends as above from edge').iterate();
  for (const row of rows as Iterable<{ symbol: number; refers: Uint8Array | null; above: Uint8Array | null }>) {
    for (const above of unpackIds(row.above))
      edges.add(row.symbol, above, packSays(relationMask([heritageOf(kinds, row.symbol, above)]), 'resolved'));
    addUses(db, { node: row.symbol, file: fileOfSymbol(db, row.symbol), refers: row.refers }, edges);
  }
}

/** Types that implement an interface without saying so, because they have its methods. */
function addMethodSets(db: ShardDatabase, edges: EdgeGatherer): void {
  const sets = methodSets(db);
  for (const wanted of sets.interfaces)
    for (const { type, grade } of sets.satisfying(wanted))
      edges.add(type, wanted, packSays(relationMask(['implements']), grade));
}

/** Who extends a promise without a body implements it; for the graph, who extends a class does so too. */
function heritageOf(kinds: Uint8Array, below: number, above: number): Relation {
  const relation = heritage(SYMBOL_KINDS[kinds[below] ?? -1], SYMBOL_KINDS[kinds[above] ?? -1]);
  return relation === 'implements' || relation === 'extends' ? 'implements' : 'references';
}

/** What a symbol, or the code of a file outside symbols, uses. What tests use of other code they test. */
function addUses(
  db: ShardDatabase,
  { node, file, refers }: { node: NodeNumber; file: number; refers: Uint8Array | null },
  edges: EdgeGatherer,
): void {
  const isTest = testFlags(db);
  for (const { target, uses } of unpackReferences(refers)) {
    const isTesting = isTest[file] === 1 && isTest[fileOfSymbol(db, target)] !== 1;
    const relations = isTesting ? TESTS : (MASK_OF_USES[uses & (EXACT_BIT - 1)] ?? 0);
    edges.add(node, target, packSays(relations, (uses & EXACT_BIT) === 0 ? 'resolved' : 'exact'));
  }
}

const CALLS = CODE_RELATIONS.indexOf('calls');
const IMPORTS = CODE_RELATIONS.indexOf('imports');

/** A test that depends on code tests it; other files import it, or use it without an import. */
function addFileEdges(db: ShardDatabase, { symbols }: GraphView, edges: EdgeGatherer): void {
  const isTest = testFlags(db);
  const rows = db.prepare('select file, refers, depends from file_edge').iterate();
  for (const row of rows as Iterable<{ file: number; refers: Uint8Array | null; depends: Uint8Array | null }>) {
    for (const { target, uses } of unpackReferences(row.depends)) {
      const kind = uses & (1 << IMPORTS) ? 'imports' : uses & (1 << CALLS) ? 'calls' : 'references';
      const relation = isTest[row.file] === 1 && isTest[target] !== 1 ? 'tests' : kind;
      const grade = (uses & EXACT_BIT) === 0 ? 'resolved' : 'exact';
      edges.add(symbols + row.file, symbols + target, packSays(relationMask([relation]), grade));
    }
    addUses(db, { node: symbols + row.file, file: row.file, refers: row.refers }, edges);
  }
}

function barrelFlags(db: ShardDatabase): Uint8Array {
  const rows = db.prepare('select path from file order by id').all() as { path: string }[];
  return Uint8Array.from(rows, ({ path }) => Number(isBarrel(path)));
}
