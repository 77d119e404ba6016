import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, Scope, ScopeKind } from '../facts/facts.ts';
import { childIn, childOf, childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { referBound, typeOf, visit, visitChildren, WRITE } from '../walk/tree-walk.ts';
import {
  bindingScope,
  BOTH_SPACES,
  classOfScope,
  define,
  Kind,
  namesOf,
  type PythonHandler,
  type PythonMethod,
  type PythonWalk,
  visibility,
} from './walk.ts';
import { defineParameters } from './parameters.ts';
import { appliedTypeName, openScope } from '../walk/tree-define.ts';
import { typeOfExpression } from './types.ts';
import { readBody, readFunction } from '../walk/tree-handlers.ts';

interface Decorator {
  name: string;
  node: number;
}

/** Methods that are given the class without being declared so. */
const CLASS_METHODS = new Set(['__new__', '__init_subclass__', '__class_getitem__']);

function readDecorated(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  const decorators = childrenOf(tree, node).flatMap((child) => {
    if (tree.kind[child] !== Kind.decorator) return [];
    const expression = tree.first[child] ?? 0;
    const named = tree.kind[expression] === Kind.call ? childIn(tree, expression, Field.function) : expression;
    return [{ name: textOf(tree, named), node: visit(walk, expression, scope) }];
  });
  const definition = childIn(tree, node, Field.definition);
  if (tree.kind[definition] === Kind.class_definition) defineClass(walk, definition, scope, decorators);
  else if (tree.kind[definition] === Kind.function_definition) defineFunction(walk, definition, scope, decorators);
  return 0;
}

/** Returns the flags that the decorators give a function. */
function decoratedFlags(decorators: readonly Decorator[]): number {
  let flags = 0;
  for (const { name } of decorators) {
    if (/\.(setter|deleter|getter)$/.test(name)) flags |= DefinitionFlag.setter;
    else if (/(^|\.)(abstractproperty|property|cached_property|cachedproperty|lazyproperty)$/.test(name))
      flags |= DefinitionFlag.getter;
    else if (name.endsWith('classmethod')) flags |= DefinitionFlag.classMethod;
    else if (name.endsWith('staticmethod')) flags |= DefinitionFlag.staticMethod;
    else if (name.endsWith('contextmanager')) flags |= DefinitionFlag.contextManager;
    else if (/(^|\.)overload$/.test(name)) flags |= DefinitionFlag.overload;
    else if (/(^|\.)abstractmethod$/.test(name)) flags |= DefinitionFlag.abstract;
  }
  return (flags & DefinitionFlag.setter) === 0 ? flags : flags & ~DefinitionFlag.getter;
}

function defineFunction(walk: PythonWalk, node: number, scope: number, decorators: readonly Decorator[]): void {
  const { tree, facts } = walk;
  const nameNode = childIn(tree, node, Field.name);
  const name = textOf(tree, nameNode);
  const body = childIn(tree, node, Field.body);
  const owner = classOfScope(walk, scope);
  const flags = functionFlags(walk, node, name, { owner, decorators }) | visibility(walk, scope, name);
  const property = owner === -1 ? undefined : namesOf(walk.members, owner).get(name);
  const isSetter = property !== undefined && (flags & DefinitionFlag.setter) !== 0;
  const definition = define(walk, nameNode, {
    kind: owner === -1 ? DefinitionKind.function : DefinitionKind.method,
    scope: isSetter ? -1 : bindingScope(walk, scope),
    owner,
    flags,
    around: node,
    body,
  });
  if (isSetter) {
    // A setter is written under the name of its property, which stays the one that the name means.
    namesOf(walk.members, owner).set(name, property);
    referBound(walk, nameNode, property, WRITE);
  }
  for (const decorator of decorators)
    if (decorator.node !== 0) facts.facet(definition, Facet.decorator, decorator.node);
  documentBody(walk, definition, body);
  let method: PythonMethod | undefined;
  readFunction(walk, node, definition, {
    scope,
    body,
    head: (inside) => {
      defineTypeParameters(walk, node, inside, definition);
      const { self, type } = defineSignature(walk, node, { definition, inside, owner, flags });
      if (self !== '') method = { owner, self };
      return type;
    },
    read: (inside) => {
      declareNames(walk, body, inside);
      const outer = walk.method;
      walk.method = method;
      visit(walk, body, inside);
      walk.method = outer;
    },
  });
}

function functionFlags(
  walk: PythonWalk,
  node: number,
  name: string,
  { owner, decorators }: { owner: number; decorators: readonly Decorator[] },
): number {
  let flags = DefinitionFlag.value | DefinitionFlag.callable | decoratedFlags(decorators);
  if (childOf(walk.tree, node, Kind['"async"']) !== 0) flags |= DefinitionFlag.async;
  if (owner === -1) return flags & ~(DefinitionFlag.getter | DefinitionFlag.setter);
  if (CLASS_METHODS.has(name)) flags |= DefinitionFlag.classMethod;
  return name === '__init__' ? flags | DefinitionFlag.constructor : flags;
}

/** Reads parameters and result. Gives the name of the parameter that is the instance or the class, or '', and the type. */
function defineSignature(
  walk: PythonWalk,
  node: number,
  parts: { definition: number; inside: number; owner: number; flags: number },
): { self: string; type: number } {
  const { tree, facts } = walk;
  // Annotations see the class around a method, not the names of the function but its type parameters.
  const isGeneric = childIn(tree, node, Field.type_parameters) !== 0;
  const types = isGeneric ? parts.inside : facts.scopes.get(parts.inside, Scope.parent);
  const parameters = defineParameters(walk, childIn(tree, node, Field.parameters), parts.inside, types);
  const isBound = parts.owner !== -1 && (parts.flags & DefinitionFlag.staticMethod) === 0;
  const self = isBound ? parameters.shift() : undefined;
  if (self !== undefined) {
    facts.amend(self.definition, 'flags', DefinitionFlag.value | DefinitionFlag.self);
    if (!self.isTyped) facts.amend(self.definition, 'type', facts.node(NodeOp.ThisType, parts.inside));
  }
  for (const parameter of parameters) facts.facet(parts.definition, Facet.parameter, parameter.node);
  return { self: self?.name ?? '', type: typeOf(walk, childIn(tree, node, Field.return_type), types) };
}

/** `def f[T: Bound](...)`, `class C[T]`: names of types inside. */
function defineTypeParameters(walk: PythonWalk, node: number, inside: number, definition: number): void {
  const { tree, facts } = walk;
  const list = childIn(tree, node, Field.type_parameters);
  if (list === 0) return;
  for (const child of childrenOf(tree, list)) {
    let name = child;
    while (tree.first[name] !== 0 && tree.kind[name] !== Kind.identifier) name = tree.first[name] ?? 0;
    if (tree.kind[name] !== Kind.identifier) continue;
    const parameter = define(walk, name, {
      kind: DefinitionKind.type_parameter,
      scope: inside,
      owner: -1,
      flags: DefinitionFlag.type,
    });
    facts.facet(definition, Facet.typeParameter, parameter);
    const constrained = tree.first[child] ?? 0;
    if (tree.kind[constrained] !== Kind.constrained_type) continue;
    const [, bound = 0] = childrenOf(tree, constrained);
    facts.amend(parameter, 'type', typeOf(walk, bound, inside));
  }
}

/** Notes which names a function declares `global` or `nonlocal`, before its body binds any. */
function declareNames(walk: PythonWalk, body: number, inside: number): void {
  const { tree, declarations } = walk;
  const first = declarations.findIndex((statement) => statement > body);
  const start = tree.start[declarations[first] ?? 0] ?? 0;
  if (first === -1 || start >= (tree.end[body] ?? 0)) return;
  const scan = (node: number): void => {
    for (const child of childrenOf(tree, node)) {
      const kind = tree.kind[child];
      if (kind === Kind.global_statement || kind === Kind.nonlocal_statement) {
        const names = walk.declared.get(inside) ?? new Map<string, boolean>();
        for (const name of childrenOf(tree, child)) names.set(textOf(tree, name), kind === Kind.global_statement);
        walk.declared.set(inside, names);
      } else if (kind !== Kind.function_definition && kind !== Kind.class_definition && kind !== Kind.lambda)
        scan(child);
    }
  };
  scan(body);
}

function defineClass(walk: PythonWalk, node: number, scope: number, decorators: readonly Decorator[]): void {
  const { tree, facts } = walk;
  const nameNode = childIn(tree, node, Field.name);
  const body = childIn(tree, node, Field.body);
  const definition = define(walk, nameNode, {
    kind: DefinitionKind.class,
    scope: bindingScope(walk, scope),
    owner: classOfScope(walk, scope),
    flags: BOTH_SPACES | DefinitionFlag.callable | visibility(walk, scope, textOf(tree, nameNode)),
    around: node,
    body,
  });
  for (const decorator of decorators)
    if (decorator.node !== 0) facts.facet(definition, Facet.decorator, decorator.node);
  const inside = openScope(walk, scope, ScopeKind.class, definition);
  defineTypeParameters(walk, node, inside, definition);
  for (const base of childrenOf(tree, childIn(tree, node, Field.superclasses))) {
    const extended = visitBase(walk, base, scope);
    if (extended !== 0) facts.facet(definition, Facet.extends, extended);
  }
  documentBody(walk, definition, body);
  const { method } = walk;
  walk.method = undefined;
  readBody(walk, -1, () => visitChildren(walk, body, inside));
  walk.method = method;
}

/** A base class; of a generic one the type with what it is given. Keywords such as `metaclass` are no bases. */
function visitBase(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  const kind = tree.kind[node];
  if (kind === Kind.keyword_argument || kind === Kind.list_splat || kind === Kind.dictionary_splat) {
    visit(walk, node, scope);
    return 0;
  }
  if (kind !== Kind.subscript) return visit(walk, node, scope);
  const base = visit(walk, childIn(tree, node, Field.value), scope);
  const types = childrenIn(tree, node, Field.subscript).map((argument) => typeOf(walk, argument, scope));
  const named = typeOfExpression(walk, base);
  return named === 0 ? base : appliedTypeName(walk, named, types);
}

/** The documentation of a function, class or module is the string that its body starts with. */
function documentBody(walk: PythonWalk, definition: number, body: number): void {
  const { tree, facts } = walk;
  const statement = tree.first[body] ?? 0;
  const string = tree.kind[statement] === Kind.expression_statement ? (tree.first[statement] ?? 0) : 0;
  if (tree.kind[string] !== Kind.string) return;
  facts.definitions.set(definition, Definition.docStart, tree.start[string] ?? 0);
  facts.definitions.set(definition, Definition.docEnd, tree.end[string] ?? 0);
}

/** Handlers of functions and classes, by kind of node. */
export const PYTHON_DEFINITIONS: Partial<Record<keyof typeof Kind, PythonHandler>> = {
  decorated_definition: readDecorated,
  function_definition: (walk, node, scope) => {
    defineFunction(walk, node, scope, []);
    return 0;
  },
  class_definition: (walk, node, scope) => {
    defineClass(walk, node, scope, []);
    return 0;
  },
};
