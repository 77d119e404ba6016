import {
  Comment,
  Definition,
  Export,
  FacetColumn,
  Fingerprint,
  Key,
  Member,
  Metric,
  Narrowing,
  Reference,
  Scope,
  Site,
  Syntax,
  UnreadName,
} from './facts.ts';

/** The tables of a file's facts. */
export const TABLES = {
  scopes: tableOf(Scope),
  definitions: tableOf(Definition),
  facets: tableOf(FacetColumn),
  references: tableOf(Reference),
  members: tableOf(Member),
  keys: tableOf(Key),
  exports: tableOf(Export),
  narrowings: tableOf(Narrowing),
  sites: tableOf(Site),
  comments: tableOf(Comment),
  metrics: tableOf(Metric),
  syntax: tableOf(Syntax),
  fingerprints: tableOf(Fingerprint),
  unread: tableOf(UnreadName),
};

/** Members of a table beside its columns. */
interface TableWords<Columns> {
  /** The numbers as they are stored, row after row. */
  readonly words: Int32Array;
  /** Number of rows. */
  readonly count: number;
  /** Returns the value in a column that is given by its offset. */
  at(row: number, column: Columns[keyof Columns]): number;
}

/**
 * A table of facts, read by the names of its columns: `facts.definitions.kind(row)`. The offsets of `Columns` are those in a row.
 *
 * A row that is not there is a fault of the caller: reading it throws an Error, it is never read as 0. It is no RangeError: a full
 * stack throws one, and resolution takes that for a file that nests too deeply.
 */
export type Table<Columns> = TableWords<Columns> & { readonly [Column in keyof Columns]: (row: number) => number };

/** Factory of tables of some columns. */
interface TableKind<Columns> {
  /** A table over the numbers, which are not copied. */
  new (words: Int32Array): Table<Columns>;
  readonly columns: Columns;
  /** Numbers in a row. */
  readonly width: number;
}

/**
 * A class of tables with one reader a column.
 *
 * Its source is written and compiled for each kind of table, with the offsets as numbers. Readers that one function makes
 * for all kinds share what the engine has learnt of them: after four kinds it looks up where the numbers are with every
 * read, which then costs four times as much.
 */
export function tableOf<const Columns extends Readonly<Record<string, number>>>(columns: Columns): TableKind<Columns> {
  const width = Object.keys(columns).length;
  const readers = Object.entries(columns).map(
    ([name, offset]) => `${name}(row) { ${readerAt(width, String(offset))} }`,
  );
  const source = `return class {
    constructor(words) { this.words = words; this.count = Math.floor(words.length / ${width}); }
    at(row, column) { ${readerAt(width, 'column')} }
    ${readers.join('\n    ')}
  }`;
  // oxlint-disable-next-line typescript/no-implied-eval -- only names and offsets of columns, which stand in `facts.ts`, are written into it
  const define = new Function('missing', source) as (missing: typeof missingRow) => TableKind<Columns>;
  return Object.assign(define(missingRow), { columns, width });
}

function readerAt(width: number, offset: string): string {
  return `const word = this.words[row * ${width} + ${offset}]; if (word === undefined) throw missing(row, this.count); return word;`;
}

function missingRow(row: number, count: number): Error {
  return new Error(`row ${row} of a table of ${count}`);
}

/**
 * The number at an index of a list of numbers.
 *
 * @throws Error when there is none.
 */
export function intAt(numbers: Int32Array, index: number): number {
  const number = numbers[index];
  if (number === undefined) throw new Error(`number ${index} of ${numbers.length}`);
  return number;
}
