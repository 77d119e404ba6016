import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { fileOfSymbolId } from '../../code-index/format/shard-input.ts';
import type { SymbolKind } from '../../code-index/format/rows.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { IntList } from '../../kernel/int-list.ts';
import { dense, firstSymbols, type Page, testFlags } from '../files/store-files.ts';
import { NAME_TIERS, type NameMatches, type NameTier } from './search-names.ts';

export interface Candidate {
  id: number;
  file: number;
  kind: SymbolKind;
  qualified: string;
}

/** Symbols that names fit: ids by tier, and within it those of code before those of tests. A pattern may fit all of an index. */
interface NamedSymbols {
  length: number;
  groups: readonly IntList[];
}

/**
 * Symbols of these names that are kept. Their rows are read only where their qualified names are asked for: file and kind are known by
 * their ids, and the index of names holds those.
 */
export function symbolsNamed(
  db: ShardDatabase,
  names: NameMatches,
  { keep, isQualified }: { keep: (candidate: Candidate) => boolean; isQualified: boolean },
): NamedSymbols {
  const groups = Array.from({ length: 2 * NAME_TIERS.length }, () => new IntList());
  const [first, codes] = [firstSymbols(db), db.derived('symbol_kind', () => dense(db, 'symbol_kind'))];
  const isTest = testFlags(db);
  const statement = db.prepare(
    `select s.id, s.name, ${isQualified ? 's.qualified' : "''"}
       from json_each(?) j cross join symbol s indexed by symbol_by_name on s.name = j.value`,
  );
  statement.setReturnArrays(true);
  const rows = statement.iterate(JSON.stringify([...names.keys()])) as unknown as Iterable<
    [id: number, name: number, qualified: string]
  >;
  let length = 0;
  for (const [id, name, qualified] of rows) {
    const file = fileOfSymbolId(first, id);
    if (!keep({ id, file, kind: SYMBOL_KINDS[codes[id] ?? 0] ?? 'variable', qualified })) continue;
    groups[2 * (names.get(name) ?? 0) + (isTest[file] ?? 0)]?.push(id);
    length += 1;
  }
  return { length, groups };
}

/** The worst tier of some symbols; undefined when there is none. */
export function worstTier({ groups }: NamedSymbols): NameTier | undefined {
  return NAME_TIERS[groups.findLastIndex(({ length }) => length > 0) >> 1];
}

/** A page of symbols, the best first: within a group more used first, then by path and line. Uses are read of groups on the page. */
export function pageOfNamed(db: ShardDatabase, { groups }: NamedSymbols, { offset, limit }: Page): number[] {
  const ids: number[] = [];
  let before = 0;
  for (const group of groups) {
    const [from, to] = [Math.max(0, offset - before), offset + limit - before];
    before += group.length;
    if (from < group.length && to > 0) ids.push(...byUse(db, group.values()).subarray(from, to));
  }
  return ids;
}

function byUse(db: ShardDatabase, ids: Int32Array): Int32Array {
  const statement = db.prepare('select u.symbol, u.refs from json_each(?) j cross join usage u on u.symbol = j.value');
  statement.setReturnArrays(true);
  const rows = statement.all(JSON.stringify(Array.from(ids))) as unknown as [symbol: number, refs: number][];
  const refs = new Map(rows);
  return ids.toSorted((a, b) => (refs.get(b) ?? 0) - (refs.get(a) ?? 0) || a - b);
}
