import { DefinitionFlag, DefinitionKind, ExportHow, ReferenceHow } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { CALL, IMPORT, READ, refer, visit, visitChildren, WRITE } from '../walk/tree-walk.ts';
import { assignVariable, defineFunction, defineVariable, findVariable, functionScope } from '../walk/table-define.ts';
import { at, is, tableExtractor, type TableHandler, type TableWalk } from '../walk/table-walk.ts';

/** Start of a path that only the shell knows, up to the last slash behind it: `"$ROOT/lib/a.sh"`, `"$(dirname "$0")/a.sh"`. */
const DYNAMIC_START = /^.*(?:\$\{[^{}]*\}|\$\w+|\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`)[^/]*(?=\/)/;
/** Commands that run the command of their arguments, or name a function. */
const RUNS_ARGUMENT = new Set('trap exec command builtin time sudo env nohup xargs run eval export unset'.split(' '));

/** A command: of a function, or of the system. */
const command: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  const name = at(walk, node, Field.name);
  const word = tree.first[name] ?? 0;
  const text = textOf(tree, word);
  const list = childrenOf(tree, node).filter((child) => tree.field[child] === Field.argument);
  if (text === 'source' || text === '.' || text === 'load') return sourceFile(walk, list[0] ?? 0, scope);
  if (is(walk, word, 'word')) refer(walk, word, scope, CALL);
  else visit(walk, name, scope);
  const [first = 0] = list;
  if (RUNS_ARGUMENT.has(text) && is(walk, first, 'word') && /^[A-Za-z_][\w:-]*$/.test(textOf(tree, first)))
    refer(walk, first, scope, text === 'export' || text === 'unset' ? READ : CALL);
  if (text === 'read') for (const argument of list) readInto(walk, argument, scope);
  for (const child of childrenOf(tree, node)) if (child !== name) visit(walk, child, scope);
  return 0;
};

/** `read -r line` sets a variable. */
function readInto(walk: TableWalk, word: number, scope: number): void {
  if (!is(walk, word, 'word') || !/^[A-Za-z_]\w*$/.test(textOf(walk.tree, word))) return;
  assignVariable(walk, word, scope, { value: 0, around: word, isFunctionScoped: true });
}

/** `source path`: the names of the file are names here. A start that is not known is written as a star. */
function sourceFile(walk: TableWalk, node: number, scope: number): number {
  const { facts, tree } = walk;
  const written = textOf(tree, node);
  const path = written.replace(/^["']|["']$/g, '').replaceAll('"', '');
  visitChildren(walk, node, scope);
  const pattern = path.replace(DYNAMIC_START, '*').replace(/^\*\/\.\//, '*/');
  if (pattern === '' || /[$`]/.test(pattern)) return 0;
  const source = facts.string(pattern);
  const start = (tree.start[node] ?? 0) + (/^["']/.test(written) ? 1 : 0);
  facts.exports.add(facts.string(''), ExportHow.star, source, scope, start);
  facts.references.add(source, start, -1, IMPORT, ReferenceHow.module, source, 0);
  return 0;
}

const definition: TableHandler = (walk, node, scope) => {
  defineFunction(walk, node, functionScope(walk, scope), {
    name: at(walk, node, Field.name),
    body: at(walk, node, Field.body),
    flags: DefinitionFlag.exported | DefinitionFlag.topLevel,
    head: () => 0,
  });
  return 0;
};

/** The first assignment declares a variable of the file, whatever function it is in; `local` one of the function. */
const assignment: TableHandler = (walk, node, scope) => {
  visit(walk, at(walk, node, Field.value), scope);
  const name = at(walk, node, Field.name);
  if (is(walk, name, 'variable_name')) assign(walk, name, scope, node);
  else visit(walk, name, scope);
  return 0;
};

function assign(walk: TableWalk, name: number, scope: number, around: number): void {
  if (
    findVariable(walk, scope, textOf(walk.tree, name)) !== -1 ||
    findVariable(walk, 0, textOf(walk.tree, name)) !== -1
  )
    refer(walk, name, scope, WRITE);
  else global(walk, name, around);
}

function global(walk: TableWalk, name: number, around: number): void {
  const flags = DefinitionFlag.exported | DefinitionFlag.topLevel;
  const isConstant = /^(readonly|declare\s+-\w*r)/.test(
    walk.tree.text.slice(walk.tree.start[around], walk.tree.end[around]),
  );
  const kind = isConstant ? DefinitionKind.constant : DefinitionKind.variable;
  const variable = defineVariable(walk, name, 0, { kind, flags, around });
  walk.documented.push(variable, walk.tree.start[around] ?? 0);
}

/** `local x=1`, `declare x`, `export x=1`, `readonly x`. */
const declaration: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  const word = textOf(tree, node).split(/\s/, 1)[0];
  const isLocal = walk.current !== -1 && word !== 'export' && word !== 'readonly';
  for (const child of childrenOf(tree, node)) {
    const isAssignment = is(walk, child, 'variable_assignment');
    const name = isAssignment ? at(walk, child, Field.name) : child;
    if (isAssignment) visit(walk, at(walk, child, Field.value), scope);
    if (!is(walk, name, 'variable_name')) visit(walk, child, scope);
    else if (isLocal) defineVariable(walk, name, functionScope(walk, scope), { around: child });
    else if (isAssignment) assign(walk, name, scope, node);
    else refer(walk, name, scope, READ);
  }
  return 0;
};

const loop: TableHandler = (walk, node, scope) => {
  const variable = at(walk, node, Field.variable);
  for (const child of childrenOf(walk.tree, node)) {
    if (child === variable) assignVariable(walk, child, scope, { value: 0, around: child, isFunctionScoped: true });
    else visit(walk, child, scope);
  }
  return 0;
};

/**
 * Shell scripts. Functions, and the variables of the file: what is assigned anywhere without `local` is one. A command is
 * a call of the function of its name, if there is one. `source` is a star export of the path.
 */
export const BASH = tableExtractor({
  language: 'bash',
  visits: {
    command,
    function_definition: definition,
    variable_assignment: assignment,
    declaration_command: declaration,
    for_statement: loop,
    variable_name: (walk, node, scope) => {
      if (!/^\d/.test(textOf(walk.tree, node))) refer(walk, node, scope, READ);
      return 0;
    },
  },
  kinds: ['word', 'command_name'],
  roles: {
    branch: 'if_statement',
    elseBranch: 'elif_clause',
    otherwise: 'else_clause',
    loop: 'for_statement c_style_for_statement while_statement',
    switch: 'case_statement',
    case: 'case_item',
    binary: 'binary_expression list',
  },
  operators: ['"&&"', '"||"'],
  comments: { documentation: /^##/, ordinary: /^#(!|\s*shellcheck)/ },
});
