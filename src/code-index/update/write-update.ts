import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { buildShard } from '../../indexes/shards/shards.ts';
import { NO_LINKS } from '../code-index.ts';
import { RankIndexWriter } from '../shard/rank-index.ts';
import { Vocabulary } from '../format/rank-words.ts';
import type { FileLinks } from '../resolve/resolve.ts';
import type { FileInput } from '../format/shard-input.ts';
import { RowWriter } from '../shard/shard-rows.ts';
import { CODE_INDEXES, CODE_SETTINGS, CODE_SHARD, CODE_TABLES, SYMBOL_KINDS } from '../format/shard-schema.ts';
import { lineStarts } from '../format/line-starts.ts';
import { familyOf, type ShardCounts, type ShardOrigin, writeDense } from '../shard/shard-writer.ts';
import { WORD_VECTORS } from '../format/word-vectors.ts';
import { type BaseShard, NotUpdatable } from './base-shard.ts';
import { EdgeCarrier, linkedFile, type Moves } from './carried-edges.ts';
import { cutUnits } from '../format/cut-units.ts';
import { UnitIndexWriter } from '../shard/unit-index.ts';
import { carryTerms } from './carried-terms.ts';
import { carryUnits, layOutUnits } from './carried-units.ts';
import { TextCarrier } from './carried-texts.ts';
import { type Layout, type Run, runsOf } from './layout.ts';
import { termsOfFiles } from './term-table.ts';

/** All that makes the next shard out of the one before. */
interface ShardUpdate {
  base: BaseShard;
  layout: Layout;
  /** The files that changed, by new id. */
  changed: ReadonlyMap<number, FileInput>;
  moves: Moves;
  /** The files whose names were resolved now, and what they refer to, by new id. */
  anew: { files: ReadonlySet<number>; links: ReadonlyMap<number, FileLinks> };
  families: readonly (readonly number[])[];
}

/** Tables whose rows belong to files and are numbered through: they are copied by the ids of their rows. */
const NUMBERED = {
  comment: 'file + :files, line, tag, text',
  measure: `file + :files, line, end_line, symbol + :symbols, itself, cyclomatic, cognitive, nesting, parameters,
    code_lines`,
} as const;

/**
 * Writes the shard of a commit out of the one before, row by row what `writeCodeShard` would write but for the borders of
 * compressed blocks. Only the texts of changed files are looked at; the rest is copied with new ids.
 */
export function writeUpdatedShard(path: string, origin: ShardOrigin, update: ShardUpdate): Promise<ShardCounts> {
  return buildShard(path, { ...CODE_SHARD, meta: { ...origin } }, (db) => {
    db.exec(CODE_TABLES + CODE_SETTINGS);
    attach(db, update.base);
    const families = familyOf(update.families);
    const rows = new RowWriter(db, families);
    writeRows(db, rows, update);
    setFamilies(db, families, update.layout);
    writeTexts(db, update);
    writeEdges(db, rows.names.ids, update);
    db.exec(CODE_INDEXES);
    return countsOf(update);
  });
}

/** @throws NotUpdatable when it was deleted since it was opened. */
function attach(db: DatabaseSync, base: BaseShard): void {
  try {
    db.prepare('attach database ? as base').run(base.uri);
  } catch (error) {
    throw new NotUpdatable('the shard before is gone', { cause: error });
  }
}

/** Writes the rows of single files: copied for the runs of files that stay, written for the others. */
function writeRows(db: DatabaseSync, rows: RowWriter, { base, layout, changed }: ShardUpdate): void {
  const names = new NameCarrier(db, rows, base);
  const copier = new RunCopier(db, base);
  for (const part of runsOf(layout)) {
    if ('id' in part) {
      const file = changed.get(part.id);
      if (file === undefined) throw new Error(`the changed file ${part.id} is missing`);
      rows.add({ id: part.id, firstSymbol: layout.firstSymbols[part.id] ?? 0 }, file, lineStarts(file.text));
    } else {
      names.carry(part);
      copier.copy(part);
    }
  }
}

/** Gives the names of old symbols their new ids, in the order in which a whole shard would have them. */
class NameCarrier {
  readonly #rows: RowWriter;
  readonly #texts: ReadonlyMap<number, string>;
  readonly #nameOf: Int32Array;
  readonly #carried = new Set<number>();
  readonly #insert: StatementSync;
  readonly #copies: readonly StatementSync[];
  /** Old names that follow each other and are to be copied, and what is added to their ids. */
  #pending: { first: number; last: number; shift: number } | undefined;

