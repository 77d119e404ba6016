import {
  Definition,
  DefinitionFlag,
  DefinitionKind,
  ExportHow,
  Facet,
  NodeOp,
  ReferenceHow,
  ScopeKind,
} from '../facts/facts.ts';
import { childIn, childOf, childrenOf, Field, textOf } from '../walk/tree.ts';
import {
  defineContainer,
  defineFunctionParameter,
  flagsOf,
  inheritedFlags,
  noteParameter,
  openScope,
} from '../walk/tree-define.ts';
import { CALL, nameOf, READ, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import {
  defineItem,
  defineModule,
  isTopLevel,
  itemFlags,
  Kind,
  MOST_MACRO_TEXT,
  type RustHandler,
  type RustWalk,
  selfType,
} from './walk.ts';
import { bindPattern } from './patterns.ts';
import { readStatements } from './statements.ts';
import { defineTypeParameters } from './types.ts';
import { readFunction } from '../walk/tree-handlers.ts';

const SPACES = DefinitionFlag.value | DefinitionFlag.type;

function functionItem(walk: RustWalk, node: number, scope: number): number {
  const { tree, block } = walk;
  const body = childIn(tree, node, Field.body);
  const modifiers = childOf(tree, node, Kind.function_modifiers);
  const isAsync = modifiers !== 0 && childOf(tree, modifiers, Kind['"async"']) !== 0;
  const parameters = childIn(tree, node, Field.parameters);
  const isStatic = block !== undefined && childOf(tree, parameters, Kind.self_parameter) === 0;
  const definition = defineItem(walk, childIn(tree, node, Field.name), {
    kind: block === undefined ? DefinitionKind.function : DefinitionKind.method,
    flags:
      DefinitionFlag.value |
      DefinitionFlag.callable |
      (isAsync ? DefinitionFlag.async : 0) |
      (isStatic ? DefinitionFlag.static : 0) |
      (body === 0 && block !== undefined ? DefinitionFlag.abstract : 0) |
      memberFlags(walk, node, scope),
    scope: block === undefined ? scope : -1,
    owner: block?.owner ?? -1,
    around: node,
    body,
  });
  joinBlock(walk, definition);
  readFunction(walk, node, definition, {
    scope,
    body,
    head: (inside) => {
      defineTypeParameters(walk, node, inside, definition);
      // A path in a type never begins with a parameter: `fn resize(images: images::Queue)`.
      walk.locals.set(inside, new Set(parameterNames(walk, parameters)));
      for (const child of childrenOf(tree, parameters)) {
        // What it names is outside: `#[with(USERS)] users: Users` of rstest.
        if (tree.kind[child] === Kind.attribute_item) visit(walk, child, scope);
        else defineParameter(walk, child, inside, definition);
      }
      return typeOf(walk, childIn(tree, node, Field.return_type), inside);
    },
    read: (inside) => {
      // Items inside are no members, while `Self` keeps its meaning.
      walk.block = undefined;
      readStatements(walk, body, inside);
      walk.block = block;
    },
  });
  return 0;
}

/** Flags of an item or member: what a trait has is as visible as the trait, and so is what implements it. */
function memberFlags(walk: RustWalk, node: number, scope: number): number {
  return walk.block === undefined ? itemFlags(walk, node, scope) : walk.block.flags | itemFlags(walk, node, -1);
}

/** Joins an item of an `impl` block to its type and trait. */
function joinBlock(walk: RustWalk, definition: number): void {
  const { facts, block } = walk;
  if (block === undefined || block.owner !== -1) return;
  if (block.receiver !== 0) facts.facet(definition, Facet.receiver, block.receiver);
  if (block.trait !== 0) facts.facet(definition, Facet.trait, block.trait);
}

/** The names of parameters that are no more than a name. */
function parameterNames({ tree }: RustWalk, parameters: number): string[] {
  const patterns = childrenOf(tree, parameters).map((parameter) => childIn(tree, parameter, Field.pattern));
  return patterns.filter((pattern) => tree.kind[pattern] === Kind.identifier).map((pattern) => textOf(tree, pattern));
}

function defineParameter(walk: RustWalk, node: number, scope: number, definition: number): void {
  const { tree, facts } = walk;
  if (tree.kind[node] === Kind.self_parameter) {
    const name = childOf(tree, node, Kind.self);
    defineFunctionParameter(walk, name, scope, { of: -1, type: selfType(walk, scope), flags: DefinitionFlag.self });
    return;
  }
  if (tree.kind[node] !== Kind.parameter) return;
  const pattern = childIn(tree, node, Field.pattern);
  if (tree.kind[pattern] === Kind.self) {
    // `self: Box<Self>`.
    const type = typeOf(walk, childIn(tree, node, Field.type), scope);
    defineFunctionParameter(walk, pattern, scope, { of: -1, type, flags: DefinitionFlag.self });
    return;
  }
  const type = typeOf(walk, childIn(tree, node, Field.type), scope);
  const first = facts.definitions.count;
  bindPattern(walk, pattern, scope, { value: 0, type });
  const isNamed = facts.definitions.count === first + 1;
  if (isNamed) facts.amend(first, 'kind', DefinitionKind.parameter);
  noteParameter(walk, definition, { type, parameter: isNamed ? first : -1 });
}

/** Defines a type with its type parameters, and gives the scope and the node of its body. */
function defineType(
  walk: RustWalk,
  node: number,
  scope: number,
  kind: number,
): { definition: number; inside: number; body: number } {
  const body = childIn(walk.tree, node, Field.body);
  const flags = SPACES | itemFlags(walk, node, scope);
  const name = childIn(walk.tree, node, Field.name);
  const definition = defineItem(walk, name, { kind, flags, scope, around: node, body });
  const inside = openScope(walk, scope, ScopeKind.class, definition);
  defineTypeParameters(walk, node, inside, definition);
  return { definition, inside, body };
}

function structItem(walk: RustWalk, node: number, scope: number): number {
  const { definition, inside, body } = defineType(walk, node, scope, DefinitionKind.struct);
  defineFields(walk, body, inside, definition);
  return 0;
}

/** Named fields, or fields that are numbered and have no place of definition. */
function defineFields(walk: RustWalk, list: number, scope: number, owner: number): void {
  const { tree, facts } = walk;
  const around = flagsOf(walk, owner) & DefinitionFlag.topLevel;
  let position = 0;
  for (const field of childrenOf(tree, list)) {
    if (tree.kind[field] === Kind.attribute_item) visit(walk, field, scope);
    else if (tree.kind[field] === Kind.field_declaration) {
      const isVariant = facts.definitions.get(owner, Definition.kind) === DefinitionKind.enum_member;
      const visibility = isVariant ? inheritedFlags(walk, owner) : around | itemFlags(walk, field, -1);
      const definition = defineItem(walk, childIn(tree, field, Field.name), {
        kind: DefinitionKind.property,
        flags: DefinitionFlag.value | visibility,
        scope: -1,
        owner,
        around: field,
      });
      facts.amend(definition, 'type', typeOf(walk, childIn(tree, field, Field.type), scope));
    } else if (tree.field[field] === Field.type) {
      const definition = facts.define({
        name: String(position),
        kind: DefinitionKind.property,
        flags: DefinitionFlag.value,
        nameStart: -1,
        start: tree.start[field] ?? 0,
        end: tree.end[field] ?? 0,
        scope: -1,
        owner,
      });
      facts.amend(definition, 'type', typeOf(walk, field, scope));
      position += 1;
    }
  }
}

function enumItem(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const { definition, inside, body } = defineType(walk, node, scope, DefinitionKind.enum);
  const type = facts.node(NodeOp.TypeName, scope, [nameOf(walk, childIn(tree, node, Field.name))], []);
  for (const variant of childrenOf(tree, body)) {
    if (tree.kind[variant] !== Kind.enum_variant) {
      visit(walk, variant, inside);
      continue;
    }
    const member = defineItem(walk, childIn(tree, variant, Field.name), {
      kind: DefinitionKind.enum_member,
      flags: SPACES | DefinitionFlag.static | inheritedFlags(walk, definition),
      scope: -1,
      owner: definition,
      around: variant,
      type,
    });
    defineFields(walk, childIn(tree, variant, Field.body), inside, member);
    visit(walk, childIn(tree, variant, Field.value), inside);
  }
  return 0;
}

function traitItem(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const { definition, inside, body } = defineType(walk, node, scope, DefinitionKind.trait);
  for (const bound of childrenOf(tree, childIn(tree, node, Field.bounds))) {
    const type = typeOf(walk, bound, inside);
    if (type !== 0) facts.facet(definition, Facet.extends, type);
  }
  const flags = itemFlags(walk, node, scope);
  readBlock(walk, body, inside, { owner: definition, receiver: 0, trait: 0, flags });
  return 0;
}

function implItem(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  defineTypeParameters(walk, node, inside, -1);
  const trait = typeOf(walk, childIn(tree, node, Field.trait), inside);
  const receiver = typeOf(walk, childIn(tree, node, Field.type), inside);
  if (trait !== 0 && receiver !== 0) {
    const block = defineContainer(walk, node, 0);
    facts.facet(block, Facet.receiver, receiver);
    facts.facet(block, Facet.trait, trait);
  }
  const topLevel = isTopLevel(walk, scope) ? DefinitionFlag.topLevel : 0;
  const flags = topLevel | (trait === 0 ? 0 : DefinitionFlag.exported);
  readBlock(walk, childIn(tree, node, Field.body), inside, { owner: -1, receiver, trait, flags });
  return 0;
}

function readBlock(walk: RustWalk, body: number, scope: number, block: NonNullable<RustWalk['block']>): void {
  const outer = { block: walk.block, self: walk.self };
  walk.block = block;
  walk.self = block.receiver;
  visitChildren(walk, body, scope);
  walk.block = outer.block;
  walk.self = outer.self;
}

/** `const`, `static`, `type`, and the associated ones of traits. */
function valueItem(kind: number, spaces: number): RustHandler {
  return (walk, node, scope) => {
    const { tree, facts, block } = walk;
    const definition = defineItem(walk, childIn(tree, node, Field.name), {
      kind,
      flags: spaces | (block === undefined ? 0 : DefinitionFlag.static) | memberFlags(walk, node, scope),
      scope: block === undefined ? scope : -1,
      owner: block?.owner ?? -1,
      around: node,
    });
    joinBlock(walk, definition);
    const inside = facts.scope(scope, ScopeKind.block, definition);
    defineTypeParameters(walk, node, inside, definition);
    const type =
      typeOf(walk, childIn(tree, node, Field.type), inside) || typeOf(walk, childIn(tree, node, Field.bounds), inside);
    facts.amend(definition, 'type', type);
    facts.amend(definition, 'value', visit(walk, childIn(tree, node, Field.value), inside));
    return 0;
  };
}

/** The files that `#[path = "a.rs"]` names above a module, and `#[cfg_attr(unix, path = "a.rs")]`. */
function pathsAbove({ tree, attributes }: RustWalk, node: number): string[] {
  const start = tree.start[node] ?? 0;
  if (attributes.end === -1 || tree.text.slice(attributes.end, start).trim() !== '') return [];
  const written = tree.text.slice(attributes.start, attributes.end);
  return [...written.matchAll(/[[,(]\s*path\s*=\s*"([^"\n]+)"/g)].map(([, path = '']) => path);
}

/** `mod name;` is a file, `mod name { ... }` a module inside this one. */
function moduleItem(walk: RustWalk, node: number, scope: number): number {
  const { tree } = walk;
  const nameNode = childIn(tree, node, Field.name);
  const body = childIn(tree, node, Field.body);
  const paths = pathsAbove(walk, node);
  const definition = defineModule(walk, nameNode, { flags: itemFlags(walk, node, scope), scope, around: node, body });
  if (body === 0) {
    if (paths.length > 0) walk.facts.amend(definition, 'imported', walk.facts.string(paths.join('\n')));
    return 0;
  }
  const inside = openScope(walk, scope, ScopeKind.module, definition);
  walk.modules.push(textOf(tree, nameNode));
  visitChildren(walk, body, inside);
  walk.modules.pop();
  return 0;
}

/** The body of a macro is made of pieces that mean nothing before it is used. */
function macroItem(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const definition = defineItem(walk, childIn(walk.tree, node, Field.name), {
    kind: DefinitionKind.macro,
    flags: DefinitionFlag.value | DefinitionFlag.callable | itemFlags(walk, node, scope),
    scope,
    around: node,
  });
  const text = textOf(tree, node);
  if (/\bmod\s+\$/.test(text) && text.length <= MOST_MACRO_TEXT)
    facts.exports.add(facts.string(''), ExportHow.template, facts.string(text), definition, tree.start[node] ?? 0);
  referMacroText(walk, node);
  return 0;
}

/**
 * Names in what a macro is replaced by. Those of items (called, applied, with members, or in capitals) are looked up where it
 * stands, the parts of a path behind them, with `$crate` as its own crate; of members only the name is known.
 */
function referMacroText({ tree, facts }: RustWalk, node: number): void {
  for (const rule of childrenOf(tree, node)) {
    const body = childIn(tree, rule, Field.right);
    const start = tree.start[body] ?? 0;
    if (body === 0) continue;
    const text = textOf(tree, body).replaceAll(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*/g, (literal) =>
      ' '.repeat(literal.length),
    );
    let path = 0;
    for (const { 0: word, index, groups } of text.matchAll(MACRO_WORD)) {
      const isCall = /^\s*!?\s*\(/.test(text.slice(index + word.length, index + word.length + 20));
      const flags = isCall ? CALL : READ;
      if (groups?.['item'] !== undefined && !RUST_WORDS.has(word))
        facts.references.add(facts.string(word), start + index, 0, flags, ReferenceHow.scoped, 0, 0);
      if (groups?.['part'] === undefined) {
        const root = word === '$crate' ? 'crate' : word;
        path = root.startsWith('$') ? 0 : facts.node(NodeOp.Identifier, facts.string(root), 0);
        continue;
      }
      const receiver = text[index - 1] === ':' ? path : 0;
      facts.members.add(facts.string(word), start + index, receiver, flags, 0);
      path = receiver === 0 ? 0 : facts.node(NodeOp.MemberOf, receiver, facts.string(word));
    }
  }
}

/** The root of a path, a part of a path or a member, or the name of an item. */
const MACRO_WORD =
  /\$\w+(?=::)|(?<=::|[\w)\]?]\s*\.)(?<part>[A-Za-z_]\w*)|(?<![\w$.'#:])(?<item>[A-Z]\w*|[a-z_]\w*(?=\s*!?\s*\(|::|\s*!\s*[[{]))/g;

const RUST_WORDS: ReadonlySet<string> = new Set(
  `as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return
  self Self static struct super trait true type unsafe use where while expr ident ty tt pat stmt block item path literal lifetime vis meta`.split(
    /\s+/,
  ),
);

/** Handlers of items, by kind of node. */
export const RUST_ITEMS: Partial<Record<keyof typeof Kind, RustHandler>> = {
  function_item: functionItem,
  function_signature_item: functionItem,
  struct_item: structItem,
  union_item: structItem,
  enum_item: enumItem,
  trait_item: traitItem,
  impl_item: implItem,
  const_item: valueItem(DefinitionKind.constant, DefinitionFlag.value),
  static_item: valueItem(DefinitionKind.variable, DefinitionFlag.value),
  type_item: valueItem(DefinitionKind.type, DefinitionFlag.type),
  associated_type: valueItem(DefinitionKind.type, DefinitionFlag.type),
  mod_item: moduleItem,
  macro_definition: macroItem,
};
