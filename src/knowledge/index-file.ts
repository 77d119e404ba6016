import { rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { BlockVectors } from './block-vectors.ts';
import { BlockFacts, type BlockSummary } from './facts.ts';
import type { IndexReach, Thing } from './store.ts';

/** Raised when the tables, or the terms of a text (`text/terms.ts`), change: an index of another version is made again. */
const FORMAT = 4;
/** Of an index of some words in this format; a test compares it, so that the number is not forgotten. */
export const FORMAT_HASH = '8403decace67d9c6';

/** Time that a writer waits for one of another process. */
const BUSY_MS = 10_000;

/** Size to which the write-ahead log is cut after it was larger. */
const LOG_BYTES = 16 * 1024 * 1024;

/** Rows that are changed at a time when all are. */
const PAGE_ROWS = 10_000;

const SCHEMA = `
  create table state (key text primary key, value text not null) strict, without rowid;
  create table posting (
    term text not null, block integer not null, entries integer not null, data blob not null,
    primary key (term, block)) strict, without rowid;
  create table block (number integer primary key, summary text not null, removed blob, facts blob not null) strict;
  create table vector (block integer primary key, data blob not null) strict;
  create table thing (
    number integer primary key, corpus text not null, id text not null, first integer not null, entries integer not null,
    unique (corpus, id)) strict;
  create table entry (
    number integer primary key, thing integer not null, part text not null, kind integer not null, title text not null,
    section text not null, date integer, tags text not null, customer integer not null, segment integer not null,
    source integer not null) strict;
  create table name (id integer primary key, text text not null unique, folded text not null) strict;
  create index name_folded on name (folded);`;

/** State of an index: it has all changes up to a position. `sequence` counts its updates. */
export interface IndexState extends IndexReach {
  sequence: number;
}

/** A block of entries. */
export interface Block {
  number: number;
  summary: BlockSummary;
  /** A bit for each entry that was removed; undefined when none was. */
  removed: Uint8Array | undefined;
}

/** An entry as it is stored. */
interface EntryRow {
  number: number;
  thing: number;
  part: string;
  title: string;
  section: string;
  date: Date | undefined;
  tags: readonly string[];
  kind: number;
  customer: number;
  segment: number;
  source: number;
}

/** An entry with its names written out. */
type StoredEntry = Thing & { part: string; title: string; section: string } & {
  date: number | null;
  tags: string;
  kind: string;
  customer: string;
  segment: string;
  source: string;
};

/**
 * The tables of one product's index in a SQLite file: the postings of each term by block, the facts of the entries of each
 * block, and the entries without their text. Readers and the one writer do not wait for each other.
 */
export class IndexFile {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Opens the file, made where it is missing. One of another format is emptied. */
  constructor(path: string, cacheBytes: number) {
    this.#db = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      this.#db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory;
        pragma cache_size = ${-Math.ceil(cacheBytes / 1024)}; pragma journal_size_limit = ${LOG_BYTES}`);
      if (this.#format() !== FORMAT) this.write(() => this.#create());
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  /** Runs `read` on one state of the file, whatever is written meanwhile. */
  read<T>(read: () => T): T {
    return this.#within('begin', read);
  }

  /** Runs `write` while no other process or thread writes. All of it is committed or, when it throws or is killed, nothing. */
  write<T>(write: () => T): T {
    return this.#within('begin immediate', write);
  }

  state(): IndexState {
    const text = this.#value('state');
    return text === undefined
      ? { sequence: 0, position: { revision: 0, corpus: '', id: '' } }
      : (JSON.parse(text) as IndexState);
  }

  /** Sets how far the index has read, and counts the update. */
  advance({ position, mark, model }: IndexReach): IndexState {
    const state = { sequence: this.state().sequence + 1, position, mark, model };
    this.#setValue('state', JSON.stringify(state));
    return state;
  }

  /** The number of the next entry. */
  get nextEntry(): number {
    return Number(this.#value('next') ?? 0);
  }

  set nextEntry(number: number) {
    this.#setValue('next', String(number));
  }

  has(term: string): boolean {
    return this.#prepare('select 1 from posting where term = ? limit 1').get(term) !== undefined;
  }

  /** Blocks that have the term, and how many of their entries do, removed ones included. */
  blocksWith(term: string): { block: number; entries: number }[] {
    return this.#all('select block, entries from posting where term = ? order by block', term);
  }

  postings(term: string, block: number): Uint8Array | undefined {
    const row = this.#prepare('select data from posting where term = ? and block = ?').get(term, block);
    return row?.['data'] as Uint8Array | undefined;
  }

  /** Adds postings to those that a term has in a block. */
  addPostings(term: string, block: number, { entries, data }: { entries: number; data: Uint8Array }): void {
    this.#prepare(
      `insert into posting (term, block, entries, data) values (?, ?, ?, ?) on conflict (term, block)
       do update set entries = entries + excluded.entries, data = cast(data || excluded.data as blob)`,
    ).run(term, block, entries, data);
  }

  /** Terms with the first letter of a term whose length differs by at most `distance`, at most `limit` of them. */
  *similarTerms(term: string, distance: number, limit: number): Generator<string> {
    const first = String.fromCodePoint(term.codePointAt(0) ?? 0);
    const sql = `select distinct term from posting
      where term >= ? and term < ? and length(term) between ? and ? limit ?`;
    const lengths = [term.length - distance, term.length + distance];
    const rows = this.#db.prepare(sql).iterate(first, `${first}\u{10ffff}`, ...lengths, limit);
    for (const row of rows) yield String(row['term']);
  }

  blocks(): Block[] {
    const rows = this.#all<{ number: number; summary: string; removed: Uint8Array | null }>(
      'select number, summary, removed from block order by number',
    );
    return rows.map(({ number, summary, removed }) => {
      return { number, summary: JSON.parse(summary) as BlockSummary, removed: removed ?? undefined };
    });
  }

  facts(block: number): BlockFacts {
    const row = this.#prepare('select facts from block where number = ?').get(block);
    return new BlockFacts(row?.['facts'] as Uint8Array | undefined);
  }

  putBlock(number: number, { summary, removed, facts }: Omit<Block, 'number'> & { facts: BlockFacts }): void {
    const sql = 'insert or replace into block (number, summary, removed, facts) values (?, ?, ?, ?)';
    this.#prepare(sql).run(number, JSON.stringify(summary), removed ?? null, facts.bytes);
  }

  deleteBlock(number: number): void {
    this.#prepare('delete from block where number = ?').run(number);
    this.#prepare('delete from vector where block = ?').run(number);
  }

  /** The vectors of the entries of a block; undefined when it has none. */
  vectors(block: number): BlockVectors | undefined {
    const row = this.#prepare('select data from vector where block = ?').get(block);
    return row && new BlockVectors(row['data'] as Uint8Array);
  }

  putVectors(block: number, { bytes }: BlockVectors): void {
    this.#prepare('insert or replace into vector (block, data) values (?, ?)').run(block, bytes);
  }

  thing({ corpus, id }: Thing): { number: number; first: number; entries: number } | undefined {
    const rows = this.#all<{ number: number; first: number; entries: number }>(
      'select number, first, entries from thing where corpus = ? and id = ?',
      corpus,
      id,
    );
    return rows[0];
  }

  addThing({ corpus, id }: Thing, first: number): number {
    const statement = this.#prepare('insert into thing (corpus, id, first, entries) values (?, ?, ?, 0)');
    return Number(statement.run(corpus, id, first).lastInsertRowid);
  }

  setEntries(thing: number, entries: number): void {
    this.#prepare('update thing set entries = ? where number = ?').run(entries, thing);
  }

  /** Deletes a thing and its entries, which are numbered without gaps. */
  deleteThing({ number, first, entries }: { number: number; first: number; entries: number }): void {
    this.#prepare('delete from thing where number = ?').run(number);
    this.#prepare('delete from entry where number >= ? and number < ?').run(first, first + entries);
  }

  addEntry({ number, thing, part, title, section, date, tags, ...names }: EntryRow): void {
    this.#prepare(
      `insert into entry (number, thing, part, title, section, date, tags, kind, customer, segment, source)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      number,
      thing,
      part,
      title,
      section,
      date?.getTime() ?? null,
      JSON.stringify(tags),
      names.kind,
      names.customer,
      names.segment,
      names.source,
    );
  }

  entry(number: number): StoredEntry | undefined {
    const rows = this.#all<StoredEntry>(
      `select thing.corpus, thing.id, part, title, section, date, tags, kind.text as kind, customer.text as customer,
              segment.text as segment, source.text as source
         from entry join thing on thing.number = entry.thing join name as kind on kind.id = entry.kind
         join name as customer on customer.id = entry.customer join name as segment on segment.id = entry.segment
         join name as source on source.id = entry.source
        where entry.number = ?`,
      number,
    );
    return rows[0];
  }

  /** The handle of the thing that an entry belongs to. */
  idOf(entry: number): string | undefined {
    const sql = 'select thing.id from entry join thing on thing.number = entry.thing where entry.number = ?';
    return this.#all<{ id: string }>(sql, entry)[0]?.id;
  }

  /** The number of a name, added when it is new. */
  nameId(text: string): number {
    const existing = this.nameOf(text);
    if (existing !== undefined) return existing;
    const statement = this.#prepare('insert into name (text, folded) values (?, ?)');
    return Number(statement.run(text, text.toLowerCase()).lastInsertRowid);
  }

  nameOf(text: string): number | undefined {
    return this.#all<{ id: number }>('select id from name where text = ?', text)[0]?.id;
  }

  /** Numbers of the names that are written so, in any case. */
  namesLike(text: string): Set<number> {
    return this.#ids('select id from name where folded = ?', text.toLowerCase());
  }

  namesFrom(start: string): Set<number> {
    return this.#ids('select id from name where text >= ? and text < ?', start, `${start}\u{10ffff}`);
  }

  /** Replaces the numbers of entries: `numberOf` keeps their order and gives none above the one before. */
  renumber(numberOf: (entry: number) => number): void {
    const move = this.#prepare('update entry set number = ? where number = ?');
    for (const { number } of this.#pages<{ number: number }>('entry', 'number')) move.run(numberOf(number), number);
    const shift = this.#prepare('update thing set first = ? where number = ?');
    for (const { number, first } of this.#pages<{ number: number; first: number }>('thing', 'number, first'))
      shift.run(numberOf(first), number);
    this.#db.exec(`delete from name where id not in (select kind from entry union select customer from entry
      union select segment from entry union select source from entry)`);
  }

  /** Replaces all postings by those that `rewrite` gives for them, in the order of terms and blocks. */
  rewritePostings(rewrite: (rows: Iterable<PostingRow>) => Iterable<PostingRow>): void {
    this.#db.exec(`drop table if exists rewritten; create table rewritten (
      term text not null, block integer not null, entries integer not null, data blob not null,
      primary key (term, block)) strict, without rowid`);
    const insert = this.#db.prepare('insert into rewritten (term, block, entries, data) values (?, ?, ?, ?)');
    const rows = this.#db.prepare('select term, block, entries, data from posting order by term, block').iterate();
    for (const row of rewrite(rows as Iterable<PostingRow>)) insert.run(row.term, row.block, row.entries, row.data);
    this.#statements.clear();
    this.#db.exec('drop table posting; alter table rewritten rename to posting');
  }

  /** The rows of a table by number, in pages: those of the page at hand may be changed. */
  *#pages<Row extends { number: number }>(table: string, columns: string): Generator<Row> {
    const sql = `select ${columns} from ${table} where number > ? order by number limit ${PAGE_ROWS}`;
    for (let last = -1; ;) {
      const rows = this.#all<Row>(sql, last);
      yield* rows;
      const end = rows.at(-1);
      if (end === undefined) return;
      last = end.number;
    }
  }

  #ids(sql: string, ...values: string[]): Set<number> {
    return new Set(this.#all<{ id: number }>(sql, ...values).map(({ id }) => id));
  }

  #within<T>(begin: string, work: () => T): T {
    this.#db.exec(begin);
    try {
      const result = work();
      this.#db.exec('commit');
      return result;
    } catch (error) {
      // SQLite ends a transaction by itself when the disk is full or the file is damaged.
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  #format(): number {
    return Number(this.#db.prepare('pragma user_version').get()?.['user_version']);
  }

  /** Another process may have made the tables in the meantime. */
  #create(): void {
    if (this.#format() === FORMAT) return;
    const tables = this.#all<{ name: string }>("select name from sqlite_schema where type = 'table'");
    for (const { name } of tables) this.#db.exec(`drop table "${name.replaceAll('"', '""')}"`);
    this.#db.exec(`${SCHEMA} pragma user_version = ${FORMAT}`);
  }

  #value(key: string): string | undefined {
    return this.#all<{ value: string }>('select value from state where key = ?', key)[0]?.value;
  }

  #setValue(key: string, value: string): void {
    this.#prepare('insert or replace into state (key, value) values (?, ?)').run(key, value);
  }

  /** The rows of a statement, whose columns are those of `Row`. */
  #all<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  #prepare(sql: string): StatementSync {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** The postings of a term in one block. */
export interface PostingRow {
  term: string;
  block: number;
  entries: number;
  data: Uint8Array;
}

/** Deletes an index with what SQLite keeps beside it: the file first, because without it the others count for nothing. */
export function deleteIndexFile(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}
