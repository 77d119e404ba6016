import { Definition, DefinitionKind } from '../../languages/facts/facts.ts';
import type { LanguageGroup } from '../../languages/languages.ts';
import { exportedByStars, type Names } from './names.ts';
import { type FileHead, headsOf } from '../program/file-head.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';
import { definedIn, type Entity, moduleEntity, NOTHING, type Program, read, unitOf } from '../program/program.ts';
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
    for (const { file, base, head } of headsOf(program, group)) this.#addFile(file, base, head);
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
    const shared = this.exported(this.#packages.get(packageKey(unit.path, unit.facts.packageName)) ?? -1, name);
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
    const { units, fileOf } = this.#program;
    const entities = this.#tops.get(module)?.get(name) ?? NOTHING;
    // Of their files only the heads may have been read: their symbols come with the files.
    for (const entity of entities) void units[fileOf[entity] ?? -1];
    return entities;
  }

  #addFile(file: number, base: number, { packageName, top }: FileHead): void {
    const { packages, files, names } = this.#program;
    const key = packageKey(files[file]?.path ?? '', packageName);
    const existing = this.#packages.get(key);
    const module = existing ?? files.length + packages.push({ key, files: [] }) - 1;
    this.#packages.set(key, module);
    packages[module - files.length]?.files.push(file);
    const tops = this.#tops.get(module) ?? new Map<number, Entity[]>();
    this.#tops.set(module, tops);
    for (const [local, , text] of top) {
      const name = names.id(text);
      const list = tops.get(name);
      if (list === undefined) tops.set(name, [base + local]);
      else list.push(base + local);
    }
  }
}

function packageKey(path: string, packageName: string): string {
  const directory = dirnameOf(path);
  return packageName.endsWith('_test') ? `${directory}#test` : directory;
}
