import { type OccurrenceInput, USE_CODES } from '../format/shard-input.ts';
import type { Heritage } from './families.ts';
import type { SymbolTable } from '../program/symbols.ts';
import type { Unit } from '../program/unit.ts';

const IMPLEMENTS = USE_CODES.indexOf('implements');

/** Uses that hand a name on or set it: never what a heritage clause does. */
const NEVER: ReadonlySet<number> = new Set([USE_CODES.indexOf('import'), USE_CODES.indexOf('export')]);

/**
 * The uses of one file, those that name what a type extends or implements marked as such: of the uses of a supertype between
 * the name of a type and its body, the last. Parameters and bounds, which may name it as well, stand before the clause.
 */
export function markHeritage(
  unit: Unit,
  table: SymbolTable,
  occurrences: OccurrenceInput,
  { supers }: Pick<Heritage, 'supers'>,
): OccurrenceInput {
  if (supers.size === 0) return occurrences;
  const { lines, definitions } = unit.facts;
  const last = new Map<string, { row: number; start: number }>();
  for (let row = 0; row < occurrences.line.length; row += 1) {
    const [enclosing, target] = [occurrences.enclosing[row] ?? -1, occurrences.target[row] ?? -1];
    if (NEVER.has(occurrences.use[row] ?? 0) || supers.get(enclosing)?.includes(target) !== true) continue;
    const start = (lines[(occurrences.line[row] ?? 1) - 1] ?? 0) + (occurrences.column[row] ?? 0);
    const local = (table.definitionOf[enclosing] ?? 0) - unit.base;
    if (start < definitions.nameStart(local) || start >= definitions.head(local)) continue;
    const key = `${enclosing} ${target}`;
    if ((last.get(key)?.start ?? -1) < start) last.set(key, { row, start });
  }
  if (last.size === 0) return occurrences;
  const use = occurrences.use.slice();
  for (const { row } of last.values()) use[row] = IMPLEMENTS;
  return { ...occurrences, use };
}
