import { Comment, Definition, type FileFacts, Metric, Syntax } from '../../languages/facts/facts.ts';
import { lineOf } from '../../languages/facts/lines.ts';
import type { FileStructure, FunctionMeasures } from '../format/shard-input.ts';
import { syntaxNumber } from '../../languages/facts/syntax-hash.ts';

/** What the index keeps of a file's shape: the hash and fingerprints of its syntax, and the measures of its functions. */
export function fileStructure(facts: FileFacts, text: string): FileStructure {
  return {
    hash: syntaxNumber(facts.syntax, 0),
    tokens: facts.syntax[Syntax.tokens] ?? 0,
    codeLines: countCodeLines(facts, text),
    fingerprints: facts.fingerprints,
    functions: functionMeasures(facts),
  };
}

function functionMeasures({ metrics, definitions, lines }: FileFacts): FunctionMeasures[] {
  const functions: FunctionMeasures[] = [];
  for (let row = 0; row < metrics.length; row += Metric.stride) {
    const at = (metrics[row + Metric.definition] ?? 0) * Definition.stride;
    const start = definitions[at + Definition.start] ?? 0;
    const name = definitions[at + Definition.nameStart] ?? -1;
    const position = name < 0 ? start : name;
    const line = lineOf(lines, position);
    const end = lineOf(lines, Math.max(start, (definitions[at + Definition.end] ?? 0) - 1));
    functions.push({
      line: line + 1,
      column: position - (lines[line] ?? 0),
      end: end + 1,
      isNamed: name >= 0,
      cyclomatic: metrics[row + Metric.cyclomatic] ?? 0,
      cognitive: metrics[row + Metric.cognitive] ?? 0,
      nesting: metrics[row + Metric.nesting] ?? 0,
      parameters: metrics[row + Metric.parameters] ?? 0,
      codeLines: metrics[row + Metric.codeLines] ?? 0,
    });
  }
  return functions;
}

/** Lines that hold more than white space and comments. */
function countCodeLines({ comments, lines }: FileFacts, text: string): number {
  let [count, comment] = [0, 0];
  lines.forEach((start, line) => {
    const end = lines[line + 1] ?? text.length;
    for (let at = start; at < end; at += 1) {
      while (comment < comments.length && (comments[comment + Comment.end] ?? 0) <= at) comment += Comment.stride;
      if (comment < comments.length && (comments[comment + Comment.start] ?? 0) <= at) {
        at = (comments[comment + Comment.end] ?? 0) - 1;
      } else if (text.charCodeAt(at) > 32) {
        count += 1;
        break;
      }
    }
  });
  return count;
}
