import type { Direction, EdgeReader, Following, NodeKey, PassedEdge } from './traverse.ts';

/** A way between two nodes. */
interface Path {
  /** From the start to the end. */
  nodes: NodeKey[];
  /** One fewer than the nodes, in their order; an edge may be passed against its direction. */
  edges: PassedEdge[];
  cost: number;
}

/** Most paths that are reported. */
const MOST_PATHS = 3;
/** A path that costs this much more than the best is not shown. */
const MOST_EXTRA_COST = 4;
/** Nodes whose edges are read; then the search stops and says so. */
const MOST_EXPANDED = 4_000;
/**
 * Up to three of the cheapest ways between two nodes, cheapest first, that differ in a node between: a search from both ends that
 * takes the cheapest nodes first. `isCut` when it stopped before it could know that there is no better one.
 */
export function shortestPaths(
  reader: EdgeReader,
  [start, end]: readonly [NodeKey, NodeKey],
  { direction, mask }: Following,
): { paths: Path[]; isCut: boolean } {
  if (start === end) return { paths: [{ nodes: [start], edges: [], cost: 0 }], isCut: false };
  const sides = [new Side(start, direction), new Side(end, opposite(direction))] as const;
  const meetings = new Map<NodeKey, number>();
  let best = Infinity;
  for (let expanded = 0; ; expanded += 1) {
    const bound = sides[0].nearest + sides[1].nearest;
    if (bound === Infinity || bound > best + MOST_EXTRA_COST) break;
    if (expanded >= MOST_EXPANDED) return { paths: differentPaths(sides, meetings), isCut: true };
    // The side with fewer nodes to go on from grows more slowly.
    const [side, other] = sides[0].waiting <= sides[1].waiting ? sides : [sides[1], sides[0]];
    const node = side.take();
    reader.visitEdges(node, { direction: side.direction, mask }, ({ far, isOut, relation, grade, weight }) => {
      const [from, to] = isOut ? [node, far] : [far, node];
      const cost = side.reach(node, far, { from, to, relation, grade, weight });
      const rest = cost === undefined ? undefined : other.costTo(far);
      if (cost === undefined || rest === undefined) return;
      meetings.set(far, cost + rest);
      best = Math.min(best, cost + rest);
    });
  }
  return { paths: differentPaths(sides, meetings), isCut: false };
}

function opposite(direction: Direction): Direction {
  return direction === 'both' ? 'both' : direction === 'in' ? 'out' : 'in';
}

/** The search from one end. */
class Side {
  readonly direction: Direction;
  readonly #reached = new Map<NodeKey, { cost: number; edge: PassedEdge | undefined; before: NodeKey | undefined }>();
  /** Nodes to go on from, by cost; some stand there that have become nearer since. */
  readonly #waiting: NodeKey[][] = [];
  #nearest = 0;

  constructor(start: NodeKey, direction: Direction) {
    this.direction = direction;
    this.#reached.set(start, { cost: 0, edge: undefined, before: undefined });
    this.#waiting[0] = [start];
  }

  /** The least cost of a node to go on from; infinite when there is none. */
  get nearest(): number {
    for (; this.#nearest < this.#waiting.length; this.#nearest += 1) {
      const list = this.#waiting[this.#nearest] ?? [];
      while (list.length > 0 && this.costTo(list.at(-1) ?? -1) !== this.#nearest) list.pop();
      if (list.length > 0) return this.#nearest;
    }
    return Infinity;
  }

  /** Number of nodes at the least cost; infinite when there is none. */
  get waiting(): number {
    return this.nearest === Infinity ? Infinity : (this.#waiting[this.#nearest]?.length ?? 0);
  }

  costTo(node: NodeKey): number | undefined {
    return this.#reached.get(node)?.cost;
  }

  /** Takes one of the nearest nodes out; there must be one. */
  take(): NodeKey {
    const node = this.#waiting[this.nearest]?.pop();
    if (node === undefined) throw new Error('This side of the search has no node to go on from.');
    return node;
  }

  /** Comes to a node over an edge of one that was taken; gives its cost when it is nearer now. */
  reach(before: NodeKey, node: NodeKey, edge: PassedEdge & { weight: number }): number | undefined {
    const cost = (this.costTo(before) ?? 0) + edge.weight;
    if (cost >= (this.costTo(node) ?? Infinity)) return undefined;
    this.#reached.set(node, { cost, edge, before });
    (this.#waiting[cost] ??= []).push(node);
    return cost;
  }

  /** From the start of this side to a node. */
  wayTo(node: NodeKey): { nodes: NodeKey[]; edges: PassedEdge[] } {
    const way = { nodes: [node], edges: [] as PassedEdge[] };
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
    if (paths.length === MOST_PATHS || cost > (paths[0]?.cost ?? cost) + MOST_EXTRA_COST) break;
    const [there, back] = [sides[0].wayTo(node), sides[1].wayTo(node)];
    const nodes = [...there.nodes, ...back.nodes.toReversed().slice(1)];
    const between = nodes.slice(1, -1);
    if (new Set(nodes).size < nodes.length) continue;
    // A way that only repeats parts of those before says nothing new.
    if (paths.length > 0 && between.every((inner) => passed.has(inner))) continue;
    for (const inner of between) passed.add(inner);
    paths.push({ nodes, edges: [...there.edges, ...back.edges.toReversed()], cost });
  }
  return paths;
}
