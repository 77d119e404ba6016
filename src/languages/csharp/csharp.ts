import { NodeOp } from '../facts/facts.ts';
import { Field, textOf } from '../walk/tree.ts';
import { sameFor, skip } from '../walk/tree-walk.ts';
import { withoutBranches } from '../walk/preprocessor.ts';
import { CSHARP_DEFINITIONS, withoutExtensionBlocks } from './definitions.ts';
import { CSHARP_EXPRESSIONS } from './expressions.ts';
import { CSHARP_MEMBERS } from './members.ts';
import { CSHARP_STATEMENTS, PATTERNS } from './statements.ts';
import { CSHARP_TYPES } from './types.ts';
import { either, tableExtractor, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { literal, transparent } from '../walk/tree-handlers.ts';

/** A number: the letters behind it tell its type. */
const number: TableHandler = ({ facts, tree }, node) => {
  const [, suffix = ''] = /([a-z]*)$/i.exec(/^0[xb]/i.test(textOf(tree, node)) ? '' : textOf(tree, node)) ?? [];
  const isReal = /[.]|e[+-]?\d/i.test(textOf(tree, node));
  const types: Readonly<Record<string, string>> = {
    l: 'long',
    u: 'uint',
    ul: 'ulong',
    lu: 'ulong',
    m: 'decimal',
    f: 'float',
    d: 'double',
  };
  return facts.node(NodeOp.Literal, facts.string(types[suffix.toLowerCase()] ?? (isReal ? 'double' : 'int')));
};

/**
 * C#. The name space is the package of the file. A property is one definition with its accessors. An extension is a
 * member of its class and of the type of its first parameter, or of the block `extension(T x) { }` that it is in
 * (`receiver`). `using` makes a `star` export row, named
 * `global` when it holds for all files; with an alias it is an import. Delegates are types of functions.
 */
export const CSHARP = tableExtractor({
  language: 'csharp',
  visits: {
    ...CSHARP_DEFINITIONS,
    ...CSHARP_MEMBERS,
    ...CSHARP_STATEMENTS,
    ...CSHARP_EXPRESSIONS,
    ...sameFor(
      'parenthesized_expression expression_statement postfix_unary_expression checked_expression ref_expression',
      transparent,
    ),
    conditional_expression: either(Field.consequence, Field.alternative),
    ...sameFor(
      'string_literal verbatim_string_literal raw_string_literal interpolated_string_expression',
      literal<TableWalk>('string'),
    ),
    integer_literal: number,
    real_literal: number,
    character_literal: literal('char'),
    null_literal: literal('null'),
    boolean_literal: literal('bool'),
    extern_alias_directive: skip,
  },
  types: CSHARP_TYPES,
  kinds: [
    'modifier attribute attribute_argument_list base_list parameter_list parameter implicit_parameter',
    'type_parameter_list type_parameter type_parameter_constraints_clause type_parameter_constraint',
    'type_argument_list explicit_interface_specifier constructor_initializer argument_list',
    'bracketed_argument_list array_rank_specifier variable_declarator tuple_pattern initializer_expression',
    'catch_declaration property_pattern_clause positional_pattern_clause subpattern',
    ...PATTERNS,
    'declaration_pattern recursive_pattern var_pattern type_pattern from_clause join_clause let_clause "??"',
  ],
  nameless: [
    'qualified_name namespace_declaration file_scoped_namespace_declaration using_directive goto_statement',
    'labeled_statement',
  ],
  roles: {
    branch: 'if_statement',
    loop: 'for_statement foreach_statement while_statement do_statement',
    catch: 'catch_clause',
    ternary: 'conditional_expression',
    switch: 'switch_statement switch_expression',
    case: 'switch_section switch_expression_arm',
    binary: 'binary_expression',
    jump: 'goto_statement',
    closure: 'lambda_expression anonymous_method_expression',
  },
  operators: ['"&&"', '"||"'],
  label: 'identifier',
  mask: withoutExtensionBlocks,
  without: withoutBranches,
  comments: { documentation: /^(\/\/\/|\/\*\*(?!\/))/ },
});
