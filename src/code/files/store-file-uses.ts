import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import { fileOfSymbolId, USE_CODES } from '../../code-index/format/shard-input.ts';
import type { SymbolKind, Use } from '../../code-index/format/rows.ts';
import { type Reference, unpackReferences } from '../../code-index/format/store-codec.ts';
import { firstSymbols, symbolsOf } from './store-files.ts';

const ERASING = namesOfLanguages(({ erasesTypes }) => erasesTypes === true);
/** What is gone with its types, whatever is done with it. */
const TYPES: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['interface', 'type']);
/** Uses that stay when types are gone. */
const RUN_TIME = (['call', 'read', 'write', 'export', 'test', 'implements'] satisfies Use[]).reduce(
  (bits, use) => bits | (1 << USE_CODES.indexOf(use)),
  0,
);

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

/** The files of which more than types is imported, or nothing that is known: such an import is there for what it does. */
export function importedAtRunTime(db: ShardDatabase, file: number, imported: readonly number[]): number[] {
  const { language } = db.prepare('select language from file where id = ?').get(file) as { language: string };
  if (!ERASING.has(language)) return [...imported];
  const first = firstSymbols(db);
  const targets = new Set(imported);
  const referenced = new Set<number>();
  const needed = new Set<number>();
  const symbol = db.prepare('select kind, parent from symbol where id = ?');
  for (const { target, uses } of referencesOfFile(db, file)) {
    const to = fileOfSymbolId(first, target);
    if (!targets.has(to)) continue;
    referenced.add(to);
    const { kind, parent } = symbol.get(target) as { kind: SymbolKind; parent: number | null };
    // A member is reached through a value, wherever that came from.
    if (parent === null && !TYPES.has(kind) && (uses & RUN_TIME) !== 0) needed.add(to);
  }
  return imported.filter((target) => needed.has(target) || !referenced.has(target));
}
