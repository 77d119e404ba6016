import type { NodeKey, PassedEdge } from './traverse.ts';

/** A node that a walk has come to. */
export interface Reached extends PassedEdge {
  node: NodeKey;
  hop: number;
  direction: 'in' | 'out';
}

/** An edge that a walk passes from one of its nodes. */
interface Step {
  near: NodeKey;
  far: NodeKey;
  isOut: boolean;
  /** Index in RELATIONS and in EDGE_GRADES. */
  relation: number;
  grade: number;
}

const LEAST_ROOM = 1_024;
/** In the bits of an edge: its direction, two bits of its grade, its relation above them. */
const OUT = 1;
const GRADE_SHIFT = 1;
const RELATION_SHIFT = 3;
const GRADES = 3;

/** Nodes that a walk has reached, in the order in which it did: columns, because there are thousands and few are shown. */
export class ReachedNodes {
  #nodes = new Int32Array(LEAST_ROOM);
  #nears = new Int32Array(LEAST_ROOM);
  #edges = new Uint8Array(LEAST_ROOM);
  #hops = new Uint8Array(LEAST_ROOM);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Adds a node by the edge that leads to it. */
  add({ near, far, isOut, relation, grade }: Step, hop: number): void {
    if (this.#count === this.#nodes.length) this.#grow();
    this.#nodes[this.#count] = far;
    this.#nears[this.#count] = near;
    this.#edges[this.#count] = (relation << RELATION_SHIFT) | (grade << GRADE_SHIFT) | (isOut ? OUT : 0);
    this.#hops[this.#count] = hop;
    this.#count += 1;
  }

  /** Takes another edge for the node at a place when it is stronger: relations in their order, the surer first, then by its ends. */
  strengthen(place: number, { near, far, isOut, relation, grade }: Step): void {
    const earlier = (this.#edges[place] ?? 0) >> GRADE_SHIFT;
    const given = (relation << (RELATION_SHIFT - GRADE_SHIFT)) | grade;
    if (given > earlier) return;
    if (given === earlier) {
      const { from, to } = this.at(place);
      const [start, end] = isOut ? [near, far] : [far, near];
      if ((start - from || end - to) >= 0) return;
    }
    this.#nears[place] = near;
    this.#edges[place] = (given << GRADE_SHIFT) | (isOut ? OUT : 0);
  }

  nodeAt(place: number): NodeKey {
    return this.#nodes[place] ?? 0;
  }

  hopAt(place: number): number {
    return this.#hops[place] ?? 0;
  }

  /** Index in RELATIONS. */
  relationAt(place: number): number {
    return (this.#edges[place] ?? 0) >> RELATION_SHIFT;
  }

  isOutAt(place: number): boolean {
    return ((this.#edges[place] ?? 0) & OUT) !== 0;
  }

  at(place: number): Reached {
    const [node, near, isOut] = [this.nodeAt(place), this.#nears[place] ?? 0, this.isOutAt(place)];
    return {
      node,
      hop: this.hopAt(place),
      direction: isOut ? 'out' : 'in',
      from: isOut ? near : node,
      to: isOut ? node : near,
      relation: this.relationAt(place),
      grade: ((this.#edges[place] ?? 0) >> GRADE_SHIFT) & GRADES,
    };
  }

  /** Forgets what was reached after so many. */
  cutTo(count: number): void {
    this.#count = Math.min(this.#count, count);
  }

  #grow(): void {
    const length = this.#count * 2;
    this.#nodes = extend(this.#nodes, new Int32Array(length));
    this.#nears = extend(this.#nears, new Int32Array(length));
    this.#edges = extend(this.#edges, new Uint8Array(length));
    this.#hops = extend(this.#hops, new Uint8Array(length));
  }
}

function extend<Column extends Int32Array | Uint8Array>(column: Column, empty: Column): Column {
  empty.set(column);
  return empty;
}
