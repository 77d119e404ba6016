import { Definition, DefinitionFlag, Narrowing, Scope } from '../facts/facts.ts';
import { numberNames, textOf } from '../walk/tree.ts';
import type { FunctionWalk } from '../walk/tree-handlers.ts';
import type { Handler } from '../walk/tree-walk.ts';

/** Node types of tree-sitter-go that the walker names. */
export const Kind = numberNames(
  'package_clause package_identifier import_spec dot blank_identifier interpreted_string_literal raw_string_literal',
  'identifier type_identifier label_name function_declaration method_declaration func_literal parameter_list',
  'parameter_declaration variadic_parameter_declaration type_declaration type_alias type_constraint type_elem',
  'struct_type field_declaration_list field_declaration interface_type method_elem pointer_type parenthesized_type',
  'slice_type array_type implicit_length_array_type map_type channel_type function_type qualified_type generic_type',
  'negated_type const_declaration const_spec var_declaration var_spec_list short_var_declaration',
  'assignment_statement inc_statement dec_statement expression_list block if_statement for_statement range_clause',
  'expression_switch_statement type_switch_statement select_statement expression_case type_case communication_case',
  'default_case receive_statement return_statement break_statement continue_statement goto_statement',
  'call_expression selector_expression composite_literal literal_value keyed_element literal_element',
  'unary_expression binary_expression index_expression slice_expression type_assertion_expression',
  'type_conversion_expression type_instantiation_expression parenthesized_expression int_literal float_literal',
  'rune_literal true false ":=" "*" "&" "<-" "&&" "||"',
);

/** Names that a `:=` or a signature is about to declare, inside of those of an outer one. */
interface PendingNames {
  scope: number;
  names: ReadonlySet<string>;
  outer: PendingNames | undefined;
}

/** State of the Go walker beside the facts. */
export interface GoWalk extends FunctionWalk<GoWalk> {
  /** Local definition by name in each block: `:=` with a name that its block has is an assignment. */
  locals: Map<number, Map<string, number>>;
  /** Names that something is about to declare in a scope: until then they mean what is outside. */
  pending: PendingNames | undefined;
  declared: DeclaredNames;
}

/** The names that each scope has so far, by their string ids, read from as many rows of the facts. */
interface DeclaredNames {
  names: Map<number, Set<number>>;
  definitions: number;
  narrowings: number;
}

export type GoHandler = Handler<GoWalk>;

/** The local definitions of a block by name. */
export function localsOf(walk: GoWalk, scope: number): Map<string, number> {
  const existing = walk.locals.get(scope);
  if (existing !== undefined) return existing;
  const fresh = new Map<string, number>();
  walk.locals.set(scope, fresh);
  return fresh;
}

/** The scope from which a name is looked up: outside of those that are only about to declare it. */
export function scopeOfName(walk: GoWalk, node: number, scope: number): number {
  const name = textOf(walk.tree, node);
  let from = scope;
  for (let pending = walk.pending; pending !== undefined; pending = pending.outer)
    if (pending.scope === from && pending.names.has(name)) from = walk.facts.scopes.get(from, Scope.parent);
  return from;
}

/**
 * The scope from which a name of a value is looked up: inside a function it means what was declared before it, so a scope
 * that declares it later is left out, and without an earlier one the file's.
 */
export function scopeOfValue(walk: GoWalk, node: number, scope: number): number {
  const { facts } = walk;
  const name = facts.string(textOf(walk.tree, node));
  const names = declaredNames(walk);
  let from = scopeOfName(walk, node, scope);
  while (from > 0 && names.get(from)?.has(name) !== true) from = facts.scopes.get(from, Scope.parent);
  return from;
}

function declaredNames({ facts, declared }: GoWalk): DeclaredNames['names'] {
  const add = (scope: number, name: number): void => {
    const existing = declared.names.get(scope);
    if (existing === undefined) declared.names.set(scope, new Set([name]));
    else existing.add(name);
  };
  for (; declared.definitions < facts.definitions.count; declared.definitions += 1) {
    const scope = facts.definitions.get(declared.definitions, Definition.scope);
    if (scope > 0) add(scope, facts.definitions.get(declared.definitions, Definition.name));
  }
  for (; declared.narrowings < facts.narrowings.count; declared.narrowings += 1)
    add(
      facts.narrowings.get(declared.narrowings, Narrowing.scope),
      facts.narrowings.get(declared.narrowings, Narrowing.name),
    );
  return declared.names;
}

/** True if a function has a variable, constant or parameter of this name at a location. */
export function isLocalValue(walk: GoWalk, node: number, scope: number): boolean {
  const name = textOf(walk.tree, node);
  for (let at = scope; at > 0; at = walk.facts.scopes.get(at, Scope.parent))
    if (walk.locals.get(at)?.has(name) === true) return true;
  return false;
}

/** Flags of a name at the top level of a file: exported when it starts with an upper-case letter. */
export function topLevelFlags(name: string): number {
  return DefinitionFlag.topLevel | (isExported(name) ? DefinitionFlag.exported : 0);
}

export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}
