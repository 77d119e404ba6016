import { Definition, DefinitionKind, NodeOp } from '../facts/facts.ts';
import { childIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { accessMember, READ, refer, visit, WRITE } from '../walk/tree-walk.ts';
import { amendBinding, bind, type Binding, defineProperty, Kind, namesOf, type PythonWalk } from './walk.ts';

const NOTHING: Binding = { value: 0, type: 0 };

/** Binds the names of an assignment's left side. `binding` is what the whole of it is given. */
export function bindTarget(walk: PythonWalk, node: number, scope: number, binding: Binding): void {
  const { tree, facts } = walk;
  switch (tree.kind[node]) {
    case Kind.identifier:
      bind(walk, node, scope, binding);
      return;
    case Kind.attribute:
      bindAttribute(walk, node, scope, binding);
      return;
    case Kind.pattern_list:
    case Kind.tuple_pattern:
    case Kind.list_pattern:
    case Kind.tuple:
    case Kind.list:
    case Kind.expression_list:
      childrenOf(tree, node).forEach((child, position) => {
        const value = binding.value === 0 ? 0 : facts.node(NodeOp.ElementAt, binding.value, position);
        bindTarget(walk, child, scope, { value, type: 0 });
      });
      return;
    case Kind.list_splat_pattern:
    case Kind.list_splat:
    case Kind.dictionary_splat_pattern:
      bindTarget(walk, tree.first[node] ?? 0, scope, NOTHING);
      return;
    case Kind.parenthesized_expression:
    case Kind.as_pattern_target:
      bindTarget(walk, tree.first[node] ?? 0, scope, binding);
      return;
    default:
      visit(walk, node, scope);
  }
}

/** `self.x = value` in a method makes a property of its class; any other attribute is written. */
function bindAttribute(walk: PythonWalk, node: number, scope: number, binding: Binding): void {
  const { tree, facts, method } = walk;
  const object = childIn(tree, node, Field.object);
  const name = childIn(tree, node, Field.attribute);
  const isOwn = method !== undefined && tree.kind[object] === Kind.identifier && textOf(tree, object) === method.self;
  if (!isOwn) {
    accessMember(walk, name, { receiver: visit(walk, object, scope), scope, flags: WRITE });
    return;
  }
  refer(walk, object, scope, READ);
  const existing = namesOf(walk.members, method.owner).get(textOf(tree, name));
  if (existing === undefined) {
    defineProperty(walk, name, { owner: method.owner, scope: -1 }, binding);
    return;
  }
  accessMember(walk, name, { receiver: facts.node(NodeOp.This, scope), scope, flags: WRITE });
  const isProperty = facts.definitions.get(existing, Definition.kind) === DefinitionKind.property;
  amendBinding(walk, existing, isProperty ? binding : { ...binding, value: 0 });
}
