import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { BoundMember, Evaluation } from './evaluation.ts';
import { Fit, type FitCode, Fitting } from './fitting.ts';
import { resolveName } from '../names/names-typescript.ts';
import { argumentsOf, operand, opOf, typeArgumentsOf } from '../program/nodes.ts';
import type { OverloadRules } from './overload-rules.ts';
import { type Entity, facetsOf, hasFlag, nameOf, ownerOf, read, typeParametersOf } from '../program/program.ts';
import { isSame, type Shape, Shapes, type Signature } from './shapes.ts';
import type { Bindings } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** Functions of one name that are told apart; of more, as generated code may have, the first. Each call compares them all. */
const MOST_OVERLOADS = 200;

/** A call: its node, and bits of the arguments that are given by name. */
interface CallAt {
  unit: Unit;
  node: number;
  named: number;
}

/** A function with what it takes where it is called. */
interface Candidate {
  entity: Entity;
  signature: Signature;
}

/** Fit of a candidate to a call. */
interface Fitted extends Candidate {
  /** 1: as it is, 2: with values put into classes, 3: with several arguments for its last parameter. */
  phase: number;
  isSure: boolean;
  isExact: boolean;
  /** Arguments that do not fit. */
  wrong: number;
}

/**
 * Functions of one name that are told apart by what they take. Of those that a name can mean, a call means the ones that
 * take as many arguments, then the ones whose parameters the arguments fit: as they are, put into classes, gathered by the
 * last parameter; of several the most specific one. What is not known fits, so several may be left: all of them are meant.
 */
export class Overloads {
  readonly #on: Evaluation;
  readonly #shapes: Shapes;
  readonly #fitting: Fitting;
  readonly #rules: OverloadRules;
  readonly #sites = new Map<Unit, Map<number, CallAt>>();
  readonly #named = new Map<Unit, Map<number, number>>();

  constructor(on: Evaluation, rules: OverloadRules) {
    this.#on = on;
    this.#shapes = new Shapes(on, rules, (unit, call) => this.callees(unit, call));
    this.#fitting = new Fitting(on, rules, this.#shapes);
    this.#rules = rules;
  }

  /** Returns the entities that a name at an offset means, of those it can mean, the nearest first. */
  meant(unit: Unit, start: number, candidates: readonly Entity[]): readonly Entity[] {
    if (candidates.length < 2 || !candidates.every((entity) => this.isCallable(entity))) return candidates;
    const distinct = this.distinct(candidates);
    const site = distinct.length < 2 ? undefined : this.#sitesOf(unit).get(start);
    return site === undefined ? distinct : this.#choose(site, distinct);
  }

