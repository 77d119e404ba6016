import { baseName, folderPrefix, joinSpecifier } from '../../kernel/paths.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type BuildEntry, isOfferedEntry, SOURCE_ENDINGS, sourceFile } from '../entries/package-entries.ts';
import { conventionOf, hasModulePaths, importsByItself, isCalledByName, rulesOf } from './conventions.ts';
import { filesLoaded, globbedPaths } from './loaded-files.ts';
import { holderOf, importsOf, isInNamespace, kindAt, readFileUses, type SymbolColumns } from './store-symbols.ts';
import type { TextClues } from './store-texts.ts';
import { packageMains } from '../dependencies/store-entry-points.ts';

/** One file of the index. */
export interface DeadCodeFile {
  id: number;
  path: string;
  language: string;
  test: number;
  generated: number;
}

/** From where code is reached, by what says so. */
export interface DeadCodeRoots {
  /** Symbols that live whatever tests do, and those that tests reach. */
  code: Set<number>;
  tests: Set<number>;
  /** Symbols that other programs may use: exported from an entry file, or re-exported by one. */
  offered: Set<number>;
  /** Exported from a file that is built for the program itself and loaded by its path: by name, if at all. */
  built: Set<number>;
  /** Number of roots of each sort, for people. */
  counts: Record<string, number>;
  /** Files that an import means which is not resolved, where a builder replaces its beginning by a folder. */
  aliased: Set<number>;
  /** An entry file of a JavaScript package is known. */
  hasEntries: boolean;
}

interface Gathering {
  db: ShardDatabase;
  files: readonly DeadCodeFile[];
  symbols: SymbolColumns;
  clues: TextClues;
  names: readonly string[];
  /** Names that something unresolved uses. */
  named: ReadonlySet<number>;
  fileOfPath: ReadonlyMap<string, number>;
}

export function findRoots(gathering: Omit<Gathering, 'fileOfPath'>): DeadCodeRoots {
  const all: Gathering = {
    ...gathering,
    fileOfPath: new Map(gathering.files.map(({ path, id }) => [path, id])),
  };
  const roots: DeadCodeRoots = {
    code: new Set(),
    tests: new Set(),
    offered: new Set(),
    built: new Set(),
    aliased: aliasedFiles(all),
    counts: {},
    hasEntries: false,
  };
  addFileCode(all, roots);
  addOffered(all, roots);
  addWholeModules(all, roots);
  addLoadedModules(all, roots);
  addConventions(all, roots);
  addNamed(all, roots);
  return roots;
}

/** The files that imports such as `@site/src/parts` or `~/parts/one` may mean: those that end so, where nothing is resolved. */
function aliasedFiles({ db, files, clues }: Gathering): Set<number> {
  const stems = Map.groupBy(files, ({ path }) => stemOf(path).split('/').at(-1) ?? '');
  const entries = new Set<number>();
  for (const [file, { aliased }] of clues.modules) {
    if (aliased.length === 0) continue;
    const resolved = new Set(importsOf(db, file));
    for (const specifier of aliased) {
      const tail = stemOf(specifier.slice(specifier.indexOf('/') + 1));
      const meant = (stems.get(tail.split('/').at(-1) ?? '') ?? []).filter(
        ({ path }) => stemOf(path) === tail || stemOf(path).endsWith(`/${tail}`),
      );
      // Of several the resolved one is meant.
      if (!meant.some(({ id }) => resolved.has(id))) for (const { id } of meant) entries.add(id);
    }
  }
  return entries;
}

/** A path without ending, and without `index`, which a folder stands for. */
function stemOf(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
}

/** Code outside symbols runs when its file is loaded, and so do the values of top-level constants. */
function addFileCode({ db, files, symbols }: Gathering, { code, tests, counts }: DeadCodeRoots): void {
  for (const [file, { used }] of readFileUses(db)) {
    const into = files[file]?.test === 1 ? tests : code;
    for (const symbol of used) into.add(symbol);
  }
  for (const { test, id, generated } of files)
    if (test === 1 && generated === 0 && hasSymbols(symbols, id)) count(counts, 'test files');
}

