import { NAME_FLAG, OUTSIDE, type OracleAccount, type OracleName, type OracleLocation } from './account.ts';
import type { OurIndex, OurUse } from './our-index.ts';

/** Counts of one comparison; rates are in percent. */
export interface Tally {
  right: number;
  /** Claimed by us, and the oracle knows better. */
  wrong: number;
  /** Known to the oracle, not claimed by us. */
  missed: number;
}

export interface Comparison {
  /** Of each identifier that is no declaration: does it lead where the oracle says? */
  definitions: Tally;
  /** The same for identifiers whose symbol is declared in another file. */
  definitionsApart: Tally;
  /** Uses of symbols, by kind of the symbol, each use once a symbol. */
  usages: ReadonlyMap<string, Tally>;
  /** Pairs of the symbol that calls and the symbol that is called, in different files. */
  calls: Tally;
  /** Symbols of the oracle that the index does not have. */
  unknown: number;
  differences: Difference[];
}

interface Difference {
  what:
    | 'wrong definition'
    | 'missed definition'
    | 'wrong use'
    | 'missed use'
    | 'wrong call'
    | 'missed call'
    | 'no symbol';
  kind: string;
  location: string;
  about: string;
}

interface CompareOptions {
  /** True if a use of a member counts for all members that it overrides or implements and all that override or implement it. */
  hasFamilies: boolean;
}

const keyOf = ([path, line, column]: OracleLocation): string => `${path}:${line}:${column}`;
const locationKey = ({ path, line, column }: { path: string; line: number; column: number }): string =>
  `${path}:${line}:${column}`;

/**
 * Compares an index with what an oracle says, over the files that the oracle understood. What the oracle cannot bind
 * is not counted; of a name that it takes for nothing of the repository, a claim of ours is wrong.
 */
export function compare(account: OracleAccount, index: OurIndex, options: CompareOptions): Comparison {
  const world = new World(account, index);
  const differences: Difference[] = [];
  return {
    ...compareDefinitions(world, differences),
    usages: compareUsages(world, options, differences),
    calls: compareCalls(world, differences),
    unknown: account.symbols.filter((_, id) => world.oursOf(id) === undefined).length,
    differences,
  };
}

/** Both sides by place. */
class World {
  readonly account: OracleAccount;
  readonly index: OurIndex;
  /** Names of the oracle by place. */
  readonly names = new Map<string, OracleName>();
  readonly usesAt: ReadonlyMap<string, readonly OurUse[]>;
  readonly usesOf: ReadonlyMap<number, readonly OurUse[]>;
  readonly #families: ReadonlyMap<number, readonly number[]>;
  readonly #oracleOf = new Map<number, number>();
  readonly #ours = new Map<number, number>();

