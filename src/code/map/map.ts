import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { roundTo } from '../../kernel/shown-values.ts';
import { compareTexts } from '../../kernel/text-order.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { fileOfSymbolId } from '../../code-index/format/shard-input.ts';
import type { SymbolRow } from '../../code-index/format/rows.ts';
import { type FileFilter, fileMask, firstSymbols, testFlags, TextReader } from '../files/store-files.ts';
import { type StoredValue, storedBytes, storedValue } from '../stored/stored.ts';
import { symbolRows } from '../symbols/store-symbols.ts';
import { centralOrder } from './central-order.ts';
import {
  countOmitted,
  type LanguageFile,
  languageShares,
  type OmittedFiles,
} from '../../languages/facts/file-content.ts';
import { type EntryFileRow, entryRows } from './store-entries.ts';
import { folderOf, purposeOf, splitFolders } from './folders.ts';
import { type LayerRow, layers } from './store-layers.ts';
import { isManifest, type Manifest, readManifest, type Task } from './manifests.ts';
import { isCi, saysTasks, tasksOf } from './tasks.ts';

export { purposeOf } from './folders.ts';
export { isManifest, readManifest } from './manifests.ts';
export { namesScripts, scriptsOf } from './store-entries.ts';

/** The most central symbols of some files, at most `most`, and how many there are. */
function centralSymbols(
  db: ShardDatabase,
  inside: ReadonlySet<number>,
  most: number,
): { total: number; rows: SymbolRow[] } {
  const first = firstSymbols(db);
  const ids: number[] = [];
  let total = 0;
  for (const id of centralOrder(db)) {
    if (!inside.has(fileOfSymbolId(first, id))) continue;
    if (total < most) ids.push(id);
    total += 1;
  }
  return { total, rows: symbolRows(db, ids) };
}

/** Purpose of a part of a repository. */
type Role = 'entry' | 'library' | 'test' | 'docs' | 'build';

/** A package: the files whose nearest manifest is this one. `path` is its folder, '.' for the root. */
export interface PackageRow {
  package: string;
  path: string;
  manifest: string;
  role: Role;
  files: number;
  /** Shares of the bytes, largest first, at most 3. */
  languages: Record<string, number>;
}

/** Folders with test code: files that define something. `pattern` is how most of the files are named. */
export interface TestsRow {
  path: string;
  files: number;
  pattern: string;
}

/** The first rows of one part of the map, and how many there are. */
interface Part<Row> {
  total: number;
  rows: Row[];
}

export interface RepositoryMap {
  files: number;
  lines: number;
  /** Shares of the bytes of the code, largest first. */
  languages: Record<string, number>;
  /** Files that the shares of languages do not count. */
  omitted: OmittedFiles;
  packages: Part<PackageRow>;
  tasks: Part<Task>;
  tests: Part<TestsRow>;
  entries: Part<EntryFileRow>;
  layers: Part<LayerRow>;
  symbols: Part<SymbolRow>;
}

/** Files that are read to know packages and tasks; a repository with more is a collection of examples. */
const MOST_READ = 300;
const MOST_LINES = 2_000;
const MOST_TEST_FOLDERS = 12;

export interface MapFile extends LanguageFile {
  id: number;
  path: string;
  lines: number;
  symbols: number;
  isTest: boolean;
}

/** Rows of each part that an index holds; more are computed when they are asked for. */
const MOST_STORED = 200;

/** The map of all of an index: of 1.5 million lines it takes a tenth of a second. */
export const WHOLE_MAP: StoredValue<RepositoryMap> = {
  name: 'map',
  compute: (db) => mapFiles(db, { most: MOST_STORED }),
  pack: (map) => zstdCompressSync(JSON.stringify(map)),
  // It was packed as one.
  unpack: (data) => JSON.parse(zstdDecompressSync(data).toString()) as RepositoryMap,
};

