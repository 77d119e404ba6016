import { unpackReferences } from '../../code-index/format/store-codec.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { pathOf } from '../../code/reading/reading.ts';
import { type EdgeColumns, EDGE_GRADES, type NodeNumber, RELATIONS, type Relation } from '../model/model.ts';
import { type GraphView, graphView } from './graph-view.ts';
import { type EdgeQuestion, edgesOf } from './store-edges.ts';

/** Edges with what it costs to pass each: the less, the more it tells. */
export interface WeightedEdges extends EdgeColumns {
  /** From 1. */
  weight: number[];
}

/** What says little about why two things belong together costs more. */
const RELATION_WEIGHTS: Partial<Record<Relation, number>> = { contains: 2, imports: 2, references: 2, mentions: 2 };
const NAME_WEIGHT = 3;

/** A node with this many edges costs nothing more; each doubling costs one. */
const FREE_DEGREE = 8;
/** Files that only pass on what others define. */
const BARREL = /(?:^|\/)(?:index\.[cm]?[jt]sx?|__init__\.py|mod\.rs|lib\.rs)$/;
const BARREL_WEIGHT = 4;

/** The edges of some nodes, weighed by relation, grade and how common their far end is. */
export function weightedEdges(db: ShardDatabase, question: EdgeQuestion): WeightedEdges {
  const columns = edgesOf(db, question);
  const view = graphView(db);
  const asked = new Set(question.nodes);
  const known = new Map<NodeNumber, number>();
  const weight = columns.from.map((from, at) => {
    const to = columns.to[at] ?? from;
    const far = asked.has(from) ? to : from;
    let cost = known.get(far);
    if (cost === undefined) known.set(far, (cost = commonness(db, view, far)));
    return edgeWeight(columns.relation[at] ?? 0, columns.grade[at] ?? 0) + cost;
  });
  return { ...columns, weight };
}

/** What passing an edge costs, wherever it leads. */
export function edgeWeight(relation: number, grade: number): number {
  const own = RELATION_WEIGHTS[RELATIONS[relation] ?? 'references'] ?? 1;
  return own + (EDGE_GRADES[grade] === 'name' ? NAME_WEIGHT : 0);
}

/** What it costs to come to a node that much else comes to. */
export function degreeWeight(degree: number): number {
  return degree <= FREE_DEGREE ? 0 : Math.ceil(Math.log2(degree / FREE_DEGREE));
}

function commonness(db: ShardDatabase, view: GraphView, node: NodeNumber): number {
  if (node < view.symbols) return degreeWeight(db.derived('graph_refs', () => symbolReferences(db, view))[node] ?? 0);
  const file = node - view.symbols;
  if (file < view.files) {
    const barrel = BARREL.test(pathOf(db, file)) ? BARREL_WEIGHT : 0;
    return degreeWeight(db.derived('graph_importers', () => importers(db, view))[file] ?? 0) + barrel;
  }
  return degreeWeight((view.leaving.get(node)?.length ?? 0) + (view.reaching.get(node)?.length ?? 0));
}

function symbolReferences(db: ShardDatabase, { symbols }: GraphView): Int32Array {
  const refs = new Int32Array(symbols);
  for (const row of db.prepare('select symbol, refs from usage').iterate() as Iterable<{
    symbol: number;
    refs: number;
  }>)
    refs[row.symbol] = row.refs;
  return refs;
}

function importers(db: ShardDatabase, { files }: GraphView): Int32Array {
  const counts = new Int32Array(files);
  const rows = db.prepare('select file, depended_by as users from file_edge where depended_by is not null').iterate();
  for (const { file, users } of rows as Iterable<{ file: number; users: Uint8Array }>)
    counts[file] = unpackReferences(users).length;
  return counts;
}
