import { DefinitionKind } from '../../languages/facts/facts.ts';
import type { Entity } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** How an import begins that names a module of the repository itself. */
const OWN_MODULE = /^(?:\.|(?:crate|self|super)\b)/;

/**
 * The name (string id) that an import of the repository's own code asks for, when the import cannot be resolved: what it
 * names is still used, so its uses have the name alone. 0 for anything else.
 */
export function lostImport(unit: Unit, bound: readonly Entity[]): number {
  const [local = -1] = bound.map((definition) => definition - unit.base);
  const { definitions } = unit.facts;
  const isImport = local >= 0 && local < unit.count && definitions.kind(local) === DefinitionKind.import;
  const isOwn = isImport && OWN_MODULE.test(unit.facts.strings[definitions.source(local)] ?? '');
  return isOwn ? definitions.imported(local) : 0;
}
