import { Facet } from '../../languages/facts/facts.ts';
import { languageOf } from '../../languages/languages.ts';
import { bindingsOf } from './evaluate-types.ts';
import type { CallSite, Evaluation } from './evaluation.ts';
import { bindCall, type Parameters, parametersOf } from './inference.ts';
import { argumentsOf, listAt, operand } from '../program/nodes.ts';
import { type Entity, facetsOf, typeParametersOf, unitOf } from '../program/program.ts';
import { type Bindings, eachOf, type OfKind, type Type, UNKNOWN } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** Bases that are searched for a constructor. */
const MAX_BASES = 8;

/** Returns the type that calling a value gives. */
export function callType(on: Evaluation, callee: Type | undefined, site?: CallSite): Type | undefined {
  return eachOf(callee, (type) => {
    switch (type.kind) {
      case 'function':
        return callFunction(on, type, site);
      case 'signature':
        return callSignature(on, { unit: type.unit, node: type.node }, type.bindings, site);
      case 'instance': {
        const signature = chooseSignature(on, type.definition, site);
        if (signature === undefined) return callObject(on, type);
        return callSignature(on, signature, bindingsOf(on, type), site);
      }
      case 'builtin':
        return type.result;
      case 'mapper':
        return callMapper(on, type, site);
      default:
        return undefined;
    }
  });
}

/** Returns the type that calling an object gives, in a language in which that calls a method of it. */
function callObject(on: Evaluation, type: OfKind<'instance'>): Type | undefined {
  const { calledMethod } = languageOf(unitOf(on.program, type.definition).facts.language);
  if (calledMethod === undefined) return undefined;
  const [method] = on.members(type, on.program.names.find(calledMethod));
  return method === undefined || method.entity < 0 ? undefined : on.returned(method.entity, method.bindings);
}

function callFunction(on: Evaluation, callee: OfKind<'function'>, site: CallSite | undefined): Type | undefined {
  const { definition, bindings, self } = callee;
  if (self !== undefined) return self;
  const [signature] = facetsOf(on.program, definition, Facet.callSignature);
  const unit = unitOf(on.program, definition);
  if (signature !== undefined) return callSignature(on, { unit, node: signature }, bindings, site);
  const isGeneric = typeParametersOf(on.program, definition).length > 0;
  if (!isGeneric) return on.returned(definition, bindings);
  return on.returned(
    definition,
    bindCall(on, { definition, parameters: parametersOf(on, definition), bindings }, site),
  );
}

function callSignature(
  on: Evaluation,
  { unit, node }: { unit: Unit; node: number },
  bindings: Bindings | undefined,
  site: CallSite | undefined,
): Type | undefined {
  const parameters = { unit, nodes: listAt(unit, node, 1) };
  return on.type(unit, operand(unit, node, 0), bindCall(on, { parameters, bindings }, site));
}

/** The first call signature (a FunctionType) that takes as many arguments as the site gives, or the last there is. */
export function chooseSignature(
  on: Evaluation,
  definition: Entity,
  site: CallSite | undefined,
): { unit: Unit; node: number } | undefined {
  const unit = unitOf(on.program, definition);
  const nodes = facetsOf(on.program, definition, Facet.callSignature);
  const given = site === undefined ? 0 : argumentsOf(site.unit, site.node).length;
  const node = nodes.find((candidate) => listAt(unit, candidate, 1).length >= given) ?? nodes.at(-1);
  return node === undefined ? undefined : { unit, node };
}

function callMapper(
  on: Evaluation,
  { flat, isPromise = false }: OfKind<'mapper'>,
  site: CallSite | undefined,
): Type | undefined {
  const callback = site === undefined ? undefined : argumentsOf(site.unit, site.node)[0];
  const result =
    site === undefined || callback === undefined
      ? undefined
      : on.call(on.expression(site.unit, callback, site.bindings));
  if (isPromise) return { kind: 'promise', value: result?.kind === 'promise' ? result.value : result };
  return { kind: 'array', element: flat ? contentType(result) : result };
}

/** Returns the type that a result adds to an array that is flattened: the elements of an array, or what an option holds. */
function contentType(type: Type | undefined): Type | undefined {
  if (type?.kind === 'array') return type.element;
  return type?.kind === 'promise' ? type.value : type;
}

/** Returns the type that `new` gives in TypeScript and Java. */
export function constructType(on: Evaluation, callee: Type | undefined, site?: CallSite): Type | undefined {
  return eachOf(callee, (type) => {
    if (type.kind === 'class') return instanceOf(on, type, site);
    if (type.kind !== 'instance') return undefined;
    const [signature] = facetsOf(on.program, type.definition, Facet.newSignature);
    if (signature === undefined) return undefined;
    return callSignature(
      on,
      { unit: unitOf(on.program, type.definition), node: signature },
      bindingsOf(on, type),
      site,
    );
  });
}

function instanceOf(on: Evaluation, type: OfKind<'class'>, site: CallSite | undefined): Type {
  const { definition } = type;
  const parameters = typeParametersOf(on.program, definition);
  if (parameters.length === 0 || site === undefined) return { ...type, kind: 'instance' };
  const bindings = bindCall(
    on,
    { definition, parameters: parametersOf(on, definition, Facet.constructorParameter) },
    site,
  );
  const bound = parameters.map((parameter) => bindings?.get(parameter) ?? UNKNOWN);
  return bound.every(({ type: argument }) => argument === undefined)
    ? { kind: 'instance', definition }
    : { kind: 'instance', definition, arguments: bound };
}

/** The constructor parameters of a class, of the nearest base that has some, with what stands for its type parameters. */
export function constructorOf(
  on: Evaluation,
  type: OfKind<'class'>,
): { parameters: Parameters; bindings: Bindings | undefined } | undefined {
  let at: OfKind<'class'> = type;
  for (let step = 0; step < MAX_BASES; step += 1) {
    const parameters = parametersOf(on, at.definition, Facet.constructorParameter);
    if (parameters.nodes.length > 0) return { parameters, bindings: bindingsOf(on, at) };
    const base = [...on.bases(at)].find((holder) => holder.kind === 'class');
    if (base === undefined) return undefined;
    at = base;
  }
  return undefined;
}
