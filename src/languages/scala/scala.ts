import { Field } from '../walk/tree.ts';
import { skip, visit } from '../walk/tree-walk.ts';
import { SCALA_DEFINITIONS } from './definitions.ts';
import { SCALA_EXPRESSIONS } from './expressions.ts';
import { SCALA_TYPES } from './types.ts';
import { either, first, tableExtractor } from '../walk/table-walk.ts';
import { inBlock, literal, transparent } from '../walk/tree-handlers.ts';

/**
 * Scala 2 and 3. Classes, traits, objects, enums with their members; parameters of a class are its properties. An object
 * is a class of which there is one value, and its members are static; a class and its companion are one type. Calling a
 * class makes an instance. An operator is a call of the method of its name. The source of an import is its full name; of
 * `package a; package b` the names of `a` are imported whole.
 */
export const SCALA = tableExtractor({
  language: 'scala',
  visits: {
    ...SCALA_DEFINITIONS,
    ...SCALA_EXPRESSIONS,
    block: inBlock,
    indented_block: inBlock,
    parenthesized_expression: transparent,
    if_expression: either(Field.consequence, Field.alternative),
    string: literal('String'),
    interpolated_string_expression: (walk, node, scope) => visit(walk, first(walk, node, 'interpolated_string'), scope),
    integer_literal: literal('Int'),
    floating_point_literal: literal('Double'),
    boolean_literal: literal('Boolean'),
    modifiers: skip,
  },
  types: SCALA_TYPES,
  kinds: [
    'package_identifier namespace_selectors namespace_wildcard arrow_renamed_identifier type_parameters',
    'covariant_type_parameter contravariant_type_parameter annotation class_parameters class_parameter parameters',
    'parameter bindings binding extends_clause access_modifier template_body with_template_body enum_body',
    'case_block indented_cases case_clause enumerators enumerator guard arguments operator_identifier',
    'typed_pattern tuple_pattern capture_pattern case_class_pattern alternative_pattern infix_pattern wildcard',
    'self_type catch_clause assignment_expression identifiers interpolated_string',
  ],
  nameless: ['package_identifier', 'access_qualifier'],
  roles: {
    branch: 'if_expression',
    loop: 'for_expression while_expression do_while_expression',
    catch: 'catch_clause',
    switch: 'match_expression',
    case: 'case_clause',
    binary: 'infix_expression',
    closure: 'lambda_expression',
  },
  operators: ['operator_identifier'],
  operatorTexts: ['&&', '||'],
  comments: { documentation: /^\/\*\*(?!\/)/ },
});
