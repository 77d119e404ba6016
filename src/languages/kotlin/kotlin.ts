import { skip } from '../walk/tree-walk.ts';
import { KOTLIN_DEFINITIONS } from './definitions.ts';
import { KOTLIN_EXPRESSIONS } from './expressions.ts';
import { plainKotlin, rewriteKotlin } from './rewrite.ts';
import { KOTLIN_TYPES } from './types.ts';
import { tableExtractor } from '../walk/table-walk.ts';
import { literal, transparent } from '../walk/tree-handlers.ts';

/**
 * Kotlin. What a companion holds are static members of its class, and its name is another name of the class. Members of an
 * object are static. Extensions name the type that they are for (`receiver`) and are at the top level by name. A property is
 * one definition with its accessors.
 */
export const KOTLIN = tableExtractor({
  language: 'kotlin',
  visits: {
    ...KOTLIN_DEFINITIONS,
    ...KOTLIN_EXPRESSIONS,
    parenthesized_expression: transparent,
    interpolation: transparent,
    number_literal: literal('Int'),
    float_literal: literal('Double'),
    character_literal: literal('Char'),
    modifiers: skip,
    label: skip,
  },
  types: KOTLIN_TYPES,
  kinds: [
    'class_body enum_class_body class_parameters class_parameter primary_constructor delegation_specifiers',
    'constructor_invocation explicit_delegation constructor_delegation_call function_value_parameters',
    'function_type_parameters parameter_modifiers type_parameters type_parameter type_constraints type_constraint',
    'type_arguments variable_declaration multi_variable_declaration property_delegate getter setter',
    'value_arguments annotated_lambda lambda_parameters when_subject when_entry type_test qualified_identifier',
    'string_content "?:"',
  ],
  nameless: ['package_header', 'qualified_identifier', 'labeled_expression', 'return_expression', 'super_expression'],
  roles: {
    branch: 'if_expression',
    elseWord: '"else"',
    loop: 'for_statement while_statement do_while_statement',
    catch: 'catch_block',
    switch: 'when_expression',
    case: 'when_entry',
    binary: 'binary_expression',
    closure: 'lambda_literal anonymous_function',
  },
  operators: ['"&&"', '"||"'],
  mask: plainKotlin,
  rewrite: rewriteKotlin,
  comments: { documentation: /^\/\*\*(?!\/)/ },
});
