import { sameFor } from '../walk/tree-walk.ts';
import { C_DECLARED_TYPES } from './declared-types.ts';
import { C_DEFINITIONS } from './definitions.ts';
import { C_EXPRESSIONS } from './expressions.ts';
import { C_TYPES } from './types.ts';
import {
  withoutAnnotations,
  withoutBranches,
  withoutEmptyContinuations,
  withoutExportMacros,
  withoutSpecifierMacros,
  withPlainArguments,
} from '../walk/preprocessor.ts';
import { withoutMacroSites } from '../walk/macro-sites.ts';
import { CAPITALS } from './macro-heads.ts';
import { tableExtractor } from '../walk/table-walk.ts';
import type { TreeExtractor } from '../walk/trees.ts';
import { literal, transparent } from '../walk/tree-handlers.ts';

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** `int f(a, b) int a; char *b; {`: the names of the parameters, and their declarations before the body. */
const OLD_PARAMETERS = /(?<=[\w*][ \t\n]*\b[A-Za-z_]\w*[ \t]*\()([\w\s,]*)\)((?:\s*[A-Za-z_][^;{}()=]*;)+)(?=\s*\{)/g;

/** Lines of C++ modules: `export module a;`, `import b;`, and `export` before a declaration. */
const MODULE_LINES = /^[ \t]*(?:export[ \t]+)?(?:module\b[^\n;(={]*|import[ \t]+[\w.:<>"/]+[ \t]*);/gm;
const EXPORTS = /^[ \t]*export(?=[ \t]+(?!template\b)[A-Za-z_])/gm;

/** Declarations of old C and of C++ modules as plain ones, in as many characters. */
function withPlainDeclarations(text: string): string {
  return text
    .replaceAll(
      OLD_PARAMETERS,
      (_, names: string, declarations: string) => `${blank(names)} ${declarations.slice(0, -1).replaceAll(';', ',')})`,
    )
    .replaceAll(MODULE_LINES, blank)
    .replaceAll(EXPORTS, blank);
}

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
    ...sameFor('parenthesized_expression expression_statement condition_clause', transparent),
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
    branch: 'if_statement',
    otherwise: 'else_clause',
    loop: 'for_statement for_range_loop while_statement do_statement',
    catch: 'catch_clause',
    ternary: 'conditional_expression',
    switch: 'switch_statement',
    case: 'case_statement',
    binary: 'binary_expression',
    jump: 'goto_statement',
    closure: 'lambda_expression',
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
