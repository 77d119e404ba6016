import { DefinitionFlag, DefinitionKind, ExportHow } from '../facts/facts.ts';
import { childIn, childOf, childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { IMPORT, referBound, referModule } from '../walk/tree-walk.ts';
import { bindingScope, classOfScope, define, Kind, namesOf, type PythonHandler, type PythonWalk } from './walk.ts';

/** `import a.b`, `import a.b as c`. Without an alias the name is that of the outermost package. */
function importStatement(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  for (const child of childrenIn(tree, node, Field.name)) {
    const alias = childIn(tree, child, Field.alias);
    const dotted = alias === 0 ? child : childIn(tree, child, Field.name);
    const module = textOf(tree, dotted);
    referParts(walk, dotted, '');
    const first = tree.first[dotted] ?? 0;
    const source = alias === 0 ? textOf(tree, first) : module;
    const definition = defineImport(walk, alias === 0 ? first : alias, scope, { source, imported: '*' });
    if (alias !== 0) referBound(walk, alias, definition, IMPORT);
  }
  return 0;
}

/** `from a.b import c as d`, `from . import e`, `from a import *`. */
function importFrom(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const module = childIn(tree, node, Field.module_name);
  const source = module === 0 ? '__future__' : textOf(tree, module).replaceAll(/\s/g, '');
  const isRelative = tree.kind[module] === Kind.relative_import;
  const dotted = isRelative ? childOf(tree, module, Kind.dotted_name) : module;
  if (dotted !== 0) referParts(walk, dotted, isRelative ? (/^\.+/.exec(source)?.[0] ?? '') : '');
  const star = childOf(tree, node, Kind.wildcard_import);
  if (star !== 0)
    facts.exports.add(facts.string('*'), ExportHow.star, facts.string(source), scope, tree.start[star] ?? 0);
  for (const child of childrenIn(tree, node, Field.name)) {
    const alias = childIn(tree, child, Field.alias);
    const name = alias === 0 ? child : childIn(tree, child, Field.name);
    const definition = defineImport(walk, alias === 0 ? name : alias, scope, { source, imported: textOf(tree, name) });
    referBound(walk, name, definition, IMPORT);
    if (alias !== 0) referBound(walk, alias, definition, IMPORT);
  }
  return 0;
}

/** Each part of `a.b.c` stands for a module: `a`, `a.b` and `a.b.c`. */
function referParts(walk: PythonWalk, dotted: number, prefix: string): void {
  let module = prefix;
  for (const part of childrenOf(walk.tree, dotted)) {
    module += module === prefix ? textOf(walk.tree, part) : `.${textOf(walk.tree, part)}`;
    referModule(walk, part, IMPORT, { module });
  }
}

/** Imports in a class body are members of the class, too, unless it has one of that name. */
function defineImport(
  walk: PythonWalk,
  nameNode: number,
  scope: number,
  from: { source: string; imported: string },
): number {
  const { tree, facts } = walk;
  const owner = classOfScope(walk, scope);
  const isMember = owner !== -1 && !namesOf(walk.members, owner).has(textOf(tree, nameNode));
  const definition = define(walk, nameNode, {
    kind: DefinitionKind.import,
    scope: bindingScope(walk, scope),
    owner: isMember ? owner : -1,
    flags: DefinitionFlag.value | DefinitionFlag.type,
  });
  facts.amend(definition, 'source', facts.string(from.source));
  facts.amend(definition, 'imported', facts.string(from.imported));
  return definition;
}

/** Handlers of imports, by kind of node. */
export const PYTHON_IMPORTS: Partial<Record<keyof typeof Kind, PythonHandler>> = {
  import_statement: importStatement,
  import_from_statement: importFrom,
  future_import_statement: importFrom,
};
