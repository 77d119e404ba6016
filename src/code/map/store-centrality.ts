import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { firstSymbols, testFlags } from '../files/store-files.ts';
import { folderOf, purposeOf } from './folders.ts';
import { symbolRows } from '../symbols/store-symbols.ts';
import type { SymbolRow } from '../../code-index/format/rows.ts';
import { fileOfSymbolId } from '../../code-index/format/shard-input.ts';

/** Share of a rank that follows references; the rest starts anew at any symbol. */
const DAMPING = 0.85;
const ROUNDS = 30;

/**
 * How central each symbol is, by id: the rank that references of the whole repository lend it (PageRank), what a symbol
 * holds counted as its own for what is outermost. Test code lends none. Some 50 ms for 100,000 references, once a shard.
 */
function centrality(db: ShardDatabase): Float64Array {
  return db.derived('centrality', () => rankSymbols(db));
}

interface Graph {
  /** Outermost symbol of each symbol: a member is used for its type. */
  outermost: Int32Array;
  from: number[];
  to: number[];
}

function rankSymbols(db: ShardDatabase): Float64Array {
  const { outermost, from, to } = readGraph(db);
  const count = outermost.length;
  const nodes = count + testFlags(db).length;
  const out = new Float64Array(nodes);
  for (const node of from) out[node] = (out[node] ?? 0) + 1;
  let rank = new Float64Array(nodes).fill(1 / nodes);
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(nodes);
    let lent = 0;
    for (let edge = 0; edge < from.length; edge += 1) {
      const [source, target] = [from[edge] ?? 0, to[edge] ?? 0];
      const share = (DAMPING * (rank[source] ?? 0)) / (out[source] ?? 1);
      next[target] = (next[target] ?? 0) + share;
      lent += share;
    }
    const rest = (1 - lent) / nodes;
    for (let node = 0; node < nodes; node += 1) next[node] = (next[node] ?? 0) + rest;
    rank = next;
  }
  return rank.subarray(0, count);
}

/** References between outermost symbols of code that is no test; what stands in no symbol comes from its file. */
function readGraph(db: ShardDatabase): Graph {
  const rows = db.prepare('select id, parent from symbol order by id').all() as { id: number; parent: number | null }[];
  const outermost = new Int32Array(rows.length);
  const owners = ownersElsewhere(db);
  // What is around a symbol comes before it.
  for (const { id, parent } of rows)
    outermost[id] = parent === null ? (owners.get(id) ?? id) : (outermost[parent] ?? parent);
  const [isTest, first] = [testFlags(db), firstSymbols(db)];
  const graph: Graph = { outermost, from: [], to: [] };
  const seen = new Set<number>();
  const add = (source: number, file: number, blob: Uint8Array | null): void => {
    if (isTest[file] === 1) return;
    for (const { target } of unpackReferences(blob)) {
      const reached = outermost[target] ?? target;
      const key = source * rows.length + reached;
      if (source === reached || seen.has(key)) continue;
      seen.add(key);
      graph.from.push(source);
      graph.to.push(reached);
    }
  };
  for (const row of db.prepare('select symbol, refers from edge where refers is not null order by symbol').iterate()) {
    const { symbol, refers } = row as { symbol: number; refers: Uint8Array };
    add(outermost[symbol] ?? symbol, fileOfSymbolId(first, symbol), refers);
  }
  for (const row of db.prepare('select file, refers from file_edge where refers is not null order by file').iterate()) {
    const { file, refers } = row as { file: number; refers: Uint8Array };
    add(rows.length + file, file, refers);
  }
  return graph;
}

/** Kinds that a newcomer looks for. */
const SHOWN: ReadonlySet<string> = new Set('function,method,class,interface,type,enum,struct,trait,macro'.split(','));

/** The outermost symbols of some files that code refers to, most central first, those of examples, tests and tools last; at most `most` rows, and how many there are. */
export function centralSymbols(
  db: ShardDatabase,
  inside: ReadonlySet<number>,
  most: number,
): { total: number; rows: SymbolRow[] } {
  const ranks = centrality(db);
  const rows = db
    .prepare(
      'select s.id, s.file, s.kind, f.path from symbol s join file f on f.id = s.file where s.parent is null order by s.id',
    )
    .all() as {
    id: number;
    file: number;
    kind: string;
    path: string;
  }[];
  const { isReferred, isOutermost } = db.derived('central_graph', () => summary(db));
  const kept = rows.filter(
    ({ id, file, kind }) => inside.has(file) && SHOWN.has(kind) && isOutermost[id] === 1 && isReferred[id] === 1,
  );
  const sorted = kept
    .map((row) => ({
      id: row.id,
      aside: purposeOf(folderOf(row.path)) === undefined ? 0 : 1,
      rank: ranks[row.id] ?? 0,
    }))
    .toSorted((a, b) => a.aside - b.aside || b.rank - a.rank || a.id - b.id);
  return {
    total: kept.length,
    rows: symbolRows(
      db,
      sorted.slice(0, most).map(({ id }) => id),
    ),
  };
}

/** Which symbols something outside of them refers to, and which belong to no other. */
function summary(db: ShardDatabase): { isReferred: Uint8Array; isOutermost: Uint8Array } {
  const { outermost, to } = readGraph(db);
  const isReferred = new Uint8Array(outermost.length);
  for (const target of to) isReferred[target] = 1;
  return { isReferred, isOutermost: Uint8Array.from(outermost, (around, id) => (around === id ? 1 : 0)) };
}

/** The types of members that are written outside of them, in the same folder: methods of Go, `impl` blocks. */
function ownersElsewhere(db: ShardDatabase): Map<number, number> {
  const rows = db
    .prepare(
      `select s.id, f.path, s.qualified, s.kind from symbol s join file f on f.id = s.file
        where s.parent is null and s.kind in ('method', 'class', 'struct', 'interface', 'enum', 'type', 'trait') order by s.id`,
    )
    .all() as { id: number; path: string; qualified: string; kind: string }[];
  const types = new Map<string, number>();
  for (const { id, path, qualified, kind } of rows)
    if (kind !== 'method') types.set(`${folderOf(path)} ${qualified}`, id);
  return new Map(
    rows.flatMap(({ id, path, qualified, kind }): [number, number][] => {
      const owner = kind === 'method' ? types.get(`${folderOf(path)} ${qualified.split('/')[0] ?? ''}`) : undefined;
      return owner === undefined ? [] : [[id, owner]];
    }),
  );
}
