import { Definition, DefinitionFlag, DefinitionKind, ExportHow, Facet, NodeOp } from '../facts/facts.ts';
import { childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineNode, flagsOf, inheritedFlags, memberNode, typeNameAsValue } from '../walk/tree-define.ts';
import {
  CALL,
  IMPORT,
  nameOf,
  READ,
  refer,
  referModule,
  TYPE,
  typeOf,
  visit,
  visitChildren,
  WRITE,
} from '../walk/tree-walk.ts';
import {
  defineAlias,
  defineFunction,
  defineParameter,
  defineProperty,
  defineType,
  defineVariable,
  outsideType,
  readMembers,
} from '../walk/table-define.ts';
import { type Declared, unwrap, visitBesideName } from './declared-types.ts';
import { type MacroHead, readMacroHead, referMacro } from './macro-heads.ts';
import { plainName, qualifierOf, templateParameters, visitArguments } from './types.ts';
import { all, at, BOTH, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';

const isNamespace = (walk: TableWalk, owner: number): boolean =>
  owner !== -1 && walk.facts.definitions.get(owner, Definition.kind) === DefinitionKind.module;

/** Flags of what a declaration declares: `static` at the top is of its file only, in a class of the class. */
function flagsHere(walk: TableWalk, node: number, scope: number): number {
  const words = all(walk, node, 'storage_class_specifier').map((specifier) => textOf(walk.tree, specifier));
  const isStatic = words.includes('static');
  if (walk.owner !== -1 && !isNamespace(walk, walk.owner))
    return (
      walk.memberFlags |
      (isStatic ? DefinitionFlag.static : 0) |
      ((walk.memberFlags & DefinitionFlag.private) === 0
        ? inheritedFlags(walk, walk.owner)
        : flagsOf(walk, walk.owner) & DefinitionFlag.topLevel)
    );
  const isTop = scope === 0 || walk.owner !== -1;
  if (!isTop) return 0;
  return DefinitionFlag.topLevel | (isStatic ? DefinitionFlag.private : DefinitionFlag.exported);
}

interface Head {
  node: number;
  type: number;
  declared: Declared;
  body: number;
}

/** Defines a function, or the declaration of one. What is written with `T::` before its name belongs to T. */
function declareFunction(walk: TableWalk, scope: number, { node, type, declared, body }: Head): void {
  const { facts } = walk;
  const { name: written, outer } = qualifierOf(walk, declared.name, scope);
  const name = plainName(walk, written);
  const { owner } = walk;
  const isSpace = isNamespace(walk, owner);
  const isConstructor =
    owner !== -1 && !isSpace && nameOf(walk, name) === facts.definitions.get(owner, Definition.name);
  if (outer !== 0) walk.owner = -1;
  const definition = defineFunction(walk, node, scope, {
    name,
    body,
    flags:
      flagsHere(walk, node, scope) |
      (isConstructor ? DefinitionFlag.constructor : 0) |
      (body === 0 ? DefinitionFlag.abstract : 0),
    head: (inside, of) => {
      if (outer !== 0) {
        facts.facet(of, Facet.receiver, outer);
        facts.facet(of, Facet.trait, outer);
      }
      if (name !== written) visitArguments(walk, written, inside);
      const template = walk.template;
      walk.template = 0;
      templateParameters(walk, template, inside, of);
      defineParameters(walk, declared.parameters, inside, of);
      visitBesideName(walk, at(walk, node, Field.declarator), inside);
      outsideType(walk, () => {
        for (const child of all(walk, node, 'field_initializer_list')) initializers(walk, child, inside);
      });
      return type;
    },
  });
  walk.owner = owner;
  if (isSpace) facts.amend(definition, 'kind', DefinitionKind.function);
  if (outer !== 0) {
    facts.amend(definition, 'kind', DefinitionKind.method);
    facts.amend(definition, 'scope', -1);
  }
}

/** `: a(x), b{y}`: members that a constructor sets. */
function initializers(walk: TableWalk, list: number, scope: number): void {
  for (const initializer of all(walk, list, 'field_initializer')) {
    const [name = 0, ...values] = childrenOf(walk.tree, initializer);
    if (is(walk, name, 'field_identifier')) {
      const receiver = walk.facts.node(NodeOp.This, scope);
      walk.facts.members.add(nameOf(walk, name), walk.tree.start[name] ?? 0, receiver, WRITE, scope);
    } else typeOf(walk, name, scope);
    for (const value of values) visit(walk, value, scope);
  }
}

/** Defines the parameters of a list. */
export function defineParameters(walk: TableWalk, list: number, inside: number, of: number): void {
  const { facts, tree } = walk;
  for (const child of childrenOf(tree, list)) {
    const written = typeOf(walk, at(walk, child, Field.type), inside);
    const declared = unwrap(walk, at(walk, child, Field.declarator));
    const type = declared.isArray && written !== 0 ? facts.node(NodeOp.ArrayType, written) : written;
    if (is(walk, declared.name, 'identifier')) defineParameter(walk, declared.name, inside, { of, type });
    else if (of !== -1 && written !== 0) facts.facet(of, Facet.parameter, facts.node(NodeOp.Parameter, type, -1));
    visitBesideName(walk, at(walk, child, Field.declarator), inside, true);
    visit(walk, at(walk, child, Field.default_value), inside);
  }
}

const routine: TableHandler = (walk, node, scope) => {
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  const declared = unwrap(walk, at(walk, node, Field.declarator));
  const body = at(walk, node, Field.body);
  if (declared.name === 0) return visitChildren(walk, node, scope);
  const head = readMacroHead(walk, node, declared);
  if (head !== undefined) return readMacroBlock(walk, scope, { node, type, declared, body }, head);
  declareFunction(walk, scope, { node, type, declared, body });
  return 0;
};

/** `NAME(arguments) { }`: a loop or condition inside of a function, elsewhere the definition of a function by a macro. */
function readMacroBlock(walk: TableWalk, scope: number, written: Head, head: MacroHead): number {
  const isStatement = walk.current !== -1;
  referMacro(walk, isStatement ? { ...head, defined: 0 } : head, scope);
  if (isStatement) return visit(walk, written.body, scope);
  const declared = { ...written.declared, name: head.defined || head.name, parameters: 0 };
  declareFunction(walk, scope, { ...written, declared });
  return 0;
}

/** `T a = x, *b, c[3];`, `T f(int);`, as statement, at the top or in a class. */
const declaration: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const written = typeOf(walk, at(walk, node, Field.type), scope);
  for (const child of childrenIn(tree, node, Field.declarator)) {
    const declared = unwrap(walk, child);
    const isRoutine = declared.parameters !== 0 && walk.current === -1;
    const head = isRoutine ? readMacroHead(walk, node, declared) : undefined;
    if (head !== undefined) {
      referMacro(walk, { ...head, defined: 0 }, scope);
      continue;
    }
    if (isRoutine) {
      declareFunction(walk, scope, { node, type: written, declared, body: 0 });
      continue;
    }
    const type = declared.isArray && written !== 0 ? facts.node(NodeOp.ArrayType, written) : written;
    const value = visit(
      walk,
      declared.value || at(walk, node, Field.default_value) || at(walk, node, Field.value),
      scope,
    );
    visitBesideName(walk, child, scope);
    if (declared.parameters !== 0) visitChildren(walk, declared.parameters, scope);
    declareVariable(walk, scope, { node, name: declared.name, type, value });
  }
  visitChildren(walk, first(walk, node, 'bitfield_clause'), scope);
  return 0;
};

