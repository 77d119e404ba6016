import { definitionOf } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import type { OutlineRow, SymbolKind, SymbolRow } from '../../code-index/format/rows.ts';
import { matchNames, splitQuery, type NameTier } from './search-names.ts';
import { fileOfSymbolId } from '../../code-index/format/shard-input.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { dense, fileAt, fileMask, firstSymbols, pathOf, type FileFilter, type Page } from '../files/store-files.ts';
import { filesMeant } from '../files/store-paths.ts';
import { orderDefinitions } from './definition-order.ts';
import { type Candidate, pageOfNamed, symbolsNamed, worstTier } from './store-named.ts';
import { inheritedMembers } from './inherited-members.ts';
import { symbolsAtHandle, symbolsAtPosition } from './store-position.ts';
import { bareName, looserNames } from './written-names.ts';

interface SymbolSearch extends FileFilter, Page {
  query: string;
  kinds?: readonly SymbolKind[] | undefined;
}

interface SymbolPage {
  total: number;
  /** The worst way in which a row of the answer fits; `undefined` when nothing does. */
  tier: NameTier | undefined;
  rows: SymbolRow[];
}

/**
 * Interpretation of the query by `findDefinitions`; `inherited`: as a member that a type has from its bases; `word`: nothing is
 * resolved at the position, and the word there is a name.
 */
type DefinitionMatch = 'handle' | 'position' | 'word' | 'name' | 'inherited';

interface DefinitionSearch extends FileFilter {
  query: string;
  limit: number;
  /** Path of the file that they are seen from, '' for none: the likeliest come first. In the order of places when absent. */
  seenFrom?: string | undefined;
  /** True if a line alone means what it refers to before what is around it. False when absent. */
  isUse?: boolean | undefined;
}

interface Definitions {
  match: DefinitionMatch;
  total: number;
  /** Number of the first rows that the file of the question uses or defines. */
  focused: number;
  rows: SymbolRow[];
}

const NAMED = { types: symbolsByName, members: (db: ShardDatabase, name: string) => symbolsCalled(db, [name]) };

const SYMBOL_BY_ID = `
  select s.id, f.path, s.line, s.end_line as "end", s."column", s.kind, n.text as name, s.qualified,
         coalesce(s.parameters, '') as parameters, s.signature, s.doc, s.exported, f.test, coalesce(u.refs, 0) as refs
    from symbol s join file f on f.id = s.file join name n on n.id = s.name left join usage u on u.symbol = s.id
   where s.id = ?`;

/**
 * Symbols whose name fits the query: exact, then in another case, by prefix, by words or humps (`gFB`, `getBar` for
 * `getFooBar`), by substring; by likeness only when nothing else fits. `*` and `?` are wildcards; `Class/method`,
 * `Class.method`, `Class::method` and `Class#method` also ask for the qualifier, which may begin with the path
 * (`mail.client.Mailer.send`). Within a way of fitting: code before tests,
 * more used first, then path and line.
 */
export function searchSymbols(db: ShardDatabase, search: SymbolSearch): SymbolPage {
  const { qualifier, name } = splitQuery(search.query);
  const mask = fileMask(db, search);
  const kinds = search.kinds === undefined || search.kinds.length === 0 ? undefined : new Set(search.kinds);
  const keep = (candidate: Candidate): boolean =>
    mask?.[candidate.file] !== 0 && kinds?.has(candidate.kind) !== false && hasQualifier(db, candidate, qualifier);
  const matches = matchNames(db, name, (names) => symbolsNamed(db, names, { keep, isQualified: qualifier !== '' }));
  return {
    total: matches.length,
    tier: worstTier(matches),
    rows: symbolRows(db, pageOfNamed(db, matches, search)),
  };
}

