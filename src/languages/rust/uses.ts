import { DefinitionFlag, DefinitionKind, ExportHow } from '../facts/facts.ts';
import { childIn, childOf, childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineNode } from '../walk/tree-define.ts';
import { IMPORT, refer, referBound, referModule } from '../walk/tree-walk.ts';
import { Kind, moduleAfter, pathParts, type RustHandler, type RustWalk } from './walk.ts';

/** A `use` declaration: where its names are visible, and whether they are exported again. */
interface Use {
  scope: number;
  isPublic: boolean;
}

function useDeclaration(walk: RustWalk, node: number, scope: number): number {
  const visibility = childOf(walk.tree, node, Kind.visibility_modifier);
  // `pub(crate)` exports to the rest of the crate, which is where the uses that can be found are.
  readUse(walk, childIn(walk.tree, node, Field.argument), '', { scope, isPublic: visibility !== 0 });
  return 0;
}

/** Reads a part of a `use` tree that stands after a path. */
function readUse(walk: RustWalk, node: number, path: string, use: Use): void {
  const { tree } = walk;
  switch (tree.kind[node]) {
    case Kind.use_list:
      for (const child of childrenOf(tree, node)) readUse(walk, child, path, use);
      return;
    case Kind.scoped_use_list: {
      const outer = childIn(tree, node, Field.path);
      const inside = outer === 0 ? path : readUsePath(walk, outer, path, use.scope);
      readUse(walk, childIn(tree, node, Field.list), inside, use);
      return;
    }
    case Kind.use_wildcard:
      useAll(walk, node, path, use);
      return;
    case Kind.use_as_clause: {
      const alias = childIn(tree, node, Field.alias);
      useName(walk, childIn(tree, node, Field.path), path, { ...use, alias });
      return;
    }
    default:
      useName(walk, node, path, { ...use, alias: 0 });
  }
}

/** Notes the names of a path and gives it, as seen from the file's own module. */
function readUsePath(walk: RustWalk, node: number, path: string, scope: number): string {
  const { tree } = walk;
  const kind = tree.kind[node];
  if (kind === Kind.self || kind === Kind.super || kind === Kind.crate)
    return moduleAfter(walk, path, textOf(tree, node));
  if (kind === Kind.scoped_identifier) {
    const parts = pathParts(walk, node);
    const outer = parts.path === 0 ? path : readUsePath(walk, parts.path, path, scope);
    return readUsePath(walk, parts.name, outer, scope);
  }
  const name = textOf(tree, node);
  // `use Action::{Open, Close}`: what a path begins with may be a type that the module has.
  if (path === '' && /^\p{Lu}/u.test(name)) refer(walk, node, scope, IMPORT);
  else referModule(walk, node, IMPORT, path === '' ? { module: name } : { module: path, name });
  return path === '' ? name : `${path}::${name}`;
}

function useAll(walk: RustWalk, node: number, path: string, { scope, isPublic }: Use): void {
  const { tree, facts } = walk;
  const inner = tree.first[node] ?? 0;
  const source = inner === 0 ? path : readUsePath(walk, inner, path, scope);
  facts.exports.add(
    facts.string(isPublic ? '*' : ''),
    ExportHow.star,
    facts.string(source),
    scope,
    tree.start[node] ?? 0,
  );
}

/** One name: `a::b`, `b` after the path `a`, or `self`, which is the module of the path. */
function useName(walk: RustWalk, node: number, path: string, use: Use & { alias: number }): void {
  const { tree, facts } = walk;
  const isPath = tree.kind[node] === Kind.scoped_identifier;
  const parts = isPath ? pathParts(walk, node) : { path: 0, name: node };
  const source = parts.path === 0 ? path : readUsePath(walk, parts.path, path, use.scope);
  const kind = tree.kind[parts.name];
  const isKeyword = kind === Kind.self || kind === Kind.super || kind === Kind.crate;
  const imported = isKeyword ? '*' : textOf(tree, parts.name);
  const from = isKeyword ? moduleAfter(walk, source, textOf(tree, parts.name)) : source === '' ? imported : source;
  const name = use.alias === 0 ? (isKeyword ? (from.split('::').at(-1) ?? '') : imported) : textOf(tree, use.alias);
  const nameNode = use.alias === 0 ? parts.name : use.alias;
  if (name === '_' || name === '') return;
  const definition = defineNode(walk, nameNode, {
    kind: DefinitionKind.import,
    flags: DefinitionFlag.value | DefinitionFlag.type | (use.isPublic ? DefinitionFlag.exported : 0),
    scope: use.scope,
  });
  const outside = isKeyword || source === '' ? '*' : imported;
  facts.amend(definition, 'name', facts.string(name));
  facts.amend(definition, 'source', facts.string(from));
  facts.amend(definition, 'imported', facts.string(outside));
  if (!isKeyword) referBound(walk, parts.name, definition, IMPORT);
  if (use.alias !== 0) referBound(walk, use.alias, definition, IMPORT);
  if (!use.isPublic) return;
  facts.exports.add(
    facts.string(name),
    ExportHow.from,
    facts.string(from),
    facts.string(outside),
    tree.start[nameNode] ?? 0,
  );
}

/** `extern crate name as alias`. */
function externCrate(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const name = childIn(tree, node, Field.name);
  const alias = childIn(tree, node, Field.alias);
  const definition = defineNode(walk, alias === 0 ? name : alias, {
    kind: DefinitionKind.import,
    flags: DefinitionFlag.value | DefinitionFlag.type,
    scope,
    around: node,
  });
  facts.amend(definition, 'source', facts.string(textOf(tree, name)));
  facts.amend(definition, 'imported', facts.string('*'));
  referModule(walk, name, IMPORT, { module: textOf(tree, name) });
  return 0;
}

/** Handlers of imports, by kind of node. */
export const RUST_USES: Partial<Record<keyof typeof Kind, RustHandler>> = {
  use_declaration: useDeclaration,
  extern_crate_declaration: externCrate,
};
