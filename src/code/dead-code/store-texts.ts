import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { isGenerated } from '../../languages/languages.ts';
import {
  type BuildEntry,
  chosenFiles,
  declaredOutputs,
  isProgram,
  namedEntries,
  sourceFile,
} from '../entries/package-entries.ts';
import { type Lines, type LoadedModules, traitsOf } from '../../languages/languages.ts';
import { rulesOf } from './conventions.ts';
import {
  builtNames,
  codeWords,
  marksOf,
  namedByPath,
  namedInCommands,
  NamedPaths,
  namesInStrings,
  quotedNames,
  templateWords,
  type WholeModules,
  wholeModules,
} from './text.ts';
import { type ChunkRow, TextReader } from '../files/store-files.ts';
import { wordsOf } from '../../text/words.ts';

/** Files that say what is built and run; a path in quotes there is an entry. */
const BUILD_FILE =
  /(^|\/)([\w.-]+\.(config|conf|build|bundle)(\.[\w-]+)*|build|rollup|gulpfile|esbuild|package|wrangler|vercel|deno|jsr|project)\.([cm]?[jt]s|jsonc?|ya?ml|toml)$/i;

/** Fewer declarations without a body are part of a program. */
const LEAST_DECLARED = 10;

/** Clues in the texts of all files beyond references. */
export interface TextClues {
  /** Symbols that a decorator, annotation or attribute registers. */
  registered: Set<number>;
  /** Symbols with marks that only describe them. */
  described: Set<number>;
  /** Names of symbols in strings and data, by id of the name. */
  quoted: Set<number>;
  /** Names of symbols in templates, components and bodies of macros. */
  inTemplates: Set<number>;
  prefixes: string[];
  suffixes: string[];
  /** By file, of scripts only. */
  modules: Map<number, WholeModules>;
  /** Modules that files load at run time, by file, in languages that state it. */
  loadedModules: Map<number, LoadedModules>;
  /** Entries that build files name, by file. */
  buildEntries: Map<number, BuildEntry[]>;
  /** Outputs that manifests of packages name, by the folder of the manifest (`''`, or with `/` at the end). */
  declaredOutputs: Map<string, ReadonlySet<string>>;
  /** Folders of manifests of JavaScript packages that are programs, written as above. */
  programFolders: Set<string>;
  /** Symbols inside a `declare module` or another block of a script, which add to what stands elsewhere, or inside an expression. */
  inBlocks: Set<number>;
  /** Symbols that texts name by the path of their module. */
  byPath: NamedPaths;
  /** Names in documents for people. */
  documented: Set<number>;
  /** Names before a string in the manifests of JavaScript packages: their dependencies are among them. */
  packages: Set<string>;
  /** Scripts that only declare what is elsewhere, as a copy of typings does. */
  typings: Set<number>;
  /** Files that say that they are part of a program. */
  programs: Set<number>;
  /** Symbols that say that they override something. */
  overriding: Set<number>;
  /** Methods in a block that implements a trait. */
  traitMethods: Set<number>;
  /** By file, which choice of a manifest takes it or another one. */
  choices: Map<number, string>;
  /** Beginnings of the paths of files that are part of a build only on a condition. */
  conditional: string[];
  /** Languages in which a text takes classes because they derive from another one. */
  subclassTakers: Set<string>;
}

/** Lines of symbols: by file, ascending. */
interface SymbolPlaces {
  /** Name id and line (from 1) of each symbol. */
  names: Int32Array;
  lines: Int32Array;
  firstSymbols: Int32Array;
}

interface SourceFile {
  id: number;
  path: string;
  language: string;
}

/**
 * Reads every text of the index that may tell something once, or of some files only: about 100 MB a second. `names` are those of the index by
 * their id.
 */