  constructor(db: DatabaseSync, rows: RowWriter, base: BaseShard) {
    db.exec('create temp table name_to (old integer primary key, new integer not null) strict');
    this.#rows = rows;
    this.#texts = new Map(base.each<[number, string]>('select id, text from name'));
    this.#nameOf = Int32Array.from(base.each<[number]>('select name from symbol order by id'), ([name]) => name);
    this.#insert = db.prepare('insert into name_to values (?, ?)');
    const range = 'from base.name where id >= :first and id <= :last order by id';
    this.#copies = [
      db.prepare(`insert into name select id + :shift, text, initials ${range}`),
      db.prepare(`insert into name_to select id, id + :shift ${range}`),
    ];
  }

  carry({ firstSymbol, symbols }: Run): void {
    for (const name of this.#nameOf.subarray(firstSymbol, firstSymbol + symbols)) {
      if (this.#carried.has(name)) continue;
      this.#carried.add(name);
      const text = this.#texts.get(name) ?? '';
      const existing = this.#rows.names.ids.get(text);
      if (existing === undefined) this.#copy(name, this.#rows.names.reserve(text));
      else this.#insert.run(name, existing);
    }
    this.#flush();
  }

  #copy(name: number, to: number): void {
    const shift = to - name;
    if (this.#pending?.shift === shift && this.#pending.last === name - 1) {
      this.#pending.last = name;
      return;
    }
    this.#flush();
    this.#pending = { first: name, last: name, shift };
  }

  #flush(): void {
    if (this.#pending !== undefined) for (const copy of this.#copies) copy.run(this.#pending);
    this.#pending = undefined;
  }
}

/** Copies the rows of runs of files. */
class RunCopier {
  readonly #file: StatementSync;
  readonly #structure: StatementSync;
  readonly #symbol: StatementSync;
  readonly #syntax: StatementSync;
  readonly #numbered: { copy: StatementSync; rows: FirstRows }[];

