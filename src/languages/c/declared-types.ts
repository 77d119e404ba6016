import { childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { nameOf, typeOf, visit } from '../walk/tree-walk.ts';
import { all, at, BOTH, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp } from '../facts/facts.ts';
import { defineNode, inheritedFlags } from '../walk/tree-define.ts';
import { defineType, readMembers } from '../walk/table-define.ts';
import { qualifierOf, templateParameters } from './types.ts';

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

const KINDS: Readonly<Record<string, number>> = {
  struct_specifier: DefinitionKind.struct,
  union_specifier: DefinitionKind.struct,
  class_specifier: DefinitionKind.class,
};

/** `struct T { ... }`; without a body it names a type. Gives the type. */
function typeSpecifier(kind: string): TableHandler {
  return (walk, node, scope) => {
    const { facts } = walk;
    const name = at(walk, node, Field.name);
    const body = at(walk, node, Field.body);
    if (body === 0) return name === 0 ? 0 : typeOf(walk, name, scope);
    const { owner, template, current } = walk;
    walk.template = 0;
    const { name: plain } = name === 0 ? { name: 0 } : qualifierOf(walk, name, scope);
    const written = is(walk, plain, 'template_type') ? at(walk, plain, Field.name) : plain;
    const { definition, inside } = defineType(walk, node, scope, {
      kind: KINDS[kind] ?? DefinitionKind.struct,
      name: written || walk.named || body,
      body,
      flags: owner === -1 ? DefinitionFlag.exported : inheritedFlags(walk, owner),
    });
    const isAnonymous = written === 0 && walk.named === 0;
    if (isAnonymous) for (const [column, value] of NAMELESS) facts.amend(definition, column, value);
    walk.named = 0;
    templateParameters(walk, template, inside, definition);
    for (const child of childrenOf(walk.tree, first(walk, node, 'base_class_clause'))) {
      const type = is(walk, child, 'access_specifier') ? 0 : typeOf(walk, child, inside);
      if (type !== 0) facts.facet(definition, Facet.extends, type);
    }
    const flags = kind === 'class_specifier' ? DefinitionFlag.private : 0;
    readMembers(walk, body, inside, { definition, flags });
    walk.current = current;
    if (isAnonymous) return facts.node(NodeOp.MembersType, definition);
    return facts.node(NodeOp.TypeName, scope, [facts.definitions.get(definition, Definition.name)], []);
  };
}

const NAMELESS = [
  ['name', 0],
  ['scope', -1],
  ['nameStart', -1],
] as const;

/** `enum E { A, B }`: its values are names around it; those of `enum class` are members of it. */
const enumeration: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const name = at(walk, node, Field.name);
  const body = at(walk, node, Field.body);
  if (body === 0) return name === 0 ? 0 : typeOf(walk, name, scope);
  const written = name || walk.named;
  walk.named = 0;
  const head = written === 0 ? '' : tree.text.slice(tree.start[node], tree.start[body]);
  const isScoped = /^enum\s+(class|struct)\b/.test(head);
  const outer = walk.owner;
  let definition = -1;
  if (written !== 0)
    definition = defineType(walk, node, scope, {
      kind: DefinitionKind.enum,
      name: written,
      body,
      flags: outer === -1 ? DefinitionFlag.exported : inheritedFlags(walk, outer),
    }).definition;
  const type = written === 0 ? 0 : facts.node(NodeOp.TypeName, scope, [nameOf(walk, written)], []);
  for (const enumerator of all(walk, body, 'enumerator')) {
    const value = visit(walk, at(walk, enumerator, Field.value), scope);
    const owner = isScoped ? definition : outer;
    const isTop = scope === 0 || owner !== -1;
    const flags = DefinitionFlag.value | (isTop ? DefinitionFlag.topLevel | DefinitionFlag.exported : 0);
    const member = defineNode(walk, at(walk, enumerator, Field.name), {
      kind: DefinitionKind.enum_member,
      flags: flags | (owner === -1 ? 0 : DefinitionFlag.static),
      scope: owner === -1 ? scope : -1,
      owner,
      around: enumerator,
      value,
    });
    // Of one that belongs to its type the type is known.
    if (!isScoped) facts.amend(member, 'type', type);
  }
  return type;
};

/** `typedef T name;`, `using name = T;`. */
const alias: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const written = at(walk, node, Field.type);
  const declarators = childrenIn(tree, node, Field.declarator).map((child) => unwrap(walk, child));
  const names = declarators.length > 0 ? declarators : [{ name: at(walk, node, Field.name), parameters: 0 }];
  const isNameless = at(walk, written, Field.body) !== 0 && at(walk, written, Field.name) === 0;
  const takes = isNameless && is(walk, names[0]?.name ?? 0, 'type_identifier');
  if (takes) walk.named = names[0]?.name ?? 0;
  const type = typeOf(walk, written, scope);
  names.forEach(({ name, parameters }, index) => {
    if (!is(walk, name, 'type_identifier') || (takes && index === 0)) return;
    // `typedef struct name name`: one name for both.
    if (textOf(tree, at(walk, written, Field.name)) === textOf(tree, name)) return;
    const isMember = walk.owner !== -1;
    const isTop = scope === 0 || isMember;
    const definition = defineNode(walk, name, {
      kind: DefinitionKind.type,
      flags: BOTH | (isTop ? DefinitionFlag.topLevel | DefinitionFlag.exported : 0),
      scope: isMember ? -1 : scope,
      owner: walk.owner,
      around: node,
    });
    walk.documented.push(definition, tree.start[node] ?? 0);
    facts.amend(definition, 'type', parameters === 0 ? type : facts.node(NodeOp.FunctionType, type, [], 0));
  });
  return 0;
};

/** Handlers of declarations of types in C and C++, by type of node. */
export const C_DECLARED_TYPES: Readonly<Record<string, TableHandler>> = {
  ...Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, typeSpecifier(kind)])),
  enum_specifier: enumeration,
  type_definition: alias,
  alias_declaration: alias,
};
