import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { pathOf, testFlags } from '../files/store-files.ts';
import { usesOf } from './store-usages.ts';

/** A symbol by the file that declares it and its qualified name. */
interface NamedSymbol {
  path: string;
  qualified: string;
}

/** Other files that use a symbol. */
interface SymbolUsers {
  /** Other files than its own, tests not counted. */
  files: number;
  /** Some of them, by path. */
  paths: string[];
  /** Tests that use it. */
  tests: number;
}

/**
 * The files that use each of some symbols, in the order of the question; undefined for one that is not in the index. Overloads
 * count together. `most` paths are named. 0.1 ms a symbol.
 */
export function usersOf(
  db: ShardDatabase,
  { symbols, most }: { symbols: readonly NamedSymbol[]; most: number },
): (SymbolUsers | undefined)[] {
  const fileOf = db.prepare('select id, first_symbol as first, symbols from file where path = ?');
  const find = db.prepare('select id from symbol where id >= ? and id < ? and qualified = ?');
  const isTest = testFlags(db);
  return symbols.map(({ path, qualified }) => {
    const file = fileOf.get(path) as { id: number; first: number; symbols: number } | undefined;
    if (file === undefined) return undefined;
    const ids = find.all(file.first, file.first + file.symbols, qualified) as { id: number }[];
    if (ids.length === 0) return undefined;
    const users = new Set(ids.flatMap(({ id }) => usesOf(db, id).map((use) => use.file)));
    const others = [...users].filter((user) => user !== file.id);
    const code = others.filter((other) => isTest[other] !== 1).toSorted((a, b) => a - b);
    return {
      files: code.length,
      paths: code.slice(0, most).map((id) => pathOf(db, id)),
      tests: others.length - code.length,
    };
  });
}
