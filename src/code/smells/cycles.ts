/** Groups of two or more nodes that reach each other (Tarjan, without recursion), each ascending, by their first node. */
export function findCycles(count: number, targetsOf: (node: number) => readonly number[]): number[][] {
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  const open: number[] = [];
  const groups: number[][] = [];
  let next = 0;
  const enter = (node: number): { node: number; targets: readonly number[]; at: number } => {
    order[node] = low[node] = next++;
    open.push(node);
    isOpen[node] = 1;
    return { node, targets: targetsOf(node), at: 0 };
  };
  for (let root = 0; root < count; root += 1) {
    if (order[root] !== -1) continue;
    const path = [enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node } = top;
      const target = top.targets[top.at++];
      if (target === undefined) {
        path.pop();
        const outer = path.at(-1);
        if (outer !== undefined) low[outer.node] = Math.min(low[outer.node] ?? 0, low[node] ?? 0);
        if (low[node] === order[node]) groups.push(closeCycle(open, isOpen, node));
      } else if (order[target] === -1) path.push(enter(target));
      else if (isOpen[target] === 1) low[node] = Math.min(low[node] ?? 0, order[target] ?? 0);
    }
  }
  return groups.filter((group) => group.length > 1).toSorted(([a = 0], [b = 0]) => a - b);
}

function closeCycle(open: number[], isOpen: Uint8Array, node: number): number[] {
  const group = open.splice(open.lastIndexOf(node));
  for (const member of group) isOpen[member] = 0;
  return group.toSorted((a, b) => a - b);
}
