import { NodeOp } from '../../languages/facts/facts.ts';
import { evaluateExpression } from './evaluate-expressions.ts';
import { bindingsOf } from './evaluate-types.ts';
import type { BoundMember, Evaluation } from './evaluation.ts';
import type { Differences } from './evaluation-typescript.ts';
import { findMembers } from './members.ts';
import { opOf } from '../program/nodes.ts';
import type { OverloadRules } from './overload-rules.ts';
import { Overloads } from './overloads.ts';
import { type Entity, ownerOf, ownMembers } from '../program/program.ts';
import type { Bindings, OfKind, Type } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

type Holder = OfKind<'instance'> | OfKind<'class'>;
const NONE: readonly BoundMember[] = [];

/** Overrides of the evaluation for a language with overloads: a type has the functions of a name that its bases have too. */
export function overloadedEvaluation(
  on: Evaluation,
  rules: OverloadRules,
): Pick<Differences, 'overloads' | 'members' | 'expressionNode'> {
  const overloads = new Overloads(on, rules);
  const cache = new Map<Entity, Map<number, readonly BoundMember[]>>();
  return {
    overloads,
    expressionNode: (unit, node, bindings) => overloadedExpression(on, overloads, { unit, node, bindings }),
    members: (type, name, visited = new Set()) => {
      if (type?.kind !== 'instance' && type?.kind !== 'class') return findMembers(on, type, name, visited);
      const { definition } = type;
      const isPlain = type.arguments === undefined && type.bindings === undefined;
      // Which members there are does not depend on type arguments, and not on the side of the type in these languages.
      let byName = cache.get(definition);
      if (byName === undefined) cache.set(definition, (byName = new Map()));
      let members = byName.get(name);
      if (members === undefined) {
        const { cuts } = on.budget;
        const isWhole = visited.size === 0;
        const plain: Holder = { kind: type.kind, definition };
        members = heldMembers(on, overloads, { type: plain, name, visited: isPlain ? visited : new Set(visited) });
        if (isWhole && on.budget.cuts === cuts) byName.set(name, members);
      }
      if (isPlain || members.length === 0) return members;
      if (!members.every(({ entity }) => ownerOf(on.program, entity) === definition))
        return heldMembers(on, overloads, { type, name, visited });
      const bindings = bindingsOf(on, type);
      return bindings === undefined ? members : members.map(({ entity }) => ({ entity, bindings }));
    },
  };
}

/** Members that a type has itself; functions also those of its bases that it does not override. */
function heldMembers(
  on: Evaluation,
  overloads: Overloads,
  { type, name, visited }: { type: Holder; name: number; visited: Set<number> },
): readonly BoundMember[] {
  if (visited.has(type.definition)) return NONE;
  visited.add(type.definition);
  const bindings = bindingsOf(on, type);
  const own = ownMembers(on.program, type.definition, name).map((entity): BoundMember =>
    bindings === undefined ? { entity } : { entity, bindings },
  );
  const isOpen = (member: BoundMember): boolean => overloads.isCallable(member.entity);
  if (own.length > 0 && !own.some(isOpen)) return own;
  const members = own;
  for (const base of on.bases(type)) {
    const inherited = on.members(base, name, visited);
    members.push(...(members.length === 0 ? inherited : inherited.filter(isOpen)));
    if (members.length > 0 && !members.some(isOpen)) return members;
  }
  return overloads.distinctMembers(members);
}

/** A call gives what the function gives that it means; everything else is as in TypeScript. */
export function overloadedExpression(
  on: Evaluation,
  overloads: Overloads,
  { unit, node, bindings }: { unit: Unit; node: number; bindings: Bindings | undefined },
): Type | undefined {
  const meant = opOf(unit, node) === NodeOp.Call ? overloads.callee(unit, node) : undefined;
  if (meant === undefined) return evaluateExpression(on, unit, node, bindings);
  const callee = on.definition(meant.entity, meant.bindings);
  return on.call(callee, bindings === undefined ? { unit, node } : { unit, node, bindings });
}