function declareVariable(
  walk: TableWalk,
  scope: number,
  { node, name, type, value }: { node: number; name: number; type: number; value: number },
): void {
  const flags = walk.current === -1 ? flagsHere(walk, node, scope) : 0;
  if (is(walk, name, 'structured_binding_declarator')) {
    for (const child of all(walk, name, 'identifier')) defineVariable(walk, child, scope, { around: node });
    return;
  }
  if (!is(walk, name, 'identifier', 'field_identifier')) {
    // A member of a class that is set outside of it.
    if (name !== 0) qualifierOf(walk, name, scope);
    return;
  }
  if (walk.owner !== -1) {
    const kind = isNamespace(walk, walk.owner) ? DefinitionKind.variable : DefinitionKind.property;
    defineProperty(walk, name, { kind, flags, around: node, type, value });
    return;
  }
  const definition = defineVariable(walk, name, scope, { flags, around: node, type, value });
  if (scope === 0) walk.documented.push(definition, walk.tree.start[node] ?? 0);
}

const space: TableHandler = (walk, node, scope) => {
  const name = at(walk, node, Field.name);
  const body = at(walk, node, Field.body);
  if (name === 0) return visitChildren(walk, body, scope);
  const { definition, inside } = defineType(walk, node, scope, {
    kind: DefinitionKind.module,
    name,
    body,
    flags: DefinitionFlag.exported | DefinitionFlag.topLevel,
  });
  walk.facts.amend(definition, 'name', walk.facts.string(textOf(walk.tree, name).replaceAll(/\s/g, '')));
  readMembers(walk, body, inside, { definition });
  return 0;
};