/** A repository or a part of it at a glance: at most `most` rows of each part. */
export function codeMap(db: ShardDatabase, search: MapSearch): RepositoryMap {
  const { most, ...filter } = search;
  const isStored = most <= MOST_STORED && fileMask(db, filter) === undefined && storedBytes(db, WHOLE_MAP.name) > 0;
  if (!isStored) return mapFiles(db, search);
  const map = storedValue(db, WHOLE_MAP);
  const cut = <Row>({ total, rows }: Part<Row>): Part<Row> => ({ total, rows: rows.slice(0, most) });
  return {
    ...map,
    packages: cut(map.packages),
    tasks: cut(map.tasks),
    tests: cut(map.tests),
    entries: cut(map.entries),
    layers: cut(map.layers),
    symbols: cut(map.symbols),
  };
}

type MapSearch = FileFilter & { most: number };

/** One scan of the files and, once a shard, of the references. */
function mapFiles(db: ShardDatabase, { most, ...filter }: MapSearch): RepositoryMap {
  const all = db.derived('map_files', () => readFiles(db));
  const mask = fileMask(db, filter);
  const inside = all.filter(({ id }) => mask?.[id] !== 0);
  const around = ancestors(filter.path ?? '');
  const near = (path: string): boolean => around.has(folderOf(path));
  const texts = new TextReader(db);
  const read = (id: number): string => texts.lines(id, 1, MOST_LINES).join('\n');
  const manifests = all
    .filter(({ id, path }) => (mask?.[id] !== 0 || near(path)) && isManifest(path))
    .slice(0, MOST_READ)
    .flatMap(({ id, path }) => readManifest(path, read(id)) ?? []);
  const part = <Row>(rows: readonly Row[]): Part<Row> => ({ total: rows.length, rows: rows.slice(0, most) });
  const tests =
    filter.tests === 'exclude'
      ? []
      : testRows(inside.filter(({ path, isTest, symbols }) => isTest && (symbols > 0 || isTestName(path))));
  return {
    files: inside.length,
    lines: inside.reduce((sum, { lines }) => sum + lines, 0),
    languages: sharesOf(inside),
    omitted: countOmitted(inside),
    packages: part(packageRows(manifests, inside)),
    tasks: part(
      taskRows(
        all.filter(({ id, path }) => mask?.[id] !== 0 || near(path)),
        read,
      ),
    ),
    tests: part(tests),
    entries: part(
      entryRows(
        db,
        inside.filter(({ isTest }) => !isTest),
        read,
      ),
    ),
    layers: part(layers(db, all, new Set(inside.map(({ id }) => id)))),
    symbols: centralSymbols(db, new Set(inside.map(({ id }) => id)), most),
  };
}

function readFiles(db: ShardDatabase): MapFile[] {
  const isTest = testFlags(db);
  const rows = db
    .prepare(
      'select id, path, language, size_bytes as sizeBytes, lines, symbols, content, generated from file order by id',
    )
    .all() as unknown as (Omit<MapFile, 'isTest' | 'generated'> & { generated: number })[];
  return rows.map((row) => ({ ...row, generated: row.generated === 1, isTest: isTest[row.id] === 1 }));
}

/** The folders around a path, the root among them: what stands there is meant for the path too. */
function ancestors(path: string): Set<string> {
  const parts = path
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .split('/');
  return new Set(parts.map((_, index) => parts.slice(0, index).join('/')));
}

function packageRows(manifests: readonly Manifest[], files: readonly MapFile[]): PackageRow[] {
  // Of several manifests in one folder, one tells its name.
  const byFolder = new Map<string, Manifest>();
  for (const manifest of manifests) if (!byFolder.has(manifest.folder)) byFolder.set(manifest.folder, manifest);
  const held = Map.groupBy(files, ({ path }) => findNearest(path, byFolder));
  return [...byFolder.values()]
    .flatMap((manifest): PackageRow[] => {
      const inside = held.get(manifest.folder) ?? [];
      if (inside.length === 0) return [];
      const { folder, path, name } = manifest;
      const shown = { package: name === '' ? '.' : name, path: folder === '' ? '.' : folder, manifest: path };
      return [{ ...shown, role: roleOf(manifest, inside), files: inside.length, languages: top(sharesOf(inside), 3) }];
    })
    .toSorted((a, b) => roleRank(a.role) - roleRank(b.role) || b.files - a.files || compareTexts(a.path, b.path));
}

function findNearest(path: string, folders: ReadonlyMap<string, unknown>): string | undefined {
  for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    if (folders.has(folder)) return folder;
  }
  return folders.has('') ? '' : undefined;
}

