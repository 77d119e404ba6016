import type { FileContent } from '../../languages/facts/file-content.ts';
import type { FileFacts } from '../../languages/facts/facts.ts';
import type { ShardTexts } from './shard-text.ts';
import type { Grade, SymbolKind, Use } from './rows.ts';

/** Codes of `OccurrenceInput.use` and `NameOnlyInput.use`: the index in this list. */
export const USE_CODES = [
  'call',
  'import',
  'type',
  'read',
  'write',
  'export',
  'test',
  'implements',
] as const satisfies readonly Use[];

/** Codes of `OccurrenceInput.grade`: the index in this list. What only the name suggests goes to `FileInput.nameOnly`. */
export const GRADE_CODES = ['resolved', 'exact'] as const satisfies readonly Grade[];

/** The bit beside those of uses and relations which says that one of them is of grade `exact`. */
export const EXACT_BIT = 1 << USE_CODES.length;

/** The file that holds a symbol: the last one whose first symbol is at or before it. */
export function fileOfSymbolId(firstSymbols: ArrayLike<number>, symbol: number): number {
  let [low, high] = [0, firstSymbols.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((firstSymbols[middle] ?? 0) <= symbol) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Extent to which a file was understood: every fact, all but those of some lines, definitions only, or nothing but its text. */
export type Parsed = 'full' | 'partial' | 'outline' | 'failed';

/**
 * All that goes into the index shard of one commit. The writer takes it in one pass.
 *
 * Ids are positions and start at 0. The file id is the place in `files`, which come in ascending order of path (compared
 * with `<`, by UTF-16 code unit). The symbol id counts symbols over all files in that order, so the first symbol of a
 * file has the number of symbols in all files before it. The writer throws when an order is broken: the order of
 * extraction must never show in the index.
 *
 * `text` may be garbage as soon as the next file is asked for; the typed arrays are kept until the end of the build.
 */
export interface ShardInput {
  files: Iterable<FileInput> | AsyncIterable<FileInput>;
  /** Override families: groups of two or more symbol ids whose usages are one answer. A symbol is in at most one group. */
  families: readonly (readonly number[])[];
  /** The texts of the first files, in their order, when they were read before; those of the others are read then. */
  texts?: ShardTexts;
}

/** One file of the commit. Lines are 1-based, columns and offsets 0-based UTF-16 units. */
export interface FileInput {
  /** With `/`, relative to the root of the repository. */
  path: string;
  /** Display name, for example `TypeScript`; '' when unknown. */
  language: string;
  /** Git blob id, hexadecimal. */
  blob: string;
  sizeBytes: number;
  lines: number;
  test: boolean;
  generated: boolean;
  content: FileContent;
  parsed: Parsed;
  /** Reason why `parsed` is not `full`: one short sentence. */
  reason?: string;
  /** The text is searched, but neither parsed nor ranked. */
  isTextOnly?: true;
  /** Whole text. '' when it could not be read (missing blob, binary, too large). */
  text: string;
  /** Ascending by line, then column; a symbol comes before those inside it. */
  symbols: readonly SymbolInput[];
  /** Comments as pairs of offsets into `text`, start then end (exclusive), ascending. Empty when not known. */
  comments: Int32Array;
  occurrences: OccurrenceInput;
  nameOnly: NameOnlyInput;
  /** File ids this file imports. Order and repeats do not matter. */
  imports: Int32Array;
  /** Pairs of symbol ids, one after the other: what this file makes members of one family. */
  familyPairs?: Int32Array;
  /** Parser that read the file, '' for none, and the number of definitions in its facts. */
  parser?: string;
  definitions?: number;
  /** Absent for a file without facts. */
  structure?: FileStructure;
}

/** The shape of a file. */
export interface FileStructure {
  /** Normalised syntax of the whole file, below 2^53. */
  hash: number;
  tokens: number;
  /** Lines that hold more than white space and comments. */
  codeLines: number;
  /** Rows of `Fingerprint`. */
  fingerprints: FileFacts['fingerprints'];
  functions: readonly FunctionMeasures[];
}

/** Measures of one function: see `Metric`. It stands at its name, or at its start when it has none. */
export interface FunctionMeasures {
  line: number;
  column: number;
  end: number;
  isNamed: boolean;
  cyclomatic: number;
  cognitive: number;
  nesting: number;
  parameters: number;
  codeLines: number;
}

/** Normalised syntax of one symbol: its hash below 2^53, the number of its tokens, the shingles of its sketch. */
export interface SymbolSyntax {
  hash: number;
  tokens: number;
  sketch: Int32Array;
}

/** A definition. */
export interface SymbolInput {
  /** The name alone. */
  name: string;
  /** `Class/method`: the names from the top level of the file down, joined by `/`. */
  qualified: string;
  kind: SymbolKind;
  /** Location of the name. */
  line: number;
  column: number;
  /** Last line of the declaration. */
  end: number;
  /** Declaration head. The writer folds white space and cuts it to 200 characters. */
  signature: string;
  /** Documentation comment without its marks, whole, or ''. */
  doc: string;
  exported: boolean;
  /** True if it is written as the member of a type. */
  member?: boolean;
  /** Index of the symbol around it in this file's `symbols`, or -1. */
  parent: number;
  /** Symbol ids of what it extends or implements. */
  supers: readonly number[];
  /** Parameter types of an overload, `(Object, Type)`: absent when no other function of the file has its qualified name. */
  parameters?: string;
  /** Absent when its declaration was not read. */
  syntax?: SymbolSyntax;
}

/**
 * Resolved uses in one file, one entry a position and target; arrays of one length, any order. The definition itself is
 * not a use. Repeats of (line, column, target) are dropped: the higher grade wins, then the lower use code.
 */
export interface OccurrenceInput {
  line: Int32Array;
  column: Int32Array;
  /** Index in USE_CODES. */
  use: Uint8Array;
  /** Index in GRADE_CODES. */
  grade: Uint8Array;
  /** Symbol id. */
  target: Int32Array;
  /** Symbol id of the innermost symbol around it, or -1. */
  enclosing: Int32Array;
}

/** Grades of a use by its name alone: a use that was read but not resolved, and an identifier that no reader accounts for. */
export const NAME_GRADES = { name: 0, text: 1 } as const;

/** Member accesses, references and unread identifiers that nothing resolved, by name; arrays of one length, any order. */
export interface NameOnlyInput {
  name: readonly string[];
  /** One of NAME_GRADES. */
  grade: Uint8Array;
  line: Int32Array;
  column: Int32Array;
  /** Index in USE_CODES. */
  use: Uint8Array;
  /** Symbol id of the innermost symbol around it, or -1. */
  enclosing: Int32Array;
}
