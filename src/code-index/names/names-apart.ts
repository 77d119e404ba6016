import { Definition, DefinitionFlag, DefinitionKind } from '../../languages/facts/facts.ts';
import type { NameRules } from './names-rules.ts';
import { type Entity, hasFlag, holdsMembers, type Program, read } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/**
 * A function with its declarations, a declaration with its functions; of name spaces the largest part. `all` is what has
 * the full name of the entity.
 */
export function declarationsOf(program: Program, entity: Entity, all: readonly Entity[]): readonly Entity[] {
  if (!all.includes(entity)) return [entity];
  if (read(program, entity, Definition.kind) === DefinitionKind.module) return all.slice(0, 1);
  if (!hasFlag(program, entity, DefinitionFlag.callable)) return [entity];
  if (hasFlag(program, entity, DefinitionFlag.abstract)) return all;
  return [entity, ...all.filter((definition) => hasFlag(program, definition, DefinitionFlag.abstract))];
}

/** Selects the type of the file itself, of types of one name in several programs of a repository. */
export function nearestTypes(program: Program, unit: Unit, entities: readonly Entity[]): readonly Entity[] {
  if (entities.length < 2 || !entities.every((entity) => isWholeType(program, entity))) return entities;
  const own = entities.filter((entity) => program.fileOf[entity] === unit.file);
  return own.length > 0 ? own : entities;
}

/** True if a `static` is visible in its file only; that of a header is one of each file that includes it. */
function isOfItsFile({ path }: Unit, flags: number): boolean {
  return (flags & DefinitionFlag.private) !== 0 && !/\.(h|hh|hpp|hxx|inl)$/.test(path);
}

/** A type that one place declares whole, as those of C++ are. */
export function isWholeType(program: Program, entity: Entity): boolean {
  return entity >= 0 && holdsMembers(read(program, entity, Definition.kind));
}

/**
 * True if the bases of a type are also searched for a name of which the type has these: where functions of one name are told
 * apart by what they take, it has those of its bases.
 */
export function hasMore(program: Program, entities: readonly Entity[], hasOverloads = false): boolean {
  return entities.length === 0 || (hasOverloads && functionsAmong(program, entities).length === entities.length);
}

export function functionsAmong(program: Program, entities: readonly Entity[]): readonly Entity[] {
  return entities.filter((definition) => definition >= 0 && hasFlag(program, definition, DefinitionFlag.callable));
}

/** True if a definition holds others by name: a type or a name space. */
export function isHolder(program: Program, entity: Entity): boolean {
  const kind = read(program, entity, Definition.kind);
  return holdsMembers(kind) || kind === DefinitionKind.module;
}

/** Returns the length of the text of a type or name space, in characters; 0 of others. */
export function sizeOf(program: Program, entity: Entity): number {
  return isHolder(program, entity)
    ? read(program, entity, Definition.end) - read(program, entity, Definition.start)
    : 0;
}

/** True if a member may be meant where the members of the type (`isStatic`), of its instances, or both are requested. */
export function isVisible(program: Program, rules: NameRules, member: Entity, isStatic: boolean | undefined): boolean {
  if (hasFlag(program, member, DefinitionFlag.constructor)) return false;
  if (!rules.hasSides || isStatic === undefined) return true;
  return hasFlag(program, member, DefinitionFlag.static) === isStatic;
}

/** True if other files may name a definition by its full name. `fullNames` are those of what may hold it. */
export function isShared(
  program: Program,
  rules: NameRules,
  { unit, local }: { unit: Unit; local: number },
  fullNames: ReadonlyMap<Entity, string>,
): boolean {
  const owner = unit.facts.definitions.owner(local);
  const flags = unit.facts.definitions.flags(local);
  if (rules.isDeclaredApart === true && owner < 0 && isOfItsFile(unit, flags)) return false;
  if (owner >= 0) {
    const isConstant = unit.facts.definitions.kind(local) === DefinitionKind.constant && rules.hasSides;
    return fullNames.has(unit.base + owner) && (isHolder(program, unit.base + local) || isConstant);
  }
  if ((flags & DefinitionFlag.topLevel) === 0) return false;
  return unit.facts.definitions.scope(local) === 0;
}
