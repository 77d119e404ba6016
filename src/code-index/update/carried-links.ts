import { NO_LINKS } from '../code-index.ts';
import type { FileLinks } from '../resolve/resolve.ts';
import type { OccurrenceInput } from '../format/shard-input.ts';
import { unpackIds, unpackNumbers, UseCursor } from '../format/store-codec.ts';
import { type BaseShard, NotUpdatable } from './base-shard.ts';
import type { Layout } from './layout.ts';

/** What stands in a use of the old shard, in a row of `COLUMNS` numbers. */
const COLUMNS = 6;

/** Uses of the old shard in the files that keep their links, one after another. */
class UseRows {
  /** Old file, line, column, code, enclosing symbol (relative to its file, 0 for none), and the target or name. */
  #rows = new Int32Array(COLUMNS * 1024);
  #length = 0;
  /** Number of uses in each old file. */
  readonly counts: Int32Array;

  constructor(files: number) {
    this.counts = new Int32Array(files);
  }

  /** Takes the uses of one target that stand in files that keep their links. Tells whether there are any. */
  add(blob: Uint8Array, of: number, keptTo: Int32Array): boolean {
    const at = new UseCursor(blob);
    let found = false;
    while (at.next()) {
      const { file, line, column, code, enclosing } = at;
      if ((keptTo[file] ?? -1) < 0) continue;
      found = true;
      if (this.#length + COLUMNS > this.#rows.length) this.#grow();
      this.#rows.set([file, line, column, code, enclosing, of], this.#length);
      this.#length += COLUMNS;
      this.counts[file] = (this.counts[file] ?? 0) + 1;
    }
    return found;
  }

  /** The rows of each file, in the order of files. */
  byFile(): { starts: Int32Array; rows: Int32Array } {
    const starts = new Int32Array(this.counts.length + 1);
    for (const [file, count] of this.counts.entries()) starts[file + 1] = (starts[file] ?? 0) + count * COLUMNS;
    const next = starts.slice();
    const rows = new Int32Array(this.#length);
    for (let at = 0; at < this.#length; at += COLUMNS) {
      const file = this.#rows[at] ?? 0;
      rows.set(this.#rows.subarray(at, at + COLUMNS), next[file] ?? 0);
      next[file] = (next[file] ?? 0) + COLUMNS;
    }
    return { starts, rows };
  }

  #grow(): void {
    const grown = new Int32Array(this.#rows.length * 2);
    grown.set(this.#rows);
    this.#rows = grown;
  }
}

/**
 * The links of the files that keep theirs, as resolution gave them, with new ids; by new file id. `keptTo` gives the new
 * id of each of these files, `symbolTo` the new id of each old symbol.
 *
 * @throws NotUpdatable when one of them leads to a symbol that is no more: the file should have been resolved again.
 */
export function carriedLinks(
  base: BaseShard,
  { layout, keptTo, symbolTo }: { layout: Layout; keptTo: Int32Array; symbolTo: Int32Array },
): Map<number, FileLinks> {
  const symbol = (old: number): number => {
    const to = symbolTo[old] ?? -1;
    if (to < 0) throw goneSymbol(old);
    return to;
  };
  const uses = usesOf(base, keptTo, symbolTo);
  const named = namesOf(base, keptTo);
  const supers = supersOf(base, keptTo, symbol);
  const links = new Map<number, FileLinks>();
  for (const { id, parser } of base.files) {
    const to = keptTo[id] ?? -1;
    if (to < 0 || parser === '') continue;
    const first = layout.firstSymbols[to] ?? 0;
    links.set(to, {
      ...NO_LINKS,
      occurrences: occurrencesOf(uses, id, first),
      nameOnly: { ...columnsOf(named.rows, id, first), name: named.names(id) },
      supers: supers.get(id) ?? NO_LINKS.supers,
    });
  }
  for (const [file, imports, alike] of base.rows<[number, Uint8Array | null, Uint8Array | null]>(
    'select * from link',
  )) {
    const to = keptTo[file] ?? -1;
    const link = links.get(to);
    if (link === undefined) continue;
    link.imports = Int32Array.from(unpackIds(imports), (other) => fileAt(layout, other));
    link.alike = Int32Array.from(unpackNumbers(alike), symbol);
  }
  return links;
}

function fileAt({ fileTo }: Layout, old: number): number {
  const to = fileTo[old] ?? -1;
  if (to < 0) throw new NotUpdatable(`the file ${old} is gone, and a file that imports it stays`);
  return to;
}

type Bucket = ReturnType<UseRows['byFile']>;

function usesOf(base: BaseShard, keptTo: Int32Array, symbolTo: Int32Array): Bucket {
  const uses = new UseRows(base.files.length);
  for (const [target, blob] of base.rows<[number, Uint8Array]>('select symbol, uses from usage')) {
    const to = symbolTo[target] ?? -1;
    if (uses.add(blob, to, keptTo) && to < 0) throw goneSymbol(target);
  }
  return uses.byFile();
}

function goneSymbol(symbol: number): NotUpdatable {
  return new NotUpdatable(`the symbol ${symbol} is gone, and a file that refers to it stays`);
}

function namesOf(base: BaseShard, keptTo: Int32Array): { rows: Bucket; names: (file: number) => string[] } {
  const found = new UseRows(base.files.length);
  const query = 'select n.id, n.text, d.uses from named d join name n on n.id = d.name';
  const texts = new Map<number, string>();
  for (const [name, text, blob] of base.rows<[number, string, Uint8Array]>(query))
    if (found.add(blob, name, keptTo)) texts.set(name, text);
  const rows = found.byFile();
  return { rows, names: (file) => Array.from(columnOf(rows, file, 5), (name) => texts.get(name) ?? '') };
}

function supersOf(
  base: BaseShard,
  keptTo: Int32Array,
  symbol: (old: number) => number,
): Map<number, Map<number, number[]>> {
  const supers = new Map<number, Map<number, number[]>>();
  const query = `select s.file, e.symbol, e.extends from edge e join symbol s on s.id = e.symbol
    where e.extends is not null`;
  for (const [file, below, blob] of base.rows<[number, number, Uint8Array]>(query)) {
    if ((keptTo[file] ?? -1) < 0) continue;
    const ofFile = supers.get(file) ?? new Map<number, number[]>();
    supers.set(file, ofFile.set(symbol(below), unpackIds(blob).map(symbol)));
  }
  return supers;
}

function occurrencesOf(uses: Bucket, file: number, firstSymbol: number): OccurrenceInput {
  const code = columnOf(uses, file, 3);
  return {
    ...columnsOf(uses, file, firstSymbol),
    grade: Uint8Array.from(code, (packed) => packed >> 3),
    target: columnOf(uses, file, 5),
  };
}

function columnsOf(uses: Bucket, file: number, firstSymbol: number): Omit<OccurrenceInput, 'grade' | 'target'> {
  return {
    line: columnOf(uses, file, 1),
    column: columnOf(uses, file, 2),
    use: Uint8Array.from(columnOf(uses, file, 3), (code) => code & 7),
    enclosing: columnOf(uses, file, 4).map((enclosing) => (enclosing === 0 ? -1 : firstSymbol + enclosing - 1)),
  };
}

function columnOf({ starts, rows }: Bucket, file: number, column: number): Int32Array {
  const [start, end] = [starts[file] ?? 0, starts[file + 1] ?? 0];
  const values = new Int32Array((end - start) / COLUMNS);
  for (let at = start + column, next = 0; at < end; at += COLUMNS) values[next++] = rows[at] ?? 0;
  return values;
}
