import { type FileFacts, ScopeKind } from '../facts/facts.ts';
import { writeComments } from '../walk/tree-comments.ts';
import { type MetricRules, Role, roleTable, writeMetrics } from '../walk/tree-metrics.ts';
import { handlerTable, newWalk, visitChildren } from '../walk/tree-walk.ts';
import type { TreeParser } from '../walk/trees.ts';
import { JAVA_EXPRESSIONS } from './expressions.ts';
import { JAVA_DECLARATIONS } from './members.ts';
import { JAVA_STATEMENTS } from './statements.ts';
import { JAVA_TYPES } from './types.ts';
import { type JavaWalk, Kind } from './walk.ts';

/** The node types to load the Java grammar with. */
export const JAVA_KINDS: Readonly<Record<string, number>> = Kind;

const VISITS = handlerTable<JavaWalk, keyof typeof Kind>(Kind, visitChildren, {
  ...JAVA_EXPRESSIONS,
  ...JAVA_STATEMENTS,
  ...JAVA_DECLARATIONS,
});

const METRICS: MetricRules = {
  roles: roleTable(Kind, {
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
  }),
  label: Kind.identifier,
  operators: new Set([Kind['"&&"'], Kind['"||"']]),
};

const COMMENTS = { documentation: /^\/\*\*(?!\/)/ };

/**
 * Facts of a Java file.
 *
 * Members have both their `owner` and the scope of the class body, where they are visible by name; inherited members are
 * found through the `extends` and `implements` facets. A constructor is a method with the flag, named as its class.
 * `import a.b.C` has the source `a.b` and the name `C`; of a static import the source is the class, and the definition
 * is flagged `static`; `.*` is a `star` export row. `new T()` is `Typed(T)`, with a call of T noted at its name.
 *
 * @throws ParseDeadlineError when the text takes too long.
 */
export function extractJava(host: TreeParser, text: string): FileFacts {
  const tree = host.parse('java', text);
  const walk: JavaWalk = {
    ...newWalk<JavaWalk>('java', tree, { visits: VISITS, types: JAVA_TYPES }),
    current: -1,
    typeName: 0,
    superName: 0,
  };
  visitChildren(walk, 1, walk.facts.scope(-1, ScopeKind.module));
  writeComments(walk, COMMENTS);
  writeMetrics(walk, METRICS);
  return walk.facts.finish();
}
