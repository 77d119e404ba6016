import { changedNodes } from '../dependencies/store-impact.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import type { Grade, SymbolKind } from '../../code-index/format/rows.ts';
import {
  EndRows,
  type EndRow,
  fileOfNode,
  isFileNode,
  type Node,
  outermostFunction,
  type Root,
} from '../dependencies/store-dependencies-nodes.ts';
import { startOf } from '../dependencies/dependencies.ts';
import { fileAt, fileMask, type FileFilter, type Page, pathOf } from '../files/store-files.ts';
import { usages } from '../usages/store-usages.ts';
import { findExamples, type PlacedTest, TestPlaces } from './test-places.ts';
import { filesNamedSimilarly, symbolsNamedSimilarly } from './named-alike.ts';
import { findUntested, reachTests, TestCode, type TestUse } from './reach-tests.ts';
import { TestCommands } from './test-commands.ts';

/** Most symbols without tests that are listed; the total is exact. */
const MOST_UNTESTED = 20;
/** Functions of which it is looked up whether a test reaches them. */
const MOST_LOOKED_UP = 500;
/** Uses by name alone that are looked at where nothing better is known. */
const MOST_NAMED = 20;

/** Reasons why a test is listed, the surest first. */
export const TEST_REASONS = [
  'itself',
  'changed',
  'calls',
  'inline',
  'imports',
  'named alike',
  'changed together',
] as const;
type TestReason = (typeof TEST_REASONS)[number];

/** A file that changed with one of those asked about. */
interface Companion {
  path: string;
  /** Commits that changed both, and those that changed the one asked about. */
  shared: number;
  revisions: number;
}

interface TestSearch extends FileFilter, Page {
  root: Root;
  /** Hops, 1 to 5. */
  depth: number;
  /** Files that changed together, likeliest first. */
  companions: readonly Companion[];
}

export interface TestRow {
  path: string;
  line: number;
  /** Its title or the name of its function; '' for the whole file. */
  test: string;
  reason: TestReason;
  /** Steps to what was asked about; 0 without. */
  hop: number;
  /** Symbol that it uses on the path, where that is not the requested one. */
  via: string;
  grade: Grade;
  /** Of files that changed together. */
  shared?: number;
  revisions?: number;
  /** Command that runs it; absent where the repository does not state one. */
  command?: string;
}

export interface TestPage {
  total: number;
  isCut: boolean;
  byReason: Partial<Record<TestReason, number>>;
  rows: TestRow[];
  /** Commands that run the tests of `rows`, several of one runner at once. */
  commands: string[];
  /** Of a later page only the number of functions. */
  untested: Untested;
}

/** Functions of what was asked about, how many of them no test reaches, and the first of these. */
export interface Untested {
  of: number;
  total: number;
  /** Others that tests reach at most by name: what is used there is not resolved. */
  byName: number;
  rows: EndRow[];
}

/** A test before it is written. `path` and `line` come from where it stands. */
interface ListedTest extends PlacedTest {
  reason: TestReason;
  hop: number;
  used: Node | undefined;
  grade: Grade;
  companion?: Companion;
  isExample?: true;
}

/** The files of a root that are no tests, by path. */
export function filesOfRoot(db: ShardDatabase, { root }: { root: Root }): string[] {
  const tests = new TestCode(db);
  const files = new Set(startOf(db, root).map((node) => fileOfNode(db, node)));
  return [...files].filter((file) => !tests.holds(file, -1)).map((file) => pathOf(db, file));
}

/**
 * The tests of a root: those that reach it, the nearest first, then examples of its documentation, those named alike, and those that
 * changed with it. `path` keeps tests, and does not stop the way.
 */
export function testsOf(db: ShardDatabase, search: TestSearch): TestPage {
  const { root, depth, offset, limit } = search;
  const tests = new TestCode(db);
  const start = startWithoutTests(db, root, tests);
  const places = new TestPlaces(db);
  const reach = reachTests(db, start, depth);
  const listed = new ListedTests();
  const changed = start.filter((node) => isTestNode(db, node, tests)).toSorted((a, b) => b - a);
  for (const node of changed) addItself(db, listed, { node, places, reason: 'changed' in root ? 'changed' : 'itself' });
  const used = reach.uses.filter(({ isPassing }) => !isPassing);
  const users = new Set(used.map(({ file }) => file));
  for (const use of used) addUse(listed, use, { tests, places });
  for (const use of reach.uses) if (!users.has(use.file)) addImport(listed, use);
  for (const example of findExamples(db, start))
    listed.add({ ...example, reason: 'inline', hop: 1, used: undefined, grade: 'resolved', isExample: true });
  const functions = functionsOf(db, start, { root, tests }).slice(0, MOST_LOOKED_UP);
  if (!listed.hasCalls) addNamed(db, listed, { symbols: 'symbols' in root ? root.symbols : functions, places });
  const similar = addSimilar(db, listed, { start: start.filter((node) => !isTestNode(db, node, tests)), root, places });
  for (const companion of search.companions) addCompanion(db, listed, { companion, tests });
  const mask = fileMask(db, { path: search.path });
  const rows = listed.sorted(similar).filter(({ file }) => mask?.[file] !== 0);
  const shown = rows.slice(offset, offset + limit);
  const commands = new TestCommands(db);
  const ends = new EndRows(db);
  const startNodes = new Set(start);
  const counts = TEST_REASONS.map((reason) => [reason, rows.filter((row) => row.reason === reason).length] as const);
  return {
    total: rows.length,
    isCut: reach.isCut,
    byReason: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    rows: shown.map((row) => testRow(row, { db, commands, ends, asked: startNodes })),
    commands: commands.joined(),
    untested: offset === 0 ? describeUntested(db, functions) : { of: functions.length, total: 0, byName: 0, rows: [] },
  };
}

