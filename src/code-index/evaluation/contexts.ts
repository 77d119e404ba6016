import { Facet, NodeOp } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { languageOf } from '../../languages/languages.ts';
import { chooseSignature, constructorOf } from './calls.ts';
import { bindingsOf } from './evaluate-types.ts';
import type { CallSite, Evaluation } from './evaluation.ts';
import { bindCall, type Parameters, parametersOf } from './inference.ts';
import { argumentsOf, genericsOf, listAt, operand, opOf, typeArgumentsOf } from '../program/nodes.ts';
import { facetsOf, typeParametersOf, unitOf } from '../program/program.ts';
import { type Bindings, eachOf, notPrimitive, type OfKind, type Type, unionOf } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** Array methods that call their first argument with an element. */
const WITH_ELEMENT = new Set(
  (
    'map filter forEach find some every findIndex flatMap findLast findLastIndex sort toSorted reduce reduceRight ' +
    // Iterators of Rust.
    'for_each any all position filter_map flat_map find_map take_while skip_while inspect partition retain max_by_key ' +
    'min_by_key sort_by_key ' +
    // Collections and streams of Java.
    'removeIf anyMatch allMatch noneMatch mapToInt mapToLong mapToDouble mapToObj peek takeWhile dropWhile sorted max min'
  ).split(' '),
);
/** Methods that call their first argument with what a promise, an option or a result holds. */
const WITH_HELD = new Set(
  (
    'then map and_then filter inspect is_some_and is_ok_and ' +
    'ifPresent ifPresentOrElse flatMap thenApply thenAccept thenCompose whenComplete'
  ).split(' '),
);
/** Methods of maps that call a function with a key and its value. */
const WITH_ENTRY = new Set('forEach computeIfPresent compute replaceAll'.split(' '));
const COMPARES = new Set(['sort', 'toSorted', 'sorted', 'max', 'min']);
const REDUCES = new Set(['reduce', 'reduceRight']);
const ADDS = new Set(['push', 'unshift', 'add']);

/** The type that a position expects of the expression there. */
export function contextType(on: Evaluation, unit: Unit, node: number): Type | undefined {
  const outer = (): Type | undefined => on.context(unit, operand(unit, node, 0));
  switch (opOf(unit, node)) {
    case NodeOp.ContextType:
      return on.type(unit, operand(unit, node, 0));
    case NodeOp.ContextOf:
      return on.expression(unit, operand(unit, node, 0));
    case NodeOp.ContextResult:
      return eachOf(on.call(outer()), (type) => (type.kind === 'promise' ? type.value : type));
    case NodeOp.ContextProperty:
      return on.member(outer(), intAt(unit.names, operand(unit, node, 1)));
    case NodeOp.ContextElement:
      return on.element(outer());
    case NodeOp.ContextArgument:
      return argumentContext(on, unit, { call: operand(unit, node, 0), position: operand(unit, node, 1) });
    case NodeOp.ContextNewArgument:
      return constructorContext(on, unit, { call: operand(unit, node, 0), position: operand(unit, node, 1) });
    case NodeOp.ContextJsx:
      return componentProperties(on, on.expression(unit, operand(unit, node, 0)));
    default:
      return undefined;
  }
}

interface Argument {
  call: number;
  /** -1 for the last parameter. */
  position: number;
}

function argumentContext(on: Evaluation, unit: Unit, { call, position }: Argument): Type | undefined {
  const callee = operand(unit, call, 0);
  if (opOf(unit, callee) === NodeOp.MemberOf) {
    const object = on.expression(unit, operand(unit, callee, 0));
    const method = unit.facts.strings[operand(unit, callee, 1)] ?? '';
    const container = containerIn(object);
    const written = writtenPosition({ unit, call, position });
    const expected = container && builtinContext(on, container, method, { unit, call, position: written });
    if (expected !== undefined) return expected;
  }
  const target = on.expression(unit, callee);
  return eachOf(target, (type) => expectedArgument(on, type, { unit, call, position }));
}

/** Returns the type that a call expects of an argument; type parameters are bound by the other arguments, except functions. */
export function expectedArgument(on: Evaluation, callee: Type, at: Argument & { unit: Unit }): Type | undefined {
  const site = { unit: at.unit, node: at.call };
  switch (callee.kind) {
    case 'function': {
      const { definition, bindings } = callee;
      const parameters = parametersOf(on, definition);
      const position = at.position < 0 ? parameters.nodes.length - 1 : at.position;
      if (typeParametersOf(on.program, definition).length === 0) return on.parameter(callee, position);
      const bound = bindCall(on, { definition, parameters, bindings }, site, true);
      return on.parameter(bound === undefined ? callee : { ...callee, bindings: bound }, position);
    }
    case 'instance':
      return overloadedArgument(on, callee, site, writtenPosition(at));
    default:
      return on.parameter(callee, writtenPosition(at));
  }
}

function writtenPosition({ unit, call, position }: Argument & { unit: Unit }): number {
  return position < 0 ? argumentsOf(unit, call).length - 1 : position;
}