export function readClues(
  db: ShardDatabase,
  names: readonly string[],
  places: SymbolPlaces & { only?: ReadonlySet<number> },
): TextClues {
  const rows = db.prepare('select id, path, language, generated from file order by id').all();
  const files = rows as unknown as (SourceFile & { generated: number })[];
  const nameIds = new Map(names.map((text, id) => [text, id]));
  const clues: TextClues = {
    registered: new Set(),
    described: new Set(),
    quoted: new Set(),
    inTemplates: new Set(),
    prefixes: [],
    suffixes: [],
    modules: new Map(),
    loadedModules: new Map(),
    buildEntries: new Map(),
    declaredOutputs: new Map(),
    programFolders: new Set(),
    inBlocks: new Set(),
    byPath: new NamedPaths(),
    documented: new Set(),
    packages: new Set(),
    typings: new Set(),
    programs: new Set(),
    overriding: new Set(),
    traitMethods: new Set(),
    choices: new Map(),
    conditional: [],
    subclassTakers: new Set(),
  };
  const fileOfPath = new Map(files.map(({ path, id }) => [path, id]));
  const paths = new Set(files.map(({ path }) => path));
  // What a tool wrote may name code that people wrote; what is installed or locked is not of this repository.
  const isRead = files.map((file) => file.generated === 0 || !isGenerated(file.path, ''));
  for (const { file, text } of texts(db, isRead, places.only)) {
    const source = files[file];
    if (source === undefined) continue;
    const [rules, traits] = [rulesOf(source.language), traitsOf(source.language)];
    addWords(clues, source.language, text, nameIds);
    if (rules?.quotesModulePaths === true || traits.text === 'data' || /\bMETA-INF\//.test(source.path))
      for (const name of namedByPath(text)) clues.byPath.add(name);
    if (traits.text === 'commands' || /(^|\/)Procfile$/.test(source.path))
      for (const name of namedInCommands(text)) clues.byPath.add(name);
    if (/(^|\/)package\.json$/.test(source.path)) addManifest(clues, source.path, { text, paths, fileOfPath });
    if (traits.importsModules === true) {
      clues.modules.set(file, wholeModules(text));
      if (isTypings(text)) clues.typings.add(file);
    }
    const loaded = rules?.loadedModules?.(text);
    if (loaded !== undefined) clues.loadedModules.set(file, loaded);
    if (BUILD_FILE.test(source.path)) clues.buildEntries.set(file, namedEntries(text));
    if (rules?.programs?.text.test(text) === true) clues.programs.add(file);
    clues.conditional.push(...(rules?.conditionalPaths?.(source.path, text) ?? []));
    if (rules?.registersSubclasses?.test(text) === true) clues.subclassTakers.add(source.language);
    if (rules !== undefined) addLines(clues, source, text, places);
  }
  return clues;
}

/** Adds what a `package.json` names. */
function addManifest(
  clues: TextClues,
  path: string,
  { text, paths, fileOfPath }: { text: string; paths: ReadonlySet<string>; fileOfPath: ReadonlyMap<string, number> },
): void {
  for (const [, name = ''] of text.matchAll(/"([^"\s]+)"\s*:\s*"/g)) clues.packages.add(name);
  const folder = path.slice(0, -'package.json'.length);
  clues.declaredOutputs.set(folder, declaredOutputs(text));
  if (isProgram(folder, text, paths)) clues.programFolders.add(folder);
  for (const [at, chosen] of chosenFiles(text).entries())
    for (const named of chosen) {
      const id = fileOfPath.get(sourceFile(folder, named, paths) ?? '');
      if (id !== undefined) clues.choices.set(id, `${path} ${at}`);
    }
}

/** True if most of what a script exports is declared only. */
function isTypings(text: string): boolean {
  if (!text.includes('declare ')) return false;
  const declared = text.match(/^(?:export )?declare /gm)?.length ?? 0;
  return declared >= LEAST_DECLARED && declared * 2 > (text.match(/^export /gm)?.length ?? 0);
}

function addWords(clues: TextClues, language: string, text: string, nameIds: ReadonlyMap<string, number>): void {
  const add = (into: Set<number>, name: string): void => {
    const id = nameIds.get(name);
    if (id !== undefined) into.add(id);
  };
  const kind = traitsOf(language).text;
  if (kind === 'template' || kind === 'markup')
    for (const word of templateWords(kind === 'markup', text)) add(clues.inTemplates, word);
  else if (kind === 'data') for (const word of wordsOf(text, 'asciiName')) add(clues.quoted, word);
  else if (kind === 'document') for (const word of codeWords(text)) add(clues.documented, word);
  else for (const names of [quotedNames(text), namesInStrings(text)]) for (const name of names) add(clues.quoted, name);
  const rules = rulesOf(language);
  if (rules !== undefined) {
    for (const name of rules.looseNames?.(text) ?? []) add(clues.inTemplates, name);
    const { prefixes, suffixes } = builtNames(text);
    clues.prefixes.push(...prefixes);
    clues.suffixes.push(...suffixes);
  }
}

