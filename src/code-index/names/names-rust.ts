import { Definition, DefinitionFlag, DefinitionKind, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { readTable, tomlString } from '../../kernel/toml.ts';
import { type Expansion, RustExpansions } from './expansions-rust.ts';
import { RustLayout } from './layout-rust.ts';
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
  readonly #layout: RustLayout;
  readonly #expansions: RustExpansions;
  readonly #following = new Set<Expansion>();
  /** Number of searches that ended because they were already open. */
  #cuts = 0;
  readonly #followed = new Map<Entity, readonly Entity[]>();
  /** Macros by their name; made when a macro is first asked for. */
  #macros: ReadonlyMap<number, readonly Entity[]> | undefined;

  constructor(program: Program, configs: ReadonlyMap<string, string>) {
    this.#program = program;
    this.#layout = new RustLayout(program, this.#packages);
    this.#expansions = new RustExpansions(program, this.#layout, (unit, scope, path) =>
      this.#macrosAt(unit, scope, path),
    );
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
    const [entity] = this.#resolvePath(unit, 0, source);
    if (entity === undefined) return -1;
    return entity < 0 ? moduleOf(entity) : (this.#program.fileOf[entity] ?? -1);
  }

  lookup(unit: Unit, name: number, scope: number, space: number): readonly Entity[] {
    if ((space & UseFlag.macro) !== 0) return this.#macroNamed(unit, name, scope);
    const text = this.#program.names.text(name);
    if (text === 'crate') return this.#rootNamed(unit, text);
    if (text === 'self' || text === 'super') {
      const entities = definedIn(unit, scope, name);
      if (entities.length > 0) return entities;
    }
    for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
      const entities = definedIn(unit, at, name);
      if (entities.length > 0) return entities;
    }
    if (text === 'self' || text === 'super') return this.#rootNamed(unit, text);
    const entities = this.#lookUpStars(unit, name);
    if (entities.length > 0) return entities;
    const expanded = this.#lookUpExpansions(unit, scope, name);
    if (expanded.length > 0) return expanded;
    const crate = this.#crates.get(text);
    if (crate !== undefined) return [moduleEntity(crate)];
    const around = this.#aroundIncluded(unit, name);
    return around.length > 0 ? around : this.#macrosOf(unit, name);
  }

  /** Returns what `name!` calls: a macro, or what another crate gives under this name; never a function of this crate. */
  #macroNamed(unit: Unit, name: number, scope: number): readonly Entity[] {
    const isMeant = (entity: Entity): boolean =>
      entity >= 0 &&
      (read(this.#program, entity, Definition.kind) === DefinitionKind.macro ||
        this.#rootOf(unitOf(this.#program, entity)) !== this.#rootOf(unit));
    const calls = (entity: Entity): boolean => this.follow(entity).some(isMeant);
    for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
      const macros = definedIn(unit, at, name).filter(calls);
      if (macros.length > 0) return macros;
    }
    const macros = this.#lookUpStars(unit, name).filter(calls);
    return macros.length > 0 ? macros : this.#macrosOf(unit, name);
  }

  follow(entity: Entity): readonly Entity[] {
    if (entity < 0) return [entity];
    const unit = unitOf(this.#program, entity);
    const local = entity - unit.base;
    const kind = unit.facts.definitions.kind(local);
    if (kind === DefinitionKind.module) {
      const children = unit.facts.definitions.bodyScope(local) < 0 ? this.#layout.childFiles(unit, local) : [];
      return children.length === 0 ? [entity] : children.map((file) => moduleEntity(file));
    }
    if (kind !== DefinitionKind.import) return [entity];
    const cached = this.#followed.get(entity);
    if (cached !== undefined) return cached;
    if (this.#open.has(entity)) return this.#cut();
    const cuts = this.#cuts;
    this.#open.add(entity);
    const source = unit.facts.strings[unit.facts.definitions.source(local)] ?? '';
    const imported = unit.facts.definitions.imported(local);
    const scope = unit.facts.definitions.scope(local);
    const text = unit.facts.strings[imported] ?? '';
    const targets =
      text === '*' || text === '' || text === 'self'
        ? this.#resolveUse(unit, scope, source)
        : source === ''
          ? this.#resolveUse(unit, scope, text)
          : this.#resolveUse(unit, scope, source).flatMap((holder) =>
              this.#inside(holder, intAt(unit.names, imported)),
            );
    this.#open.delete(entity);
    const isInside = this.#open.size > 0 || this.#following.size > 0;
    if (this.#cuts === cuts || !isInside) this.#followed.set(entity, targets);
    return targets;
  }

  /** Ends a search that has come back to where it is: what searches inside of it give may be less than there is. */
  #cut(): readonly Entity[] {
    this.#cuts += 1;
    return NOTHING;
  }

  exported(module: number, name: number): readonly Entity[] {
    return this.#inside(moduleEntity(module), name);
  }

  inside(holder: Entity, name: number): readonly Entity[] {
    return this.#inside(holder, name);
  }

  /** Returns the entities that the path of a `use` names. */
  #resolveUse(unit: Unit, scope: number, path: string): readonly Entity[] {
    const isRelative = /^(?:self|super|crate)\b/.test(path);
    const root = !isRelative && this.#isOfOldPackage(unit) ? this.#program.units[this.#rootOf(unit)] : undefined;
    const entities = root === undefined || root === unit ? NOTHING : this.#resolvePath(root, 0, path);
    return entities.length > 0 ? entities : this.#resolvePath(unit, scope, path);
  }

  #isOfOldPackage(unit: Unit): boolean {
    return this.#oldPackages.has(this.#layout.packageOf(unit));
  }

  /** Resolves a path like `crate::a::b` from a scope. */
  #resolvePath(unit: Unit, scope: number, path: string): readonly Entity[] {
    const [first = '', ...rest] = path.replace(/^::/, '').split('::');
    const start = this.#program.names.find(first);
    const from =
      start < 0
        ? this.#rootNamed(unit, first)
        : this.lookup(unit, start, scope, UseFlag.value).flatMap((entity) => this.follow(entity));
    return rest.reduce<readonly Entity[]>((at, part) => {
      const name = this.#program.names.find(part);
      if (part === 'super') return at.flatMap((entity) => this.#around(entity));
      return name < 0 ? NOTHING : at.flatMap((entity) => this.#inside(entity, name));
    }, from);
  }

  /** Resolves the first word of a path when no file has it as a name. */
  #rootNamed(unit: Unit, name: string): readonly Entity[] {
    if (name === 'crate') return [moduleEntity(this.#rootOf(unit))];
    if (name === 'self') return [moduleEntity(unit.file)];
    if (name === 'super') return this.#parentOf(unit);
    const root = this.#crates.get(name);
    return root === undefined ? NOTHING : [moduleEntity(root)];
  }

  /** Returns the entities that a module or type offers as `name`. */
  #inside(entity: Entity, name: number, isStar = false): readonly Entity[] {
    const unit = entity < 0 ? this.#program.units[moduleOf(entity)] : unitOf(this.#program, entity);
    if (unit === undefined) return NOTHING;
    const isModule = entity < 0 || read(this.#program, entity, Definition.kind) === DefinitionKind.module;
    if (!isModule) return ownMembers(this.#program, entity, name);
    const scope = entity < 0 ? 0 : unit.facts.definitions.bodyScope(entity - unit.base);
    const defined = definedIn(unit, scope, name);
    const entities = (isStar ? defined.filter((each) => this.#isHandedOn(each)) : defined).flatMap((each) =>
      this.follow(each),
    );
    if (entities.length > 0) return entities;
    const starred = entity < 0 ? this.#lookUpStars(unit, name) : NOTHING;
    const expanded = starred.length > 0 ? NOTHING : this.#lookUpExpansions(unit, scope, name);
    if (expanded.length > 0 || entity >= 0) return expanded;
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
    const macros = new Map<number, Entity[]>();
    for (const unit of this.#program.units) {
      if (!unit?.path.endsWith('.rs')) continue;
      const { definitions } = unit.facts;
      for (let local = 0; local < definitions.count; local += 1) {
        if (definitions.kind(local) !== DefinitionKind.macro) continue;
        const name = intAt(unit.definitionNames, local);
        macros.set(name, [...(macros.get(name) ?? []), unit.base + local]);
      }
    }
    return macros;
  }

  /** A name that a `use a::*` of the file brings; none while the stars of the file are being followed. */
  #lookUpStars(unit: Unit, name: number): readonly Entity[] {
    const own = moduleEntity(unit.file);
    if (unit.stars.length === 0) return NOTHING;
    if (this.#open.has(own)) return this.#cut();
    this.#open.add(own);
    let entities: readonly Entity[] = NOTHING;
    for (const star of unit.stars) {
      entities = this.#resolveUse(unit, 0, unit.facts.strings[star] ?? '').flatMap((entity) =>
        this.#inside(entity, name),
      );
      if (entities.length > 0) break;
    }
    this.#open.delete(own);
    return entities;
  }

  /** Returns the entities that macro calls among the items of a scope, or of one around it, declare as `name`. */
  #lookUpExpansions(unit: Unit, scope: number, name: number): readonly Entity[] {
    const expansions = unit.macros.length === 0 ? [] : this.#expansions.of(unit);
    for (let at = scope; at >= 0 && expansions.length > 0; at = unit.facts.scopes.parent(at)) {
      const expansion = expansions.find((each) => each.scope === at);
      const entities = expansion === undefined ? NOTHING : this.#inExpansion(unit, expansion, name);
      if (entities.length > 0) return entities;
    }
    return NOTHING;
  }

  #inExpansion(unit: Unit, expansion: Expansion, name: number): readonly Entity[] {
    const module = expansion.modules.get(name);
    const modules = module === undefined ? NOTHING : [moduleEntity(module)];
    const path = expansion.imports.get(name);
    if (path === undefined && modules.length > 0) return modules;
    // Each expansion is followed once at a time, whichever file the way leads through.
    if (this.#following.has(expansion)) return modules.length > 0 ? modules : this.#cut();
    this.#following.add(expansion);
    const entities = this.#followExpansion(unit, expansion, { name, path });
    this.#following.delete(expansion);
    return [...modules, ...entities];
  }

  #followExpansion(
    unit: Unit,
    { scope, stars, included, offered }: Expansion,
    { name, path }: { name: number; path: string | undefined },
  ): readonly Entity[] {
    if (path !== undefined) return this.#resolvePath(unit, scope, path);
    const starred = stars.flatMap((star) =>
      this.#resolvePath(unit, scope, star).flatMap((entity) => this.#inside(entity, name, true)),
    );
    // Of what is not public nobody can tell here who sees it.
    const open = starred.filter((entity) => entity < 0 || this.#isOffered(entity));
    if (starred.length > 0) return open.length > 0 ? open : starred.slice(0, 1);
    for (const file of included) {
      const entities = this.#inside(moduleEntity(file), name);
      if (entities.length > 0) return entities;
    }
    return offered.flatMap((file) => {
      const inner = this.#program.units[file];
      const entities = inner === undefined ? NOTHING : definedIn(inner, 0, name);
      return entities.filter((entity) => this.#isOffered(entity)).flatMap((entity) => this.follow(entity));
    });
  }

  /** Returns the entities that `name` means in an included text, where it is included. */
  #aroundIncluded(unit: Unit, name: number): readonly Entity[] {
    const includer = this.#expansions.includerOf(unit);
    if (includer === undefined) return NOTHING;
    if (this.#open.has(moduleEntity(unit.file))) return this.#cut();
    this.#open.add(moduleEntity(unit.file));
    const entities = this.lookup(includer.unit, name, includer.scope, UseFlag.value | UseFlag.type);
    this.#open.delete(moduleEntity(unit.file));
    return entities;
  }

  /** True if a star outside of a module may bring a name of it: private imports are for the module alone. */
  #isHandedOn(entity: Entity): boolean {
    return this.#isOffered(entity) || read(this.#program, entity, Definition.kind) !== DefinitionKind.import;
  }

  #isOffered(entity: Entity): boolean {
    return (read(this.#program, entity, Definition.flags) & DefinitionFlag.exported) !== 0;
  }

  /** The macros that the path of a call may mean: of the scope, else of another crate of the repository by their name alone. */
  #macrosAt(unit: Unit, scope: number, path: string): readonly Entity[] {
    const last = this.#program.names.find(path.slice(path.lastIndexOf(':') + 1));
    if (last < 0) return NOTHING;
    const entities = path.includes('::') ? this.#resolvePath(unit, scope, path) : this.#macroNamed(unit, last, scope);
    this.#macros ??= this.#findMacros();
    return entities.length > 0
      ? entities.flatMap((entity) => this.follow(entity))
      : (this.#macros.get(last) ?? NOTHING);
  }

  #around(entity: Entity): readonly Entity[] {
    const unit = entity < 0 ? this.#program.units[moduleOf(entity)] : undefined;
    return unit === undefined ? NOTHING : this.#parentOf(unit);
  }

  /** The module around a file's module. */
  #parentOf(unit: Unit): readonly Entity[] {
    const file = this.#layout.parentOf(unit);
    return file < 0 ? NOTHING : [moduleEntity(file)];
  }

  #rootOf(unit: Unit): number {
    return this.#layout.rootOf(unit);
  }
}

/** True if a manifest is of a package of the 2015 edition, which is meant where none is named. */
function isOld(manifest: string): boolean {
  const own = readTable(manifest, 'package');
  if (own === undefined) return false;
  const edition = own.get('edition');
  return edition === undefined ? !own.has('edition.workspace') : edition.includes('2015');
}
