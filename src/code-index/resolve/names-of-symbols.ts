import { intAt } from '../../languages/facts/table.ts';
import { groupOf, listVisibleGroups, type LanguageGroup } from '../../languages/languages.ts';
import { type Program, unitOf } from '../program/program.ts';
import type { SymbolTable } from '../program/symbols.ts';

/** Names of the symbols of one group of languages: what only the name suggests is kept for these. */
export function namesOfSymbols(program: Program, table: SymbolTable, group: LanguageGroup): Uint8Array {
  const names = new Uint8Array(program.names.size);
  const groups = listVisibleGroups(group);
  for (const definition of table.definitionOf) {
    const unit = unitOf(program, definition);
    if (!groups.has(groupOf(unit.facts.language))) continue;
    const local = definition - unit.base;
    const name = intAt(unit.definitionNames, local);
    const isMember = unit.facts.definitions.owner(local) >= 0;
    names[name] = (names[name] ?? 0) | (isMember ? 1 : 3);
  }
  return names;
}