/** Returns the type of this position in the first call signature that has one. */
function overloadedArgument(
  on: Evaluation,
  callee: OfKind<'instance'>,
  site: CallSite,
  position: number,
): Type | undefined {
  const unit = unitOf(on.program, callee.definition);
  for (const node of facetsOf(on.program, callee.definition, Facet.callSignature)) {
    const parameters = { unit, nodes: listAt(unit, node, 1) };
    const bound = bindCall(on, { parameters, bindings: bindingsOf(on, callee) }, site, true);
    const type = parameterAt(on, parameters, position, bound);
    if (notPrimitive(type)) return type;
  }
  return undefined;
}

type Container = OfKind<'array'> | OfKind<'tuple'> | OfKind<'map'> | OfKind<'promise'>;

function containerIn(type: Type | undefined): Container | undefined {
  const candidates = type?.kind === 'union' ? type.types : [type];
  return candidates.find(
    (part): part is Container =>
      part?.kind === 'array' || part?.kind === 'tuple' || part?.kind === 'map' || part?.kind === 'promise',
  );
}

function builtinContext(
  on: Evaluation,
  container: Container,
  method: string,
  at: Argument & { unit: Unit },
): Type | undefined {
  if (container.kind === 'promise')
    return WITH_HELD.has(method) && at.position === 0 ? { kind: 'callback', parameters: [container.value] } : undefined;
  if (container.kind === 'map') {
    if (WITH_ENTRY.has(method) && languageOf(at.unit.facts.language).givesKeysFirst === true)
      return { kind: 'callback', parameters: [undefined, container.value] };
    if (method === 'forEach') return { kind: 'callback', parameters: [container.value] };
    return method === 'set' && at.position === 1 ? container.value : undefined;
  }
  const element = on.element(container);
  if (REDUCES.has(method)) {
    const start = argumentsOf(at.unit, at.call)[1];
    const total = start === undefined ? element : on.expression(at.unit, start);
    return at.position === 0 ? { kind: 'callback', parameters: [total, element] } : undefined;
  }
  if (WITH_ELEMENT.has(method))
    return { kind: 'callback', parameters: COMPARES.has(method) ? [element, element] : [element] };
  return container.kind === 'array' && ADDS.has(method) ? element : undefined;
}

function constructorContext(on: Evaluation, unit: Unit, { call, position }: Argument): Type | undefined {
  const target = on.expression(unit, operand(unit, call, 0));
  if (target?.kind !== 'class') return undefined;
  const made = constructorOf(on, target);
  if (made === undefined) return undefined;
  const site = { unit, node: call };
  const bound = bindCall(on, { definition: target.definition, ...made }, site, true);
  return parameterAt(on, made.parameters, position, bound);
}

function componentProperties(on: Evaluation, component: Type | undefined): Type | undefined {
  if (component?.kind === 'component') return component.properties;
  if (component?.kind !== 'class') return on.parameter(component, 0);
  // A class component names its properties as the first type argument of what it extends.
  return classProperties(on, component);
}

function classProperties(on: Evaluation, component: OfKind<'class'>): Type | undefined {
  const unit = unitOf(on.program, component.definition);
  for (const node of facetsOf(on.program, component.definition, Facet.extends)) {
    const [first] = opOf(unit, node) === NodeOp.TypeName ? genericsOf(unit, node) : typeArgumentsIn(unit, node);
    if (first !== undefined) return on.type(unit, first);
  }
  return undefined;
}

function typeArgumentsIn(unit: Unit, node: number): Iterable<number> {
  return opOf(unit, node) === NodeOp.New ? typeArgumentsOf(unit, node) : [];
}

/** The type of a function's parameter at a position; a last parameter that is a list takes the rest. */
export function parameterType(on: Evaluation, callee: Type | undefined, position: number): Type | undefined {
  switch (callee?.kind) {
    case 'function':
      return parameterAt(on, parametersOf(on, callee.definition), position, callee.bindings);
    case 'signature':
      return parameterAt(
        on,
        { unit: callee.unit, nodes: listAt(callee.unit, callee.node, 1) },
        position,
        callee.bindings,
      );
    case 'union': {
      for (const type of callee.types) {
        const expected = on.parameter(type, position);
        if (expected !== undefined) return expected;
      }
      return undefined;
    }
    case 'instance': {
      const signature = chooseSignature(on, callee.definition, undefined);
      if (signature === undefined) return undefined;
      const parameters = { unit: signature.unit, nodes: listAt(signature.unit, signature.node, 1) };
      return parameterAt(on, parameters, position, bindingsOf(on, callee));
    }
    case 'callback':
      return callee.parameters[position];
    case 'component':
      return position === 0 ? callee.properties : undefined;
    default:
      return undefined;
  }
}

function parameterAt(
  on: Evaluation,
  { unit, nodes }: Parameters,
  position: number,
  bindings: Bindings | undefined,
): Type | undefined {
  const isLast = position >= nodes.length - 1;
  const node = nodes[isLast ? nodes.length - 1 : position];
  if (node === undefined) return undefined;
  const isBeyond = position >= nodes.length;
  const annotation = operand(unit, node, 0);
  const local = operand(unit, node, 1);
  if (annotation === 0) return local < 0 || isBeyond ? undefined : on.definition(unit.base + local);
  const type = on.type(unit, annotation, bindings);
  if (isLast && type?.kind === 'tuple') return type.elements[position - nodes.length + 1];
  if (!isLast || type?.kind !== 'array') return isBeyond ? undefined : type;
  // A list at the end may gather the rest: an argument there is one of its elements, or the list itself.
  return isBeyond ? type.element : unionOf([type, type.element]);
}