/** Adds what packages offer: the exports of their entry files, and what those re-export. */
function addOffered(all: Gathering, roots: DeadCodeRoots): void {
  const { db, symbols, clues } = all;
  const entries = packageMains(db);
  for (const id of entries)
    if (hasSymbols(symbols, id) || clues.modules.has(id)) count(roots.counts, 'package entries');
  roots.hasEntries = [...entries].some((id) => clues.modules.has(id));
  const built = new Set<number>();
  for (const [file, named] of clues.buildEntries) addBuilt(all, file, { named, entries, built });
  for (const _ of built) count(roots.counts, 'files named in configuration');
  for (const symbol of handedOut(all, entries)) roots.offered.add(symbol);
  for (const symbol of roots.offered) roots.code.add(symbol);
  for (const symbol of handedOut(
    all,
    [...built].filter((entry) => !entries.has(entry)),
  ))
    roots.built.add(symbol);
}

/**
 * The files that a build file names. They are entries like those of a manifest, but where that file and the manifest
 * beside it agree on some names, what the manifest leaves out is built for the program itself, such as a worker.
 */
function addBuilt(
  { files, clues, fileOfPath }: Gathering,
  file: number,
  { named, entries, built }: { named: readonly BuildEntry[]; entries: Set<number>; built: Set<number> },
): void {
  const path = files[file]?.path ?? '';
  const folder = folderPrefix(path);
  const offered = clues.declaredOutputs.get(folder) ?? new Set<string>();
  const paths = new Set(fileOfPath.keys());
  const entryFiles = named.flatMap((entryPoint) => {
    const entry = fileOfPath.get(sourceFile(folder, entryPoint.path, paths) ?? '');
    return entry === undefined || entry === file || !clues.modules.has(entry)
      ? []
      : [{ entry, isOffered: isOfferedEntry(entryPoint, offered) }];
  });
  // A manifest, such as `jsr.json`, only names what is offered.
  const areStated = entryFiles.some(({ isOffered }) => isOffered) && /\.[cm]?[jt]s$/.test(path);
  for (const { entry, isOffered } of entryFiles) {
    if (!entries.has(entry)) built.add(entry);
    if (isOffered || !areStated) entries.add(entry);
  }
}

/** Symbols that some files export, define or import, and those of the modules that they re-export whole. */
function handedOut({ db, files, symbols, clues, fileOfPath }: Gathering, entries: Iterable<number>): Set<number> {
  const uses = readFileUses(db);
  const waiting = [...entries];
  const visited = new Set<number>();
  const out = new Set<number>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (visited.has(file)) continue;
    visited.add(file);
    for (const symbol of exportsOf(symbols, file)) out.add(symbol);
    for (const symbol of uses.get(file)?.all ?? []) out.add(symbol);
    for (const specifier of clues.modules.get(file)?.handedOn ?? [])
      waiting.push(...targetsOf({ db, files, fileOfPath }, file, specifier));
  }
  return out;
}

/** Modules that escape as a value keep all they export, what they hand on by name included. */
function addWholeModules(gathering: Gathering, roots: DeadCodeRoots): void {
  const { db, files, symbols, clues, fileOfPath } = gathering;
  const uses = readFileUses(db);
  for (const [file, { escaping, loaded }] of clues.modules) {
    const into = files[file]?.test === 1 ? roots.tests : roots.code;
    const waiting = escaping.flatMap((specifier) => targetsOf({ db, files, fileOfPath }, file, specifier));
    waiting.push(...loaded.flatMap((glob) => globbedFiles(gathering, file, glob)));
    const visited = new Set<number>();
    for (let target = waiting.pop(); target !== undefined; target = waiting.pop()) {
      if (visited.has(target)) continue;
      visited.add(target);
      if (files[file]?.test !== 1) count(roots.counts, 'modules used whole');
      for (const symbol of exportsOf(symbols, target)) into.add(symbol);
      for (const symbol of uses.get(target)?.all ?? []) into.add(symbol);
      for (const specifier of clues.modules.get(target)?.handedOn ?? [])
        waiting.push(...targetsOf({ db, files, fileOfPath }, target, specifier));
    }
  }
}

