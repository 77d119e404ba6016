/**
 * A syntax tree as columns of integers, so that walking it costs array reads only. Node 0 is none, node 1 the root.
 *
 * Nodes are numbered in the order in which they start. Comments are not among the nodes. The arrays belong to the parser
 * host and are overwritten by its next parse. Offsets are UTF-16 positions in `text`.
 */
export interface SyntaxTree {
  text: string;
  /** Text that was parsed in place of the original, as long as it. */
  parsed: string;
  /** Number of the node's kind in the list that the language's walker gave, 0 for every kind it did not name. */
  kind: Uint16Array;
  start: Int32Array;
  end: Int32Array;
  /** The place of the node in its parent, see `Field`. */
  field: Uint8Array;
  /** First child, next sibling and last child, 0 for none. */
  first: Int32Array;
  next: Int32Array;
  last: Int32Array;
  /** Number of nodes, so ids are 1 to `count`. */
  count: number;
  /** Starts and ends of the comments, in pairs, ascending. */
  comments: number[];
  /** Nodes that are identifiers, each with its parent. */
  names: number[];
  /** Syntax errors, missing tokens, and nodes whose inside was left out because it nests too deeply. */
  errors: number;
  /** Starts and ends of the syntax errors and of what was left out, in pairs, as they came: one may lie in another. */
  broken: number[];
  /** Starts and ends of what was cut out of the text before it was parsed, in pairs. */
  cuts?: number[];
}

/** The words of a line, as types. */
export type Words<Line extends string> = Line extends `${infer Word} ${infer Others}` ? Word | Words<Others> : Line;

/** The words of several lines, which have single spaces between them. */
export function wordsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}

/** Numbers the words of some lines from 1, in their order. */
export function numberNames<const Lines extends readonly string[]>(
  ...lines: Lines
): Readonly<Record<Words<Lines[number]>, number>> {
  // fromEntries widens the keys: they are exactly the names given.
  return Object.fromEntries(wordsOf(lines).map((name, index) => [name, index + 1])) as Record<
    Words<Lines[number]>,
    number
  >;
}

/**
 * Codes of `SyntaxTree.field`: the names that grammars give to the places of a node's children, over all languages. A field
 * that is not named here reads as 0.
 */
export const Field = numberNames(
  'alias alternative argument arguments array attribute block body bound_identifier bounds captures cause channel',
  'class_parameters collection computed_value condition conditional_expressions consequence constrained_type',
  'constructed_type constructor data_contents declaration_kind declarator default_type default_value definition',
  'dimensions element exceptions expr extend external_name field function guard if_false if_nil if_true index',
  'inherits_from init initializer interfaces item key label left length lhs list macro method module_name name',
  'object op operand operator package parameters params path pattern permits prefix raw_value receiver',
  'reference_modifier resources result return_expression return_type returns rhs right scope subject subscript',
  'suffix superclass superclasses target trait type type_arguments type_parameters update value variable wrapped',
);

/** The child of a node in a place, the first if there are several, or 0. */
export function childIn(tree: SyntaxTree, node: number, field: number): number {
  for (let child = tree.first[node] ?? 0; child !== 0; child = tree.next[child] ?? 0) {
    if (tree.field[child] === field) return child;
  }
  return 0;
}

/** The first child of a kind, or 0. */
export function childOf(tree: SyntaxTree, node: number, kind: number): number {
  for (let child = tree.first[node] ?? 0; child !== 0; child = tree.next[child] ?? 0) {
    if (tree.kind[child] === kind) return child;
  }
  return 0;
}

/** The children of a node, in order. */
export function childrenOf(tree: SyntaxTree, node: number): number[] {
  const children: number[] = [];
  for (let child = tree.first[node] ?? 0; child !== 0; child = tree.next[child] ?? 0) children.push(child);
  return children;
}

/** The children of a node in a place, in order. */
export function childrenIn(tree: SyntaxTree, node: number, field: number): number[] {
  return childrenOf(tree, node).filter((child) => tree.field[child] === field);
}

/** The source text of a node. */
export function textOf(tree: SyntaxTree, node: number): string {
  return tree.text.slice(tree.start[node], tree.end[node]);
}