  constructor(db: DatabaseSync, base: BaseShard) {
    this.#file =
      db.prepare(`insert into file select id + :files, path, language, blob, size_bytes, lines, test, generated,
      parsed, reason, first_symbol + :symbols, symbols, parser, definitions, content from base.file
      where id >= :first and id < :after order by id`);
    this.#structure = db.prepare(`insert into structure select file + :files, hash, tokens, code_lines, fingerprints
      from base.structure where file >= :first and file < :after order by file`);
    this.#symbol =
      db.prepare(`insert into symbol select s.id + :symbols, s.file + :files, n.new, s.qualified, s.kind, s.line,
      s.end_line, s."column", s.signature, s.doc, s.exported, s.member, s.parent + :symbols, null, s.parameters
      from base.symbol s cross join temp.name_to n on n.old = s.name where s.id >= :first and s.id < :after order by s.id`);
    this.#syntax = db.prepare(`insert into syntax select symbol + :symbols, hash, tokens, sketch from base.syntax
      where symbol >= :first and symbol < :after order by symbol`);
    this.#numbered = Object.entries(NUMBERED).map(([table, columns]) => ({
      copy: db.prepare(
        `insert into ${table} select null, ${columns} from base.${table} where id >= :first and id < :after order by id`,
      ),
      rows: new FirstRows(base, table),
    }));
  }

  copy({ first, files, firstSymbol, symbols, fileShift, symbolShift }: Run): void {
    const after = first + files;
    this.#file.run({ first, after, files: fileShift, symbols: symbolShift });
    this.#structure.run({ first, after, files: fileShift });
    const bySymbol = { first: firstSymbol, after: firstSymbol + symbols, symbols: symbolShift };
    this.#symbol.run({ ...bySymbol, files: fileShift });
    this.#syntax.run(bySymbol);
    const [comment, measure] = this.#numbered;
    comment?.copy.run({ ...comment.rows.between(first, after), files: fileShift });
    measure?.copy.run({ ...measure.rows.between(first, after), files: fileShift, symbols: symbolShift });
  }
}

/** Finds rows of a table that is numbered through: its ids ascend with the files. */
class FirstRows {
  readonly #base: BaseShard;
  readonly #fileOf: string;
  readonly #after: number;

  constructor(base: BaseShard, table: string) {
    this.#base = base;
    this.#fileOf = `select file from ${table} where id = ?`;
    this.#after = (base.rows<[number | null]>(`select max(id) from ${table}`)[0]?.[0] ?? 0) + 1;
  }

  /** From the first row of a file to before that of another. */
  between(first: number, after: number): { first: number; after: number } {
    return { first: this.#find(first), after: this.#find(after) };
  }

  /** The first row of this file or a later one. */
  #find(file: number): number {
    let [low, high] = [1, this.#after];
    while (low < high) {
      const middle = (low + high) >> 1;
      const [row] = this.#base.rows<[number]>(this.#fileOf, middle);
      if (row !== undefined && row[0] >= file) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Families of symbols that stay; those of changed files were written with them. */
function setFamilies(db: DatabaseSync, families: ReadonlyMap<number, number>, layout: Layout): void {
  const update = db.prepare('update symbol set family = ? where id = ?');
  for (const [symbol, family] of families) if (symbol < layout.symbols) update.run(family, symbol);
}

/** Texts, trigrams, the ranked search, and units. */
function writeTexts(db: DatabaseSync, { base, layout, changed }: ShardUpdate): void {
  const texts = new TextCarrier(base);
  const vocabulary = new Vocabulary(WORD_VECTORS.terms);
  const rank = new RankIndexWriter(vocabulary);
  const cut = new Map([...changed].map(([id, file]) => [id, cutUnits(file, lineStarts(file.text))]));
  const unitLayout = layOutUnits(base, layout, cut);
  const units = new UnitIndexWriter(vocabulary);
  for (const [id, { base: old }] of layout.files.entries()) {
    const file = changed.get(id);
    if (old !== undefined) texts.keep(old.id, id);
    if (file === undefined) continue;
    const starts = lineStarts(file.text);
    texts.add(id, file.text, starts);
    const words = vocabulary.read(file.isTextOnly ? '' : file.text, starts);
    rank.add({ id, firstSymbol: layout.firstSymbols[id] ?? 0 }, file, words);
    units.add({ id, first: unitLayout.firsts[id] ?? 0 }, file, cut.get(id) ?? [], words);
  }
  texts.write(db);
  const lost = base.files.filter(({ id }) => (layout.unchangedTo[id] ?? -1) < 0);
  const gone = termsOfFiles(base, lost, vocabulary);
  carryTerms({ db, base }, layout, rank.finish(layout.symbols), gone);
  carryUnits({ db, base }, unitLayout, units.finish(), gone);
}

function writeEdges(
  db: DatabaseSync,
  names: ReadonlyMap<string, number>,
  { base, layout, changed, moves, anew }: ShardUpdate,
): void {
  const edges = new EdgeCarrier(db, { base, layout, moves });
  const [oldKinds, oldTests] = [base.dense('symbol_kind'), base.dense('file_test')];
  const kinds = new Uint8Array(layout.symbols);
  const tests = new Uint8Array(layout.files.length);
  for (const [id, { path, base: old }] of layout.files.entries()) {
    const firstSymbol = layout.firstSymbols[id] ?? 0;
    const file = changed.get(id);
    if (file !== undefined) {
      edges.add(id, file);
      kinds.set(
        file.symbols.map(({ kind }) => SYMBOL_KINDS.indexOf(kind)),
        firstSymbol,
      );
      tests[id] = Number(file.test);
    } else if (old !== undefined) {
      if (anew.files.has(id)) edges.add(id, linkedFile({ ...old, path }, anew.links.get(id) ?? NO_LINKS, firstSymbol));
      kinds.set(oldKinds.subarray(old.firstSymbol, old.firstSymbol + old.symbols), firstSymbol);
      tests[id] = oldTests[old.id] ?? 0;
    }
  }
  const firstSymbols = Array.from(layout.firstSymbols.subarray(0, -1));
  edges.finish({ firstSymbols, kinds }, names);
  writeDense(db, { tests, kinds, firstSymbols });
}

function countsOf({ layout, changed }: ShardUpdate): ShardCounts {
  const counts = { files: layout.files.length, symbols: layout.symbols, lines: 0 };
  for (const [id, { base }] of layout.files.entries()) counts.lines += (base ?? changed.get(id))?.lines ?? 0;
  return counts;
}
