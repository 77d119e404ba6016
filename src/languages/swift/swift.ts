import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { memberNode } from '../walk/tree-define.ts';
import { Role } from '../walk/tree-metrics.ts';
import { refer, skip, TYPE, typeOf, visit } from '../walk/tree-walk.ts';
import { SWIFT_DEFINITIONS } from './definitions.ts';
import { SWIFT_EXPRESSIONS } from './expressions.ts';
import { rewriteSwift, withoutDirectives } from './rewrite.ts';
import { SWIFT_STATEMENTS } from './statements.ts';
import { SWIFT_TYPES } from './types.ts';
import { either, is, tableExtractor, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { inBlock, literal, transparent } from '../walk/tree-handlers.ts';

/** `@Name(argument)`; what attributes of the language are given (`@available(iOS 13, *)`) is nothing of the program's. */
const attribute: TableHandler = (walk, node, scope) => {
  const [name = 0, ...given] = childrenOf(walk.tree, node);
  typeOf(walk, name, scope);
  if (/^\p{Lu}/u.test(textOf(walk.tree, name))) for (const child of given) visit(walk, child, scope);
  return 0;
};

/** `T: P`, `T.Item == U`: what is named is a type, of a path its first name. */
const readTypes: TableHandler = (walk, node, scope) => {
  for (const child of childrenOf(walk.tree, node)) {
    if (is(walk, child, 'user_type')) typeOf(walk, child, scope);
    else if (is(walk, child, 'identifier')) constrained(walk, child, scope);
    else visit(walk, child, scope);
  }
  return 0;
};

/** `T.Item`: the first name is a type, the others are members of it. */
function constrained(walk: TableWalk, node: number, scope: number): void {
  const [name = 0, ...members] = childrenOf(walk.tree, node);
  refer(walk, name, scope, TYPE);
  for (const member of members) memberNode(walk, member, { receiver: 0, scope, flags: TYPE });
}

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
    attribute,
    inheritance_constraint: readTypes,
    equality_constraint: readTypes,
  },
  types: SWIFT_TYPES,
  kinds: [
    'pattern value_binding_pattern type_annotation computed_property inheritance_specifier visibility_modifier',
    'property_modifier member_modifier inheritance_modifier parameter function_body type_parameters',
    'type_parameter type_constraints capture_list capture_list_item lambda_function_type',
    'lambda_function_type_parameters lambda_parameter call_suffix value_arguments navigation_suffix',
    'switch_pattern attribute modifiers identifier',
  ],
  nameless: ['import_declaration identifier parameter enum_type_parameters control_transfer_statement directive'],
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
