import { type ExactFile, exactFile, type ExactNames, type ExactPair, ROLES } from '../program/exact-names.ts';
import { TextPlaces } from './columns.ts';
import { documentsOf, type ScipDocument } from './scip-index.ts';

/** A file of the commit that an index speaks of. */
export interface ScipText {
  /** In the shard. */
  id: number;
  text: string;
}

/** Definitions of symbols: file and offset, one after the other. */
type Definitions = Map<string, number[]>;

/**
 * Returns the targets that an index gives the names of a commit. Names of symbols that the index does not define are
 * omitted, for indexers write some under two names: what was resolved stays there. `textOf` gives the files of the commit
 * by the paths in the index; documents of other files are skipped.
 *
 * @throws ServiceError `bad_argument` for what is no index.
 */
export function scipNames(index: Uint8Array, textOf: (path: string) => ScipText | undefined): ExactNames {
  const definitions: Definitions = new Map();
  for (const { document, file, places } of filesOf(index, textOf))
    for (const { symbol, line, column, roles } of document.occurrences) {
      if ((roles & ROLES.definition) === 0) continue;
      const key = keyOf(document, symbol);
      const start = nameAt(file.text, places.offset(line, column, document.columns));
      definitions.set(key, [...(definitions.get(key) ?? []), file.id, start]);
    }
  const files = new Map<number, ExactFile>();
  const overrides: ExactPair[] = [];
  for (const { document, file, places } of filesOf(index, textOf)) {
    files.set(file.id, usesOf({ document, file, places }, definitions));
    overrides.push(...pairsOf(document, definitions));
  }
  return { files, overrides };
}

/** A document with the file that it speaks of. */
interface IndexedText {
  document: ScipDocument;
  file: ScipText;
  places: TextPlaces;
}

function* filesOf(index: Uint8Array, textOf: (path: string) => ScipText | undefined): Generator<IndexedText> {
  for (const document of documentsOf(index)) {
    const file = textOf(document.path);
    if (file !== undefined) yield { document, file, places: new TextPlaces(file.text) };
  }
}

function usesOf({ document, file, places }: IndexedText, definitions: Definitions): ExactFile {
  const rows: number[] = [];
  const roles: number[] = [];
  for (const { symbol, line, column, roles: roleBits } of document.occurrences) {
    const start = nameAt(file.text, places.offset(line, column, document.columns));
    if ((roleBits & ROLES.definition) !== 0 || start < 0) continue;
    const targets = definitions.get(keyOf(document, symbol)) ?? [];
    for (let at = 0; at < targets.length; at += 2) {
      rows.push(start, targets[at] ?? -1, targets[at + 1] ?? -1);
      roles.push((roleBits & (ROLES.import | ROLES.write)) === 0 ? ROLES.read : roleBits);
    }
  }
  return exactFile(rows, roles);
}

/** Members and those that they override; of types that implement one another each is meant for itself. */
function* pairsOf(document: ScipDocument, definitions: Definitions): Generator<ExactPair> {
  for (const { symbol, other } of document.implementations) {
    if (symbol.endsWith('#') || other.endsWith('#')) continue;
    const [file, start] = definitions.get(keyOf(document, symbol)) ?? [];
    const [otherFile, otherStart] = definitions.get(keyOf(document, other)) ?? [];
    if (file === undefined || start === undefined || otherFile === undefined || otherStart === undefined) continue;
    yield [file, start, otherFile, otherStart];
  }
}

/** Returns what is inside the quotation marks of a name. */
function nameAt(text: string, start: number): number {
  return /^["'`]$/.test(text.charAt(start)) ? start + 1 : start;
}

/** Local symbols are numbered in each document by itself. */
function keyOf({ path }: ScipDocument, symbol: string): string {
  return symbol.startsWith('local ') ? `${path} ${symbol}` : symbol;
}
