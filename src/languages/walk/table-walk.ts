import { anyOf } from './tree-handlers.ts';
import { DefinitionFlag, UseFlag } from '../facts/facts.ts';
import { childIn, childOf, childrenOf, numberNames, type SyntaxTree, wordsOf } from './tree.ts';
import type { CommentRules } from './tree-comments.ts';
import { flagsOf } from './tree-define.ts';
import { treeExtractor } from './tree-extractor.ts';
import type { FunctionWalk } from './tree-handlers.ts';
import type { RoleWords } from './tree-metrics.ts';
import { type Handler, visit } from './tree-walk.ts';
import type { TreeExtractor, TreeLanguage, TreeParser } from './trees.ts';

/** State of the walkers that are made from tables, beside the facts. */
export interface TableWalk extends FunctionWalk<TableWalk> {
  /** Codes of the node types that the table of the language names. */
  kinds: Readonly<Record<string, number>>;
  /** The type in whose body definitions are members, or -1. */
  owner: number;
  /** The type around, also inside its functions, or -1. */
  type: number;
  /** Flags of members unless they state otherwise. */
  memberFlags: number;
  /** Blocks (functions given to a call) around, inside of the type or function around. */
  blocks: number;
  /** Type node of what definitions belong to that stand outside of it (extensions), or 0; and what it implements there. */
  receiver: number;
  traits: readonly number[];
  /** Value to the left of `?.` for the members to the right of it, or 0. */
  conditional: number;
  /** Parameters of the template that the next declaration is made by, and the name that a `typedef` gives to its type, or 0. */
  template: number;
  named: number;
  /** Variables that are known, by scope and name. */
  variables: Map<number, Map<string, number>>;
  /** Properties that functions set, by type and name. */
  properties: Map<string, number>;
}

export type TableHandler = Handler<TableWalk>;

export const CONSTRUCT = UseFlag.type | UseFlag.value | UseFlag.call;
export const BOTH = DefinitionFlag.value | DefinitionFlag.type;

/** A language as a table: what to do with each type of node. */
interface TableLanguage {
  language: TreeLanguage;
  /** Handlers of statements, expressions and declarations; the inside of other nodes is visited. */
  visits: Readonly<Record<string, TableHandler>>;
  /** Handlers of nodes in the position of types. */
  types?: Readonly<Record<string, TableHandler>>;
  /** Further node types that the handlers ask for, several in a line. */
  kinds: readonly string[];
  /** Node types by their role in measures. */
  roles: RoleWords;
  /** Tokens that are logical operators, and the type of the label of a jump. */
  operators: readonly string[];
  operatorTexts?: readonly string[];
  label?: string;
  nameless?: readonly string[];
  macros?: RegExp;
  comments: CommentRules;
  /** The text without what only a preprocessor or the compiler itself understands, as long as before. */
  mask?: (text: string) => string;
  /** The text without what the grammar cannot read (branches of a preprocessor), as long as before: see `readTree`. */
  without?: (text: string) => string;
  rewrite?: TreeExtractor['rewrite'];
  hasPreprocessor?: TreeExtractor['hasPreprocessor'];
}

/** Makes the extractor of a language from its table. */
export function tableExtractor(table: TableLanguage): TreeExtractor {
  const { mask, without, rewrite, hasPreprocessor = false, types = {}, ...rules } = table;
  const named = [...Object.keys(table.visits), ...Object.keys(types), ...wordsOf(Object.values(table.roles))];
  const nameless = wordsOf(table.nameless ?? []);
  const others = [...wordsOf(table.kinds), ...table.operators, ...nameless];
  const kinds: Record<string, number> = numberNames(...new Set([...named, ...others]));
  return {
    ...treeExtractor<TableWalk, string>({
      ...rules,
      types,
      kinds,
      nameless,
      parse: (host, text) => readTree(host, table, text),
      state: () => ({
        kinds,
        current: -1,
        owner: -1,
        type: -1,
        memberFlags: 0,
        blocks: 0,
        receiver: 0,
        traits: [],
        conditional: 0,
        template: 0,
        named: 0,
        variables: new Map(),
        properties: new Map(),
      }),
    }),
    ...(rewrite !== undefined && { rewrite }),
    hasPreprocessor,
  };
}

/** Parses a text. One with errors is parsed again without what may have caused them, and the better tree is taken. */
function readTree(host: TreeParser, { language, without, mask }: TableLanguage, text: string): SyntaxTree {
  const masked = mask?.(text) ?? text;
  if (host.leavesOut === true && without !== undefined) return { ...host.parse(language, without(masked)), text };
  const tree = { ...host.parse(language, masked), text };
  const { errors } = tree;
  const strippedText = errors === 0 || without === undefined ? masked : without(masked);
  if (strippedText === masked) return tree;
  const other = host.parse(language, strippedText);
  // The first tree is gone with the second parse.
  return { ...(other.errors < errors ? other : host.parse(language, masked)), text };
}

/** True if a node is of one of some types. */
export function is(walk: TableWalk, node: number, ...names: readonly string[]): boolean {
  const kind = walk.tree.kind[node] ?? 0;
  return kind !== 0 && names.some((name) => walk.kinds[name] === kind);
}

/** The first child of a type, or 0. */
export function first(walk: TableWalk, node: number, name: string): number {
  return childOf(walk.tree, node, walk.kinds[name] ?? -1);
}

/** All children of some types. */
export function all(walk: TableWalk, node: number, ...names: readonly string[]): number[] {
  return childrenOf(walk.tree, node).filter((child) => is(walk, child, ...names));
}

/** The child in a place, or 0. */
export function at(walk: TableWalk, node: number, field: number): number {
  return childIn(walk.tree, node, field);
}

/** Any of the values in some places; the rest is visited too. */
export function either(...places: readonly number[]): TableHandler {
  return (walk, node, scope) => {
    const values: number[] = [];
    for (const child of childrenOf(walk.tree, node)) {
      const value = visit(walk, child, scope);
      if (places.includes(walk.tree.field[child] ?? 0)) values.push(value);
    }
    return anyOf(walk, values);
  };
}

/** Flags that a member takes from the type around it, beside those of its own. */
export function visibleFlags(walk: TableWalk, isPublic: boolean): number {
  const around = walk.owner === -1 ? -1 : walk.owner;
  if (around === -1) return isPublic ? DefinitionFlag.exported : 0;
  const outer = flagsOf(walk, around);
  const exported = isPublic ? outer & DefinitionFlag.exported : 0;
  return (outer & DefinitionFlag.topLevel) | exported;
}
