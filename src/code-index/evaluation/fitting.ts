import { Definition, DefinitionFlag, DefinitionKind, Facet } from '../../languages/facts/facts.ts';
import type { Evaluation } from './evaluation.ts';
import type { OverloadRules } from './overload-rules.ts';
import { type Entity, facetsOf, hasFlag, nameOf, ownerOf, read, unitOf } from '../program/program.ts';
import { isSame, type Shape, type Shapes } from './shapes.ts';

/** Degrees to which an argument fits a parameter. */
export const Fit = {
  exact: 0,
  /** By a supertype, or a wider number. */
  wider: 1,
  /** Put into a class that holds it, or taken out of one. */
  boxed: 2,
  /** Not known. */
  maybe: 3,
  no: 4,
} as const;
export type FitCode = (typeof Fit)[keyof typeof Fit];

type Named = Extract<Shape, { kind: 'named' }>;

/** All that a type extends. `isOpen` when a library type is among them of which nothing is known. */
interface Supertypes {
  entities: ReadonlySet<Entity>;
  names: ReadonlySet<string>;
  isOpen: boolean;
}

/** Methods that every object has: an interface that names them asks for nothing more. */
const OF_ALL = new Set(['equals', 'hashCode', 'toString']);

/** Decides which values fit which parameters, in one group of languages. */
export class Fitting {
  readonly #on: Evaluation;
  readonly #rules: OverloadRules;
  readonly #shapes: Shapes;
  readonly #supers = new Map<Entity, Supertypes>();
  readonly #functions = new Map<Entity, number | undefined>();

  constructor(on: Evaluation, rules: OverloadRules, shapes: Shapes) {
    this.#on = on;
    this.#rules = rules;
    this.#shapes = shapes;
  }

  fit(given: Shape | undefined, expected: Shape | undefined): FitCode {
    if (given === undefined || expected === undefined) return Fit.maybe;
    switch (given.kind) {
      case 'null':
        return expected.kind === 'named' && this.#rules.widening.has(expected.name) && expected.entity < 0
          ? Fit.no
          : Fit.wider;
      case 'function':
        return this.#fitFunction(given.parameters, expected);
      case 'array':
        return this.#fitArray(given, expected);
      case 'variable':
        if (expected.kind === 'variable') return Fit.exact;
        if (given.bound !== undefined) return Math.max(this.fit(given.bound, expected), Fit.wider) as FitCode;
        return this.#isTop(expected) ? Fit.wider : Fit.no;
      case 'named':
        return this.#fitNamed(given, expected);
    }
  }

