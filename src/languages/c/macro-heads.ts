import { Definition } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { CALL, READ, refer, visit } from '../walk/tree-walk.ts';
import type { Declared } from './declared-types.ts';
import { at, is, type TableWalk } from '../walk/table-walk.ts';

/** Names of macros by convention; of those defined in the file the definition decides. */
export const CAPITALS = /^[A-Z][A-Z0-9_]{2,}$/;

/** A declarator `NAME(arguments)` without a type before it: the use of a macro where the grammar expects a declaration. */
export interface MacroHead {
  /** The node of the macro's name, and of its list of arguments. */
  name: number;
  list: number;
  /** The argument that names what the macro defines, or 0. */
  defined: number;
}

/**
 * Reads a function declarator as the use of a macro; undefined when it declares a function.
 *
 * A function without a type is one in old C and a constructor in C++. Inside of a function body neither exists, so a head
 * with a block there is a macro (`list_for_each(a, b) { }`); elsewhere the macro's `#define` or its capitals decide.
 */
export function readMacroHead(walk: TableWalk, node: number, { name, parameters }: Declared): MacroHead | undefined {
  const isPlain =
    parameters !== 0 && at(walk, node, Field.type) === 0 && is(walk, name, 'identifier', 'field_identifier');
  if (!isPlain || isConstructor(walk, name)) return undefined;
  const text = textOf(walk.tree, name);
  const definition = macroText(walk, text);
  if (walk.current === -1 && definition === undefined && !CAPITALS.test(text)) return undefined;
  return { name, list: parameters, defined: definedName(walk, parameters, definition) };
}

/** Notes the use of the macro and of the names that it is given. */
export function referMacro(walk: TableWalk, { name, list, defined }: MacroHead, scope: number): void {
  refer(walk, name, scope, CALL);
  for (const argument of childrenOf(walk.tree, list)) {
    if (nameIn(walk, argument) === defined && defined !== 0) continue;
    referNames(walk, argument, scope);
  }
}

/** The arguments are read as parameters, so names among them are read as types. */
function referNames(walk: TableWalk, node: number, scope: number): void {
  if (is(walk, node, 'identifier', 'type_identifier', 'field_identifier')) refer(walk, node, scope, READ);
  else if (is(walk, node, 'call_expression', 'field_expression')) visit(walk, node, scope);
  else for (const child of childrenOf(walk.tree, node)) referNames(walk, child, scope);
}

function isConstructor({ facts, owner, tree }: TableWalk, name: number): boolean {
  return owner !== -1 && facts.string(textOf(tree, name)) === facts.definitions.get(owner, Definition.name);
}

/** `#define NAME(parameters) text` of the file, if there is one. */
function macroText({ tree }: TableWalk, name: string): { parameters: string[]; text: string } | undefined {
  const match = new RegExp(
    String.raw`^[ \t]*#[ \t]*define[ \t]+${name}\(([^)\n]*)\)((?:[^\n\\]|\\[^\n]|\\\r?\n)*)`,
    'm',
  ).exec(tree.text);
  if (match === null) return undefined;
  const [, parameters = '', text = ''] = match;
  return { parameters: parameters.match(/[A-Za-z_]\w*/g) ?? [], text };
}

/**
 * The argument that a macro makes a name of: the one that stands before parentheses in its text, or is joined to other
 * words there. Of an unknown macro it is the only name, the last of several plain names (`TEST(Suite, name)`), or the
 * first of arguments of other kinds (`SYSCALL_DEFINE1(name, int, a)`).
 */
function definedName(walk: TableWalk, list: number, definition: ReturnType<typeof macroText>): number {
  const names = childrenOf(walk.tree, list).map((argument) => nameIn(walk, argument));
  if (definition !== undefined) {
    const index = definition.parameters.findIndex((parameter) =>
      new RegExp(String.raw`\b${parameter}\s*\(|##\s*${parameter}\b|\b${parameter}\s*##`).test(definition.text),
    );
    return index === -1 ? 0 : (names[index] ?? 0);
  }
  return (names.includes(0) ? names[0] : names.at(-1)) ?? 0;
}

/** The name that an argument consists of, or 0. */
function nameIn(walk: TableWalk, argument: number): number {
  if (!is(walk, argument, 'parameter_declaration')) return is(walk, argument, 'identifier') ? argument : 0;
  const type = at(walk, argument, Field.type);
  return is(walk, type, 'type_identifier') && childrenOf(walk.tree, argument).length === 1 ? type : 0;
}
