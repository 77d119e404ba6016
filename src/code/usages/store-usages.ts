import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import type { Grade, UsageRow, Use } from '../../code-index/format/rows.ts';
import { GRADE_CODES, NAME_GRADES, USE_CODES } from '../../code-index/format/shard-input.ts';
import { readUses, type UseEntry } from '../../code-index/format/store-codec.ts';
import {
  fileMask,
  firstSymbols,
  pathOf,
  testFlags,
  TextReader,
  type FileFilter,
  type Page,
} from '../files/store-files.ts';
import { allOverridden, withFamilies } from './store-overrides.ts';
import { testModules } from './test-modules.ts';
import { linesOfUnparsed } from './unparsed-lines.ts';

/** Rows of what only the name suggests beside others: examples for a note, each of which costs as much as a use. */
const MOST_EXAMPLES = 5;

/**
 * Uses that are read for one answer, those of the override family included: some 25 MB. Of a symbol that is used more often
 * the total is a lower bound.
 */
const MOST_USES = 300_000;

const ALONE = namesOfLanguages(({ asksMembersAlone }) => asksMembersAlone === true);

const DECLARES_APART = namesOfLanguages(({ declaresFunctionsApart }) => declaresFunctionsApart === true);

const IMPLEMENTS = USE_CODES.indexOf('implements');

/** Longest line of code in a row, in characters. */
const TEXT_LIMIT = 200;

interface UsageSearch extends FileFilter, Page {
  /** Symbol ids. The rest of their override families is added, in languages where a member means its family. */
  symbols: readonly number[];
  /** Only these uses; all when absent or empty. */
  uses?: readonly Use[] | undefined;
}

export interface UsagePage {
  /** Exact, over all pages, unless it is cut: then there are more. */
  total: number;
  isCut: boolean;
  /** Exact totals of each use that occurs, in the order of USE_CODES. */
  byUse: Partial<Record<Use, number>>;
  /** Number of symbols that were searched: the requested ones and those added from their families. */
  symbols: number;
  /** Number of `total` that are uses of the requested symbols; the others are of what was added from their families. */
  own: number;
  /** Members of their families that were not added and have uses, by path and line. */
  apart: ApartRow[];
  rows: UsageRow[];
  /**
   * Uses that only the name suggests, apart. Its rows follow those of `rows` in paging: they come when the page has room after
   * the last of `total`, and no more than 5 of them when there is any.
   */
  named: NamePage;
  /**
   * Matches of the name in text that no reader accounts for: unknown constructs, lines with syntax errors, files that were not
   * parsed (there lines count). Up to 5 rows, on the first page only. Not searched when only some uses are requested.
   */
  inText: NamePage & { names: string[] };
}

interface NamePage {
  total: number;
  rows: UsageRow[];
}

/** A member of the override family of a symbol, with the number of its own uses. */
export interface ApartRow {
  path: string;
  qualified: string;
  uses: number;
}

/**
 * Uses of the symbols and their override families, those of the symbols themselves first, by path, line and column; each
 * position once, the best grade of it.
 * The declarations of added members count as `implements`; those that the symbols themselves override are marked.
 *
 * In Python a member is looked for alone, as type checkers do: attributes of unrelated meaning share names along a class
 * hierarchy, and a receiver's class is known less often. The rest of its family is told apart.
 */
