import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, Scope, ScopeKind } from '../facts/facts.ts';
import { functionScope } from '../facts/facts-builder.ts';
import { numberNames, textOf } from '../walk/tree.ts';
import { defineNode, type TreeDefinition } from '../walk/tree-define.ts';
import type { FunctionWalk } from '../walk/tree-handlers.ts';
import { type Handler, refer, referBound, WRITE } from '../walk/tree-walk.ts';

/** Node types of tree-sitter-python that the walker names. */
export const Kind = numberNames(
  'module identifier attribute call keyword_argument list_splat dictionary_splat await subscript slice lambda',
  'list_comprehension set_comprehension generator_expression dictionary_comprehension for_in_clause if_clause pair',
  'named_expression conditional_expression boolean_operator not_operator raise_statement continue_statement',
  'break_statement binary_operator parenthesized_expression list set tuple expression_list pattern_list',
  'tuple_pattern list_pattern list_splat_pattern dictionary_splat_pattern dictionary string string_start',
  'string_content string_end concatenated_string integer float true false none yield type generic_type member_type',
  'union_type constrained_type splat_type as_pattern as_pattern_target expression_statement assignment',
  'augmented_assignment function_definition class_definition decorated_definition decorator typed_parameter',
  'default_parameter typed_default_parameter import_statement import_from_statement future_import_statement',
  'dotted_name relative_import wildcard_import if_statement elif_clause else_clause for_statement while_statement',
  'with_statement with_clause except_clause return_statement global_statement nonlocal_statement match_statement',
  'case_clause case_pattern class_pattern keyword_pattern type_alias_statement block assert_statement "async" "and"',
  '"or"',
);

/** The method whose body is read. */
export interface PythonMethod {
  /** Class that it is a method of. */
  owner: number;
  /** Name of the parameter that is the instance or the class. */
  self: string;
}

/** State of the Python walker beside the facts. */
export interface PythonWalk extends FunctionWalk<PythonWalk> {
  /** Definition by name, for each scope in which something was bound. */
  names: Map<number, Map<string, number>>;
  /** Member by name, for each class definition. */
  members: Map<number, Map<string, number>>;
  /** Names that a function scope declares `global` (value true) or `nonlocal` (false). */
  declared: Map<number, Map<string, boolean>>;
  /** Nodes of `global` and `nonlocal` statements, ascending. */
  declarations: number[];
  /** The method whose body is read, when it has the instance or the class; not in functions inside. */
  method: PythonMethod | undefined;
  /** Names in `__all__`, when the module has one. */
  all: Set<string> | undefined;
}

export type PythonHandler = Handler<PythonWalk>;

/** Value and annotation of a binding: nodes, 0 for none. */
export interface Binding {
  value: number;
  type: number;
}

/** Flags of everything that Python binds: classes and functions are both values and types. */
export const BOTH_SPACES = DefinitionFlag.value | DefinitionFlag.type;

export function namesOf(table: Map<number, Map<string, number>>, id: number): Map<string, number> {
  const existing = table.get(id);
  if (existing !== undefined) return existing;
  const fresh = new Map<string, number>();
  table.set(id, fresh);
  return fresh;
}

/** The scope that a name bound here belongs to: Python has no block scopes. */
export function bindingScope(walk: PythonWalk, scope: number): number {
  return functionScope(walk.facts, scope, ScopeKind.block);
}

/** The class whose body this scope is, or -1. */
export function classOfScope(walk: PythonWalk, scope: number): number {
  const at = bindingScope(walk, scope);
  const isClass = walk.facts.scopes.get(at, Scope.kind) === ScopeKind.class;
  return isClass ? walk.facts.scopes.get(at, Scope.definition) : -1;
}

/** Flags of visibility of a name defined in a scope: top level and exported unless it starts with an underscore. */
export function visibility(walk: PythonWalk, scope: number, name: string): number {
  const owner = classOfScope(walk, scope);
  const around = owner === -1 ? DefinitionFlag.topLevel : walk.facts.definitions.get(owner, Definition.flags);
  const isTop = owner === -1 ? bindingScope(walk, scope) === 0 : (around & DefinitionFlag.topLevel) !== 0;
  if (!isTop) return 0;
  const isPrivate = name.startsWith('_') && !name.endsWith('__');
  const isExported = !isPrivate && (owner === -1 || (around & DefinitionFlag.exported) !== 0);
  return (
    DefinitionFlag.topLevel |
    (isExported ? DefinitionFlag.exported : 0) |
    (isPrivate && owner !== -1 ? DefinitionFlag.private : 0)
  );
}

