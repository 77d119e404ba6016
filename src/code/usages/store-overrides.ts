import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackIds, unpackNumbers } from '../../code-index/format/store-codec.ts';
import { fileOfSymbolId } from '../../code-index/format/shard-input.ts';
import { firstSymbols } from '../files/store-files.ts';

/** Pairs of members of which one overrides the other, by the one above and by the one below. */
interface OverridePairs {
  below: Map<number, number[]>;
  above: Map<number, number[]>;
}

/**
 * Overrides among the families of some members. The pairs are stored with the file of the overriding one; those that only a
 * compiler knew are computed from the classes around: a member of the family whose class is made from that of the other.
 */
export function overridePairs(db: ShardDatabase, symbols: readonly number[]): OverridePairs {
  const pairs: OverridePairs = { below: new Map(), above: new Map() };
  const family = new Set(withFamilies(db, symbols));
  if (family.size < 2) return pairs;
  const pairKeys = new Set<string>();
  const add = (below: number, above: number): void => {
    if (pairKeys.has(`${below} ${above}`)) return;
    pairKeys.add(`${below} ${above}`);
    pairs.below.set(above, [...(pairs.below.get(above) ?? []), below]);
    pairs.above.set(below, [...(pairs.above.get(below) ?? []), above]);
  };
  const selectPairs = db.prepare('select alike from link where file = ?');
  for (const file of new Set([...family].map((symbol) => fileOfSymbolId(firstSymbols(db), symbol)))) {
    const row = selectPairs.get(file) as { alike: Uint8Array | null } | undefined;
    const ids = unpackNumbers(row?.alike ?? null);
    for (let at = 0; at < ids.length; at += 2) {
      const [below, above] = [ids[at] ?? -1, ids[at + 1] ?? -1];
      if (family.has(below) && family.has(above)) add(below, above);
    }
  }
  const owners = new Map([...family].map((symbol) => [parentOf(db, symbol) ?? -1, symbol] as const));
  for (const [owner, member] of owners)
    for (const above of owner === -1 ? [] : edgesOf(db, owner, 'extends')) {
      const overridden = owners.get(above);
      if (overridden !== undefined) add(member, overridden);
    }
  return pairs;
}

/** Members that some members override, at any depth. */
export function allOverridden(db: ShardDatabase, symbols: readonly number[]): Set<number> {
  return followPairs(overridePairs(db, symbols).above, symbols);
}

/** Members that override some members, at any depth. */
export function allOverriding(db: ShardDatabase, symbols: readonly number[]): Set<number> {
  return followPairs(overridePairs(db, symbols).below, symbols);
}

function followPairs(pairs: ReadonlyMap<number, readonly number[]>, symbols: readonly number[]): Set<number> {
  const reached = new Set<number>();
  const waiting = [...symbols];
  for (let symbol = waiting.pop(); symbol !== undefined; symbol = waiting.pop())
    for (const next of pairs.get(symbol) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(next);
    }
  return reached;
}

/** The ids with the members of their override families, ascending. */
export function withFamilies(db: ShardDatabase, symbols: readonly number[]): number[] {
  const rows = db
    .prepare(
      `select distinct other.id from json_each(?) j
         join symbol one on one.id = j.value
         join symbol other on other.id = one.id or other.family = one.family order by other.id`,
    )
    .all(JSON.stringify(symbols)) as { id: number }[];
  return rows.map(({ id }) => id);
}

/** Types that a type is made from, or that are made from it. */
export function edgesOf(db: ShardDatabase, symbol: number, side: 'extends' | 'extended_by'): number[] {
  const row = db.prepare(`select ${side} as ids from edge where symbol = ?`).get(symbol) as
    | { ids: Uint8Array | null }
    | undefined;
  return unpackIds(row?.ids ?? null);
}

/** The symbol around a symbol. */
export function parentOf(db: ShardDatabase, symbol: number): number | undefined {
  const row = db.prepare('select parent from symbol where id = ?').get(symbol) as { parent: number | null } | undefined;
  return row?.parent ?? undefined;
}