export function usages(db: ShardDatabase, search: UsageSearch, most = MOST_USES): UsagePage {
  const { symbols, added, apart } = chooseFamily(db, search.symbols);
  const keep = useFilter(db, search);
  const requestedIds = new Set(search.symbols);
  const isOwn = (symbol: number): boolean => requestedIds.has(symbol);
  let left = most;
  const read = (symbol: number): UseEntry[] => {
    const entries = usesOf(db, symbol, left + 1);
    left -= entries.length;
    return left < 0 ? entries.slice(0, left) : entries;
  };
  const own = merge(symbols.filter(isOwn).map(read));
  const others = symbols.filter((symbol) => !isOwn(symbol)).map(read);
  const isCut = left < 0;
  const above = allOverridden(db, search.symbols);
  const overridden = new Set(declarations(added.filter(({ id }) => above.has(id))).map(locationOf));
  const ofFamily = subtractEntries(merge([declarations(added), ...others]), own).filter(keep);
  const ownSelected = own.filter(keep);
  const allUses = [...ownSelected, ...ofFamily];
  // Beside so many known ones, those of the name alone say nothing.
  const everyNamed = isCut ? [] : namedUses(db, { symbols, known: merge([ownSelected, ofFamily]), most }).filter(keep);
  const named = everyNamed.filter(({ grade }) => grade === NAME_GRADES.name);
  const counts = USE_CODES.map(() => 0);
  for (const { use } of allUses) counts[use] = (counts[use] ?? 0) + 1;
  const byUse = USE_CODES.map((use, code) => [use, counts[code] ?? 0] as const);
  const end = search.offset + search.limit;
  const writer = new UsageRows(db);
  return {
    total: allUses.length,
    isCut,
    byUse: Object.fromEntries(byUse.filter(([, count]) => count > 0)),
    symbols: symbols.length,
    own: ownSelected.length,
    apart: apart.map(({ path, qualified, refs }) => ({ path, qualified, uses: refs })),
    rows: allUses.slice(search.offset, end).map((entry, index) => {
      const row = writer.row(entry, GRADE_CODES[entry.grade] ?? 'resolved');
      if (search.offset + index < ownSelected.length) return row;
      const isOverridden = entry.use === IMPLEMENTS && overridden.has(locationOf(entry));
      return { ...row, family: true, ...(isOverridden && { overridden: true }) };
    }),
    named: {
      total: named.length,
      rows: named
        .slice(Math.max(0, search.offset - allUses.length), Math.max(0, end - allUses.length))
        .slice(0, allUses.length === 0 ? undefined : MOST_EXAMPLES)
        .map((entry) => writer.row(entry, 'name')),
    },
    inText: textUses(db, search, { entries: everyNamed, writer }),
  };
}

/** Identifiers that no reader accounts for, and lines of files that were not parsed. */
function textUses(
  db: ShardDatabase,
  search: UsageSearch,
  { entries, writer }: { entries: readonly UseEntry[]; writer: UsageRows },
): UsagePage['inText'] {
  const names = db
    .prepare('select distinct n.text from json_each(?) j join symbol s on s.id = j.value join name n on n.id = s.name')
    .all(JSON.stringify(search.symbols))
    .map(({ text }) => String(text));
  const unread = entries.filter(({ grade }) => grade === NAME_GRADES.text);
  const isWhole = search.uses === undefined || search.uses.length === 0;
  if (!isWhole) return { total: 0, rows: [], names };
  const limit = search.offset > 0 ? 0 : Math.min(search.limit, MOST_EXAMPLES);
  const rows = unread.slice(0, limit).map((entry) => writer.row(entry, 'name'));
  const unparsed = linesOfUnparsed(db, { names, limit: limit - rows.length, path: search.path, tests: search.tests });
  return { total: unread.length + unparsed.total, rows: [...rows, ...unparsed.rows], names };
}

/** The position of an entry, as a key. */
function locationOf({ file, line, column }: UseEntry): string {
  return `${file}:${line}:${column}`;
}

interface FamilyRow {
  id: number;
  file: number;
  path: string;
  language: string;
  line: number;
  column: number;
  parent: number | null;
  qualified: string;
  refs: number;
}

interface ChosenFamily {
  /** Ascending. */
  symbols: number[];
  /** Those of `symbols` that were not asked for. */
  added: FamilyRow[];
  apart: FamilyRow[];
}

