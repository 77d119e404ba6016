import { dirnameOf, foldersUp } from '../program/paths.ts';
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
      const known = this.#byFolder.get(folder) ?? new Set();
      this.#byFolder.set(folder, known.add(strings[exports.a(row)] ?? ''));
    }
  }

  /** What is imported for a file, the nearest folder first. */
  of(path: string): readonly string[] {
    if (this.#byFolder.size === 0) return [];
    return [...foldersUp(dirnameOf(path))].flatMap((folder) => [...(this.#byFolder.get(folder) ?? [])]);
  }
}
