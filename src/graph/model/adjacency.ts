import { EDGE_GRADES, type EdgeGrade, type NodeNumber, RELATIONS, type Relation } from './model.ts';

/** Edges by the node at one end: those of node `n` stand from `starts[n]` up to `starts[n + 1]`. */
export interface EdgeList {
  starts: Int32Array;
  /** The node at the other end of each. */
  ends: Int32Array;
  /** A bit for each relation that it is, and its grade above them. */
  says: Uint16Array;
}

/**
 * All edges of a repository as columns in memory that threads share, so that a walk costs no question: 12 bytes an edge, 10 a
 * node. Made once a shard.
 */
export interface Adjacency {
  /** How many symbols and files there are; derived nodes follow. */
  symbols: number;
  files: number;
  /** Index in NODE_KINDS by node. */
  kinds: Uint8Array;
  /** What it costs to come to each node because much else comes to it. */
  commonness: Uint8Array;
  leaving: EdgeList;
  reaching: EdgeList;
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

/** Index in RELATIONS of the first of the wanted ones that an edge is; -1 when it is none of them. */
export function strongestOf(says: number, wanted: number): number {
  const bits = says & wanted;
  return 31 - Math.clz32(bits & -bits);
}

/** How many edges a node has, both ways. */
export function degreeOf({ leaving, reaching }: Adjacency, node: NodeNumber): number {
  return countAt(leaving, node) + countAt(reaching, node);
}

export function countAt({ starts }: EdgeList, node: NodeNumber): number {
  return (starts[node + 1] ?? 0) - (starts[node] ?? 0);
}

/** What an adjacency takes in memory. */
export function adjacencyBytes({ kinds, commonness, leaving, reaching }: Adjacency): number {
  const columns = [kinds, commonness, ...[leaving, reaching].flatMap((list) => [list.starts, list.ends, list.says])];
  return columns.reduce((sum, column) => sum + column.byteLength, 0);
}

/** Gathers edges in any order, then sorts them by either end. */
export class EdgeGatherer {
  #from = new Int32Array(1_024);
  #to = new Int32Array(1_024);
  #says = new Uint16Array(1_024);
  #count = 0;

  add(from: NodeNumber, to: NodeNumber, says: number): void {
    if (from === to) return;
    if (this.#count === this.#from.length) this.#grow();
    this.#from[this.#count] = from;
    this.#to[this.#count] = to;
    this.#says[this.#count] = says;
    this.#count += 1;
  }

  /** The edges by the node that they leave; of one node in the order in which they were added. */
  leaving(nodes: number): EdgeList {
    return this.#sorted(nodes, this.#from, this.#to);
  }

  reaching(nodes: number): EdgeList {
    return this.#sorted(nodes, this.#to, this.#from);
  }

  #sorted(nodes: number, near: Int32Array, far: Int32Array): EdgeList {
    const starts = sharedInt32(nodes + 1);
    for (let at = 0; at < this.#count; at += 1) {
      const place = (near[at] ?? 0) + 1;
      starts[place] = (starts[place] ?? 0) + 1;
    }
    for (let node = 0; node < nodes; node += 1) starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
    const next = starts.slice();
    const ends = sharedInt32(this.#count);
    const says = new Uint16Array(new SharedArrayBuffer(this.#count * 2));
    for (let at = 0; at < this.#count; at += 1) {
      const node = near[at] ?? 0;
      const place = next[node] ?? 0;
      next[node] = place + 1;
      ends[place] = far[at] ?? 0;
      says[place] = this.#says[at] ?? 0;
    }
    return { starts, ends, says };
  }

  #grow(): void {
    const length = this.#count * 2;
    this.#from = growColumn(this.#from, new Int32Array(length));
    this.#to = growColumn(this.#to, new Int32Array(length));
    this.#says = growColumn(this.#says, new Uint16Array(length));
  }
}

function sharedInt32(length: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(length * 4));
}

function growColumn<Column extends Int32Array | Uint16Array>(column: Column, empty: Column): Column {
  empty.set(column);
  return empty;
}