const ROLE_RANKS: readonly Role[] = ['entry', 'library', 'build', 'docs', 'test'];

function roleRank(role: Role): number {
  return role === 'library' ? 0 : ROLE_RANKS.indexOf(role);
}

/** Start of a program when its manifest does not state it, from the folder of the manifest. */
const PROGRAMS: Readonly<Record<string, string>> = { 'go.mod': 'main.go', 'Cargo.toml': 'src/main.rs' };

/** By the names of the folders around it, else by what it says of itself and where its program would start. */
function roleOf({ folder, path, isProgram }: Manifest, files: readonly MapFile[]): Role {
  const start = PROGRAMS[path.slice(path.lastIndexOf('/') + 1)];
  const hasProgram =
    start !== undefined && files.some((file) => file.path === (folder === '' ? start : `${folder}/${start}`));
  return purposeOf(folder) ?? (isProgram || hasProgram ? 'entry' : 'library');
}

function taskRows(files: readonly MapFile[], read: (id: number) => string): Task[] {
  const taskFiles = files.filter(({ path }) => saysTasks(path)).slice(0, MOST_READ);
  const beside = Map.groupBy(files, ({ path }) => folderOf(path));
  const tasks = taskFiles
    .toSorted((a, b) => depth(a.path) - depth(b.path) || compareTexts(a.path, b.path))
    .flatMap(({ id, path }) => {
      const names = (beside.get(folderOf(path)) ?? []).map((file) => file.path.split('/').at(-1) ?? '');
      return tasksOf(path, read(id), new Set(names));
    });
  return [...Map.groupBy(tasks, ({ task, command }) => `${task} ${command}`).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    // The same command in a workflow is the same task; beside another manifest it is that of another package.
    const also = new Set(others.flatMap(({ path }) => (isCi(path) ? [] : [folderOf(path)])));
    also.delete(folderOf(first.path));
    return [also.size === 0 || isCi(first.path) ? first : { ...first, also: [...also] }];
  });
}

function testRows(files: readonly MapFile[]): TestsRow[] {
  const paths = new Map(files.map(({ id, path }) => [id, path] as const));
  return splitFolders(files, MOST_TEST_FOLDERS)
    .filter((unit) => unit.files.length > 0)
    .map(({ folder, files: ids }) => {
      const patterns = Map.groupBy(ids, (id) => patternOf(paths.get(id) ?? ''));
      const [[pattern] = ['']] = [...patterns].toSorted(
        (a, b) => b[1].length - a[1].length || compareTexts(a[0], b[0]),
      );
      return { path: folder === '' ? '.' : folder, files: ids.length, pattern };
    })
    .toSorted((a, b) => b.files - a.files || compareTexts(a.path, b.path));
}

/** True if a file is called a test by its own name: it is one though it defines nothing, as where tests only call `it`. */
function isTestName(path: string): boolean {
  return /[._-](?:test|tests|spec|specs|e2e|cy)\.[cm]?[jt]sx?$/.test(path);
}

/** Pattern of the name of a test: `*.test.ts`, `test_*.py`, `*Test.kt`, else by its ending alone. */
function patternOf(path: string): string {
  const name = path.split('/').at(-1) ?? '';
  const ending = /\.\w+$/.exec(name)?.[0] ?? '';
  const inner = /[._-](?:test|tests|spec|e2e|cy)(?=\.\w+$)/.exec(name)?.[0];
  if (inner !== undefined) return `*${inner}${ending}`;
  if (name.startsWith('test_')) return `test_*${ending}`;
  const word = /(?:Tests?|Spec|IT)(?=\.\w+$)/.exec(name)?.[0];
  return `*${word ?? ''}${ending}`;
}

function sharesOf(files: readonly MapFile[]): Record<string, number> {
  const shares = Object.entries(languageShares(files));
  return Object.fromEntries(shares.map(([language, share]) => [language, roundTo(3, share)]));
}

function top(shares: Record<string, number>, most: number): Record<string, number> {
  return Object.fromEntries(Object.entries(shares).slice(0, most));
}

/** Files near the root first, then workflows, then what is for tests, examples and the like. */
function depth(path: string): number {
  return (purposeOf(folderOf(path)) === undefined ? 0 : 200) + (isCi(path) ? 100 : 0) + path.split('/').length;
}
