import type { PastSymbol } from '../../code-index/past-symbols/past-symbols.ts';

/** The kind of change of a symbol. `moved` is unchanged in another file. */
type SymbolChangeKind = 'added' | 'removed' | 'changed' | 'moved';

/** A symbol that two ends do not have alike. */
export interface SymbolChange {
  change: SymbolChangeKind;
  /** As it is after the change; of a removed one as it was. */
  symbol: PastSymbol;
  /** Of a changed one how it was. */
  before?: PastSymbol;
}

/** The symbols of a file at both ends. */
interface FileEnds {
  before: readonly PastSymbol[];
  after: readonly PastSymbol[];
}

/**
 * Compares the symbols of a file at both ends. An added or removed type includes its members, as does one that is rewritten
 * whole (an alias). Functions of one name (overloads) are compared as a group: equal ones are unchanged, the others are paired
 * in their order.
 */
export function compareSymbols({ before, after }: FileEnds): SymbolChange[] {
  const [old, now] = [bySymbol(before), bySymbol(after)];
  const changes: SymbolChange[] = [];
  for (const [key, group] of now) {
    const was = old.get(key) ?? [];
    const oldSymbols = subtractSymbols(was, group);
    for (const [at, symbol] of subtractSymbols(group, was).entries()) {
      const pair = oldSymbols[at];
      changes.push(pair === undefined ? { change: 'added', symbol } : { change: 'changed', symbol, before: pair });
    }
  }
  for (const [key, group] of old) {
    const is = now.get(key) ?? [];
    const gone = subtractSymbols(group, is).slice(subtractSymbols(is, group).length);
    changes.push(...gone.map((symbol): SymbolChange => ({ change: 'removed', symbol })));
  }
  return outermost(changes).toSorted((a, b) => a.symbol.line - b.symbol.line);
}

/**
 * Takes symbols that were removed from one file and added to another with the same head for moved: the removal is dropped, the
 * addition becomes `moved`. A name that several files lost or gained stays as it is.
 */
export function joinMoves(files: readonly SymbolChange[][]): SymbolChange[][] {
  const keyOf = ({ symbol: { kind, qualified, signature } }: SymbolChange): string =>
    `${kind} ${qualified} ${signature}`;
  const of = (change: SymbolChangeKind): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const file of files.flat())
      if (file.change === change) counts.set(keyOf(file), (counts.get(keyOf(file)) ?? 0) + 1);
    return counts;
  };
  const [added, removed] = [of('added'), of('removed')];
  const isMoved = (change: SymbolChange): boolean => added.get(keyOf(change)) === 1 && removed.get(keyOf(change)) === 1;
  return files.map((changes) =>
    changes.flatMap((change): SymbolChange[] => {
      if ((change.change !== 'added' && change.change !== 'removed') || !isMoved(change)) return [change];
      return change.change === 'added' ? [{ ...change, change: 'moved' }] : [];
    }),
  );
}

function bySymbol(symbols: readonly PastSymbol[]): Map<string, PastSymbol[]> {
  return Map.groupBy(symbols, ({ qualified }) => qualified);
}

/** Those whose head none of the others has, each of which stands for one. */
function subtractSymbols(symbols: readonly PastSymbol[], others: readonly PastSymbol[]): PastSymbol[] {
  const heads = new Map<string, number>();
  for (const { signature } of others) heads.set(signature, (heads.get(signature) ?? 0) + 1);
  return symbols.filter(({ signature }) => {
    const unmatched = heads.get(signature) ?? 0;
    heads.set(signature, unmatched - 1);
    return unmatched <= 0;
  });
}

/** Without members of what was itself added or removed, and of an alias that changed: its head holds them. */
function outermost(changes: readonly SymbolChange[]): SymbolChange[] {
  const whole = new Map(
    changes
      .filter(({ change, symbol }) => change !== 'changed' || symbol.kind === 'type')
      .map(({ change, symbol }) => [symbol.qualified, change]),
  );
  return changes.filter(({ change, symbol: { qualified } }) => {
    for (let end = qualified.lastIndexOf('/'); end > 0; end = qualified.lastIndexOf('/', end - 1)) {
      const outer = whole.get(qualified.slice(0, end));
      if (outer === change || outer === 'changed') return false;
    }
    return true;
  });
}
