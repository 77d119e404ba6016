import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { fileAt, symbolsOf, TextReader } from '../files/store-files.ts';
import { usesAt } from '../usages/store-usages.ts';
import { wordMatches } from '../../text/words.ts';

/** A place in a file. Lines are 1-based; a column is anywhere in a word or right behind it, 0-based UTF-16, or a word of the line. */
interface Position {
  file: number;
  line: number;
  column: number | string | undefined;
}

interface Around {
  id: number;
  name: string;
  line: number;
  column: number;
}

/**
 * The symbols that a position means. With a column: what the word there refers to, else what is defined there by that
 * name. Without: what is defined on the line; else what the line refers to when `isUse`; else the innermost symbol around
 * it; else what the line refers to. `word` is what stands at the column.
 */
export function symbolsAtPosition(
  db: ShardDatabase,
  at: Position,
  isUse: boolean,
): { ids: number[]; word: string | undefined } {
  const { first, end } = symbolsOf(db, at.file);
  const around = db
    .prepare(
      `select s.id, n.text as name, s.line, s."column" from symbol s join name n on n.id = s.name
        where s.id >= ? and s.id < ? and s.line <= ? and s.end_line >= ? order by s.end_line - s.line, s.id desc`,
    )
    .all(first, end, at.line, at.line) as unknown as Around[];
  const from = around.map(({ id }) => id);
  const defined = around.filter(({ line }) => line === at.line).toSorted((a, b) => a.id - b.id);
  const word = at.column === undefined ? undefined : wordAt(db, at, at.column);
  if (word !== undefined) {
    const referred = referredTo(db, { ...at, column: word.column, from, name: word.text });
    if (referred.length > 0) return { ids: referred, word: word.text };
    const here = defined.filter(({ column }) => column === word.column);
    const named = here.length > 0 ? here : defined.filter(({ name }) => name === word.text);
    return { ids: named.map(({ id }) => id), word: word.text };
  }
  const onLine = { ...at, column: undefined, from };
  if (defined.length > 0) return { ids: defined.map(({ id }) => id), word: undefined };
  const used = isUse || around.length === 0 ? referredTo(db, onLine) : [];
  return { ids: used.length > 0 ? used : from.slice(0, 1), word: undefined };
}

/** The symbols of a handle: all declarations and overloads of a qualified name in a file, or one overload. */
export function symbolsAtHandle(db: ShardDatabase, qualified: string, path: string): number[] {
  const file = fileAt(db, path);
  if (file === undefined) return [];
  const { first, end } = symbolsOf(db, file);
  const rows = db
    .prepare('select id from symbol where id >= ? and id < ? and ? in (qualified, qualified || parameters) order by id')
    .all(first, end, qualified) as { id: number }[];
  return rows.map(({ id }) => id);
}

/** The word that a column is in, or right behind. */
function wordAt(
  db: ShardDatabase,
  at: Position,
  column: number | string,
): { text: string; column: number } | undefined {
  const [text = ''] = new TextReader(db).lines(at.file, at.line, at.line);
  const words = [...wordMatches(text, 'name')];
  const match =
    typeof column === 'string'
      ? words.find(([word]) => word === column)
      : words.findLast(({ index, 0: word }) => index <= column && column <= index + word.length);
  return match === undefined ? undefined : { text: match[0], column: match.index };
}

/**
 * Symbols used on a line (at a column), by column: looked for among what the symbols around it, or the file, refer to;
 * among those of the name first, because another name there is an alias.
 */
function referredTo(
  db: ShardDatabase,
  at: { file: number; line: number; column: number | undefined; from: readonly number[]; name?: string },
): number[] {
  const bySymbol = db.prepare('select refers from edge where symbol = ?');
  const blobs = at.from.map((symbol) => bySymbol.get(symbol));
  blobs.push(db.prepare('select refers from file_edge where file = ?').get(at.file));
  const targets = new Set(
    blobs
      .flatMap((row) => unpackReferences((row as { refers: Uint8Array | null } | undefined)?.refers ?? null))
      .map(({ target }) => target),
  );
  const named = at.name === undefined ? [] : withName(db, [...targets], at.name);
  const used = named.filter((target) => usesAt(db, target, at));
  if (used.length > 0) return used.toSorted((a, b) => a - b);
  return [...targets].filter((target) => usesAt(db, target, at)).toSorted((a, b) => a - b);
}

function withName(db: ShardDatabase, symbols: readonly number[], name: string): number[] {
  const rows = db
    .prepare(
      `select s.id from json_each(?) j join symbol s on s.id = j.value join name n on n.id = s.name where n.text = ?`,
    )
    .all(JSON.stringify(symbols), name) as { id: number }[];
  return rows.map(({ id }) => id);
}
