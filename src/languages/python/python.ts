import { Definition, DefinitionFlag } from '../facts/facts.ts';
import { treeExtractor } from '../walk/tree-extractor.ts';
import { Role } from '../walk/tree-metrics.ts';
import { PYTHON_DEFINITIONS } from './definitions.ts';
import { PYTHON_EXPRESSIONS } from './expressions.ts';
import { PYTHON_IMPORTS } from './imports.ts';
import { PYTHON_STATEMENTS } from './statements.ts';
import { PYTHON_TYPES, valueInType } from './types.ts';
import { Kind, type PythonWalk } from './walk.ts';

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
    if_statement: Role.branch,
    elif_clause: Role.elseBranch,
    else_clause: Role.otherwise,
    for_statement: Role.loop,
    while_statement: Role.loop,
    except_clause: Role.catch,
    conditional_expression: Role.ternary,
    match_statement: Role.switch,
    case_clause: Role.case,
    boolean_operator: Role.binary,
    for_in_clause: Role.path,
    if_clause: Role.path,
    lambda: Role.closure,
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
