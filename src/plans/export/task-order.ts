import { isOpen, keysBefore, type WorkItem } from '../store/work-items.ts';

/** Items in an order in which they can be done: what an item depends on stands before it, otherwise as the plan has them. */
export function inOrder(items: readonly WorkItem[]): { ordered: WorkItem[]; circle: string[] } {
  const byKey = new Map(items.map((item) => [item.key, item]));
  const before = keysBefore(items);
  const ordered: WorkItem[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const circle = new Set<string>();
  const visit = (item: WorkItem): void => {
    if (state.get(item.key) === 'done') return;
    if (state.get(item.key) === 'open') {
      circle.add(item.key);
      return;
    }
    state.set(item.key, 'open');
    for (const key of before.get(item.key) ?? []) {
      const earlier = byKey.get(key);
      if (earlier !== undefined) visit(earlier);
    }
    state.set(item.key, 'done');
    ordered.push(item);
  };
  for (const item of items) visit(item);
  return { ordered, circle: [...circle] };
}

/**
 * Keys of the items that can be worked on beside others: those that name files, none of which another open item names
 * that neither comes before nor after it, and for which there is such another item.
 */
export function parallelItems(items: readonly WorkItem[], filesOf: (item: WorkItem) => readonly string[]): Set<string> {
  const open = items.filter(isOpen);
  const direct = keysBefore(items);
  const before = new Map(open.map(({ key }) => [key, ancestors(key, direct)]));
  const files = new Map(open.map((item) => [item.key, new Set(filesOf(item))]));
  const parallel = open.filter((item) => {
    const own = files.get(item.key) ?? new Set();
    const others = open.filter(
      (other) => other !== item && !before.get(item.key)?.has(other.key) && !before.get(other.key)?.has(item.key),
    );
    const isAlone = others.every(({ key }) => files.get(key)?.isDisjointFrom(own) === true);
    return own.size > 0 && others.length > 0 && isAlone;
  });
  return new Set(parallel.map(({ key }) => key));
}

function ancestors(key: string, before: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(before.get(key) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(before.get(next) ?? []));
  }
  return reached;
}
