import type { UseEntry } from '../../code-index/format/store-codec.ts';
import { fileOfSymbol, pathOf, usesOf } from '../../code/reading/reading.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type NodeNumber, RELATIONS, relationCode } from '../model/model.ts';
import { type GraphView, graphView } from './graph-view.ts';

const CONTAINS = relationCode('contains');

/** An edge that an answer shows. */
interface ShownEdge {
  from: NodeNumber;
  to: NodeNumber;
  /** Index in RELATIONS. */
  relation: number;
}

/**
 * Returns the location of each edge: `path:line` of the first use, the source of a derived edge, else the path of the file; ''
 * for one that does not exist. In their order.
 */
export function edgeSources(db: ShardDatabase, { edges }: { edges: readonly ShownEdge[] }): string[] {
  const view = graphView(db);
  const usesBySymbol = new Map<NodeNumber, UseEntry[]>();
  const uses = (symbol: NodeNumber): UseEntry[] => {
    const entries = usesBySymbol.get(symbol) ?? usesOf(db, symbol);
    usesBySymbol.set(symbol, entries);
    return entries;
  };
  return edges.map((edge) => derivedSource(view, edge) ?? placeOfUse(db, view, { ...edge, uses }));
}

function derivedSource({ graph, leaving }: GraphView, { from, to, relation }: ShownEdge): string | undefined {
  const edgeIndex = (leaving.get(from) ?? []).find((index) => {
    const edge = graph.edges[index];
    return edge?.to === to && edge.relation === RELATIONS[relation];
  });
  return edgeIndex === undefined ? undefined : graph.edges[edgeIndex]?.source;
}

function placeOfUse(
  db: ShardDatabase,
  view: GraphView,
  { from, to, relation, uses }: ShownEdge & { uses: (symbol: NodeNumber) => UseEntry[] },
): string {
  const derived = view.symbols + view.files;
  if (from >= derived || to >= derived) return '';
  const file = from < view.symbols ? fileOfSymbol(db, from) : from - view.symbols;
  const path = pathOf(db, file);
  if (to >= view.symbols) return path;
  if (relation === CONTAINS) return `${path}:${lineOf(db, to)}`;
  const enclosing = from < view.symbols ? from : -1;
  const use = uses(to).find((entry) => entry.file === file && entry.enclosing === enclosing);
  return `${path}:${use?.line ?? (from < view.symbols ? lineOf(db, from) : 1)}`;
}

function lineOf(db: ShardDatabase, symbol: number): number {
  return (db.prepare('select line from symbol where id = ?').get(symbol) as { line: number } | undefined)?.line ?? 1;
}
