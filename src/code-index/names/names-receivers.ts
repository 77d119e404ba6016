import { DefinitionFlag, Facet, ScopeKind, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { MergedNames } from './names.ts';
import {
  definedIn,
  type Entity,
  facetsOf,
  hasFlag,
  NOTHING,
  ownerOf,
  type Program,
  unitOf,
} from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

export interface ReceiverRules {
  /** Members called `name` of what a row of narrowings says that a function in braces is called on. */
  membersOf: (unit: Unit, row: number, name: number) => readonly Entity[];
  /** The module that a path belongs to: what is neither public nor private at the top is seen inside of that only. */
  moduleOf: (path: string) => string;
}

/**
 * Names of a language whose functions in braces may be called on a value (`x.apply { … }`, builders of Kotlin): inside, the members
 * of that value are names, before what is around. What is internal is hidden from other modules. Everything else is as `names`
 * has it.
 */
export function withReceivers(
  program: Program,
  names: MergedNames,
  { membersOf, moduleOf }: ReceiverRules,
): MergedNames {
  const isHidden = (unit: Unit, entity: Entity): boolean => {
    if (entity < 0 || ownerOf(program, entity) >= 0) return false;
    if (hasFlag(program, entity, DefinitionFlag.exported | DefinitionFlag.private)) return false;
    return moduleOf(unit.path) !== moduleOf(unitOf(program, entity).path);
  };
  const isExtension = (entity: Entity): boolean => entity >= 0 && facetsOf(program, entity, Facet.receiver).length > 0;
  const find = (unit: Unit, name: number, scope: number): readonly Entity[] => {
    for (const { at, row } of receiversAround(program, unit, scope)) {
      if (isDefinedBelow(unit, name, scope, at)) return NOTHING;
      const members = membersOf(unit, row, name).filter((entity) => !isHidden(unit, entity));
      if (members.length > 0) return members;
    }
    return NOTHING;
  };
  return {
    lookup: (unit, name, scope, space) => {
      const members = space === UseFlag.type ? NOTHING : find(unit, name, scope);
      if (members.length > 0 && !members.every(isExtension)) return members;
      const around = names.lookup(unit, name, scope, space);
      const visibleEntities = around.some((entity) => isHidden(unit, entity))
        ? around.filter((entity) => !isHidden(unit, entity))
        : around;
      // An extension that is a member is called on something else; by its name alone it is rarely meant.
      return visibleEntities.length > 0 ? visibleEntities : members;
    },
    follow: (definition) => names.follow(definition),
    exported: (module, name) => names.exported(module, name),
    module: (unit, source) => names.module(unit, source),
    isReopened: (definition) => names.isReopened?.(definition) === true,
    isHidden,
    merged: (declaration) => names.merged(declaration),
    hasBareMembers: names.hasBareMembers === true,
    isAmbiguous: (definition) => names.isAmbiguous?.(definition) === true,
    distinct: (entities) => names.distinct(entities),
    spellings: (name) => names.spellings(name),
  };
}

/** The rows of narrowings that tell what the functions in braces around a scope are called on, the innermost first. */
export function* receiversAround(
  { names }: Program,
  unit: Unit,
  scope: number,
): Generator<{ at: number; row: number }> {
  if (unit.narrowings.size === 0) return;
  const receiver = names.find('this');
  // A class inside of such a function has a `this` of its own.
  for (let at = scope; at >= 0 && unit.facts.scopes.kind(at) !== ScopeKind.class; at = unit.facts.scopes.parent(at))
    for (const row of unit.narrowings.get(at) ?? [])
      if (intAt(unit.names, unit.facts.narrowings.name(row)) === receiver) yield { at, row };
}

/** True if a scope, or one between it and the outer scope `last`, that one too, defines a name. */
function isDefinedBelow(unit: Unit, name: number, scope: number, last: number): boolean {
  for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
    if (definedIn(unit, at, name).length > 0) return true;
    if (at === last) return false;
  }
  return false;
}
