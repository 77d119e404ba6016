import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { languageOf } from '../../languages/languages.ts';
import type { Evaluation } from './evaluation.ts';
import { namesInside, resolveName } from '../names/names-typescript.ts';
import { listAt, nameIdsOf, operand, opOf, receiverParameter } from '../program/nodes.ts';
import type { OverloadRules } from './overload-rules.ts';
import { type Entity, facetsOf, hasFlag, ownerOf, read, unitOf } from '../program/program.ts';
import type { Type } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/**
 * A type as far as it tells functions of one name apart: by the name it is written with, so that types of the language
 * and of libraries are told from each other too. `entity` is its definition, or -1 outside of the repository. `undefined`
 * instead of a shape is: not known.
 */
export type Shape =
  | { kind: 'named'; name: string; entity: Entity }
  | { kind: 'variable'; definition: Entity; bound: Shape | undefined }
  | { kind: 'array'; element: Shape | undefined }
  | { kind: 'function'; parameters: number | undefined }
  | { kind: 'null' };

/** Parameters of a function. A variadic function takes any number of the last. */
export interface Signature {
  shapes: readonly (Shape | undefined)[];
  required: number;
  isVariadic: boolean;
}

/** Expressions inside one another that are looked into. */
const DEEPEST = 8;

const BOTH = UseFlag.value | UseFlag.type;
/** Numbers that calculating turns into the first of these. */
const SMALL = new Set(['byte', 'short', 'char']);

/** Shapes of one group of languages, kept by node and definition. */
export class Shapes {
  readonly #on: Evaluation;
  readonly #rules: OverloadRules;
  readonly #ofTypes = new Map<Unit, Map<number, Shape | undefined>>();
  readonly #signatures = new Map<Entity, Signature>();
  /** The functions that a call can mean. */
  readonly #called: (unit: Unit, call: number) => readonly Entity[];

  constructor(on: Evaluation, rules: OverloadRules, called: (unit: Unit, call: number) => readonly Entity[]) {
    this.#on = on;
    this.#rules = rules;
    this.#called = called;
  }

