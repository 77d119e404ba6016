import { DefinitionKind, ExportHow, ReferenceHow } from '../facts/facts.ts';
import { childrenOf, textOf } from '../walk/tree.ts';
import { defineNode } from '../walk/tree-define.ts';
import { BOTH, first, tableExtractor, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { IMPORT, referModule, skip } from '../walk/tree-walk.ts';
import { KOTLIN_DEFINITIONS } from './definitions.ts';
import { KOTLIN_EXPRESSIONS } from './expressions.ts';
import { plainKotlin, rewriteKotlin } from './rewrite.ts';
import { KOTLIN_TYPES } from './types.ts';
import { literal, transparent } from '../walk/tree-handlers.ts';

/** `import a.b.C`, `import a.b.C as D`, `import a.b.*`. */
export const readImport: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const path = first(walk, node, 'qualified_identifier');
  const source = textOf(tree, path).replaceAll(/[\s`]/g, '');
  const parts = childrenOf(tree, path);
  const isStar = /\*\s*;?\s*$/.test(tree.text.slice(tree.end[path], tree.end[node]));
  referTypes(walk, isStar ? parts : parts.slice(0, -1));
  if (isStar) {
    facts.exports.add(facts.string(''), ExportHow.star, facts.string(source), scope, tree.start[node] ?? 0);
    return 0;
  }
  const name = tree.last[path] ?? 0;
  const renamed = first(walk, node, 'identifier');
  const definition = defineNode(walk, renamed === 0 ? name : renamed, {
    kind: DefinitionKind.import,
    flags: BOTH,
    scope,
    around: node,
  });
  facts.amend(definition, 'source', facts.string(source));
  const text = facts.string(textOf(tree, name));
  facts.amend(definition, 'imported', text);
  facts.references.add(text, tree.start[name] ?? 0, -1, IMPORT, ReferenceHow.bound, definition, 0);
  return 0;
};

/** Notes the types on a path: `Outer` of `a.b.Outer.Inner`. Names of packages are written in small letters. */
function referTypes(walk: TableWalk, parts: readonly number[]): void {
  const names = parts.map((part) => textOf(walk.tree, part).replaceAll('`', ''));
  for (const [at, part] of parts.entries()) {
    const name = names[at] ?? '';
    if (/^\p{Lu}/u.test(name)) referModule(walk, part, IMPORT, { module: names.slice(0, at).join('.'), name });
  }
}

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
    import: readImport,
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
