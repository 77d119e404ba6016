import { RELATIONS as CODE_RELATIONS, heritage } from '../../code-index/format/relations.ts';
import { EXACT_BIT, USE_CODES } from '../../code-index/format/shard-input.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { forEachReference, unpackIds } from '../../code-index/format/store-codec.ts';
import { haveSameSignatures, methodSets } from '../../code/heritage/heritage.ts';
import { dense, fileOfSymbol, firstSymbols, testFlags } from '../../code/reading/reading.ts';
import { storedBytes, type StoredValue, takeStored } from '../../code/stored/stored.ts';
import { isBarrel } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { NODE_KINDS, type NodeNumber, type Relation } from '../model/model.ts';
import {
  type Adjacency,
  type CodeAdjacency,
  countAt,
  EdgeGatherer,
  packSays,
  relationMask,
  strongestOf,
  visitEdgesAt,
} from '../model/adjacency.ts';
import { packAdjacency, shared, sharedBytes, shareLists, unpackAdjacency } from './packed-adjacency.ts';
import { fileKind, graphView } from './graph-view.ts';
import { degreeWeight } from '../model/weights.ts';

/** Relation of each use between two symbols in the graph, in the order of USE_CODES. */
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

/** Additional weight of files that only pass on what others define. */
const BARREL_WEIGHT = 4;

/** Edges of symbols and files, computed with the index: about a second for 1.5 million. */
export const CODE_ADJACENCY: StoredValue<CodeAdjacency> = {
  name: 'adjacency',
  compute: (db) => gatherCode(db, true),
  inputs: {
    columns: {
      file: ['path', 'language', 'test'],
      name: ['text'],
      symbol: ['file', 'name', 'qualified', 'kind', 'parent', 'signature'],
      edge: ['refers', 'extends'],
      file_edge: ['refers', 'depends'],
    },
    isSameText: haveSameSignatures,
  },
  pack: packAdjacency,
  unpack: unpackAdjacency,
};

/** The same without the edges of symbols but for what contains them: what is left of a graph that is too large to be held. */
export const FILE_ADJACENCY: StoredValue<CodeAdjacency> = {
  ...CODE_ADJACENCY,
  name: 'adjacency_of_files',
  compute: (db) => gatherCode(db, false),
};

/**
 * The edges of a shard in memory that threads share. When they take more than `mostBytes`, those of symbols are left out.
 */
export function readAdjacency(db: ShardDatabase, { mostBytes }: { mostBytes: number }): Adjacency {
  const isPartial = storedBytes(db, CODE_ADJACENCY.name) > mostBytes;
  const code = takeStored(db, isPartial ? FILE_ADJACENCY : CODE_ADJACENCY);
  const { graph } = graphView(db);
  const [own, nodes] = [code.symbols + code.files, code.symbols + code.files + graph.nodes.length];
  const edges = new EdgeGatherer(code.says);
  for (const { from, to, relation, grade } of graph.edges)
    edges.add(from, to, packSays(relationMask([relation]), grade));
  const [kinds, commonness] = [sharedBytes(nodes), sharedBytes(nodes)];
  kinds.set(code.kinds);
  commonness.set(code.commonness);
  const adjacency: Adjacency = {
    symbols: code.symbols,
    files: code.files,
    kinds,
    commonness,
    says: shared(edges.says(), Uint16Array),
    code: shareLists(code),
    derived: shareLists(edges.lists(nodes)),
    isPartial,
  };
  for (const [index, { kind }] of graph.nodes.entries()) kinds[own + index] = NODE_KINDS.indexOf(kind);
  weighDerived(db, adjacency);
  return adjacency;
}

/** Weighs nodes by the edges that the graph adds to them. */
function weighDerived(db: ShardDatabase, adjacency: Adjacency): void {
  const { symbols, files, kinds, commonness, derived } = adjacency;
  const barrels = barrelFlags(db);
  for (let node = 0; node < kinds.length; node += 1) {
    const reached = countAt(derived.reaching, node);
    if (node >= symbols + files) commonness[node] = degreeWeight(reached + countAt(derived.leaving, node));
    else if (reached > 0)
      commonness[node] = degreeWeight(usesAt(adjacency, node)) + barrelWeight(barrels, node - symbols);
  }
}

