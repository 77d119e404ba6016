import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { fileOfSymbolId } from '../../code-index/format/shard-input.ts';
import type { SymbolKind } from '../../code-index/format/rows.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { IntList } from '../../kernel/int-list.ts';
import { dense, firstSymbols, testFlags } from '../files/store-files.ts';
import type { NameMatches } from './search-names.ts';

export interface Candidate {
  id: number;
  file: number;
  kind: SymbolKind;
  qualified: string;
}

/** Symbols that a name fits, as columns: a pattern may fit all of an index. */
interface NamedColumns {
  length: number;
  ids: IntList;
  files: IntList;
  refs: IntList;
  /** Index in NAME_TIERS. */
  tiers: IntList;
}

/** Places in the columns, the best first: code before tests, more used first, then by path and line. */
export function inOrder(db: ShardDatabase, { length, ids, files, refs, tiers }: NamedColumns): Uint32Array {
  const isTest = testFlags(db);
  return Uint32Array.from({ length }, (_, at) => at).toSorted(
    (a, b) =>
      tiers.at(a) - tiers.at(b) ||
      (isTest[files.at(a)] ?? 0) - (isTest[files.at(b)] ?? 0) ||
      refs.at(b) - refs.at(a) ||
      ids.at(a) - ids.at(b),
  );
}

/**
 * Symbols of these names that are kept. Their rows are read only where their qualified names are asked for: file and kind are known by
 * their ids, and the index of names holds those.
 */
export function symbolsNamed(
  db: ShardDatabase,
  names: NameMatches,
  { keep, isQualified }: { keep: (candidate: Candidate) => boolean; isQualified: boolean },
): NamedColumns {
  const columns = { ids: new IntList(), files: new IntList(), refs: new IntList(), tiers: new IntList() };
  const [first, codes] = [firstSymbols(db), db.derived('symbol_kind', () => dense(db, 'symbol_kind'))];
  const statement = db.prepare(
    `select s.id, s.name, coalesce(u.refs, 0), ${isQualified ? 's.qualified' : "''"}
       from json_each(?) j cross join symbol s indexed by symbol_by_name on s.name = j.value
            left join usage u on u.symbol = s.id`,
  );
  statement.setReturnArrays(true);
  const rows = statement.iterate(JSON.stringify([...names.keys()])) as unknown as Iterable<
    [id: number, name: number, refs: number, qualified: string]
  >;
  for (const [id, name, refs, qualified] of rows) {
    const file = fileOfSymbolId(first, id);
    if (!keep({ id, file, kind: SYMBOL_KINDS[codes[id] ?? 0] ?? 'variable', qualified })) continue;
    columns.ids.push(id);
    columns.files.push(file);
    columns.refs.push(refs);
    columns.tiers.push(names.get(name) ?? 0);
  }
  return { ...columns, length: columns.ids.length };
}
