import { Definition, NodeOp } from '../facts/facts.ts';
import { childrenOf, textOf } from '../walk/tree.ts';
import { sameFor, skip, TYPE } from '../walk/tree-walk.ts';
import { CONSTRUCT, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { primitive, unionType } from '../walk/tree-handlers.ts';

/** Notes a use of a name, which may have parts: it stands at its last part. Gives the string id of the whole. */
export function referName(walk: TableWalk, node: number, scope: number, flags: number): number {
  const { facts, tree } = walk;
  const written = textOf(tree, node).replaceAll(/\s/g, '');
  const text = written.replace(/^namespace\\/i, '');
  const last = text.slice(text.lastIndexOf('\\') + 1);
  const name = facts.string(text);
  facts.references.add(name, (tree.end[node] ?? 0) - last.length, scope, flags, 0, 0, 0);
  return name;
}

/** The type that the class around has, or that it is made from. */
function typeOfOwner({ facts, type }: TableWalk): number {
  if (type === -1) return 0;
  const scope = Math.max(facts.definitions.get(type, Definition.bodyScope), 0);
  return facts.node(NodeOp.TypeName, scope, [facts.definitions.get(type, Definition.name)], []);
}

/** A class by name, for a type. `self` and `static` are the class around. */
export function className(walk: TableWalk, node: number, scope: number, flags = TYPE): number {
  const text = textOf(walk.tree, node).toLowerCase();
  if (text === 'self' || text === 'static') return typeOfOwner(walk);
  if (text === 'parent') return 0;
  if (PRIMITIVES.has(text)) return walk.facts.node(NodeOp.Primitive, walk.facts.string(text));
  return walk.facts.node(NodeOp.TypeName, scope, [referName(walk, node, scope, flags)], []);
}

const PRIMITIVES = new Set(['int', 'float', 'string', 'bool', 'array', 'void', 'mixed', 'never', 'iterable', 'object']);

/** A class that is made an instance of. */
export function readConstructed(walk: TableWalk, node: number, scope: number): number {
  return className(walk, node, scope, CONSTRUCT);
}

const named: TableHandler = (walk, node, scope) => className(walk, walk.tree.first[node] ?? 0, scope);

/** Reads the attributes before a declaration: each names a class. */
export function readAttributes(walk: TableWalk, node: number, scope: number): void {
  const list = first(walk, node, 'attribute_list');
  for (const group of childrenOf(walk.tree, list))
    for (const inner of childrenOf(walk.tree, group)) {
      if (!is(walk, inner, 'attribute')) continue;
      const [name = 0, ...rest] = childrenOf(walk.tree, inner);
      className(walk, name, scope, CONSTRUCT);
      for (const child of rest) walk.visits[walk.tree.kind[child] ?? 0]?.(walk, child, scope);
    }
}

/** Handlers of types in PHP, by type of node. */
export const PHP_TYPES: Readonly<Record<string, TableHandler>> = {
  named_type: named,
  ...sameFor('optional_type union_type intersection_type type_list disjunctive_normal_form_type', unionType),
  primitive_type: primitive,
  bottom_type: skip,
};
