import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp } from '../../languages/facts/facts.ts';
import type { CallSite, Evaluation } from './evaluation.ts';
import { argumentsOf, genericsOf, listAt, nameIdsOf, namesOf, operand, opOf } from '../program/nodes.ts';
import { type Entity, facetsOf, hasFlag, read, typeParametersOf, unitOf } from '../program/program.ts';
import { type Bindings, type LazyType, lazyType, type OfKind, type Type, UNKNOWN } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

type Holder = OfKind<'instance'> | OfKind<'class'>;

/** Bases that only list the type variables of a class. */
const LISTS_VARIABLES: ReadonlySet<string> = new Set(['Generic', 'Protocol']);

/** Returns the types bound to the type variables of a class inside one of its values. */
export function classBindings(on: Evaluation, { definition, ...type }: Holder): Bindings | undefined {
  const given = type.arguments;
  if (type.bindings !== undefined || given === undefined) return type.bindings;
  const variables = variablesOf(on, definition);
  return variables.length === 0
    ? undefined
    : new Map(variables.map((variable, index) => [variable, given[index] ?? UNKNOWN]));
}

/** A value that calling a class makes, with what the arguments say of its type variables. */
export function madeInstance(on: Evaluation, type: OfKind<'class'>, site: CallSite | undefined): Type {
  const instance: Type = { ...type, kind: 'instance' };
  if (site === undefined || type.arguments !== undefined || type.bindings !== undefined) return instance;
  const variables = variablesOf(on, type.definition);
  if (variables.length === 0) return instance;
  const [made] = on.members(instance, on.program.names.find('__init__'));
  const bound = made === undefined ? undefined : callBindings(on, made.entity, made.bindings, site);
  const given = variables.map((variable) => bound?.get(variable) ?? UNKNOWN);
  return given.every((argument) => argument === UNKNOWN) ? instance : { ...instance, arguments: given };
}

/** Returns the types bound to the type variables of a function at a call: those of its class, then those of the arguments. */
export function callBindings(
  on: Evaluation,
  callee: Entity,
  bindings: Bindings | undefined,
  site: CallSite | undefined,
): Bindings | undefined {
  if (site === undefined || callee < 0 || !mentionsVariable(on, callee)) return bindings;
  const unit = unitOf(on.program, callee);
  const inferredBindings = new Map<Entity, LazyType>(bindings);
  const values = argumentsOf(site.unit, site.node);
  facetsOf(on.program, callee, Facet.parameter).forEach((parameter, index) => {
    const value = values[index] ?? 0;
    const node = operand(unit, parameter, 0);
    if (value !== 0) infer(on, { unit, node }, () => on.expression(site.unit, value, site.bindings), inferredBindings);
  });
  return inferredBindings.size === 0 ? undefined : inferredBindings;
}

/** Binds the type variables that a type mentions to what the same places of `given` hold; the first wins. */
function infer(
  on: Evaluation,
  { unit, node }: { unit: Unit; node: number },
  given: () => Type | undefined,
  inferredBindings: Map<Entity, LazyType>,
): void {
  const deeper = (take: (type: Type) => Type | undefined): void => {
    const within = (): Type | undefined => {
      const type = given();
      return type === undefined ? undefined : take(type);
    };
    infer(on, { unit, node: operand(unit, node, 0) }, within, inferredBindings);
  };
  switch (opOf(unit, node)) {
    case NodeOp.TypeName: {
      const variable = variableAt(on, unit, node);
      if (variable !== undefined && !inferredBindings.has(variable))
        inferredBindings.set(variable, lazyType(on.budget, given));
      return;
    }
    case NodeOp.ArrayType:
      deeper((type) => on.element(type));
      return;
    case NodeOp.PromiseType:
      deeper((type) => (type.kind === 'promise' ? type.value : undefined));
      return;
    case NodeOp.ClassOf:
      deeper((type) => (type.kind === 'class' ? { ...type, kind: 'instance' } : undefined));
      return;
    case NodeOp.FunctionType:
      deeper((type) => on.call(type));
      return;
    case NodeOp.Union:
      for (const part of listAt(unit, node, 0)) infer(on, { unit, node: part }, given, inferredBindings);
      return;
    default:
  }
}

