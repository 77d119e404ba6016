import { DefinitionFlag, DefinitionKind, NodeOp, Scope, ScopeKind } from '../facts/facts.ts';
import { childOf, numberNames, textOf } from '../walk/tree.ts';
import { defineDocumented, defineNode, identifierNode, memberNode, type TreeDefinition } from '../walk/tree-define.ts';
import { type FunctionWalk, typeAsClass } from '../walk/tree-handlers.ts';
import { type Handler, READ, typeOf, visit } from '../walk/tree-walk.ts';

/** Node types of tree-sitter-rust that the walker names. */
export const Kind = numberNames(
  'attribute_item inner_attribute_item attribute token_tree identifier field_identifier shorthand_field_identifier',
  'type_identifier primitive_type scoped_identifier scoped_type_identifier generic_type generic_type_with_turbofish',
  'generic_function bracketed_type qualified_type self super crate lifetime label visibility_modifier',
  'function_modifiers function_item function_signature_item parameters parameter self_parameter type_parameter',
  'const_parameter trait_bounds where_clause struct_item union_item enum_item enum_variant field_declaration',
  'trait_item impl_item associated_type type_item const_item static_item mod_item macro_definition macro_invocation',
  'use_declaration use_list scoped_use_list use_as_clause use_wildcard extern_crate_declaration reference_type',
  'pointer_type array_type tuple_type function_type abstract_type dynamic_type bounded_type type_binding block',
  'let_declaration let_condition if_expression else_clause match_expression match_arm match_pattern for_expression',
  'while_expression loop_expression break_expression continue_expression return_expression closure_expression',
  'call_expression arguments field_expression struct_expression field_initializer shorthand_field_initializer',
  'try_expression await_expression reference_expression unary_expression binary_expression index_expression',
  'range_expression assignment_expression compound_assignment_expr type_cast_expression tuple_expression',
  'array_expression parenthesized_expression expression_statement string_literal raw_string_literal integer_literal',
  'float_literal boolean_literal mut_pattern ref_pattern reference_pattern captured_pattern tuple_pattern',
  'slice_pattern or_pattern tuple_struct_pattern struct_pattern field_pattern mutable_specifier "async" "&&" "||"',
);

/** Owner of the methods of an `impl` or `trait` block. */
interface RustBlock {
  /** Trait definition that the items are members of, or -1 in an `impl`. */
  owner: number;
  /** Type nodes: what the items belong to (0 in a trait), and the trait that is implemented. */
  receiver: number;
  trait: number;
  flags: number;
}

/** State of the Rust walker beside the facts. */
export interface RustWalk extends FunctionWalk<RustWalk> {
  /** Names of the modules written out in this file that are around the node. */
  modules: string[];
  /** The `impl` or `trait` block whose items are read. */
  block: RustBlock | undefined;
  /** Type node of `Self`, also inside functions; 0 in a trait and outside of all. */
  self: number;
  /** Start and end of the last run of attributes; its item follows. */
  attributes: { start: number; end: number };
  /** Names that each block has declared: the same name again starts a scope of its own. */
  locals: Map<number, Set<string>>;
  /** Names that an `if let` is about to declare in a scope: in its value they still mean what is outside. */
  pending: { scope: number; names: ReadonlySet<string> } | undefined;
}

export type RustHandler = Handler<RustWalk>;

/** Macros and calls with more characters are not expanded. */
export const MOST_MACRO_TEXT = 4000;

/** True if an item in this scope is at the top level of a module of the file. */
export function isTopLevel(walk: RustWalk, scope: number): boolean {
  return scope !== -1 && walk.facts.scopes.get(scope, Scope.kind) === ScopeKind.module;
}

/** Flags of an item in a scope, or of a member (scope -1): exported with a plain `pub`; `pub(crate)` and the like are not. */
export function itemFlags(walk: RustWalk, node: number, scope: number): number {
  const visibility = childOf(walk.tree, node, Kind.visibility_modifier);
  const isPublic = visibility !== 0 && textOf(walk.tree, visibility) === 'pub';
  return (isPublic ? DefinitionFlag.exported : 0) | (isTopLevel(walk, scope) ? DefinitionFlag.topLevel : 0);
}

/** Writes an item: its documentation is before its attributes. */
export function defineItem(walk: RustWalk, nameNode: number, item: TreeDefinition & { around: number }): number {
  const start = walk.tree.start[item.around] ?? 0;
  const isAfterAttributes = isBlank(walk, walk.attributes.end, start);
  return defineDocumented(walk, nameNode, item, isAfterAttributes ? walk.attributes.start : start);
}

/** Writes a module; without a body it is a file. */
export function defineModule(
  walk: RustWalk,
  name: number,
  defined: Omit<TreeDefinition, 'kind'> & { around: number },
): number {
  const { tree, facts } = walk;
  const flags = DefinitionFlag.value | DefinitionFlag.type | (defined.flags ?? 0);
  const definition = defineItem(walk, name, { ...defined, kind: DefinitionKind.module, flags });
  facts.amend(definition, 'source', facts.string(['self', ...walk.modules, textOf(tree, name)].join('::')));
  facts.amend(definition, 'imported', facts.string('*'));
  return definition;
}