function gatherCode(db: ShardDatabase, withSymbols: boolean): CodeAdjacency {
  const [symbols, files] = [dense(db, 'symbol_kind').length, testFlags(db).length];
  const edges = new EdgeGatherer();
  addContained(db, symbols, edges);
  if (withSymbols) {
    addSymbolEdges(db, edges);
    addMethodSets(db, edges);
  }
  addFileEdges(db, { symbols, withSymbols }, edges);
  const lists = edges.lists(symbols + files);
  const code = {
    symbols,
    files,
    says: edges.says(),
    kinds: kindsOf(db, symbols + files, symbols),
    commonness: new Uint8Array(symbols + files),
    ...lists,
  };
  const barrels = barrelFlags(db);
  const none = new EdgeGatherer().lists(0);
  const adjacency: Adjacency = { ...code, code: lists, derived: none, isPartial: false };
  for (let node = 0; node < symbols + files; node += 1)
    code.commonness[node] = degreeWeight(usesAt(adjacency, node)) + barrelWeight(barrels, node - symbols);
  return code;
}

function kindsOf(db: ShardDatabase, nodes: number, symbols: number): Uint8Array {
  const kinds = new Uint8Array(nodes).fill(NODE_KINDS.indexOf('symbol'));
  for (let file = 0; file < nodes - symbols; file += 1) kinds[symbols + file] = NODE_KINDS.indexOf(fileKind(db, file));
  return kinds;
}

function barrelWeight(barrels: Uint8Array, file: number): number {
  return barrels[file] === 1 ? BARREL_WEIGHT : 0;
}

/** Counts the edges to a node but those of tests: what many tests use is not common for that. */
function usesAt(adjacency: Adjacency, node: NodeNumber): number {
  let count = 0;
  visitEdgesAt(adjacency, [node, 'reaching'], (_, says) => {
    if (strongestOf(says, TESTS) === -1) count += 1;
  });
  return count;
}

/** Each symbol in the one around it, or in its file. */
function addContained(db: ShardDatabase, symbols: number, edges: EdgeGatherer): void {
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
  for (const methodSet of sets.interfaces)
    for (const { type, grade } of sets.satisfying(methodSet))
      edges.add(type, methodSet, packSays(relationMask(['implements']), grade));
}

/**
 * Returns the relation of a subtype to its supertype: a type that extends a promise without a body implements it; for the
 * graph, one that extends a class does so too.
 */
function heritageOf(kinds: Uint8Array, below: number, above: number): Relation {
  const relation = heritage(SYMBOL_KINDS[kinds[below] ?? -1], SYMBOL_KINDS[kinds[above] ?? -1]);
  return relation === 'implements' || relation === 'extends' ? 'implements' : 'references';
}

/** Adds the uses by a symbol, or by the code of a file outside symbols. Other code that tests use is tested by them. */
function addUses(
  db: ShardDatabase,
  { node, file, refers }: { node: NodeNumber; file: number; refers: Uint8Array | null },
  edges: EdgeGatherer,
): void {
  const isTest = testFlags(db);
  const ofTest = isTest[file] === 1;
  forEachReference(refers, (target, uses) => {
    const isTesting = ofTest && isTest[fileOfSymbol(db, target)] !== 1;
    const relations = isTesting ? TESTS : (MASK_OF_USES[uses & (EXACT_BIT - 1)] ?? 0);
    edges.add(node, target, packSays(relations, (uses & EXACT_BIT) === 0 ? 'resolved' : 'exact'));
  });
}

const CALLS = CODE_RELATIONS.indexOf('calls');
const IMPORTS = CODE_RELATIONS.indexOf('imports');

/** A test that depends on code tests it; other files import it, or use it without an import. */
function addFileEdges(
  db: ShardDatabase,
  { symbols, withSymbols }: { symbols: number; withSymbols: boolean },
  edges: EdgeGatherer,
): void {
  const isTest = testFlags(db);
  const rows = db.prepare('select file, refers, depends from file_edge').iterate();
  for (const row of rows as Iterable<{ file: number; refers: Uint8Array | null; depends: Uint8Array | null }>) {
    forEachReference(row.depends, (target, uses) => {
      const kind = uses & (1 << IMPORTS) ? 'imports' : uses & (1 << CALLS) ? 'calls' : 'references';
      const relation = isTest[row.file] === 1 && isTest[target] !== 1 ? 'tests' : kind;
      const grade = (uses & EXACT_BIT) === 0 ? 'resolved' : 'exact';
      edges.add(symbols + row.file, symbols + target, packSays(relationMask([relation]), grade));
    });
    if (withSymbols) addUses(db, { node: symbols + row.file, file: row.file, refers: row.refers }, edges);
  }
}

function barrelFlags(db: ShardDatabase): Uint8Array {
  const flags = new Uint8Array(testFlags(db).length);
  const rows = db.prepare('select id, path from file').iterate() as Iterable<{ id: number; path: string }>;
  for (const { id, path } of rows) flags[id] = Number(isBarrel(path));
  return flags;
}
