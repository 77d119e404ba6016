import { NodeOp } from '../facts/facts.ts';
import { Field } from '../walk/tree.ts';
import { Role } from '../walk/tree-metrics.ts';
import { skip } from '../walk/tree-walk.ts';
import { PHP_DEFINITIONS } from './definitions.ts';
import { PHP_EXPRESSIONS } from './expressions.ts';
import { PHP_MEMBERS } from './members.ts';
import { PHP_TYPES } from './types.ts';
import { either, tableExtractor } from '../walk/table-walk.ts';
import { literal, transparent } from '../walk/tree-handlers.ts';

/**
 * PHP. Classes, interfaces, traits and enums with their members; constructor parameters with a visibility are properties
 * as well. A name with `\` is one name, at the place of its last part. The source of an import is the full name of what
 * it imports. The first assignment of a variable in a function declares it. Traits that a class uses are among what it
 * implements. `require` of a literal path is a module reference.
 */
export const PHP = tableExtractor({
  language: 'php',
  visits: {
    ...PHP_DEFINITIONS,
    ...PHP_MEMBERS,
    ...PHP_EXPRESSIONS,
    parenthesized_expression: transparent,
    conditional_expression: either(Field.body, Field.alternative),
    match_expression: (walk, node, scope) => transparent(walk, node, scope),
    encapsed_string: literal('string'),
    string: literal('string'),
    integer: literal('int'),
    float: literal('float'),
    boolean: literal('bool'),
    null: skip,
    clone_expression: transparent,
    array_element_initializer: transparent,
    array_creation_expression: (walk, node, scope) =>
      walk.facts.node(NodeOp.ArrayLiteral, [transparent(walk, node, scope)]),
  },
  types: PHP_TYPES,
  kinds: [
    'property_hook_list property_hook use_list use_as_clause name namespace_name namespace_use_clause',
    'namespace_use_group relative_scope base_clause class_interface_clause attribute_list attribute',
    'visibility_modifier static_modifier abstract_modifier property_element const_element formal_parameters',
    'simple_parameter variadic_parameter property_promotion_parameter declaration_list anonymous_class arguments',
    'pair list_literal string_content variable_name use_list type_list binary_expression',
    'anonymous_function_use_clause',
  ],
  nameless: ['namespace_name'],
  roles: {
    if_statement: Role.branch,
    else_if_clause: Role.elseBranch,
    else_clause: Role.otherwise,
    for_statement: Role.loop,
    foreach_statement: Role.loop,
    while_statement: Role.loop,
    do_statement: Role.loop,
    catch_clause: Role.catch,
    conditional_expression: Role.ternary,
    switch_statement: Role.switch,
    match_expression: Role.switch,
    case_statement: Role.case,
    match_conditional_expression: Role.case,
    binary_expression: Role.binary,
    anonymous_function: Role.closure,
    arrow_function: Role.closure,
  },
  operators: ['"&&"', '"||"', '"and"', '"or"', '"??"'],
  comments: { documentation: /^\/\*\*(?!\/)/ },
});
