import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { firstSymbols, testModules, usesOf } from '../../code/reading/reading.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';

interface SymbolPlace {
  id: number;
  line: number;
  end: number;
  kind: string;
  name: string;
  qualified: string;
  exported: number;
}

const DEFINING: ReadonlySet<string> = new Set(['function', 'method', 'class', 'struct']);

/** Finds the symbols that places and names of a shard mean, for those who build its graph. Files that were asked about stay known. */
export class SymbolLookup {
  readonly #db: ShardDatabase;
  readonly #symbols: number;
  readonly #uses = new Map<number, ReadonlyMap<string, number>>();
  readonly #files = new Map<number, readonly SymbolPlace[]>();

  constructor(db: ShardDatabase, symbols: number) {
    this.#db = db;
    this.#symbols = symbols;
  }

  /** Returns the symbol that is used at exactly this place, as scopes and imports say. */
  usedAt(file: number, line: number, column: number): number | undefined {
    let uses = this.#uses.get(file);
    if (uses === undefined) this.#uses.set(file, (uses = this.#usesIn(file)));
    return uses.get(`${line}:${column}`);
  }

  /** The file that defines what another one imports by a name: `bp` of `from shop.api import bp`. */
  importedFrom(file: number, name: string): number | undefined {
    if (name === '' || this.symbolsOf(file).some((own) => own.name === name)) return undefined;
    const targets = this.#refersOf(file);
    const row = this.#db
      .prepare(
        `select s.file from symbol s join name n on n.id = s.name
          where n.text = ?1 and s.id in (select value from json_each(?2)) order by s.id limit 1`,
      )
      .get(name, JSON.stringify([...targets])) as { file: number } | undefined;
    return row?.file;
  }

  /** The symbols of a file in order. */
  symbolsOf(file: number): readonly SymbolPlace[] {
    let symbols = this.#files.get(file);
    if (symbols === undefined) {
      symbols = this.#db
        .prepare(
          `select s.id, s.line, s.end_line as "end", s.kind, n.text as name, s.qualified, s.exported
             from symbol s join name n on n.id = s.name where s.id >= ? and s.id < ? order by s.id`,
        )
        .all(...this.#range(file)) as unknown as SymbolPlace[];
      this.#files.set(file, symbols);
    }
    return symbols;
  }

  /** The innermost symbol around a line. */
  around(file: number, line: number): number | undefined {
    return this.symbolsOf(file).findLast((place) => place.line <= line && place.end >= line)?.id;
  }

  /** True if a line is in a module of tests, which Rust has among the code. */
  isInTests(file: number, line: number): boolean {
    const around = this.around(file, line);
    return around !== undefined && testModules(this.#db).has(around);
  }

  /** The first function, method or class that stands on a line or below it; with a name, the one of this name on the line. */
  definedFrom(file: number, line: number, name?: string): number | undefined {
    return this.symbolsOf(file).find(
      (place) =>
        DEFINING.has(place.kind) &&
        (name === undefined ? place.line >= line : place.line === line && place.name === name),
    )?.id;
  }

  /** The one function, method or class of this name in a file, or else anywhere outside of tests; nothing when there are several. */
  named(name: string, file: number): number | undefined {
    const own = this.symbolsOf(file).filter((place) => place.name === name && DEFINING.has(place.kind));
    if (own.length === 1) return own[0]?.id;
    const all = this.functionsNamed(name);
    return all.length === 1 ? all[0] : undefined;
  }

  /** The functions, methods and classes of this name outside of tests. */
  functionsNamed(name: string): number[] {
    return this.#called(name).flatMap(({ id, kind }) => (DEFINING.has(kind) ? [id] : []));
  }

  /** The method of a class, by both names, else the class. Of several those in a file whose path ends with `file` come first. */
  member(owner: string, name: string, file = ''): number | undefined {
    const inFile = ({ path }: { path: string }): boolean => `/${path}`.endsWith(file);
    const methods = this.#called(name).filter(({ qualified }) => `/${qualified}`.endsWith(`/${owner}/${name}`));
    const owners = this.#called(owner);
    return (methods.find(inFile) ?? owners.find((own) => file !== '' && inFile(own)) ?? methods[0] ?? owners[0])?.id;
  }

  #called(name: string): { id: number; kind: string; qualified: string; path: string }[] {
    return this.#db
      .prepare(
        `select s.id, s.kind, s.qualified, f.path from name n join symbol s on s.name = n.id join file f on f.id = s.file
          where n.text = ?1 collate nocase and n.text = ?1 and f.test = 0 order by s.id limit 50`,
      )
      .all(name) as { id: number; kind: string; qualified: string; path: string }[];
  }

  #range(file: number): [number, number] {
    const starts = firstSymbols(this.#db);
    return [starts[file] ?? 0, starts[file + 1] ?? this.#symbols];
  }

  /** Returns the symbols that a file uses, by place. */
  #usesIn(file: number): ReadonlyMap<string, number> {
    const places = new Map<string, number>();
    for (const target of this.#refersOf(file))
      for (const use of usesOf(this.#db, target))
        if (use.file === file) places.set(`${use.line}:${use.column}`, target);
    return places;
  }

  /** The symbols that a file and what it defines refer to. */
  #refersOf(file: number): Set<number> {
    const [from, to] = this.#range(file);
    const rows = [
      ...(this.#db.prepare('select refers from file_edge where file = ?').all(file) as { refers: Uint8Array | null }[]),
      ...(this.#db.prepare('select refers from edge where symbol >= ? and symbol < ?').all(from, to) as {
        refers: Uint8Array | null;
      }[]),
    ];
    return new Set(rows.flatMap(({ refers }) => unpackReferences(refers).map(({ target }) => target)));
  }
}
