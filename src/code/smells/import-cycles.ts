import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { relationBit } from '../../code-index/format/relations.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { bytesOfInts, intsOf } from '../../code-index/format/dense-values.ts';
import { importedAtRunTime, readsImports, referencesInto } from '../usages/file-imports.ts';
import { type StoredValue, storedValue } from '../stored/stored.ts';

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

interface ImportCycles {
  atRunTime: number[][];
  /** Closed by imports that only types need: nothing is run in a circle. */
  ofTypes: number[][];
}

/** Groups of files that import each other in a circle, each ascending. Reads the file table, and references of what is in one. */
export function importCycles(db: ShardDatabase): ImportCycles {
  return storedValue(db, IMPORT_CYCLES);
}

/** Number of circles of each sort, then the files of each, their number first. */
export const IMPORT_CYCLES: StoredValue<ImportCycles> = {
  name: 'import_cycles',
  compute: findImportCycles,
  inputs: {
    columns: {
      file: ['path', 'language'],
      symbol: ['file', 'kind', 'parent'],
      usage: ['uses'],
      edge: ['refers'],
      file_edge: ['refers', 'depends'],
    },
    isSameText: ({ after }, files) => !files.some((file) => readsImports(after, file)),
  },
  pack: ({ atRunTime, ofTypes }) => {
    const groups = [...atRunTime, ...ofTypes].flatMap((files) => [files.length, ...files]);
    return bytesOfInts(Int32Array.from([atRunTime.length, ofTypes.length, ...groups]));
  },
  unpack: (data) => {
    const [atRunTime = 0, , ...numbers] = intsOf(data);
    const groups: number[][] = [];
    for (let at = 0; at < numbers.length; at += 1 + (numbers[at] ?? 0))
      groups.push(numbers.slice(at + 1, at + 1 + (numbers[at] ?? 0)));
    return { atRunTime: groups.slice(0, atRunTime), ofTypes: groups.slice(atRunTime) };
  },
};

function findImportCycles(db: ShardDatabase): ImportCycles {
  const targets = importedFiles(db);
  const { files } = db.prepare('select count(*) as files from file').get() as { files: number };
  const all = findCycles(files, (file) => targets.get(file) ?? []);
  const edges = new Map<number, number[]>();
  for (const group of all) {
    const members = new Set(group);
    for (const file of group) {
      const inside = (targets.get(file) ?? []).filter((target) => members.has(target));
      edges.set(file, importedAtRunTime(db, referencesInto(db, file, inside)));
    }
  }
  const atRunTime = findCycles(files, (file) => edges.get(file) ?? []);
  const running = new Set(atRunTime.map(([first = -1]) => first));
  const ofTypes = all.filter((group) => !group.some((file) => running.has(file)));
  return { atRunTime, ofTypes };
}

function importedFiles(db: ShardDatabase): Map<number, number[]> {
  const imports = relationBit('imports');
  const rows = db.prepare('select file, depends from file_edge where depends is not null').all() as unknown as {
    file: number;
    depends: Uint8Array;
  }[];
  return new Map(
    rows.map(({ file, depends }) => [
      file,
      unpackReferences(depends).flatMap(({ target, uses }) => ((uses & imports) === 0 ? [] : [target])),
    ]),
  );
}
