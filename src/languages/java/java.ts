import { Role } from '../walk/tree-metrics.ts';
import { treeExtractor } from '../walk/tree-extractor.ts';
import { JAVA_EXPRESSIONS } from './expressions.ts';
import { JAVA_DECLARATIONS } from './members.ts';
import { JAVA_STATEMENTS } from './statements.ts';
import { JAVA_TYPES } from './types.ts';
import { type JavaWalk, Kind } from './walk.ts';

/**
 * Java.
 *
 * Members have both their `owner` and the scope of the class body, where they are visible by name; inherited members are
 * found through the `extends` and `implements` facets. A constructor is a method with the flag, named as its class.
 * `import a.b.C` has the source `a.b` and the name `C`; of a static import the source is the class, and the definition
 * is flagged `static`; `.*` is a `star` export row. `new T()` is `Typed(T)`, with a call of T noted at its name.
 */
export const JAVA = treeExtractor<JavaWalk, keyof typeof Kind>({
  language: 'java',
  kinds: Kind,
  visits: { ...JAVA_EXPRESSIONS, ...JAVA_STATEMENTS, ...JAVA_DECLARATIONS },
  types: JAVA_TYPES,
  state: () => ({ current: -1, typeName: 0, superName: 0 }),
  nameless: ['package_declaration', 'scoped_identifier', 'break_statement', 'continue_statement'],
  roles: {
    if_statement: Role.branch,
    for_statement: Role.loop,
    enhanced_for_statement: Role.loop,
    while_statement: Role.loop,
    do_statement: Role.loop,
    catch_clause: Role.catch,
    ternary_expression: Role.ternary,
    switch_expression: Role.switch,
    switch_label: Role.case,
    binary_expression: Role.binary,
    break_statement: Role.jump,
    continue_statement: Role.jump,
    lambda_expression: Role.closure,
  },
  operators: ['"&&"', '"||"'],
  label: 'identifier',
  comments: { documentation: /^\/\*\*(?!\/)/ },
});
