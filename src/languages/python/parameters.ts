import { DefinitionFlag, DefinitionKind, NodeOp, Scope } from '../facts/facts.ts';
import { childIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { typeOf, visit } from '../walk/tree-walk.ts';
import { define, Kind, type PythonWalk } from './walk.ts';

/** A parameter that was read: its `NodeOp.Parameter` node, its definition and its name. */
interface PythonParameter {
  node: number;
  definition: number;
  name: string;
  isTyped: boolean;
}

/** Scopes in which the parts of a parameter are read. */
interface ParameterScopes {
  /** Scope of the function: its parameters are bound there. */
  inside: number;
  /** Around the function: defaults are read there. */
  around: number;
  /** Annotations are read there: around the function, or inside where its type parameters are. */
  types: number;
}

/** Defines the parameters of a list in the scope of their function; `types` is where annotations are read. */
export function defineParameters(walk: PythonWalk, list: number, inside: number, types = inside): PythonParameter[] {
  if (list === 0) return [];
  const around = walk.facts.scopes.get(inside, Scope.parent);
  return childrenOf(walk.tree, list).flatMap((child) => defineParameter(walk, child, { inside, around, types }));
}

function defineParameter(
  walk: PythonWalk,
  node: number,
  { inside, around, types }: ParameterScopes,
): PythonParameter[] {
  const { tree, facts } = walk;
  let name = node;
  let type = 0;
  let value = 0;
  switch (tree.kind[node]) {
    case Kind.identifier:
      break;
    case Kind.typed_parameter:
      name = tree.first[node] ?? 0;
      type = typeOf(walk, childIn(tree, node, Field.type), types);
      if (tree.kind[name] !== Kind.identifier) {
        const isList = tree.kind[name] === Kind.list_splat_pattern;
        if (type !== 0) type = facts.node(isList ? NodeOp.ArrayType : NodeOp.MapType, type);
        name = tree.first[name] ?? 0;
      }
      break;
    case Kind.default_parameter:
    case Kind.typed_default_parameter:
      name = childIn(tree, node, Field.name);
      type = typeOf(walk, childIn(tree, node, Field.type), types);
      value = visit(walk, childIn(tree, node, Field.value), around);
      break;
    case Kind.list_splat_pattern:
    case Kind.dictionary_splat_pattern:
      name = tree.first[node] ?? 0;
      break;
    default:
      return [];
  }
  if (tree.kind[name] !== Kind.identifier) return [];
  const definition = define(walk, name, {
    kind: DefinitionKind.parameter,
    scope: inside,
    owner: -1,
    flags: DefinitionFlag.value,
  });
  facts.amend(definition, 'type', type);
  if (type === 0) facts.amend(definition, 'value', value);
  return [
    { node: facts.node(NodeOp.Parameter, type, definition), definition, name: textOf(tree, name), isTyped: type !== 0 },
  ];
}
