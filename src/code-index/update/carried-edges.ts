import type { DatabaseSync } from 'node:sqlite';
import { VarintReader } from '../../kernel/varints.ts';
import type { FileInput } from '../format/shard-input.ts';
import {
  packIds,
  packNumbers,
  packReferences,
  unpackIds,
  unpackNumbers,
  unpackReferences,
} from '../format/store-codec.ts';
import type { FileLinks } from '../resolve/resolve.ts';
import { type AllSymbols, EdgeCollector, folderOfPath, type UseList } from '../shard/edge-collector.ts';
import { type BaseShard, NotUpdatable } from './base-shard.ts';
import type { Layout } from './layout.ts';
import { TableCopier } from './table-copier.ts';
import { UsesMover } from './uses-mover.ts';

/** New positions of the files and symbols of the old shard. */
export interface Moves {
  /** New id of each old file with the same path, -1 for those that are gone. */
  fileTo: Int32Array;
  /** New id of each old file whose names mean what they meant, else -1. */
  linksTo: Int32Array;
  /** New id of each old symbol, -1 for those that are gone. */
  symbolTo: Int32Array;
}

/** A blob of the old shard in the new one; the same bytes when nothing in it changed. */
type Blob = Uint8Array | null;

/** Outgoing references of a symbol that is written anew. */
type EdgeRow = readonly [refers: Blob, extended: Blob];

/** Pairs of members of one family that files which keep their links make. */
export function* carriedPairs(base: BaseShard, { linksTo, symbolTo }: Moves): Generator<[number, number]> {
  for (const [file, blob] of base.each<[number, Blob]>('select file, alike from link where alike is not null')) {
    if ((linksTo[file] ?? -1) < 0) continue;
    const familyPairs = unpackNumbers(blob);
    for (let at = 0; at < familyPairs.length; at += 2)
      yield [carrySymbol(symbolTo, familyPairs[at] ?? 0), carrySymbol(symbolTo, familyPairs[at + 1] ?? 0)];
  }
}

/**
 * Takes who uses what over into the next shard: of files that keep their links as it stands there, with new ids, of the others from
 * their new links. Most rows are the same bytes.
 */
export class EdgeCarrier {
  readonly #db: DatabaseSync;
  readonly #base: BaseShard;
  readonly #layout: Layout;
  readonly #moves: Moves;
  /** New id of each old symbol of files that keep their links, else -1. */
  readonly #linkedSymbolTo: Int32Array;
  readonly #edgeRows = new Map<number, EdgeRow>();
  readonly #linkRows = new Map<number, EdgeRow>();
  readonly #anew: EdgeCollector;

