import { definitionOf } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import {
  fileEdges,
  fileOfNode,
  isFileNode,
  type Node,
  nodeOfFile,
  outermostFunction,
} from '../dependencies/store-dependencies-nodes.ts';
import { pathOf, testFlags, TextReader } from '../files/store-files.ts';
import { EXACT_BIT, GRADE_CODES, USE_CODES } from '../../code-index/format/shard-input.ts';
import { isCalledByName } from '../dead-code/conventions.ts';
import { allOverridden, allOverriding, edgesOf } from '../usages/store-overrides.ts';
import { usesOf } from '../usages/store-usages.ts';
import { testModules } from '../usages/test-modules.ts';

/** Lines above a function that may say what it is. */
const MOST_DECORATORS = 12;

/** A function of test code with a parameter. */
interface ParameterOwner {
  file: number;
  path: string;
  line: number;
  enclosing: number;
}

/**
 * The functions of test code that are given what a fixture returns: those with a parameter of its name, in its file, or in the
 * folder of a file that all tests below it share. None for any other function.
 */
function fixtureUsers(db: ShardDatabase, symbol: number): Omit<ParameterOwner, 'path'>[] {
  const file = fileOfNode(db, symbol);
  if (testFlags(db)[file] !== 1) return [];
  const path = pathOf(db, file);
  const { fixtures, sharedFixtures } = definitionOf(path)?.tests ?? {};
  if (fixtures === undefined) return [];
  const { name, line } = db
    .prepare('select n.text as name, s.line from symbol s join name n on n.id = s.name where s.id = ?')
    .get(symbol) as { name: string; line: number };
  const above = new TextReader(db).lines(file, Math.max(1, line - MOST_DECORATORS), line - 1).toReversed();
  // A decorator may go over several lines; a blank one parts it from what stands before.
  const blank = above.findIndex((text) => text.trim() === '');
  if (!above.slice(0, blank === -1 ? undefined : blank).some((text) => fixtures.test(text))) return [];
  const folder = sharedFixtures?.test(path) === true ? path.slice(0, path.lastIndexOf('/') + 1) : undefined;
  const owners = parameterOwners(db).get(name) ?? [];
  return owners.filter((owner) =>
    folder === undefined ? owner.file === file : owner.path.startsWith(folder) && owner.enclosing !== symbol,
  );
}

/** The functions of test code by the names of their parameters, in languages with fixtures. Read once for an open shard. */
function parameterOwners(db: ShardDatabase): ReadonlyMap<string, ParameterOwner[]> {
  return db.derived('test_parameters', () => {
    const owners = new Map<string, ParameterOwner[]>();
    const files = db.prepare('select id, path, first_symbol as first, symbols from file where test = 1').all() as {
      id: number;
      path: string;
      first: number;
      symbols: number;
    }[];
    const inside = db.prepare(
      "select id, line, signature from symbol where id >= ? and id < ? and kind in ('function', 'method')",
    );
    for (const { id: file, path, first, symbols } of files) {
      if (definitionOf(path)?.tests?.fixtures === undefined) continue;
      for (const { id, line, signature } of inside.all(first, first + symbols) as unknown as {
        id: number;
        line: number;
        signature: string;
      }[])
        for (const name of parameterNames(signature)) {
          const existing = owners.get(name);
          if (existing === undefined) owners.set(name, [{ file, path, line, enclosing: id }]);
          else existing.push({ file, path, line, enclosing: id });
        }
    }
    return owners;
  });
}

