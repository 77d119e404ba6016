import { Definition, DefinitionFlag, DefinitionKind, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { readTable, tomlString } from '../../kernel/toml.ts';
import type { Names } from './names.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';
import {
  definedIn,
  type Entity,
  moduleEntity,
  moduleOf,
  NOTHING,
  ownMembers,
  type Program,
  read,
  unitOf,
} from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** Files that start a crate, behind the folder of a package. */
const ROOT = /^(?:(.*)\/)?(?:src\/(?:lib|main)|build|(?:src\/bin|tests|examples|benches)\/[^/]+(?:\/main)?)\.rs$/;

/**
 * Scopes, modules and crates of Rust. A module is a file or a `mod` with a body; `use` imports and re-exports; the names
 * `crate`, `self` and `super` start at the module that they are written in. In packages of the edition of 2015 the paths of
 * `use` start at the root of the crate.
 */
export class RustNames implements Names {
  readonly #program: Program;
  /** Root file of each library by crate name. */
  readonly #crates = new Map<string, number>();
  /** Folders of packages. */
  readonly #packages = new Set<string>();
  /** Those of packages that name no edition, which means 2015, or name that one. */
  readonly #oldPackages = new Set<string>();
  readonly #open = new Set<Entity>();
  /** Modules that the macros of a file declare. */
  readonly #children = new Map<Unit, ReadonlyMap<number, Unit>>();
  readonly #followed = new Map<Entity, readonly Entity[]>();
  /** Macros by their name; made when a macro is first asked for. */
  #macros: ReadonlyMap<number, readonly Entity[]> | undefined;

  constructor(program: Program, configs: ReadonlyMap<string, string>) {
    this.#program = program;
    for (const [path, text] of configs) {
      if (!/(^|\/)Cargo\.toml$/.test(path)) continue;
      this.#packages.add(dirnameOf(path));
      if (isOld(text)) this.#oldPackages.add(dirnameOf(path));
      const library = readTable(text, 'lib');
      const name = tomlString(library?.get('name')) ?? tomlString(readTable(text, 'package')?.get('name'));
      const start = tomlString(library?.get('path')) ?? 'src/lib.rs';
      const root = program.fileIds.get(joinPath(dirnameOf(path), start));
      if (name !== undefined && root !== undefined) this.#crates.set(name.replaceAll('-', '_'), root);
    }
  }

  /** The file of a module path. */
  module(unit: Unit, source: string): number {
    const [found] = this.#path(unit, 0, source);
    if (found === undefined) return -1;
    return found < 0 ? moduleOf(found) : (this.#program.fileOf[found] ?? -1);
  }

  lookup(unit: Unit, name: number, scope: number, space: number): readonly Entity[] {
    if ((space & UseFlag.macro) !== 0) return this.#macroNamed(unit, name, scope);
    const text = this.#program.names.text(name);
    if (text === 'crate') return [moduleEntity(this.#rootOf(unit))];
    if (text === 'self' || text === 'super') {
      const found = definedIn(unit, scope, name);
      if (found.length > 0) return found;
    }
    for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
      const found = definedIn(unit, at, name);
      if (found.length > 0) return found;
    }
    if (text === 'self') return [moduleEntity(unit.file)];
    if (text === 'super') return this.#parentOf(unit);
    const found = this.#starred(unit, name);
    if (found.length > 0) return found;
    const undeclared = this.#undeclared(unit, name);
    if (undeclared.length > 0) return undeclared;
    const crate = this.#crates.get(text);
    return crate === undefined ? this.#macrosOf(unit, name) : [moduleEntity(crate)];
  }

  /** What `name!` calls: a macro, or what another crate gives under this name; never a function of this crate. */
  #macroNamed(unit: Unit, name: number, scope: number): readonly Entity[] {
    const isMeant = (entity: Entity): boolean =>
      entity >= 0 &&
      (read(this.#program, entity, Definition.kind) === DefinitionKind.macro ||
        this.#rootOf(unitOf(this.#program, entity)) !== this.#rootOf(unit));
    const calls = (entity: Entity): boolean => this.follow(entity).some(isMeant);
    for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
      const found = definedIn(unit, at, name).filter(calls);
      if (found.length > 0) return found;
    }
    const found = this.#starred(unit, name).filter(calls);
    return found.length > 0 ? found : this.#macrosOf(unit, name);
  }

  follow(entity: Entity): readonly Entity[] {
    if (entity < 0) return [entity];
    const unit = unitOf(this.#program, entity);
    const local = entity - unit.base;
    const kind = unit.facts.definitions.kind(local);
    if (kind === DefinitionKind.module) {
      const child = unit.facts.definitions.bodyScope(local) < 0 ? this.#childFile(unit, local) : -1;
      return child < 0 ? [entity] : [moduleEntity(child)];
    }
    if (kind !== DefinitionKind.import || this.#open.has(entity))
      return kind === DefinitionKind.import ? NOTHING : [entity];
    const known = this.#followed.get(entity);
    if (known !== undefined) return known;
    this.#open.add(entity);
    const source = unit.facts.strings[unit.facts.definitions.source(local)] ?? '';
    const imported = unit.facts.definitions.imported(local);
    const scope = unit.facts.definitions.scope(local);
    const text = unit.facts.strings[imported] ?? '';
    const found =
      text === '*' || text === '' || text === 'self'
        ? this.#used(unit, scope, source)
        : source === ''
          ? this.#used(unit, scope, text)
          : this.#used(unit, scope, source).flatMap((holder) => this.#inside(holder, intAt(unit.names, imported)));
    this.#open.delete(entity);
    this.#followed.set(entity, found);
    return found;
  }

  exported(module: number, name: number): readonly Entity[] {
    return this.#inside(moduleEntity(module), name);
  }

  /** What the path of a `use` names. */
  #used(unit: Unit, scope: number, path: string): readonly Entity[] {
    const isRelative = /^(?:self|super|crate)\b/.test(path);
    const root = !isRelative && this.#isOfOldPackage(unit) ? this.#program.units[this.#rootOf(unit)] : undefined;
    const found = root === undefined || root === unit ? NOTHING : this.#path(root, 0, path);
    return found.length > 0 ? found : this.#path(unit, scope, path);
  }

  #isOfOldPackage(unit: Unit): boolean {
    for (let folder = dirnameOf(unit.path); ; folder = dirnameOf(folder)) {
      if (this.#packages.has(folder)) return this.#oldPackages.has(folder);
      if (folder === '') return false;
    }
  }

  /** What a path like `crate::a::b` names, seen from a scope. */
  #path(unit: Unit, scope: number, path: string): readonly Entity[] {
    const [first = '', ...rest] = path.replace(/^::/, '').split('::');
    const start = this.#program.names.find(first);
    const from =
      start < 0
        ? this.#crate(first)
        : this.lookup(unit, start, scope, UseFlag.value).flatMap((entity) => this.follow(entity));
    return rest.reduce<readonly Entity[]>((at, part) => {
      const name = this.#program.names.find(part);
      if (part === 'super') return at.flatMap((entity) => this.#around(entity));
      return name < 0 ? NOTHING : at.flatMap((entity) => this.#inside(entity, name));
    }, from);
  }

  #crate(name: string): readonly Entity[] {
    const root = this.#crates.get(name);
    return root === undefined ? NOTHING : [moduleEntity(root)];
  }

  /** What a module or type offers as `name`. */
  #inside(entity: Entity, name: number): readonly Entity[] {
    const unit = entity < 0 ? this.#program.units[moduleOf(entity)] : unitOf(this.#program, entity);
    if (unit === undefined) return NOTHING;
    const isModule = entity < 0 || read(this.#program, entity, Definition.kind) === DefinitionKind.module;
    if (!isModule) return ownMembers(this.#program, entity, name);
    const scope = entity < 0 ? 0 : unit.facts.definitions.bodyScope(entity - unit.base);
    const found = definedIn(unit, scope, name).flatMap((definition) => this.follow(definition));
    if (found.length > 0 || entity >= 0) return found;
    const starred = this.#starred(unit, name);
    if (starred.length === 0) {
      const undeclared = this.#undeclared(unit, name);
      if (undeclared.length > 0) return undeclared;
    }
    // What `#[macro_export]` marks is offered by the root of its crate.
    return starred.length > 0 || this.#rootOf(unit) !== unit.file ? starred : this.#macrosOf(unit, name);
  }

  /** The macros of the crate that a file belongs to: what declares them before, `#[macro_use]` hands on, whatever module it is in. */
  #macrosOf(unit: Unit, name: number): readonly Entity[] {
    this.#macros ??= this.#findMacros();
    const named = this.#macros.get(name);
    if (named === undefined) return NOTHING;
    const root = this.#rootOf(unit);
    return named.filter((macro) => this.#rootOf(unitOf(this.#program, macro)) === root);
  }

  #findMacros(): ReadonlyMap<number, readonly Entity[]> {
    const found = new Map<number, Entity[]>();
    for (const unit of this.#program.units) {
      if (!unit?.path.endsWith('.rs')) continue;
      const { definitions } = unit.facts;
      for (let local = 0; local < definitions.count; local += 1) {
        if (definitions.kind(local) !== DefinitionKind.macro) continue;
        const name = intAt(unit.definitionNames, local);
        found.set(name, [...(found.get(name) ?? []), unit.base + local]);
      }
    }
    return found;
  }

  /** A name that a `use a::*` of the file brings; none while the stars of the file are being followed. */
  #starred(unit: Unit, name: number): readonly Entity[] {
    const own = moduleEntity(unit.file);
    if (unit.stars.length === 0 || this.#open.has(own)) return NOTHING;
    this.#open.add(own);
    let found: readonly Entity[] = NOTHING;
    for (const star of unit.stars) {
      found = this.#used(unit, 0, unit.facts.strings[star] ?? '').flatMap((entity) => this.#inside(entity, name));
      if (found.length > 0) break;
    }
    this.#open.delete(own);
    return found;
  }

  /**
   * What a file has as `name` through modules that its macros declare (`modules! { url }`), which no `mod` of its own does:
   * the module, or what is at the top of one. A file beside is such a module when the file names it outside of all bodies.
   */
  #undeclared(unit: Unit, name: number): readonly Entity[] {
    const children = this.#undeclaredOf(unit);
    if (children.size === 0) return NOTHING;
    const child = children.get(name);
    if (child !== undefined) return [moduleEntity(child.file)];
    const own = moduleEntity(unit.file);
    if (this.#open.has(own)) return NOTHING;
    this.#open.add(own);
    const found = [...children.values()].flatMap((inner) =>
      definedIn(inner, 0, name)
        .filter((entity) => this.#isOffered(entity))
        .flatMap((entity) => this.follow(entity)),
    );
    this.#open.delete(own);
    return found;
  }

  #isOffered(entity: Entity): boolean {
    return (read(this.#program, entity, Definition.flags) & DefinitionFlag.exported) !== 0;
  }

  /** The modules of a file that its macros declare, by name. */
  #undeclaredOf(unit: Unit): ReadonlyMap<number, Unit> {
    const known = this.#children.get(unit);
    if (known !== undefined) return known;
    const children = new Map<number, Unit>();
    this.#children.set(unit, children);
    const { references, definitions, scopes } = unit.facts;
    const isTop = (row: number): boolean => references.scope(row) === 0;
    const hasMacro = (row: number): boolean => (references.flags(row) & UseFlag.macro) !== 0 && isTop(row);
    const rows = Array.from({ length: references.count }, (_, row) => row);
    if (scopes.count === 0 || !rows.some(hasMacro)) return children;
    const declared = new Set<number>();
    for (let local = 0; local < definitions.count; local += 1)
      if (definitions.kind(local) === DefinitionKind.module) declared.add(intAt(unit.definitionNames, local));
    for (const row of rows.filter(isTop)) {
      const name = intAt(unit.names, references.name(row));
      const file = declared.has(name) ? -1 : this.#fileOfModule(unit, name);
      const child = this.#program.units[file];
      if (child !== undefined && child !== unit && !this.#isRoot(child.path)) children.set(name, child);
    }
    return children;
  }

  /** The file that `mod name;` stands for: beside the file, or in the folder that bears the file's name. */
  #childFile(unit: Unit, local: number): number {
    return this.#fileOfModule(unit, intAt(unit.definitionNames, local));
  }

  #fileOfModule(unit: Unit, name: number): number {
    const folder = joinPath(this.#moduleFolder(unit.path), this.#program.names.text(name));
    const { fileIds } = this.#program;
    return fileIds.get(`${folder}.rs`) ?? fileIds.get(`${folder}/mod.rs`) ?? -1;
  }

  /** The module around a file's module. */
  #parentOf(unit: Unit): readonly Entity[] {
    const folder = dirnameOf(this.#moduleFolder(unit.path.replace(/\/mod\.rs$/, '.rs')));
    const { fileIds } = this.#program;
    for (const path of [`${folder}.rs`, `${folder}/mod.rs`, `${folder}/lib.rs`, `${folder}/main.rs`]) {
      const file = fileIds.get(path);
      if (file !== undefined && file !== unit.file) return [moduleEntity(file)];
    }
    return NOTHING;
  }

  #around(entity: Entity): readonly Entity[] {
    const unit = entity < 0 ? this.#program.units[moduleOf(entity)] : undefined;
    return unit === undefined ? NOTHING : this.#parentOf(unit);
  }

  /** The root file of the crate that a file belongs to. */
  #rootOf(unit: Unit): number {
    const { fileIds } = this.#program;
    if (this.#isRoot(unit.path)) return unit.file;
    for (let folder = dirnameOf(unit.path); ; folder = dirnameOf(folder)) {
      const root = fileIds.get(joinPath(folder, 'lib.rs')) ?? fileIds.get(joinPath(folder, 'main.rs'));
      if (root !== undefined) return root;
      if (folder === '') return unit.file;
    }
  }

  /** Whether a file starts a crate: `build.rs` and `tests/a.rs` are modules like any other where no package begins. */
  #isRoot(path: string): boolean {
    const [found, folder = ''] = ROOT.exec(path) ?? [];
    return found !== undefined && (this.#packages.size === 0 || this.#packages.has(folder));
  }

  /** The folder that holds the modules inside a file: its own for roots and `mod.rs`, else the one with its name. */
  #moduleFolder(path: string): string {
    return /(^|\/)(mod|lib|main)\.rs$/.test(path) || this.#isRoot(path) ? dirnameOf(path) : path.replace(/\.rs$/, '');
  }
}

/** Whether a manifest is of a package of the edition of 2015, which is meant where none is named. */
function isOld(manifest: string): boolean {
  const own = readTable(manifest, 'package');
  if (own === undefined) return false;
  const edition = own.get('edition');
  return edition === undefined ? !own.has('edition.workspace') : edition.includes('2015');
}
