/** Uses that keep symbols alive. Symbols are their ids. */
export interface LifeGraph {
  count: number;
  /** Symbols that the code of a symbol uses, its super types included. */
  usesOf(symbol: number): Iterable<number>;
  /** Symbol around each, or -1. */
  parents: Int32Array;
  /** Symbols right inside each; none of a module, whose parts live by themselves. */
  childrenOf(symbol: number): readonly number[];
  /** The other members of its override family, and the definitions of which a build has one. */
  familyOf(symbol: number): readonly number[];
}

/**
 * Marks everything that the roots reach, on top of what is marked already (1 in `alive`).
 *
 * A symbol keeps alive what it uses and what is inside it, a member also what it is a member of: whoever uses it holds one.
 * A member that overrides a live one lives, and says nothing about its class.
 */
export function markAlive(graph: LifeGraph, roots: Iterable<number>, alive: Uint8Array): void {
  const waiting: number[] = [];
  const reach = (symbol: number): void => {
    if (symbol < 0 || alive[symbol] === 1) return;
    alive[symbol] = 1;
    waiting.push(symbol);
  };
  const reachWithParent = (symbol: number): void => {
    reach(symbol);
    reach(graph.parents[symbol] ?? -1);
  };
  for (const root of roots) reachWithParent(root);
  for (let symbol = waiting.pop(); symbol !== undefined; symbol = waiting.pop()) {
    for (const used of graph.usesOf(symbol)) reachWithParent(used);
    for (const inner of graph.childrenOf(symbol)) reach(inner);
    for (const relative of graph.familyOf(symbol)) reach(relative);
  }
}
