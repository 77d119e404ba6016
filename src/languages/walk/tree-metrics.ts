import { Facet, FacetColumn } from '../facts/facts.ts';
import { childOf, Field, type SyntaxTree, textOf } from './tree.ts';
import type { Walk } from './tree-walk.ts';

/** Roles of a kind of node in the measures of a function. */
const Role = {
  none: 0,
  /** `if`, whose `alternative` is another `if`, a block, or an `otherwise` node. */
  branch: 1,
  /** `elif`: a branch that does not nest. */
  elseBranch: 2,
  /** `else` with its body inside; that of a loop or a `try` counts nothing. */
  otherwise: 3,
  loop: 4,
  catch: 5,
  ternary: 6,
  switch: 7,
  case: 8,
  /** Two operands and a logical operator in place `operator`. */
  binary: 9,
  /** `break`, `continue`, `goto`: counts with a label. */
  jump: 10,
  /** Counts a path, and nothing to understanding. */
  path: 11,
  /** A function without a name: nests. */
  closure: 12,
  /** The word `else` of a branch whose alternative has no place of its own: it is what follows. */
  elseWord: 13,
} as const;

/** Rules for measuring the trees of a language. */
export interface MetricRules {
  /** Role by kind of node. */
  roles: Uint8Array;
  /** Kinds of the labels of a jump. */
  label: number;
  /** Kinds of the logical operators. */
  operators: ReadonlySet<number>;
  /** Their texts, where operators of all sorts are of one kind. */
  operatorTexts?: ReadonlySet<string>;
}

interface Measure {
  cyclomatic: number;
  cognitive: number;
  nesting: number;
}

/** State of one measurement: the tree, its rules, the functions that are measured by themselves, and the sums. */
interface Measuring {
  tree: SyntaxTree;
  rules: MetricRules;
  own: ReadonlySet<number>;
  sums: Measure;
}

/** Node types by their role, with spaces between. */
export type RoleWords = Readonly<Partial<Record<keyof typeof Role, string>>>;

/** An array of roles by kind of node. @throws Error for a node type that has no number. */
export function roleTable(kinds: Readonly<Record<string, number>>, roles: RoleWords): Uint8Array {
  const table = new Uint8Array(Object.keys(kinds).length + 1);
  for (const [role, names] of Object.entries(roles) as [keyof typeof Role, string][])
    for (const name of names.split(' ')) {
      const kind = kinds[name];
      if (kind === undefined) throw new Error(`the role ${role} is of ${name}, which is not among the node types`);
      table[kind] = Role[role];
    }
  return table;
}

/**
 * Writes the measures of each function of `walk.functions`. A function inside another is measured by itself and adds
 * nothing to the outer one. Cognitive complexity follows the Sonar white paper without recursion; a `switch` counts once.
 */
export function writeMetrics<W>(walk: Walk<W>, rules: MetricRules): void {
  const { tree, facts, functions } = walk;
  if (functions.length === 0) return;
  const own = new Set<number>();
  for (let at = 0; at < functions.length; at += 2) own.add(functions[at] ?? 0);
  const parameters = new Map<number, number>();
  for (let row = 0; row < facts.facets.count; row += 1) {
    if (facts.facets.get(row, FacetColumn.facet) !== Facet.parameter) continue;
    const definition = facts.facets.get(row, FacetColumn.definition);
    parameters.set(definition, (parameters.get(definition) ?? 0) + 1);
  }
  const lines = codeLines(tree);
  for (let at = 0; at < functions.length; at += 2) {
    const node = functions[at] ?? 0;
    const definition = functions[at + 1] ?? 0;
    const measuring = { tree, rules, own, sums: { cyclomatic: 1, cognitive: 0, nesting: 0 } };
    measureChildren(measuring, node, 0);
    const { cyclomatic, cognitive, nesting } = measuring.sums;
    const code = lines.upTo(tree.end[node] ?? 0) - lines.before(tree.start[node] ?? 0);
    facts.metrics.add(definition, cyclomatic, cognitive, nesting, parameters.get(definition) ?? 0, code);
  }
}

function measureChildren(measuring: Measuring, node: number, nesting: number): void {
  const { first, next } = measuring.tree;
  for (let child = first[node] ?? 0; child !== 0; child = next[child] ?? 0) measure(measuring, child, nesting);
}

function measure(measuring: Measuring, node: number, nesting: number): void {
  const { tree, rules, own, sums } = measuring;
  if (own.has(node)) return;
  switch (rules.roles[tree.kind[node] ?? 0]) {
    case Role.branch:
      nest(sums, nesting);
      return measureBranch(measuring, node, nesting);
    case Role.elseBranch:
      sums.cyclomatic += 1;
      sums.cognitive += 1;
      return measureBranch(measuring, node, nesting);
    case Role.loop:
    case Role.ternary:
    case Role.catch:
      nest(sums, nesting);
      return measureInside(measuring, node, nesting);
    case Role.switch:
      nest(sums, nesting);
      sums.cyclomatic -= 1;
      return measureInside(measuring, node, nesting);
    case Role.case:
      // A `default` label has nothing inside.
      if (tree.first[node] !== 0) sums.cyclomatic += 1;
      break;
    case Role.path:
      sums.cyclomatic += 1;
      break;
    case Role.binary:
      return measureBinary(measuring, node, { nesting, around: 0 });
    case Role.jump:
      if (rules.label !== 0 && childOf(tree, node, rules.label) !== 0) sums.cognitive += 1;
      break;
    case Role.closure:
      return measureChildren(measuring, node, nesting + 1);
    default:
  }
  measureChildren(measuring, node, nesting);
}

