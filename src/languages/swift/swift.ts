import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { memberNode } from '../walk/tree-define.ts';
import { refer, skip, TYPE, typeOf, visit } from '../walk/tree-walk.ts';
import { SWIFT_DEFINITIONS } from './definitions.ts';
import { SWIFT_EXPRESSIONS } from './expressions.ts';
import { SWIFT_STATEMENTS } from './statements.ts';
import { SWIFT_TYPES } from './types.ts';
import { either, is, tableExtractor, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { inBlock, literal, transparent } from '../walk/tree-handlers.ts';

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** A value that means nothing, as long as what stood there. */
const nothing = (text: string): string => `0${blank(text.slice(1))}`;

/** Each branch of a condition is whole by itself in Swift, so that all of them can be read; the grammar knows few places for one. */
const DIRECTIVES = /^[ \t]*#(?:if|elseif|else|endif|warning|error|sourceLocation)\b[^\n]*/gm;

/** Modifiers that are names in all other places: the grammar takes them for one at the start of a statement. */
const SOFT_WORDS =
  'prefix|postfix|infix|open|optional|required|convenience|override|mutating|indirect|dynamic|lazy|weak|unowned|final|package';

/** Constructs that the grammar of Swift does not know, each with a replacement that it does. */
const REWRITES: readonly [construct: RegExp, as: (match: string) => string][] = [
  // `if #available(iOS 11, *)`, and what the compiler fills in: `#fileID`, `#function`.
  [/#(?:un)?available\([^()\n]*\)/g, nothing],
  [/#(?:file|fileID|filePath|function|line|column|dsohandle|_sourceLocation)\b/g, nothing],
  [/@available\([^()\n]*\)(?=\s*#[A-Za-z])/g, blank],
  // Macros are read as calls: `#expect(a == b)`, `#Preview { … }`, `#Predicate<A> { … }`, and without arguments as names.
  [/(?<![#\w"])#(?=[A-Za-z])/g, blank],
  // Raw strings, and `consume a`.
  [/#"[^"\n]*(?:"(?!#)[^"\n]*)*"#/g, nothing],
  [/\bconsume(?=[ \t]+\w)/g, blank],
  // Typed throws.
  [/(?<=\bthrows)\([\w.<>]+\)/g, blank],
  // The empty tuple as an argument, and as a statement.
  [/(?<=[(,:]\s*)\(\)(?=\s*[,)])/g, nothing],
  [/(?<=^[ \t]*)\(\)(?=[ \t]*$)/gm, nothing],
  // `prefix = x` at the start of a statement.
  [new RegExp(`(?<=^[ \\t]*)(?:${SOFT_WORDS})(?=[ \\t]*[-+*/%]?=(?!=))`, 'gm'), (word) => `${word.slice(0, -1)}_`],
  // `switch try await x`: what is awaited is read without the words.
  [/(?<=\bswitch[ \t]+)(?:try[?!]?[ \t]+)?(?:await[ \t]+)?(?=[\w(])/g, blank],
  // Who owns a parameter, and `unsafe` before an expression.
  [/(?<=:[ \t]*)(?:(?:sending|consuming|borrowing|isolated)[ \t]+)+(?=[\w@([])/g, blank],
  [/\(unsafe\)(?=[ \t]+(?:let|var)\b)/g, blank],
  [/(?<![\w.@])unsafe(?=[ \t]+\w)/g, blank],
];

/** A text of the same length without the directives of the compiler. */
function withoutDirectives(text: string): string {
  return text.includes('#') ? text.replaceAll(DIRECTIVES, blank) : text;
}

/** A string, a comment, a brace, or a macro at the start of a line with its arguments. */
const PARTS =
  /"{3}[\s\S]*?"{3}|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}]|(?<=^[ \t]*)#[A-Za-z]\w*(?:<[^<>\n]*>)?(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?/gm;
/** Characters in which the end of a type is looked for behind a macro. */
const MOST_SPACE = 200;
const TYPE_HEAD = /\b(?:class|struct|enum|extension|actor|protocol)\s+(?!func\b|var\b|let\b|subscript\b)\w/;

/** A text of the same length in which macros among the members of a type are attributes of the next member, if there is one. */
function withMemberMacros(text: string): string {
  if (!text.includes('#')) return text;
  const areTypes: boolean[] = [];
  let [head, last] = ['', 0];
  return text.replaceAll(PARTS, (part, offset: number) => {
    head += text.slice(last, offset);
    last = offset + part.length;
    if (part === '{') areTypes.push(TYPE_HEAD.test(head));
    else if (part === '}') areTypes.pop();
    else if (!part.startsWith('#') || areTypes.at(-1) !== true) return part;
    else return /^\s*\}/.test(text.slice(last, last + MOST_SPACE)) ? blank(part) : `@${part.slice(1)}`;
    head = '';
    return part;
  });
}

/** A text of the same length in which constructs that the grammar does not know are written as others. */
function rewriteSwift(text: string): string {
  const plain = withMemberMacros(withoutDirectives(text));
  return REWRITES.reduce((written, [construct, as]) => written.replaceAll(construct, as), plain);
}

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
    branch: 'if_statement',
    elseWord: 'else',
    ternary: 'guard_statement ternary_expression',
    loop: 'for_statement while_statement repeat_while_statement',
    catch: 'catch_block',
    switch: 'switch_statement',
    case: 'switch_entry',
    binary: 'conjunction_expression disjunction_expression',
    closure: 'lambda_literal',
  },
  operators: ['"&&"', '"||"'],
  mask: withoutDirectives,
  rewrite: rewriteSwift,
  comments: { documentation: /^(\/\/\/|\/\*\*(?!\/))/ },
});
