import type { BreakStatement, ContinueStatement, Expression, LogicalExpression, SwitchStatement } from 'oxc-parser';
import { lineStarts } from '../facts/facts-builder.ts';
import { Comment, Definition, Metric } from '../facts/facts.ts';
import { lineOf } from '../facts/lines.ts';
import type { Frame, Walk } from './walk.ts';

/**
 * Measures count as eslint-plugin-sonarjs does (cognitive) and as McCabe's definition (cyclomatic): nested functions are
 * measured on their own, `||` and `??` and recursion cost nothing in the cognitive measure, JSX short-circuits neither.
 */

/** Reads something one level deeper. */
export function readNested(walk: Walk, read: () => void): void {
  const { frame } = walk;
  frame.nesting += 1;
  read();
  frame.nesting -= 1;
}

/** A control structure that costs more the deeper it lies. `branches` is what it adds to the cyclomatic measure. */
export function countStructure(frame: Frame, branches: number): void {
  frame.cognitive += frame.nesting + 1;
  frame.cyclomatic += branches;
  frame.deepest = Math.max(frame.deepest, frame.nesting + 1);
}

export function countElseIf(frame: Frame): void {
  frame.cognitive += 1;
  frame.cyclomatic += 1;
}

export function countSwitch(frame: Frame, node: SwitchStatement): void {
  countStructure(frame, node.cases.filter(({ test }) => test !== null).length);
}

export function countJump(frame: Frame, node: BreakStatement | ContinueStatement): void {
  if (node.label !== null) frame.cognitive += 1;
}

/** Operators of a whole logical expression: each run of `&&` costs once. Called with the outermost one only. */
export function countLogical(frame: Frame, node: LogicalExpression): void {
  let previous = '';
  for (const operator of operators(node)) {
    if (operator === '&&' && previous !== '&&') frame.cognitive += 1;
    frame.cyclomatic += 1;
    previous = operator;
  }
}

/** A logical expression that decides whether JSX is shown. */
export function countShortCircuit(frame: Frame, node: LogicalExpression): void {
  frame.cyclomatic += operators(node).length;
}

/** The operators of a logical expression from left to right. */
function operators(node: LogicalExpression, texts: string[] = []): string[] {
  if (node.left.type === 'LogicalExpression') operators(node.left, texts);
  texts.push(node.operator);
  if (node.right.type === 'LogicalExpression') operators(node.right, texts);
  return texts;
}

/** True if a logical expression has JSX among its operands. */
export function showsJsx(node: Expression): boolean {
  if (node.type === 'LogicalExpression') return showsJsx(node.left) || showsJsx(node.right);
  return node.type === 'JSXElement' || node.type === 'JSXFragment';
}

/** Adds the measures of a function that was read; its lines are counted when the file is done. */
export function addMetrics({ facts }: Walk, frame: Frame, parameters: number): void {
  facts.metrics.add(frame.definition, frame.cyclomatic, frame.cognitive, frame.deepest, parameters, 0);
}

/** Counts the lines of each measured function that hold more than white space and comments. */
export function countCodeLines({ facts, text }: Walk): void {
  if (facts.metrics.count === 0) return;
  const starts = lineStarts(text);
  const before = codeLinesBefore(text, starts, facts.comments);
  for (let row = 0; row < facts.metrics.count; row += 1) {
    const definition = facts.metrics.get(row, Metric.definition);
    const first = lineOf(starts, facts.definitions.get(definition, Definition.start));
    const last = lineOf(starts, facts.definitions.get(definition, Definition.end));
    facts.metrics.set(row, Metric.codeLines, (before[last + 1] ?? 0) - (before[first] ?? 0));
  }
}

/** Number of lines with code before each line. */
function codeLinesBefore(text: string, starts: Int32Array, comments: Walk['facts']['comments']): Int32Array {
  const before = new Int32Array(starts.length + 1);
  let comment = 0;
  for (let line = 0; line < starts.length; line += 1) {
    const end = starts[line + 1] ?? text.length;
    let at = starts[line] ?? 0;
    for (; at < end; at += 1) {
      while (comment < comments.count && comments.get(comment, Comment.end) <= at) comment += 1;
      if (comment < comments.count && comments.get(comment, Comment.start) <= at) {
        at = comments.get(comment, Comment.end) - 1;
        continue;
      }
      if (text.charCodeAt(at) > 32) break;
    }
    before[line + 1] = (before[line] ?? 0) + (at < end ? 1 : 0);
  }
  return before;
}
