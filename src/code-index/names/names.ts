import { type Entity, NOTHING } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** Names of one language: scopes, imports and exports. Lists are never changed by their receivers. */
export interface Names {
  /** Members of the types around are names by themselves, without `this`. */
  readonly hasBareMembers?: boolean;
  /** Definitions that `name` is bound to, seen from `scope`; imports are not followed. `space` is UseFlag.value, type or both, with UseFlag.macro for what is called as one. */
  lookup(unit: Unit, name: number, scope: number, space: number): readonly Entity[];
  /** Returns the target of an import; any other definition is itself. Empty when that is outside the repository. */
  follow(definition: Entity): readonly Entity[];
  /** Returns the entities that a module offers as `name`. */
  exported(module: number, name: number): readonly Entity[];
  /** Returns what a module written inside a file, or a type, has as `name`, where that is more than is defined in it. */
  inside?(holder: Entity, name: number): readonly Entity[];
  /** The module that `source` (a string as written) names in this file, or -1. */
  module(unit: Unit, source: string): number;
  /** True if an import names what several modules declare that are equally near, so that its meaning is unknown. */
  isAmbiguous?(definition: Entity): boolean;
  /** True if a declaration only adds to what a library declares: a use of its name does not use the declaration. */
  isReopened?(definition: Entity): boolean;
  /** True if a declaration is of another module than a file, and for its own module only. */
  isHidden?(unit: Unit, definition: Entity): boolean;
}

/** Names of a language in which one type may be declared in several places. */
export interface MergedNames extends Names {
  /** All declarations of what a declaration declares, itself among them; the first is the same for each. */
  merged(declaration: Entity): readonly Entity[];
  /** Entities without the other declarations of the same type. */
  distinct(entities: readonly Entity[]): readonly Entity[];
  /** Names that mean the same as a name, itself among them: some languages ignore upper and lower case. */
  spellings(name: number): readonly number[];
}

/** Returns what the first module that offers `name` gives, of those whose every export a file has. */
export function exportedByStars(names: Names, unit: Unit, name: number): readonly Entity[] {
  for (const star of unit.stars) {
    const entities = names.exported(names.module(unit, unit.facts.strings[star] ?? ''), name);
    if (entities.length > 0) return entities;
  }
  return NOTHING;
}
