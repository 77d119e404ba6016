import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { isGenerated, type LoadedModules } from '../../languages/languages.ts';
import { type BuildEntry, chosenFiles, declaredOutputs, isProgram, sourceFile } from '../entries/package-entries.ts';
import { type ChunkRow, dense, symbolsOf, TextReader } from '../files/store-files.ts';
import { contentKeys, type StoredValue, takeStored } from '../stored/stored.ts';
import { cluesOfText, type FileClues, Mark } from './file-clues.ts';
import { NamedPaths, type WholeModules } from './text.ts';

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

interface SourceFile {
  id: number;
  path: string;
  language: string;
}

/** Clues of each file whose text may tell something, by id; null for the others. */
type CluesByFile = readonly (FileClues | null)[];

/**
 * The clues of all files. Of texts that are the same in the shard before they are taken from there: reading all texts is most of what finding
 * dead code costs, about a second for 100 MB.
 */
export const TEXT_CLUES: StoredValue<CluesByFile> = {
  name: 'text_clues',
  compute: readAllClues,
  pack: (clues) => zstdCompressSync(JSON.stringify(clues)),
  // It was packed as this.
  unpack: (data) => JSON.parse(zstdDecompressSync(data).toString()) as CluesByFile,
};

function readAllClues(db: ShardDatabase, before?: ShardDatabase): CluesByFile {
  const files = db.prepare('select id, path, generated from file order by id').all() as unknown as (SourceFile & {
    generated: number;
  })[];
  // What a tool wrote may name code that people wrote; what is installed or locked is not of this repository.
  const isTelling = files.map((file) => file.generated === 0 || !isGenerated(file.path, ''));
  const earlier = before === undefined ? [] : earlierClues(db, before);
  const clues: (FileClues | null)[] = files.map(({ id }) => (isTelling[id] === true ? (earlier[id] ?? null) : null));
  const isRead = clues.map((carried, id) => carried === null && isTelling[id] === true);
  const unread = new Set(files.flatMap(({ id }) => (isRead[id] === true ? [id] : [])));
  for (const [file, own] of cluesOfFiles(db, unread)) clues[file] = own;
  return clues;
}

/** Clues of the files that have the same content in the shard before. */
function earlierClues(db: ShardDatabase, before: ShardDatabase): readonly (FileClues | null)[] {
  const data = dense(before, TEXT_CLUES.name);
  if (data.length === 0) return [];
  const clues = TEXT_CLUES.unpack(data);
  const files = new Map(contentKeys(before).map((key, file) => [key, file]));
  return contentKeys(db).map((key) => clues[files.get(key) ?? -1] ?? null);
}

/** Reads the clues of some files. */
export function* cluesOfFiles(db: ShardDatabase, files: ReadonlySet<number>): Generator<[file: number, FileClues]> {
  const source = db.prepare('select path, language from file where id = ?');
  const symbolLines = db.prepare('select line from symbol where id >= ? and id < ? order by id');
  for (const { file, text } of texts(db, files)) {
    const { first, end } = symbolsOf(db, file);
    const lines = Int32Array.from(symbolLines.all(first, end) as { line: number }[], ({ line }) => line);
    yield [file, cluesOfText(source.get(file) as unknown as SourceFile, text, lines)];
  }
}

/** The clues of all texts. `names` are those of the index by their id, `firstSymbols` the first symbol of each file. */
export function readClues(db: ShardDatabase, names: readonly string[], firstSymbols: Int32Array): TextClues {
  const files = db.prepare('select id, path, language from file order by id').all() as unknown as SourceFile[];
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
  const manifests = new Set<number>();
  for (const [file, own] of takeStored(db, TEXT_CLUES).entries()) {
    const source = files[file];
    if (own === null || source === undefined) continue;
    addNames(clues, own, nameIds);
    addOfFile(clues, source, own);
    addMarks(clues, own.marks ?? [], firstSymbols[file] ?? 0);
    if (/(^|\/)package\.json$/.test(source.path)) manifests.add(file);
  }
  const fileOfPath = new Map(files.map(({ path, id }) => [path, id]));
  const paths = new Set(files.map(({ path }) => path));
  for (const { file, text } of texts(db, manifests))
    addManifest(clues, files[file]?.path ?? '', { text, paths, fileOfPath });
  return clues;
}

function addNames(clues: TextClues, own: FileClues, nameIds: ReadonlyMap<string, number>): void {
  for (const kind of ['quoted', 'inTemplates', 'documented'] as const)
    for (const word of own[kind] ?? []) {
      const id = nameIds.get(word);
      if (id !== undefined) clues[kind].add(id);
    }
  for (const name of own.byPath ?? []) clues.byPath.add(name);
  for (const kind of ['prefixes', 'suffixes', 'conditional'] as const)
    for (const part of own[kind] ?? []) clues[kind].push(part);
}

function addOfFile(clues: TextClues, { id, language }: SourceFile, own: FileClues): void {
  if (own.modules !== undefined) clues.modules.set(id, own.modules);
  if (own.isTypings === true) clues.typings.add(id);
  if (own.loadedModules !== undefined) clues.loadedModules.set(id, own.loadedModules);
  if (own.buildEntries !== undefined) clues.buildEntries.set(id, own.buildEntries);
  if (own.isProgram === true) clues.programs.add(id);
  if (own.takesSubclasses === true) clues.subclassTakers.add(language);
}

function addMarks(clues: TextClues, marks: readonly number[], first: number): void {
  const sets = [
    [Mark.registered, clues.registered],
    [Mark.described, clues.described],
    [Mark.inBlock, clues.inBlocks],
    [Mark.traitMethod, clues.traitMethods],
    [Mark.overriding, clues.overriding],
  ] as const;
  for (const [at, bits] of marks.entries())
    for (const [mark, symbols] of sets) if ((bits & mark) !== 0) symbols.add(first + at);
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

interface FileText {
  file: number;
  text: string;
}

/** The text of each of some files, in order. */
function* texts(db: ShardDatabase, files: ReadonlySet<number>): Generator<FileText> {
  const chunks = db
    .prepare(
      `select file, line, block, start, size_bytes as sizeBytes from chunk
        where file in (select value from json_each(?)) order by file, line`,
    )
    .all(JSON.stringify([...files])) as unknown as ChunkRow[];
  const reader = new TextReader(db);
  let [file, parts]: [number, string[]] = [-1, []];
  for (const chunk of chunks) {
    if (chunk.file !== file) {
      if (parts.length > 0) yield { file, text: parts.join('') };
      [file, parts] = [chunk.file, []];
    }
    parts.push(reader.text(chunk));
  }
  if (parts.length > 0) yield { file, text: parts.join('') };
}
