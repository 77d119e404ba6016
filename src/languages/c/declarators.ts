import { Field } from '../walk/tree.ts';
import { at, is, type TableWalk } from '../walk/table-walk.ts';

/** What a declarator declares: the node of its name, the list of parameters of a function, and whether it is an array. */
export interface Declared {
  name: number;
  parameters: number;
  isArray: boolean;
  value: number;
}

/** Takes the pointers, references, brackets and parentheses off a declarator. */
export function unwrap(walk: TableWalk, node: number): Declared {
  const found: Declared = { name: 0, parameters: 0, isArray: false, value: 0 };
  let isPointed = false;
  for (let inner = node; inner !== 0;) {
    if (is(walk, inner, 'init_declarator')) found.value = at(walk, inner, Field.value);
    else if (is(walk, inner, 'array_declarator')) found.isArray = true;
    else if (is(walk, inner, 'function_declarator')) found.parameters = at(walk, inner, Field.parameters);
    else if (is(walk, inner, 'parenthesized_declarator', 'pointer_declarator', 'reference_declarator')) {
      isPointed ||= found.parameters !== 0 && !is(walk, inner, 'parenthesized_declarator');
    } else {
      found.name = inner;
      break;
    }
    inner = at(walk, inner, Field.declarator) || (walk.tree.last[inner] ?? 0);
  }
  // `int (*name)(int)` is a variable that holds a function.
  if (isPointed) found.parameters = 0;
  return found;
}
