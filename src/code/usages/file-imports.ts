import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { LANGUAGES, namesOfLanguages } from '../../languages/languages.ts';
import type { SymbolKind, Use } from '../../code-index/format/rows.ts';
import { fileOfSymbolId, USE_CODES } from '../../code-index/format/shard-input.ts';
import type { Reference } from '../../code-index/format/store-codec.ts';
import { referencesOfFile } from '../files/store-file-uses.ts';
import { firstSymbols, TextReader } from '../files/store-files.ts';
import { usesIn } from './store-usages.ts';

const ERASING = namesOfLanguages(({ erasesTypes }) => erasesTypes === true);
/** Heads of blocks that only type checkers read, by the name of the language. */
const TYPE_BLOCKS = new Map(
  LANGUAGES.flatMap(({ names, typeBlock }) =>
    typeBlock === undefined ? [] : names.map(([name]) => [name, typeBlock] as const),
  ),
);
/** Kinds that vanish with the types at run time, whatever their use. */
const TYPES: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['interface', 'type']);
/** Uses that stay when types are gone. */
const RUN_TIME = bitsOf('call', 'read', 'write', 'export', 'test', 'implements');
const IMPORT = USE_CODES.indexOf('import');
const HANDED_ON = bitsOf('import', 'export');

function bitsOf(...uses: readonly Use[]): number {
  return uses.reduce((bits, use) => bits | (1 << USE_CODES.indexOf(use)), 0);
}

/** A file with what it takes from each of some others. */
interface FileReferences {
  file: number;
  references: ReadonlyMap<number, readonly Reference[]>;
}

/**
 * References of a file to each of some others: their symbols, or of a file that defines none of what is imported, the imported
 * symbols that it re-exports.
 */
export function referencesInto(db: ShardDatabase, file: number, others: readonly number[]): FileReferences {
  const first = firstSymbols(db);
  const all = referencesOfFile(db, file);
  const own = Map.groupBy(all, ({ target }) => fileOfSymbolId(first, target));
  const imported = all.filter(({ uses }) => (uses & HANDED_ON) !== 0);
  const handedOn = (other: number): Reference[] => {
    const targets = new Set(referencesOfFile(db, other).map(({ target }) => target));
    return imported.filter(({ target }) => targets.has(target));
  };
  return { file, references: new Map(others.map((other) => [other, own.get(other) ?? handedOn(other)])) };
}

/** The imported files of which more than types is needed, or nothing that is known: such an import is there for what it does. */
export function importedAtRunTime(db: ShardDatabase, { file, references }: FileReferences): number[] {
  const { language } = db.prepare('select language from file where id = ?').get(file) as { language: string };
  const imported = [...references.keys()];
  const isKnown = (other: number): boolean => (references.get(other) ?? []).length > 0;
  if (ERASING.has(language)) {
    const symbol = db.prepare('select kind, parent from symbol where id = ?');
    const isValue = ({ target, uses }: Reference): boolean => {
      const { kind, parent } = symbol.get(target) as { kind: SymbolKind; parent: number | null };
      // A member is reached through a value, wherever that came from.
      return parent === null && !TYPES.has(kind) && (uses & RUN_TIME) !== 0;
    };
    return imported.filter((other) => !isKnown(other) || references.get(other)?.some(isValue) === true);
  }
  const head = TYPE_BLOCKS.get(language);
  const ofTypes =
    head === undefined ? new Set<number>() : linesOfBlocks(new TextReader(db).lines(file, 1, Infinity), head);
  if (ofTypes.size === 0) return imported;
  return imported.filter((other) => {
    const lines = (references.get(other) ?? []).flatMap(({ target }) =>
      usesIn(db, target, file).flatMap(({ use, line }) => (use === IMPORT ? [line] : [])),
    );
    return lines.length === 0 || lines.some((line) => !ofTypes.has(line));
  });
}

/** True if the text of a file decides which of its imports are there at run time. */
export function readsImports(db: ShardDatabase, file: number): boolean {
  const { language } = db.prepare('select language from file where id = ?').get(file) as { language: string };
  return TYPE_BLOCKS.has(language);
}

/** The numbers of the lines that are indented below a line that begins a block. */
function linesOfBlocks(lines: readonly string[], head: RegExp): Set<number> {
  const inside = new Set<number>();
  let depth: number | undefined;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const own = line.length - line.trimStart().length;
    if (depth !== undefined && own > depth) inside.add(at + 1);
    else depth = head.test(line) ? own : undefined;
  }
  return inside;
}
