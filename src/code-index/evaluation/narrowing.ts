import { Definition, Facet, NodeOp } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { Evaluation } from './evaluation.ts';
import { listAt, operand, opOf } from '../program/nodes.ts';
import { definedIn, type Entity, facetsOf, read, unitOf } from '../program/program.ts';
import { type OfKind, type Type, unionOf } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** Bases of a class that are searched for the one that is tested. */
const MAX_BASES = 30;

/** Narrows the type of a name by the conditions around a scope; `type` is undefined when nothing is known of it. */
export function narrowedType(
  on: Evaluation,
  at: { unit: Unit; name: number; scope: number },
  type: Type | undefined,
): Type | undefined {
  const { unit, name } = at;
  if (unit.narrowings.size === 0) return type;
  const tests: number[] = [];
  for (let scope = at.scope; scope >= 0; scope = unit.facts.scopes.parent(scope)) {
    for (const row of unit.narrowings.get(scope) ?? []) {
      if (unit.names[unit.facts.narrowings.name(row)] !== name) continue;
      tests.push(unit.facts.narrowings.node(row));
    }
    if (definedIn(unit, scope, name).length > 0) break;
  }
  // Outer conditions were met first.
  return tests.reduceRight((narrowed, test) => narrowByTest(on, { unit, test, holds: true }, narrowed), type);
}

interface Test {
  unit: Unit;
  test: number;
  holds: boolean;
}

function narrowByTest(on: Evaluation, { unit, test, holds }: Test, type: Type | undefined): Type | undefined {
  switch (opOf(unit, test)) {
    case NodeOp.Without:
      return narrowByTest(on, { unit, test: operand(unit, test, 0), holds: !holds }, type);
    case NodeOp.Discriminant: {
      const property = intAt(unit.names, operand(unit, test, 0));
      const values = new Set(Array.from(listAt(unit, test, 1), (text) => unit.facts.strings[text] ?? ''));
      return keep(type, (part) => !isCertain(literalsOf(on, part, property), values, !holds));
    }
    case NodeOp.HasMember: {
      const name = intAt(unit.names, operand(unit, test, 0));
      return keep(type, (part) => on.members(part, name).length > 0 === holds);
    }
    case NodeOp.GuardedBy:
      return narrowByInstance(on, guardedType(on, unit, operand(unit, test, 0)), holds, type);
    default:
      return narrowByInstance(on, on.type(unit, test), holds, type);
  }
}

/** The parts of a union that fit; all of them when none does. Anything else stays as it is. */
function keep(type: Type | undefined, fits: (part: Type) => boolean): Type | undefined {
  if (type?.kind !== 'union') return type;
  const remaining = type.types.filter(fits);
  return remaining.length === 0 ? type : unionOf(remaining);
}

/** True if a property of these literal types surely is none of the values, or (`within`) surely one of them. */
function isCertain(literals: readonly string[] | undefined, values: ReadonlySet<string>, within: boolean): boolean {
  if (literals === undefined) return false;
  return within ? literals.every((literal) => values.has(literal)) : !literals.some((literal) => values.has(literal));
}

/** The literals that a property can have, as JSON; undefined when it can have others, or is not there. */
function literalsOf(on: Evaluation, type: Type, property: number): readonly string[] | undefined {
  if (type.kind !== 'instance') return undefined;
  const [member] = on.members(type, property);
  if (member === undefined || member.entity < 0) return undefined;
  const unit = unitOf(on.program, member.entity);
  const local = member.entity - unit.base;
  return literalTypes(unit, unit.facts.definitions.type(local));
}

function literalTypes(unit: Unit, node: number): readonly string[] | undefined {
  switch (opOf(unit, node)) {
    case NodeOp.Primitive: {
      const text = unit.facts.strings[operand(unit, node, 0)] ?? '';
      return isLiteralText(text) ? [text] : undefined;
    }
    case NodeOp.Union: {
      const all = Array.from(listAt(unit, node, 0), (element) => literalTypes(unit, element));
      return all.includes(undefined) ? undefined : all.flatMap((texts) => texts ?? []);
    }
    default:
      return undefined;
  }
}

/** True if a text of a Primitive or Literal node is a literal, not the name of its type. */
const isLiteralText = (text: string): boolean => /^["\d-]|^(true|false)$/.test(text);

/** Returns the type that a type guard asserts of its argument. */
function guardedType(on: Evaluation, unit: Unit, guard: number): Type | undefined {
  const callee = on.expression(unit, guard);
  if (callee?.kind !== 'function') return undefined;
  const at = unitOf(on.program, callee.definition);
  const [signature] = facetsOf(on.program, callee.definition, Facet.callSignature);
  const result =
    signature === undefined ? read(on.program, callee.definition, Definition.type) : operand(at, signature, 0);
  return opOf(at, result) === NodeOp.Predicate ? on.type(at, operand(at, result, 0), callee.bindings) : undefined;
}

/** Narrows a type to what is, or is not, an instance of another. Nothing is known of classes from elsewhere. */
function narrowByInstance(
  on: Evaluation,
  target: Type | undefined,
  holds: boolean,
  type: Type | undefined,
): Type | undefined {
  if (target?.kind !== 'instance') return holds && type === undefined ? target : type;
  const is = (part: Type): boolean => part.kind === 'instance' && derives(on, part, target.definition);
  if (!holds) return keep(type, (part) => !is(part));
  const parts = type?.kind === 'union' ? type.types : [type];
  const fitting = parts.filter((part): part is Type => part !== undefined && is(part));
  return fitting.length === 0 ? target : unionOf(fitting);
}

function derives(on: Evaluation, type: OfKind<'instance'>, from: Entity): boolean {
  const open: Type[] = [type];
  const visited = new Set<Entity>();
  for (let base = open.pop(); base !== undefined && visited.size < MAX_BASES; base = open.pop()) {
    if ((base.kind !== 'instance' && base.kind !== 'class') || visited.has(base.definition)) continue;
    if (base.definition === from) return true;
    visited.add(base.definition);
    open.push(...on.bases({ ...base, kind: 'instance' }));
  }
  return false;
}

/** Name (an id of the program) and literal of a property. */
export type LiteralProperty = readonly [name: number, text: string];

/** The parts of a union that an object literal with these properties can be of; all when none fits. */
export function narrowByProperties(on: Evaluation, type: Type, given: readonly LiteralProperty[]): Type {
  if (type.kind !== 'union' || given.length === 0) return type;
  const parts = type.types.filter((part) =>
    given.every(([name, text]) => {
      const literals = literalsOf(on, part, name);
      return literals === undefined || literals.includes(text);
    }),
  );
  return (parts.length === 0 ? undefined : unionOf(parts)) ?? type;
}

/** The properties of an object literal (a local definition) that have a literal value. */
export function literalProperties(unit: Unit, container: number): LiteralProperty[] {
  const properties: LiteralProperty[] = [];
  // Members of a literal are defined after it, those of one inside it between them.
  for (let local = container + 1; local < unit.count; local += 1) {
    if (unit.facts.definitions.start(local) >= unit.facts.definitions.end(container)) break;
    if (unit.facts.definitions.owner(local) !== container) continue;
    const value = unit.facts.definitions.value(local);
    if (opOf(unit, value) !== NodeOp.Literal) continue;
    const text = unit.facts.strings[operand(unit, value, 0)] ?? '';
    if (isLiteralText(text)) properties.push([intAt(unit.definitionNames, local), text]);
  }
  return properties;
}
