import { dirnameOf, foldersUp } from '../program/paths.ts';
import type { Package, Program } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** Name of the export rows that hold for all files. */
const GLOBAL = 'global';

/** A name space and those around it, from the inside out, without the root. */
export function spacesOutward(space: string, separator: string): readonly string[] {
  const parts = space === '' ? [] : space.split(separator);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join(separator));
}

/**
 * Name spaces that a file imports whole for its project (`global using`). What belongs to a project is what lies in the
 * folder of that file, or around its `Properties`.
 */
export class SharedImports {
  readonly #byFolder = new Map<string, Set<string>>();

  add({ path, facts: { exports, strings } }: Unit): void {
    for (let row = 0; row < exports.count; row += 1) {
      if (strings[exports.name(row)] !== GLOBAL) continue;
      const folder = dirnameOf(path).replace(/(^|\/)Properties$/, '');
      const existing = this.#byFolder.get(folder) ?? new Set();
      this.#byFolder.set(folder, existing.add(strings[exports.a(row)] ?? ''));
    }
  }

  /** Returns the name spaces imported for a file, those of the nearest folder first. */
  of(path: string): readonly string[] {
    if (this.#byFolder.size === 0) return [];
    return [...foldersUp(dirnameOf(path))].flatMap((folder) => [...(this.#byFolder.get(folder) ?? [])]);
  }
}

/** The name spaces of a program by full name, each a module of its own. */
export class NameSpaces {
  readonly #program: Program;
  readonly #separator: string;
  readonly #modules = new Map<string, number>();

  constructor(program: Program, separator: string) {
    this.#program = program;
    this.#separator = separator;
  }

  /** The module of a name space. */
  at(full: string): number | undefined {
    return this.#modules.get(full);
  }

  /** Puts a file into its name space. */
  addFile(full: string, file: number): void {
    this.#package(full).files.push(file);
  }

  /** The name spaces around one, which no file needs to have. */
  addAround(full: string): void {
    for (const space of spacesOutward(full, this.#separator)) this.#package(space);
  }

  /** The name spaces that full names say there are and nothing declares: `Admin`, where all there is is `class Admin::Orders`. */
  addUndeclared(fullNames: ReadonlyMap<string, unknown>): void {
    for (const full of fullNames.keys()) {
      const end = full.lastIndexOf(this.#separator);
      if (end <= 0) continue;
      for (const space of spacesOutward(full.slice(0, end), this.#separator))
        if (!fullNames.has(space)) this.#package(space);
    }
  }

  #package(full: string): Package {
    const { packages, files } = this.#program;
    const existing = packages[(this.#modules.get(full) ?? -1) - files.length];
    if (existing !== undefined) return existing;
    const made = { key: full, files: [] };
    this.#modules.set(full, files.length + packages.push(made) - 1);
    return made;
  }
}
