/**
 * Facts that an oracle (a compiler or language server that is not ours) reports of a repository. Lines are from 1, columns from
 * 0 in UTF-16 units. The programs that write it are in the language of their oracle, so it is plain JSON.
 */
export interface OracleAccount {
  symbols: OracleSymbol[];
  /** Every identifier of every file that the oracle understood, by path. */
  names: Record<string, OracleName[]>;
  /** Groups of members that override or implement one another, by index of their symbols. */
  families: number[][];
  /** Places of all uses of some symbols, families included, from the oracle's own search; without it, of all symbols from `names`. */
  searches?: { symbol: number; uses: OracleLocation[] }[];
}

export interface OracleSymbol {
  kind: string;
  name: string;
  /** Every declaration. */
  places: OracleLocation[];
  /** It is declared in a test. */
  isTest: boolean;
}

export type OracleLocation = [path: string, line: number, column: number];

/**
 * One identifier. `targets` are indexes of symbols; OUTSIDE when it is bound to something that is no symbol of the
 * repository (a local variable, a library); none when the oracle cannot bind it, and says nothing.
 */
export type OracleName = [line: number, column: number, flags: number, enclosing: number, ...targets: number[]];

export const OUTSIDE = -1;

/** Bits of the flags of a name. `enclosing` is the symbol whose body holds a call, else -1. */
export const NAME_FLAG = { declaration: 1, call: 2, documentation: 4, import: 8 } as const;
