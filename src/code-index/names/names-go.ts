import { Definition, DefinitionKind } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { LanguageGroup } from '../../languages/languages.ts';
import { exportedByStars, type Names } from './names.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';
import {
  definedIn,
  type Entity,
  moduleEntity,
  NOTHING,
  type Program,
  read,
  unitOf,
  unitsOf,
} from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** Scopes and packages of Go: the files of a directory share their top level; tests of `x_test` are apart. */
export class GoNames implements Names {
  readonly #program: Program;
  /** Directories of Go modules by module path, the longest path first. */
  readonly #modules: readonly (readonly [path: string, directory: string])[];
  readonly #packages = new Map<string, number>();
  readonly #tops = new Map<number, Map<number, Entity[]>>();

  constructor(program: Program, group: LanguageGroup, configs: ReadonlyMap<string, string>) {
    this.#program = program;
    const modules = [...configs]
      .filter(([path]) => /(^|\/)go\.mod$/.test(path))
      .map(([path, text]) => [/^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? '', dirnameOf(path)] as const);
    this.#modules = modules.filter(([path]) => path !== '').toSorted((a, b) => b[0].length - a[0].length);
    for (const unit of unitsOf(program, group)) this.#addFile(unit);
  }

  module(_unit: Unit, source: string): number {
    for (const [path, directory] of this.#modules) {
      if (source !== path && !source.startsWith(`${path}/`)) continue;
      const id = this.#packages.get(joinPath(directory, source.slice(path.length)));
      if (id !== undefined) return id;
    }
    return -1;
  }

  lookup(unit: Unit, name: number, scope: number): readonly Entity[] {
    for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
      const entities = definedIn(unit, at, name);
      if (entities.length > 0) return entities;
    }
    const shared = this.exported(this.#packages.get(packageKey(unit)) ?? -1, name);
    if (shared.length > 0) return shared;
    return exportedByStars(this, unit, name);
  }

  follow(entity: Entity): readonly Entity[] {
    if (entity < 0 || read(this.#program, entity, Definition.kind) !== DefinitionKind.import) return [entity];
    const unit = unitOf(this.#program, entity);
    const source = unit.facts.definitions.source(entity - unit.base);
    const module = this.module(unit, unit.facts.strings[source] ?? '');
    return module < 0 ? NOTHING : [moduleEntity(module)];
  }

  exported(module: number, name: number): readonly Entity[] {
    return this.#tops.get(module)?.get(name) ?? NOTHING;
  }

  #addFile(unit: Unit): void {
    const { packages, files } = this.#program;
    const key = packageKey(unit);
    const existing = this.#packages.get(key);
    const module = existing ?? files.length + packages.push({ key, files: [] }) - 1;
    this.#packages.set(key, module);
    packages[module - files.length]?.files.push(unit.file);
    const tops = this.#tops.get(module) ?? new Map<number, Entity[]>();
    this.#tops.set(module, tops);
    for (let local = 0; local < unit.count; local += 1) {
      if (unit.facts.definitions.scope(local) !== 0) continue;
      if (unit.facts.definitions.kind(local) === DefinitionKind.import) continue;
      const name = intAt(unit.definitionNames, local);
      const list = tops.get(name);
      if (list === undefined) tops.set(name, [unit.base + local]);
      else list.push(unit.base + local);
    }
  }
}

function packageKey(unit: Unit): string {
  const directory = dirnameOf(unit.path);
  return unit.facts.packageName.endsWith('_test') ? `${directory}#test` : directory;
}
