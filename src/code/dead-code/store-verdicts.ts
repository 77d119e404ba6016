import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type DeadCodeRules, type DeclaredSymbol, definitionOf } from '../../languages/languages.ts';
import { isCalledByName, isUsedUnchanged, isPlaceholder, rulesOf } from './conventions.ts';
import { isUnusedPrivate, tellsPrivateOnly } from './private-symbols.ts';
import type { SymbolKind } from '../../code-index/format/rows.ts';
import { USE_CODES } from '../../code-index/format/shard-input.ts';
import { doubtOfFile, type Twins } from './platform.ts';
import type { DeadCodeFile, DeadCodeRoots } from './store-roots.ts';
import { holderOf, importsOf, isNamespace, kindAt, type SymbolColumns } from './store-symbols.ts';
import type { TextClues } from './store-texts.ts';
import { hasBase, hasUnknownBase, signatureOf } from './store-bases.ts';
import { countCalls, declarationIn, isSetOnObject, isWholeRead, runsAtLoad, runsWhenDefined } from './text.ts';
import { isShown } from '../../kernel/path-kinds.ts';
import { TextReader } from '../files/store-files.ts';
import { usesOf } from '../usages/store-usages.ts';

/** `certain`: nothing found can use it. `likely`: nothing resolved does, but something may. `test_only`: tests use it, and nothing else. */
export type Certainty = 'certain' | 'likely' | 'test_only';

export interface Verdict {
  symbol: number;
  certainty: Certainty;
  reason: string;
}

/** Input of verdicts. */
export interface Judging {
  db: ShardDatabase;
  files: readonly DeadCodeFile[];
  names: readonly string[];
  symbols: SymbolColumns;
  clues: TextClues;
  roots: DeadCodeRoots;
  twins: Twins;
  /** 1 where code reaches, and where code or tests do. */
  alive: Uint8Array;
  reached: Uint8Array;
  /** By file, 1 where its code uses something of another file or is used there. */
  joined: Uint8Array;
  /** Names that something unresolved uses. */
  named: ReadonlySet<number>;
  /** The text of a file; cheap again for the file that was asked last. */
  textOf: (file: number) => string;
}

const TOP_KINDS: ReadonlySet<SymbolKind> = new Set([
  'function',
  'class',
  'interface',
  'type',
  'enum',
  'struct',
  'trait',
  'constant',
  'variable',
  'macro',
]);
const MEMBER_KINDS: ReadonlySet<SymbolKind> = new Set(['method', 'property', 'enum_member', 'function', 'constant']);
const HOLDERS: ReadonlySet<SymbolKind | undefined> = new Set(['class', 'struct', 'enum']);

const NOTHING = 'nothing uses it';

/** Reads of a class that are looked at to see whether it escapes; one with more is taken to. */
const MOST_READS = 500;
/** Dead users that the reason of a row names. */
const MOST_USERS = 3;
/** Of a file that is read again for the calls in it. */
const MOST_LINES = 100_000;
const READ = USE_CODES.indexOf('read');
const TEST_USE = USE_CODES.indexOf('test');

/**
 * Reason why a symbol is dead, or undefined when it is not, or cannot be decided. What a build or a condition chooses is never
 * certain.
 */
export function judge(judging: Judging, symbol: number): Verdict | undefined {
  const verdict = judgeUses(judging, symbol);
  const doubt = verdict?.certainty === 'certain' ? doubtOfFile(judging, symbol) : undefined;
  if (verdict === undefined || doubt === undefined) return verdict;
  return { ...verdict, certainty: 'likely', reason: `${verdict.reason}; ${doubt}` };
}