/** The functions of a root that no test reaches, at any number of steps. */
export function untestedOf(db: ShardDatabase, { root }: { root: Root }): Untested {
  const tests = new TestCode(db);
  const start = startWithoutTests(db, root, tests);
  return describeUntested(db, functionsOf(db, start, { root, tests }).slice(0, MOST_LOOKED_UP));
}

function describeUntested(db: ShardDatabase, functions: readonly number[]): Untested {
  const unreached = findUntested(db, functions);
  const untested = unreached.filter((symbol) => !isNamedInTests(db, symbol));
  const ends = new EndRows(db);
  return {
    of: functions.length,
    total: untested.length,
    byName: unreached.length - untested.length,
    rows: untested.slice(0, MOST_UNTESTED).map((symbol) => ends.row(symbol)),
  };
}

/** The nodes of a root. Of a path that holds code of the product its tests are no part: they are looked for. */
function startWithoutTests(db: ShardDatabase, root: Root, tests: TestCode): Node[] {
  const all = changedNodes(db, root);
  if ('changed' in root) return all;
  const own = all.filter((node) => !isTestNode(db, node, tests));
  return own.length > 0 ? own : all;
}

function isTestNode(db: ShardDatabase, node: Node, tests: TestCode): boolean {
  return tests.holds(fileOfNode(db, node), isFileNode(node) ? -1 : node);
}

/** Tests by file, title and line, each with its surest reason. */
class ListedTests {
  readonly #tests = new Map<string, ListedTest>();
  readonly #files = new Set<number>();
  hasCalls = false;

  add(test: ListedTest): void {
    const key = `${test.file}:${test.line}:${test.test}`;
    const existing = this.#tests.get(key);
    if (existing !== undefined && order(existing) <= order(test)) return;
    this.#tests.set(key, test);
    this.#files.add(test.file);
    if (test.hop > 0) this.hasCalls = true;
  }

