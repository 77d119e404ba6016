import { Role } from '../walk/tree-metrics.ts';
import { C_DECLARED_TYPES } from './declared-types.ts';
import { C_DEFINITIONS } from './definitions.ts';
import { C_EXPRESSIONS } from './expressions.ts';
import { C_TYPES } from './types.ts';
import {
  withoutAnnotations,
  withoutBranches,
  withPlainArguments,
  withoutEmptyContinuations,
  withoutExportMacros,
  withoutSpecifierMacros,
} from '../walk/preprocessor.ts';
import { withoutMacroSites } from '../walk/macro-sites.ts';
import { CAPITALS } from './macro-heads.ts';
import { withPlainDeclarations } from './rewrite.ts';
import { tableExtractor } from '../walk/table-walk.ts';
import type { TreeExtractor } from '../walk/trees.ts';
import { literal, transparent } from '../walk/tree-handlers.ts';

/**
 * C and C++, both read with the grammar of C++: a header does not tell which of them it is. Functions and types are found
 * by name over all files. What is declared in one file and defined in another is two symbols of one name; a member that
 * is defined outside of its class belongs to it (`receiver`) and implements its declaration (`trait`). `static` at the
 * top is private to its file. Macros are definitions, and the names in their text are uses.
 */
export const C: TreeExtractor = tableExtractor({
  language: 'cpp',
  visits: {
    ...C_DEFINITIONS,
    ...C_DECLARED_TYPES,
    ...C_EXPRESSIONS,
    parenthesized_expression: transparent,
    expression_statement: transparent,
    condition_clause: transparent,
    string_literal: literal('char'),
    number_literal: literal('int'),
    char_literal: literal('char'),
  },
  types: C_TYPES,
  kinds: [
    'init_declarator array_declarator function_declarator parameter_declaration bitfield_clause dependent_name',
    'variadic_declarator parenthesized_declarator pointer_declarator reference_declarator',
    'structured_binding_declarator abstract_array_declarator storage_class_specifier field_initializer_list',
    'field_initializer field_identifier namespace_identifier template_type template_method base_class_clause',
    'enumerator system_lib_string declaration_list',
  ],
  nameless: [
    'pointer_declarator reference_declarator array_declarator parameter_declaration',
    'optional_parameter_declaration preproc_params destructor_name nested_namespace_specifier',
    'namespace_alias_definition using_declaration labeled_statement goto_statement',
  ],
  roles: {
    if_statement: Role.branch,
    else_clause: Role.otherwise,
    for_statement: Role.loop,
    for_range_loop: Role.loop,
    while_statement: Role.loop,
    do_statement: Role.loop,
    catch_clause: Role.catch,
    conditional_expression: Role.ternary,
    switch_statement: Role.switch,
    case_statement: Role.case,
    binary_expression: Role.binary,
    goto_statement: Role.jump,
    lambda_expression: Role.closure,
  },
  operators: ['"&&"', '"||"'],
  label: 'statement_identifier',
  hasPreprocessor: true,
  macros: CAPITALS,
  mask: withoutExportMacros,
  without: (text) =>
    withPlainArguments(
      withoutSpecifierMacros(
        withoutMacroSites(withoutAnnotations(withoutBranches(withoutEmptyContinuations(withPlainDeclarations(text))))),
      ),
    ),
  comments: { documentation: /^(\/\/[/!]|\/\*[*!](?!\/))/, ordinary: /^(\/\/ ?(NOLINT|clang-format)|\/\* ?Copyright)/ },
});
