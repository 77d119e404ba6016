import { Definition, DefinitionFlag, DefinitionKind, Facet, ScopeKind } from '../../languages/facts/facts.ts';
import type { BoundMember, Evaluation } from './evaluation.ts';
import { languageOf } from '../../languages/languages.ts';
import { isExpression, opOf } from '../program/nodes.ts';
import { type Entity, facetsOf, hasFlag, moduleOf, ownerOf, read, unitOf } from '../program/program.ts';
import { type Bindings, notPrimitive, type OfKind, type Type, unionOf } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** Returned expressions that are looked at: more branches rarely add a type. */
const MAX_RETURNS = 4;

/** Types of definitions that need no bindings, kept for the life of the program; `open` are being evaluated. */
export interface DefinitionTypes {
  types: Map<Entity, Type | undefined>;
  open: Set<Entity>;
}

/**
 * The type of a definition's value, remembered when it depends on nothing but the definition. A definition that is
 * asked for while it is being evaluated is not known. What a spent budget left unknown stays so: to try again at every
 * use costs more than it finds.
 */
export function definitionType(
  on: Evaluation,
  cache: DefinitionTypes,
  entity: Entity,
  bindings?: Bindings,
): Type | undefined {
  if (entity < 0) return { kind: 'module', module: moduleOf(entity) };
  if (bindings !== undefined) return on.value(entity, bindings);
  if (cache.open.has(entity)) {
    on.budget.cuts += 1;
    return undefined;
  }
  if (cache.types.has(entity)) return cache.types.get(entity);
  cache.open.add(entity);
  const type = on.value(entity);
  cache.open.delete(entity);
  cache.types.set(entity, type);
  return type;
}

const isMethod = (on: Evaluation, definition: Entity): boolean =>
  read(on.program, definition, Definition.kind) === DefinitionKind.method;

/** True if a definition is a function by itself, not by its value. */
export function isFunction(on: Evaluation, definition: Entity): boolean {
  const kind = read(on.program, definition, Definition.kind);
  if (kind === DefinitionKind.method || kind === DefinitionKind.macro) return true;
  return kind === DefinitionKind.function && read(on.program, definition, Definition.value) === 0;
}

/** The type of a definition's value in TypeScript, Go, Java and Rust. */
export function evaluateDefinition(on: Evaluation, entity: Entity, bindings?: Bindings): Type | undefined {
  const unit = unitOf(on.program, entity);
  const local = entity - unit.base;
  const { definitions } = unit.facts;
  const flags = definitions.flags(local);
  switch (definitions.kind(local)) {
    case DefinitionKind.class:
    case DefinitionKind.struct:
    case DefinitionKind.trait:
    case DefinitionKind.interface:
    case DefinitionKind.table:
      return { kind: 'class', definition: entity };
    case DefinitionKind.enum:
      return { kind: 'enum', definition: entity };
    case DefinitionKind.module:
      return { kind: 'namespace', definition: entity };
    case DefinitionKind.import: {
      return typeOfDeclarations(
        on,
        on.names.follow(entity).filter((target) => target !== entity),
      );
    }
    default:
  }
  if ((flags & DefinitionFlag.getter) !== 0) return on.returned(entity, bindings);
  if ((flags & DefinitionFlag.setter) === 0 && isFunction(on, entity))
    return bindings === undefined
      ? { kind: 'function', definition: entity }
      : { kind: 'function', definition: entity, bindings };
  return valueType(on, unit, local, bindings);
}

/** The type of a name by its declarations: of a value that each build declares anew those of all. */
export function typeOfDeclarations(on: Evaluation, declarations: readonly Entity[]): Type | undefined {
  return typeOfVariants(
    on,
    declarations.map((entity) => ({ entity })),
  );
}

/**
 * The types of the declarations of one name: of variables that builds declare differently those of all, and of what shares
 * its name with a name space or module both. A function that is declared again is another overload, and a type another part
 * of it, where the language does not declare each name once.
 */
export function typeOfVariants(
  on: Evaluation,
  declarations: readonly BoundMember[],
  typeOf = ({ entity, bindings }: BoundMember): Type | undefined => on.definition(entity, bindings),
): Type | undefined {
  const types: Type[] = [];
  let whole: Entity | undefined;
  for (const declaration of declarations) {
    const type = typeOf(declaration);
    if (type === undefined) continue;
    const { entity } = declaration;
    const isSpace = type.kind === 'namespace' || type.kind === 'module';
    const isPart = type.kind === 'function' || type.kind === 'class';
    if (whole !== undefined) {
      if (isSpace) continue;
      if (isPart && !isDeclaredOnce(on, entity) && !isMethodBesideField(on, entity, whole)) continue;
    }
    types.push(type);
    if (!isSpace) whole ??= entity;
  }
  return unionOf(types);
}

/** True if a method shares its name with a field, which it neither overloads nor hides. */
function isMethodBesideField(on: Evaluation, entity: Entity, field: Entity): boolean {
  if (entity < 0 || field < 0 || !isMethod(on, entity) || isMethod(on, field)) return false;
  return languageOf(unitOf(on.program, entity).facts.language).separatesMethods === true;
}

/** True if another declaration of the name of an entity is that of another build. */
export function isDeclaredOnce(on: Evaluation, entity: Entity): boolean {
  if (entity < 0) return false;
  const { declaresOnce } = languageOf(unitOf(on.program, entity).facts.language);
  return declaresOnce === 'all' || (declaresOnce !== undefined && !isMethod(on, entity));
}

/** The type of a variable, parameter or property: annotated, or that of what it is made from. */
function valueType(on: Evaluation, unit: Unit, local: number, bindings?: Bindings): Type | undefined {
  const annotation = unit.facts.definitions.type(local);
  if (annotation !== 0) return on.type(unit, annotation, bindings);
  const value = unit.facts.definitions.value(local);
  if (value !== 0) return on.expression(unit, value, bindings);
  const context = unit.facts.definitions.context(local);
  if (context === 0) return undefined;
  return isExpression(opOf(unit, context)) ? on.expression(unit, context) : on.context(unit, context);
}

/** Returns the type that calling a function gives: its annotation, or the union of what it returns. */
export function returnedType(on: Evaluation, definition: Entity, bindings?: Bindings): Type | undefined {
  const unit = unitOf(on.program, definition);
  const annotation = unit.facts.definitions.type(definition - unit.base);
  if (annotation !== 0) return on.type(unit, annotation, bindings);
  if (hasFlag(on.program, definition, DefinitionFlag.generator)) return undefined;
  const nodes = facetsOf(on.program, definition, Facet.returned).slice(0, MAX_RETURNS);
  const type = unionOf(nodes.map((node) => on.expression(unit, node, bindings)).filter(notPrimitive));
  const promised = hasFlag(on.program, definition, DefinitionFlag.async) && type !== undefined;
  return promised && type.kind !== 'promise' ? { kind: 'promise', value: type } : type;
}

/** The type of `this` in TypeScript, Java and Rust: of the nearest method's owner, or of the class body around. */
export function selfType(on: Evaluation, unit: Unit, scope: number): OfKind<'instance'> | OfKind<'class'> | undefined {
  for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
    const local = unit.facts.scopes.definition(at);
    if (local < 0) continue;
    const definition = unit.base + local;
    if (unit.facts.scopes.kind(at) === ScopeKind.class) return { kind: 'instance', definition };
    const owner = ownerOf(on.program, definition);
    if (owner < 0) continue;
    const isStatic = hasFlag(on.program, definition, DefinitionFlag.static);
    return { kind: isStatic ? 'class' : 'instance', definition: owner };
  }
  return undefined;
}
