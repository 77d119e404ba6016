import type { BindingPattern, Expression, Node, ParamPattern } from 'oxc-parser';
import { DefinitionFlag, DefinitionKind, NodeOp, UseFlag } from '../facts/facts.ts';
import { readAnnotation } from './types.ts';
import { keyName, nameStart, topLevelFlag, type Walk } from './walk.ts';

const PATTERN_READ = UseFlag.value | UseFlag.read | UseFlag.pattern;

/** Target of a pattern, and the kind of binding. Nodes are 0 when they are not known. */
interface Binding {
  kind: number;
  flags: number;
  /** Scope that the names are visible in; the pattern's own expressions are read in the scope around it. */
  scope: number;
  /** The whole declaration, when the pattern is its only name. */
  range?: { start: number; end: number } | undefined;
  type: number;
  value: number;
  context: number;
  /** Called with each definition that the pattern makes. */
  made?: ((definition: number, name: string) => void) | undefined;
}

/**
 * Parameters in order, each as a `NodeOp.Parameter` node. `context` is what supplies the types of those without one. `this`
 * is defined like one, and is none that a call gives.
 */
export function readParameters(walk: Walk, list: readonly ParamPattern[], scope: number, context: number): number[] {
  const [first] = list;
  const hasThis = first?.type === 'Identifier' && first.name === 'this';
  if (hasThis) readParameter(walk, first, scope, 0);
  return (hasThis ? list.slice(1) : list).map((pattern, position) => {
    const from = context === 0 ? 0 : walk.facts.node(NodeOp.ContextParameter, context, position);
    return readParameter(walk, pattern, scope, from);
  });
}

function readParameter(walk: Walk, parameter: ParamPattern, scope: number, context: number): number {
  const { facts, visit } = walk;
  for (const { expression } of parameter.decorators ?? []) visit.used(walk, expression, scope, UseFlag.call);
  const pattern = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter;
  const binding = { kind: DefinitionKind.parameter, flags: 0, scope, value: 0 };
  if (pattern.type === 'RestElement') {
    const type = readAnnotation(walk, pattern.typeAnnotation, scope);
    const definition = bind(walk, pattern.argument, scope, { ...binding, type, context: 0 });
    return facts.node(NodeOp.Parameter, type, definition);
  }
  const named: BindingPattern = pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
  const type = readAnnotation(walk, named.typeAnnotation, scope);
  let value = 0;
  if (pattern.type === 'AssignmentPattern') {
    const expected = type === 0 ? 0 : facts.node(NodeOp.ContextType, type);
    value = visit.expression(walk, pattern.right, scope, expected);
  }
  const definition = bind(walk, named, scope, { ...binding, type, value: type === 0 ? value : 0, context });
  return facts.node(NodeOp.Parameter, type, definition);
}

/** Defines the names of a pattern. Gives the definition when the pattern is one name, else -1. */
export function bind(walk: Walk, pattern: BindingPattern | Expression, scope: number, to: Binding): number {
  switch (pattern.type) {
    case 'Identifier':
      return bindName(walk, pattern, to);
    case 'AssignmentPattern': {
      const type = to.type === 0 ? readAnnotation(walk, pattern.left.typeAnnotation, scope) : to.type;
      const otherwise = walk.visit.expression(walk, pattern.right, scope);
      return bind(walk, pattern.left, scope, { ...to, type, value: to.value === 0 ? otherwise : to.value });
    }
    case 'ObjectPattern': {
      const base = patternValue(walk, to);
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') bind(walk, property.argument, scope, part(to, base));
        else bind(walk, property.value, scope, part(to, propertyValue(walk, property, scope, base)));
      }
      return -1;
    }
    case 'ArrayPattern': {
      const base = patternValue(walk, to);
      pattern.elements.forEach((element, position) => {
        if (element === null) return;
        if (element.type === 'RestElement') bind(walk, element.argument, scope, part(to, base));
        else bind(walk, element, scope, part(to, elementValue(walk, base, position)));
      });
      return -1;
    }
    default:
      walk.visit.expression(walk, pattern, scope);
      return -1;
  }
}

function bindName(walk: Walk, { name, start, end }: { name: string; start: number; end: number }, to: Binding): number {
  const isLocal = to.kind === DefinitionKind.parameter;
  const definition = walk.facts.define({
    name,
    kind: to.kind,
    flags: to.flags | DefinitionFlag.value | (isLocal ? 0 : topLevelFlag(walk, to.scope)),
    nameStart: start,
    start: to.range?.start ?? start,
    end: to.range?.end ?? end,
    scope: to.scope,
  });
  if (to.type !== 0) walk.facts.amend(definition, 'type', to.type);
  if (to.value !== 0) walk.facts.amend(definition, 'value', to.value);
  if (to.context !== 0) walk.facts.amend(definition, 'context', to.context);
  to.made?.(definition, name);
  return definition;
}

/** The binding of a part of a pattern, whose value is known instead of its type. */
function part(to: Binding, value: number): Binding {
  return { ...to, type: 0, value, context: 0, range: undefined };
}

/** The value that a pattern takes apart. */
function patternValue(walk: Walk, { type, value, context }: Binding): number {
  if (type !== 0) return walk.facts.node(NodeOp.Typed, type);
  // A context of a parameter is a ContextParameter node, which is a value as well.
  return value === 0 ? context : value;
}

function elementValue(walk: Walk, base: number, position: number): number {
  return base === 0 ? 0 : walk.facts.node(NodeOp.ElementAt, base, position);
}

/** References the member that a property of a pattern reads, and gives its value. */
function propertyValue(
  walk: Walk,
  property: { key: Node; computed: boolean; shorthand: boolean },
  scope: number,
  base: number,
): number {
  const { facts } = walk;
  if (property.computed) walk.visit.expression(walk, property.key as Expression, scope);
  const name = property.computed ? undefined : keyName(property.key);
  if (name === undefined) return 0;
  const id = facts.string(name);
  const flags = PATTERN_READ | (property.shorthand ? UseFlag.shorthand : 0);
  facts.members.add(id, nameStart(property.key), base, flags, scope);
  return base === 0 ? 0 : facts.node(NodeOp.MemberOf, base, id);
}

/** References of a pattern on the left of an assignment: it writes what exists already. */
export function assignPattern(walk: Walk, pattern: Node, scope: number, value: number): void {
  switch (pattern.type) {
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') assignPattern(walk, property.argument, scope, value);
        else assignPattern(walk, property.value, scope, propertyValue(walk, property, scope, value));
      }
      return;
    case 'ArrayPattern':
      pattern.elements.forEach((element, position) => {
        if (element === null) return;
        const target = element.type === 'RestElement' ? element.argument : element;
        assignPattern(walk, target, scope, elementValue(walk, value, position));
      });
      return;
    case 'AssignmentPattern':
      walk.visit.expression(walk, pattern.right, scope);
      assignPattern(walk, pattern.left, scope, value);
      return;
    default:
      // What is left are assignment targets, which are expressions.
      walk.visit.used(walk, pattern as Expression, scope, UseFlag.write);
  }
}
