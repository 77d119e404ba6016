import type { NodeKind, Relation } from './model/model.ts';

/** A node of a product: a number that `GraphReader` gives. */
export type NodeKey = number;

/** An edge as it is followed. */
export interface FollowedEdge {
  from: NodeKey;
  to: NodeKey;
  /** Index in RELATIONS and in EDGE_GRADES. */
  relation: number;
  grade: number;
  /** What it costs to pass it, from 1; 1 where nobody asked. */
  weight: number;
}

export type Direction = 'in' | 'out' | 'both';

export interface Following {
  direction: Direction;
  relations?: readonly Relation[] | undefined;
}

/** What a walk asks. Answers hold the edges of all the nodes in no promised order. */
export interface EdgeReader {
  edges: (nodes: readonly NodeKey[], following: Following) => Promise<{ edges: FollowedEdge[]; isCut: boolean }>;
  kinds: (nodes: readonly NodeKey[]) => Promise<NodeKind[]>;
}

/** A node that a walk has come to. */
export interface Reached {
  node: NodeKey;
  hop: number;
  edge: FollowedEdge;
  direction: 'in' | 'out';
}

/** Nodes that a walk goes on from; then it stops and says so. */
const MOST_REACHED = 20_000;

/** What lies around a node, nearest first: each node once, by the edge that led to it first. */
export async function neighborsOf(
  reader: EdgeReader,
  start: NodeKey,
  { depth, ...following }: Following & { depth: number },
): Promise<{ reached: Reached[]; isCut: boolean }> {
  const seen = new Set<NodeKey>([start]);
  const reached: Reached[] = [];
  let frontier: NodeKey[] = [start];
  let isCut = false;
  for (let hop = 1; hop <= depth && frontier.length > 0; hop += 1) {
    const asked = new Set(frontier);
    const found = await reader.edges(frontier, following);
    isCut ||= found.isCut;
    const next: NodeKey[] = [];
    for (const edge of found.edges.toSorted(byStrength)) {
      for (const direction of ['out', 'in'] as const) {
        const [near, far] = direction === 'out' ? [edge.from, edge.to] : [edge.to, edge.from];
        if (!asked.has(near) || seen.has(far) || !allows(following.direction, direction)) continue;
        seen.add(far);
        reached.push({ node: far, hop, edge, direction });
        next.push(far);
      }
    }
    if (reached.length >= MOST_REACHED) return { reached: reached.slice(0, MOST_REACHED), isCut: true };
    frontier = next;
  }
  return { reached, isCut };
}

function allows(wanted: Direction, direction: 'in' | 'out'): boolean {
  return wanted === 'both' || wanted === direction;
}

/** Relations in their order, the surer first, then by place. */
function byStrength(a: FollowedEdge, b: FollowedEdge): number {
  return a.relation - b.relation || a.grade - b.grade || a.from - b.from || a.to - b.to;
}
