import type { LanguageGroup } from '../../languages/languages.ts';
import type { Names } from './names.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';
import { definedIn, type Entity, NOTHING, type Program, unitsOf } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/**
 * Names of shell scripts: those of the function, of the file, of the files that it sources, and of the files that source
 * it, for they run as one. A sourced path whose start is only known at run time (`"$ROOT/lib/log.sh"`) is found by its
 * end when one file has it.
 */
export class BashNames implements Names {
  readonly #program: Program;
  readonly #sources = new Map<string, number>();
  /** Files that a file runs with, by file. */
  readonly #together = new Map<number, readonly number[]>();
  readonly #direct = new Map<number, Set<number>>();

  constructor(program: Program, group: LanguageGroup) {
    this.#program = program;
    for (const unit of unitsOf(program, group)) this.#addFile(unit);
  }

  module(unit: Unit, source: string): number {
    const key = `${dirnameOf(unit.path)} ${source}`;
    const cached = this.#sources.get(key);
    if (cached !== undefined) return cached;
    const file = this.#find(unit, source);
    this.#sources.set(key, file);
    return file;
  }

  lookup(unit: Unit, name: number, scope: number): readonly Entity[] {
    for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
      const entities = definedIn(unit, at, name);
      if (entities.length > 0) return entities;
    }
    for (const file of this.#companions(unit.file)) {
      const other = this.#program.units[file];
      const entities = other === undefined ? NOTHING : definedIn(other, 0, name);
      if (entities.length > 0) return entities;
    }
    return NOTHING;
  }

  follow(entity: Entity): readonly Entity[] {
    return [entity];
  }

  exported(module: number, name: number): readonly Entity[] {
    const unit = this.#program.units[module];
    return unit === undefined ? NOTHING : definedIn(unit, 0, name);
  }

  #find(unit: Unit, source: string): number {
    const { fileIds } = this.#program;
    const isDynamic = source.startsWith('*/');
    const path = isDynamic ? source.slice(2) : source;
    const candidates = [joinPath(dirnameOf(unit.path), path), joinPath('', path)];
    // `load helper` of test runners leaves out the ending.
    const near = candidates.flatMap((file) => [file, `${file}.bash`, `${file}.sh`]).find((file) => fileIds.has(file));
    if (near !== undefined || !isDynamic) return near === undefined ? -1 : (fileIds.get(near) ?? -1);
    const ends = [...fileIds].filter(([filePath]) => filePath.endsWith(`/${joinPath('', path)}`));
    return ends.length === 1 ? (ends[0]?.[1] ?? -1) : -1;
  }

  #addFile(unit: Unit): void {
    for (const star of unit.stars) {
      const file = this.module(unit, unit.facts.strings[star] ?? '');
      if (file < 0) continue;
      this.#link(unit.file, file);
    }
  }

  #link(from: number, to: number): void {
    this.#direct.set(from, (this.#direct.get(from) ?? new Set<number>()).add(to));
  }

  /**
   * Returns the files that a file sources, directly or through others, the nearest first; then those that source it, and what
   * they source.
   */
  #companions(file: number): readonly number[] {
    const cached = this.#together.get(file);
    if (cached !== undefined) return cached;
    const visited = new Set([file]);
    const below = (from: readonly number[]): number[] => {
      const callers: number[] = [];
      for (let level = from; level.length > 0;) {
        level = level
          .flatMap((caller) => [...(this.#direct.get(caller) ?? [])])
          .filter((caller) => !visited.has(caller) && visited.add(caller));
        callers.push(...level);
      }
      return callers;
    };
    const sourced = below([file]);
    const callers = [...this.#direct].filter(([, files]) => files.has(file)).map(([caller]) => caller);
    const above = callers.filter((caller) => !visited.has(caller) && visited.add(caller));
    const all = [...sourced, ...above, ...below(above)];
    this.#together.set(file, all);
    return all;
  }
}