function judgeUses(judging: Judging, symbol: number): Verdict | undefined {
  const { files, symbols, reached, clues } = judging;
  const file = files[symbols.files[symbol] ?? 0];
  if (file === undefined || file.generated === 1 || isUsedUnchanged(file.path)) return undefined;
  if (tellsPrivateOnly(file.language)) return judgePrivate(judging, symbol, file);
  if (rulesOf(file.language) === undefined) return undefined;
  if (clues.typings.has(file.id) || definitionOf(file.path)?.declaringFiles?.test(file.path) === true) return undefined;
  if (/\.(d|test-d)\.[cm]?tsx?$|(^|\/)(__tests_dts__|test-d|type-tests?|dtslint)\//.test(file.path)) return undefined;
  const parent = holderOf(symbols, symbol);
  if (parent < 0 && kindAt(symbols, symbol) === 'method') return judgeLooseMethod(judging, symbol, file);
  if (parent < 0) return judgeTop(judging, symbol, file);
  return reached[parent] === 1 ? judgeMember(judging, symbol, { file, parent }) : undefined;
}

/** A symbol of a language of which only private ones are told. Inside one that is told nothing else is. */
function judgePrivate(judging: Judging, symbol: number, file: DeadCodeFile): Verdict | undefined {
  if (isMentioned(judging, symbol)) return undefined;
  if (!isUnusedPrivate(file.language, asDeclared(judging, symbol), judging.textOf(file.id))) return undefined;
  const parent = holderOf(judging.symbols, symbol);
  if (parent >= 0 && judgePrivate(judging, parent, file) !== undefined) return undefined;
  return { symbol, certainty: 'likely', reason: `${NOTHING}, and only its file could` };
}

function judgeTop(judging: Judging, symbol: number, file: DeadCodeFile): Verdict | undefined {
  const { symbols, alive, reached, clues, roots, names } = judging;
  if (!isJudgedTop(symbols, symbol, file.language) || clues.inBlocks.has(symbol)) return undefined;
  if (isPlaceholder(names[symbols.names[symbol] ?? 0] ?? '')) return undefined;
  if (roots.built.has(symbol)) return judgeBuilt(judging, symbol);
  if (alive[symbol] === 1) return undefined;
  // What has the object may call it.
  if (isSetOnObject(signatureOf(judging.db, symbol))) return undefined;
  const name = symbols.names[symbol] ?? 0;
  const isOffered = rulesOf(file.language)?.offersDocumented === true && symbols.exported[symbol] === 1;
  if (isOffered && clues.documented.has(name)) return undefined;
  if (reached[symbol] === 1) {
    return file.test === 1 ? undefined : { symbol, certainty: 'test_only', reason: 'only tests use it' };
  }
  const doubt = doubtOf(judging, symbol, file);
  const why = (symbols.references[symbol] ?? 0) === 0 ? NOTHING : usersOf(judging, symbol);
  return {
    symbol,
    certainty: doubt === undefined ? 'certain' : 'likely',
    reason: doubt === undefined ? why : `${why}; ${doubt}`,
  };
}

function isJudgedTop(symbols: SymbolColumns, symbol: number, language: string): boolean {
  return TOP_KINDS.has(kindAt(symbols, symbol)) || isNamespace(symbols, symbol, language);
}

/** Describes the users of a dead symbol: others that are dead, by name, or nothing but itself and what re-exports it. */
function usersOf({ db, symbols }: Judging, symbol: number): string {
  const isOwn = (user: number): boolean => {
    for (let around = user; around >= 0; around = symbols.parents[around] ?? -1) if (around === symbol) return true;
    return false;
  };
  const users = new Set(usesOf(db, symbol).flatMap(({ enclosing }) => (isOwn(enclosing) ? [] : [enclosing])));
  users.delete(-1);
  if (users.size === 0) return 'only itself, imports or exports use it';
  const named = db.prepare('select qualified from symbol where id = ?');
  const shown = [...users].slice(0, MOST_USERS).map((user) => (named.get(user) as { qualified: string }).qualified);
  const more = users.size > shown.length ? ` and ${users.size - shown.length} more` : '';
  return `only code that nothing reaches uses it: ${shown.join(', ')}${more}`;
}

/** An export of a file that is loaded by its path. What loads it takes the default, and the others by name. */
function judgeBuilt({ db, symbols, names, clues }: Judging, symbol: number): Verdict | undefined {
  const name = symbols.names[symbol] ?? 0;
  if ((symbols.references[symbol] ?? 0) > 0 || names[name] === 'default') return undefined;
  if (/^export default\b/.test(signatureOf(db, symbol))) return undefined;
  const doubt = clues.quoted.has(name) ? 'its name appears in a string or in data' : 'something may take it by name';
  return {
    symbol,
    certainty: 'likely',
    reason: `${NOTHING}, but the build makes its file loadable by path; ${doubt}`,
  };
}

/** Reason to doubt that a top-level symbol is dead. */
function doubtOf(judging: Judging, symbol: number, { language, path }: DeadCodeFile): string | undefined {
  const { symbols, clues, roots, named, names } = judging;
  const name = symbols.names[symbol] ?? 0;
  const isExported = symbols.exported[symbol] === 1;
  if (named.has(name)) return 'an unresolved reference has its name';
  if (clues.quoted.has(name)) return 'its name appears in a string or in data';
  if (clues.inTemplates.has(name)) return 'its name appears in a template';
  if (isShown(path)) return 'it is in an example';
  if (isExported && roots.aliased.has(symbols.files[symbol] ?? 0))
    return 'an import that is not resolved may mean its file';
  const rules = rulesOf(language);
  if (rules?.isScript?.(path, judging.textOf(symbols.files[symbol] ?? 0)) === true)
    return 'its file is no module, so what is loaded with it may use it';
  if (rules?.buildsNames === true && isBuilt(clues, names[name] ?? ''))
    return 'a name that begins like it is put together';
  const isImportable = rules?.isImportable?.(asDeclared(judging, symbol)) === true;
  if (isImportable && !clues.programs.has(symbols.files[symbol] ?? 0)) return 'other programs can import it';
  if (isExported && rules?.hasPathModules === true) {
    const isProgram = clues.programFolders.has(packageOf(judging, path));
    if (!isProgram && !roots.hasEntries) return 'no entry file of a package is known, so other programs may use it';
    if (isProgram && !isImported(judging, symbols.files[symbol] ?? 0))
      return 'nothing imports its file, so a framework may take it by its place';
  }
  const kind = kindAt(symbols, symbol);
  if (kind === 'module') return 'its code runs when its file is loaded';
  if (kind === 'class') return doubtOfClass(judging, symbol, language);
  if (kind !== 'constant' && kind !== 'variable') return undefined;
  if (isCounted(judging, symbol, rules)) return 'the constants below it are counted from it';
  return runsAtLoad(declarationOf(judging, symbol))
    ? 'its value comes from a call, which may have side effects'
    : undefined;
}

/** A class that something may take because of its bases, or that runs code where it is defined. */
function doubtOfClass(judging: Judging, symbol: number, language: string): string | undefined {
  const { db, clues } = judging;
  const registers = rulesOf(language)?.registersSubclasses !== undefined;
  if (registers && hasUnknownBase(db, symbol, language))
    return 'its base class is not in this repository and may take it';
  if (clues.subclassTakers.has(language) && hasBase(db, symbol, language))
    return 'its base class may take what derives from it';
  return runsWhenDefined(declarationOf(judging, symbol)) ? 'its definition runs code' : undefined;
}

/** The folder of the manifest of the JavaScript package that a file is part of: `''`, or with `/` at the end; `-` for none. */
function packageOf({ clues }: Judging, path: string): string {
  for (let folder = path; folder !== '';) {
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
    if (clues.declaredOutputs.has(folder)) return folder;
  }
  return '-';
}

/** True if another file imports a file. */
function isImported({ db, files }: Judging, file: number): boolean {
  const imported = db.derived(
    'dead_code_imported',
    () => new Set(files.flatMap(({ id }) => importsOf(db, id).filter((target) => target !== id))),
  );
  return imported.has(file);
}

/** A method that stands outside of its type: only a private one that no interface or trait may ask for. */
function judgeLooseMethod(judging: Judging, symbol: number, file: DeadCodeFile): Verdict | undefined {
  if (isMentioned(judging, symbol) || judging.clues.traitMethods.has(symbol) || isRequired(judging, symbol))
    return undefined;
  if (isCalledNearby(judging, symbol, file)) return undefined;
  const isPrivate = rulesOf(file.language)?.isPrivateMethod?.(asDeclared(judging, symbol)) === true;
  return isPrivate ? { symbol, certainty: 'certain', reason: NOTHING } : undefined;
}

/** True if an interface or trait requires a method of this name. */
function isRequired({ db, symbols }: Judging, symbol: number): boolean {
  const requiredNames = db.derived('dead_code_asked', () => {
    const names = new Set<number>();
    for (let id = 0; id < symbols.count; id += 1) {
      const parent = symbols.parents[id] ?? -1;
      if (parent < 0 || kindAt(symbols, id) !== 'method') continue;
      const around = kindAt(symbols, parent);
      if (around === 'interface' || around === 'trait') names.add(symbols.names[id] ?? 0);
    }
    return names;
  });
  return requiredNames.has(symbols.names[symbol] ?? 0);
}

/** True if anything uses a member, by reference, by name, or in a text; or calls it without naming it. */
function isMentioned({ symbols, named, clues }: Judging, symbol: number): boolean {
  const name = symbols.names[symbol] ?? 0;
  if ((symbols.references[symbol] ?? 0) > 0 || (symbols.families[symbol] ?? -1) >= 0) return true;
  // What it overrides is elsewhere, or was not recognised.
  if (clues.overriding.has(symbol)) return true;
  if (named.has(name) || clues.quoted.has(name) || clues.inTemplates.has(name)) return true;
  return clues.registered.has(symbol);
}

function judgeMember(
  judging: Judging,
  symbol: number,
  { file, parent }: { file: DeadCodeFile; parent: number },
): Verdict | undefined {
  const { db, symbols, clues, names, roots } = judging;
  const text = names[symbols.names[symbol] ?? 0] ?? '';
  const kind = kindAt(symbols, symbol);
  const rules = rulesOf(file.language);
  if (!isHolder(kindAt(symbols, parent)) || !MEMBER_KINDS.has(kind)) return undefined;
  if (isMentioned(judging, symbol) || clues.registered.has(parent)) return undefined;
  if (rules?.isDuckTyped === true && isUsedElsewhere(judging, symbol)) return undefined;
  if (isCalledNearby(judging, symbol, file)) return undefined;
  // A key in quotes, such as a brand: it is read by that string, if at all.
  if (/[^\w$#]/.test(text)) return undefined;
  // A constructor, which may be private so that nobody calls it.
  if (text === names[symbols.names[parent] ?? 0]) return undefined;
  if (isCalledByName(file.language, text, true) || isBuilt(clues, text)) return undefined;
  const isPrivate = rules?.isPrivateMember?.(asDeclared(judging, symbol)) ?? symbols.exported[symbol] === 0;
  if (!isPrivate && (roots.offered.has(parent) || roots.built.has(parent))) return undefined;
  if (!isPrivate && rules?.tellsPrivateMembersOnly === true) return undefined;
  if (kind === 'enum_member' && rules?.keepsEnumMembers === true) return undefined;
  const isField = kind === 'property' || kind === 'constant';
  if (isField && (clues.described.has(parent) || kindAt(symbols, parent) === 'struct' || rules?.keepsFields === true))
    return undefined;
  if (hasUnknownBase(db, parent, file.language) || escapes(judging, parent)) return undefined;
  if (kind === 'property' && rules?.reflectedFields !== undefined) {
    if (rules.reflectedFields.except.test(signatureOf(db, parent))) return undefined;
    return { symbol, certainty: 'likely', reason: `${NOTHING}; reflection may read it` };
  }
  if (file.test === 1)
    return { symbol, certainty: 'likely', reason: `${NOTHING}; its class may replace another one in a test` };
  if (isPrivate) return { symbol, certainty: 'certain', reason: NOTHING };
  return { symbol, certainty: 'likely', reason: `${NOTHING}; other code could reach this member` };
}

/** A symbol as the rules of its language ask about it. */
function asDeclared({ db, files, symbols, names }: Judging, symbol: number): DeclaredSymbol {
  return {
    path: files[symbols.files[symbol] ?? 0]?.path ?? '',
    kind: kindAt(symbols, symbol),
    name: names[symbols.names[symbol] ?? 0] ?? '',
    isExported: symbols.exported[symbol] === 1,
    isMember: holderOf(symbols, symbol) >= 0,
    // Read when it is asked for: most rules need no more than the name.
    get signature() {
      return signatureOf(db, symbol);
    },
  };
}

/** True if the values of the constants below are counted from this one. */
function isCounted({ symbols, textOf }: Judging, symbol: number, rules: DeadCodeRules | undefined): boolean {
  if (rules?.isCountedFrom === undefined) return false;
  const lines = textOf(symbols.files[symbol] ?? 0).split('\n');
  return rules.isCountedFrom(lines, (symbols.lines[symbol] ?? 1) - 1);
}

/** True if a member of any class has this name and is used. */
function isUsedElsewhere({ db, symbols }: Judging, symbol: number): boolean {
  const used = db.derived('dead_code_used_members', () => {
    const usedNames = new Set<number>();
    for (let id = 0; id < symbols.count; id += 1)
      if (holderOf(symbols, id) >= 0 && (symbols.references[id] ?? 0) > 0) usedNames.add(symbols.names[id] ?? 0);
    return usedNames;
  });
  return used.has(symbols.names[symbol] ?? 0);
}

/**
 * True if a method of the same name is used, or its file calls something that is no method: such a call may have been resolved
 * to another overload, a variable, or a wrongly assumed type.
 */
function isCalledNearby({ symbols, names, textOf }: Judging, symbol: number, { id }: DeadCodeFile): boolean {
  const { firstSymbols, count, references } = symbols;
  const last = firstSymbols[id + 1] ?? count;
  let declared = 0;
  for (let member = firstSymbols[id] ?? 0; member < last; member += 1) {
    if (symbols.names[member] !== symbols.names[symbol]) continue;
    if ((references[member] ?? 0) > 0) return true;
    declared += 1;
  }
  return countCalls(textOf(id), names[symbols.names[symbol] ?? 0] ?? '') > declared;
}

/** Symbols are judged file by file, and many of one file ask for its text. */
export function lastText(db: ShardDatabase): Judging['textOf'] {
  const reader = new TextReader(db);
  let last = { file: -1, text: '' };
  return (file) => {
    if (last.file !== file) last = { file, text: reader.lines(file, 1, MOST_LINES).join('\n') };
    return last.text;
  };
}

function isBuilt({ prefixes, suffixes }: TextClues, name: string): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix)) || suffixes.some((suffix) => name.endsWith(suffix));
}