  constructor(account: OracleAccount, index: OurIndex) {
    this.account = account;
    this.index = index;
    const byLocation = new Map(index.symbols.map((symbol, id) => [locationKey(symbol), id]));
    account.symbols.forEach(({ places }, id) => {
      for (const location of places) {
        const ours = byLocation.get(keyOf(location));
        if (ours === undefined) continue;
        if (!this.#ours.has(id)) this.#ours.set(id, ours);
        this.#oracleOf.set(ours, id);
      }
    });
    for (const [path, rows] of Object.entries(account.names))
      for (const row of rows) this.names.set(`${path}:${row[0]}:${row[1]}`, row);
    this.usesAt = Map.groupBy(index.uses, locationKey);
    this.usesOf = Map.groupBy(index.uses, ({ symbol }) => symbol);
    this.#families = Map.groupBy(index.symbols.keys(), (id) => index.symbols[id]?.family ?? -1);
  }

  oursOf(symbol: number): number | undefined {
    return this.#ours.get(symbol);
  }

  /** The oracle's symbol for one of ours, undefined when the oracle does not list it. */
  oracleOf(symbol: number): number | undefined {
    return this.#oracleOf.get(symbol);
  }

  /** The symbol and, when it has one, its family. */
  familyOf(symbol: number): readonly number[] {
    const family = this.index.symbols[symbol]?.family ?? -1;
    return family < 0 ? [symbol] : (this.#families.get(family) ?? [symbol]);
  }

  /** The nearest symbol around one of ours that the oracle has too, itself included. */
  sharedAround(symbol: number): number {
    let at = symbol;
    while (at >= 0 && !this.#oracleOf.has(at)) at = this.index.symbols[at]?.parent ?? -1;
    return this.#oracleOf.get(at) ?? -1;
  }

  describe(symbol: number): string {
    const oracleSymbol = this.account.symbols[symbol];
    return oracleSymbol === undefined
      ? 'nothing of the repository'
      : `${oracleSymbol.kind} ${oracleSymbol.name} ${oracleSymbol.places.map(keyOf)[0]}`;
  }

  describeOurs(symbol: number): string {
    const ourSymbol = this.index.symbols[symbol];
    return ourSymbol === undefined ? '' : `${ourSymbol.kind} ${ourSymbol.qualified} ${locationKey(ourSymbol)}`;
  }
}

const newTally = (): Tally => ({ right: 0, wrong: 0, missed: 0 });

function compareDefinitions(
  world: World,
  differences: Difference[],
): Pick<Comparison, 'definitions' | 'definitionsApart'> {
  const [all, apart] = [newTally(), newTally()];
  for (const [location, [, , flags, , ...targets]] of world.names) {
    if ((flags & NAME_FLAG.declaration) !== 0 || targets.length === 0) continue;
    const meant = targets.filter((target) => target >= 0);
    const claimed = (world.usesAt.get(location) ?? []).map(({ symbol }) => symbol);
    const path = location.replace(/:\d+:\d+$/, '');
    const isApart =
      meant.length > 0 && meant.every((id) => world.account.symbols[id]?.places.every(([at]) => at !== path));
    const tallies = isApart ? [all, apart] : [all];
    // Ours that the oracle does not list, such as members of literals, say nothing against it.
    const comparable = claimed.filter((symbol) => world.oracleOf(symbol) !== undefined);
    const isRight = comparable.some((symbol) => meant.includes(world.oracleOf(symbol) ?? -1));
    const [first = -1] = meant;
    const kind = world.account.symbols[first]?.kind ?? '';
    if (isRight) for (const tally of tallies) tally.right += 1;
    else {
      if (comparable.length > 0) {
        for (const tally of tallies) tally.wrong += 1;
        const about = `${world.describe(first)}, ours ${world.describeOurs(comparable[0] ?? -1)}`;
        differences.push({ what: 'wrong definition', kind, location, about });
      }
      if (meant.length > 0) {
        for (const tally of tallies) tally.missed += 1;
        if (comparable.length === 0)
          differences.push({ what: 'missed definition', kind, location, about: world.describe(first) });
      }
    }
  }
  return { definitions: all, definitionsApart: apart };
}

/** Uses of each searched symbol, ours with its family. */
function compareUsages(world: World, { hasFamilies }: CompareOptions, differences: Difference[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { symbol, uses } of searchesOf(world)) {
    const described = world.account.symbols[symbol];
    if (described === undefined) continue;
    const tally = tallies.get(described.kind) ?? newTally();
    tallies.set(described.kind, tally);
    const ours = world.oursOf(symbol);
    const places = ours === undefined ? new Set<string>() : claimedUses(world, ours, hasFamilies);
    const searched = new Set(uses.map(keyOf));
    // A search also finds uses of a library's member that ours implements: they name nothing of the repository.
    const gold = new Set([...searched].filter((location) => isUse(world, location) && !isOutside(world, location)));
    const difference = (what: Difference['what'], location: string): void =>
      void differences.push({ what, kind: described.kind, location, about: world.describe(symbol) });
    if (ours === undefined) difference('no symbol', described.places.map(keyOf)[0] ?? '');
    for (const location of places) {
      if (gold.has(location)) tally.right += 1;
      else if (isUse(world, location) && !searched.has(location) && (world.names.get(location)?.length ?? 0) > 4) {
        tally.wrong += 1;
        difference('wrong use', location);
      }
    }
    for (const location of gold) {
      if (places.has(location)) continue;
      tally.missed += 1;
      difference('missed use', location);
    }
  }
  return tallies;
}

function isUse(world: World, location: string): boolean {
  const name = world.names.get(location);
  return name !== undefined && (name[2] & NAME_FLAG.declaration) === 0;
}

function isOutside(world: World, location: string): boolean {
  const [, , , , ...targets] = world.names.get(location) ?? [0, 0, 0, 0];
  return targets.length > 0 && targets.every((target) => target === OUTSIDE);
}

function claimedUses(world: World, symbol: number, hasFamilies: boolean): Set<string> {
  const symbols = hasFamilies ? world.familyOf(symbol) : [symbol];
  return new Set(symbols.flatMap((id) => (world.usesOf.get(id) ?? []).map(locationKey)));
}

/** Symbols whose uses are compared, with the uses by the oracle's own search and by its names together. */
function searchesOf({ account, names }: World): Iterable<{ symbol: number; uses: OracleLocation[] }> {
  const named = new Map<number, OracleLocation[]>();
  for (const [location, [line, column, , , ...targets]] of names)
    for (const target of targets) {
      const path = location.slice(0, location.length - `:${line}:${column}`.length);
      const locations = named.get(target);
      if (locations === undefined) named.set(target, [[path, line, column]]);
      else locations.push([path, line, column]);
    }
  const groups = new Map(account.families.flatMap((group) => group.map((member) => [member, group])));
  const usesOf = (symbol: number): OracleLocation[] =>
    (groups.get(symbol) ?? [symbol]).flatMap((member) => named.get(member) ?? []);
  if (account.searches !== undefined)
    return account.searches.map(({ symbol, uses }) => ({ symbol, uses: [...uses, ...usesOf(symbol)] }));
  return account.symbols
    .keys()
    .filter((symbol) => account.symbols[symbol]?.isTest === false)
    .map((symbol) => ({ symbol, uses: usesOf(symbol) }));
}

/** Pairs of caller and callee whose declarations are in different files; none when the oracle reports no calls. */
function compareCalls(world: World, differences: Difference[]): Tally {
  const truth = new Map<string, string>();
  const claimed = new Map<string, string>();
  const files = world.account.symbols.map(({ places }) => new Set(places.map(([path]) => path)));
  const note = (into: Map<string, string>, location: string, [caller, callee]: [number, number]): void => {
    const path = location.replace(/:\d+:\d+$/, '');
    if (files[callee]?.has(path) !== true) into.set(caller < 0 ? `${path} ${callee}` : `${caller} ${callee}`, location);
  };
  for (const [location, [, , flags, caller, ...targets]] of world.names)
    if ((flags & NAME_FLAG.call) !== 0)
      for (const callee of targets) if (callee >= 0) note(truth, location, [caller, callee]);
  // Not every oracle reports calls.
  if (truth.size === 0) return newTally();
  for (const { symbol, enclosing, isCall, ...position } of world.index.uses) {
    const callee = world.oracleOf(symbol);
    const name = world.names.get(locationKey(position));
    if (!isCall || callee === undefined || name === undefined || name.length <= 4) continue;
    note(claimed, locationKey(position), [world.sharedAround(enclosing), callee]);
  }
  const tally = newTally();
  for (const [pair, location] of claimed) {
    if (truth.has(pair)) tally.right += 1;
    else {
      tally.wrong += 1;
      differences.push({ what: 'wrong call', kind: 'call', location, about: describePair(world, pair) });
    }
  }
  for (const [pair, location] of truth) {
    if (claimed.has(pair)) continue;
    tally.missed += 1;
    differences.push({ what: 'missed call', kind: 'call', location, about: describePair(world, pair) });
  }
  return tally;
}

function describePair(world: World, pair: string): string {
  const [caller = '', callee = ''] = pair.split(' ');
  return `${world.account.symbols[Number(caller)]?.name ?? caller} -> ${world.describe(Number(callee))}`;
}