  /** The constructors that making an instance of a class at an offset calls. None when the class declares none. */
  constructors(unit: Unit, start: number, type: Entity): readonly Entity[] {
    if (type < 0) return [];
    const all = this.#on
      .members({ kind: 'instance', definition: type }, nameOf(this.#on.program, type))
      .map(({ entity }) => entity)
      .filter((definition) => definition >= 0 && hasFlag(this.#on.program, definition, DefinitionFlag.constructor));
    const site = all.length === 0 ? undefined : this.#sitesOf(unit).get(start);
    return site === undefined ? [] : this.#choose(site, all);
  }

  /** The functions that a Call node means. */
  callees(unit: Unit, node: number): readonly Entity[] {
    const entities = this.#candidatesOf(unit, node).map(({ entity }) => entity);
    const distinct = entities.length < 2 ? entities : this.distinct(entities);
    if (distinct.length < 2) return distinct;
    return this.#choose({ unit, node, named: this.#namedOf(unit, node) }, distinct);
  }

  /**
   * Returns the function that a call node means of several, with the bindings of its type parameters; the first when several
   * are meant.
   */
  callee(unit: Unit, node: number): BoundMember | undefined {
    const candidates = this.#candidatesOf(unit, node);
    if (candidates.length < 2) return undefined;
    const [meant] = this.#choose(
      { unit, node, named: this.#namedOf(unit, node) },
      this.distinct(candidates.map(({ entity }) => entity)),
    );
    return candidates.find(({ entity }) => entity === meant);
  }

  #candidatesOf(unit: Unit, node: number): readonly BoundMember[] {
    const callee = operand(unit, node, 0);
    switch (opOf(unit, callee)) {
      case NodeOp.MemberOf: {
        const receiver = this.#on.expression(unit, operand(unit, callee, 0));
        const members = this.#on.members(receiver, intAt(unit.names, operand(unit, callee, 1)));
        return members.filter(({ entity }) => this.isCallable(entity));
      }
      case NodeOp.Identifier: {
        const scoped = { program: this.#on.program, unit, scope: operand(unit, callee, 1) };
        const name = intAt(unit.names, operand(unit, callee, 0));
        return resolveName(this.#on.names, scoped, name, UseFlag.value)
          .filter((entity) => this.isCallable(entity))
          .map((entity) => ({ entity }));
      }
      default:
        return [];
    }
  }

  isCallable(entity: Entity): boolean {
    if (entity < 0) return false;
    const kind = read(this.#on.program, entity, Definition.kind);
    return kind === DefinitionKind.method || kind === DefinitionKind.function;
  }

  /** Without what is overridden by one before it. Functions of one type are never the same. */
  distinct(entities: readonly Entity[]): readonly Entity[] {
    const result: Entity[] = [];
    for (const definition of firstOf(entities)) {
      const owner = ownerOf(this.#on.program, definition);
      const isOverridden = result.some(
        (other) =>
          other === definition ||
          (ownerOf(this.#on.program, other) !== owner && this.#countSameParameters(other, definition) >= 0),
      );
      if (!isOverridden) result.push(definition);
    }
    return result;
  }

  distinctMembers(members: readonly BoundMember[]): readonly BoundMember[] {
    if (members.length < 2) return members;
    const entities = new Set(this.distinct(members.map(({ entity }) => entity)));
    return members.filter(({ entity }) => entities.delete(entity));
  }

  /** Returns the members of a base that a member overrides: those that take the same. */
  overridden(member: Entity, inherited: readonly BoundMember[]): readonly Entity[] {
    const scored = inherited.map(({ entity, bindings }) => ({
      entity,
      score: this.isCallable(entity) ? this.#countSameParameters(member, entity, bindings) : 0,
    }));
    const best = Math.max(0, ...scored.map(({ score }) => score));
    return scored.filter(({ score }) => score === best).map(({ entity }) => entity);
  }

  /** Counts the parameters of two functions that are surely the same; -1 when one is surely another, or their number is. */
  #countSameParameters(member: Entity, inherited: Entity, bindings?: Bindings): number {
    const [a, b] = [this.#shapes.signature(member), this.#shapes.signature(inherited)];
    if (a.shapes.length !== b.shapes.length) return -1;
    let same = 0;
    for (const [index, shape] of a.shapes.entries()) {
      const also = this.#boundShape(b.shapes[index], bindings);
      if (this.#isPrimitive(shape) !== this.#isPrimitive(also) && shape !== undefined && also !== undefined) return -1;
      if (isLoose(shape) || isLoose(also)) continue;
      if (!isSame(shape, also)) return -1;
      same += 1;
    }
    return same;
  }

  /** Returns the shape bound to a type variable, where it is known. */
  #boundShape(shape: Shape | undefined, bindings: Bindings | undefined): Shape | undefined {
    if (shape?.kind !== 'variable') return shape;
    return this.#shapes.ofEvaluated(bindings?.get(shape.definition)?.type) ?? shape;
  }

  #isPrimitive(shape: Shape | undefined): boolean {
    return shape?.kind === 'named' && shape.entity < 0 && this.#rules.widening.has(shape.name);
  }

  #sitesOf(unit: Unit): ReadonlyMap<number, CallAt> {
    const cached = this.#sites.get(unit);
    if (cached !== undefined) return cached;
    const made = new Map<number, CallAt>();
    const { sites } = unit.facts;
    for (let row = 0; row < sites.count; row += 1)
      made.set(sites.start(row), { unit, node: sites.node(row), named: sites.named(row) });
    this.#sites.set(unit, made);
    return made;
  }

  #namedOf(unit: Unit, node: number): number {
    let byNode = this.#named.get(unit);
    if (byNode === undefined) {
      const named = [...this.#sitesOf(unit).values()].filter((site) => site.named !== 0);
      this.#named.set(unit, (byNode = new Map(named.map((site) => [site.node, site.named]))));
    }
    return byNode.get(node) ?? 0;
  }

  #choose(site: CallAt, candidates: readonly Entity[]): readonly Entity[] {
    const given = argumentsOf(site.unit, site.node);
    const all = firstOf(candidates).map((entity) => ({ entity, signature: this.#signatureAt(entity, given.length) }));
    const counted = this.#withTypes(
      site,
      all.filter(({ signature }) => acceptsCount(signature, given.length)),
    );
    if (counted.length < 2) return counted.map(({ entity }) => entity);
    const values = this.#valuesOf(site, given, counted);
    const fitted = counted.map((candidate) => this.#fitCandidate(candidate, values));
    const wrong = Math.min(...fitted.map((candidate) => candidate.wrong));
    const fitting = fitted.filter((candidate) => candidate.wrong === wrong);
    // What a type has itself is meant before what extends it.
    const own = fitting.filter(({ entity }) => facetsOf(this.#on.program, entity, Facet.receiver).length === 0);
    return this.#mostSpecific(own.length > 0 ? own : fitting, given.length).map(({ entity }) => entity);
  }

  /** Selects the functions that have as many type parameters as a call has written type arguments, if it has any. */
  #withTypes({ unit, node }: CallAt, candidates: readonly Candidate[]): readonly Candidate[] {
    const count = candidates.length < 2 ? 0 : typeArgumentsOf(unit, node).length;
    if (count === 0) return candidates;
    const fitting = candidates.filter(({ entity }) => typeParametersOf(this.#on.program, entity).length === count);
    return fitting.length === 0 ? candidates : fitting;
  }

  /** Returns the signature of a function at a call. An extension is most often called on its first argument. */
  #signatureAt(entity: Entity, count: number): Signature {
    const signature = this.#shapes.signature(entity);
    const { program } = this.#on;
    const takesReceiver =
      this.#rules.hasReceiverParameter &&
      hasFlag(program, entity, DefinitionFlag.static) &&
      !hasFlag(program, entity, DefinitionFlag.classMethod);
    if (!takesReceiver || facetsOf(program, entity, Facet.receiver).length === 0) return signature;
    const withoutReceiver = { ...signature, shapes: signature.shapes.slice(1), required: signature.required - 1 };
    return acceptsCount(withoutReceiver, count) ? withoutReceiver : signature;
  }

  /** The shapes of the arguments that tell the candidates apart; the others need not be known. */
  #valuesOf(
    { unit, named }: CallAt,
    given: Int32Array,
    candidates: readonly Candidate[],
  ): readonly { isDecisive: boolean; shape: Shape | undefined }[] {
    return Array.from(given, (node, index) => {
      const [first, ...others] = candidates.map(({ signature }) =>
        this.#parameterShape(signature, index, given.length),
      );
      const isDecisive = first === undefined || !others.every((other) => isSame(other, first));
      const isNamed = index < 31 && (named & (1 << index)) !== 0;
      return { isDecisive, shape: isDecisive && !isNamed ? this.#shapes.ofValue(unit, node) : undefined };
    });
  }

  #fitCandidate(candidate: Candidate, values: readonly { isDecisive: boolean; shape: Shape | undefined }[]): Fitted {
    const { signature } = candidate;
    const last = signature.shapes.length - 1;
    const whole =
      signature.isVariadic && values.length === last + 1 ? this.#fitWhole(signature, values[last]?.shape) : Fit.no;
    // A list in the place of the last parameter is taken as it is.
    const isSpread = signature.isVariadic && whole !== Fit.exact && whole !== Fit.wider;
    let [phase, wrong, isSure, isExact] = [isSpread ? 3 : 1, 0, true, !isSpread];
    values.forEach(({ isDecisive, shape }, index) => {
      const position = this.#isTrailing(signature, index, values.length) ? last : index;
      const fit = this.#fitAt({ signature, isSpread }, position, { isDecisive, shape });
      if (fit === Fit.boxed) phase = Math.max(phase, 2);
      if (fit === Fit.no) wrong += 1;
      isSure &&= fit !== Fit.maybe && fit !== Fit.no;
      isExact &&= fit === Fit.exact;
    });
    return { ...candidate, phase, wrong, isSure, isExact };
  }

  /** A function at the end of a call that leaves parameters out is given to the last one. */
  #isTrailing({ shapes }: Signature, index: number, count: number): boolean {
    const isLast = this.#rules.hasTrailingFunction && index === count - 1 && count < shapes.length;
    return isLast && shapes.at(-1)?.kind === 'function';
  }

  #parameterShape(signature: Signature, index: number, count: number): Shape | undefined {
    return this.#isTrailing(signature, index, count) ? signature.shapes.at(-1) : parameterAt(signature, index);
  }

  #fitWhole(signature: Signature, shape: Shape | undefined): FitCode {
    return this.#fitting.fit(shape, signature.shapes.at(-1));
  }

  #fitAt(
    { signature, isSpread }: { signature: Signature; isSpread: boolean },
    index: number,
    { isDecisive, shape }: { isDecisive: boolean; shape: Shape | undefined },
  ): FitCode {
    if (!isDecisive) return Fit.exact;
    const expected = signature.shapes[Math.min(index, signature.shapes.length - 1)];
    if (!isSpread || index < signature.shapes.length - 1) return this.#fitting.fit(shape, expected);
    return this.#fitting.fit(shape, expected?.kind === 'array' ? expected.element : expected);
  }

  #mostSpecific(fitted: readonly Fitted[], count: number): readonly Fitted[] {
    const exact = fitted.filter((candidate) => candidate.isExact);
    if (exact.length > 0) return withoutDefaults(exact, count);
    const sure = fitted.filter((candidate) => candidate.isSure);
    const phase = Math.min(...sure.map((candidate) => candidate.phase));
    const remaining = fitted.filter((candidate) => candidate.phase <= phase);
    const best = remaining.filter(
      (candidate) =>
        !remaining.some(
          (other) =>
            other !== candidate &&
            other.isSure &&
            this.#isMoreSpecific(other.signature, candidate.signature, count) &&
            !this.#isMoreSpecific(candidate.signature, other.signature, count),
        ),
    );
    return best.every((candidate) => candidate.isSure) ? withoutDefaults(best, count) : best;
  }

  /** True if whatever fits the parameters of one function fits those of another. */
  #isMoreSpecific(left: Signature, right: Signature, count: number): boolean {
    for (let index = 0; index < count; index += 1) {
      const [mine, theirs] = [parameterAt(left, index), parameterAt(right, index)];
      if (!isSame(mine, theirs) && this.#fitting.fit(mine, theirs) > Fit.wider) return false;
    }
    return true;
  }
}

const firstOf = (entities: readonly Entity[]): readonly Entity[] =>
  entities.length > MOST_OVERLOADS ? entities.slice(0, MOST_OVERLOADS) : entities;

/** Selects the functions, of those that fit as well, that take all they can be given. */
function withoutDefaults(fitted: readonly Fitted[], count: number): readonly Fitted[] {
  const whole = fitted.filter(({ signature }) => signature.shapes.length === count);
  return whole.length > 0 ? whole : fitted;
}

/** A type variable, or what is not known: it can be any type. */
function isLoose(shape: Shape | undefined): boolean {
  return shape === undefined || shape.kind === 'variable' || (shape.kind === 'array' && isLoose(shape.element));
}

function acceptsCount({ required, shapes, isVariadic }: Signature, count: number): boolean {
  return count >= required && (isVariadic || count <= shapes.length);
}

function parameterAt({ shapes, isVariadic }: Signature, index: number): Shape | undefined {
  if (!isVariadic || index < shapes.length - 1) return shapes[index];
  const last = shapes.at(-1);
  return last?.kind === 'array' ? last.element : last;
}
