import { ServiceError } from '../../kernel/errors.ts';
import { fieldsOf, integersOf, textOf } from './protobuf.ts';

/** Fields of the messages, by the names that SCIP's schema gives them. */
const INDEX = { metadata: 1, documents: 2 } as const;
const METADATA = { toolInfo: 2, projectRoot: 3 } as const;
const TOOL_INFO = { name: 1, version: 2 } as const;
const DOCUMENT = { relativePath: 1, occurrences: 2, symbols: 3, positionEncoding: 6 } as const;
const OCCURRENCE = { range: 1, symbol: 2, symbolRoles: 3 } as const;
const SYMBOL_INFORMATION = { symbol: 1, relationships: 4 } as const;
const RELATIONSHIP = { symbol: 1, isReference: 2, isImplementation: 3 } as const;

/** Unit of columns; UTF-16 units where an index states none, as indexers do that are written in TypeScript. */
export type ColumnUnit = 'utf8' | 'utf16' | 'utf32';
const COLUMN_UNITS: readonly ColumnUnit[] = ['utf16', 'utf8', 'utf16', 'utf32'];

/** Tool that made an index, and the folder it ran in. */
interface ScipTool {
  name: string;
  version: string;
  projectRoot: string;
}

/** One file of an index. */
export interface ScipDocument {
  /** As the indexer wrote it: relative to the root of its project. */
  path: string;
  columns: ColumnUnit;
  occurrences: ScipOccurrence[];
  /** Symbols of this file, each with another that it implements or overrides. */
  implementations: { symbol: string; other: string }[];
}

/** A name in a file. Line and columns from 0, in the unit of the document. */
export interface ScipOccurrence {
  symbol: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  /** Bits of SCIP's `SymbolRole`. */
  roles: number;
}

/** @throws ServiceError `bad_argument` when the index does not name the tool that made it, or is none. */
export function toolOf(index: Uint8Array): ScipTool {
  const tool: ScipTool = { name: '', version: '', projectRoot: '' };
  for (const { number, bytes } of fieldsOf(index)) {
    if (number !== INDEX.metadata) continue;
    for (const field of fieldsOf(bytes)) {
      if (field.number === METADATA.projectRoot) tool.projectRoot = textOf(field.bytes);
      if (field.number !== METADATA.toolInfo) continue;
      for (const info of fieldsOf(field.bytes)) {
        if (info.number === TOOL_INFO.name) tool.name = textOf(info.bytes);
        if (info.number === TOOL_INFO.version) tool.version = textOf(info.bytes);
      }
    }
  }
  if (tool.name !== '') return tool;
  throw new ServiceError('bad_argument', 'This is not a SCIP index: it does not say which indexer made it.', {
    fix: 'Send the file that an indexer wrote, usually index.scip, as it is.',
  });
}

/** The documents of an index, one after the other. */
export function* documentsOf(index: Uint8Array): Generator<ScipDocument> {
  for (const { number, bytes } of fieldsOf(index)) if (number === INDEX.documents) yield documentOf(bytes);
}

function documentOf(bytes: Uint8Array): ScipDocument {
  const document: ScipDocument = { path: '', columns: 'utf16', occurrences: [], implementations: [] };
  for (const field of fieldsOf(bytes)) {
    if (field.number === DOCUMENT.relativePath) document.path = textOf(field.bytes);
    if (field.number === DOCUMENT.positionEncoding) document.columns = COLUMN_UNITS[field.value] ?? 'utf16';
    if (field.number === DOCUMENT.occurrences) document.occurrences.push(occurrenceOf(field.bytes));
    if (field.number === DOCUMENT.symbols) document.implementations.push(...implementationsOf(field.bytes));
  }
  return document;
}

function occurrenceOf(bytes: Uint8Array): ScipOccurrence {
  const range: number[] = [];
  let [symbol, roles] = ['', 0];
  for (const field of fieldsOf(bytes)) {
    // Packed by every writer; the format also allows one integer a field.
    if (field.number === OCCURRENCE.range)
      range.push(...(field.bytes.length > 0 ? integersOf(field.bytes) : [field.value]));
    if (field.number === OCCURRENCE.symbol) symbol = textOf(field.bytes);
    if (field.number === OCCURRENCE.symbolRoles) roles = field.value;
  }
  const [line = 0, column = 0, third = column, fourth] = range;
  const isOneLine = fourth === undefined;
  return { symbol, line, column, endLine: isOneLine ? line : third, endColumn: isOneLine ? third : fourth, roles };
}

function implementationsOf(bytes: Uint8Array): { symbol: string; other: string }[] {
  let symbol = '';
  const others: string[] = [];
  for (const field of fieldsOf(bytes)) {
    if (field.number === SYMBOL_INFORMATION.symbol) symbol = textOf(field.bytes);
    if (field.number !== SYMBOL_INFORMATION.relationships) continue;
    let [other, isMember] = ['', false];
    for (const { number, value, bytes: inner } of fieldsOf(field.bytes)) {
      if (number === RELATIONSHIP.symbol) other = textOf(inner);
      if (number === RELATIONSHIP.isReference || number === RELATIONSHIP.isImplementation) isMember ||= value === 1;
    }
    if (isMember) others.push(other);
  }
  return others.map((other) => ({ symbol, other }));
}
