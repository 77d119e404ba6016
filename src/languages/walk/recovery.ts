import { DefinitionKind, type FileFacts } from '../facts/facts.ts';
import { findCulprits, withoutCulprits } from './blame.ts';
import type { SyntaxTree } from './tree.ts';
import { ParseLimitError, type ParserHost, type TreeExtractor, type TreeParser } from './trees.ts';

/** Fewer lines that were not read are no reason to read again: what is around them was understood. */
const LOST_LINES = 3;

/**
 * The facts of a text. One that the grammar cannot read whole is read again without the lines that it does not
 * understand, and whichever reading knows more symbols is taken. What was left out is among the broken lines.
 *
 * @throws ParseLimitError when the text itself takes too long, or too much memory.
 */
export function extractRecovering(host: ParserHost, extractor: TreeExtractor, text: string): FileFacts {
  const facts = extractor.extract(host, text);
  if (!isWorthIt(facts, extractor)) return facts;
  try {
    const recovered = extractor.extract(recoveringParser(host, extractor.rewrite), text);
    return isBetter(recovered, facts) ? recovered : facts;
  } catch (error) {
    if (error instanceof ParseLimitError) return facts;
    throw error;
  }
}

/** Whether more than a line or two was not read, or is known how. What a preprocessor reads has a way of its own. */
function isWorthIt({ errors, broken }: FileFacts, { rewrite, hasPreprocessor = false }: TreeExtractor): boolean {
  return !hasPreprocessor && (linesIn(broken) >= LOST_LINES || (errors > 0 && rewrite !== undefined));
}

function isBetter(found: FileFacts, known: FileFacts): boolean {
  if (found.definitions.count < known.definitions.count) return false;
  const gained =
    symbolsOf(found) - symbolsOf(known) || linesIn(known.broken) - linesIn(found.broken) || known.errors - found.errors;
  return gained > 0;
}

function symbolsOf({ definitions }: FileFacts): number {
  let symbols = 0;
  for (let row = 0; row < definitions.count; row += 1)
    if (definitions.kind(row) < DefinitionKind.parameter) symbols += 1;
  return symbols;
}

function linesIn(pairs: Int32Array): number {
  return pairs.reduce((sum, line, index) => sum + (index % 2 === 0 ? 1 - line : line), 0);
}

/** A parser that leaves out what its grammar does not understand. */
function recoveringParser(host: ParserHost, rewrite: (text: string) => string = (text) => text): TreeParser {
  return {
    parse: (name, text) => {
      const tree = host.parse(name, text);
      if (tree.errors === 0) return tree;
      const rewritten = rewrite(text);
      const culprits = findCulprits(rewritten, (part) => host.parse(name, part).errors === 0);
      const read = host.parse(name, withoutCulprits(rewritten, culprits));
      const broken = culprits.flatMap(({ lines }) => [lines[0]?.start ?? 0, lines.at(-1)?.end ?? 0]);
      dropKinds(read, broken);
      return { ...read, text, errors: read.errors + culprits.length, broken: [...read.broken, ...broken] };
    },
  };
}

/** What stands for something that was left out means nothing. */
function dropKinds({ kind, start, end, count }: SyntaxTree, ranges: readonly number[]): void {
  for (let range = 0; range < ranges.length; range += 2) {
    const [from = 0, to = 0] = ranges.slice(range, range + 2);
    for (let node = 1; node <= count; node += 1)
      if ((start[node] ?? 0) >= from && (end[node] ?? 0) <= to) kind[node] = 0;
  }
}
