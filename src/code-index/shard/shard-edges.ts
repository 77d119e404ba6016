import type { DatabaseSync } from 'node:sqlite';
import { packIds, packReferences } from '../format/store-codec.ts';
import type { FileInput } from '../format/shard-input.ts';
import { type AllSymbols, EdgeCollector } from './edge-collector.ts';

/** Writes the uses as blobs, when all files have been added in order. */
export class EdgeWriter {
  readonly #db: DatabaseSync;
  readonly #edges: EdgeCollector;

  constructor(db: DatabaseSync) {
    const insertEdge = db.prepare('insert into edge values (?, ?, ?, null)');
    const insertLink = db.prepare('insert into link values (?, ?, ?)');
    this.#db = db;
    this.#edges = new EdgeCollector({
      edge: (symbol, refers, extended) => void insertEdge.run(symbol, refers, extended),
      link: (file, imports, familyPairs) => void insertLink.run(file, imports, familyPairs),
    });
  }

  /** Takes one file. `firstSymbol` is the id of its first symbol. */
  add(file: number, firstSymbol: number, input: FileInput): void {
    this.#edges.add(file, firstSymbol, input);
  }

  /**
   * Writes what arrives at symbols, names and files. `names` gives the id of each symbol name: unresolved uses of other
   * names are dropped, because nothing in the repository can be meant.
   */
  finish(symbols: AllSymbols, names: ReadonlyMap<string, number>): void {
    const total = symbols.kinds.length;
    const insertUsage = this.#db.prepare('insert into usage values (?, ?, ?)');
    for (const [symbol, list] of readAscending(this.#edges.uses, total, 'target symbol'))
      insertUsage.run(symbol, list.count, list.out.bytes());
    const extendBy = this.#db.prepare(
      'insert into edge values (?1, null, null, ?2) on conflict (symbol) do update set extended_by = ?2',
    );
    for (const [symbol, below] of readAscending(this.#edges.extendedBy, total, 'super symbol'))
      extendBy.run(symbol, packIds(below));
    this.#finishFiles(symbols);
    this.#finishNamed(names);
  }

  /** Writes what files depend on and what depends on them. */
  #finishFiles(symbols: AllSymbols): void {
    const insert = this.#db.prepare('insert into file_edge values (?, ?, ?, ?)');
    const files = [...this.#edges.files(symbols)];
    const dependedBy = files.map(() => new Map<number, number>());
    for (const [file, , targets] of files) {
      for (const [target, bits] of targets) dependedBy[target]?.set(file, bits);
    }
    for (const [file, topLevel, depends] of files) {
      const [out, back] = [packReferences(depends), packReferences(dependedBy[file] ?? new Map())];
      if (topLevel !== null || out !== null || back !== null) insert.run(file, topLevel, out, back);
    }
  }

  #finishNamed(names: ReadonlyMap<string, number>): void {
    const insert = this.#db.prepare('insert into named values (?, ?)');
    const lists = new Map([...this.#edges.named].map(([name, list]) => [names.get(name) ?? -1, list]));
    lists.delete(-1);
    for (const [name, list] of readAscending(lists, names.size, 'name')) insert.run(name, list.out.bytes());
  }
}

function* readAscending<T>(lists: ReadonlyMap<number, T>, total: number, what: string): Generator<[number, T]> {
  for (const [id, value] of [...lists].toSorted(([a], [b]) => a - b)) {
    if (id < 0 || id >= total) throw new Error(`There is no ${what} ${id}: ids go from 0 to ${total - 1}.`);
    yield [id, value];
  }
}
