import type { Grade, OutlineRow, SymbolRow } from '../../code-index/format/rows.ts';
import { GRADE_CODES } from '../../code-index/format/shard-input.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { fileAt, symbolsOf } from '../files/store-files.ts';
import { referencesOfFile } from '../files/store-file-uses.ts';
import { usesIn } from '../usages/store-usages.ts';
import { symbolRows } from './store-symbols.ts';

/** One name in a file and what it stands for: `symbol` is an index in `symbols`. Lines 1-based, columns 0-based UTF-16. */
interface NameLocation {
  line: number;
  column: number;
  symbol: number;
  grade: Grade;
}

/** Symbols that the names of a file mean. */
interface FileReferences {
  symbols: SymbolRow[];
  /** By line and column; each position once, with the best grade. */
  places: NameLocation[];
  /** There are more places than were asked for. */
  isCut: boolean;
}

/**
 * Resolved names in a file, at most `limit` of them; undefined when the file is not in the index. Names of what is defined
 * there are omitted. 1 to 30 ms, by how often the symbols that it names are used anywhere.
 */
export function fileReferences(
  db: ShardDatabase,
  { path, limit }: { path: string; limit: number },
): FileReferences | undefined {
  const file = fileAt(db, path);
  if (file === undefined) return undefined;
  const targets = new Set(referencesOfFile(db, file).map(({ target }) => target));
  const references = [...targets].flatMap((target) => usesIn(db, target, file).map((use) => ({ target, use })));
  const sorted = references.toSorted(
    (a, b) =>
      a.use.line - b.use.line || a.use.column - b.use.column || b.use.grade - a.use.grade || a.target - b.target,
  );
  const distinct = sorted.filter(({ use }, at) => {
    const before = sorted[at - 1]?.use;
    return before?.line !== use.line || before.column !== use.column;
  });
  const selected = distinct.slice(0, limit);
  const symbols = symbolRows(db, [...new Set(selected.map(({ target }) => target))]);
  const indexes = new Map(symbols.map(({ id }, index) => [id, index]));
  const places = selected.flatMap(({ target, use: { line, column, grade } }): NameLocation[] => {
    const symbol = indexes.get(target);
    return symbol === undefined ? [] : [{ line, column, symbol, grade: GRADE_CODES[grade] ?? 'resolved' }];
  });
  return { symbols, places, isCut: distinct.length > limit };
}

/** Symbols that are defined in a file, by line, at most `limit`; `depth` 0 is top level. */
export function definedIn(db: ShardDatabase, { path, limit }: { path: string; limit: number }): OutlineRow[] {
  const file = fileAt(db, path);
  if (file === undefined) return [];
  const { first, end } = symbolsOf(db, file);
  const rows = db
    .prepare('select id, parent from symbol where id >= ? and id < ? order by id limit ?')
    .all(first, end, limit) as { id: number; parent: number | null }[];
  const depths = new Map<number, number>();
  for (const { id, parent } of rows) depths.set(id, parent === null ? 0 : (depths.get(parent) ?? 0) + 1);
  return symbolRows(db, [...depths.keys()]).map((row) => ({ ...row, depth: depths.get(row.id) ?? 0 }));
}