/**
 * True if a class is used as a value other than to make one, name its type or reach a member: then any code may read its
 * members.
 */
function escapes(judging: Judging, parent: number): boolean {
  const { db } = judging;
  const answers = db.derived('dead_code_escapes', () => new Map<number, boolean>());
  let answer = answers.get(parent);
  if (answer === undefined) answers.set(parent, (answer = isReadWhole(judging, parent)));
  return answer;
}

/** True if members of a symbol of this kind are judged. */
export function isHolder(kind: SymbolKind | undefined): boolean {
  return HOLDERS.has(kind);
}

/** True if a use reads a class as a value, also in a condition. */
export function isRead({ use }: { use: number }): boolean {
  return use === READ || use === TEST_USE;
}

function isReadWhole({ db, symbols, names }: Judging, parent: number): boolean {
  const reads = usesOf(db, parent).filter(isRead);
  if (reads.length > MOST_READS) return true;
  const length = (names[symbols.names[parent] ?? 0] ?? '').length;
  const reader = new TextReader(db);
  return reads.some(({ file, line, column }) => isWholeRead(reader.lines(file, line, line)[0] ?? '', column, length));
}

/** The text of a constant, from its name on. */
function declarationOf({ db, symbols, names, textOf }: Judging, symbol: number): string {
  const row = db.prepare('select line, end_line as end from symbol where id = ?').get(symbol) as
    | { line: number; end: number }
    | undefined;
  if (row === undefined) return '';
  const name = names[symbols.names[symbol] ?? 0] ?? '';
  return declarationIn(textOf(symbols.files[symbol] ?? 0), { ...row, name });
}
