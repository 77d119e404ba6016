import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { bytesOfInts, intsOf } from '../../code-index/format/dense-values.ts';
import { fileOfSymbolId } from '../../code-index/format/shard-input.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { forEachReference } from '../../code-index/format/store-codec.ts';
import { IntList } from '../../kernel/int-list.ts';
import { dense, firstSymbols, testFlags } from '../files/store-files.ts';
import { type StoredValue, storedValue } from '../stored/stored.ts';
import { folderOf, purposeOf } from './folders.ts';

/** Share of a rank that follows references; the remainder starts anew at any symbol. */
const DAMPING = 0.85;
const ROUNDS = 30;

/** Kinds that a newcomer looks for. */
const SHOWN: ReadonlySet<string> = new Set('function,method,class,interface,type,enum,struct,trait,macro'.split(','));

/**
 * The outermost symbols that code refers to, most central first, those of examples, tests and tools last: ids. Central is
 * what references of the whole repository lend most rank (PageRank), what a symbol holds counted as its own. Test code
 * lends none.
 */
export const CENTRAL_ORDER: StoredValue<Int32Array> = {
  name: 'central_order',
  compute: orderByRank,
  inputs: {
    columns: {
      file: ['path', 'test', 'generated'],
      symbol: ['file', 'kind', 'qualified', 'parent'],
      edge: ['refers'],
      file_edge: ['refers'],
    },
  },
  pack: bytesOfInts,
  unpack: intsOf,
};

export function centralOrder(db: ShardDatabase): Int32Array {
  return storedValue(db, CENTRAL_ORDER);
}

/** References by their source: those of `source` are `targets[starts[source]]` up to `targets[starts[source + 1]]`. */
interface ReferenceGraph {
  starts: Int32Array;
  targets: Int32Array;
}