/** `#define NAME(a) text`: names in the text are uses. */
const macro: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const name = at(walk, node, Field.name);
  const list = at(walk, node, Field.parameters);
  const definition = defineNode(walk, name, {
    kind: DefinitionKind.macro,
    flags: BOTH | DefinitionFlag.topLevel | DefinitionFlag.exported | (list === 0 ? 0 : DefinitionFlag.callable),
    scope: 0,
    around: node,
  });
  walk.documented.push(definition, tree.start[node] ?? 0);
  const own = new Set(childrenOf(tree, list).map((child) => textOf(tree, child)));
  const value = at(walk, node, Field.value);
  const start = tree.start[value] ?? 0;
  const text =
    value === 0 ? '' : textOf(tree, value).replaceAll(/"(?:[^"\\\n]|\\.)*"/g, (literal) => ' '.repeat(literal.length));
  for (const { 0: word, index } of text.matchAll(/(?<![\w#])[A-Za-z_]\w*/g)) {
    if (own.has(word)) continue;
    const isCall = /^\s*\(/.test(text.slice(index + word.length));
    facts.references.add(facts.string(word), start + index, scope, isCall ? CALL : READ, 0, 0, 0);
  }
  return 0;
};

const include: TableHandler = (walk, node) => {
  const path = at(walk, node, Field.path);
  const source = textOf(walk.tree, path).replaceAll(/["<>]/g, '');
  if (is(walk, path, 'string_literal', 'system_lib_string')) referModule(walk, path, IMPORT, { module: source });
  return 0;
};

/** `using namespace a::b;` makes its names visible, `using a::b;` one of them. */
const using: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const path = tree.last[node] ?? 0;
  const source = textOf(tree, path).replaceAll(/\s|^::/g, '');
  if (/^using\s+namespace\b/.test(textOf(tree, node))) {
    facts.exports.add(facts.string(''), ExportHow.star, facts.string(source), scope, tree.start[node] ?? 0);
    return 0;
  }
  const { name, outer } = qualifierOf(walk, path, scope);
  // In a class it lends the members of a base.
  if (walk.owner !== -1 && !isNamespace(walk, walk.owner)) {
    if (outer !== 0) memberNode(walk, name, { receiver: typeNameAsValue(walk, outer), scope, flags: READ });
    return 0;
  }
  const definition = defineNode(walk, name, { kind: DefinitionKind.import, flags: BOTH, scope, around: node });
  facts.amend(definition, 'source', facts.string(source));
  facts.amend(definition, 'imported', nameOf(walk, name));
  return 0;
};

/** Handlers of declarations in C and C++, by type of node. */
export const C_DEFINITIONS: Readonly<Record<string, TableHandler>> = {
  function_definition: routine,
  declaration,
  field_declaration: declaration,
  namespace_definition: space,
  preproc_def: macro,
  preproc_function_def: macro,
  preproc_include: include,
  using_declaration: using,
  concept_definition: (walk, node, scope) => {
    const { inside } = defineAlias(walk, node, scope, {
      name: at(walk, node, Field.name),
      flags: flagsHere(walk, node, scope),
    });
    for (const child of childrenOf(walk.tree, node))
      if (walk.tree.field[child] !== Field.name) visit(walk, child, inside);
    return 0;
  },
  template_declaration: (walk, node, scope) => {
    walk.template = at(walk, node, Field.parameters);
    for (const child of childrenOf(walk.tree, node))
      if (walk.tree.field[child] !== Field.parameters) visit(walk, child, scope);
    walk.template = 0;
    return 0;
  },
  access_specifier: (walk, node) => {
    if (walk.owner !== -1)
      walk.memberFlags = textOf(walk.tree, node).startsWith('private') ? DefinitionFlag.private : 0;
    return 0;
  },
  friend_declaration: (walk, node, scope) => {
    // What it declares is no member.
    const { owner } = walk;
    walk.owner = -1;
    for (const child of childrenOf(walk.tree, node))
      if (is(walk, child, 'type_identifier')) refer(walk, child, scope, TYPE);
      else visit(walk, child, scope);
    walk.owner = owner;
    return 0;
  },
};