  /** Returns the parameters of a function. An extension of C# has what it extends as its first parameter. */
  signature(definition: Entity): Signature {
    const cached = this.#signatures.get(definition);
    if (cached !== undefined) return cached;
    const unit = unitOf(this.#on.program, definition);
    const nodes = facetsOf(this.#on.program, definition, Facet.parameter);
    const flags = nodes.map((node) => {
      const local = operand(unit, node, 1);
      return local < 0 ? 0 : unit.facts.definitions.flags(local);
    });
    const signature = {
      shapes: nodes.map((node) => this.ofType(unit, operand(unit, node, 0))),
      required: flags.filter((flag) => !isFree(flag)).length,
      isVariadic: flags.some((flag) => (flag & DefinitionFlag.rest) !== 0),
    };
    this.#signatures.set(definition, signature);
    return signature;
  }

  /** The shape that a type node names. */
  ofType(unit: Unit, node: number): Shape | undefined {
    if (node === 0) return undefined;
    let cache = this.#ofTypes.get(unit);
    if (cache === undefined) this.#ofTypes.set(unit, (cache = new Map()));
    if (cache.has(node)) return cache.get(node);
    // A bound may name what it bounds.
    cache.set(node, undefined);
    const shape = this.#shapeOfType(unit, node);
    cache.set(node, shape);
    return shape;
  }

  #shapeOfType(unit: Unit, node: number): Shape | undefined {
    switch (opOf(unit, node)) {
      case NodeOp.Primitive:
        return { kind: 'named', name: unit.facts.strings[operand(unit, node, 0)] ?? '', entity: -1 };
      case NodeOp.TypeName:
        return this.#namedType(unit, node);
      case NodeOp.ArrayType:
        return { kind: 'array', element: this.ofType(unit, operand(unit, node, 0)) };
      case NodeOp.FunctionType:
        return {
          kind: 'function',
          parameters: listAt(unit, node, 1).length - (receiverParameter(unit, node) === 0 ? 0 : 1),
        };
      case NodeOp.Union:
        return this.ofType(unit, listAt(unit, node, 0)[0] ?? 0);
      case NodeOp.ThisType:
        return this.ofEvaluated(this.#on.self(unit, operand(unit, node, 0)));
      default:
        return undefined;
    }
  }

  #namedType(unit: Unit, node: number): Shape | undefined {
    const parts = nameIdsOf(unit, node);
    const [first = 0, ...rest] = parts;
    const { names, program } = this.#on;
    const scoped = { program, unit, scope: operand(unit, node, 0) };
    const start = resolveName(names, scoped, first, rest.length === 0 ? UseFlag.type : BOTH);
    const [target] = rest.reduce<readonly Entity[]>(
      (at, part) => at.flatMap((entity) => namesInside(names, program, entity, part)),
      start,
    );
    const name = program.names.text(parts.at(-1) ?? 0);
    if (target === undefined || target < 0) return { kind: 'named', name, entity: -1 };
    const owner = unitOf(program, target);
    const type = owner.facts.definitions.type(target - owner.base);
    switch (read(program, target, Definition.kind)) {
      case DefinitionKind.type_parameter:
        return { kind: 'variable', definition: target, bound: this.ofType(owner, type) };
      case DefinitionKind.type:
        return this.ofType(owner, type);
      default:
        return { kind: 'named', name, entity: target };
    }
  }

  /** The shape of the value of an expression. */
  ofValue(unit: Unit, node: number, depth = 0): Shape | undefined {
    if (node === 0 || depth > DEEPEST) return undefined;
    const first = operand(unit, node, 0);
    switch (opOf(unit, node)) {
      case NodeOp.Literal: {
        const name = unit.facts.strings[first] ?? '';
        return name === 'null' ? { kind: 'null' } : { kind: 'named', name, entity: -1 };
      }
      case NodeOp.Typed:
        return this.ofType(unit, first);
      case NodeOp.FunctionValue:
        return this.#ofFunction(unit.base + first);
      case NodeOp.Operation:
        return this.#ofOperation(unit, node, depth);
      case NodeOp.Either:
        return this.#ofEither(unit, node, depth);
      case NodeOp.Identifier:
        return this.#ofName(unit, node, depth) ?? this.#evaluateShape(unit, node);
      case NodeOp.MemberOf:
        return this.#ofMember(unit, node, depth) ?? this.#evaluateShape(unit, node);
      case NodeOp.Call:
        return this.#ofCall(unit, node) ?? this.#evaluateShape(unit, node);
      case NodeOp.ArrayLiteral:
        return { kind: 'array', element: this.ofValue(unit, listAt(unit, node, 0)[0] ?? 0, depth + 1) };
      case NodeOp.Element: {
        const array = this.ofValue(unit, first, depth + 1);
        return array?.kind === 'array' ? array.element : this.#evaluateShape(unit, node);
      }
      default:
        return this.#evaluateShape(unit, node);
    }
  }

  #evaluateShape(unit: Unit, node: number): Shape | undefined {
    return this.ofEvaluated(this.#on.expression(unit, node));
  }

  /** The shape of a type that was evaluated: only those of the repository are known well enough. */
  ofEvaluated(type: Type | undefined): Shape | undefined {
    if (type?.kind === 'function') return { kind: 'function', parameters: undefined };
    if (type?.kind !== 'instance') return undefined;
    // Where there is a definition the name is not looked at.
    return { kind: 'named', name: '', entity: type.definition };
  }

  #ofFunction(definition: Entity): Shape {
    const count = facetsOf(this.#on.program, definition, Facet.parameter).length;
    const { language } = unitOf(this.#on.program, definition).facts;
    const isOpen = count === 0 && languageOf(language).hasUnnamedParameter === true;
    return { kind: 'function', parameters: isOpen ? undefined : count };
  }

  #ofOperation(unit: Unit, node: number, depth: number): Shape | undefined {
    const left = this.ofValue(unit, operand(unit, node, 0), depth + 1);
    const isSum = unit.facts.strings[operand(unit, node, 1)] === '+';
    if (left?.kind !== 'named') return undefined;
    const { text, widening } = this.#rules;
    if (SMALL.has(left.name)) return { kind: 'named', name: 'int', entity: -1 };
    return isSum && !widening.has(left.name) ? { kind: 'named', name: text, entity: -1 } : left;
  }

  #ofEither(unit: Unit, node: number, depth: number): Shape | undefined {
    const shapes = Array.from(listAt(unit, node, 0), (element) => this.ofValue(unit, element, depth + 1));
    const nonNull = shapes.filter((shape) => shape?.kind !== 'null');
    const [first] = nonNull;
    return nonNull.every((shape) => isSame(shape, first)) ? first : undefined;
  }