function orderByRank(db: ShardDatabase): Int32Array {
  const outermost = readOutermost(db);
  const graph = readReferences(db, outermost);
  const ranks = rankNodes(graph);
  const isReferred = new Uint8Array(outermost.length);
  for (const target of graph.targets) isReferred[target] = 1;
  const isAside = readAside(db);
  const [kinds, first] = [dense(db, 'symbol_kind'), firstSymbols(db)];
  const isShown = SYMBOL_KINDS.map((kind) => SHOWN.has(kind));
  const shownIds = new IntList();
  for (let id = 0; id < outermost.length; id += 1)
    if (outermost[id] === id && isReferred[id] === 1 && isShown[kinds[id] ?? -1] === true) shownIds.push(id);
  const asideOf = (id: number): number => isAside[fileOfSymbolId(first, id)] ?? 0;
  return shownIds.values().toSorted((a, b) => asideOf(a) - asideOf(b) || (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b);
}

/** PageRank over symbols, then files. */
function rankNodes({ starts, targets }: ReferenceGraph): Float64Array {
  const nodes = starts.length - 1;
  let rank = new Float64Array(nodes).fill(1 / nodes);
  let next = new Float64Array(nodes);
  for (let round = 0; round < ROUNDS; round += 1) {
    next.fill(0);
    let lent = 0;
    for (let source = 0; source < nodes; source += 1) {
      const [from, end] = [starts[source] ?? 0, starts[source + 1] ?? 0];
      if (from === end) continue;
      const whole = DAMPING * (rank[source] ?? 0);
      const share = whole / (end - from);
      for (let at = from; at < end; at += 1) {
        const target = targets[at] ?? 0;
        next[target] = (next[target] ?? 0) + share;
      }
      lent += whole;
    }
    const other = (1 - lent) / nodes;
    for (let node = 0; node < nodes; node += 1) next[node] = (next[node] ?? 0) + other;
    [rank, next] = [next, rank];
  }
  return rank;
}

/** Distinct references between outermost symbols of code that is no test; what is in no symbol comes from its file. */
function readReferences(db: ShardDatabase, outermost: Int32Array): ReferenceGraph {
  const symbols = outermost.length;
  const [isTest, first] = [testFlags(db), firstSymbols(db)];
  const [sources, targets] = [new IntList(), new IntList()];
  const add = (source: number, file: number, blob: Uint8Array): void => {
    if (isTest[file] === 1) return;
    forEachReference(blob, (target) => {
      const reached = outermost[target] ?? target;
      if (reached === source) return;
      sources.push(source);
      targets.push(reached);
    });
  };
  for (const row of db.prepare('select symbol, refers from edge where refers is not null order by symbol').iterate()) {
    const { symbol, refers } = row as { symbol: number; refers: Uint8Array };
    add(outermost[symbol] ?? symbol, fileOfSymbolId(first, symbol), refers);
  }
  for (const row of db.prepare('select file, refers from file_edge where refers is not null order by file').iterate()) {
    const { file, refers } = row as { file: number; refers: Uint8Array };
    add(symbols + file, file, refers);
  }
  return distinctBySource(symbols + isTest.length, sources.values(), targets.values());
}

/** Sorts references by their source and leaves out those that are there already. */
function distinctBySource(nodes: number, sources: Int32Array, targets: Int32Array): ReferenceGraph {
  const ends = new Int32Array(nodes + 1);
  for (const source of sources) ends[source + 1] = (ends[source + 1] ?? 0) + 1;
  for (let node = 0; node < nodes; node += 1) ends[node + 1] = (ends[node + 1] ?? 0) + (ends[node] ?? 0);
  const sorted = new Int32Array(targets.length);
  const next = ends.slice();
  for (let at = 0; at < sources.length; at += 1) {
    const position = next[sources[at] ?? 0] ?? 0;
    sorted[position] = targets[at] ?? 0;
    next[sources[at] ?? 0] = position + 1;
  }
  const starts = new Int32Array(nodes + 1);
  const lastSource = new Int32Array(nodes).fill(-1);
  let count = 0;
  for (let source = 0; source < nodes; source += 1) {
    for (let at = ends[source] ?? 0; at < (ends[source + 1] ?? 0); at += 1) {
      const target = sorted[at] ?? 0;
      if (lastSource[target] === source) continue;
      lastSource[target] = source;
      sorted[count] = target;
      count += 1;
    }
    starts[source + 1] = count;
  }
  return { starts, targets: sorted.subarray(0, count) };
}

/** The outermost symbol of each symbol: a member is used for its type. */
function readOutermost(db: ShardDatabase): Int32Array {
  const outermost = new Int32Array(dense(db, 'symbol_kind').length);
  const owners = ownersElsewhere(db);
  const rows = db.prepare('select id, coalesce(parent, -1) as parent from symbol order by id').iterate();
  // What is around a symbol comes before it.
  for (const { id, parent } of rows as Iterable<{ id: number; parent: number }>)
    outermost[id] = parent === -1 ? (owners.get(id) ?? id) : (outermost[parent] ?? parent);
  return outermost;
}

/** 1 for each file of examples, tests and tools, and each generated or vendored one. */
function readAside(db: ShardDatabase): Uint8Array {
  const rows = db.prepare('select id, path, generated from file order by id').iterate();
  const isAside = new Uint8Array(testFlags(db).length);
  for (const { id, path, generated } of rows as Iterable<{ id: number; path: string; generated: number }>)
    isAside[id] = generated === 1 || purposeOf(folderOf(path)) !== undefined ? 1 : 0;
  return isAside;
}

/** The types of members that are written outside of them, in the same folder: methods of Go, `impl` blocks. */
function ownersElsewhere(db: ShardDatabase): Map<number, number> {
  const owners = new Map<number, number>();
  const types = new Map<string, number>();
  const select = (kinds: string): Iterable<{ id: number; path: string; qualified: string }> =>
    db
      .prepare(
        `select s.id, f.path, s.qualified from symbol s join file f on f.id = s.file
          where s.parent is null and s.kind in (${kinds}) order by s.id`,
      )
      .iterate() as Iterable<{ id: number; path: string; qualified: string }>;
  const methods = db.prepare("select 1 from symbol where parent is null and kind = 'method' limit 1").get();
  if (methods === undefined) return owners;
  for (const { id, path, qualified } of select("'class', 'struct', 'interface', 'enum', 'type', 'trait'"))
    types.set(`${folderOf(path)} ${qualified}`, id);
  for (const { id, path, qualified } of select("'method'")) {
    const owner = types.get(`${folderOf(path)} ${qualified.split('/')[0] ?? ''}`);
    if (owner !== undefined) owners.set(id, owner);
  }
  return owners;
}
