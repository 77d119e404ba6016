import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FileInput, FileStructure, SymbolInput } from '../format/shard-input.ts';
import { packFingerprints, packSketch } from '../format/structure-codec.ts';

/** Writes the tables `syntax`, `structure` and `measure` of a code shard. */
export class StructureWriter {
  readonly #syntax: StatementSync;
  readonly #structure: StatementSync;
  readonly #measure: StatementSync;

  constructor(db: DatabaseSync) {
    this.#syntax = db.prepare('insert into syntax values (?, ?, ?, ?)');
    this.#structure = db.prepare('insert into structure values (?, ?, ?, ?, ?)');
    this.#measure = db.prepare('insert into measure values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  add(file: number, firstSymbol: number, { symbols, structure }: FileInput): void {
    for (const [index, { syntax }] of symbols.entries()) {
      if (syntax === undefined || syntax.tokens === 0) continue;
      this.#syntax.run(firstSymbol + index, syntax.hash, syntax.tokens, packSketch(syntax.sketch));
    }
    if (structure === undefined) return;
    const { hash, tokens, codeLines, fingerprints } = structure;
    this.#structure.run(file, hash, tokens, codeLines, packFingerprints(fingerprints));
    for (const measured of structure.functions) {
      const symbol = symbolOf(symbols, measured);
      this.#measure.run(
        file,
        measured.line,
        measured.end,
        symbol === undefined ? null : firstSymbol + symbol.index,
        Number(symbol?.isItself ?? false),
        measured.cyclomatic,
        measured.cognitive,
        measured.nesting,
        measured.parameters,
        measured.codeLines,
      );
    }
  }
}

/** The symbol that a function is, or the innermost one around it. */
function symbolOf(
  symbols: readonly SymbolInput[],
  { line, column, isNamed }: FileStructure['functions'][number],
): { index: number; isItself: boolean } | undefined {
  let [low, high] = [0, symbols.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const symbol = symbols[middle];
    if (symbol !== undefined && (symbol.line < line || (symbol.line === line && symbol.column <= column)))
      low = middle + 1;
    else high = middle;
  }
  for (let index = low - 1; index >= 0;) {
    const symbol = symbols[index];
    if (symbol === undefined) return undefined;
    if (isNamed && symbol.line === line && symbol.column === column) return { index, isItself: true };
    if (symbol.end >= line) return { index, isItself: false };
    // The symbol before ends before: what is around both is around it. Symbols side by side have one parent.
    index = symbol.parent < index ? symbol.parent : index - 1;
  }
  return undefined;
}
