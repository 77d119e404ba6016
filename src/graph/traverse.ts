import { ReachedNodes } from './reached-nodes.ts';

/** A node of a product: a number that `GraphReader` gives. */
export type NodeKey = number;

/** An edge that a walk passed. */
export interface PassedEdge {
  from: NodeKey;
  to: NodeKey;
  /** Index in RELATIONS and in EDGE_GRADES. */
  relation: number;
  grade: number;
}

export type Direction = 'in' | 'out' | 'both';

export interface Following {
  direction: Direction;
  /** Bits of relations. */
  mask: number;
}

/** An edge as a node sees it. */
export interface IncidentEdge {
  /** Its other end, and whether it leads there. */
  far: NodeKey;
  isOut: boolean;
  relation: number;
  grade: number;
  /** Cost of passing it, from 1. */
  weight: number;
}

/**
 * Reader of edges for a walk: it is called thousands of times, so edges are visited one by one and no objects are made of them.
 */
export interface EdgeReader {
  /** Number of nodes: keys are smaller. */
  nodes: number;
  /** Visits the edges of a node that the walk follows, always in the same order. An edge is valid until the next one. */
  visitEdges: (node: NodeKey, following: Following, visit: (edge: IncidentEdge) => void) => void;
  /** Number of edges of a node, whether the walk follows them or not. */
  degree: (node: NodeKey) => number;
  /** Index in NODE_KINDS. */
  kindOf: (node: NodeKey) => number;
}

/** Nodes that a walk reaches and edges that it looks at; then it stops and says so. */
const MOST_REACHED = 20_000;
const MOST_LOOKED_AT = 200_000;
/** Edges of a node beyond which its neighbors have nothing to do with each other: a walk comes to it and goes no further. */
const HUB_DEGREE = 1_000;

interface Neighborhood {
  /** Nearest first. */
  reached: ReachedNodes;
  /** Nodes that the walk came to and did not go on from. */
  hubs: NodeKey[];
  isCut: boolean;
}

/** Returns the neighborhood of a node: each node once, by the strongest edge of its hop. */
export function neighborsOf(
  reader: EdgeReader,
  start: NodeKey,
  { depth, ...following }: Following & { depth: number },
): Neighborhood {
  const reached = new ReachedNodes();
  const hubs: NodeKey[] = [];
  /** Place in `reached`, from 1. */
  const places = new Int32Array(reader.nodes);
  let lookedAt = 0;
  let [near, end, at] = [start, 0, 0];
  const visit = ({ far, isOut, relation, grade }: IncidentEdge): void => {
    lookedAt += 1;
    const place = places[far] ?? 0;
    if (far === start || (place !== 0 && place <= end)) return;
    if (place !== 0) return reached.strengthen(place - 1, { near, far, isOut, relation, grade });
    reached.add({ near, far, isOut, relation, grade }, at);
    places[far] = reached.count;
  };
  for (let [hop, first] = [1, 0]; hop <= depth; hop += 1, first = end) {
    [end, at] = [reached.count, hop];
    // The first hop goes on from the start alone, which was not reached.
    const last = hop === 1 ? 1 : end;
    for (let next = first; next < last; next += 1) {
      if (lookedAt > MOST_LOOKED_AT || reached.count >= MOST_REACHED) {
        reached.cutTo(MOST_REACHED);
        return { reached, hubs, isCut: true };
      }
      near = hop === 1 ? start : reached.nodeAt(next);
      if (hop > 1 && reader.degree(near) > HUB_DEGREE) hubs.push(near);
      else reader.visitEdges(near, following, visit);
    }
  }
  return { reached, hubs, isCut: false };
}
