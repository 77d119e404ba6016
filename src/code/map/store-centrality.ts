import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { fileOfSymbolId } from '../../code-index/format/shard-input.ts';
import type { SymbolRow } from '../../code-index/format/rows.ts';
import { firstSymbols } from '../files/store-files.ts';
import { symbolRows } from '../symbols/store-symbols.ts';
import { centralOrder } from './central-order.ts';

/** The most central symbols of some files, at most `most`, and how many there are. */
export function centralSymbols(
  db: ShardDatabase,
  inside: ReadonlySet<number>,
  most: number,
): { total: number; rows: SymbolRow[] } {
  const first = firstSymbols(db);
  const ids: number[] = [];
  let total = 0;
  for (const id of centralOrder(db)) {
    if (!inside.has(fileOfSymbolId(first, id))) continue;
    if (total < most) ids.push(id);
    total += 1;
  }
  return { total, rows: symbolRows(db, ids) };
}
