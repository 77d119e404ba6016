import { UseFlag } from '../facts/facts.ts';
import { numberNames } from '../walk/tree.ts';
import type { FunctionWalk } from '../walk/tree-handlers.ts';
import type { Handler } from '../walk/tree-walk.ts';

/** Node types of tree-sitter-java that the walker names. */
export const Kind = numberNames(
  'package_declaration import_declaration asterisk identifier scoped_identifier type_identifier',
  'scoped_type_identifier generic_type array_type annotated_type type_arguments type_bound type_list wildcard',
  'void_type integral_type floating_point_type boolean_type modifiers annotation marker_annotation',
  'element_value_pair class_declaration interface_declaration enum_declaration record_declaration',
  'annotation_type_declaration annotation_type_element_declaration class_body enum_body_declarations enum_constant',
  'superclass extends_interfaces field_declaration constant_declaration variable_declarator method_declaration',
  'constructor_declaration compact_constructor_declaration formal_parameters spread_parameter throws block',
  'local_variable_declaration enhanced_for_statement for_statement while_statement do_statement if_statement',
  'switch_expression switch_label type_pattern record_pattern record_pattern_component catch_clause',
  'catch_formal_parameter catch_type try_with_resources_statement resource return_statement labeled_statement',
  'break_statement continue_statement explicit_constructor_invocation method_invocation method_reference',
  'object_creation_expression field_access array_access array_creation_expression assignment_expression',
  'update_expression binary_expression ternary_expression cast_expression instanceof_expression',
  'parenthesized_expression lambda_expression class_literal this super string_literal character_literal',
  'decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal',
  'decimal_floating_point_literal hex_floating_point_literal null_literal unary_expression dimensions',
  'dimensions_expr true false "public" "private" "static" "final" "abstract" "&&" "||"',
);

/** State of the Java walker beside the facts. */
export interface JavaWalk extends FunctionWalk<JavaWalk> {
  /** The type around and its superclass, as string ids: by these names their constructors are called. 0 for none. */
  typeName: number;
  superName: number;
}

export type JavaHandler = Handler<JavaWalk>;

export const CONSTRUCT = UseFlag.type | UseFlag.call;
