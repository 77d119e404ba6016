import type { Unit } from '../program/unit.ts';

/** A type that is evaluated when it is asked for: most type arguments never are. */
export interface LazyType {
  readonly type: Type | undefined;
}

/** Types bound to type parameters, by the definition of the parameter. */
export type Bindings = ReadonlyMap<number, LazyType>;

/** A type as far as members need it. `undefined` instead of a type is: not known. */
export type Type =
  | { kind: 'instance'; definition: number; arguments?: readonly LazyType[]; bindings?: Bindings }
  | { kind: 'class'; definition: number; arguments?: readonly LazyType[]; bindings?: Bindings }
  | { kind: 'module'; module: number }
  | { kind: 'namespace'; definition: number }
  | { kind: 'enum'; definition: number }
  /** Calling it gives `self`, when that is there: a method that returns what it is called on. */
  | { kind: 'function'; definition: number; bindings?: Bindings; self?: Type }
  /** A function type: `node` is a FunctionType of `unit`. */
  | { kind: 'signature'; unit: Unit; node: number; bindings?: Bindings }
  | { kind: 'array'; element: Type | undefined }
  | { kind: 'tuple'; elements: readonly (Type | undefined)[] }
  | { kind: 'map'; value: Type | undefined }
  | { kind: 'promise'; value: Type | undefined }
  | { kind: 'union'; types: readonly Type[] }
  | { kind: 'primitive' }
  /** A builtin method: calling it gives `result`. */
  | { kind: 'builtin'; result: Type | undefined }
  /** `array.map` or `array.flatMap`: gives an array of what its callback returns; of `promise.then`, a promise. */
  | { kind: 'mapper'; flat: boolean; isPromise?: boolean }
  /** A callback expected by a builtin method, with the types of its parameters. */
  | { kind: 'callback'; parameters: readonly (Type | undefined)[] }
  /** A component of a JSX library, with its properties. */
  | { kind: 'component'; properties: Type | undefined }
  /** A context manager, with what entering it binds. */
  | { kind: 'entered'; value: Type | undefined }
  /** `super()` in a method of `definition`. */
  | { kind: 'super'; definition: number };

type TypeKind = Type['kind'];
export type OfKind<K extends TypeKind> = Extract<Type, { kind: K }>;

export const PRIMITIVE: Type = { kind: 'primitive' };
export const UNKNOWN: LazyType = { type: undefined };

/** The union of the types that are known; one alone is itself, none is undefined. Repeats of one object are dropped. */
export function unionOf(types: readonly (Type | undefined)[]): Type | undefined {
  const distinctTypes: Type[] = [];
  for (const type of types) {
    if (type === undefined || distinctTypes.some((member) => sameType(member, type))) continue;
    if (type.kind === 'union')
      distinctTypes.push(...type.types.filter((member) => !distinctTypes.some((other) => sameType(member, other))));
    else distinctTypes.push(type);
  }
  return distinctTypes.length > 1 ? { kind: 'union', types: distinctTypes } : distinctTypes[0];
}

/**
 * A container whose content is evaluated when it is asked for, once: aliases that contain themselves are common, and most
 * contents are never looked at.
 */
export function lazyContainer(kind: 'array' | 'map' | 'promise', evaluate: () => Type | undefined): Type {
  let content: { type: Type | undefined } | undefined;
  const get = (): Type | undefined => (content ??= { type: evaluate() }).type;
  switch (kind) {
    case 'array':
      return {
        kind,
        get element() {
          return get();
        },
      };
    default:
      return {
        kind,
        get value() {
          return get();
        },
      };
  }
}

/** A type that `evaluate` gives, once. What was cut short is evaluated anew. */
export function lazyType(budget: { cuts: number }, evaluate: () => Type | undefined): LazyType {
  let cached: LazyType | undefined;
  return {
    get type() {
      if (cached !== undefined) return cached.type;
      const { cuts } = budget;
      const type = evaluate();
      if (budget.cuts === cuts) cached = { type };
      return type;
    },
  };
}

/** Cheap equality: enough to keep unions small. */
function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind === 'primitive' && b.kind === 'primitive') return true;
  if (a.kind === 'instance' && b.kind === 'instance')
    return a.definition === b.definition && a.arguments === b.arguments && a.bindings === b.bindings;
  return a.kind === 'class' && b.kind === 'class' && a.definition === b.definition && a.arguments === b.arguments;
}

/** Applies `change` to a type, or to each part of a union. */
export function eachOf(type: Type | undefined, change: (part: Type) => Type | undefined): Type | undefined {
  if (type === undefined) return undefined;
  return type.kind === 'union' ? unionOf(type.types.map(change)) : change(type);
}

/** Returns the instances that a type may be. */
export function instancesIn(type: Type | undefined): readonly OfKind<'instance'>[] {
  const types = type?.kind === 'union' ? type.types : [type];
  return types.filter((part) => part?.kind === 'instance');
}

export const notPrimitive = (type: Type | undefined): type is Type => type !== undefined && type.kind !== 'primitive';
