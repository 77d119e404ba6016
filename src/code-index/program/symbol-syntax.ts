import type { SymbolSyntax } from '../format/shard-input.ts';
import { intAt } from '../../languages/facts/table.ts';
import { joinedHash, sketchAt, syntaxNumber } from '../../languages/facts/syntax-hash.ts';
import type { SymbolTable } from './symbols.ts';
import type { Unit } from './unit.ts';

/**
 * The normalised syntax of each symbol of a file. Of a symbol with several declarations (accessors, merged interfaces)
 * the hash is over all of them in their order, and the sketch is that of the longest.
 */
export function syntaxOfSymbols({ facts, base }: Unit, table: SymbolTable): Map<number, SymbolSyntax> {
  const syntaxBySymbol = new Map<number, SymbolSyntax>();
  const { syntax } = facts;
  // Row 0 is the file's.
  for (let row = 1; row < syntax.count; row += 1) {
    const symbol = intAt(table.symbolOf, base + syntax.definition(row));
    if (symbol < 0) continue;
    const tokens = syntax.tokens(row);
    const syntaxOf = { hash: syntaxNumber(syntax, row), tokens, sketch: sketchAt(facts, row) };
    const previous = syntaxBySymbol.get(symbol);
    syntaxBySymbol.set(symbol, previous === undefined ? syntaxOf : joinSyntax(previous, syntaxOf));
  }
  return syntaxBySymbol;
}

function joinSyntax(previous: SymbolSyntax, added: SymbolSyntax): SymbolSyntax {
  return {
    hash: joinedHash(previous.hash, added.hash),
    tokens: previous.tokens + added.tokens,
    sketch: previous.sketch.length >= added.sketch.length ? previous.sketch : added.sketch,
  };
}
