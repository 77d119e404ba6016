import { addToList } from '../../kernel/lists.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { fileAt, firstSymbols, pathOf, testFlags } from '../../code/reading/reading.ts';
import { isDocument, readGraph, type RepositoryGraph, type StatedLayer } from '../build/build.ts';
import { type GraphNode, type NodeKind, type NodeNumber } from '../model/model.ts';

/** The graph of an open shard, with what questions look up in it. */
export interface GraphView {
  graph: RepositoryGraph;
  /** Number of symbols and of files: the numbers of nodes are symbols, then files, then derived nodes. */
  symbols: number;
  files: number;
  /** Numbers of derived nodes by id. */
  byId: ReadonlyMap<string, NodeNumber>;
  /** Places in `graph.edges` by the node that they leave or reach. */
  leaving: ReadonlyMap<NodeNumber, readonly number[]>;
  reaching: ReadonlyMap<NodeNumber, readonly number[]>;
}

/** Layers that people set for the repository of an open shard, for the current query. */
const layersSet = new WeakMap<ShardDatabase, readonly StatedLayer[]>();

/** Adds the layers that people set to the arguments of a query; absent: those of the code. */
export function withLayers<Args extends object, Result>(
  query: (db: ShardDatabase, args: Args) => Result,
): (db: ShardDatabase, args: Args & { layers?: readonly StatedLayer[] | undefined }) => Result {
  return (db, args) => {
    if (args.layers === undefined) layersSet.delete(db);
    else layersSet.set(db, args.layers);
    return query(db, args);
  };
}

/** Returns the graph with the layers of the current query. One of each kind is cached with the open shard. */
export function graphView(db: ShardDatabase): GraphView {
  const layers = layersSet.get(db);
  if (layers === undefined) return db.derived('graph', () => viewOf(db, readGraph(db)));
  const key = JSON.stringify(layers);
  const cache = db.derived('graph_with_layers', () => ({ key: '', view: undefined as GraphView | undefined }));
  if (cache.view === undefined || cache.key !== key) {
    cache.view = viewOf(db, readGraph(db, layers));
    cache.key = key;
  }
  return cache.view;
}

function viewOf(db: ShardDatabase, graph: RepositoryGraph): GraphView {
  const { symbols } = db.prepare('select count(*) as symbols from symbol').get() as { symbols: number };
  const files = testFlags(db).length;
  const [leaving, reaching] = [new Map<NodeNumber, number[]>(), new Map<NodeNumber, number[]>()];
  for (const [index, { from, to }] of graph.edges.entries()) {
    addToList(leaving, from, index);
    addToList(reaching, to, index);
  }
  const byId = new Map(graph.nodes.map(({ kind, key }, index) => [`${kind}:${key}`, symbols + files + index]));
  return { graph, symbols, files, byId, leaving, reaching };
}

/** The kind of a node alone: what a question keeps or leaves out. */
export function kindOf(db: ShardDatabase, view: GraphView, node: NodeNumber): NodeKind {
  if (node < view.symbols) return 'symbol';
  const file = node - view.symbols;
  if (file < view.files) return fileKind(db, file);
  return view.graph.nodes[file - view.files]?.kind ?? 'component';
}

/** Returns the kind of a file: code, a test or a document. */
export function fileKind(db: ShardDatabase, file: number): NodeKind {
  return fileKinds(db)[file] ?? 'file';
}

function fileKinds(db: ShardDatabase): readonly NodeKind[] {
  return db.derived('graph_file_kinds', () => {
    const isTest = testFlags(db);
    const rows = db.prepare('select language from file order by id').all() as { language: string }[];
    return rows.map((row, file) => (isDocument(row) ? 'document' : isTest[file] === 1 ? 'test' : 'file'));
  });
}

/** Nodes as answers show them, in the order given. */
export function describeNodes(db: ShardDatabase, { nodes }: { nodes: readonly NodeNumber[] }): GraphNode[] {
  const view = graphView(db);
  return nodes.map((node) => describe(db, view, node));
}

function describe(db: ShardDatabase, view: GraphView, node: NodeNumber): GraphNode {
  if (node < view.symbols) return describeSymbol(db, node);
  const file = node - view.symbols;
  if (file < view.files) {
    const path = pathOf(db, file);
    return { id: `file:${path}`, kind: kindOf(db, view, node), name: path, path, line: 1 };
  }
  const derived = view.graph.nodes[file - view.files];
  if (derived === undefined) throw new Error(`The graph has no node ${node}.`);
  const { kind, key, name, path, line } = derived;
  return { id: `${kind}:${key}`, kind, name, ...(path !== '' && { path, line }) };
}

function describeSymbol(db: ShardDatabase, symbol: number): GraphNode {
  const row = db
    .prepare(
      `select f.path, s.qualified || coalesce(s.parameters, '') as qualified, s.line
         from symbol s join file f on f.id = s.file where s.id = ?`,
    )
    .get(symbol) as { path: string; qualified: string; line: number } | undefined;
  if (row === undefined) throw new Error(`The shard has no symbol ${symbol}.`);
  const { path, qualified, line } = row;
  return { id: `sym:${qualified}@${path}`, kind: 'symbol', name: qualified, path, line };
}

/** A file, or a symbol of it, in the words of an anchor. */
interface Place {
  path: string;
  /** `Class/method`; the whole file when absent. */
  symbol?: string | undefined;
}

/** The node of a place, or nothing when it is not in the index. */
export function nodeOfPlace(db: ShardDatabase, { path, symbol }: Place): NodeNumber | undefined {
  const file = fileAt(db, path);
  if (file === undefined) return undefined;
  return symbol === undefined ? graphView(db).symbols + file : symbolIn(db, file, symbol);
}

function symbolIn(db: ShardDatabase, file: number, qualified: string): number | undefined {
  const starts = firstSymbols(db);
  const end = starts[file + 1] ?? graphView(db).symbols;
  const row = db
    .prepare(
      `select id from symbol where id >= ?1 and id < ?2 and (qualified = ?3 or qualified || coalesce(parameters, '') = ?3)
        order by id limit 1`,
    )
    .get(starts[file] ?? 0, end, qualified) as { id: number } | undefined;
  return row?.id;
}
