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
    branch: 'if_statement',
    loop: 'for_statement enhanced_for_statement while_statement do_statement',
    catch: 'catch_clause',
    ternary: 'ternary_expression',
    switch: 'switch_expression',
    case: 'switch_label',
    binary: 'binary_expression',
    jump: 'break_statement continue_statement',
    closure: 'lambda_expression',
  },
  operators: ['"&&"', '"||"'],
  label: 'identifier',
  comments: { documentation: /^\/\*\*(?!\/)/ },
});
