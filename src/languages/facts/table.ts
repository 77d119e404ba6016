/** What a table has beside its columns. */
interface TableWords<Columns> {
  /** The numbers as they are stored, row after row. */
  readonly words: Int32Array;
  /** Number of rows. */
  readonly count: number;
  /** What stands in a column that is given by its offset. */
  at(row: number, column: Columns[keyof Columns]): number;
}

/**
 * A table of facts, read by the names of its columns: `facts.definitions.kind(row)`. The offsets of `Columns` are those in a row.
 *
 * A row that is not there is a fault of the caller: reading it throws an Error, it is never read as 0. It is no RangeError: a full
 * stack throws one, and resolution takes that for a file that nests too deeply.
 */
export type Table<Columns> = TableWords<Columns> & { readonly [Column in keyof Columns]: (row: number) => number };

/** What makes tables of some columns. */
export interface TableKind<Columns> {
  /** A table over the numbers, which are not copied. */
  new (words: Int32Array): Table<Columns>;
  readonly columns: Columns;
  /** Numbers in a row. */
  readonly width: number;
}

/**
 * A class of tables with one reader a column. Each is a function of its own on the prototype, so that it is compiled into the loop
 * that asks for it: such a loop costs what reading the array by hand does, and nothing is made for a row.
 */
export function tableOf<const Columns extends Readonly<Record<string, number>>>(columns: Columns): TableKind<Columns> {
  const width = Object.keys(columns).length;
  class ColumnTable {
    static readonly columns = columns;
    static readonly width = width;
    readonly words: Int32Array;
    readonly count: number;

    constructor(words: Int32Array) {
      this.words = words;
      this.count = Math.floor(words.length / width);
    }

    at(row: number, column: number): number {
      return checkWord(this.words[row * width + column], row, this.count);
    }
  }
  for (const [name, offset] of Object.entries(columns)) {
    const value = function (this: ColumnTable, row: number): number {
      return checkWord(this.words[row * width + offset], row, this.count);
    };
    Object.defineProperty(ColumnTable.prototype, name, { value });
  }
  // The compiler knows nothing of properties that are defined by name: the loop above defines all of them.
  return ColumnTable as unknown as TableKind<Columns>;
}

function checkWord(word: number | undefined, row: number, count: number): number {
  if (word === undefined) throw new Error(`row ${row} of a table of ${count}`);
  return word;
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
