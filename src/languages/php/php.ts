import { NodeOp } from '../facts/facts.ts';
import { Field } from '../walk/tree.ts';
import { skip } from '../walk/tree-walk.ts';
import { PHP_DEFINITIONS } from './definitions.ts';
import { PHP_EXPRESSIONS, PHP_MEMBERS } from './expressions.ts';
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
    branch: 'if_statement',
    elseBranch: 'else_if_clause',
    otherwise: 'else_clause',
    loop: 'for_statement foreach_statement while_statement do_statement',
    catch: 'catch_clause',
    ternary: 'conditional_expression',
    switch: 'switch_statement match_expression',
    case: 'case_statement match_conditional_expression',
    binary: 'binary_expression',
    closure: 'anonymous_function arrow_function',
  },
  operators: ['"&&"', '"||"', '"and"', '"or"', '"??"'],
  comments: { documentation: /^\/\*\*(?!\/)/ },
});
