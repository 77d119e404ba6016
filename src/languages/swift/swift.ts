import { childrenOf, Field } from '../walk/tree.ts';
import { Role } from '../walk/tree-metrics.ts';
import { refer, skip, TYPE, typeOf, visit } from '../walk/tree-walk.ts';
import { SWIFT_DEFINITIONS } from './definitions.ts';
import { SWIFT_EXPRESSIONS } from './expressions.ts';
import { rewriteSwift, withoutDirectives } from './rewrite.ts';
import { SWIFT_STATEMENTS } from './statements.ts';
import { SWIFT_TYPES } from './types.ts';
import { either, is, tableExtractor, type TableHandler } from '../walk/table-walk.ts';
import { inBlock, literal, transparent } from '../walk/tree-handlers.ts';

/** `@Name(argument)`, `T: P`, `T.Item == U`: what is named is a type, of a path its first name. */
const readTypes: TableHandler = (walk, node, scope) => {
  for (const child of childrenOf(walk.tree, node)) {
    if (is(walk, child, 'user_type')) typeOf(walk, child, scope);
    else if (is(walk, child, 'identifier')) refer(walk, walk.tree.first[child] ?? 0, scope, TYPE);
    else visit(walk, child, scope);
  }
  return 0;
};

/**
 * Swift. Classes, structs, enums, actors, protocols with their members. What an extension holds are members outside the
 * type (`receiver`), for the protocols that it names (`trait`). Calling a type makes an instance of it. A case in a
 * `switch` is a member of what is switched over. What is not `public` or `open` is not exported.
 */
export const SWIFT = tableExtractor({
  language: 'swift',
  visits: {
    ...SWIFT_DEFINITIONS,
    ...SWIFT_STATEMENTS,
    ...SWIFT_EXPRESSIONS,
    statements: inBlock,
    try_expression: transparent,
    await_expression: transparent,
    ternary_expression: either(Field.if_true, Field.if_false),
    nil_coalescing_expression: either(Field.value, Field.if_nil),
    postfix_expression: transparent,
    line_string_literal: literal('String'),
    multi_line_string_literal: literal('String'),
    integer_literal: literal('Int'),
    real_literal: literal('Double'),
    boolean_literal: literal('Bool'),
    value_argument_label: skip,
    directive: skip,
    attribute: readTypes,
    inheritance_constraint: readTypes,
    equality_constraint: readTypes,
  },
  types: SWIFT_TYPES,
  kinds: [
    'pattern',
    'value_binding_pattern',
    'type_annotation',
    'computed_property',
    'inheritance_specifier',
    'visibility_modifier',
    'property_modifier',
    'member_modifier',
    'inheritance_modifier',
    'parameter',
    'function_body',
    'type_parameters',
    'type_parameter',
    'lambda_function_type',
    'lambda_function_type_parameters',
    'lambda_parameter',
    'call_suffix',
    'value_arguments',
    'navigation_suffix',
    'switch_pattern',
    'attribute',
    'modifiers',
    'type_constraints',
    'identifier',
  ],
  nameless: [
    'import_declaration',
    'identifier',
    'parameter',
    'enum_type_parameters',
    'control_transfer_statement',
    'directive',
  ],
  roles: {
    if_statement: Role.branch,
    else: Role.elseWord,
    guard_statement: Role.ternary,
    for_statement: Role.loop,
    while_statement: Role.loop,
    repeat_while_statement: Role.loop,
    catch_block: Role.catch,
    ternary_expression: Role.ternary,
    switch_statement: Role.switch,
    switch_entry: Role.case,
    conjunction_expression: Role.binary,
    disjunction_expression: Role.binary,
    lambda_literal: Role.closure,
  },
  operators: ['"&&"', '"||"'],
  mask: withoutDirectives,
  rewrite: rewriteSwift,
  comments: { documentation: /^(\/\/\/|\/\*\*(?!\/))/ },
});