/** Adds modules that are loaded by names which only a run shows. Listing a folder says little where nothing is loaded so. */
function addLoadedModules({ files, symbols, clues }: Gathering, roots: DeadCodeRoots): void {
  const counted = new Set<number>();
  const loads = [...clues.loadedModules].some(([file, loaded]) => loaded.loads && files[file]?.test !== 1);
  for (const [file, loaded] of clues.loadedModules) {
    const { path = '', test, language } = files[file] ?? {};
    const sources = files.filter((other) => other.language === language && other.id !== file && other.test === test);
    const byFolder = Map.groupBy(sources, (other) => folderPrefix(other.path));
    const into = test === 1 ? roots.tests : roots.code;
    for (const target of filesLoaded(folderPrefix(path), { ...loaded, ...(!loads && { folders: [] }) }, byFolder)) {
      // Several files may load one.
      if (test !== 1 && !counted.has(target)) count(roots.counts, 'modules loaded by a computed name');
      counted.add(target);
      for (const symbol of exportsOf(symbols, target)) into.add(symbol);
    }
  }
}

/** The scripts that a glob in a file means. */
function globbedFiles({ files, clues }: Gathering, file: number, glob: string): number[] {
  const pattern = globbedPaths(folderPrefix(files[file]?.path ?? ''), glob);
  if (pattern === undefined) return [];
  return files.flatMap(({ id, path }) =>
    id !== file && clues.modules.has(id) && pattern.test(path.replace(/\.[cm]?[jt]sx?$/, '')) ? [id] : [],
  );
}

/**
 * The files of programs, in languages that tell them: those that say so, and all of a module whose root is a program, which
 * nobody imports for its packages.
 */
function filesOfPrograms({ files, clues }: Gathering): Set<number> {
  const programs = new Set(clues.programs);
  for (const [language, sources] of Map.groupBy(files, (file) => file.language)) {
    const programRules = rulesOf(language)?.programs;
    if (programRules === undefined) continue;
    const inFolders = Map.groupBy(
      sources.filter(({ test }) => test === 0),
      ({ path }) => folderPrefix(path),
    );
    const isProgram = (folder: string): boolean => {
      const roots = inFolders.get(folder) ?? [];
      return roots.length > 0 && roots.every(({ id }) => clues.programs.has(id));
    };
    const modules = new Set(
      files.flatMap(({ path }) => (baseName(path) === programRules.moduleFile ? [folderPrefix(path)] : [])),
    );
    for (const { id, path } of sources) {
      const module = nearestFolder(path, modules);
      if (module !== undefined && isProgram(module)) programs.add(id);
    }
  }
  return programs;
}

/** The innermost of some folders that a file lies in. */
function nearestFolder(path: string, folders: ReadonlySet<string>): string | undefined {
  for (let folder = folderPrefix(path); ; folder = folderPrefix(folder.slice(0, -1))) {
    if (folders.has(folder)) return folder;
    if (folder === '') return undefined;
  }
}

function addConventions(all: Gathering, { code, tests, counts, offered }: DeadCodeRoots): void {
  const { files, symbols, clues } = all;
  const programs = filesOfPrograms(all);
  for (const { id, path, language, test } of files) {
    const convention = conventionOf(path, clues.packages);
    if (convention !== undefined && hasSymbols(symbols, id)) count(counts, `${convention} files`);
    const isLibrary = rulesOf(language)?.offersExports?.(path, programs.has(id)) === true;
    if (!isLibrary && (convention === undefined || test === 1)) continue;
    for (const symbol of exportsOf(symbols, id)) {
      (test === 1 ? tests : code).add(symbol);
      if (isLibrary) offered.add(symbol);
    }
    if (isLibrary && test === 0) count(counts, `${language} library files`);
  }
}

