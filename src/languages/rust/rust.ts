import { Role } from '../walk/tree-metrics.ts';
import { treeExtractor } from '../walk/tree-extractor.ts';
import { RUST_EXPRESSIONS } from './expressions.ts';
import { parseWithItems } from './item-macros.ts';
import { RUST_ITEMS } from './items.ts';
import { RUST_STATEMENTS } from './statements.ts';
import { RUST_TYPES } from './types.ts';
import { RUST_USES } from './uses.ts';
import { Kind, type RustWalk } from './walk.ts';

/**
 * Rust.
 *
 * An inline module is a scope of kind `module`: names are not looked up beyond it. `source` of `mod name` and of imports
 * is a path as seen from the file's own module: `super` in an inline `mod tests` is `self`. Items of an `impl` block have
 * no owner but `receiver` and `trait` facets. `Self` is written out as the type of the block. `Option`, `Result` and
 * `Poll` are `PromiseType`, and `?`, `.await`, `unwrap` and `Some(x)` are `Await`; `Box`, `Rc`, `Arc` and their like are
 * what they hold. A `let` that declares a name again opens a scope. The tokens inside a macro call are read by their names,
 * items that a macro is given as items.
 */
export const RUST = treeExtractor<RustWalk, keyof typeof Kind>({
  language: 'rust',
  kinds: Kind,
  visits: { ...RUST_EXPRESSIONS, ...RUST_STATEMENTS, ...RUST_USES, ...RUST_ITEMS },
  types: RUST_TYPES,
  state: () => ({
    modules: [],
    block: undefined,
    self: 0,
    current: -1,
    attributes: { start: -1, end: -1 },
    locals: new Map(),
    pending: undefined,
  }),
  parse: parseWithItems,
  roles: {
    if_expression: Role.branch,
    else_clause: Role.otherwise,
    for_expression: Role.loop,
    while_expression: Role.loop,
    loop_expression: Role.loop,
    match_expression: Role.switch,
    match_arm: Role.case,
    binary_expression: Role.binary,
    break_expression: Role.jump,
    continue_expression: Role.jump,
    closure_expression: Role.closure,
  },
  operators: ['"&&"', '"||"'],
  label: 'label',
  comments: { documentation: /^(?:\/\/\/(?!\/)|\/\*\*(?![*/]))/ },
});