/** Binds an identifier: a new definition, or another assignment to the one that the scope has. */
export function bind(walk: PythonWalk, node: number, scope: number, binding: Binding): void {
  const name = textOf(walk.tree, node);
  const target = bindingScope(walk, scope);
  const isGlobal = walk.declared.get(target)?.get(name);
  if (isGlobal !== undefined) {
    refer(walk, node, isGlobal ? 0 : walk.facts.scopes.get(target, Scope.parent), WRITE);
    return;
  }
  const owner = classOfScope(walk, target);
  const existing = namesOf(walk.names, target).get(name);
  if (existing !== undefined && isAssignable(walk, existing, owner)) rebind(walk, node, existing, binding);
  else if (owner === -1) defineVariable(walk, node, target, binding);
  else defineProperty(walk, node, { owner, scope: target }, binding);
}

function isAssignable(walk: PythonWalk, definition: number, owner: number): boolean {
  const kind = walk.facts.definitions.get(definition, Definition.kind);
  const isVariable =
    kind === DefinitionKind.variable || kind === DefinitionKind.constant || kind === DefinitionKind.parameter;
  return owner !== -1 || isVariable;
}

/** A later assignment to a name. */
function rebind(walk: PythonWalk, node: number, definition: number, binding: Binding): void {
  referBound(walk, node, definition, WRITE);
  amendBinding(walk, definition, binding);
}

/** Adds what another assignment shows of a definition. */
export function amendBinding(walk: PythonWalk, definition: number, { value, type }: Binding): void {
  if (value !== 0) walk.facts.facet(definition, Facet.assigned, value);
  if (type !== 0 && walk.facts.definitions.get(definition, Definition.type) === 0)
    walk.facts.amend(definition, 'type', type);
}

function defineVariable(walk: PythonWalk, node: number, scope: number, { value, type }: Binding): void {
  const name = textOf(walk.tree, node);
  const isConstant = scope === 0 && /^_*[A-Z][A-Z0-9_]*$/.test(name);
  const definition = define(walk, node, {
    kind: isConstant ? DefinitionKind.constant : DefinitionKind.variable,
    scope,
    owner: -1,
    flags: DefinitionFlag.value | visibility(walk, scope, name),
    type,
    value,
  });
  markFunctionValue(walk, definition, value);
}

/** Notes that a value is a lambda. */
function markFunctionValue(walk: PythonWalk, definition: number, value: number): void {
  if (value === 0 || walk.facts.word(value) !== NodeOp.FunctionValue) return;
  const flags = walk.facts.definitions.get(definition, Definition.flags);
  walk.facts.amend(definition, 'flags', flags | DefinitionFlag.functionValue | DefinitionFlag.callable);
}

/** A member that a class body or a method binds. What a body binds is visible in the body, too. */
export function defineProperty(
  walk: PythonWalk,
  node: number,
  container: { owner: number; scope: number },
  { value, type }: Binding,
): void {
  const name = textOf(walk.tree, node);
  const isStatic = container.scope !== -1;
  const around = walk.facts.definitions.get(container.owner, Definition.flags);
  const inherited = around & (DefinitionFlag.topLevel | (isHidden(name) ? 0 : DefinitionFlag.exported));
  define(walk, node, {
    kind: DefinitionKind.property,
    ...container,
    flags:
      DefinitionFlag.value |
      inherited |
      (isStatic ? DefinitionFlag.static : 0) |
      (isHidden(name) ? DefinitionFlag.private : 0),
    type,
    value,
  });
}

function isHidden(name: string): boolean {
  return name.startsWith('_') && !name.endsWith('__');
}

/** Writes a definition whose name is a node and makes it known in its scope and its class. It spans `around`, or the name. */
export function define(walk: PythonWalk, nameNode: number, defined: TreeDefinition & { owner: number }): number {
  const name = textOf(walk.tree, nameNode);
  const definition = defineNode(walk, nameNode, defined);
  if (defined.scope !== -1) namesOf(walk.names, defined.scope).set(name, definition);
  if (defined.owner !== -1) namesOf(walk.members, defined.owner).set(name, definition);
  return definition;
}
