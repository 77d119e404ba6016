import { Definition, ReferenceHow, UseFlag } from '../../languages/facts/facts.ts';
import { groupOf } from '../../languages/languages.ts';
import { type Entity, type Program, read } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

const BOTH = UseFlag.value | UseFlag.type;

/**
 * Of what has one name in TypeScript, what is in the spaces that a use is in: a constant and an interface may share a name, and
 * a type is no use of the constant.
 */
export function selectBySpace(
  program: Program,
  unit: Unit,
  entities: readonly Entity[],
  flags: number,
): readonly Entity[] {
  const space = flags & BOTH;
  if (entities.length < 2 || space === 0 || space === BOTH || groupOf(unit.facts.language) !== 'typescript')
    return entities;
  const fitting = entities.filter((entity) => entity < 0 || (read(program, entity, Definition.flags) & space) !== 0);
  return fitting.length === 0 ? entities : fitting;
}

/**
 * Flags of the references of a file: an import has the spaces that the file uses its name in, both when it uses it in none.
 */
export function referenceFlags(unit: Unit): (row: number) => number {
  const { references, definitions } = unit.facts;
  let spaces: Map<number, number> | undefined;
  return (row) => {
    const flags = references.flags(row);
    if (references.how(row) !== ReferenceHow.bound || (flags & UseFlag.import) === 0) return flags;
    spaces ??= spacesByName(unit);
    return (flags & ~BOTH) | (spaces.get(definitions.name(references.a(row))) ?? BOTH);
  };
}

/** The spaces that names of a file are used in. */
function spacesByName({ facts: { references } }: Unit): Map<number, number> {
  const spaces = new Map<number, number>();
  for (let row = 0; row < references.count; row += 1) {
    if (references.how(row) !== ReferenceHow.scoped) continue;
    const name = references.name(row);
    spaces.set(name, (spaces.get(name) ?? 0) | (references.flags(row) & BOTH || BOTH));
  }
  return spaces;
}
