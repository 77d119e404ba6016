import { Facet, NodeOp, UseFlag } from '../../languages/facts/facts.ts';
import { languageOf } from '../../languages/languages.ts';
import { expectedArgument } from './contexts.ts';
import type { BoundMember, Evaluation } from './evaluation.ts';
import type { MergedNames } from '../names/names.ts';
import { type ReceiverRules, receiversAround, withReceivers } from '../names/names-receivers.ts';
import { operand, opOf, receiverParameter } from '../program/nodes.ts';
import { facetsOf } from '../program/program.ts';
import type { OfKind, Type } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

type Rules = Omit<ReceiverRules, 'membersOf'>;
type Holder = OfKind<'instance'> | OfKind<'class'>;

/** Receivers of functions in braces, evaluated once each. */
export class Receivers {
  readonly #on: Evaluation;
  readonly #types = new Map<Unit, Map<number, Type | undefined>>();
  readonly #open = new Map<Unit, Set<number>>();

  readonly #rules: Rules;

  constructor(on: Evaluation, rules: Rules) {
    this.#on = on;
    this.#rules = rules;
  }

  /** Names with the members of what functions in braces are called on. */
  names(names: MergedNames): MergedNames {
    return withReceivers(this.#on.program, names, {
      ...this.#rules,
      membersOf: (unit, row, name) => this.#on.members(this.typeAt(unit, row), name).map(({ entity }) => entity),
    });
  }

  /** The type that a row of narrowings gives. Not known while it is being evaluated: an argument may decide what is called. */
  typeAt(unit: Unit, row: number): Type | undefined {
    const types = this.#types.get(unit) ?? new Map<number, Type | undefined>();
    const open = this.#open.get(unit) ?? new Set<number>();
    this.#types.set(unit, types);
    this.#open.set(unit, open);
    if (types.has(row)) return types.get(row);
    if (open.has(row)) {
      this.#on.budget.cuts += 1;
      return undefined;
    }
    open.add(row);
    const { cuts } = this.#on.budget;
    const type = this.#evaluate(unit, row);
    open.delete(row);
    if (this.#on.budget.cuts === cuts) types.set(row, type);
    return type;
  }

  /** Returns the type of `this` in the innermost function in braces that is called on something. */
  self(unit: Unit, scope: number): Holder | undefined {
    for (const { row } of receiversAround(this.#on.program, unit, scope)) {
      const type = this.typeAt(unit, row);
      if (type?.kind === 'instance' || type?.kind === 'class') return type;
    }
    return undefined;
  }

  #evaluate(unit: Unit, row: number): Type | undefined {
    const node = unit.facts.narrowings.node(row);
    if (opOf(unit, node) !== NodeOp.ContextReceiver) return this.#on.type(unit, node);
    const argument = operand(unit, node, 0);
    const [call, position] = [operand(unit, argument, 0), operand(unit, argument, 1)];
    // Functions of one name may ask for functions on different values.
    const meant = this.#on.overloads?.callee(unit, call);
    const callee =
      meant === undefined
        ? this.#on.expression(unit, operand(unit, call, 0))
        : this.#on.definition(meant.entity, meant.bindings);
    const expected = callee && expectedArgument(this.#on, callee, { unit, call, position });
    const receiver = this.#expectedReceiver(expected);
    if (receiver !== undefined || callee?.kind === 'function') return receiver;
    for (const { entity, bindings } of this.#invoked(unit, { row, callee, called: operand(unit, call, 0) })) {
      const method = this.#on.definition(entity, bindings);
      const methodReceiver = this.#expectedReceiver(
        method && expectedArgument(this.#on, method, { unit, call, position }),
      );
      if (methodReceiver !== undefined) return methodReceiver;
    }
    return undefined;
  }

  /** Returns the receiver that a parameter of a function type expects. */
  #expectedReceiver(expected: Type | undefined): Type | undefined {
    if (expected?.kind !== 'signature') return undefined;
    const parameter = receiverParameter(expected.unit, expected.node);
    if (parameter === 0) return undefined;
    return this.#on.type(expected.unit, operand(expected.unit, parameter, 0), expected.bindings);
  }

  /**
   * The methods that calling a value or a class calls: its own, those of its companion, and for a reference to a member
   * (`User::name { }`) the extensions that stand around.
   */
  #invoked(
    unit: Unit,
    { row, callee, called }: { row: number; callee: Type | undefined; called: number },
  ): readonly BoundMember[] {
    const { calledMethod } = languageOf(unit.facts.language);
    const name = calledMethod === undefined ? -1 : this.#on.program.names.find(calledMethod);
    if (name < 0) return [];
    const own = this.#on.members(callee, name);
    if (own.length > 0 || opOf(unit, called) !== NodeOp.MemberOf) return own;
    if (this.#on.expression(unit, operand(unit, called, 0))?.kind !== 'class') return own;
    const around = unit.facts.scopes.parent(unit.facts.narrowings.scope(row));
    return this.#on.names
      .lookup(unit, name, around, UseFlag.value)
      .filter((entity) => entity >= 0 && facetsOf(this.#on.program, entity, Facet.receiver).length > 0)
      .map((entity) => ({ entity }));
  }
}
