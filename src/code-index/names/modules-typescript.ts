import type { Program } from '../program/program.ts';
import type { ModuleFinder } from './names-typescript.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';
import { readPathMappings, type PathMappings } from './typescript-config.ts';
import { type PackageTargets, readWorkspaces, type Workspaces } from './workspaces.ts';

const ENDINGS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.d.mts', '.d.cts', '.js', '.jsx', '.mjs', '.cjs'];
/** Endings that an ending in a specifier may be written for: compiled names stand for their sources. */
const WRITTEN_FOR: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.jsx'],
  '.jsx': ['.tsx', '.ts', '.d.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};
/** Folders that builds write to: what is exported from there is made from `src`. */
const BUILT = /^(dist|lib|build|out|output|esm|cjs|es|types|dist-types|\.output)$/;

/**
 * Finds the file of a specifier from the list of the repository's files and its configuration texts, never from a disk:
 * relative paths, of files or folders of packages, `paths` and `baseUrl` of tsconfig or jsconfig, `imports` and `exports`
 * of package.json, and packages of the workspace by name. What lies outside the repository is -1.
 */
export function typescriptModules(
  program: Pick<Program, 'fileIds'>,
  configs: ReadonlyMap<string, string>,
): ModuleFinder {
  const files = new FileFinder(program.fileIds);
  const mappings = readPathMappings(configs);
  const workspaces = readWorkspaces(configs);
  const cache = new Map<string, Map<string, number>>();
  return (path, source) => {
    const directory = dirnameOf(path);
    let inDirectory = cache.get(directory);
    if (inDirectory === undefined) cache.set(directory, (inDirectory = new Map()));
    const before = inDirectory.get(source);
    if (before !== undefined) return before;
    const file = findModule(files, directory, source, { mappings, workspaces });
    inDirectory.set(source, file);
    return file;
  };
}

function findModule(
  files: FileFinder,
  directory: string,
  written: string,
  { mappings, workspaces }: { mappings: PathMappings; workspaces: Workspaces },
): number {
  // Bundlers put a query behind the path: `./x?raw`.
  const source = written.replace(/[?].*$/, '');
  if (/^\.{1,2}(\/|$)/.test(source)) {
    const path = joinPath(directory, source);
    const file = files.find(path);
    return file >= 0 ? file : findTarget(files, workspaces.at(path));
  }
  for (const candidate of mappings(directory, source)) {
    const file = files.find(candidate);
    if (file >= 0) return file;
  }
  return findTarget(files, workspaces.named(directory, source));
}

function findTarget(files: FileFinder, targets: PackageTargets): number {
  for (const { root, target } of targets) {
    const file = files.find(joinPath(root, target));
    if (file >= 0) return file;
    for (const other of sourcesOf(target)) {
      const made = files.find(joinPath(root, other));
      if (made >= 0) return made;
    }
  }
  return -1;
}

/** Returns the paths that the source of a built file may have: `dist/esm/a.js` is made from `src/a`, `a` or `src/esm/a`. */
function sourcesOf(target: string): string[] {
  const parts = target.replace(/^\.\//, '').split('/');
  let built = 0;
  while (built < parts.length - 1 && BUILT.test(parts[built] ?? '')) built += 1;
  const plain = (from: number): string =>
    parts
      .slice(from)
      .join('/')
      .replace(/\.(d\.)?[mc]?[jt]sx?$/, '');
  const rests = Array.from({ length: built + 1 }, (_, cut) => plain(built - cut));
  return rests.flatMap((tail) => [`src/${tail}`, tail, `source/${tail}`]);
}

/**
 * Looks paths up as TypeScript would: what `a.js` is written for (its source or its declarations) before itself, then with an
 * ending, then as a folder with an index.
 */
class FileFinder {
  readonly #ids: ReadonlyMap<string, number>;

  constructor(ids: ReadonlyMap<string, number>) {
    this.#ids = ids;
  }

  find(path: string): number {
    const clean = path.replace(/\/$/, '');
    return (
      this.#findSource(clean) ??
      this.#ids.get(clean) ??
      this.#withEnding(clean) ??
      this.#withEnding(joinPath(clean, 'index')) ??
      -1
    );
  }

  #withEnding(path: string): number | undefined {
    for (const ending of ENDINGS) {
      const id = this.#ids.get(path + ending);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  #findSource(path: string): number | undefined {
    const ending = /\.[mc]?jsx?$/.exec(path)?.[0];
    if (ending === undefined) return undefined;
    const stem = path.slice(0, -ending.length);
    for (const other of WRITTEN_FOR[ending] ?? []) {
      const id = this.#ids.get(stem + other);
      if (id !== undefined) return id;
    }
    return undefined;
  }
}