/** Notes an attribute: several on end are one run. */
export function noteAttribute(walk: RustWalk, node: number): void {
  const [start, end] = [walk.tree.start[node] ?? 0, walk.tree.end[node] ?? 0];
  const isSameRun = isBlank(walk, walk.attributes.end, start);
  walk.attributes = { start: isSameRun ? walk.attributes.start : start, end };
}

/** True if there is only white space between two offsets; false when the first is -1. */
function isBlank(walk: RustWalk, from: number, to: number): boolean {
  return from !== -1 && walk.tree.text.slice(from, to).trim() === '';
}

/** Declares a local name. */
export function defineLocal(
  walk: RustWalk,
  name: number,
  scope: number,
  declared: { type: number; value: number },
): number {
  const names = walk.locals.get(scope) ?? new Set<string>();
  walk.locals.set(scope, names.add(textOf(walk.tree, name)));
  return defineNode(walk, name, { kind: DefinitionKind.variable, flags: DefinitionFlag.value, scope, ...declared });
}

/**
 * Returns the module that `self`, `super` or `crate` after a path mean, from the file's own module: `super` in `mod tests` is
 * `self`.
 */
export function moduleAfter(walk: RustWalk, path: string, keyword: string): string {
  if (keyword === 'crate') return keyword;
  const here = ['self', ...walk.modules].join('::');
  const from = path === '' ? here : path;
  if (keyword === 'self') return from;
  if (from === 'self') return 'super';
  return from.endsWith('super') ? `${from}::super` : from.slice(0, from.lastIndexOf('::'));
}

/** Reads `a::b::c`, `crate::a`, `Self::new`, or one name, whose last name is used as `flags` say. */
export function readPath(walk: RustWalk, node: number, scope: number, flags: number): number {
  const { tree, facts } = walk;
  switch (tree.kind[node]) {
    case Kind.identifier:
    case Kind.type_identifier:
      return textOf(tree, node) === 'Self' ? selfClass(walk, scope) : readName(walk, node, scope, flags);
    case Kind.self:
    case Kind.super:
    case Kind.crate:
      return facts.node(NodeOp.Module, facts.string(moduleAfter(walk, '', textOf(tree, node))));
    case Kind.scoped_identifier:
    case Kind.scoped_type_identifier: {
      const { path, name } = pathParts(walk, node);
      if (path === 0) return readPath(walk, name, scope, flags);
      const receiver = readPath(walk, path, outsideLocals(walk, path, scope), READ);
      if (tree.kind[name] !== Kind.super) return memberNode(walk, name, { receiver, scope, flags });
      const outer = facts.word(receiver) === NodeOp.Module ? (facts.strings[facts.word(receiver + 1)] ?? '') : '';
      return facts.node(NodeOp.Module, facts.string(moduleAfter(walk, outer, 'super')));
    }
    case Kind.generic_type:
    case Kind.generic_type_with_turbofish: {
      const base = tree.first[node] ?? 0;
      for (let sibling = tree.next[base] ?? 0; sibling !== 0; sibling = tree.next[sibling] ?? 0)
        typeOf(walk, sibling, scope);
      return readPath(walk, base, scope, flags);
    }
    case Kind.bracketed_type:
      return typeAsClass(walk, node, scope);
    default:
      return visit(walk, node, scope);
  }
}

/** Reads one name. */
export function readName(walk: RustWalk, node: number, scope: number, flags: number): number {
  const isPending = walk.pending?.scope === scope && walk.pending.names.has(textOf(walk.tree, node));
  return identifierNode(walk, node, isPending ? walk.facts.scopes.get(scope, Scope.parent) : scope, flags);
}

/** The scope from which the first name of a path is looked up: it is never a local variable. */
export function outsideLocals(walk: RustWalk, node: number, scope: number): number {
  if (walk.tree.kind[node] !== Kind.identifier) return scope;
  const name = textOf(walk.tree, node);
  let outside = scope;
  for (let at = scope; at >= 0; at = walk.facts.scopes.get(at, Scope.parent))
    if (walk.locals.get(at)?.has(name) === true) outside = walk.facts.scopes.get(at, Scope.parent);
  return outside;
}

/** The class that `Self` names, as an expression. */
function selfClass(walk: RustWalk, scope: number): number {
  const type = selfType(walk, scope);
  return walk.facts.node(NodeOp.Typed, walk.facts.node(NodeOp.ClassOf, type));
}

/** The type of `Self`. */
export function selfType(walk: RustWalk, scope: number): number {
  return walk.self === 0 ? walk.facts.node(NodeOp.ThisType, scope) : walk.self;
}

/** Both sides of the last `::` of a path; the left side is 0 in `::name`. */
export function pathParts(walk: RustWalk, node: number): { path: number; name: number } {
  const { tree } = walk;
  const first = tree.first[node] ?? 0;
  const last = tree.last[node] ?? 0;
  return first === last ? { path: 0, name: last } : { path: first, name: last };
}
