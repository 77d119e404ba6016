import { DefinitionFlag, DefinitionKind, Facet, NodeOp } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { SymbolKind } from '../format/rows.ts';
import type { SymbolInput } from '../format/shard-input.ts';
import { lineOf } from '../../languages/facts/lines.ts';
import { namesOf, opOf } from './nodes.ts';
import { addParameterLists } from './parameter-lists.ts';
import { facetsOf, type Program } from './program.ts';
import { syntaxOfSymbols } from './symbol-syntax.ts';
import { exportedByRow, positionOf, type SymbolTable } from './symbols.ts';
import type { Unit } from './unit.ts';

/** Longest head that is kept; the index folds white space and cuts it further. */
const MAX_HEAD = 1000;

const KIND_NAMES = new Map<number, SymbolKind>(
  // The names of the kinds before parameter are those of SymbolKind.
  Object.entries(DefinitionKind)
    .filter(([, kind]) => kind < DefinitionKind.parameter)
    .map(([name, kind]) => [kind, name as SymbolKind]),
);

/** Returns the rows that the index stores for a file's symbols, made from its text; `supers` is by symbol. */
export function symbolRows(
  program: Program,
  table: SymbolTable,
  { file, text }: { file: number; text: string },
  supers: ReadonlyMap<number, readonly number[]>,
): SymbolInput[] {
  const unit = program.units[file];
  if (unit === undefined) return [];
  const exported = exportedByRow(unit);
  const ends = lastEnds(unit, table);
  const syntaxes = syntaxOfSymbols(unit, table);
  const [first, after] = [table.firstOf[file] ?? 0, table.firstOf[file + 1] ?? 0];
  const rows: SymbolInput[] = [];
  const locals: number[] = [];
  for (let symbol = first; symbol < after; symbol += 1) {
    const local = (table.definitionOf[symbol] ?? 0) - unit.base;
    const parent = table.parentOf[symbol] ?? -1;
    const outer = parent < 0 ? undefined : rows[parent - first];
    const name = program.names.text(intAt(unit.definitionNames, local));
    const position = positionOf(unit, local);
    const line = lineOf(unit.facts.lines, position);
    const flags = unit.facts.definitions.flags(local);
    const syntax = syntaxes.get(symbol);
    rows.push({
      name,
      qualified: [outer?.qualified ?? receiverName(program, unit, local), name].filter(Boolean).join('/'),
      kind: kindOf(unit, local),
      line: line + 1,
      column: position - (unit.facts.lines[line] ?? 0),
      end: lineOf(unit.facts.lines, Math.max((ends.get(symbol) ?? 0) - 1, position)) + 1,
      signature: headOf(unit, local, text),
      doc: documentationOf(unit, local, text),
      exported: isExported({ flags, isListed: exported.has(local), isMember: isMember(unit, local) }, outer),
      member: isMember(unit, local),
      parent: outer === undefined ? -1 : parent - first,
      supers: supers.get(symbol) ?? [],
      ...(syntax !== undefined && { syntax }),
    });
    locals.push(local);
  }
  addParameterLists(program, unit, rows, locals);
  return rows;
}

/** The type that a method outside its type belongs to, as it is written: `(s *Stack)` is Stack. */
function receiverName(program: Program, unit: Unit, local: number): string {
  const [receiver] = facetsOf(program, unit.base + local, Facet.receiver);
  if (receiver === undefined || opOf(unit, receiver) !== NodeOp.TypeName) return '';
  return unit.facts.strings[namesOf(unit, receiver).at(-1) ?? 0] ?? '';
}

function kindOf(unit: Unit, local: number): SymbolKind {
  const kind = unit.facts.definitions.kind(local);
  const flags = unit.facts.definitions.flags(local);
  const isFunction = (flags & DefinitionFlag.functionValue) !== 0 && kind !== DefinitionKind.property;
  if (isFunction && (kind === DefinitionKind.variable || kind === DefinitionKind.constant)) return 'function';
  return KIND_NAMES.get(kind) ?? 'variable';
}

const isMember = (unit: Unit, local: number): boolean => unit.facts.definitions.owner(local) >= 0;

function isExported(
  { flags, isListed, isMember: member }: { flags: number; isListed: boolean; isMember: boolean },
  outer: SymbolInput | undefined,
): boolean {
  if ((flags & DefinitionFlag.private) !== 0) return false;
  if (isListed || (flags & DefinitionFlag.exported) !== 0) return true;
  return member && outer !== undefined && outer.exported;
}

/** Returns the end of the last declaration of each symbol. */
function lastEnds(unit: Unit, table: SymbolTable): Map<number, number> {
  const ends = new Map<number, number>();
  for (let local = 0; local < unit.count; local += 1) {
    const symbol = table.symbolOf[unit.base + local] ?? -1;
    if (symbol < 0) continue;
    ends.set(symbol, Math.max(ends.get(symbol) ?? 0, unit.facts.definitions.end(local)));
  }
  return ends;
}

/** The head of a declaration without the comments in it: joined into one line, nothing would say where they end. */
function headOf(unit: Unit, local: number, text: string): string {
  const { definitions, comments } = unit.facts;
  let from = definitions.start(local);
  const end = Math.min(definitions.head(local), from + MAX_HEAD);
  let head = '';
  for (let at = firstCommentFrom(unit, from); at < comments.count && comments.start(at) < end; at += 1) {
    if (comments.start(at) < from) continue;
    head += `${text.slice(from, comments.start(at))} `;
    from = Math.max(from, comments.end(at));
  }
  return `${head}${text.slice(from, Math.max(from, end))}`.trim();
}

/** Comments are in their order. */
function firstCommentFrom({ facts: { comments } }: Unit, position: number): number {
  let [low, high] = [0, comments.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comments.start(middle) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A documentation comment or string without its marks. */
function documentationOf(unit: Unit, local: number, text: string): string {
  const start = unit.facts.definitions.docStart(local);
  if (start < 0) return '';
  return text
    .slice(start, unit.facts.definitions.docEnd(local))
    .replace(/^(\/\*\*?!?|[rbuRBU]*("""|'''|"|'))/, '')
    .replace(/(\*\/|"""|'''|"|')$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\*(?!\*)|\/\/[/!]?|#+|--+)? ?/, '').trimEnd())
    .join('\n')
    .trim();
}