function addLines(clues: TextClues, { id, language }: SourceFile, text: string, places: SymbolPlaces): void {
  const { firstSymbols } = places;
  const first = firstSymbols[id] ?? 0;
  const last = firstSymbols[id + 1] ?? places.names.length;
  if (first === last) return;
  const lines = linesOf(text);
  const [rules, { importsModules }] = [rulesOf(language), traitsOf(language)];
  const registers = (index: number): boolean => marksOf(lines, index) === 'registers';
  for (let symbol = first; symbol < last; symbol += 1) {
    const line = (places.lines[symbol] ?? 1) - 1;
    const marks = marksOf(lines, line);
    if (marks === 'registers') clues.registered.add(symbol);
    if (marks === 'harmless') clues.described.add(symbol);
    if (importsModules === true && isInside(lines.at(line) ?? '')) clues.inBlocks.add(symbol);
    if (rules?.isTraitMethod?.(lines, line) === true) clues.traitMethods.add(symbol);
    if (rules?.isForeign?.(lines, line, registers) === true) clues.registered.add(symbol);
    if (saysOverride(lines, line)) clues.overriding.add(symbol);
  }
}

/** True if a method says that it overrides another one: `@Override`, `@override`, `override run() {`. */
function saysOverride(lines: Lines, index: number): boolean {
  for (let at = index; at >= 0; at -= 1) {
    const line = (lines.at(at) ?? '').trim();
    if (at !== index && !line.startsWith('@')) return false;
    if (/^@(?:\w+\.)?[oO]verride\b|^(?:[\w@]+ )*override\s/.test(line)) return true;
  }
  return false;
}

/** Words that a declaration begins with, wherever its value goes on. */
const DECLARES =
  /^(?:export|import|async|function|class|abstract|declare|const|let|var|using|type|interface|enum|namespace|module|@)/;
/** A function or class with a name that is a value: `page.layout = function layout() {`, `run(function start() {`. */
const NAMED_VALUE = /\b(?:function\s*\*?|class)\s+[\w$]/;

/** True if what begins on the line of a script is in a block, or is a value with a name of its own. */
function isInside(line: string): boolean {
  if (/^\s|^declare (?:module|global)\b/.test(line)) return true;
  const value = /^export default (?!(?:async\s+)?function\b|(?:abstract\s+)?class\b)(.*)$/.exec(line)?.[1];
  return NAMED_VALUE.test(value ?? (DECLARES.test(line) ? '' : line));
}

/** Lines that are cut out of the text when they are asked for: most never are. */
function linesOf(text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    at: (index) => {
      const start = starts[index];
      return start === undefined ? undefined : text.slice(start, (starts[index + 1] ?? text.length + 1) - 1);
    },
  };
}

interface FileText {
  file: number;
  text: string;
}

/** The text of each file that is to be read, in order; of some files only when they are given. */
function* texts(db: ShardDatabase, isRead: readonly boolean[], only?: ReadonlySet<number>): Generator<FileText> {
  const columns = 'file, line, block, start, size_bytes as sizeBytes';
  const chunks = (only === undefined
    ? db.prepare(`select ${columns} from chunk order by file, line`).all()
    : db
        .prepare(`select ${columns} from chunk where file in (select value from json_each(?)) order by file, line`)
        .all(JSON.stringify([...only]))) as unknown as ChunkRow[];
  const reader = new TextReader(db);
  let [file, parts]: [number, string[]] = [-1, []];
  for (const chunk of chunks) {
    if (isRead[chunk.file] !== true) continue;
    if (chunk.file !== file) {
      if (parts.length > 0) yield { file, text: parts.join('') };
      [file, parts] = [chunk.file, []];
    }
    parts.push(reader.text(chunk));
  }
  if (parts.length > 0) yield { file, text: parts.join('') };
}
