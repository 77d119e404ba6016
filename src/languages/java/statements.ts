import { DefinitionFlag, DefinitionKind, ExportHow, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childIn, childOf, childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineNode, memberNode } from '../walk/tree-define.ts';
import { IMPORT, READ, referBound, referModule, sameFor, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import { arrayOf, dimensionsOf } from './types.ts';
import { type JavaHandler, type JavaWalk, Kind } from './walk.ts';
import { inBlock, returned } from '../walk/tree-handlers.ts';

function packageClause(walk: JavaWalk, node: number): number {
  const { tree, facts } = walk;
  const name = childrenOf(tree, node).find(
    (child) => tree.kind[child] === Kind.identifier || tree.kind[child] === Kind.scoped_identifier,
  );
  facts.packageName = textOf(tree, name ?? 0).replaceAll(/\s/g, '');
  return 0;
}

/** `import a.b.C`, `import a.b.*`, `import static a.b.C.member`, `import static a.b.C.*`. */
function importDeclaration(walk: JavaWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const isStatic = childOf(tree, node, Kind['"static"']) !== 0;
  const path =
    tree.kind[tree.first[node] ?? 0] === Kind['"static"']
      ? (tree.next[tree.first[node] ?? 0] ?? 0)
      : (tree.first[node] ?? 0);
  const star = childOf(tree, node, Kind.asterisk);
  if (star !== 0) {
    referPath(walk, path);
    facts.exports.add(
      facts.string('*'),
      ExportHow.star,
      facts.string(textOf(tree, path)),
      scope,
      tree.start[star] ?? 0,
    );
    return 0;
  }
  const outer = childIn(tree, path, Field.scope);
  const name = outer === 0 ? path : childIn(tree, path, Field.name);
  if (outer !== 0) referPath(walk, outer);
  const flags = DefinitionFlag.value | DefinitionFlag.type | (isStatic ? DefinitionFlag.static : 0);
  const definition = defineNode(walk, name, { kind: DefinitionKind.import, flags, scope, around: node });
  facts.amend(definition, 'source', facts.string(textOf(tree, outer)));
  facts.amend(definition, 'imported', facts.string(textOf(tree, name)));
  referBound(walk, name, definition, IMPORT);
  return 0;
}

/** Each part of `a.b.C` is a package, or a class in one: `a`, `b` of `a`, `C` of `a.b`. */
function referPath(walk: JavaWalk, node: number): void {
  const { tree } = walk;
  const outer = childIn(tree, node, Field.scope);
  if (outer === 0) {
    referModule(walk, node, IMPORT, { module: textOf(tree, node) });
    return;
  }
  referPath(walk, outer);
  const name = childIn(tree, node, Field.name);
  referModule(walk, name, IMPORT, { module: textOf(tree, outer), name: textOf(tree, name) });
}

function localVariables(walk: JavaWalk, node: number, scope: number): number {
  const { tree } = walk;
  const written = typeOf(walk, childIn(tree, node, Field.type), scope);
  for (const declarator of childrenIn(tree, node, Field.declarator)) {
    const value = visit(walk, childIn(tree, declarator, Field.value), scope);
    const depth = dimensionsOf(walk, childIn(tree, declarator, Field.dimensions));
    const type = written === 0 ? 0 : arrayOf(walk, written, depth);
    declareVariable(walk, childIn(tree, declarator, Field.name), scope, { around: declarator, type, value });
  }
  return 0;
}

function declareVariable(
  walk: JavaWalk,
  name: number,
  scope: number,
  declared: { around: number; type: number; value: number },
): void {
  if (walk.tree.kind[name] !== Kind.identifier) return;
  defineNode(walk, name, { kind: DefinitionKind.variable, flags: DefinitionFlag.value, scope, ...declared });
}

function forEach(walk: JavaWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  const type = typeOf(walk, childIn(tree, node, Field.type), scope);
  const source = visit(walk, childIn(tree, node, Field.value), scope);
  const value = source === 0 ? 0 : facts.node(NodeOp.Element, source);
  const name = childIn(tree, node, Field.name);
  declareVariable(walk, name, inside, { around: name, type, value });
  visit(walk, childIn(tree, node, Field.body), inside);
  return 0;
}

function readCatch(walk: JavaWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  const parameter = childOf(tree, node, Kind.catch_formal_parameter);
  const type = typeOf(walk, childOf(tree, parameter, Kind.catch_type), scope);
  const name = childIn(tree, parameter, Field.name);
  declareVariable(walk, name, inside, { around: parameter, type, value: 0 });
  visit(walk, childIn(tree, node, Field.body), inside);
  return 0;
}

function resource(walk: JavaWalk, node: number, scope: number): number {
  const { tree } = walk;
  const type = typeOf(walk, childIn(tree, node, Field.type), scope);
  const value = visit(walk, childIn(tree, node, Field.value), scope);
  const name = childIn(tree, node, Field.name);
  if (name !== 0) declareVariable(walk, name, scope, { around: node, type, value });
  else visitChildren(walk, node, scope);
  return 0;
}

/** In a label of a `switch` over an enum, a name is a member of the enum. */
function switchExpression(walk: JavaWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const value = visit(walk, childIn(tree, node, Field.condition), scope);
  for (const group of childrenOf(tree, childIn(tree, node, Field.body))) {
    const inside = facts.scope(scope, ScopeKind.block);
    for (const child of childrenOf(tree, group)) {
      if (tree.kind[child] !== Kind.switch_label) {
        visit(walk, child, inside);
        continue;
      }
      for (const label of childrenOf(tree, child)) {
        const isMember = value !== 0 && tree.kind[label] === Kind.identifier;
        if (isMember) memberNode(walk, label, { receiver: value, scope: inside, flags: READ });
        // Over anything but an enum it is a constant, found by its name.
        visit(walk, label, inside);
      }
    }
  }
  return 0;
}

/** Names of labels are no names of anything else. */
function readLabeled(walk: JavaWalk, node: number, scope: number): number {
  for (const child of childrenOf(walk.tree, node)) {
    if (walk.tree.kind[child] !== Kind.identifier) visit(walk, child, scope);
  }
  return 0;
}

/** Handlers of statements, by kind of node. */
export const JAVA_STATEMENTS: Partial<Record<keyof typeof Kind, JavaHandler>> = {
  package_declaration: packageClause,
  import_declaration: importDeclaration,
  ...sameFor('block for_statement try_with_resources_statement', inBlock),
  local_variable_declaration: localVariables,
  enhanced_for_statement: forEach,
  catch_clause: readCatch,
  resource,
  switch_expression: switchExpression,
  return_statement: returned,
  ...sameFor('labeled_statement break_statement continue_statement', readLabeled),
};
