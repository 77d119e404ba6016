import type { Overloads } from './overloads.ts';
import type { Names } from '../names/names.ts';
import type { Entity, Program } from '../program/program.ts';
import type { Bindings, LazyType, OfKind, Type } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** A member that was found, with what stands for the type parameters of its owner. */
export interface BoundMember {
  entity: Entity;
  bindings?: Bindings;
}

/** A call whose arguments can be looked at: the Call or New node. */
export interface CallSite {
  unit: Unit;
  node: number;
  bindings?: Bindings;
}

/**
 * Evaluation of one language: each function of it lives in a file of its own and calls the others through this object,
 * so that a language replaces single ones. Everything answers undefined when it does not know.
 */
export interface Evaluation {
  readonly program: Program;
  readonly names: Names;
  readonly budget: Budget;
  /** Overloads of a language that tells functions of one name apart by what they take. */
  readonly overloads?: Overloads;
  /** The type that a type node names. */
  type(unit: Unit, node: number, bindings?: Bindings): Type | undefined;
  /** The type of the value of an expression node. */
  expression(unit: Unit, node: number, bindings?: Bindings): Type | undefined;
  /** The type that a context node expects. */
  context(unit: Unit, node: number): Type | undefined;
  /** The type of the value that a definition names. */
  definition(entity: Entity, bindings?: Bindings): Type | undefined;
  /** The same, evaluated anew. */
  value(definition: Entity, bindings?: Bindings): Type | undefined;
  /** The type that values declared with this definition as their type have. */
  declared(entity: Entity, generics?: readonly LazyType[]): Type | undefined;
  /** Returns the type that calling a function definition gives. */
  returned(definition: number, bindings?: Bindings): Type | undefined;
  call(callee: Type | undefined, site?: CallSite): Type | undefined;
  construct(callee: Type | undefined, site?: CallSite): Type | undefined;
  /** The type of `.name` of a value. */
  member(type: Type | undefined, name: number): Type | undefined;
  /** The definitions that `.name` of a value can mean. `visited` guards against cycles of inheritance. */
  members(type: Type | undefined, name: number, visited?: Set<number>): readonly BoundMember[];
  element(type: Type | undefined): Type | undefined;
  parameter(callee: Type | undefined, position: number): Type | undefined;
  /** The type of `this` or `self` seen from a scope. */
  self(unit: Unit, scope: number): Type | undefined;
  /** The types a class is made from: what it extends, implements and spreads in. */
  bases(type: OfKind<'instance'> | OfKind<'class'>): Iterable<Type>;
}

/** Ends evaluations that would not: steps for one query, and nesting. */
export interface Budget {
  steps: number;
  limit: number;
  depth: number;
  /** Grows when an evaluation was cut short or met itself: its result must not be kept for others. */
  cuts: number;
  /** Aliases whose types are being evaluated. */
  readonly aliases: Set<Entity>;
}

/** Steps of a query by receiver; deep call chains of fluent APIs take some hundred. */
export const MEMBER_STEPS = 4000;
/** Steps of a query by name; barrels of barrels are walked name by name. */
export const NAME_STEPS = 20_000;
const MAX_DEPTH = 40;

export function startQuery(budget: Budget, limit: number): void {
  budget.steps = 0;
  budget.depth = 0;
  budget.limit = limit;
  budget.aliases.clear();
}

/**
 * Evaluates what is computed once for all files, with queries of its own, in the middle of the query that happens to be the first
 * to need it: neither takes steps from the other.
 */
export function outsideQuery<Made>(budget: Budget, evaluate: () => Made): Made {
  const { steps, limit, depth } = budget;
  const aliases = [...budget.aliases];
  const made = evaluate();
  startQuery(budget, limit);
  Object.assign(budget, { steps, depth });
  for (const alias of aliases) budget.aliases.add(alias);
  return made;
}

/** Enters one level of evaluation: false when the budget is spent. `leave` follows every `enter` that was true. */
export function enter(budget: Budget): boolean {
  if (budget.depth >= MAX_DEPTH || budget.steps >= budget.limit) {
    budget.cuts += 1;
    return false;
  }
  budget.depth += 1;
  budget.steps += 1;
  return true;
}

export function leave(budget: Budget): void {
  budget.depth -= 1;
}

/**
 * Evaluates what an alias stands for, unless that is under way: then it is not known. Types that unwrap types, each into
 * a union, would double with every turn until the steps are spent, at each of their uses.
 */
export function withinAlias<T>(budget: Budget, alias: Entity, evaluate: () => T): T | undefined {
  if (budget.aliases.has(alias)) {
    budget.cuts += 1;
    return undefined;
  }
  budget.aliases.add(alias);
  const result = evaluate();
  budget.aliases.delete(alias);
  return result;
}
