import { childrenOf, Field } from '../walk/tree.ts';
import { typeOf, visit } from '../walk/tree-walk.ts';
import { at, is, type TableWalk } from '../walk/table-walk.ts';

/** Parts of a declarator: the node of its name, the list of parameters of a function, and whether it is an array. */
export interface Declared {
  name: number;
  parameters: number;
  isArray: boolean;
  value: number;
}

/**
 * Reads what stands beside the name in a declarator: sizes of arrays, `noexcept`, the type behind `->`, and of a parameter
 * that is a function the types that this takes.
 */
export function visitBesideName(walk: TableWalk, node: number, scope: number, isParameter = false): void {
  for (let inner = node; inner !== 0;) {
    const next = at(walk, inner, Field.declarator);
    const list = at(walk, inner, Field.parameters);
    const value = is(walk, inner, 'init_declarator') ? at(walk, inner, Field.value) : 0;
    if (next !== 0)
      for (const child of childrenOf(walk.tree, inner))
        if (child === list && isParameter)
          for (const taken of childrenOf(walk.tree, list)) typeOf(walk, at(walk, taken, Field.type), scope);
        else if (child !== next && child !== list && child !== value) visit(walk, child, scope);
    inner =
      next ||
      (is(walk, inner, 'parenthesized_declarator', 'reference_declarator', 'pointer_declarator')
        ? (walk.tree.last[inner] ?? 0)
        : 0);
  }
}

/** Takes the pointers, references, brackets and parentheses off a declarator. */
export function unwrap(walk: TableWalk, node: number): Declared {
  const declarator: Declared = { name: 0, parameters: 0, isArray: false, value: 0 };
  let isPointed = false;
  for (let inner = node; inner !== 0;) {
    if (is(walk, inner, 'init_declarator')) declarator.value = at(walk, inner, Field.value);
    else if (is(walk, inner, 'array_declarator')) declarator.isArray = true;
    else if (is(walk, inner, 'function_declarator')) declarator.parameters = at(walk, inner, Field.parameters);
    else if (
      is(walk, inner, 'parenthesized_declarator', 'pointer_declarator', 'reference_declarator', 'variadic_declarator')
    ) {
      isPointed ||= declarator.parameters !== 0 && !is(walk, inner, 'parenthesized_declarator');
    } else {
      declarator.name = inner;
      break;
    }
    inner = at(walk, inner, Field.declarator) || (walk.tree.last[inner] ?? 0);
  }
  // `int (*name)(int)` is a variable that holds a function.
  if (isPointed) declarator.parameters = 0;
  return declarator;
}
