import { DefinitionKind, ExportHow, ReferenceHow } from '../facts/facts.ts';
import { childrenOf, textOf } from '../walk/tree.ts';
import { defineNode } from '../walk/tree-define.ts';
import { BOTH, first, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { IMPORT, referModule } from '../walk/tree-walk.ts';

/** `import a.b.C`, `import a.b.C as D`, `import a.b.*`. */
export const readImport: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const path = first(walk, node, 'qualified_identifier');
  const source = textOf(tree, path).replaceAll(/[\s`]/g, '');
  const parts = childrenOf(tree, path);
  const isStar = /\*\s*;?\s*$/.test(tree.text.slice(tree.end[path], tree.end[node]));
  referTypes(walk, isStar ? parts : parts.slice(0, -1));
  if (isStar) {
    facts.exports.add(facts.string(''), ExportHow.star, facts.string(source), scope, tree.start[node] ?? 0);
    return 0;
  }
  const name = tree.last[path] ?? 0;
  const renamed = first(walk, node, 'identifier');
  const definition = defineNode(walk, renamed === 0 ? name : renamed, {
    kind: DefinitionKind.import,
    flags: BOTH,
    scope,
    around: node,
  });
  facts.amend(definition, 'source', facts.string(source));
  const text = facts.string(textOf(tree, name));
  facts.amend(definition, 'imported', text);
  facts.references.add(text, tree.start[name] ?? 0, -1, IMPORT, ReferenceHow.bound, definition, 0);
  return 0;
};

/** Notes the types on a path: `Outer` of `a.b.Outer.Inner`. Names of packages are written in small letters. */
function referTypes(walk: TableWalk, parts: readonly number[]): void {
  const names = parts.map((part) => textOf(walk.tree, part).replaceAll('`', ''));
  for (const [at, part] of parts.entries()) {
    const name = names[at] ?? '';
    if (/^\p{Lu}/u.test(name)) referModule(walk, part, IMPORT, { module: names.slice(0, at).join('.'), name });
  }
}
