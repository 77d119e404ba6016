import { compareTexts } from '../../kernel/text-order.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import type { Grade, SymbolKind, SymbolRow } from '../../code-index/format/rows.ts';
import { GRADE_CODES } from '../../code-index/format/shard-input.ts';
import { type FileFilter, fileMask, type Page, pathOf, TextReader } from '../files/store-files.ts';
import { usesOf } from '../usages/store-usages.ts';
import { heritage } from '../../code-index/format/relations.ts';
import { fileOfSymbol, symbolRows } from '../symbols/store-symbols.ts';
import { edgesOf, overridePairs, parentOf } from '../usages/store-overrides.ts';
import { methodSets } from './store-method-sets.ts';

export { haveSameSignatures, methodSets } from './store-method-sets.ts';

const BLOCKS = JSON.stringify([...namesOfLanguages(({ implementsInBlocks }) => implementsInBlocks === true)]);

/** `impl<T: A> path::Trait<B> for &mut path::Type<C>`: what stands before the trait, and the name of the type. */
const BEFORE = /^\s*(?:unsafe\s+)?impl\b.*$/;
const BEHIND = /^\w+[^{;]*?\bfor\s+(?:&\s*(?:'\w+\s+)?)?(?:mut\s+|dyn\s+)*(?:\w+::)*([\w[(][^\s<{;,]*)/;

/** One block `impl Trait for Type`, at the line of the trait's name. */
interface TraitImplementation {
  symbol: number;
  relation: 'implements';
  grade: Grade;
  depth: 1;
  place: { path: string; line: number; name: string; signature: string };
}

/**
 * The blocks that implement a trait, by the uses of its name; none of what is no trait of such a language. The symbol is
 * the type when one of the repository has its name, of the same file first, else the trait itself.
 */
export function traitImplementations(db: ShardDatabase, trait: number): TraitImplementation[] {
  const requested = db
    .prepare(
      `select 1 from symbol s join file f on f.id = s.file where s.id = ? and s.kind = 'trait' and f.language in (select value from json_each(?))`,
    )
    .get(trait, BLOCKS);
  if (requested === undefined) return [];
  const text = new TextReader(db);
  return usesOf(db, trait).flatMap((use): TraitImplementation[] => {
    const [line = ''] = text.lines(use.file, use.line, use.line);
    const match = BEHIND.exec(line.slice(use.column));
    if (match === null || !BEFORE.test(line.slice(0, use.column))) return [];
    const [, name = ''] = match;
    const location = {
      path: pathOf(db, use.file),
      line: use.line,
      name,
      signature: line.trim().replace(/\s*\{.*$/, ''),
    };
    const grade = GRADE_CODES[use.grade] ?? 'resolved';
    return [
      { symbol: typeNamed(db, name, use.file) ?? trait, relation: 'implements', grade, depth: 1, place: location },
    ];
  });
}

function typeNamed(db: ShardDatabase, name: string, file: number): number | undefined {
  const row = db
    .prepare(
      // The index of names does not tell capitals from small letters.
      `select s.id from symbol s join name n on n.id = s.name
        where n.text = ?1 collate nocase and n.text = ?1 and s.kind in ('struct', 'enum', 'type', 'class')
        order by s.file = ?2 desc, s.id limit 1`,
    )
    .get(name, file) as { id: number } | undefined;
  return row?.id;
}

const EXACT = GRADE_CODES.indexOf('exact');

const TYPES: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['class', 'interface', 'struct', 'trait', 'enum', 'type']);

/** Relation of a row to the requested symbol. */
export type HeritageRelation = 'implements' | 'overrides' | 'extends';

/** One that implements, overrides or extends. `depth` 1 does it directly. */
export interface ImplementationRow extends SymbolRow {
  relation: HeritageRelation;
  grade: Grade;
  depth: number;
  /** True if it has no name: the row is a member of an anonymous class or object literal. */
  unnamed: boolean;
  /** Its declaration, when the repository has it: of an `impl` elsewhere than the row. */
  declared?: { qualified: string; parameters: string; path: string };
}

interface Implementations {
  total: number;
  /** Exact totals over all pages. */
  byRelation: Partial<Record<HeritageRelation, number>>;
  rows: ImplementationRow[];
  /** Symbols that the requested ones extend, implement or override, directly. */
  above: SymbolRow[];
}

interface Heir {
  symbol: number;
  relation: HeritageRelation;
  grade: Grade;
  depth: number;
  /** Location and name, when they differ from those of the symbol. */
  place?: { path: string; line: number; name: string; signature: string };
  unnamed?: boolean;
}

/**
 * Symbols that implement, override or extend others, at any depth, by path and line: of a type the types made from it, of a
 * member the members that override it. `symbols` are declarations of one name; when a type is among them, only types count.
 */
export function implementations(
  db: ShardDatabase,
  { symbols, limit, offset, ...filter }: FileFilter & Page & { symbols: readonly number[] },
): Implementations {
  const requested = symbolRows(db, symbols);
  const types = requested.filter(({ kind }) => TYPES.has(kind));
  const heirs = new Map<string, Heir>();
  const each = types.length > 0 ? types.map((type) => belowType(db, type)) : [belowMembers(db, symbols)];
  for (const implementation of each.flat()) {
    const key =
      implementation.place === undefined
        ? `${implementation.symbol}`
        : `${implementation.place.path} ${implementation.place.line} ${implementation.place.name}`;
    const existing = heirs.get(key);
    if (existing === undefined || implementation.depth < existing.depth) heirs.set(key, implementation);
  }
  for (const symbol of symbols) heirs.delete(`${symbol}`);
  const mask = fileMask(db, filter);
  const rows = [...heirs.values()]
    .filter(({ symbol }) => mask?.[fileOfSymbol(db, symbol)] !== 0)
    .map((implementation) => rowOf(db, implementation))
    .toSorted((a, b) => compareTexts(a.path, b.path) || a.line - b.line || a.id - b.id);
  const byRelation: Implementations['byRelation'] = {};
  for (const { relation } of rows) byRelation[relation] = (byRelation[relation] ?? 0) + 1;
  const above = types.length > 0 ? types.flatMap(({ id }) => aboveType(db, id)) : overriddenBy(db, symbols);
  return {
    total: rows.length,
    byRelation,
    rows: rows.slice(offset, offset + limit),
    above: symbolRows(
      db,
      [...new Set(above)].toSorted((a, b) => a - b),
    ),
  };
}

function belowType(db: ShardDatabase, { id, kind }: SymbolRow): Heir[] {
  const heirs: Heir[] = [];
  const visited = new Set([id]);
  let frontier = [id];
  for (let depth = 1; frontier.length > 0; depth += 1) {
    const next: number[] = [];
    for (const above of frontier) {
      const exact = new Set(usesOf(db, above).flatMap((use) => (use.grade === EXACT ? [use.enclosing] : [])));
      for (const below of edgesOf(db, above, 'extended_by')) {
        if (visited.has(below)) continue;
        visited.add(below);
        next.push(below);
        const relation = heritage(kindOf(db, below), kind) === 'implements' ? 'implements' : 'extends';
        heirs.push({ symbol: below, relation, grade: exact.has(below) ? 'exact' : 'resolved', depth });
      }
    }
    frontier = next;
  }
  for (const { type, grade } of methodSets(db).satisfying(id))
    if (!visited.has(type)) heirs.push({ symbol: type, relation: relationTo(db, type, kind), grade, depth: 1 });
  return [...heirs, ...traitImplementations(db, id), ...unnamedBelow(db, id, kind)];
}

function relationTo(db: ShardDatabase, below: number, above: SymbolKind): HeritageRelation {
  return heritage(kindOf(db, below), above) === 'implements' ? 'implements' : 'extends';
}

/**
 * Anonymous classes and object literals are no symbols, but their members are: one of them for each that overrides a
 * member of the type inside something that is no type.
 */
function unnamedBelow(db: ShardDatabase, type: number, kind: SymbolKind): Heir[] {
  const members = db.prepare('select id from symbol where parent = ? and member = 1').all(type) as { id: number }[];
  const below = belowMembers(
    db,
    members.map(({ id }) => id),
  );
  const rows = symbolRows(
    db,
    below.map(({ symbol }) => symbol),
  ).filter(({ id }) => isInUnnamed(db, id));
  const holders = Map.groupBy(rows, ({ id }) => parentOf(db, id) ?? -1);
  return [...holders.values()].flatMap((inside) => {
    // Two in one function have members of the same names: as many as one name occurs.
    const named = [...Map.groupBy(inside, ({ qualified, parameters }) => `${qualified}${parameters}`).values()];
    const most = named.toSorted((a, b) => b.length - a.length)[0] ?? [];
    const relation = kind === 'interface' || kind === 'trait' ? 'implements' : 'extends';
    return most.map(({ id }): Heir => ({ symbol: id, relation, grade: 'resolved', depth: 1, unnamed: true }));
  });
}

function isInUnnamed(db: ShardDatabase, member: number): boolean {
  const parent = parentOf(db, member);
  const kind = parent === undefined ? undefined : kindOf(db, parent);
  return kind !== undefined && !TYPES.has(kind);
}

/** The members that override some, themselves or through others. */
function belowMembers(db: ShardDatabase, symbols: readonly number[]): Heir[] {
  const pairs = overridePairs(db, symbols);
  const heirs: Heir[] = [];
  const visited = new Set(symbols);
  let frontier = [...symbols];
  for (let depth = 1; frontier.length > 0; depth += 1) {
    const next: number[] = [];
    for (const above of frontier)
      for (const below of pairs.below.get(above) ?? []) {
        if (visited.has(below)) continue;
        visited.add(below);
        next.push(below);
        heirs.push({ symbol: below, relation: overrideRelation(db, below, above), grade: 'resolved', depth });
      }
    frontier = next;
  }
  for (const symbol of symbols) {
    const type = parentOf(db, symbol);
    for (const { methods, grade } of type === undefined ? [] : methodSets(db).satisfying(type)) {
      const method = methods.get(symbol);
      if (method !== undefined && !visited.has(method))
        heirs.push({ symbol: method, relation: 'implements', grade, depth: 1 });
    }
  }
  return heirs;
}

function overriddenBy(db: ShardDatabase, symbols: readonly number[]): number[] {
  const { above } = overridePairs(db, symbols);
  return symbols.flatMap((symbol) => above.get(symbol) ?? []);
}

function overrideRelation(db: ShardDatabase, below: number, above: number): HeritageRelation {
  const kindAround = (symbol: number): SymbolKind | undefined => {
    const parent = parentOf(db, symbol);
    return parent === undefined ? undefined : kindOf(db, parent);
  };
  return heritage(kindAround(below), kindAround(above)) === 'implements' ? 'implements' : 'overrides';
}

function aboveType(db: ShardDatabase, type: number): number[] {
  return [...edgesOf(db, type, 'extends'), ...methodSets(db).satisfied(type)];
}

function kindOf(db: ShardDatabase, symbol: number): SymbolKind | undefined {
  return (db.prepare('select kind from symbol where id = ?').get(symbol) as { kind: SymbolKind } | undefined)?.kind;
}

function rowOf(db: ShardDatabase, { symbol, relation, grade, depth, place, unnamed = false }: Heir): ImplementationRow {
  const [row] = symbolRows(db, [symbol]);
  if (row === undefined) throw new Error(`The shard has no symbol ${symbol}.`);
  const about = { relation, grade, depth, unnamed };
  if (place === undefined) return { ...row, ...about, declared: row };
  const shown = { ...row, ...place, end: place.line, qualified: place.name, doc: '', ...about };
  // Of a type that the repository does not have, the symbol is only the trait.
  return row.name === place.name ? { ...shown, declared: row } : { ...shown, kind: 'type' };
}
