import type { LoadedModules } from '../../languages/languages.ts';

/** Folders around a file that a path in it may start from. */
const MOST_AROUND = 3;

/** Files of one language by the folder that they lie in (`''`, or with `/` at the end). */
type FilesByFolder = ReadonlyMap<string, readonly { id: number; path: string }[]>;

/**
 * The files that one in a folder loads, where it names packages or lists folders: all below those, and of its own folder those
 * right in it. What it lists counts when something loads files by names that only a run tells.
 */
export function filesLoaded(
  folder: string,
  { packages, folders }: Pick<LoadedModules, 'packages' | 'folders'>,
  byFolder: FilesByFolder,
): number[] {
  const below = new Set<string>();
  for (const name of packages) {
    if (name === '.') continue;
    const path = `/${name.replaceAll('.', '/')}/`;
    for (const candidate of byFolder.keys()) {
      const at = `/${candidate}`.indexOf(path);
      if (at >= 0) below.add(candidate.slice(0, at + path.length - 1));
    }
  }
  const around = foldersAround(folder);
  for (const name of folders) {
    const base = name === '.' ? undefined : around.find((start) => hasBelow(byFolder, `${start}${name}/`));
    if (base !== undefined) below.add(`${base}${name}/`);
  }
  const isOwn = packages.includes('.') || (folders.includes('.') && below.size === 0);
  const files = isOwn ? [...(byFolder.get(folder) ?? []), ...initFiles(byFolder, folder)] : [];
  for (const [candidate, some] of byFolder)
    if ([...below].some((start) => candidate.startsWith(start))) files.push(...some);
  return files.map(({ id }) => id);
}

function hasBelow(byFolder: FilesByFolder, start: string): boolean {
  for (const folder of byFolder.keys()) if (folder.startsWith(start)) return true;
  return false;
}

/** Files that stand for the packages directly inside a folder. */
function initFiles(byFolder: FilesByFolder, folder: string): { id: number; path: string }[] {
  return [...byFolder].flatMap(([candidate, files]) =>
    candidate.startsWith(folder) && candidate.split('/').length === folder.split('/').length + 1
      ? files.filter(({ path }) => path === `${candidate}__init__.py`)
      : [],
  );
}

function foldersAround(folder: string): string[] {
  const around = [folder];
  while (around.length <= MOST_AROUND && around.at(-1) !== '') {
    const inner = around.at(-1) ?? '';
    around.push(inner.slice(0, inner.lastIndexOf('/', inner.length - 2) + 1));
  }
  return around;
}

