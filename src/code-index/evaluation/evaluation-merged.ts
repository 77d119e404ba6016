import { Definition, DefinitionFlag, DefinitionKind, Facet, ScopeKind } from '../../languages/facts/facts.ts';
import type { LanguageGroup } from '../../languages/languages.ts';
import type { BuiltinTypes } from './builtins.ts';
import { callType } from './calls.ts';
import { evaluateDefinition, selfType } from './evaluate-definitions.ts';
import { bindingsOf, declaredType } from './evaluate-types.ts';
import { type Attached, readOutside } from './evaluation-attached.ts';
import type { BoundMember, Evaluation } from './evaluation.ts';
import type { MergedNames } from '../names/names.ts';
import { createEvaluation } from './evaluation-typescript.ts';
import { overloadedExpression } from './evaluation-overloaded.ts';
import { findMembers } from './members.ts';
import { overloadRulesOf } from './overload-rules.ts';
import { Overloads } from './overloads.ts';
import { Receivers } from './receivers.ts';
import {
  type Entity,
  facetsOf,
  hasFlag,
  ownerOf,
  type Program,
  read,
  unitOf,
  unitsOf,
  ownMembers,
} from '../program/program.ts';
import { eachOf, type LazyType, type OfKind, type Type } from './type-model.ts';
import { isHolder } from '../names/names-apart.ts';
import type { Unit } from '../program/unit.ts';

type Holder = OfKind<'instance'> | OfKind<'class'>;

/** Rules for finding the members of a language. */
interface MergedRules {
  group: LanguageGroup;
  builtins: BuiltinTypes;
  /** A class has members of its own that its instances do not have, and the reverse (Ruby). */
  hasSides: boolean;
  /** True if one part of a name space may define what another declares. */
  isDeclaredApart?: boolean;
  /** A function in braces may be called on a value, whose members are names inside. */
  receivers?: { moduleOf: (path: string) => string };
}

/**
 * Evaluation of languages whose types may be declared in parts: reopened classes of Ruby, extensions of Swift, companions
 * of Scala. Members of all declarations of a type are its members; where a member of the asked side (of the class, of an
 * instance) and one of the other bear the same name, the asked one is meant.
 */
export function mergedEvaluation(program: Program, names: MergedNames, rules: MergedRules): Evaluation {
  let attached: Attached | undefined;
  return createEvaluation(program, names, rules.builtins, (self) => {
    const receivers = rules.receivers && new Receivers(self, rules.receivers);
    const held = (type: Holder, name: number): readonly Entity[] => {
      attached ??= readOutside(self, unitsOf(program, rules.group)).methods;
      return membersHere(self, { names, attached, rules }, type, name);
    };
    const overloadRules = overloadRulesOf(rules.group);
    const overloads = overloadRules === undefined ? undefined : new Overloads(self, overloadRules);
    return {
      ...(receivers !== undefined && { names: receivers.names(names) }),
      ...(overloads !== undefined && {
        overloads,
        expressionNode: (unit, node, of) => overloadedExpression(self, overloads, { unit, node, bindings: of }),
      }),
      value: (entity, bindings) => {
        const kind = read(program, entity, Definition.kind);
        if (kind === DefinitionKind.enum || kind === DefinitionKind.module)
          return { kind: 'class', definition: entity };
        const owner = kind === DefinitionKind.enum_member ? ownerOf(program, entity) : -1;
        return owner < 0 ? evaluateDefinition(self, entity, bindings) : { kind: 'instance', definition: owner };
      },
      declared: (entity, generics) => namedType(self, entity, generics),
      call: (callee, site) =>
        eachOf(callee, (type) => {
          if (type.kind === 'class') return { ...type, kind: 'instance' };
          const isCase =
            type.kind === 'instance' && read(program, type.definition, Definition.kind) === DefinitionKind.enum;
          return isCase ? type : callType(self, type, site);
        }),
      members: (type, name, visited = new Set()) => {
        if (type?.kind !== 'instance' && type?.kind !== 'class') return findMembers(self, type, name, visited);
        const first = names.merged(type.definition)[0] ?? type.definition;
        // A class may have itself as a base of its other side.
        const key = first * 2 + (type.kind === 'class' ? 1 : 0);
        if (visited.has(key)) return [];
        visited.add(key);
        const all = names.distinct(names.spellings(name).flatMap((spelling) => held(type, spelling)));
        // Copies of a declaration (dialects of a schema) repeat the member: that of the declaration at hand is meant.
        // A name space of parts is no copy: what one part declares, another defines.
        const isApart = rules.isDeclaredApart === true;
        const isFunction = ({ entity }: BoundMember): boolean => overloads?.isCallable(entity) === true;
        const hasFunctions = all.some((entity) => isFunction({ entity }));
        // Functions of one name are told apart by what they take, wherever they are declared.
        const own =
          isApart || hasFunctions ? [] : all.filter((definition) => ownerOf(program, definition) === type.definition);
        const ids = own.length > 0 ? own : all;
        const bindings = bindingsOf(self, type);
        const here = ids.map((entity): BoundMember => (bindings === undefined ? { entity } : { entity, bindings }));
        if (here.length > 0 && !hasFunctions) return here;
        for (const base of self.bases(type)) {
          const inherited = self.members(base, name, visited);
          here.push(...(here.length === 0 ? inherited : inherited.filter(isFunction)));
          if (here.length > 0 && !here.some(isFunction)) return here;
        }
        return overloads === undefined ? here : overloads.distinctMembers(here);
      },
      self: (unit, scope) => receivers?.self(unit, scope) ?? selfOf(self, unit, scope, rules),
      bases: (type) => bases(self, names, type),
    };
  });
}

