import { definitionOf, type TestRules } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { USE_CODES } from '../../code-index/format/shard-input.ts';
import { fileOfNode, isFunction, outermostFunction, symbolsOf } from '../dependencies/store-dependencies-nodes.ts';
import { pathOf, TextReader } from '../files/store-files.ts';
import { usesOf } from '../usages/store-usages.ts';
import { blocksAround } from './test-titles.ts';

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
