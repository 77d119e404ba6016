import type { NodeKind } from './model/model.ts';

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
  wanted: number;
}

/** An edge as a node sees it. */
export interface SeenEdge {
  /** Its other end, and whether it leads there. */
  far: NodeKey;
  isOut: boolean;
  relation: number;
  grade: number;
  /** What it costs to pass it, from 1. */
  weight: number;
}

/** What a walk asks: thousands of times, so edges are told one by one and nothing is made of them. */
export interface EdgeReader {
  /** How many nodes there are: keys are smaller. */
  nodes: number;
  /** Tells the edges of a node that are wanted, always in the same order. What is told holds until the next one. */
  visitEdges: (node: NodeKey, following: Following, visit: (edge: SeenEdge) => void) => void;
  /** How many edges a node has, wanted or not. */
  degree: (node: NodeKey) => number;
  kindOf: (node: NodeKey) => NodeKind;
}

/** A node that a walk has come to. */
export interface Reached extends PassedEdge {
  node: NodeKey;
  hop: number;
  direction: 'in' | 'out';
}

/** Nodes that a walk reaches and edges that it looks at; then it stops and says so. */
const MOST_REACHED = 20_000;
const MOST_LOOKED_AT = 200_000;
/** What is linked over a node with more edges than this has nothing to do with each other: a walk comes to it and goes no further. */
const HUB_DEGREE = 1_000;

interface Neighborhood {
  /** Nearest first. */
  reached: Reached[];
  /** Nodes that the walk came to and did not go on from. */
  hubs: NodeKey[];
  isCut: boolean;
}

/** What lies around a node: each node once, by the strongest edge of its hop. */
export function neighborsOf(
  reader: EdgeReader,
  start: NodeKey,
  { depth, ...following }: Following & { depth: number },
): Neighborhood {
  const reached: Reached[] = [];
  const hubs: NodeKey[] = [];
  /** Place in `reached`, from 1. */
  const places = new Int32Array(reader.nodes);
  let [first, lookedAt] = [0, 0];
  for (let hop = 1; hop <= depth; hop += 1) {
    const end = reached.length;
    const frontier = hop === 1 ? [start] : reached.slice(first, end).map(({ node }) => node);
    for (const near of frontier) {
      if (lookedAt > MOST_LOOKED_AT || reached.length >= MOST_REACHED)
        return { reached: reached.slice(0, MOST_REACHED), hubs, isCut: true };
      if (hop > 1 && reader.degree(near) > HUB_DEGREE) {
        hubs.push(near);
        continue;
      }
      reader.visitEdges(near, following, ({ far, isOut, relation, grade }) => {
        lookedAt += 1;
        const place = places[far] ?? 0;
        if (far === start || (place !== 0 && place <= end)) return;
        const edge = { from: isOut ? near : far, to: isOut ? far : near, relation, grade };
        const known = reached[place - 1];
        if (known === undefined) {
          places[far] = reached.length + 1;
          reached.push({ node: far, hop, direction: isOut ? 'out' : 'in', ...edge });
        } else if (isStronger(edge, known)) Object.assign(known, edge, { direction: isOut ? 'out' : 'in' });
      });
    }
    first = end;
  }
  return { reached, hubs, isCut: false };
}

/** Relations in their order, the surer first, then by place. */
function isStronger(a: PassedEdge, b: PassedEdge): boolean {
  return (a.relation - b.relation || a.grade - b.grade || a.from - b.from || a.to - b.to) < 0;
}