/** Adds what a language or framework calls by its name, and what a decorator registers. */
function addNamed({ files, symbols, clues, names, named }: Gathering, { code, tests, counts }: DeadCodeRoots): void {
  const isImportless = importsByItself(clues.packages);
  for (let symbol = 0; symbol < symbols.count; symbol += 1) {
    const file = files[symbols.files[symbol] ?? 0];
    if (file === undefined) continue;
    const rules = rulesOf(file.language);
    const name = symbols.names[symbol] ?? 0;
    const holder = holderOf(symbols, symbol);
    const isMember = holder >= 0;
    const isRegistered = clues.registered.has(symbol);
    const isCalled = isCalledByName(file.language, names[name] ?? '', isMember);
    const isInTemplate = clues.inTemplates.has(name) && (isImportless || !isOfModule(symbols, symbol, file.language));
    const isInBlock = clues.inBlocks.has(symbol) && !isInNamespace(symbols, symbol, file.language);
    const isByPath = hasModulePaths(file.language) && clues.byPath.has(file.path, names[name] ?? '');
    const isInMacro = rules?.hasMacros === true && named.has(name);
    // Methods outside of their type live with it, an interface that is not here may ask for them; and so do the functions of a
    // literal without a name, which is given to something.
    const isLoose = !isMember && (kindAt(symbols, symbol) === 'method' || kindAt(symbols, symbol) === 'property');
    // Runners of tests look for methods with a mark, or with a name of some form.
    const isTest = isMember && rules?.testMethods?.test(names[name] ?? '') === true;
    if ((isRegistered || isTest) && file.test === 1)
      for (let around = symbol; around >= 0; around = symbols.parents[around] ?? -1) tests.add(around);
    if (isMember && rules?.programMethods?.test(names[name] ?? '') === true)
      for (let around = symbol; around >= 0; around = symbols.parents[around] ?? -1) code.add(around);
    // Elsewhere a member that its name or a mark calls is no reason to keep a class that nobody uses.
    if (!isMember && (isByPath || isRegistered || isCalled || isInTemplate || isLoose || isInMacro || isInBlock)) {
      (file.test === 1 ? tests : code).add(symbol);
      if (isRegistered) count(counts, 'registered by decorators or annotations');
      else if (isByPath) count(counts, 'named by their module path');
      else if (isCalled && file.test !== 1) count(counts, 'called by name');
    }
  }
}

/** True if a symbol is exported from a script: a template gets it by an import, which is resolved, or not at all. */
function isOfModule({ exported }: SymbolColumns, symbol: number, language: string): boolean {
  return exported[symbol] === 1 && rulesOf(language)?.hasPathModules === true;
}

/** Symbols that a file offers, members of a module in it included: what holds a public name may be re-exported whole. */
function exportsOf(columns: SymbolColumns, file: number): number[] {
  const { firstSymbols, exported, count: total } = columns;
  const last = firstSymbols[file + 1] ?? total;
  const symbolIds: number[] = [];
  for (let symbol = firstSymbols[file] ?? 0; symbol < last; symbol += 1) {
    const parent = holderOf(columns, symbol);
    if (exported[symbol] === 1 && (parent < 0 || exported[parent] === 1)) symbolIds.push(symbol);
  }
  return symbolIds;
}

function hasSymbols({ firstSymbols, count: total }: SymbolColumns, file: number): boolean {
  return (firstSymbols[file + 1] ?? total) > (firstSymbols[file] ?? 0);
}

/** The files that a specifier in a file means: a relative path, or what it imports under such a name. */
function targetsOf(
  { db, files, fileOfPath }: Pick<Gathering, 'db' | 'files' | 'fileOfPath'>,
  file: number,
  specifier: string,
): number[] {
  const path = files[file]?.path ?? '';
  const tail = specifier.replace(/^[./@~#]*/, '').replace(/\.[cm]?[jt]sx?$/, '');
  if (specifier.startsWith('.')) {
    const base = joinSpecifier(folderPrefix(path), specifier);
    for (const ending of ENDINGS) {
      const fileId = fileOfPath.get(base.replace(/\.[cm]?jsx?$/, '') + ending) ?? fileOfPath.get(base + ending);
      if (fileId !== undefined) return [fileId];
    }
  }
  if (specifier.startsWith('/') || specifier.startsWith('node:')) return [];
  const name = tail.split('/').at(-1) ?? tail;
  return importsOf(db, file).filter((target) => {
    const imported = (files[target]?.path ?? '').replace(/(\/index)?\.[^./]+$/, '');
    return imported.endsWith(`/${tail}`) || imported.endsWith(`/${name}/src`);
  });
}

const ENDINGS = ['', ...SOURCE_ENDINGS];

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}
