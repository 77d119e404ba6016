import { isRecord, parseJson } from '../../kernel/json.ts';
import { withoutOutputFolder } from '../../kernel/path-kinds.ts';
import { definitionOf, LANGUAGES } from '../../languages/languages.ts';

/** A file that a build configuration names in quotes, and what stands before the colon when it is the value of a key. */
export interface BuildEntry {
  path: string;
  key?: string;
}

/** Paths in quotes, as configuration names entry files: with a folder or the ending of a script. */
export function namedEntries(text: string): BuildEntry[] {
  return [
    ...text.matchAll(
      /(?:(?<![\w@./-])["'`]?([\w@./-]+)["'`]?\s*:\s*)?["'`]((?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*)["'`]/g,
    ),
  ]
    .map(([, key, path = '']) => ({ path, ...(key !== undefined && { key }) }))
    .filter(({ path }) => path.includes('/') || /\.[cm]?[jt]sx?$/.test(path));
}

/**
 * True if a package offers what is built from an entry. `offered` are the files that its manifest names, without folder of
 * output and ending (`index`, `adapters/express`). Builders name their output by the key of the entry, by its path below the
 * sources, or by its base name.
 */
export function isOfferedEntry({ path, key }: BuildEntry, offered: ReadonlySet<string>): boolean {
  const below = path
    .replace(/^\.\//, '')
    .replace(/^src\//, '')
    .replace(/\.[cm]?[jt]sx?$/, '');
  const base = below.split('/').at(-1) ?? below;
  return [key, below, ...(base === 'index' ? [] : [base])].some((name) => name !== undefined && offered.has(name));
}

/** Fields of a `package.json` that name the files a package offers or runs. */
const ENTRY_FIELDS = ['main', 'module', 'browser', 'types', 'typings', 'source', 'bin', 'exports'] as const;
const MODULE_ENDINGS = LANGUAGES.flatMap(({ moduleEndings = [] }) => moduleEndings);

/** Suffixes that may follow the name of a module: an ending, or the file that stands for a folder. */
export const SOURCE_ENDINGS = [...MODULE_ENDINGS, ...MODULE_ENDINGS.map((ending) => `/index${ending}`)];

/**
 * The indexed modules that a package offers by its `package.json`: what its fields name, or the sources it is built from,
 * but no data such as the manifest itself. A `*` of `exports` stands for any path; `patterns` false leaves those out. A manifest
 * that names nothing offers its `index`; a broken one nothing.
 *
 * `folder` is where the manifest lies, '' or ending with `/`; `paths` are all files.
 */
export function packageEntries(
  folder: string,
  manifest: string,
  { paths, patterns }: { paths: ReadonlySet<string>; patterns: boolean },
): string[] {
  const entries = new Set<string>();
  for (const named of namedFiles(manifest)) {
    // `"./*": "./*"` only lifts the restriction: it declares nothing.
    if (/^(?:\.\/)?\*/.test(named)) continue;
    if (!named.includes('*')) entries.add(sourceFile(folder, named, paths) ?? '');
    else if (patterns) for (const path of matchPattern(folder, named, paths)) entries.add(path);
  }
  return [...entries].filter(isModule);
}

/** Code by its ending, or a program without one. */
function isModule(path: string): boolean {
  const language = definitionOf(path);
  return language === undefined ? /(?:^|\/)[^/.]+$/.test(path) : language.isProse !== true;
}

/**
 * Files that a package offers by its `package.json`, without folders of output and endings: `index`, `adapters/express`. None
 * when it names nothing or is broken.
 */
export function declaredOutputs(manifest: string): Set<string> {
  return new Set(
    (declaredFiles(manifest) ?? []).map((named) => withoutOutputFolder(stemOf(named.replace(/^\.\//, '')))),
  );
}

/** Files of a package that a browser opens, relative to its folder. */
const PAGES = ['index.html', 'src/index.html', 'public/index.html'];

/**
 * True if a package is a program that no other one imports: its manifest names no file, and says that it is private, or a
 * browser opens a page of it. `folder` and `paths` are as above.
 */
export function isProgram(folder: string, manifest: string, paths: { has: (path: string) => boolean }): boolean {
  if (declaredFiles(manifest)?.length !== 0) return false;
  return /"private"\s*:\s*true\b/.test(manifest) || PAGES.some((page) => paths.has(folder + page));
}

/**
 * Files of which a manifest takes one: by conditions in `imports` and `exports`, and by `browser`, which replaces one by
 * another. As they are written, relative to it.
 */
export function chosenFiles(manifest: string): string[][] {
  const { imports, exports, browser } = fieldsOf(manifest) ?? {};
  const replaced = Object.entries(isRecord(browser) ? browser : {}).map((pair) => strings(pair));
  const chosen = [imports, exports].flatMap((field) => (isRecord(field) ? Object.values(field).map(strings) : []));
  return [...chosen, ...replaced].filter((files) => files.length > 1);
}

/** The indexed file at a path that is written in a file of a folder, or the source that it is built from. */
export function sourceFile(folder: string, named: string, paths: ReadonlySet<string>): string | undefined {
  const path = named.replace(/^\.\//, '');
  const stem = stemOf(path);
  const stems = [stem, ...sourceStems(stem), `src/${stem}`];
  return [path, ...stems.flatMap((name) => SOURCE_ENDINGS.map((ending) => `${name}${ending}`))]
    .map((name) => folder + name)
    .find((file) => paths.has(file));
}

/** The files that a manifest names or is taken to name, relative to it. */
function namedFiles(manifest: string): string[] {
  const declared = declaredFiles(manifest);
  if (declared === undefined) return [];
  return [...declared, 'src/index.js', ...(declared.length === 0 ? ['index.js'] : [])];
}

/** Files that the fields of a manifest name; undefined when it is broken. */
function declaredFiles(manifest: string): string[] | undefined {
  const fields = fieldsOf(manifest);
  return fields && ENTRY_FIELDS.flatMap((field) => strings(fields[field]));
}

function fieldsOf(manifest: string): Record<string, unknown> | undefined {
  const parsed = parseJson(manifest);
  return isRecord(parsed) ? parsed : undefined;
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

function matchPattern(folder: string, pattern: string, paths: ReadonlySet<string>): string[] {
  const stem = stemOf(pattern.replace(/^\.\//, ''));
  // `./dist/*` is made from `src`: from anywhere in the package would say nothing, and take the files of its tools.
  const stems = [stem, ...sourceStems(stem)].filter((body) => !body.startsWith('*'));
  const bodies = stems.map((body) => body.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`).replaceAll('*', '.*'));
  const outputPattern = new RegExp(`^(?:${bodies.join('|')})(?:/index)?\\.[cm]?[jt]sx?$`);
  return [...paths].filter((path) => path.startsWith(folder) && outputPattern.test(path.slice(folder.length)));
}

function sourceStems(stem: string): string[] {
  const below = withoutOutputFolder(stem);
  return below === stem ? [] : [`src/${below}`, below];
}

function stemOf(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
}
