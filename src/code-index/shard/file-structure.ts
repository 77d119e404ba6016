import type { FileFacts } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { lineOf } from '../../languages/facts/lines.ts';
import type { FileStructure, FunctionMeasures } from '../format/shard-input.ts';
import { syntaxNumber } from '../../languages/facts/syntax-hash.ts';

/**
 * Returns what the index stores of a file's shape: the hash and fingerprints of its syntax, and the measures of its functions.
 */
export function fileStructure(facts: FileFacts, text: string): FileStructure {
  return {
    hash: syntaxNumber(facts.syntax, 0),
    tokens: facts.syntax.tokens(0),
    codeLines: countCodeLines(facts, text),
    fingerprints: facts.fingerprints,
    functions: functionMeasures(facts),
  };
}

function functionMeasures({ metrics, definitions, lines }: FileFacts): FunctionMeasures[] {
  const functions: FunctionMeasures[] = [];
  for (let row = 0; row < metrics.count; row += 1) {
    const definition = metrics.definition(row);
    const start = definitions.start(definition);
    const name = definitions.nameStart(definition);
    const position = name < 0 ? start : name;
    const line = lineOf(lines, position);
    const end = lineOf(lines, Math.max(start, definitions.end(definition) - 1));
    functions.push({
      line: line + 1,
      column: position - intAt(lines, line),
      end: end + 1,
      isNamed: name >= 0,
      cyclomatic: metrics.cyclomatic(row),
      cognitive: metrics.cognitive(row),
      nesting: metrics.nesting(row),
      parameters: metrics.parameters(row),
      codeLines: metrics.codeLines(row),
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
      while (comment < comments.count && comments.end(comment) <= at) comment += 1;
      if (comment < comments.count && comments.start(comment) <= at) {
        at = comments.end(comment) - 1;
      } else if (text.charCodeAt(at) > 32) {
        count += 1;
        break;
      }
    }
  });
  return count;
}
