import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { splitQuery } from './search-names.ts';
import { unpackIds } from '../../code-index/format/store-codec.ts';

interface NamedSymbols {
  types: (db: ShardDatabase, name: string) => readonly number[];
  members: (db: ShardDatabase, name: string) => readonly { id: number; name: string }[];
}

/**
 * The members that a type has from what it extends or implements, for `Sub/method` when Sub declares none: of its bases,
 * level by level, those of the first level that has one. Each base is visited once.
 */
export function inheritedMembers(db: ShardDatabase, query: string, named: NamedSymbols): number[] {
  const { qualifier, name } = splitQuery(query);
  const members = name === '' ? [] : named.members(db, name).filter((member) => member.name === name);
  const types = qualifier === '' || members.length === 0 ? [] : named.types(db, qualifier);
  const parentOf = db.prepare('select parent from symbol where id = ?');
  const owners = members.map(({ id }) => ({ id, owner: (parentOf.get(id) as { parent: number | null }).parent }));
  const visited = new Set(types);
  for (let level = basesOf(db, types); level.length > 0; level = basesOf(db, level)) {
    const bases = new Set(level.filter((base) => !visited.has(base)));
    if (bases.size === 0) return [];
    for (const base of bases) visited.add(base);
    const inherited = owners.filter(({ owner }) => owner !== null && bases.has(owner));
    if (inherited.length > 0) return inherited.map(({ id }) => id);
  }
  return [];
}

function basesOf(db: ShardDatabase, types: readonly number[]): number[] {
  const edges = db.prepare('select extends as ids from edge where symbol = ?');
  return types.flatMap((type) => {
    const row = edges.get(type) as { ids: Uint8Array | null } | undefined;
    return unpackIds(row?.ids ?? null);
  });
}