  constructor(db: DatabaseSync, { base, layout, moves }: { base: BaseShard; layout: Layout; moves: Moves }) {
    this.#db = db;
    this.#base = base;
    this.#layout = layout;
    this.#moves = moves;
    this.#linkedSymbolTo = moves.symbolTo.slice();
    for (const { id, firstSymbol, symbols } of base.files)
      if ((moves.linksTo[id] ?? -1) < 0) this.#linkedSymbolTo.fill(-1, firstSymbol, firstSymbol + symbols);
    this.#anew = new EdgeCollector({
      edge: (symbol, ...row) => void this.#edgeRows.set(symbol, row),
      link: (file, ...row) => void this.#linkRows.set(file, row),
    });
  }

  /** Takes a file with new links, in the order of files. */
  add(file: number, input: Parameters<EdgeCollector['add']>[2]): void {
    this.#anew.add(file, this.#layout.firstSymbols[file] ?? 0, input);
  }

  /**
   * Writes all. `names` gives the id of each symbol name.
   *
   * @throws NotUpdatable when a file that keeps its links refers to something that is gone.
   */
  finish(symbols: AllSymbols, names: ReadonlyMap<string, number>): void {
    this.#writeUses();
    this.#writeNamed(names);
    this.#writeEdges();
    this.#writeFiles(symbols);
    this.#writeLinks();
  }

  #writeUses(): void {
    const { linksTo, symbolTo } = this.#moves;
    const added = new Map(this.#anew.uses);
    const table = new TableCopier(this.#db, 'usage', 'symbol', ['refs', 'uses']);
    const mover = new UsesMover(linksTo);
    const query = 'select symbol, uses from usage order by symbol';
    for (const [symbol, uses] of this.#base.each<[number, Uint8Array]>(query)) {
      const to = symbolTo[symbol] ?? -1;
      const more = added.get(to);
      if (more === undefined && to >= 0 && mover.isSame(uses)) {
        table.keep(symbol, to);
        continue;
      }
      table.flush();
      added.delete(to);
      const merged = mover.merge(uses, more?.out.bytes());
      if (merged.count === 0) continue;
      table.put(carrySymbol(symbolTo, symbol), merged.count, merged.uses);
    }
    for (const [symbol, { count, out }] of sortByKey(added)) table.put(symbol, count, out.bytes());
    table.flush();
  }

  #writeNamed(names: ReadonlyMap<string, number>): void {
    const added = new Map<number, UseList>();
    for (const [text, list] of this.#anew.named) {
      const name = names.get(text);
      if (name !== undefined) added.set(name, list);
    }
    const table = new TableCopier(this.#db, 'named', 'name', ['uses']);
    const mover = new UsesMover(this.#moves.linksTo);
    const query = 'select d.name, n.text, d.uses from named d join name n on n.id = d.name order by d.name';
    for (const [name, text, uses] of this.#base.each<[number, string, Uint8Array]>(query)) {
      const to = names.get(text);
      const more = to === undefined ? undefined : added.get(to);
      if (to !== undefined && more === undefined && mover.isSame(uses)) {
        table.keep(name, to);
        continue;
      }
      table.flush();
      // No symbol has the name any more: nothing in the repository can be meant.
      if (to === undefined) continue;
      added.delete(to);
      const merged = mover.merge(uses, more?.out.bytes());
      if (merged.count > 0) table.put(to, merged.uses);
    }
    for (const [name, { out }] of sortByKey(added)) table.put(name, out.bytes());
    table.flush();
  }

  #writeEdges(): void {
    const { symbolTo } = this.#moves;
    const linked = this.#linkedSymbolTo;
    const added = new Map(this.#anew.extendedBy);
    const table = new TableCopier(this.#db, 'edge', 'symbol', ['refers', 'extends', 'extended_by']);
    const put = (to: number, [refers, extended]: EdgeRow, extendedBy: Blob): void => {
      if (refers !== null || extended !== null || extendedBy !== null) table.put(to, refers, extended, extendedBy);
    };
    const query = 'select symbol, refers, extends, extended_by from edge order by symbol';
    for (const [symbol, refers, extended, by] of this.#base.each<[number, Blob, Blob, Blob]>(query)) {
      const to = symbolTo[symbol] ?? -1;
      const isLinked = (linked[symbol] ?? -1) >= 0;
      const moved: EdgeRow = isLinked
        ? [moveReferences(refers, symbolTo, goneSymbol), moveIds(extended, symbolTo, goneSymbol)]
        : (this.#edgeRows.get(to) ?? NOTHING);
      const extendedBy = addIds(moveIds(by, linked), added.get(to));
      if (isLinked && moved[0] === refers && moved[1] === extended && extendedBy === by) {
        table.keep(symbol, to);
        continue;
      }
      table.flush();
      this.#edgeRows.delete(to);
      added.delete(to);
      if (to >= 0) put(to, moved, extendedBy);
      else if (extendedBy !== null) throw goneSymbol(symbol);
    }
    const remaining = new Set([...this.#edgeRows.keys(), ...added.keys()]);
    for (const symbol of Int32Array.from(remaining).toSorted())
      put(symbol, this.#edgeRows.get(symbol) ?? NOTHING, addIds(null, added.get(symbol)));
    table.flush();
  }

  #writeFiles(symbols: AllSymbols): void {
    const { fileTo, linksTo, symbolTo } = this.#moves;
    const anew = new Map<number, EdgeRow>();
    const added = new Map<number, Map<number, number>>();
    const folderOf = (file: number): string => folderOfPath(this.#layout.files[file]?.path ?? '');
    for (const [file, topLevel, depends] of this.#anew.files(symbols, folderOf)) {
      anew.set(file, [topLevel, packReferences(depends)]);
      for (const [target, bits] of depends) added.set(target, (added.get(target) ?? new Map()).set(file, bits));
    }
    const table = new TableCopier(this.#db, 'file_edge', 'file', ['refers', 'depends', 'depended_by']);
    const put = (file: number, [refers, depends]: EdgeRow, by: Blob): void => {
      if (refers !== null || depends !== null || by !== null) table.put(file, refers, depends, by);
    };
    const query = 'select file, refers, depends, depended_by from file_edge order by file';
    for (const [file, refers, depends, by] of this.#base.each<[number, Blob, Blob, Blob]>(query)) {
      const to = fileTo[file] ?? -1;
      const isLinked = (linksTo[file] ?? -1) >= 0;
      const moved: EdgeRow = isLinked
        ? [moveReferences(refers, symbolTo, goneSymbol), moveReferences(depends, fileTo, goneFile)]
        : (anew.get(to) ?? NOTHING);
      const dependedBy = addReferences(moveReferences(by, linksTo), added.get(to));
      if (isLinked && moved[0] === refers && moved[1] === depends && dependedBy === by) {
        table.keep(file, to);
        continue;
      }
      table.flush();
      anew.delete(to);
      added.delete(to);
      if (to >= 0) put(to, moved, dependedBy);
      else if (dependedBy !== null) throw goneFile(file);
    }
    for (const file of Int32Array.from(new Set([...anew.keys(), ...added.keys()])).toSorted())
      put(file, anew.get(file) ?? NOTHING, addReferences(null, added.get(file)));
    table.flush();
  }

  #writeLinks(): void {
    const { fileTo, linksTo, symbolTo } = this.#moves;
    const table = new TableCopier(this.#db, 'link', 'file', ['imports', 'alike']);
    for (const [file, imports, familyPairs] of this.#base.each<[number, Blob, Blob]>(
      'select * from link order by file',
    )) {
      const to = linksTo[file] ?? -1;
      if (to < 0) {
        table.flush();
        const again = this.#linkRows.get(fileTo[file] ?? -1);
        if (again === undefined) continue;
        table.put(fileTo[file] ?? -1, ...again);
        this.#linkRows.delete(fileTo[file] ?? -1);
        continue;
      }
      const moved = [moveIds(imports, fileTo, goneFile), moveNumbers(familyPairs, symbolTo)] as const;
      if (moved[0] === imports && moved[1] === familyPairs) table.keep(file, to);
      else table.put(to, ...moved);
    }
    for (const [file, row] of sortByKey(this.#linkRows)) table.put(file, ...row);
    table.flush();
  }
}

/** Returns the input of the edges of a file of which only the links are known. */
export function linkedFile(
  { path, language, symbols }: Pick<FileInput, 'path' | 'language'> & { symbols: number },
  { supers, ...links }: FileLinks,
  firstSymbol: number,
): Parameters<EdgeCollector['add']>[2] {
  const rows = Array.from({ length: symbols }, (_, index) => ({ supers: supers.get(firstSymbol + index) ?? [] }));
  return { path, language, ...links, symbols: rows };
}

const NOTHING: EdgeRow = [null, null];

type Gone = (id: number) => Error;

const goneSymbol: Gone = (symbol) =>
  new NotUpdatable(`the symbol ${symbol} is gone, and a file that refers to it stays`);
const goneFile: Gone = (file) => new NotUpdatable(`the file ${file} is gone, and a file that depends on it stays`);

function carrySymbol(symbolTo: Int32Array, symbol: number): number {
  const to = symbolTo[symbol] ?? -1;
  if (to < 0) throw goneSymbol(symbol);
  return to;
}

/** True if no id of a blob changes; each has `values` more numbers. Most blobs are so: nothing is made of them. */
function areSame(blob: Uint8Array, to: Int32Array, values: number): boolean {
  const from = new VarintReader(blob);
  let id = 0;
  while (from.more) {
    id += from.next();
    if (to[id] !== id) return false;
    from.skipNext(values);
  }
  return true;
}

/** Ids with their new numbers. Those that are gone are omitted, or reported by `gone`. */
function moveIds(blob: Blob, to: Int32Array, gone?: Gone): Blob {
  if (blob === null) return null;
  if (areSame(blob, to, 0)) return blob;
  return packIds(
    unpackIds(blob)
      .map((id) => newId(to, id, gone))
      .filter((id) => id >= 0),
  );
}

function moveReferences(blob: Blob, to: Int32Array, gone?: Gone): Blob {
  if (blob === null) return null;
  if (areSame(blob, to, 1)) return blob;
  const moved = new Map<number, number>();
  for (const { target, uses } of unpackReferences(blob)) {
    const id = newId(to, target, gone);
    if (id >= 0) moved.set(id, uses);
  }
  return packReferences(moved);
}

function moveNumbers(blob: Blob, to: Int32Array): Blob {
  const symbols = unpackNumbers(blob);
  return symbols.every((symbol) => to[symbol] === symbol)
    ? blob
    : packNumbers(symbols.map((symbol) => carrySymbol(to, symbol)));
}

function newId(to: Int32Array, id: number, gone: Gone | undefined): number {
  const moved = to[id] ?? -1;
  if (moved < 0 && gone !== undefined) throw gone(id);
  return moved;
}

function addIds(blob: Blob, added: readonly number[] | undefined): Blob {
  return added === undefined ? blob : packIds([...unpackIds(blob), ...added]);
}

function addReferences(blob: Blob, added: ReadonlyMap<number, number> | undefined): Blob {
  if (added === undefined) return blob;
  return packReferences(
    new Map([...unpackReferences(blob).map(({ target, uses }) => [target, uses] as const), ...added]),
  );
}

function sortByKey<Value>(rows: ReadonlyMap<number, Value>): [number, Value][] {
  return [...rows].toSorted(([a], [b]) => a - b);
}
