import type { FileFacts } from '../../languages/facts/facts.ts';
import { languageOfPath, LARGEST_FILE_BYTES } from '../../languages/languages.ts';
import { type PastText, readPastFacts } from '../extract/read-facts.ts';
import type { SymbolKind } from '../format/rows.ts';
import type { SymbolInput } from '../format/shard-input.ts';
import { type FileNames, offeredNames } from '../offered-names/offered-names.ts';
import { symbolRows } from '../program/symbol-rows.ts';
import { loadSymbols } from '../program/symbols.ts';

/** Kinds of symbols that have members. What is inside of a function, or in a value, is invisible outside. */
const HOLDERS: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'struct', 'trait', 'enum', 'type', 'module']);
/** Kinds whose head holds their value too. */
const VALUES: ReadonlySet<SymbolKind> = new Set(['constant', 'variable', 'property', 'enum_member']);

/** A symbol of a file as it was in some commit: at its top, or a member of a type that is. */
export interface PastSymbol {
  /** `Class/method`. */
  qualified: string;
  kind: SymbolKind;
  /** From 1. */
  line: number;
  /** The head of its declaration on one line, without its body; of a value without what it is. */
  signature: string;
  exported: boolean;
}

export interface PastFile {
  names: FileNames;
  symbols: PastSymbol[];
}

/** True if the symbols of a file can be read, by its path and size. Documents have none that matter here. */
export function hasPastSymbols(path: string, sizeBytes: number): boolean {
  const { parser } = languageOfPath(path);
  return parser !== undefined && parser !== DOCUMENT && sizeBytes <= LARGEST_FILE_BYTES;
}

const DOCUMENT = languageOfPath('a.md').parser;

/** The symbols and offered names of texts that are in no index: see `readPastFacts`. */
export function readPastFiles(texts: readonly PastText[], signal: AbortSignal): Promise<(PastFile | undefined)[]> {
  return readPastFacts(
    texts,
    (facts, text) => ({ names: offeredNames(facts, text.path), symbols: symbolsOf(facts, text) }),
    signal,
  );
}

function symbolsOf(facts: FileFacts, { path, text }: PastText): PastSymbol[] {
  const { program, table } = loadSymbols([{ path, facts }]);
  const rows = symbolRows(program, table, { file: 0, text }, new Map());
  return rows
    .filter((row) => isOutside(rows, row))
    .map((row) => ({
      qualified: row.qualified,
      kind: row.kind,
      line: row.line,
      signature: signatureOf(row),
      exported: row.exported,
    }));
}

function isOutside(rows: readonly SymbolInput[], { parent }: SymbolInput): boolean {
  for (let outer = rows[parent]; outer !== undefined; outer = rows[outer.parent])
    if (!HOLDERS.has(outer.kind)) return false;
  return true;
}

/** Comments in a head, and how it is broken into lines, say nothing of it. */
function signatureOf({ kind, signature }: SymbolInput): string {
  const line = signature
    .replace(/\/\*[^]*?\*\//g, ' ')
    .replace(/(^|\s)(?:\/\/|# ).*$/gm, ' ')
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .trim();
  const head = VALUES.has(kind) ? line.replace(/ ?:?=(?![=>]).*$/, '') : line;
  return head.replace(/ ?(?:=>|[{:;=,])$/, '').trim();
}
