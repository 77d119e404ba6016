import { Field } from '../walk/tree.ts';
import { Role } from '../walk/tree-metrics.ts';
import { skip } from '../walk/tree-walk.ts';
import { RUBY_CALLS } from './calls.ts';
import { RUBY_DEFINITIONS } from './definitions.ts';
import { RUBY_EXPRESSIONS } from './expressions.ts';
import { rewriteRuby } from './rewrite.ts';
import { either, tableExtractor } from '../walk/table-walk.ts';
import { literal, transparent } from '../walk/tree-handlers.ts';

/**
 * Ruby. Methods and constants are members of their class or module; `attr_reader` and its like, variables of instances
 * (`@x`) and members of `Struct.new` are properties. `C.new` is an instance of C. What a method ends with is what it
 * returns. A module may be `module` as well as a base (`include`); what `extend` gives is a `spread` facet.
 * `require_relative 'x'` is a module reference `./x`, `require 'x'` one of `x`.
 */
export const RUBY = tableExtractor({
  language: 'ruby',
  visits: {
    ...RUBY_DEFINITIONS,
    ...RUBY_CALLS,
    ...RUBY_EXPRESSIONS,
    parenthesized_statements: transparent,
    ...Object.fromEntries(['begin', 'then', 'block_body'].map((type) => [type, transparent])),
    if: either(Field.consequence, Field.alternative),
    unless: either(Field.consequence, Field.alternative),
    conditional: either(Field.consequence, Field.alternative),
    string: literal('String'),
    integer: literal('Integer'),
    float: literal('Float'),
    simple_symbol: literal('Symbol'),
    true: literal('Boolean'),
    false: literal('Boolean'),
    nil: skip,
    hash_key_symbol: skip,
    global_variable: skip,
  },
  kinds: [
    'block_argument argument_list block_parameters lambda_parameters method_parameters left_assignment_list',
    'destructured_parameter keyword_parameter optional_parameter splat_parameter hash_splat_parameter',
    'block_parameter string_content exception_variable rest_assignment destructured_left_assignment bare_symbol',
    'superclass setter',
  ],
  roles: {
    if: Role.branch,
    unless: Role.branch,
    elsif: Role.elseBranch,
    else: Role.otherwise,
    if_modifier: Role.ternary,
    unless_modifier: Role.ternary,
    while_modifier: Role.loop,
    until_modifier: Role.loop,
    while: Role.loop,
    until: Role.loop,
    for: Role.loop,
    rescue: Role.catch,
    rescue_modifier: Role.catch,
    conditional: Role.ternary,
    case: Role.switch,
    case_match: Role.switch,
    when: Role.case,
    in_clause: Role.case,
    binary: Role.binary,
    block: Role.closure,
    do_block: Role.closure,
    lambda: Role.none,
  },
  operators: ['"&&"', '"||"', '"and"', '"or"'],
  rewrite: rewriteRuby,
  comments: { documentation: /^=begin/, ordinary: /^#(!|\s*(frozen_string_literal|encoding|rubocop|typed|:nodoc:))/ },
});