  #isTop(shape: Shape): boolean {
    return shape.kind === 'named' && shape.entity < 0 && this.#rules.tops.has(shape.name);
  }

  #fitNamed(given: Named, expected: Shape): FitCode {
    const isPrimitive = given.entity < 0 && this.#rules.widening.has(given.name);
    switch (expected.kind) {
      case 'variable':
        if (isPrimitive) return Fit.boxed;
        return expected.bound === undefined
          ? Fit.wider
          : (Math.max(this.fit(given, expected.bound), Fit.wider) as FitCode);
      case 'named':
        return isSame(given, expected) ? Fit.exact : this.#fitOther(given, expected, isPrimitive);
      case 'function':
        return isPrimitive || given.entity >= 0 || this.#rules.supers.has(given.name) ? Fit.no : Fit.maybe;
      default:
        return this.#isOpen(given) && !isPrimitive ? Fit.maybe : Fit.no;
    }
  }

  /** A library type that may be an array under another name. */
  #isOpen({ name, entity }: Named): boolean {
    return entity < 0 && !this.#rules.supers.has(name);
  }

  #fitOther(given: Named, expected: Named, isPrimitive: boolean): FitCode {
    const { widening, boxes } = this.#rules;
    if (isPrimitive) {
      if (widening.get(given.name)?.has(expected.name) === true) return Fit.wider;
      if (widening.has(expected.name)) return Fit.no;
      if (this.#isTop(expected)) return Fit.boxed;
      const box = boxes.get(given.name);
      if (box === undefined) return Fit.no;
      return this.fit({ kind: 'named', name: box, entity: -1 }, expected) <= Fit.wider ? Fit.boxed : Fit.no;
    }
    if (expected.entity < 0 && widening.has(expected.name)) {
      const held = [...boxes].find(([, box]) => given.entity < 0 && box === given.name)?.[0];
      if (held === undefined) return Fit.no;
      return held === expected.name || widening.get(held)?.has(expected.name) === true ? Fit.boxed : Fit.no;
    }
    if (this.#isTop(expected)) return Fit.wider;
    if (this.#isTop(given)) return Fit.no;
    const supers = this.#supersOf(given);
    if (expected.entity >= 0) return supers.entities.has(expected.entity) ? Fit.wider : Fit.no;
    if (supers.names.has(expected.name)) return Fit.wider;
    return supers.isOpen && !this.#rules.closed.has(expected.name) ? Fit.maybe : Fit.no;
  }

  #fitArray(given: Extract<Shape, { kind: 'array' }>, expected: Shape): FitCode {
    if (expected.kind === 'array') {
      if (isSame(given.element, expected.element) && given.element !== undefined) return Fit.exact;
      const fit = this.fit(given.element, expected.element);
      const isPrimitive = given.element?.kind === 'named' && this.#rules.widening.has(given.element.name);
      return fit === Fit.boxed || (isPrimitive && fit === Fit.wider) ? Fit.no : fit;
    }
    if (expected.kind === 'variable') return expected.bound === undefined ? Fit.wider : Fit.no;
    if (expected.kind !== 'named' || expected.entity >= 0) return Fit.no;
    return this.#rules.arrays.has(expected.name) || this.#isTop(expected) ? Fit.wider : Fit.no;
  }

  #fitFunction(parameters: number | undefined, expected: Shape): FitCode {
    const byCount = (count: number | undefined): FitCode => {
      if (count === undefined) return Fit.no;
      return parameters === undefined || parameters === count ? Fit.wider : Fit.no;
    };
    if (expected.kind === 'function') return byCount(expected.parameters);
    if (expected.kind === 'variable')
      return expected.bound === undefined ? Fit.maybe : this.#fitFunction(parameters, expected.bound);
    if (expected.kind !== 'named') return Fit.no;
    if (expected.entity >= 0) return byCount(this.#functionOf(expected.entity));
    const { functions, closed, widening, supers } = this.#rules;
    if (functions.has(expected.name)) return byCount(functions.get(expected.name));
    const isNone = closed.has(expected.name) || widening.has(expected.name) || supers.has(expected.name);
    return isNone || this.#isTop(expected) ? Fit.no : Fit.maybe;
  }

  #supersOf({ name, entity }: Named): Supertypes {
    if (entity >= 0) return this.#supersOfEntity(entity);
    const names = new Set<string>();
    return { entities: new Set(), names, isOpen: this.#addNamed(name, names) };
  }

  /** Adds what a library type extends. True when nothing is known of it. */
  #addNamed(name: string, into: Set<string>): boolean {
    const direct = this.#rules.supers.get(name);
    if (!into.has(name)) {
      into.add(name);
      for (const inherited of direct ?? []) this.#addNamed(inherited, into);
    }
    return direct === undefined;
  }

  #supersOfEntity(entity: Entity): Supertypes {
    const cached = this.#supers.get(entity);
    if (cached !== undefined) return cached;
    const [entities, names] = [new Set<Entity>(), new Set<string>()];
    const supertypes = { entities, names, isOpen: false };
    this.#supers.set(entity, supertypes);
    for (const base of this.#basesOf(entity)) {
      if (base?.kind !== 'named') {
        supertypes.isOpen ||= base === undefined;
        continue;
      }
      if (base.entity < 0) {
        supertypes.isOpen = this.#addNamed(base.name, names) || supertypes.isOpen;
        continue;
      }
      const supers = this.#supersOfEntity(base.entity);
      for (const holder of [base.entity, ...supers.entities]) entities.add(holder);
      for (const name of supers.names) names.add(name);
      supertypes.isOpen ||= supers.isOpen;
    }
    return supertypes;
  }

  #basesOf(entity: Entity): (Shape | undefined)[] {
    const unit = unitOf(this.#on.program, entity);
    return [Facet.extends, Facet.implements].flatMap((facet) =>
      facetsOf(this.#on.program, entity, facet).map((node) => this.#shapes.ofType(unit, node)),
    );
  }

  /** Returns the number of parameters of the one method that an interface requires; undefined when it is no such interface. */
  #functionOf(entity: Entity): number | undefined {
    if (this.#functions.has(entity)) return this.#functions.get(entity);
    this.#functions.set(entity, undefined);
    const counts = this.#abstractMethods(entity);
    const count = counts.size === 1 ? [...counts.values()][0] : undefined;
    this.#functions.set(entity, count);
    return count;
  }

  /** The number of parameters of each method that an interface and those it extends ask for, by name. */
  #abstractMethods(entity: Entity, depth = 0): Map<number, number> {
    const { program } = this.#on;
    const methods = new Map<number, number>();
    if (depth > 4 || read(program, entity, Definition.kind) !== DefinitionKind.interface) return methods;
    for (const base of this.#basesOf(entity)) {
      if (base?.kind !== 'named') continue;
      if (base.entity >= 0)
        for (const [name, count] of this.#abstractMethods(base.entity, depth + 1)) methods.set(name, count);
      else if (this.#rules.functions.has(base.name)) methods.set(-1, this.#rules.functions.get(base.name) ?? 0);
    }
    const unit = unitOf(program, entity);
    for (let local = entity - unit.base + 1; local < unit.count; local += 1) {
      const member = unit.base + local;
      if (ownerOf(program, member) !== entity || !hasFlag(program, member, DefinitionFlag.callable)) continue;
      const name = nameOf(program, member);
      if (hasFlag(program, member, DefinitionFlag.static) || OF_ALL.has(program.names.text(name))) continue;
      if (!hasFlag(program, member, DefinitionFlag.abstract)) methods.delete(name);
      else methods.set(name, this.#shapes.signature(member).shapes.length);
    }
    return methods;
  }
}
