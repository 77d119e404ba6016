/**
 * Certainty of an edge: `exact` from a compiler or an uploaded SCIP index, `resolved` by scope and import, `name` by name
 * alone.
 */
export type Grade = 'exact' | 'resolved' | 'name';

/** Kind of a use of a symbol. `implements`: a type names what it extends or implements, or a member overrides another. */
export type Use = 'call' | 'import' | 'type' | 'read' | 'write' | 'export' | 'test' | 'implements';

/** Kind of dependency between two things. */
export type Relation = 'extends' | 'implements' | 'calls' | 'imports' | 'references';

/** Kinds of symbols over all languages, in the words that clients filter by. */
export type SymbolKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'enum_member'
  | 'struct'
  | 'trait'
  | 'constant'
  | 'variable'
  | 'property'
  | 'module'
  | 'macro'
  | 'heading'
  | 'table';

/** Treatment of test code: included, excluded, or the only code that counts. */
export type TestFilter = 'include' | 'exclude' | 'only';

/**
 * A symbol as every query gives it. Lines are 1-based, columns 0-based UTF-16. `name` is the name alone, `qualified` is
 * `Class/method` (the part of a `sym:` handle before the `@`, where overloads have their parameters too).
 */
export interface SymbolRow {
  id: number;
  path: string;
  line: number;
  end: number;
  column: number;
  kind: SymbolKind;
  name: string;
  qualified: string;
  /**
   * Parameter types that tell an overload from the others of its qualified name in its file, `(Object, Type)`; '' for all else.
   */
  parameters: string;
  /** Declaration head on one line, at most 200 characters. */
  signature: string;
  /** First sentence of the documentation comment, or ''. */
  doc: string;
  exported: boolean;
  test: boolean;
  /** Usages of grade `exact` and `resolved`, the override family not counted. */
  refs: number;
}

/** One use of a symbol. `text` is the source line, trimmed, at most 200 characters; `enclosing` the qualified name around it or ''. */
export interface UsageRow {
  path: string;
  line: number;
  column: number;
  use: Use;
  enclosing: string;
  text: string;
  grade: Grade;
  test: boolean;
  /** True when it uses another member of the override family than the requested one. */
  family?: boolean;
  /** True when it is the declaration that the requested one overrides. */
  overridden?: boolean;
}

/** One symbol of an outline; `depth` 0 is top level. */
export interface OutlineRow extends SymbolRow {
  depth: number;
}

/** A matching line. `column` is where the match starts. */
export interface GrepRow {
  path: string;
  line: number;
  column: number;
  text: string;
}

/** A ranked hit. `why` names the parts that made the score, largest first. `score` is comparable within one answer only. */
export interface SearchRow {
  path: string;
  start: number;
  end: number;
  symbol: string;
  kind: SymbolKind | 'file';
  /** '' for a file, and where there is none. */
  signature: string;
  /** First line of its documentation; '' without. */
  doc: string;
  score: number;
  why: string;
}
