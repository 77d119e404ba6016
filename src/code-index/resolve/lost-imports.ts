import { DefinitionKind } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { Entity } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** Start of an import that names a module of the repository itself. */
const OWN_MODULE = /^(?:\.|(?:crate|self|super)\b)/;

/**
 * The name of a symbol that an import of the repository's own code asks for, when the import cannot be resolved or several
 * modules declare what it names: that is still used, so its uses have the name alone. `undefined` for anything else.
 */
export function lostImport(
  { on, symbolNames }: { on: Evaluation; symbolNames: Uint8Array },
  unit: Unit,
  bound: readonly Entity[],
): string | undefined {
  const [local = -1] = bound.map((definition) => definition - unit.base);
  const { definitions } = unit.facts;
  if (local < 0 || local >= unit.count || definitions.kind(local) !== DefinitionKind.import) return undefined;
  const isOwn = OWN_MODULE.test(unit.facts.strings[definitions.source(local)] ?? '');
  if (!isOwn && on.names.isAmbiguous?.(unit.base + local) !== true) return undefined;
  const name = definitions.imported(local);
  // Of a name of members alone no module is imported.
  return ((symbolNames[intAt(unit.names, name)] ?? 0) & 2) === 0 ? undefined : unit.facts.strings[name];
}
