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
    for (const one of structure.functions) {
      const symbol = symbolOf(symbols, one);
      this.#measure.run(
        file,
        one.line,
        one.end,
        symbol === undefined ? null : firstSymbol + symbol.index,
        Number(symbol?.isItself ?? false),
        one.cyclomatic,
        one.cognitive,
        one.nesting,
        one.parameters,
        one.codeLines,
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
    const one = symbols[middle];
    if (one !== undefined && (one.line < line || (one.line === line && one.column <= column))) low = middle + 1;
    else high = middle;
  }
  for (let index = low - 1; index >= 0;) {
    const one = symbols[index];
    if (one === undefined) return undefined;
    if (isNamed && one.line === line && one.column === column) return { index, isItself: true };
    if (one.end >= line) return { index, isItself: false };
    // The symbol before ends before: what is around both is around it. Symbols side by side have one parent.
    index = one.parent < index ? one.parent : index - 1;
  }
  return undefined;
}