  #ofName(unit: Unit, node: number, depth: number): Shape | undefined {
    const scoped = { program: this.#on.program, unit, scope: operand(unit, node, 1) };
    const name = intAt(unit.names, operand(unit, node, 0));
    const [entity] = resolveName(this.#on.names, scoped, name, UseFlag.value);
    return entity === undefined || entity < 0 ? undefined : this.#ofVariable(entity, depth);
  }

  /** Returns the shape that a variable, parameter or field holds; a function is one. */
  #ofVariable(entity: Entity, depth: number): Shape | undefined {
    const { program } = this.#on;
    const unit = unitOf(program, entity);
    const local = entity - unit.base;
    switch (unit.facts.definitions.kind(local)) {
      case DefinitionKind.function:
      case DefinitionKind.method:
        return { kind: 'function', parameters: undefined };
      case DefinitionKind.enum_member:
        return { kind: 'named', name: '', entity: ownerOf(program, entity) };
      default:
    }
    const type = unit.facts.definitions.type(local);
    if (type !== 0) return this.ofType(unit, type);
    return this.ofValue(unit, unit.facts.definitions.value(local), depth + 1);
  }

  #ofMember(unit: Unit, node: number, depth: number): Shape | undefined {
    const object = operand(unit, node, 0);
    const name = operand(unit, node, 1);
    const members = this.#on.members(this.#on.expression(unit, object), intAt(unit.names, name));
    const field = members.find(({ entity }) => entity >= 0 && !this.#isCallable(entity)) ?? members[0];
    if (field !== undefined)
      return field.entity < 0 ? undefined : withoutVariable(this.#ofVariable(field.entity, depth));
    if (unit.facts.strings[name] !== 'length') return undefined;
    const array = this.ofValue(unit, object, depth + 1);
    return array?.kind === 'array' ? { kind: 'named', name: 'int', entity: -1 } : undefined;
  }

  #isCallable(entity: Entity): boolean {
    return hasFlag(this.#on.program, entity, DefinitionFlag.callable);
  }

  /** Returns the shape that the functions meant by a call give, when all give the same. */
  #ofCall(unit: Unit, node: number): Shape | undefined {
    const { program } = this.#on;
    const [first, ...others] = this.#called(unit, node).map((definition) => this.#returnedShape(definition));
    if (first !== undefined) return others.every((other) => isSame(other, first)) ? first : undefined;
    const callee = operand(unit, node, 0);
    if (opOf(unit, callee) !== NodeOp.MemberOf) return undefined;
    if (this.#on.expression(unit, node) !== undefined) return undefined;
    const method = program.names.text(intAt(unit.names, operand(unit, callee, 1)));
    const object = operand(unit, callee, 0);
    const name = opOf(unit, object) === NodeOp.Identifier ? (unit.facts.strings[operand(unit, object, 0)] ?? '') : '';
    if (this.#rules.makers.has(method) && /^[A-Z]/.test(name) && this.#rules.supers.has(name))
      return { kind: 'named', name, entity: -1 };
    const given = this.#rules.results.get(method);
    if (given === undefined) return undefined;
    const isArray = given.endsWith('[]');
    const named: Shape = { kind: 'named', name: isArray ? given.slice(0, -2) : given, entity: -1 };
    return isArray ? { kind: 'array', element: named } : named;
  }

  #returnedShape(definition: Entity): Shape | undefined {
    if (definition < 0) return undefined;
    const unit = unitOf(this.#on.program, definition);
    if (!this.#isCallable(definition)) return undefined;
    return withoutVariable(this.ofType(unit, unit.facts.definitions.type(definition - unit.base)));
  }
}

const isFree = (flags: number): boolean => (flags & (DefinitionFlag.optional | DefinitionFlag.rest)) !== 0;

/** A type variable of something else says nothing here. */
function withoutVariable(shape: Shape | undefined): Shape | undefined {
  if (shape?.kind === 'variable') return undefined;
  return shape?.kind === 'array' && shape.element?.kind === 'variable' ? undefined : shape;
}

/** True if two shapes are the same type. An unknown shape is only the same as itself. */
export function isSame(left: Shape | undefined, right: Shape | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (left.kind === 'named' && right.kind === 'named')
    return left.entity === right.entity && (left.entity >= 0 || left.name === right.name);
  if (left.kind === 'array' && right.kind === 'array') return isSame(left.element, right.element);
  if (left.kind === 'function' && right.kind === 'function') return left.parameters === right.parameters;
  return left.kind === right.kind;
}
