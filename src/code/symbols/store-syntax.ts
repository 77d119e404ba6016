import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import type { SymbolKind, SymbolRow } from '../../code-index/format/rows.ts';
import { unpackSketch } from '../../code-index/format/structure-codec.ts';
import { findDefinitions, symbolRows } from './store-symbols.ts';
import { joinedHash } from '../../languages/facts/syntax-hash.ts';

/** Most places with one name, and with one syntax. */
const MOST_NAMED = 50;
const MOST_EQUAL = 20;

/** A file or symbol of an index, with what it is known by when it moves. */
export interface CodePlace {
  path: string;
  /** `Class/method`, of an overload `Class/method(A, B)`; null for a whole file. */
  symbol: string | null;
  kind: SymbolKind | 'file';
  /** First and last line of a symbol, from 1. */
  line: number | null;
  end: number | null;
  /** Hash of the normalised syntax, hexadecimal; null when the language has no parser here. See `syntax-hash.ts`. */
  syntax: string | null;
  /** Shingles of a body of 16 tokens or more, ascending, at most 24: what two of them share tells how alike they are. */
  sketch: readonly number[] | null;
  /** Of a name that has overloads: the syntax of each. The place stands for all of them. */
  overloads?: readonly string[];
  /** Of a file: the id of its content, by which it is known where there is no syntax. */
  blob: string | null;
  exported: boolean;
  test: boolean;
}

/** Files at exactly these paths, in the order of the question. */
export function filePlaces(db: ShardDatabase, { paths }: { paths: readonly string[] }): (CodePlace | undefined)[] {
  const find = db.prepare(
    'select f.path, f.test, f.blob, s.hash from file f left join structure s on s.file = f.id where f.path = ?',
  );
  return paths.map((path) => {
    const row = find.get(path) as FileRow | undefined;
    return row === undefined ? undefined : filePlace(row);
  });
}

/**
 * Symbols by qualified name or its last parts (`Class/method`, `Class.method`), in a file or anywhere; at most 50 each. A name
 * means all of its overloads in one file, as one place; `Class/method(A, B)` means one of them.
 */
export function symbolPlaces(
  db: ShardDatabase,
  { asked }: { asked: readonly { symbol: string; path?: string | undefined }[] },
): CodePlace[][] {
  return asked.map(({ symbol, path }) => {
    const { match, rows } = findDefinitions(db, { query: symbol, limit: MOST_NAMED, path });
    if (match !== 'name') return [];
    if (/\(.+\)$/.test(symbol)) return rows.map((row) => symbolPlace(db, row));
    const named = Map.groupBy(rows, (row) => (row.parameters === '' ? row.id : `${row.qualified}@${row.path}`));
    return [...named.values()].flatMap((same) =>
      togetherPlace(
        same.map((row) => symbolPlace(db, row)),
        same[0],
      ),
    );
  });
}

/** The overloads of one name as one place: at the first, with the syntax of all and the longest sketch. */
function togetherPlace(places: readonly CodePlace[], row: SymbolRow | undefined): CodePlace[] {
  const [first, ...others] = places;
  if (first === undefined || row === undefined || others.length === 0) return [...places];
  const syntaxes = places.flatMap(({ syntax }) => (syntax === null ? [] : [syntax]));
  const hashes = syntaxes.map((syntax) => Number.parseInt(syntax, 16));
  const sketches = places.map(({ sketch }) => sketch ?? []);
  const longest = sketches.reduce((longer, sketch) => (sketch.length > longer.length ? sketch : longer));
  return [
    {
      ...first,
      symbol: row.qualified,
      syntax: hashes.length === 0 ? null : hashes.reduce(joinedHash).toString(16),
      sketch: longest.length === 0 ? null : longest,
      overloads: syntaxes,
    },
  ];
}

/** The innermost symbol around each range of lines. */
export function placesAround(
  db: ShardDatabase,
  { asked }: { asked: readonly { path: string; from: number; to: number }[] },
): (CodePlace | undefined)[] {
  const find = db.prepare(
    `select s.id from file f join symbol s on s.id >= f.first_symbol and s.id < f.first_symbol + f.symbols
      where f.path = ? and s.line <= ? and s.end_line >= ? order by s.end_line - s.line, s.id desc limit 1`,
  );
  return asked.map(({ path, from, to }) => {
    const innermost = find.get(path, from, to) as { id: number } | undefined;
    const [row] = innermost === undefined ? [] : symbolRows(db, [innermost.id]);
    return row === undefined ? undefined : symbolPlace(db, row);
  });
}

/** Files or symbols with the same syntax, whatever their name, by path and line; at most 20 each. */
export function placesWithSyntax(
  db: ShardDatabase,
  { asked }: { asked: readonly { syntax: string; isFile: boolean }[] },
): CodePlace[][] {
  const files = db.prepare(
    `select f.path, f.test, f.blob, s.hash from structure s join file f on f.id = s.file where s.hash = ?
      order by f.id limit ${MOST_EQUAL}`,
  );
  const symbols = db.prepare(`select symbol from syntax where hash = ? order by symbol limit ${MOST_EQUAL}`);
  return asked.map(({ syntax, isFile }) => {
    const hash = Number.parseInt(syntax, 16);
    if (!Number.isSafeInteger(hash)) return [];
    if (isFile) return (files.all(hash) as unknown as FileRow[]).map(filePlace);
    const ids = (symbols.all(hash) as { symbol: number }[]).map(({ symbol }) => symbol);
    return symbolRows(db, ids).map((row) => symbolPlace(db, row));
  });
}

/** Paths among these that have files below them, in the order of the question. */
export function foldersAmong(db: ShardDatabase, { paths }: { paths: readonly string[] }): string[] {
  // '0' is the character after '/'.
  const find = db.prepare('select 1 from file where path >= ? and path < ? limit 1');
  return paths.filter((path) => {
    const folder = path.replace(/\/+$/, '');
    return folder !== '' && find.get(`${folder}/`, `${folder}0`) !== undefined;
  });
}

interface FileRow {
  path: string;
  test: number;
  blob: string;
  hash: number | null;
}

function filePlace({ path, test, blob, hash }: FileRow): CodePlace {
  const syntax = hash === null ? null : hash.toString(16);
  const nowhere = { symbol: null, line: null, end: null, sketch: null };
  return { path, ...nowhere, kind: 'file', syntax, blob, exported: true, test: test === 1 };
}

function symbolPlace(db: ShardDatabase, row: SymbolRow): CodePlace {
  const { id, path, qualified, parameters, kind, line, end, exported, test } = row;
  const stored = db.prepare('select hash, sketch from syntax where symbol = ?').get(id) as
    | { hash: number; sketch: Uint8Array | null }
    | undefined;
  const syntax = stored === undefined ? null : stored.hash.toString(16);
  const sketch = stored?.sketch ? unpackSketch(stored.sketch) : null;
  return { path, symbol: qualified + parameters, kind, line, end, syntax, sketch, blob: null, exported, test };
}
