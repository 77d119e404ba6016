import { DefinitionFlag, DefinitionKind, ExportHow, Facet, ScopeKind, UseFlag } from '../facts/facts.ts';
import { childIn, childOf, childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import {
  defineDocumented,
  defineFunctionParameter,
  defineNode,
  defineTypeParameter,
  openScope,
} from '../walk/tree-define.ts';
import { treeExtractor } from '../walk/tree-extractor.ts';
import { referModule, typeOf, visitChildren } from '../walk/tree-walk.ts';
import { GO_EXPRESSIONS } from './expressions.ts';
import { assignedValues, beforeDeclared, GO_STATEMENTS } from './statements.ts';
import { defineMembers, defineTypeParameters, GO_TYPES, readSignature } from './types.ts';
import { type GoHandler, type GoWalk, Kind, localsOf, topLevelFlags } from './walk.ts';
import { readFunction } from '../walk/tree-handlers.ts';

/** Pattern of a type in the brackets of `new`, up to the closing one. */
const TYPE =
  /\s*(?:[*&]*[\w.]+(?:\[[^(){}\n]*\])?|\*[^(){}\n]*|(?:\[|map\[)[^(){}\n]*|(?:<-)?chan\b[^\n]*|(?:func|struct|interface)\b[^\n]*)\s*\)/y;

/**
 * A text of the same length in which `new` of a value (Go 1.26) is a call like any other: the grammar takes only a type in
 * its brackets. Names are read from the text as it was.
 */
function rewriteGo(text: string): string {
  return text.replaceAll(/(?<![.\w])new\(/g, (call, at: number) => {
    TYPE.lastIndex = at + call.length;
    return TYPE.test(text) ? call : 'neW(';
  });
}

const IMPORT = UseFlag.value | UseFlag.import;

function importSpec(walk: GoWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const literal = childIn(tree, node, Field.path);
  const path = tree.first[literal] ?? 0;
  const source = textOf(tree, path);
  const alias = childIn(tree, node, Field.name);
  referModule(walk, path, IMPORT, { module: source });
  if (tree.kind[alias] === Kind.blank_identifier) return 0;
  if (tree.kind[alias] === Kind.dot) {
    facts.exports.add(facts.string(''), ExportHow.star, facts.string(source), scope, tree.start[alias] ?? 0);
    return 0;
  }
  const definition = facts.define({
    name: alias === 0 ? packageOfPath(source) : textOf(tree, alias),
    kind: DefinitionKind.import,
    flags: DefinitionFlag.value | DefinitionFlag.type,
    nameStart: tree.start[alias === 0 ? path : alias] ?? 0,
    start: tree.start[node] ?? 0,
    end: tree.end[node] ?? 0,
    scope,
  });
  facts.amend(definition, 'source', facts.string(source));
  facts.amend(definition, 'imported', facts.string('*'));
  return 0;
}

/** The package name that a path most likely has: `gopkg.in/yaml.v3` is yaml, `example.com/go-tool/v2` is tool. */
function packageOfPath(path: string): string {
  const parts = path.split('/');
  const last = parts.at(-1) ?? '';
  const name = /^v\d+$/.test(last) && parts.length > 1 ? (parts.at(-2) ?? '') : last;
  return name
    .replace(/\.v\d+$/, '')
    .replace(/^go-|[-.]go$/, '')
    .replaceAll('-', '_');
}

function declareFunction(walk: GoWalk, node: number, scope: number): number {
  const { tree } = walk;
  const nameNode = childIn(tree, node, Field.name);
  const body = childIn(tree, node, Field.body);
  const receiver = childIn(tree, node, Field.receiver);
  const definition = defineDocumented(walk, nameNode, {
    kind: receiver === 0 ? DefinitionKind.function : DefinitionKind.method,
    flags: DefinitionFlag.value | DefinitionFlag.callable | topLevelFlags(textOf(tree, nameNode)),
    scope: receiver === 0 ? scope : -1,
    around: node,
    body,
  });
  readFunction(walk, node, definition, {
    scope,
    body,
    head: (inside) => {
      defineTypeParameters(walk, childIn(tree, node, Field.type_parameters), inside, definition);
      if (receiver !== 0) defineReceiver(walk, receiver, inside, definition);
      return readSignature(walk, node, inside, definition);
    },
    read: (inside) => visitChildren(walk, body, inside),
  });
  return 0;
}

/** `(s *Stack[T])`: T is declared here. */
function defineReceiver(walk: GoWalk, list: number, inside: number, definition: number): void {
  const { tree, facts } = walk;
  const declaration = tree.first[list] ?? 0;
  let type = childIn(tree, declaration, Field.type);
  if (tree.kind[type] === Kind.pointer_type) type = tree.last[type] ?? 0;
  for (const argument of childrenOf(tree, childIn(tree, type, Field.type_arguments))) {
    const name = tree.kind[argument] === Kind.type_elem ? (tree.first[argument] ?? 0) : argument;
    if (tree.kind[name] !== Kind.type_identifier) continue;
    defineTypeParameter(walk, name, inside, { of: -1 });
  }
  const base = tree.kind[type] === Kind.generic_type ? childIn(tree, type, Field.type) : type;
  const receiver = beforeDeclared(walk, childrenIn(tree, declaration, Field.name), inside, () =>
    typeOf(walk, base, inside),
  );
  if (receiver !== 0) facts.facet(definition, Facet.receiver, receiver);
  const name = childIn(tree, declaration, Field.name);
  if (name !== 0) defineFunctionParameter(walk, name, inside, { of: -1, type: receiver, flags: DefinitionFlag.self });
}

/** The declaration when it holds one specification, else the specification: `type A int`, `type ( A int )`. */
function declarations(specify: (walk: GoWalk, spec: number, scope: number, around: number) => void): GoHandler {
  return (walk, node, scope) => {
    const list = childOf(walk.tree, node, Kind.var_spec_list);
    const specs = childrenOf(walk.tree, list === 0 ? node : list);
    for (const spec of specs) specify(walk, spec, scope, specs.length === 1 && list === 0 ? node : spec);
    return 0;
  };
}

function specifyType(walk: GoWalk, spec: number, scope: number, around: number): void {
  const { tree, facts } = walk;
  const nameNode = childIn(tree, spec, Field.name);
  const type = childIn(tree, spec, Field.type);
  const isStruct = tree.kind[type] === Kind.struct_type;
  const isInterface = tree.kind[type] === Kind.interface_type;
  const isAlias = tree.kind[spec] === Kind.type_alias;
  const kind = isStruct ? DefinitionKind.struct : isInterface ? DefinitionKind.interface : DefinitionKind.type;
  const definition = defineDocumented(walk, nameNode, {
    kind,
    flags: DefinitionFlag.type | DefinitionFlag.value | (scope === 0 ? topLevelFlags(textOf(tree, nameNode)) : 0),
    scope,
    around,
  });
  const inside = openScope(walk, scope, ScopeKind.block, definition);
  defineTypeParameters(walk, childIn(tree, spec, Field.type_parameters), inside, definition);
  if ((isStruct || isInterface) && !isAlias) {
    facts.amend(definition, 'head', (tree.start[type] ?? 0) + (isStruct ? 'struct' : 'interface').length);
    defineMembers(walk, type, inside, definition);
  } else facts.amend(definition, 'type', typeOf(walk, type, inside));
}

function specifyValues(walk: GoWalk, spec: number, scope: number, around: number): void {
  const { tree } = walk;
  const names = childrenIn(tree, spec, Field.name).filter((name) => tree.kind[name] === Kind.identifier);
  const [typed, valued] = [childIn(tree, spec, Field.type), childIn(tree, spec, Field.value)];
  // At the top level a name means its own declaration, wherever that stands; in a block it does only after it.
  const read = (): [number, readonly number[]] => [
    typeOf(walk, typed, scope),
    assignedValues(walk, valued, names.length, scope),
  ];
  const [type, values] = scope === 0 ? read() : beforeDeclared(walk, names, scope, read);
  const kind = tree.kind[spec] === Kind.const_spec ? DefinitionKind.constant : DefinitionKind.variable;
  names.forEach((name, position) => {
    const text = textOf(tree, name);
    if (text === '_') return;
    const definition = defineNode(walk, name, {
      kind,
      flags: DefinitionFlag.value | (scope === 0 ? topLevelFlags(text) : 0),
      scope,
      around,
      type,
      value: values[position] ?? 0,
    });
    if (scope !== 0) localsOf(walk, scope).set(text, definition);
    else walk.documented.push(definition, tree.start[around] ?? 0);
  });
}

/**
 * Go.
 *
 * Files of a package share their top-level names, so `scope` 0 is only this file's part of the package. A method has no
 * owner: its `receiver` facet names the type. Embedded fields and interfaces are `extends` facets; an embedded field is
 * a property, too. Pointers read as what they point to. The name of an import without an alias is guessed from its path;
 * a dot import is a `star` export row.
 */
export const GO = {
  ...treeExtractor<GoWalk, keyof typeof Kind>({
    language: 'go',
    kinds: Kind,
    visits: {
      ...GO_EXPRESSIONS,
      ...GO_STATEMENTS,
      import_spec: importSpec,
      function_declaration: declareFunction,
      method_declaration: declareFunction,
      type_declaration: declarations(specifyType),
      const_declaration: declarations(specifyValues),
      var_declaration: declarations(specifyValues),
    },
    types: GO_TYPES,
    state: () => ({
      locals: new Map(),
      pending: undefined,
      current: -1,
      declared: { names: new Map(), definitions: 0, narrowings: 0 },
    }),
    begin: ({ tree, facts }) => {
      const clause = childOf(tree, 1, Kind.package_clause);
      facts.packageName = textOf(tree, childOf(tree, clause, Kind.package_identifier));
    },
    nameless: ['package_clause'],
    roles: {
      branch: 'if_statement',
      loop: 'for_statement',
      switch: 'expression_switch_statement type_switch_statement select_statement',
      case: 'expression_case type_case communication_case',
      binary: 'binary_expression',
      jump: 'break_statement continue_statement goto_statement',
      closure: 'func_literal',
    },
    operators: ['"&&"', '"||"'],
    label: 'label_name',
    // Any comment right before a declaration documents it, but directives to tools.
    comments: { documentation: /^(?!)/, ordinary: /^\/\/(?:go:|\s*\+build|line |nolint|export )/ },
  }),
  rewrite: rewriteGo,
};