/** A module is a type of its own. */
function namedType(on: Evaluation, entity: Entity, generics: readonly LazyType[] | undefined): Type | undefined {
  const isModule = entity >= 0 && read(on.program, entity, Definition.kind) === DefinitionKind.module;
  return isModule ? { kind: 'instance', definition: entity } : declaredType(on, entity, generics);
}

interface Where {
  names: MergedNames;
  attached: Attached;
  rules: MergedRules;
}

/** Members called `name` that the declarations of a type have themselves, or that are written outside for it. */
function membersHere(on: Evaluation, { names, attached, rules }: Where, type: Holder, name: number): readonly Entity[] {
  const entities = names
    .merged(type.definition)
    .flatMap((definition) => [
      ...ownMembers(on.program, definition, name),
      ...(attached.get(definition)?.get(name) ?? []),
    ]);
  // An extension is written as a static method, and called on an instance, but for those of a class.
  const hasStaticExtensions = overloadRulesOf(rules.group)?.hasReceiverParameter === true;
  const isStatic = (entity: Entity): boolean =>
    hasFlag(on.program, entity, DefinitionFlag.static) &&
    (hasFlag(on.program, entity, DefinitionFlag.classMethod) ||
      !(hasStaticExtensions && facetsOf(on.program, entity, Facet.receiver).length > 0));
  // Nested types are on both sides.
  const isOfSide = (entity: Entity): boolean =>
    isHolder(on.program, entity) || isStatic(entity) === (type.kind === 'class');
  const ofSide = entities.filter(isOfSide);
  return ofSide.length > 0 || rules.hasSides ? ofSide : entities;
}

/** Yields the types that a type is made from. What only its class side has (`extend` of Ruby) is a `spread` facet. */
function* bases(on: Evaluation, names: MergedNames, type: Holder): Generator<Type> {
  for (const declaration of names.merged(type.definition)) {
    const unit = unitOf(on.program, declaration);
    const bindings = bindingsOf(on, { ...type, definition: declaration });
    for (const facet of [Facet.extends, Facet.implements])
      for (const node of facetsOf(on.program, declaration, facet)) {
        const base = on.type(unit, node, bindings);
        if (base?.kind === 'instance') yield { ...base, kind: type.kind };
      }
    if (type.kind !== 'class') continue;
    for (const node of facetsOf(on.program, declaration, Facet.spread)) {
      const base = on.type(unit, node, bindings);
      if (base?.kind === 'instance' || base?.kind === 'class') yield { ...base, kind: 'instance' };
    }
  }
}

/** `self`: of a method the type it is written in or for; in the body of a class of Ruby the class itself. */
function selfOf(on: Evaluation, unit: Unit, scope: number, rules: MergedRules): Holder | undefined {
  for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
    const local = unit.facts.scopes.definition(at);
    if (local < 0) continue;
    if (unit.facts.scopes.kind(at) === ScopeKind.class)
      return { kind: rules.hasSides ? 'class' : 'instance', definition: unit.base + local };
    const [receiver] = facetsOf(on.program, unit.base + local, Facet.receiver);
    const type = receiver === undefined ? undefined : on.type(unit, receiver);
    if (type?.kind === 'instance')
      return hasFlag(on.program, unit.base + local, DefinitionFlag.static) ? { ...type, kind: 'class' } : type;
    if (ownerOf(on.program, unit.base + local) >= 0) return selfType(on, unit, at);
  }
  return undefined;
}