  /** True if a test inside of this one is listed. */
  holdsInner({ file, test }: PlacedTest): boolean {
    return [...this.#tests.values()].some((listed) => listed.file === file && listed.test.startsWith(`${test}/`));
  }

  /** A whole file, unless something in it is listed. */
  addFile(test: Omit<ListedTest, 'line' | 'test' | 'symbol'>): void {
    if (!this.#files.has(test.file)) this.add({ ...test, line: 1, test: '', symbol: -1 });
  }

  /** Of one hop those in the files of `alike` come first. */
  sorted(similar: ReadonlySet<number>): ListedTest[] {
    const other = ({ file }: ListedTest): number => (similar.has(file) ? 0 : 1);
    return [...this.#tests.values()].toSorted(
      (a, b) =>
        order(a) - order(b) || other(a) - other(b) || a.file - b.file || a.line - b.line || (a.test < b.test ? -1 : 1),
    );
  }
}

/** By hop, then by reason; what is only suggested by the name comes behind what is known. */
function order({ reason, hop, grade }: ListedTest): number {
  const rank = TEST_REASONS.indexOf(reason);
  const isWeak = reason === 'named alike' || reason === 'changed together';
  return isWeak ? 100 + rank : hop * 2 + (reason === 'imports' ? 1 : 0) + (grade === 'name' ? 50 : 0);
}

/** A test that is asked about. */
function addItself(
  db: ShardDatabase,
  listed: ListedTests,
  { node, places, reason }: { node: Node; places: TestPlaces; reason: 'itself' | 'changed' },
): void {
  const use = { reason, hop: 0, used: undefined, grade: 'exact' } as const;
  if (isFileNode(node)) return listed.addFile({ file: fileOfNode(db, node), ...use });
  const test = places.ofFunction(outermostFunction(db, node));
  if (test !== undefined) listed.add({ ...test, ...use });
}

function addUse(listed: ListedTests, use: TestUse, { tests, places }: { tests: TestCode; places: TestPlaces }): void {
  const { file, enclosing, hop, isExact, used } = use;
  const test = places.at(use);
  const grade = isExact ? 'exact' : 'resolved';
  const reason = tests.isInline(file, enclosing) ? 'inline' : 'calls';
  if (test !== undefined) listed.add({ ...test, reason, hop, used, grade });
  else if (enclosing === -1) listed.addFile({ file, reason, hop, used, grade });
}

function addImport(listed: ListedTests, { file, hop, isExact, used }: TestUse): void {
  listed.addFile({ file, reason: 'imports', hop, used, grade: isExact ? 'exact' : 'resolved' });
}

/** Uses in tests that only the name suggests. */
function addNamed(
  db: ShardDatabase,
  listed: ListedTests,
  { symbols, places }: { symbols: readonly number[]; places: TestPlaces },
): void {
  const { named } = usages(db, { symbols, tests: 'only', limit: MOST_NAMED, offset: 0 });
  for (const { path, line } of named.rows) {
    const file = fileAt(db, path) ?? -1;
    const test = places.at({ file, line, enclosing: places.symbolAt(file, line) });
    if (test !== undefined) listed.add({ ...test, reason: 'calls', hop: 1, used: undefined, grade: 'name' });
  }
}

/** Adds what is named alike, and gives the files that are. */
function addSimilar(
  db: ShardDatabase,
  listed: ListedTests,
  { start, root, places }: { start: readonly Node[]; root: Root; places: TestPlaces },
): ReadonlySet<number> {
  const use = { reason: 'named alike', hop: 0, used: undefined, grade: 'name' } as const;
  const names = db.prepare(
    'select n.text as name, s.qualified from symbol s join name n on n.id = s.name where s.id = ?',
  );
  const symbols = 'symbols' in root ? root.symbols : 'changed' in root ? start.filter((node) => !isFileNode(node)) : [];
  for (const symbol of symbols) {
    const row = names.get(symbol) as { name: string; qualified: string } | undefined;
    for (const { id } of row === undefined ? [] : symbolsNamedSimilarly(db, row)) {
      const test = places.ofFunction(outermostFunction(db, id));
      if (test !== undefined && !listed.holdsInner(test)) listed.add({ ...test, ...use });
    }
  }
  const paths = new Set(start.map((node) => pathOf(db, fileOfNode(db, node))));
  const files = filesNamedSimilarly(db, [...paths]);
  for (const file of files) listed.addFile({ file, ...use });
  return new Set(files);
}

function addCompanion(
  db: ShardDatabase,
  listed: ListedTests,
  { companion, tests }: { companion: Companion; tests: TestCode },
): void {
  const file = fileAt(db, companion.path);
  if (file === undefined || !tests.holds(file, -1)) return;
  listed.addFile({ file, reason: 'changed together', hop: 0, used: undefined, grade: 'name', companion });
}

/** True if a test has the name of a symbol in a use that nothing resolves. */
function isNamedInTests(db: ShardDatabase, symbol: number): boolean {
  return usages(db, { symbols: [symbol], tests: 'only', limit: 0, offset: 0 }).named.total > 0;
}

/** The functions among some nodes, without those inside of others; of a symbol that has none, the symbol. */
function functionsOf(
  db: ShardDatabase,
  nodes: readonly Node[],
  { root, tests }: { root: Root; tests: TestCode },
): number[] {
  const kindOf = db.prepare('select kind from symbol where id = ?');
  const symbols = nodes.filter((node) => !isFileNode(node) && outermostFunction(db, node) === node);
  const own = symbols.filter((symbol) => !tests.holds(fileOfNode(db, symbol), symbol));
  const functions = own.filter((symbol) => {
    const { kind } = kindOf.get(symbol) as { kind: SymbolKind };
    return kind === 'function' || kind === 'method';
  });
  return functions.length > 0 || !('symbols' in root) ? functions : own.slice(0, 1);
}

interface RowContext {
  db: ShardDatabase;
  commands: TestCommands;
  ends: EndRows;
  asked: ReadonlySet<Node>;
}

function testRow(listed: ListedTest, { db, commands, ends, asked }: RowContext): TestRow {
  const { file, line, test, reason, hop, used, grade, companion, isExample = false } = listed;
  const via = used === undefined || asked.has(used) ? '' : viaText(ends.row(used));
  const command = commands.of({ file, symbol: listed.symbol, isExample });
  return {
    path: pathOf(db, file),
    line,
    test,
    reason,
    hop,
    via,
    grade,
    ...(companion !== undefined && { shared: companion.shared, revisions: companion.revisions }),
    ...(command !== undefined && { command }),
  };
}

function viaText({ symbol, path }: EndRow): string {
  return symbol === '' ? path : symbol;
}
