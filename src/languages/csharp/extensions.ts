import { childrenOf, Field } from '../walk/tree.ts';
import { typeOf, visit } from '../walk/tree-walk.ts';
import { defineParameter } from '../walk/table-define.ts';
import { ScopeKind } from '../facts/facts.ts';
import { typeParameters } from './types.ts';
import { all, at, first, type TableWalk } from '../walk/table-walk.ts';

/** `extension<T>(List<T> items) where T : class {`: a block of members of the type in brackets. */
const EXTENSION =
  /^([ \t]*)extension([ \t]*(?:<[^(){};\n]*>)?[ \t]*)\(((?:[^(){};]|\([^(){};]*\))*)\)(?=\s*(?:where\b[^;{}=]*)?\{)/gm;
/** A type and a name. */
const NAMED = /[\w\])>?]\s+@?\w+\s*$/;

/**
 * The text with each block of extensions written as a structure with a parameter, or with a base where the type has no
 * name, as long as before: the grammar knows no such blocks.
 */
export function withoutExtensionBlocks(text: string): string {
  if (!text.includes('extension')) return text;
  return text.replaceAll(EXTENSION, (_, indent: string, types: string, of: string) => {
    const written = NAMED.test(of) ? `(${of})` : `:${of} `;
    return `${indent}struct __${types}${written}`;
  });
}

/** True if a structure is such a block. Names are those of the original text. */
export function isExtensionBlock({ tree }: TableWalk, node: number): boolean {
  return tree.text.startsWith('extension', (tree.start[node] ?? 0) - 'struct '.length);
}

/** Reads a block of extensions: its members are those of the class around it and of the type that they extend. */
export function readExtensionBlock(walk: TableWalk, node: number, scope: number): void {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  typeParameters(walk, node, inside, -1);
  const [parameter = 0] = all(walk, first(walk, node, 'parameter_list'), 'parameter');
  const [base = 0] = childrenOf(walk.tree, first(walk, node, 'base_list'));
  const type = typeOf(walk, at(walk, parameter, Field.type) || base, inside);
  const name = at(walk, parameter, Field.name);
  if (name !== 0) defineParameter(walk, name, inside, { of: -1, type });
  const { receiver } = walk;
  walk.receiver = type;
  visit(walk, at(walk, node, Field.body), inside);
  walk.receiver = receiver;
}