/** The type variables of a class, in order: its own, those that a base lists, or those that its bases are given. */
function variablesOf(on: Evaluation, definition: Entity): readonly Entity[] {
  const own = typeParametersOf(on.program, definition);
  if (own.length > 0) return own;
  const unit = unitOf(on.program, definition);
  const bases = facetsOf(on.program, definition, Facet.extends).filter((node) => opOf(unit, node) === NodeOp.TypeName);
  const listed = bases.find((node) => LISTS_VARIABLES.has(unit.facts.strings[namesOf(unit, node).at(-1) ?? 0] ?? ''));
  const given = (listed === undefined ? bases : [listed]).flatMap((node) => Array.from(genericsOf(unit, node)));
  return [...new Set(given.flatMap((node) => variableAt(on, unit, node) ?? []))];
}

/** True if a parameter of a function, or of the class it makes, is a type variable or made from one. */
function mentionsVariable(on: Evaluation, callee: Entity): boolean {
  const unit = unitOf(on.program, callee);
  return facetsOf(on.program, callee, Facet.parameter).some((node) => mentions(on, unit, operand(unit, node, 0), 3));
}

function mentions(on: Evaluation, unit: Unit, node: number, depth: number): boolean {
  if (node === 0 || depth === 0) return false;
  switch (opOf(unit, node)) {
    case NodeOp.TypeName:
      return variableAt(on, unit, node) !== undefined;
    case NodeOp.ArrayType:
    case NodeOp.PromiseType:
    case NodeOp.ClassOf:
    case NodeOp.FunctionType:
      return mentions(on, unit, operand(unit, node, 0), depth - 1);
    case NodeOp.Union:
      return Array.from(listAt(unit, node, 0)).some((part) => mentions(on, unit, part, depth - 1));
    default:
      return false;
  }
}

/** The type variable that a type node names. */
function variableAt(on: Evaluation, unit: Unit, node: number): Entity | undefined {
  if (opOf(unit, node) !== NodeOp.TypeName) return undefined;
  const [name, ...rest] = nameIdsOf(unit, node);
  if (name === undefined || rest.length > 0) return undefined;
  const [bound] = on.names.lookup(unit, name, operand(unit, node, 0), 0);
  const [entity] = bound === undefined ? [] : on.names.follow(bound);
  return entity !== undefined && entity >= 0 && isTypeVariable(on, entity) ? entity : undefined;
}

/** `T = TypeVar("T")`, or a type parameter of a class or function. */
function isTypeVariable(on: Evaluation, entity: Entity): boolean {
  const unit = unitOf(on.program, entity);
  const local = entity - unit.base;
  const kind = unit.facts.definitions.kind(local);
  if (kind === DefinitionKind.type_parameter) return true;
  const value = unit.facts.definitions.value(local);
  if (value === 0 || opOf(unit, value) !== NodeOp.Call) return false;
  const callee = operand(unit, value, 0);
  const op = opOf(unit, callee);
  const name =
    op === NodeOp.Identifier ? operand(unit, callee, 0) : op === NodeOp.MemberOf ? operand(unit, callee, 1) : 0;
  return unit.facts.strings[name] === 'TypeVar';
}

const ENUMS = /^(?:Int|Str)?(?:Enum|Flag)$|^(?:Int|String|Text)(?:Enum|Choices)$/;

/** True if what a class body assigns are its members: the class is made from one of the enumerations of the library. */
export function isEnumeration(on: Evaluation, definition: Entity, depth = 4): boolean {
  const unit = unitOf(on.program, definition);
  return facetsOf(on.program, definition, Facet.extends).some((node) => {
    const op = opOf(unit, node);
    const name =
      op === NodeOp.Identifier ? operand(unit, node, 0) : op === NodeOp.MemberOf ? operand(unit, node, 1) : 0;
    if (ENUMS.test(unit.facts.strings[name] ?? '')) return true;
    const base = depth === 0 ? undefined : on.expression(unit, node);
    return base?.kind === 'class' && isEnumeration(on, base.definition, depth - 1);
  });
}

/** True if a definition in the body of an enumeration is one of its values. */
export function isEnumValue(on: Evaluation, entity: Entity): boolean {
  const kind = read(on.program, entity, Definition.kind);
  const isVariable =
    kind === DefinitionKind.property || kind === DefinitionKind.variable || kind === DefinitionKind.constant;
  return (
    isVariable &&
    read(on.program, entity, Definition.value) !== 0 &&
    !hasFlag(on.program, entity, DefinitionFlag.private)
  );
}