/** `def test_sends(self, mailer: Mailer, order=None)` has `mailer` and `order`. */
function parameterNames(signature: string): string[] {
  const [, list = ''] = /\(([^]*)$/.exec(signature) ?? [];
  return [...new Set(Array.from(list.matchAll(/(?:^|,)\s*([\p{L}_][\p{L}\p{N}_]*)/gu), ([, name = '']) => name))];
}

const CALL = USE_CODES.indexOf('call');

/**
 * The calls that make an instance, of a member that its language calls by name (`__init__`, `constructor`, `toString`): they name
 * the class, or one that is made from it, and not the member. None for any other symbol.
 */
function instanceMakers(db: ShardDatabase, symbol: number): { file: number; line: number; enclosing: number }[] {
  const member = db
    .prepare(
      `select n.text as name, s.parent, f.path, f.language from symbol s
         join name n on n.id = s.name join file f on f.id = s.file where s.id = ? and s.member = 1 and s.kind = 'method'`,
    )
    .get(symbol) as { name: string; parent: number | null; path: string; language: string } | undefined;
  if (member === undefined || member.parent === null) return [];
  const { name, parent, path, language } = member;
  if (name !== definitionOf(path)?.constructorName && !isCalledByName(language, name, true)) return [];
  const classes = new Set([parent]);
  for (const one of classes) for (const below of edgesOf(db, one, 'extended_by')) classes.add(below);
  return [...classes].flatMap((one) => usesOf(db, one).filter(({ use }) => use === CALL));
}

/** Symbols that one question goes through; then it stops and says so. */
const MOST_REACHED = 5_000;
/** Uses in tests that one question reads. */
const MOST_USES = 20_000;

const EXACT_GRADE = GRADE_CODES.indexOf('exact');
/** Uses that only take a symbol into a file or hand it on. */
const PASSING_ON: ReadonlySet<number> = new Set([USE_CODES.indexOf('import'), USE_CODES.indexOf('export')]);

/** A use in test code. */
export interface TestUse {
  file: number;
  /** 0 where only the files are known. */
  line: number;
  /** The innermost symbol around it, or -1. */
  enclosing: number;
  /** Steps from what was asked about; 1 for a use of it. */
  hop: number;
  /** True if a compiler knows each step. */
  isExact: boolean;
  /** Node that is used: a part of the root, or what leads there. */
  used: Node;
  /** It only imports, or hands on. */
  isPassing: boolean;
}

interface Reach {
  uses: TestUse[];
  /** True if the search stopped at the most that one question may visit. */
  isCut: boolean;
}

/** Test code: a file of tests, or a module of tests in a file of the product. */
export class TestCode {
  readonly #files: Uint8Array;
  readonly #modules: ReadonlySet<number>;

  constructor(db: ShardDatabase) {
    this.#files = testFlags(db);
    this.#modules = testModules(db);
  }

  /** `symbol` is -1 outside of symbols. */
  holds(file: number, symbol: number): boolean {
    return this.#files[file] === 1 || this.#modules.has(symbol);
  }

  isInline(file: number, symbol: number): boolean {
    return this.#files[file] !== 1 && this.#modules.has(symbol);
  }
}

interface Step {
  node: Node;
  isExact: boolean;
}

/**
 * The uses in test code of some nodes, of what uses these, and so on, the nearest first. A function of test code that others
 * use is a helper: who uses it is looked for too.
 */
export function reachTests(db: ShardDatabase, start: readonly Node[], depth: number): Reach {
  const tests = new TestCode(db);
  const inside = new Set<Node>([...start, ...allOverriding(db, symbolsAmong(start))]);
  const visited = new Set<Node>(inside);
  const uses: TestUse[] = [];
  let frontier: Step[] = [...inside].map((node) => ({ node, isExact: true }));
  for (let hop = 1; hop <= depth && frontier.length > 0; hop += 1) {
    const next = new Map<Node, Step>();
    for (const { node, isExact } of withOverridden(db, frontier, visited)) {
      if (visited.size > MOST_REACHED || uses.length > MOST_USES || db.cancelled()) return { uses, isCut: true };
      for (const use of usersOfNode(db, node, hop)) {
        const user = use.enclosing === -1 ? nodeOfFile(use.file) : outermostFunction(db, use.enclosing);
        if (inside.has(user) || inside.has(use.enclosing)) continue;
        const exact = isExact && use.isExact;
        if (tests.holds(use.file, use.enclosing)) uses.push({ ...use, hop, isExact: exact, used: node });
        if (!isFileNode(user) && !use.isPassing && !visited.has(user)) next.set(user, { node: user, isExact: exact });
      }
      const holder = isFileNode(node) ? node : outermostFunction(db, node);
      if (hop === 1 && !visited.has(holder)) next.set(holder, { node: holder, isExact });
    }
    for (const node of next.keys()) visited.add(node);
    frontier = [...next.values()];
  }
  return { uses, isCut: false };
}

type NodeUse = Pick<TestUse, 'file' | 'line' | 'enclosing' | 'isExact' | 'isPassing'>;

function usersOfNode(db: ShardDatabase, node: Node, hop: number): NodeUse[] {
  if (!isFileNode(node)) {
    const others = [...fixtureUsers(db, node), ...instanceMakers(db, node)].map((user) => ({
      ...user,
      isExact: false,
      isPassing: false,
    }));
    const uses = usesOf(db, node).map(({ file, line, enclosing, grade, use }) => ({
      file,
      line,
      enclosing,
      isExact: grade === EXACT_GRADE,
      isPassing: PASSING_ON.has(use),
    }));
    return [...uses, ...others];
  }
  if (hop > 1) return [];
  return fileEdges(db, node, 'in').map(({ from, bits }) => ({
    file: -1 - from,
    line: 0,
    enclosing: -1,
    isExact: (bits & EXACT_BIT) !== 0,
    isPassing: true,
  }));
}

/** Steps with the members that theirs override: who calls one of those may mean theirs. Of the others of a family nobody does. */
function withOverridden(db: ShardDatabase, steps: readonly Step[], visited: Set<Node>): Step[] {
  const overridden = allOverridden(db, symbolsAmong(steps.map(({ node }) => node)));
  const more = [...overridden].filter((node) => !visited.has(node));
  for (const node of more) visited.add(node);
  return [...steps, ...more.map((node) => ({ node, isExact: false }))];
}

function symbolsAmong(nodes: readonly Node[]): number[] {
  return nodes.filter((node) => !isFileNode(node));
}

/**
 * Symbols of the given ones that no test reaches, at any number of steps; those where that takes too long to decide are
 * omitted.
 */
export function findUntested(db: ShardDatabase, symbols: readonly number[]): number[] {
  const tests = new TestCode(db);
  const untested = new Set<Node>();
  return symbols.filter((symbol) => {
    const visited = new Set<Node>([symbol, ...allOverriding(db, [symbol])]);
    for (const node of visited) {
      if (visited.size > MOST_REACHED || db.cancelled()) return false;
      for (const overridden of allOverridden(db, [node])) visited.add(overridden);
      for (const { file, enclosing, isPassing } of usersOfNode(db, node, 1)) {
        if (isPassing) continue;
        if (tests.holds(file, enclosing)) return false;
        const user = enclosing === -1 ? undefined : outermostFunction(db, enclosing);
        if (user !== undefined && !untested.has(user)) visited.add(user);
      }
      const holder = outermostFunction(db, node);
      if (!untested.has(holder)) visited.add(holder);
    }
    for (const node of visited) untested.add(node);
    return true;
  });
}