function nest(sums: Measure, nesting: number): void {
  sums.cyclomatic += 1;
  sums.cognitive += nesting + 1;
  sums.nesting = Math.max(sums.nesting, nesting + 1);
}

/** The condition of a construct does not nest, what it guards does. */
function measureInside(measuring: Measuring, node: number, nesting: number): void {
  const { first, next, field } = measuring.tree;
  for (let child = first[node] ?? 0; child !== 0; child = next[child] ?? 0) {
    const childField = field[child];
    const isHead =
      childField === Field.condition ||
      childField === Field.value ||
      childField === Field.right ||
      childField === Field.left;
    measure(measuring, child, isHead ? nesting : nesting + 1);
  }
}

/** An `if` or `elif`: what follows as its alternative is on the level of the `if`. */
function measureBranch(measuring: Measuring, node: number, nesting: number): void {
  const { first, next, field, kind } = measuring.tree;
  let isAlternative = false;
  for (let child = first[node] ?? 0; child !== 0; child = next[child] ?? 0) {
    const role = measuring.rules.roles[kind[child] ?? 0];
    const childField = field[child];
    if (role === Role.elseWord) isAlternative = true;
    else if (isAlternative || childField === Field.alternative || role === Role.elseBranch || role === Role.otherwise)
      measureAlternative(measuring, child, nesting);
    else measure(measuring, child, isGuarded(childField) ? nesting + 1 : nesting);
  }
}

/** True if a field of an `if` holds what it guards: grammars name it `consequence`, `body`, or not at all. */
function isGuarded(childField: number | undefined): boolean {
  return childField === Field.consequence || childField === Field.body || childField === 0;
}

function measureAlternative(measuring: Measuring, node: number, nesting: number): void {
  const { tree, rules, sums } = measuring;
  const role = rules.roles[tree.kind[node] ?? 0];
  if (role === Role.elseBranch) return measure(measuring, node, nesting);
  if (role === Role.otherwise) return measureOtherwise(measuring, node, nesting);
  sums.cognitive += 1;
  if (role !== Role.branch) return measure(measuring, node, nesting + 1);
  sums.cyclomatic += 1;
  measureBranch(measuring, node, nesting);
}

function measureOtherwise(measuring: Measuring, node: number, nesting: number): void {
  const { tree, rules, sums } = measuring;
  const only = tree.first[node] ?? 0;
  sums.cognitive += 1;
  if (only !== 0 && tree.next[only] === 0 && rules.roles[tree.kind[only] ?? 0] === Role.branch) {
    sums.cyclomatic += 1;
    return measureBranch(measuring, only, nesting);
  }
  measureChildren(measuring, node, nesting + 1);
}

/** Each run of one logical operator counts once: `a && b && c || d` is 2. `around` is the operator outside, 0 for none. */
function measureBinary(
  measuring: Measuring,
  node: number,
  { nesting, around }: { nesting: number; around: number },
): void {
  const { tree, rules, sums } = measuring;
  let operator = 0;
  for (let child = tree.first[node] ?? 0; child !== 0; child = tree.next[child] ?? 0) {
    if (rules.operators.has(tree.kind[child] ?? 0)) operator = operatorOf(measuring, child);
  }
  if (operator !== 0) sums.cyclomatic += 1;
  if (operator !== 0 && operator !== around) sums.cognitive += 1;
  for (let child = tree.first[node] ?? 0; child !== 0; child = tree.next[child] ?? 0) {
    if (rules.roles[tree.kind[child] ?? 0] === Role.binary)
      measureBinary(measuring, child, { nesting, around: operator });
    else measure(measuring, child, nesting);
  }
}

/** Tells logical operators from each other, 0 for any other operator. */
function operatorOf({ tree, rules }: Measuring, node: number): number {
  if (rules.operatorTexts === undefined) return tree.kind[node] ?? 0;
  const text = textOf(tree, node);
  return rules.operatorTexts.has(text) ? text.charCodeAt(0) : 0;
}

/** Counts of lines that hold something but blanks and comments. */
function codeLines(tree: SyntaxTree): { upTo(offset: number): number; before(offset: number): number } {
  const { text, comments } = tree;
  const starts: number[] = [];
  const counts: number[] = [];
  let [count, comment] = [0, 0];
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    starts.push(start);
    let at = start;
    for (; at < end; at += 1) {
      while (comment < comments.length && (comments[comment + 1] ?? 0) <= at) comment += 2;
      if (comment < comments.length && (comments[comment] ?? 0) <= at)
        at = Math.min(end, comments[comment + 1] ?? 0) - 1;
      else if (text.charCodeAt(at) > 32) break;
    }
    if (at < end) count += 1;
    counts.push(count);
    start = end + 1;
  }
  const lineOf = (offset: number): number => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  };
  return {
    upTo: (offset) => counts[lineOf(offset)] ?? 0,
    before: (offset) => counts[lineOf(offset) - 1] ?? 0,
  };
}
