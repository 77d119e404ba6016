import { definitionOf, type TestRules } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import {
  fileOfNode,
  isFileNode,
  isFunction,
  type Node,
  outermostFunction,
  symbolsOf,
} from '../dependencies/store-dependencies-nodes.ts';
import { pathOf, TextReader } from '../files/store-files.ts';
import { USE_CODES } from '../../code-index/format/shard-input.ts';
import { usesOf } from '../usages/store-usages.ts';

/** Lines of a symbol, and of the comment above it, that are read. */
const MOST_SYMBOL_LINES = 400;

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
      const from = Math.max(1, line - MOST_SYMBOL_LINES);
      const lines = text.lines(file, from, Math.min(end, line + MOST_SYMBOL_LINES));
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

/** Lines above a use that are read to find the test around it. */
const MOST_TITLE_LINES = 1_500;

/** A test, or a group of tests, that is given its title. */
interface Block {
  title: string;
  /** From 1. */
  line: number;
}

/** The blocks with a title around a line, the outermost first, told by the indentation. `blocks` fits the functions that are given titles. */
function blocksAround(lines: readonly string[], line: number, blocks: RegExp): Block[] {
  const around: Block[] = [];
  let indent = Number.POSITIVE_INFINITY;
  const last = Math.max(0, line - MOST_TITLE_LINES);
  for (let at = line - 1; at >= last && indent > 0; at -= 1) {
    const text = lines[at] ?? '';
    const depth = text.search(/\S/);
    if (depth === -1 || depth >= indent) continue;
    indent = depth;
    const title = titleAt(lines, at, blocks);
    if (title !== undefined) around.unshift({ title, line: at + 1 });
  }
  return around;
}

/** `it('sends', …`, `test.each(rows)("sends %s", …`, `it "sends" do`; the title may stand on the line below. */
function titleAt(lines: readonly string[], at: number, blocks: RegExp): string | undefined {
  const text = lines[at] ?? '';
  const called = /^\s*(?:await\s+)?(\w+)(?:\.\w+)*\s*(?:\(|(?=["'`]))/.exec(text);
  const isBlock = called !== null && blocks.test(called[1] ?? '');
  // The rows of a table stand between the function and its title.
  const isBehindTable = /^\s*(?:\]\s*\)|`\s*\)?)\s*\(/.test(text);
  if (!isBlock && !isBehindTable) return undefined;
  const tail = isBlock ? text.slice(called[0].length) : text.replace(/^[^(]*\(/, '');
  const behindTable = /^[^"'`]*\)\s*\(\s*(["'`].*)$/.exec(tail)?.[1];
  const titled = /^\s*$/.test(tail) ? (lines[at + 1] ?? '') : (behindTable ?? tail);
  return /^\s*(["'`])((?:\\.|(?!\1).)*)\1/.exec(titled)?.[2];
}

/** Lines of a test file that are read for titles. */
const MOST_LINES = 20_000;

const PASSING_ON: ReadonlySet<number> = new Set([USE_CODES.indexOf('import'), USE_CODES.indexOf('export')]);

/** A test: where it begins, and what it is called. */
export interface PlacedTest {
  file: number;
  line: number;
  /** `mailer > sends`, `OrderTest/sends`. */
  test: string;
  /** Its function, or -1. */
  symbol: number;
}

interface SymbolPlace {
  qualified: string;
  name: string;
  kind: string;
  line: number;
}

/** Finds the tests around lines of code. Reads each file once. */
export class TestPlaces {
  readonly #db: ShardDatabase;
  readonly #lines = new Map<number, string[]>();
  readonly #rules = new Map<number, TestRules | undefined>();
  readonly #symbols = new Map<number, SymbolPlace>();

  constructor(db: ShardDatabase) {
    this.#db = db;
  }

  /** The test around a place; undefined in a helper, and outside of tests. */
  at({ file, line, enclosing }: { file: number; line: number; enclosing: number }): PlacedTest | undefined {
    const symbol = enclosing === -1 ? -1 : outermostFunction(this.#db, enclosing);
    const blocks = this.#rulesOf(file)?.blocks;
    const around = blocks === undefined || line === 0 ? [] : blocksAround(this.#linesOf(file), line, blocks);
    const [first] = around;
    if (first === undefined) return symbol === -1 ? undefined : this.ofFunction(symbol);
    // The innermost block is the test; those around it are groups.
    const test = around.map(({ title }) => title).join(' > ');
    return { file, line: around.at(-1)?.line ?? first.line, test, symbol: -1 };
  }

  /** A function of test code that a runner calls; undefined for a helper. */
  ofFunction(symbol: number): PlacedTest | undefined {
    const file = fileOfNode(this.#db, symbol);
    const { qualified, name, kind, line } = this.#symbol(symbol);
    if (!isFunction(this.#db, symbol) && kind !== 'class') return undefined;
    const functions = this.#rulesOf(file)?.functions;
    const isRun = functions === undefined || kind === 'class' ? !this.#isUsed(symbol) : functions.test(name);
    return isRun ? { file, line, test: qualified, symbol } : undefined;
  }

  /** The innermost symbol around a line, or -1. */
  symbolAt(file: number, line: number): number {
    const [from, to] = symbolsOf(this.#db, file);
    const row = this.#db
      .prepare('select max(id) as id from symbol where id >= ? and id < ? and line <= ? and end_line >= ?')
      .get(from, to, line, line) as { id: number | null };
    return row.id ?? -1;
  }

  #isUsed(symbol: number): boolean {
    return usesOf(this.#db, symbol).some(({ use, enclosing }) => !PASSING_ON.has(use) && enclosing !== symbol);
  }

  #rulesOf(file: number): TestRules | undefined {
    if (!this.#rules.has(file)) this.#rules.set(file, definitionOf(pathOf(this.#db, file))?.tests);
    return this.#rules.get(file);
  }

  #linesOf(file: number): string[] {
    const lines = this.#lines.get(file) ?? new TextReader(this.#db).lines(file, 1, MOST_LINES);
    this.#lines.set(file, lines);
    return lines;
  }

  #symbol(symbol: number): SymbolPlace {
    const location =
      this.#symbols.get(symbol) ??
      (this.#db
        .prepare(
          'select s.qualified, n.text as name, s.kind, s.line from symbol s join name n on n.id = s.name where s.id = ?',
        )
        .get(symbol) as unknown as SymbolPlace);
    this.#symbols.set(symbol, location);
    return location;
  }
}
