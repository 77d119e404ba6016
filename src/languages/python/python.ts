import { Definition, DefinitionFlag, DefinitionKind, ExportHow } from '../facts/facts.ts';
import { childIn, childOf, childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { IMPORT, referBound, referModule } from '../walk/tree-walk.ts';
import { bindingScope, classOfScope, define, Kind, namesOf, type PythonHandler, type PythonWalk } from './walk.ts';
import { treeExtractor } from '../walk/tree-extractor.ts';
import { PYTHON_DEFINITIONS } from './definitions.ts';
import { PYTHON_EXPRESSIONS } from './expressions.ts';
import { PYTHON_STATEMENTS } from './statements.ts';
import { PYTHON_TYPES, valueInType } from './types.ts';

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
const PYTHON_IMPORTS: Partial<Record<keyof typeof Kind, PythonHandler>> = {
  import_statement: importStatement,
  import_from_statement: importFrom,
  future_import_statement: importFrom,
};

/**
 * Python.
 *
 * What a class body binds has both its `owner` and the scope of the body; what methods bind through `self` has its owner
 * only. A setter is a method of its own beside the property; its name is a bound reference to the property. The first
 * parameter of a method is flagged `self`, typed `ThisType`, and not among the parameter facets. Exported are the names
 * of `__all__` or, without it, top-level names without a leading underscore, and their members.
 */
export const PYTHON = treeExtractor<PythonWalk, keyof typeof Kind>({
  language: 'python',
  kinds: Kind,
  visits: { ...PYTHON_EXPRESSIONS, ...PYTHON_STATEMENTS, ...PYTHON_IMPORTS, ...PYTHON_DEFINITIONS },
  types: PYTHON_TYPES,
  typeOtherwise: valueInType,
  state: () => ({
    names: new Map(),
    members: new Map(),
    declared: new Map(),
    declarations: [],
    current: -1,
    method: undefined,
    all: undefined,
  }),
  begin: ({ tree, declarations }) => {
    for (let node = 1; node <= tree.count; node += 1) {
      if (tree.kind[node] === Kind.global_statement || tree.kind[node] === Kind.nonlocal_statement)
        declarations.push(node);
    }
  },
  end: (walk) => {
    if (walk.all !== undefined) exportListed(walk, walk.all);
  },
  roles: {
    branch: 'if_statement',
    elseBranch: 'elif_clause',
    otherwise: 'else_clause',
    loop: 'for_statement while_statement',
    catch: 'except_clause',
    ternary: 'conditional_expression',
    switch: 'match_statement',
    case: 'case_clause',
    binary: 'boolean_operator',
    path: 'for_in_clause if_clause',
    closure: 'lambda',
  },
  operators: ['"and"', '"or"'],
  // Python documents in strings, not in comments.
  comments: { documentation: /^(?!)/ },
});

/** With `__all__`, its names are exported and no other. Members follow the class that holds them. */
function exportListed(walk: PythonWalk, all: ReadonlySet<string>): void {
  const { facts } = walk;
  for (let definition = 0; definition < facts.definitions.count; definition += 1) {
    const flags = facts.definitions.get(definition, Definition.flags);
    if ((flags & DefinitionFlag.topLevel) === 0) continue;
    const owner = facts.definitions.get(definition, Definition.owner);
    const isListed =
      owner === -1
        ? all.has(facts.strings[facts.definitions.get(definition, Definition.name)] ?? '')
        : (facts.definitions.get(owner, Definition.flags) & DefinitionFlag.exported) !== 0 &&
          (flags & DefinitionFlag.private) === 0;
    facts.amend(definition, 'flags', isListed ? flags | DefinitionFlag.exported : flags & ~DefinitionFlag.exported);
  }
}
