import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { FileSystem } from 'typescript/unstable/fs';

/** Folders of the repository and the bundled types for the compiler. Nothing on a disk is called so. */
export const REPOSITORY_ROOT = '/repository';
const TYPES_ROOT = '/types';
export const CONFIG_FILE = '/svc/tsconfig.json';

/** Packages whose types come along, because nearly every repository needs them and none carries them. */
const BUNDLED = ['@types/node', '@types/react', 'csstype'];

/** The compiler's own declarations are the only files of the machine that it may read. */
const OWN_LIBRARY = /\/@typescript\/typescript-[a-z0-9-]+\/lib\/lib[a-z0-9.]*\.d\.ts$/;

/** Files for the compiler: texts by absolute path, and other names for them. */
export interface VirtualFiles {
  files: Map<string, string>;
  links: Map<string, string>;
  folders: Map<string, { files: string[]; directories: string[] }>;
}

export function createVirtualFiles(): VirtualFiles {
  return { files: new Map(), links: new Map(), folders: new Map() };
}

/** Adds a text under its absolute path. */
export function addVirtualFile(virtual: VirtualFiles, path: string, text: string): void {
  virtual.files.set(path, text);
  listInFolders(virtual, path);
}

/**
 * Lets a specifier mean a file for the importers in one folder, and no others: as a package would that is installed there.
 * Both are absolute.
 */
export function addVirtualModule(
  virtual: VirtualFiles,
  folder: string,
  module: { specifier: string; path: string },
): void {
  const ending = /\.(?:d\.)?[mc]?[jt]sx?$/.exec(module.path)?.[0] ?? '';
  const name = module.specifier.replace(/\.[mc]?[jt]sx?$/, '');
  const link = `${folder}/node_modules/${name}${ending}`;
  virtual.links.set(link, module.path);
  listInFolders(virtual, link);
}

/** Lets a relative specifier that names a folder mean a file. Both are absolute. */
export function addVirtualPackage(virtual: VirtualFiles, folder: string, path: string): void {
  const entry = `./${relative(folder, path)}`;
  addVirtualFile(virtual, `${folder}/package.json`, JSON.stringify({ types: entry, main: entry }));
}

function listInFolders({ folders }: VirtualFiles, path: string): void {
  let name = path;
  let isFile = true;
  while (name !== '/') {
    const folder = dirname(name);
    const existing = folders.get(folder);
    const entries = existing ?? { files: [], directories: [] };
    (isFile ? entries.files : entries.directories).push(name.slice(folder.length === 1 ? 1 : folder.length + 1));
    if (existing !== undefined) return;
    folders.set(folder, entries);
    name = folder;
    isFile = false;
  }
}

/**
 * Adds the declarations that are bundled: Node's globals and modules, and React's.
 *
 * Read from the installed packages of the service, never from the repository. About 3 MB.
 */
export function addBundledTypes(virtual: VirtualFiles): void {
  const { resolve } = createRequire(import.meta.url);
  for (const name of BUNDLED) {
    const folder = dirname(resolve(`${name}/package.json`));
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.d\.[mc]?ts$|(^|\/)package\.json$/.test(path) || path.includes('node_modules/')) continue;
      addVirtualFile(
        virtual,
        `${TYPES_ROOT}/${name}/${path.replaceAll('\\', '/')}`,
        readFileSync(join(folder, path), 'utf8'),
      );
    }
  }
}

/**
 * The file system of the compiler. Everything that is not listed does not exist: an answer of `undefined` would let it
 * look at the real disk, which only its own library may.
 */
export function virtualFileSystem({
  files,
  links,
  folders,
}: VirtualFiles): Required<
  Pick<FileSystem, 'readFile' | 'fileExists' | 'directoryExists' | 'getAccessibleEntries' | 'realpath'>
> {
  return {
    readFile: (path) => files.get(path) ?? (OWN_LIBRARY.test(path) ? undefined : null),
    fileExists: (path) => files.has(path) || links.has(path),
    directoryExists: (path) => folders.has(folderName(path)),
    getAccessibleEntries: (path) => folders.get(folderName(path)) ?? { files: [], directories: [] },
    realpath: (path) => links.get(path) ?? path,
  };
}

/** `import '.'` is asked for with a slash at the end. */
const folderName = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

/** Configuration that the compiler reads instead of the repository's own, which may name programs and packages. */
interface VirtualConfig {
  /** Absolute paths of all files to read. */
  files: readonly string[];
  /** Absolute paths that specifiers which are not relative mean. */
  modules: ReadonlyMap<string, string>;
  /** The package that JSX is made by. */
  jsxImportSource: string;
}

/** Text of the generated configuration. Strict, because then fewer types are `any`. */
export function configText({ files, modules, jsxImportSource }: VirtualConfig): string {
  const react = `${TYPES_ROOT}/@types/react`;
  return JSON.stringify({
    compilerOptions: {
      allowJs: true,
      checkJs: false,
      noEmit: true,
      skipLibCheck: true,
      strict: true,
      target: 'ESNext',
      module: 'ESNext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      jsx: 'react-jsx',
      jsxImportSource,
      experimentalDecorators: true,
      resolveJsonModule: true,
      lib: ['ESNext', 'DOM', 'DOM.Iterable'],
      typeRoots: [`${TYPES_ROOT}/@types`],
      types: ['node'],
      paths: {
        react: [`${react}/index.d.ts`],
        'react/*': [`${react}/*`],
        csstype: [`${TYPES_ROOT}/csstype/index.d.ts`],
        ...Object.fromEntries([...modules].map(([specifier, path]) => [specifier, [path]])),
      },
    },
    files,
  });
}
