import { DefinitionFlag, Facet, NodeOp } from '../../languages/facts/facts.ts';
import type { Evaluation } from './evaluation.ts';
import { namesOf, operand, opOf } from '../program/nodes.ts';
import { type Entity, facetsOf, unitOf } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/**
 * True if a method declares that it gives what it is called on: `-> Self`, or `-> T` where `self` is a `T` and `cls` a
 * `type[T]`.
 */
export function returnsSelf(on: Evaluation, definition: Entity): boolean {
  const unit = unitOf(on.program, definition);
  const annotation = unit.facts.definitions.type(definition - unit.base);
  if (opOf(unit, annotation) === NodeOp.ThisType) return true;
  const name = lastName(unit, annotation);
  if (name === undefined) return false;
  if (unit.facts.strings[name] === 'Self') return true;
  const given = ownParameterType(unit, definition - unit.base);
  const owner = opOf(unit, given) === NodeOp.ClassOf ? operand(unit, given, 0) : given;
  return lastName(unit, owner) === name && on.type(unit, owner) === undefined;
}

/** The type node of the first parameter of a method, 0 for none. It is defined right behind the method and its type parameters. */
function ownParameterType({ facts: { definitions } }: Unit, method: number): number {
  const inside = definitions.bodyScope(method);
  for (let local = method + 1; local < definitions.count && definitions.scope(local) === inside; local += 1)
    if ((definitions.flags(local) & DefinitionFlag.self) !== 0) return definitions.type(local);
  return 0;
}

/** The last word of a type that is a name, as a string of the file. */
function lastName(unit: Unit, node: number): number | undefined {
  return opOf(unit, node) === NodeOp.TypeName ? namesOf(unit, node).at(-1) : undefined;
}

/** True if an unannotated method returns its own object: the value entered is then of the most derived class. */
export function returnsFirstParameter(on: Evaluation, method: Entity): boolean {
  const unit = unitOf(on.program, method);
  if (unit.facts.definitions.type(method - unit.base) !== 0) return false;
  return facetsOf(on.program, method, Facet.returned).some(
    (node) => opOf(unit, node) === NodeOp.Identifier && unit.facts.strings[operand(unit, node, 0)] === 'self',
  );
}
