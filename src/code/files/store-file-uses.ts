import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type Reference, unpackReferences } from '../../code-index/format/store-codec.ts';
import { symbolsOf } from './store-files.ts';

/** The symbols that a file, or anything in it, refers to, with bits of their uses: once for each that refers to one. */
export function referencesOfFile(db: ShardDatabase, file: number): Reference[] {
  const { first, end } = symbolsOf(db, file);
  const rows = db
    .prepare(
      `select refers from file_edge where file = ?
       union all select refers from edge where symbol >= ? and symbol < ?`,
    )
    .all(file, first, end) as { refers: Uint8Array | null }[];
  return rows.flatMap(({ refers }) => unpackReferences(refers));
}