function chooseFamily(db: ShardDatabase, requested: readonly number[]): ChosenFamily {
  const memberIds = new Set(requested);
  const rows = db
    .prepare(
      `select s.id, s.file, f.path, f.language, s.line, s."column", s.parent, s.qualified, coalesce(u.refs, 0) as refs
         from json_each(?) j join symbol s on s.id = j.value join file f on f.id = s.file
         left join usage u on u.symbol = s.id order by s.id`,
    )
    .all(JSON.stringify(withFamilies(db, requested))) as unknown as FamilyRow[];
  const others = rows.filter(({ id }) => !memberIds.has(id));
  const added = others.filter(({ language }) => !ALONE.has(language));
  return {
    symbols: rows.filter(({ id, language }) => memberIds.has(id) || !ALONE.has(language)).map(({ id }) => id),
    added,
    apart: others.filter(({ language, refs }) => ALONE.has(language) && refs > 0),
  };
}

/** The declarations of symbols in the order of their ids, which is that of their places. */
function declarations(rows: readonly FamilyRow[]): UseEntry[] {
  return rows.map(({ file, line, column, parent }) => ({
    file,
    line,
    column,
    use: IMPLEMENTS,
    grade: GRADE_CODES.indexOf('resolved'),
    enclosing: parent ?? -1,
  }));
}

/**
 * Number of different things among these symbols: an override family counts once, and so does a function with its declarations,
 * where these are apart (C and C++): the resolver gives them the same uses.
 */
export function countFamilies(db: ShardDatabase, { symbols }: { symbols: readonly number[] }): number {
  const rows = db
    .prepare(
      `select s.id, s.family, s.kind, s.qualified, s.signature, f.language
         from json_each(?) j join symbol s on s.id = j.value join file f on f.id = s.file`,
    )
    .all(JSON.stringify(symbols)) as unknown as CountedSymbol[];
  const apart = rows.filter(isDeclaredApart);
  const firsts = firstsOfSameUses(db, rows, new Set(apart.map(({ qualified }) => qualified)));
  const declared = new Set(apart.map(({ id }) => firsts.get(id)));
  const keys = rows.map(({ id, family }) => {
    if (family !== null) return `family ${family}`;
    const first = firsts.get(id);
    return `symbol ${declared.has(first) ? first : id}`;
  });
  return new Set(keys).size;
}

interface CountedSymbol {
  id: number;
  family: number | null;
  kind: string;
  qualified: string;
  signature: string;
  language: string;
}

/** True if a symbol is a function without its body, which another file has. */
function isDeclaredApart({ kind, language, signature }: CountedSymbol): boolean {
  return kind === 'function' && DECLARES_APART.has(language) && signature.endsWith(';');
}

/** Of each function with one of these names the first that has the same name and uses; uses of others are not read. */
function firstsOfSameUses(
  db: ShardDatabase,
  rows: readonly CountedSymbol[],
  names: ReadonlySet<string>,
): Map<number, number> {
  const functions = rows.filter(({ kind, qualified }) => kind === 'function' && names.has(qualified));
  if (functions.length === 0) return new Map();
  const firsts = db
    .prepare(
      `select s.id, min(s.id) over (partition by s.qualified, u.uses) as first
         from json_each(?) j join symbol s on s.id = j.value left join usage u on u.symbol = s.id`,
    )
    .all(JSON.stringify(functions.map(({ id }) => id))) as unknown as { id: number; first: number }[];
  return new Map(firsts.map(({ id, first }) => [id, first]));
}

/** All resolved uses of one symbol, by file, line and column; with `most` the first of them. */
export function usesOf(db: ShardDatabase, symbol: number, most?: number): UseEntry[] {
  const row = db.prepare('select uses from usage where symbol = ?').get(symbol) as { uses: Uint8Array } | undefined;
  return row === undefined || (most !== undefined && most <= 0) ? [] : readUses(row.uses, firstSymbols(db), most);
}

/** The resolved uses of one symbol in one file, by line and column. */
export function usesIn(db: ShardDatabase, symbol: number, file: number): UseEntry[] {
  return usesOf(db, symbol).filter((use) => use.file === file);
}

/** True when a symbol is used on this line, and at this column when one is given. */
export function usesAt(
  db: ShardDatabase,
  symbol: number,
  at: { file: number; line: number; column: number | undefined },
): boolean {
  return usesOf(db, symbol).some(
    (entry) =>
      entry.file === at.file && entry.line === at.line && (at.column === undefined || at.column === entry.column),
  );
}

