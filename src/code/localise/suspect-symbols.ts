import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { dense, firstSymbols } from '../files/store-files.ts';
import { symbolRows } from '../symbols/store-symbols.ts';
import { symbolAround, symbolOfFrame } from './named-symbols.ts';

const MOST_SYMBOLS = 5;
/** What evidence of each kind is worth beside the words, of which the best symbol of all has 1. */
const FRAME = 3;
const LITERAL = 1.5;
const NAME = 1;
/** A symbol that holds others is a wider place than one of them. */
const HOLDER_WEIGHT = 0.6;
const HOLDERS = new Set(['class', 'interface', 'struct', 'type', 'trait', 'enum', 'module', 'heading']);

/** A symbol of a suspected file. Lines are 1-based. */
export interface SuspectSymbol {
  symbol: string;
  kind: string;
  line: number;
  end: number;
  /** Comparable within one answer. */
  score: number;
}

/** What speaks for single symbols. */
interface SymbolEvidence {
  /** Of each document of the ranked search, how well it fits the words. */
  scores: Float32Array;
  named: ReadonlyMap<number, { worth: number }>;
  frames: readonly { line: number | undefined; symbol?: string | undefined; rank: number }[];
  literals: readonly { line: number; worth: number }[];
}

/** The symbols of a file that the evidence points at, best first, at most five. */
export function suspectSymbols(db: ShardDatabase, file: number, evidence: SymbolEvidence): SuspectSymbol[] {
  const { scores, named, frames, literals } = evidence;
  const starts = firstSymbols(db);
  const kinds = db.derived('symbol_kind', () => dense(db, 'symbol_kind'));
  const [from, to] = [starts[file] ?? 0, starts[file + 1] ?? kinds.length];
  let best = 0;
  for (const score of scores) best = Math.max(best, score);
  const points = new Map<number, number>();
  const add = (symbol: number | undefined, worth: number): void => {
    if (symbol !== undefined) points.set(symbol, (points.get(symbol) ?? 0) + worth);
  };
  for (let symbol = from; symbol < to; symbol += 1) {
    const weight = HOLDERS.has(SYMBOL_KINDS[kinds[symbol] ?? 0] ?? '') ? HOLDER_WEIGHT : 1;
    const words = best === 0 ? 0 : ((scores[symbol] ?? 0) / best) * weight;
    if (words > 0) add(symbol, words);
    add(named.has(symbol) ? symbol : undefined, (named.get(symbol)?.worth ?? 0) * NAME * weight);
  }
  for (const frame of frames) add(symbolOfFrame(db, file, frame), FRAME / frame.rank);
  for (const { line, worth } of literals) add(symbolAround(db, file, line), LITERAL * worth);
  const ranked = [...points].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_SYMBOLS);
  const rows = symbolRows(
    db,
    ranked.map(([symbol]) => symbol),
  );
  return rows.map(({ qualified, kind, line, end }, at) => ({
    symbol: qualified,
    kind,
    line,
    end,
    score: ranked[at]?.[1] ?? 0,
  }));
}
