import { Definition, DefinitionFlag, NodeOp } from '../facts/facts.ts';
import { childIn, childOf, childrenOf, Field, textOf } from '../walk/tree.ts';
import { appliedTypeName, defineFunctionParameter, defineTypeParameter, typeNameNode } from '../walk/tree-define.ts';
import { sameFor, skip, TYPE, typeOf, visit } from '../walk/tree-walk.ts';
import { Kind, pathParts, readPath, type RustHandler, type RustWalk, selfType } from './walk.ts';
import { innerType, primitive, typesOf, unionType } from '../walk/tree-handlers.ts';

/** Types of the standard library that have the members of what they hold. */
const TRANSPARENT = new Set(
  'Box Rc Arc Pin Cow Ref RefMut RefCell Cell Mutex RwLock MutexGuard OnceCell OnceLock Weak'.split(' '),
);
const SEQUENCES = new Set('Vec VecDeque HashSet BTreeSet BinaryHeap LinkedList'.split(' '));
const MAPS = new Set(['HashMap', 'BTreeMap']);
/** Types that hold a value or not: `?`, `unwrap` and `Some(x)` take it out, as `await` does with a promise. */
const HOLDERS = new Set(['Option', 'Result', 'Poll']);

function typeIdentifier(walk: RustWalk, node: number, scope: number): number {
  if (textOf(walk.tree, node) === 'Self') return selfType(walk, scope);
  return typeNameNode(walk, node, scope, TYPE);
}

function scopedType(walk: RustWalk, node: number, scope: number): number {
  const value = readPath(walk, node, scope, TYPE);
  return value === 0 ? 0 : typeOfPath(walk, value);
}

/** The type that a path names: a type name, or a name of a module when the path starts with `crate`, `self` or `super`. */
export function typeOfPath(walk: RustWalk, path: number): number {
  const { facts } = walk;
  const names: number[] = [];
  let at = path;
  for (; facts.word(at) === NodeOp.MemberOf; at = facts.word(at + 1)) names.unshift(facts.word(at + 2));
  if (facts.word(at) === NodeOp.Module) return facts.node(NodeOp.ImportType, facts.word(at + 1), names);
  if (facts.word(at) === NodeOp.Identifier)
    return facts.node(NodeOp.TypeName, facts.word(at + 2), [facts.word(at + 1), ...names], []);
  // `Self::Item`: an associated type of a type that is known.
  if (facts.word(at) !== NodeOp.Typed) return 0;
  const type = facts.word(facts.word(at + 1) + 1);
  return names.reduce((object, name) => facts.node(NodeOp.IndexedType, object, name), type);
}

function genericType(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const baseNode = tree.first[node] ?? 0;
  const base = typeOf(walk, baseNode, scope);
  const types = childrenOf(tree, childIn(tree, node, Field.type_arguments)).flatMap((child) =>
    tree.kind[child] === Kind.lifetime ? [] : [typeOf(walk, child, scope)],
  );
  const kind = tree.kind[baseNode];
  const isPath = kind === Kind.scoped_type_identifier || kind === Kind.scoped_identifier;
  const name = textOf(tree, isPath ? pathParts(walk, baseNode).name : baseNode);
  const [first = 0, second = 0] = types;
  if (TRANSPARENT.has(name)) return first;
  if (SEQUENCES.has(name)) return facts.node(NodeOp.ArrayType, first);
  if (MAPS.has(name)) return facts.node(NodeOp.MapType, second);
  if (HOLDERS.has(name)) return facts.node(NodeOp.PromiseType, first);
  return appliedTypeName(walk, base, types);
}

/** `<T as Trait>`: a T. */
function readQualified(walk: RustWalk, node: number, scope: number): number {
  const type = typeOf(walk, childIn(walk.tree, node, Field.type), scope);
  typeOf(walk, childIn(walk.tree, node, Field.alias), scope);
  return type;
}

function sequence(walk: RustWalk, node: number, scope: number): number {
  visit(walk, childIn(walk.tree, node, Field.length), scope);
  return walk.facts.node(NodeOp.ArrayType, typeOf(walk, childIn(walk.tree, node, Field.element), scope));
}

function tuple(walk: RustWalk, node: number, scope: number): number {
  return walk.facts.node(NodeOp.TupleType, typesOf(walk, node, scope));
}

/** `fn(A) -> B`, `Fn(A) -> B`. */
function functionType(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  typeOf(walk, childIn(tree, node, Field.trait), scope);
  const parameters = childrenOf(tree, childIn(tree, node, Field.parameters)).map((child) => {
    const type = tree.kind[child] === Kind.parameter ? childIn(tree, child, Field.type) : child;
    return facts.node(NodeOp.Parameter, typeOf(walk, type, scope), -1);
  });
  return facts.node(NodeOp.FunctionType, typeOf(walk, childIn(tree, node, Field.return_type), scope), parameters, 0);
}

/** `Item = T` in the arguments of a trait: read, and no argument. */
function readBinding(walk: RustWalk, node: number, scope: number): number {
  return typeOf(walk, childIn(walk.tree, node, Field.type), scope) && 0;
}

/** Defines the type parameters of an item in the scope of its inside, with their bounds and those of `where`. */
export function defineTypeParameters(walk: RustWalk, item: number, scope: number, definition: number): void {
  const { tree, facts } = walk;
  const parameters = new Map<string, number>();
  const list = childIn(tree, item, Field.type_parameters);
  for (const child of childrenOf(tree, list)) {
    const name = childIn(tree, child, Field.name);
    if (tree.kind[child] === Kind.const_parameter) {
      const type = typeOf(walk, childIn(tree, child, Field.type), scope);
      defineFunctionParameter(walk, name, scope, { of: -1, type });
    }
    if (tree.kind[child] !== Kind.type_parameter) continue;
    // `T::new()` names it as a value.
    const flags = DefinitionFlag.type | DefinitionFlag.value;
    const parameter = defineTypeParameter(walk, name, scope, { of: definition, flags });
    parameters.set(textOf(tree, name), parameter);
    facts.amend(parameter, 'type', typeOf(walk, childIn(tree, child, Field.bounds), scope));
    typeOf(walk, childIn(tree, child, Field.default_type), scope);
  }
  for (const predicate of childrenOf(tree, childOf(tree, item, Kind.where_clause))) {
    const boundedType = childIn(tree, predicate, Field.left);
    typeOf(walk, boundedType, scope);
    const bound = typeOf(walk, childIn(tree, predicate, Field.bounds), scope);
    const parameter = parameters.get(textOf(tree, boundedType));
    if (parameter !== undefined && facts.definitions.get(parameter, Definition.type) === 0)
      facts.amend(parameter, 'type', bound);
  }
}

/** Handlers of types, by kind of node. References and pointers read as what they point to. */
export const RUST_TYPES: Partial<Record<keyof typeof Kind, RustHandler>> = {
  type_identifier: typeIdentifier,
  identifier: typeIdentifier,
  scoped_type_identifier: scopedType,
  scoped_identifier: scopedType,
  generic_type: genericType,
  generic_type_with_turbofish: genericType,
  ...sameFor('bracketed_type reference_type pointer_type abstract_type dynamic_type', innerType),
  qualified_type: readQualified,
  bounded_type: unionType,
  trait_bounds: unionType,
  array_type: sequence,
  tuple_type: tuple,
  function_type: functionType,
  type_binding: readBinding,
  primitive_type: primitive,
  lifetime: skip,
  mutable_specifier: skip,
  block: (walk, node, scope) => visit(walk, node, scope) && 0,
};
