import { definitionOf } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { fileOfNode, isFileNode, type Node } from '../dependencies/store-dependencies-nodes.ts';
import { pathOf, TextReader } from '../files/store-files.ts';
import type { PlacedTest } from './test-places.ts';

/** Lines of a symbol, and of the comment above it, that are read. */
const MOST_LINES = 400;

/** Symbols whose documentation holds examples that a runner runs: in their own lines, or in the comment above them. */
export function findExamples(db: ShardDatabase, nodes: readonly Node[]): PlacedTest[] {
  const rowOf = db.prepare('select file, line, end_line as "end", qualified from symbol where id = ?');
  const text = new TextReader(db);
  const exampleTests = new Map<number, PlacedTest>();
  const symbols = nodes.filter((node) => !isFileNode(node));
  for (const [file, inFile] of Map.groupBy(symbols, (symbol) => fileOfNode(db, symbol))) {
    const examples = definitionOf(pathOf(db, file))?.tests?.examples;
    if (examples === undefined) continue;
    for (const symbol of inFile) {
      const { line, end, qualified } = rowOf.get(symbol) as { line: number; end: number; qualified: string };
      const from = Math.max(1, line - MOST_LINES);
      const lines = text.lines(file, from, Math.min(end, line + MOST_LINES));
      const first = commentStart(lines, line - from);
      const at = lines.findIndex((one, index) => index >= first && examples.test(one));
      // A class holds the examples of its methods: each is listed once, with the innermost.
      if (at !== -1) exampleTests.set(from + at, { file, line: from + at, test: qualified, symbol });
    }
  }
  return [...exampleTests.values()];
}

/** Line where the comment and the attributes directly above a line begin. */
function commentStart(lines: readonly string[], at: number): number {
  let start = at;
  while (start > 0 && /^\s*(?:\/\/|#)/.test(lines[start - 1] ?? '')) start -= 1;
  return start;
}