/** Calls that load what their argument names, up to the argument. */
const LOADS = /\b(?:import|require(?:\.resolve)?|importModule|loadModule)\(\s*/g;
/** A text that ends in, or holds, what only a run tells: `` `./x/${name}.ts` ``, `'./x/' + name`. */
const TEMPLATE = /^`(\.{1,2}\/[^`\n]*\$\{[^`\n]*)`/;
const SUM = /^(["'])(\.{1,2}\/[^"'\n]*)\1\s*\+\s*[^)\n]*?(?:(["'])([^"'\n]*)\3)?\s*[,)]/;
const GLOB = /\bimport\.meta\.glob(?:Eager)?(?:<[^>(]*>)?\(\s*(\[[^\]]*\]|["'`][^"'`\n]+["'`])/g;
const CONTEXT = /\brequire\.context\(\s*["'`]([^"'`\n]+)["'`]/g;
/** A path that may be given to a call by name: `const server = '../server'; require(server)`. */
const CONSTANT = /\bconst\s+([\w$]{1,60})\s*=\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
/** Calls that list a folder, up to the folder. */
const LISTED = /\b(?:readdir(?:Sync)?|opendir(?:Sync)?|glob(?:Sync)?|walk(?:Sync)?)\(\s*/g;
/** A folder beside the file: `join(__dirname, 'jobs')`, `new URL('./jobs/', import.meta.url)`. */
const FOLDER =
  /^(?:[\w$.]{1,40}\()?\s*(?:(?:__dirname|import\.meta\.dirname)\s*((?:,\s*["'`][^"'`\n]+["'`]\s*)*)|new URL\(\s*["'`]([^"'`\n]+)["'`]\s*,\s*import\.meta\.url)/;
/** The same by a name: `const jobs = join(__dirname, 'jobs')`. */
const NAMED_FOLDER = /\b(?:const|let|var)\s+([\w$]{1,60})\s*=\s*/g;
/** Characters behind the beginning of something that are looked at. */
const LOOKED_AT = 300;

/**
 * Globs of the files that a script loads by names that are put together when it runs, relative to its folder: templates and
 * sums in `import()` and `require()`, `import.meta.glob`, `require.context`, and folders that it lists and loads from.
 */
export function loadedFiles(text: string): string[] {
  const globs: string[] = [];
  let loadsAnything = false;
  const given = new Set<string>();
  for (const { index, 0: call } of text.matchAll(LOADS)) {
    const argument = text.slice(index + call.length, index + call.length + LOOKED_AT);
    const template = TEMPLATE.exec(argument)?.[1];
    const [, , before, , after = ''] = SUM.exec(argument) ?? [];
    if (template !== undefined) globs.push(template.replaceAll(/\$\{[^}]*\}/g, '**'));
    else if (before !== undefined) globs.push(`${before}**${after}`);
    else if (/^[^"'`)\s]/.test(argument)) {
      loadsAnything = true;
      const joined = /^(?:path\.)?(?:join|resolve)\(/.test(argument) ? folderAt(argument) : undefined;
      if (joined !== undefined) globs.push(joined);
      given.add(/^([\w$]{1,60})\s*[,)]/.exec(argument)?.[1] ?? '');
    }
  }
  for (const [, name = '', path = ''] of loadsAnything ? text.matchAll(CONSTANT) : [])
    if (given.has(name)) globs.push(path);
  for (const [, patterns = ''] of text.matchAll(GLOB))
    for (const [, pattern = ''] of patterns.matchAll(/["'`]([^"'`\n]+)["'`]/g)) globs.push(pattern);
  for (const [, folder = ''] of text.matchAll(CONTEXT)) globs.push(`${folder.replace(/\/$/, '')}/**`);
  if (loadsAnything) globs.push(...listedFiles(text));
  return [...new Set(globs)];
}

/** Globs of all in the folders that a script lists. */
function listedFiles(text: string): string[] {
  const named = new Map<string, string>();
  const globs: string[] = [];
  const behind = (at: number): string => text.slice(at, at + LOOKED_AT);
  for (const { index, 0: beginning, 1: name = '' } of text.matchAll(NAMED_FOLDER)) {
    const folder = folderAt(behind(index + beginning.length));
    if (folder !== undefined) named.set(name, folder);
  }
  for (const { index, 0: call } of text.matchAll(LISTED)) {
    const argument = behind(index + call.length);
    const folder = folderAt(argument) ?? named.get(/^[\w$]+/.exec(argument)?.[0] ?? '');
    if (folder !== undefined) globs.push(folder);
  }
  return globs;
}

/** A glob of all in the folder that an expression names, if it names one beside the file. */
function folderAt(expression: string): string | undefined {
  const [match, parts, url] = FOLDER.exec(expression) ?? [];
  if (match === undefined) return undefined;
  if (url !== undefined) return `${url.startsWith('.') ? '' : './'}${url.replace(/\/$/, '')}/**`;
  const folders = [...(parts ?? '').matchAll(/["'`]([^"'`\n]+)["'`]/g)].map(([, part = '']) => part);
  return `./${[...folders, '**'].join('/')}`;
}

/** A pattern for the paths, without their endings, of what a glob means that stands in a file of a folder (`''`, or with `/` at the end). */
export function globbedPaths(folder: string, glob: string): RegExp | undefined {
  const parts = glob.startsWith('.') ? folder.split('/').slice(0, -1) : [];
  for (const part of glob.replace(/^[/~@]+\/?/, '').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  // A glob of everything says nothing.
  if (parts.every((part) => /^\*+$/.test(part)) && !glob.startsWith('.')) return undefined;
  const whole = parts.join('/').replace(/\.[cm]?[jt]sx?$/, '');
  const pattern = whole.replaceAll(/\*\*\/|\*+|\{[^{}]*\}|[.+^$()|[\]\\?{}]/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '{}' || !part.startsWith('{')) return `\\${part}`;
    return `(?:${part
      .slice(1, -1)
      .split(',')
      .map((choice) => choice.replaceAll(/[.+^$()|[\]\\?*]/g, String.raw`\$&`))
      .join('|')})`;
  });
  return new RegExp(`^${pattern}(?:/index)?$`);
}
