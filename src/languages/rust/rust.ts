import { childIn, childOf, childrenOf, Field, type SyntaxTree } from '../walk/tree.ts';
import type { TreeParser } from '../walk/trees.ts';
import { Kind, type RustWalk } from './walk.ts';
import { treeExtractor } from '../walk/tree-extractor.ts';
import { RUST_EXPRESSIONS } from './expressions.ts';
import { RUST_ITEMS } from './items.ts';
import { RUST_STATEMENTS } from './statements.ts';
import { RUST_TYPES } from './types.ts';
import { RUST_USES } from './uses.ts';

/** A macro call that stands where items do, and the brackets around what it is given. */
interface ItemMacro {
  open: number;
  close: number;
  end: number;
}

/** Macros in macros go no deeper. */
const MOST_ROUNDS = 3;
/** A line that begins a macro call: without one there is nothing to look for. */
const MACRO_CALL = /^[ \t]*(?:\w+::)*\w+!\s*[{(]/m;
const ITEM =
  /^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:const|async|unsafe|extern(?:[ \t]+"[^"\n]*")?)[ \t]+)*(?:fn|struct|enum|union|trait|impl|mod|type|static|const)\b|^[ \t]*(?:\w+::)*\w+![ \t]*\{/m;
/** Argument of `bitflags!`: a type, and constants without types. */
const FLAGS = /\bstruct([ \t]+\w+)([ \t]*:[ \t]*\w+\s*)\{([^{}]*)\}/g;

/**
 * The tree of a text. Items that are handed to a macro (`pin_project! { struct A { .. } }`, `cfg_rt! { mod b; }`) stand in it
 * as if they were written behind the call, when what the macro is given reads as items and nothing else. A text with such
 * macros is parsed three times and more.
 */
function parseWithItems(host: TreeParser, text: string): SyntaxTree {
  const refused = new Set<number>();
  let written = text;
  for (let round = 0; round < MOST_ROUNDS && MACRO_CALL.test(text); round += 1) {
    const macros = itemMacros(host.parse('rust', written)).filter(({ open }) => !refused.has(open));
    const before = written;
    for (const macro of macros) {
      const given = itemsIn(written.slice(macro.open + 1, macro.close));
      if (given !== undefined && host.parse('rust', given).errors === 0) written = withItems(written, macro, given);
      else refused.add(macro.open);
    }
    if (written === before) break;
  }
  return { ...host.parse('rust', written), text };
}

/** Macro calls at the top of the file and of the modules in it. */
function itemMacros(tree: SyntaxTree, around = 1): ItemMacro[] {
  return childrenOf(tree, around).flatMap((node) => {
    if (tree.kind[node] === Kind.mod_item) return itemMacros(tree, childIn(tree, node, Field.body));
    const call = tree.kind[node] === Kind.expression_statement ? (tree.first[node] ?? 0) : node;
    if (tree.kind[call] !== Kind.macro_invocation) return [];
    const tokens = childOf(tree, call, Kind.token_tree);
    const [open, close] = [tree.start[tokens] ?? 0, (tree.end[tokens] ?? 0) - 1];
    return tokens === 0 ? [] : [{ open, close, end: tree.end[node] ?? 0 }];
  });
}

/** Returns the argument of a macro as items of the same length, or undefined when it is none. Flags are written as an enum. */
function itemsIn(given: string): string | undefined {
  const items = /^\s*if\s+#\[cfg\b/.test(given) ? withoutConditions(given) : given;
  if (!ITEM.test(items)) return undefined;
  return items.replaceAll(
    FLAGS,
    (_, name: string, type: string, flags: string) =>
      `enum  ${name}${type.replaceAll(/\S/g, ' ')}{${flags.replaceAll(/\bconst\b(?=[ \t]+\w+[ \t]*=)/g, '     ').replaceAll(';', ',')}}`,
  );
}

/** `if #[cfg(a)] { items } else { items }` without all that stands outside of its braces. */
function withoutConditions(given: string): string {
  let depth = 0;
  return given.replaceAll(/[^\n]/g, (character) => {
    if (character === '}') depth -= 1;
    const isInside = depth > 0;
    if (character === '{') depth += 1;
    return isInside ? character : ' ';
  });
}

/** The text with an empty macro call and the items behind it; as it was where there is no room for the brackets. */
function withItems(text: string, { open, close, end }: ItemMacro, given: string): string {
  const brackets = /\s/.test(text[open - 1] ?? '') ? open - 1 : open;
  if (brackets === open && !/\s/.test(text[open + 1] ?? '')) return text;
  const items = given + ' '.repeat(end - close);
  return `${text.slice(0, brackets)}{}${items.slice(brackets + 1 - open)}${text.slice(end)}`;
}

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
    branch: 'if_expression',
    otherwise: 'else_clause',
    loop: 'for_expression while_expression loop_expression',
    switch: 'match_expression',
    case: 'match_arm',
    binary: 'binary_expression',
    jump: 'break_expression continue_expression',
    closure: 'closure_expression',
  },
  operators: ['"&&"', '"||"'],
  label: 'label',
  comments: { documentation: /^(?:\/\/\/(?!\/)|\/\*\*(?![*/]))/ },
});
