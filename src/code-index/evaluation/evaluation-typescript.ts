import { typescriptTypes, type BuiltinTypes } from './builtins.ts';
import { callType, constructType } from './calls.ts';
import { contextType, parameterType } from './contexts.ts';
import {
  definitionType,
  type DefinitionTypes,
  evaluateDefinition,
  returnedType,
  selfType,
} from './evaluate-definitions.ts';
import { evaluateExpression } from './evaluate-expressions.ts';
import { declaredType, evaluateNamedType, evaluateType } from './evaluate-types.ts';
import { type Budget, enter, type Evaluation, leave, NAME_STEPS } from './evaluation.ts';
import { type Names } from '../names/names.ts';
import { elementType, findMembers, memberType, typescriptBases } from './members.ts';
import { opOf } from '../program/nodes.ts';
import { NodeOp } from '../../languages/facts/facts.ts';
import type { Program } from '../program/program.ts';
import type { Bindings, Type } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** Overrides of a language; everything else is evaluated as in TypeScript. */
export type Differences = Partial<
  Pick<
    Evaluation,
    | 'names'
    | 'overloads'
    | 'value'
    | 'returned'
    | 'call'
    | 'construct'
    | 'member'
    | 'members'
    | 'element'
    | 'self'
    | 'bases'
    | 'declared'
  >
> & {
  named?: (unit: Unit, node: number, bindings?: Bindings) => Type | undefined;
  expressionNode?: Evaluation['expression'];
};

/** The evaluation of a language over a program, made from the common functions and its differences. */
export function createEvaluation(
  program: Program,
  names: Names,
  builtins: BuiltinTypes,
  differ: (on: Evaluation) => Differences,
): Evaluation {
  const budget: Budget = { steps: 0, limit: NAME_STEPS, depth: 0, cuts: 0, aliases: new Set() };
  const cache: DefinitionTypes = { types: new Map(), open: new Set() };
  const guarded = guard(budget);
  const on: Evaluation = {
    program,
    names,
    budget,
    type: rememberTypes(
      budget,
      isNamed,
      guarded((unit, node, bindings) => typeNode(unit, node, bindings)),
    ),
    expression: rememberTypes(
      budget,
      isChained,
      guarded((unit, node, bindings) => expressionNode(unit, node, bindings)),
    ),
    context: rememberTypes(
      budget,
      isAny,
      guarded((unit, node) => contextType(on, unit, node)),
    ),
    definition: (entity, bindings) => definitionType(on, cache, entity, bindings),
    value: (entity, bindings) => evaluateDefinition(on, entity, bindings),
    declared: (entity, generics) => declaredType(on, entity, generics),
    returned: (entity, bindings) => returnedType(on, entity, bindings),
    call: (callee, site) => callType(on, callee, site),
    construct: (callee, site) => constructType(on, callee, site),
    member: (type, name) => memberType(on, type, name),
    members: (type, name, visited) => findMembers(on, type, name, visited),
    element: (type) => elementType(on, type),
    parameter: (callee, position) => parameterType(on, callee, position),
    self: (unit, scope) => selfType(on, unit, scope),
    bases: (type) => typescriptBases(on, type),
  };
  const { named, expressionNode: ownExpression, ...replaced } = differ(on);
  const nameNode = named ?? ((unit, node, bindings) => evaluateNamedType(on, builtins, { unit, node }, bindings));
  const typeNode: Evaluation['type'] = (unit, node, bindings) =>
    opOf(unit, node) === NodeOp.TypeName ? nameNode(unit, node, bindings) : evaluateType(on, unit, node, bindings);
  const expressionNode = ownExpression ?? ((unit, node, bindings) => evaluateExpression(on, unit, node, bindings));
  return Object.assign(on, replaced);
}

type Evaluate = Evaluation['expression'];

/** Counts steps and nesting; node 0 is "nothing" and costs nothing. */
function guard(budget: Budget): (evaluate: Evaluate) => Evaluate {
  return (evaluate) => (unit, node, bindings) => {
    if (node === 0 || !enter(budget)) return undefined;
    const type = evaluate(unit, node, bindings);
    leave(budget);
    return type;
  };
}

/** In a chain `a.b().c()` every link asks for all before it. */
const isChained = (op: number): boolean => op === NodeOp.Call || op === NodeOp.MemberOf;
const isNamed = (op: number): boolean => op === NodeOp.TypeName;
/** All keys of an object literal ask for one context, and those of literals inside it for that context too. */
const isAny = (): boolean => true;

/** Keeps the types of nodes when the evaluation was whole: it met neither itself nor the end of the budget. */
function rememberTypes(budget: Budget, isCacheable: (op: number) => boolean, evaluate: Evaluate): Evaluate {
  const cache = new Map<Unit, Map<number, Type | undefined>>();
  return (unit, node, bindings) => {
    if (bindings !== undefined || !isCacheable(opOf(unit, node))) return evaluate(unit, node, bindings);
    let types = cache.get(unit);
    if (types === undefined) cache.set(unit, (types = new Map()));
    if (types.has(node)) return types.get(node);
    const { cuts } = budget;
    const type = evaluate(unit, node);
    if (budget.cuts === cuts) types.set(node, type);
    return type;
  };
}

export function typescriptEvaluation(program: Program, names: Names): Evaluation {
  return createEvaluation(program, names, typescriptTypes, () => ({}));
}
