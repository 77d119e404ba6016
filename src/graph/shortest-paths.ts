import type { Direction, EdgeReader, FollowedEdge, Following, NodeKey } from './traverse.ts';

/** A way between two nodes. */
export interface Path {
  /** From the start to the end. */
  nodes: NodeKey[];
  /** One fewer than the nodes, in their order; an edge may be passed against its direction. */
  edges: FollowedEdge[];
  cost: number;
}

/** Ways that are told. */
const MOST_PATHS = 3;
/** A way that costs this much more than the best is not worth reading. */
const WORTH_READING = 4;
/** Nodes whose edges are read; then the search stops and says so. */
const MOST_EXPANDED = 4_000;
/** Nodes whose edges are asked for at once. */
const MOST_AT_ONCE = 500;

/**
 * Up to three of the cheapest ways between two nodes, cheapest first, that differ in a node between: a search from both ends that
 * takes the cheapest nodes first. `isCut` when it stopped before it could know that there is no better one.
 */
export async function shortestPaths(
  reader: EdgeReader,
  [start, end]: readonly [NodeKey, NodeKey],
  following: Following,
): Promise<{ paths: Path[]; isCut: boolean }> {
  if (start === end) return { paths: [{ nodes: [start], edges: [], cost: 0 }], isCut: false };
  const sides = [new Side(start, following.direction), new Side(end, opposite(following.direction))] as const;
  const meetings = new Map<NodeKey, number>();
  let [expanded, isCut] = [0, false];
  for (;;) {
    const bound = sides[0].nearest + sides[1].nearest;
    const known = [...meetings.values()].toSorted((a, b) => a - b);
    const best = known[0] ?? Infinity;
    if (bound === Infinity || bound > best + WORTH_READING) break;
    if (expanded >= MOST_EXPANDED) {
      isCut = true;
      break;
    }
    // The side with fewer nodes to go on from grows more slowly.
    const side = sides[0].waiting <= sides[1].waiting && sides[0].nearest < Infinity ? sides[0] : sides[1];
    const chosen = side.nearest === Infinity ? sides[side === sides[0] ? 1 : 0] : side;
    const nodes = chosen.take(MOST_AT_ONCE);
    expanded += nodes.length;
    const found = await reader.edges(nodes, { ...following, direction: chosen.direction });
    isCut ||= found.isCut;
    const other = chosen === sides[0] ? sides[1] : sides[0];
    for (const node of chosen.follow(nodes, found.edges)) {
      const [here, there] = [chosen.costTo(node), other.costTo(node)];
      if (here !== undefined && there !== undefined) meetings.set(node, here + there);
    }
  }
  return { paths: differentPaths(sides, meetings), isCut };
}

function opposite(direction: Direction): Direction {
  return direction === 'both' ? 'both' : direction === 'in' ? 'out' : 'in';
}

/** The search from one end. */
class Side {
  readonly direction: Direction;
  readonly #reached = new Map<NodeKey, { cost: number; edge: FollowedEdge | undefined; before: NodeKey | undefined }>();
  readonly #settled = new Set<NodeKey>();
  /** Nodes to go on from, by cost. */
  readonly #waiting = new Map<number, NodeKey[]>();

  constructor(start: NodeKey, direction: Direction) {
    this.direction = direction;
    this.#reached.set(start, { cost: 0, edge: undefined, before: undefined });
    this.#waiting.set(0, [start]);
  }

  /** The least cost of a node that nothing was asked about yet; infinite when there is none. */
  get nearest(): number {
    return Math.min(Infinity, ...this.#waiting.keys());
  }

  get waiting(): number {
    return this.#waiting.get(this.nearest)?.length ?? 0;
  }

  costTo(node: NodeKey): number | undefined {
    return this.#reached.get(node)?.cost;
  }

  /** Takes some of the nearest nodes out. */
  take(most: number): NodeKey[] {
    const cost = this.nearest;
    const list = this.#waiting.get(cost) ?? [];
    const taken = list.splice(0, most).filter((node) => !this.#settled.has(node) && this.costTo(node) === cost);
    if (list.length === 0) this.#waiting.delete(cost);
    for (const node of taken) this.#settled.add(node);
    return taken;
  }

  /** Follows edges of nodes that were taken; gives the nodes that are nearer now. */
  follow(taken: readonly NodeKey[], edges: readonly FollowedEdge[]): NodeKey[] {
    const asked = new Set(taken);
    const nearer: NodeKey[] = [];
    for (const edge of edges.toSorted((a, b) => a.weight - b.weight || a.from - b.from || a.to - b.to)) {
      if (asked.has(edge.from) && this.direction !== 'in') nearer.push(...this.#reach(edge.from, edge.to, edge));
      if (asked.has(edge.to) && this.direction !== 'out') nearer.push(...this.#reach(edge.to, edge.from, edge));
    }
    return nearer;
  }

  #reach(before: NodeKey, node: NodeKey, edge: FollowedEdge): NodeKey[] {
    const cost = (this.costTo(before) ?? 0) + edge.weight;
    if (cost >= (this.costTo(node) ?? Infinity)) return [];
    this.#reached.set(node, { cost, edge, before });
    const list = this.#waiting.get(cost);
    if (list === undefined) this.#waiting.set(cost, [node]);
    else list.push(node);
    return [node];
  }

  /** From the start of this side to a node. */
  wayTo(node: NodeKey): { nodes: NodeKey[]; edges: FollowedEdge[] } {
    const way = { nodes: [node], edges: [] as FollowedEdge[] };
    for (let at = this.#reached.get(node); at?.edge !== undefined; at = this.#reached.get(at.before ?? node)) {
      way.edges.unshift(at.edge);
      way.nodes.unshift(at.before ?? node);
    }
    return way;
  }
}

function differentPaths(sides: readonly [Side, Side], meetings: ReadonlyMap<NodeKey, number>): Path[] {
  const order = [...meetings].toSorted((a, b) => a[1] - b[1] || a[0] - b[0]);
  const paths: Path[] = [];
  const passed = new Set<NodeKey>();
  for (const [node, cost] of order) {
    if (paths.length === MOST_PATHS || cost > (paths[0]?.cost ?? cost) + WORTH_READING) break;
    const [there, back] = [sides[0].wayTo(node), sides[1].wayTo(node)];
    const nodes = [...there.nodes, ...back.nodes.toReversed().slice(1)];
    const between = nodes.slice(1, -1);
    if (new Set(nodes).size < nodes.length) continue;
    // A way that only repeats parts of those before says nothing new.
    if (paths.length > 0 && between.every((one) => passed.has(one))) continue;
    for (const one of between) passed.add(one);
    paths.push({ nodes, edges: [...there.edges, ...back.edges.toReversed()], cost });
  }
  return paths;
}
