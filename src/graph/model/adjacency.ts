import { VarintReader, VarintWriter } from '../../kernel/varints.ts';
import { IntList } from '../../kernel/int-list.ts';
import { EDGE_GRADES, type EdgeGrade, type NodeNumber, RELATIONS, type Relation } from './model.ts';

/**
 * Edges by the node at one end, packed: those of node `n` are the bytes from `starts[n]` up to `starts[n + 1]`, for each
 * edge the distance of its other end from that of the edge before (of the first, from the node), then the place of what it
 * says in `Adjacency.says`. Some five bytes for an edge and both its ends.
 */
export interface EdgeList {
  starts: Int32Array;
  bytes: Uint8Array;
}

/** Edges by the node that they leave, and by the one that they reach. */
export interface EdgeLists {
  leaving: EdgeList;
  reaching: EdgeList;
}

/** The edges of symbols and files, as the index holds them. */
export interface CodeAdjacency extends EdgeLists {
  symbols: number;
  files: number;
  /** Index in NODE_KINDS by node. */
  kinds: Uint8Array;
  /** Cost of reaching each node that has many other edges to it. */
  commonness: Uint8Array;
  /** Relations and grade of each edge: a bit for each relation, and the grade above them. */
  says: Uint16Array;
}

/**
 * All edges of a repository in memory that threads share, so that a walk costs no question. `code` has those of symbols
 * and files; derived nodes follow these, with edges of their own.
 */
export interface Adjacency extends Pick<CodeAdjacency, 'symbols' | 'files' | 'kinds' | 'commonness' | 'says'> {
  code: EdgeLists;
  derived: EdgeLists;
  /** True if edges of symbols are omitted, because all together exceed the memory for edges. */
  isPartial: boolean;
}

/** Bits of all relations. */
const ALL = (1 << RELATIONS.length) - 1;

/** Relations as bits; all when absent or empty. */
export function relationMask(relations: readonly Relation[] | undefined): number {
  if (relations === undefined || relations.length === 0) return ALL;
  return relations.reduce((bits, relation) => bits | (1 << RELATIONS.indexOf(relation)), 0);
}

/** An edge in the form of `EdgeList.says`. */
export function packSays(relations: number, grade: EdgeGrade): number {
  return relations | (EDGE_GRADES.indexOf(grade) << RELATIONS.length);
}

/** Index in EDGE_GRADES. */
export function gradeOf(says: number): number {
  return says >> RELATIONS.length;
}

/** Index in RELATIONS of the first of the masked ones that an edge is; -1 when it is none of them. */
export function strongestOf(says: number, mask: number): number {
  const bits = says & mask;
  return 31 - Math.clz32(bits & -bits);
}

/** Visits the edges of a list at a node, in the order in which they were added; `says` is the place of what an edge says. */
function forEachEdge(
  { starts, bytes }: EdgeList,
  node: NodeNumber,
  visit: (end: NodeNumber, says: number) => void,
): void {
  const from = starts[node] ?? 0;
  const end = starts[node + 1] ?? from;
  if (from === end) return;
  const reader = new VarintReader(bytes, from, end);
  let other = node;
  while (reader.more) {
    const distance = reader.next();
    other += (distance >>> 1) ^ -(distance & 1);
    visit(other, reader.next());
  }
}

/** Visits all edges at a node, those of the code first. */
export function visitEdgesAt(
  { code, derived, says }: Adjacency,
  [node, side]: readonly [NodeNumber, keyof EdgeLists],
  visit: (end: NodeNumber, says: number) => void,
): void {
  const tell = (end: NodeNumber, place: number): void => visit(end, says[place] ?? 0);
  forEachEdge(code[side], node, tell);
  forEachEdge(derived[side], node, tell);
}

/** Counts the edges of a node in both directions. */
export function degreeOf({ code, derived }: Adjacency, node: NodeNumber): number {
  return [code.leaving, code.reaching, derived.leaving, derived.reaching].reduce(
    (sum, list) => sum + countAt(list, node),
    0,
  );
}

export function countAt({ starts, bytes }: EdgeList, node: NodeNumber): number {
  let ends = 0;
  // Each number ends with a byte below 128, and an edge is two numbers.
  for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at += 1) if ((bytes[at] ?? 0) < 128) ends += 1;
  return ends / 2;
}

/** Returns the size of an adjacency in memory, in bytes. */
export function adjacencyBytes({ kinds, commonness, says, code, derived }: Adjacency): number {
  const lists = [code.leaving, code.reaching, derived.leaving, derived.reaching];
  const columns = [kinds, commonness, says, ...lists.flatMap(({ starts, bytes }) => [starts, bytes])];
  return columns.reduce((sum, column) => sum + column.byteLength, 0);
}

/** Gathers edges in any order, then sorts them by either end. */
export class EdgeGatherer {
  readonly #from = new IntList();
  readonly #to = new IntList();
  readonly #places = new IntList();
  readonly #says: Map<number, number>;

  /** `says` is what the edges of another list say, when they are to have the same places. */
  constructor(says: Iterable<number> = []) {
    this.#says = new Map(Array.from(says, (value, place) => [value, place]));
  }

  add(from: NodeNumber, to: NodeNumber, says: number): void {
    if (from === to) return;
    let place = this.#says.get(says);
    if (place === undefined) this.#says.set(says, (place = this.#says.size));
    this.#from.push(from);
    this.#to.push(to);
    this.#places.push(place);
  }

  /** Returns relations and grade of the edges, by place. */
  says(): Uint16Array {
    return Uint16Array.from(this.#says.keys());
  }

  lists(nodes: number): EdgeLists {
    const [from, to] = [this.#from.values(), this.#to.values()];
    return { leaving: this.#sorted(nodes, from, to), reaching: this.#sorted(nodes, to, from) };
  }

  #sorted(nodes: number, near: Int32Array, far: Int32Array): EdgeList {
    const order = orderByNode(nodes, near);
    const starts = new Int32Array(nodes + 1);
    const out = new VarintWriter(near.length * 2 + 1);
    let at = 0;
    for (let node = 0; node < nodes; node += 1) {
      let before = node;
      for (; at < order.length && near[order[at] ?? 0] === node; at += 1) {
        const edge = order[at] ?? 0;
        const distance = (far[edge] ?? 0) - before;
        out.push(((distance << 1) ^ (distance >> 31)) >>> 0);
        out.push(this.#places.at(edge));
        before = far[edge] ?? 0;
      }
      starts[node + 1] = out.length;
    }
    return { starts, bytes: out.bytes().slice() };
  }
}

/** Places of edges by their node; of one node in the order in which they were added. */
function orderByNode(nodes: number, near: Int32Array): Int32Array {
  const next = new Int32Array(nodes + 1);
  for (const node of near) next[node + 1] = (next[node + 1] ?? 0) + 1;
  for (let node = 0; node < nodes; node += 1) next[node + 1] = (next[node + 1] ?? 0) + (next[node] ?? 0);
  const order = new Int32Array(near.length);
  for (const [edge, node] of near.entries()) {
    const place = next[node] ?? 0;
    order[place] = edge;
    next[node] = place + 1;
  }
  return order;
}