/** Uses of the symbols' names that nothing resolved, less the positions that are known already. */
function namedUses(
  db: ShardDatabase,
  { symbols, known, most }: { symbols: readonly number[]; known: readonly UseEntry[]; most: number },
): UseEntry[] {
  const rows = db
    .prepare('select uses from named where name in (select s.name from json_each(?) j join symbol s on s.id = j.value)')
    .all(JSON.stringify(symbols)) as { uses: Uint8Array }[];
  return subtractEntries(merge(rows.map(({ uses }) => readUses(uses, firstSymbols(db), most))), known);
}

function useFilter(db: ShardDatabase, search: UsageSearch): (entry: UseEntry) => boolean {
  const inTests = search.tests === undefined || search.tests === 'include' ? undefined : testModules(db);
  // Of a file with tests inside, what the code around them uses is told by line, not by file.
  const mask = fileMask(db, inTests === undefined ? search : { ...search, tests: 'include' });
  const isTest = testFlags(db);
  const isSelected = ({ file, enclosing }: UseEntry): boolean =>
    inTests === undefined || (isTest[file] === 1 || inTests.has(enclosing)) === (search.tests === 'only');
  const uses = search.uses === undefined || search.uses.length === 0 ? undefined : new Set<string>(search.uses);
  return (entry) => mask?.[entry.file] !== 0 && uses?.has(USE_CODES[entry.use] ?? '') !== false && isSelected(entry);
}

/** Puts lists together in order; of one position the best grade stays, then a heritage clause, then the lowest use. */
function merge(lists: readonly UseEntry[][]): UseEntry[] {
  const [first = []] = lists;
  if (lists.length < 2) return first;
  const all = lists.flat().toSorted((a, b) => byPosition(a, b) || b.grade - a.grade || rankOfUse(a) - rankOfUse(b));
  return all.filter((entry, index) => {
    const before = all[index - 1];
    return before === undefined || byPosition(before, entry) !== 0;
  });
}

/** The entries whose position is not among the others; both lists are in order. */
function subtractEntries(entries: readonly UseEntry[], others: readonly UseEntry[]): UseEntry[] {
  let next = 0;
  return entries.filter((entry) => {
    let other = others[next];
    while (other !== undefined && byPosition(other, entry) < 0) other = others[++next];
    return other === undefined || byPosition(other, entry) !== 0;
  });
}

/** A clause that names a class calls its constructor at the same place: it is the clause that is told. */
function rankOfUse({ use }: UseEntry): number {
  return use === IMPLEMENTS ? -1 : use;
}

function byPosition(a: UseEntry, b: UseEntry): number {
  return a.file - b.file || a.line - b.line || a.column - b.column;
}

/** Makes rows of uses that come by file and line. */
class UsageRows {
  readonly #db: ShardDatabase;
  readonly #text: TextReader;
  readonly #paths = new Map<number, string>();

  constructor(db: ShardDatabase) {
    this.#db = db;
    this.#text = new TextReader(db);
  }

  row({ file, line, column, use, enclosing }: UseEntry, grade: Grade): UsageRow {
    const text = this.#text.lines(file, line, line)[0] ?? '';
    return {
      path: this.#path(file),
      line,
      column,
      use: USE_CODES[use] ?? 'read',
      enclosing: enclosing === -1 ? '' : this.#qualified(enclosing),
      text: text.trim().slice(0, TEXT_LIMIT),
      grade,
      test: testFlags(this.#db)[file] === 1,
    };
  }

  #path(file: number): string {
    const path = this.#paths.get(file) ?? pathOf(this.#db, file);
    this.#paths.set(file, path);
    return path;
  }

  #qualified(symbol: number): string {
    const row = this.#db.prepare('select qualified from symbol where id = ?').get(symbol) as
      | { qualified: string }
      | undefined;
    return row?.qualified ?? '';
  }
}