/**
 * Symbols that a query names: a handle `sym:Class/method@path`, a position `path:line`, `path:line:column` or `path:line:name`,
 * or a name, with its qualifier or file or without (in the case as written, else in any). Behind a name `(A, B)` may select an
 * overload. For the meaning of a position see `symbolsAtPosition`; where nothing is resolved, the symbols that are called as
 * the word there.
 */
export function findDefinitions(
  db: ShardDatabase,
  { query, limit, seenFrom, isUse = false, ...files }: DefinitionSearch,
): Definitions {
  const answer = (match: DefinitionMatch, ids: readonly number[], near?: number): Definitions => {
    const mask = fileMask(db, files);
    const selected = mask === undefined ? ids : ids.filter((id) => mask[fileOfSymbol(db, id)] === 1);
    const isOrdered = near !== undefined || (seenFrom !== undefined && match === 'name');
    const ordered = isOrdered ? orderDefinitions(db, selected, near) : { ids: selected, focused: 0 };
    return {
      match,
      total: selected.length,
      focused: ordered.focused,
      rows: symbolRows(db, ordered.ids.slice(0, limit)),
    };
  };
  const handle = /^sym:(.+)@([^@]+)$/.exec(query);
  if (handle !== null) return answer('handle', symbolsAtHandle(db, handle[1] ?? '', handle[2] ?? ''));
  const position = /^(.+?)(?::|#L)(\d{1,9})(?::([\p{L}\p{N}_$]+))?$/u.exec(query);
  const [file, other] = position === null ? [] : filesMeant(db, position[1] ?? '');
  if (position !== null && file !== undefined && other === undefined) {
    const [, , line = '', at] = position;
    const column = at === undefined || !/^\d+$/.test(at) ? at : Number(at);
    const { ids, word } = symbolsAtPosition(db, { file, line: Number(line), column }, isUse);
    if (ids.length > 0 || word === undefined) return answer('position', ids);
    const named = symbolsCalled(db, [word]).filter(({ name }) => name === word);
    return answer(
      'word',
      named.map(({ id }) => id),
      file,
    );
  }
  const near = seenFrom === undefined ? undefined : fileAt(db, seenFrom);
  const ids = symbolsByName(db, query);
  return ids.length > 0
    ? answer('name', ids, near)
    : answer('inherited', inheritedMembers(db, bareName(query), NAMED), near);
}

/** The rows of these ids, in the order given; unknown ids are left out. */
export function symbolRows(db: ShardDatabase, ids: readonly number[]): SymbolRow[] {
  const statement = db.prepare(SYMBOL_BY_ID);
  return ids.flatMap((id) => {
    const row = statement.get(id) as
      | (Omit<SymbolRow, 'exported' | 'test'> & { exported: number; test: number })
      | undefined;
    return row === undefined ? [] : [{ ...row, exported: row.exported === 1, test: row.test === 1 }];
  });
}

/** All symbols of the searched files, by path and line; `total` counts them. `depth` counts the symbols around each. */
export function outline(
  db: ShardDatabase,
  search: FileFilter & Page & { kinds?: readonly SymbolKind[] | undefined },
): { total: number; rows: OutlineRow[] } {
  const { total, ids } = symbolsOnPage(db, search);
  const rows = symbolRows(db, ids).map((row, index) => ({ ...row, depth: depthOf(db, ids[index] ?? 0) }));
  return { total, rows };
}

/** The symbols of a page, by path and line, and how many there are in all: only those of the page are read. */
function symbolsOnPage(
  db: ShardDatabase,
  { offset, limit, ...search }: FileFilter & Page & { kinds?: readonly SymbolKind[] | undefined },
): { total: number; ids: number[] } {
  const mask = fileMask(db, search);
  const codes = db.derived('symbol_kind', () => dense(db, 'symbol_kind'));
  const isAny = search.kinds === undefined || search.kinds.length === 0;
  const isRequested = SYMBOL_KINDS.map((kind) => isAny || search.kinds?.includes(kind) === true);
  const first = firstSymbols(db);
  const ids: number[] = [];
  let total = 0;
  for (let file = 0; file < first.length; file += 1) {
    if (mask?.[file] === 0) continue;
    const end = first[file + 1] ?? codes.length;
    for (let id = first[file] ?? 0; id < end; id += 1) {
      if (isRequested[codes[id] ?? -1] !== true) continue;
      if (total >= offset && ids.length < limit) ids.push(id);
      total += 1;
    }
  }
  return { total, ids };
}

/** Number of symbols around one. */
function depthOf(db: ShardDatabase, symbol: number): number {
  const select = db.prepare('select parent from symbol where id = ?');
  let depth = 0;
  for (let at = symbol; ; depth += 1) {
    const { parent = null } = (select.get(at) ?? {}) as { parent?: number | null };
    if (parent === null) return depth;
    at = parent;
  }
}

/** The file that holds a symbol. */
export function fileOfSymbol(db: ShardDatabase, symbol: number): number {
  return fileOfSymbolId(firstSymbols(db), symbol);
}

/** True when the path and the names around the symbol end with the qualifier, in any case: `Task`, `app/task/Task`. */
function hasQualifier(db: ShardDatabase, symbol: { file: number; qualified: string }, qualifier: string): boolean {
  if (qualifier === '') return true;
  const around = symbol.qualified.slice(0, Math.max(0, symbol.qualified.lastIndexOf('/'))).toLowerCase();
  const suffix = `/${qualifier.toLowerCase()}`;
  if (`/${around}`.endsWith(suffix)) return true;
  const file = pathOf(db, symbol.file).toLowerCase();
  if (
    definitionOf(file)?.packsFolders === true &&
    `/${file.slice(0, file.lastIndexOf('/') + 1)}${around}`.replace(/\/$/, '').endsWith(suffix)
  )
    return true;
  const path = file.replace(/\.[^./]+$/, '');
  return `/${around === '' ? path : `${path}/${around}`}`.endsWith(suffix);
}

/** The symbols that a name means: in the file that it names, if it does; as it is written, else as it may be meant. */
function symbolsByName(db: ShardDatabase, query: string): number[] {
  for (const name of [bareName(query), ...looserNames(query)]) {
    const inFile = symbolsInFile(db, name);
    const overloads = inFile.length > 0 ? inFile : overloadsNamed(db, name);
    if (overloads.length > 0) return overloads;
  }
  return [];
}

/** `path/file.py:Symbol`, `file.ts#Class.method`, `file.py::Class::method`, `Symbol@path`. */
function symbolsInFile(db: ShardDatabase, query: string): number[] {
  const parted = [...query.matchAll(/::|[:#/]/g)].map(
    ({ index, 0: mark }) => [query.slice(0, index), query.slice(index + mark.length)] as const,
  );
  const [, named, at] = /^([^@]+)@([^@]+)$/.exec(query) ?? [];
  if (named !== undefined && at !== undefined) parted.push([at, named]);
  for (const [path, name] of parted) {
    if (name === '' || !/[^.]\.\w+$/.test(path)) continue;
    const files = new Set(filesMeant(db, path));
    const overloads = files.size === 0 ? [] : overloadsNamed(db, name).filter((id) => files.has(fileOfSymbol(db, id)));
    if (overloads.length > 0) return overloads;
  }
  return [];
}

/** The symbols of a name; of overloads those that take what is in brackets behind it, when one does. */
function overloadsNamed(db: ShardDatabase, query: string): number[] {
  const [, before = '', parameters = ''] = /^([^()]+)(\(.+\))$/.exec(query.trim()) ?? [];
  if (parameters === '') return symbolsWithName(db, query);
  const candidates = symbolsWithName(db, before);
  const signature = parameters.replaceAll(/\s/g, '');
  const rows = symbolRows(db, candidates).filter((row) => row.parameters.replaceAll(/\s/g, '') === signature);
  return rows.length > 0 ? rows.map(({ id }) => id) : candidates;
}

function symbolsWithName(db: ShardDatabase, query: string): number[] {
  const { qualifier, name } = splitQuery(query);
  const rows = symbolsCalled(db, [name]);
  const matches = sameCase(
    rows.filter((row) => hasQualifier(db, row, qualifier)),
    { qualifier, name },
  );
  if (matches.length > 0 || qualifier === '') return matches.map(({ id }) => id);
  const whole = symbolsWithSlash(db, query.trim());
  const ofRoot = whole.length > 0 ? whole : rows.filter((row) => isOfRootPackage(db, row, { qualifier, name }));
  return (ofRoot.length > 0 ? ofRoot : inLooserQualifier(db, rows, { qualifier, name })).map(({ id }) => id);
}

/** Those in the case as written, the name before the qualifier; all when none is. */
function sameCase(
  rows: readonly NamedSymbol[],
  { qualifier, name }: { qualifier: string; name: string },
): readonly NamedSymbol[] {
  const exact = rows.filter((row) => row.name === name);
  const selected = exact.length > 0 ? exact : rows;
  const scoped = selected.filter((row) => `/${row.qualified}`.endsWith(`/${qualifier}/${row.name}`));
  return scoped.length > 0 ? scoped : selected;
}

/**
 * `flask.Flask.route`, `com.shop.Mailer.send`: packages hand on what other files define, and their names need not be in a path. So
 * a folder may stand for its package, and what the name begins with may be of no file; its last part must fit.
 */
function inLooserQualifier(
  db: ShardDatabase,
  rows: readonly NamedSymbol[],
  { qualifier, name }: { qualifier: string; name: string },
): readonly NamedSymbol[] {
  const parts = qualifier.split('/');
  for (let from = 0; from < parts.length; from += 1) {
    const tail = parts.slice(from).join('/');
    const matches = rows.filter((row) => hasQualifier(db, row, tail) || isInFolder(db, row, tail));
    if (matches.length > 0) return sameCase(matches, { qualifier: tail, name });
  }
  return [];
}

function isInFolder(db: ShardDatabase, { file, qualified }: NamedSymbol, qualifier: string): boolean {
  const path = pathOf(db, file);
  const around = qualified.slice(0, Math.max(0, qualified.lastIndexOf('/')));
  const whole = `/${path.slice(0, path.lastIndexOf('/') + 1)}${around}`.replace(/\/$/, '');
  return whole.toLowerCase().endsWith(`/${qualifier.toLowerCase()}`);
}

interface NamedSymbol {
  id: number;
  file: number;
  qualified: string;
  name: string;
}

function symbolsCalled(db: ShardDatabase, names: readonly string[]): NamedSymbol[] {
  return db
    .prepare(
      `select s.id, s.file, s.qualified, n.text as name
         from json_each(?) j join name n on n.text = j.value collate nocase join symbol s on s.name = n.id order by s.id`,
    )
    .all(JSON.stringify(names)) as unknown as NamedSymbol[];
}

/** Symbols whose own name has a slash, by their qualified name: `routes/GET /users`. */
function symbolsWithSlash(db: ShardDatabase, qualified: string): NamedSymbol[] {
  const names = [...qualified.matchAll(/(?:^|\/)(?=(.))/g)].map((slash) =>
    qualified.slice(slash.index).replace(/^\//, ''),
  );
  return symbolsCalled(db, [...new Set(names)]).filter((row) => row.qualified === qualified);
}

/** `caddy.Context`: a package that is a folder and lies at the root of its module has a name that no path tells. */
function isOfRootPackage(
  db: ShardDatabase,
  row: NamedSymbol,
  { qualifier, name }: { qualifier: string; name: string },
): boolean {
  const path = pathOf(db, row.file);
  return (
    row.qualified === name &&
    /^[a-z]\w*$/.test(qualifier) &&
    !path.includes('/') &&
    definitionOf(path)?.packsFolders === true
  );
}
