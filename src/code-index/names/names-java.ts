import {
  Definition,
  DefinitionFlag,
  DefinitionKind,
  Facet,
  NodeOp,
  ScopeKind,
  UseFlag,
} from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { groupOf, listVisibleGroups, type LanguageGroup } from '../../languages/languages.ts';
import type { Names } from './names.ts';
import {
  definedIn,
  type Entity,
  facetsOf,
  holdsMembers,
  NOTHING,
  ownMembers,
  type Program,
  read,
  unitOf,
} from '../program/program.ts';
import { type FileHead, headsOf } from '../program/file-head.ts';
import { NameCache } from './name-cache.ts';
import { LAYOUT_MODULES } from './nearest-declarations.ts';
import { nameIdsOf, operand, opOf } from '../program/nodes.ts';
import type { Unit } from '../program/unit.ts';

/** Types that are searched for one name: a class and what it is made from. */
const MOST_TYPES = 100;

/**
 * Scopes, packages and imports of Java. Inside a class its members are names, and those it inherits; types of the same
 * package need no import; an import names a class, a member of a class (static) or, with a star, all of either.
 */
export class JavaNames implements Names {
  readonly hasBareMembers = true;
  readonly #program: Program;
  readonly #group: LanguageGroup;
  readonly #packages = new Map<string, number>();
  /** Types by package and name. */
  readonly #types = new Map<string, Entity[]>();
  readonly #bases = new Map<Entity, readonly Entity[]>();
  readonly #outer = new NameCache();
  /** Classes whose bases are being looked up. */
  #open = 0;

  constructor(program: Program, group: LanguageGroup) {
    this.#program = program;
    this.#group = group;
    for (const { file, base, head } of headsOf(program, ...listVisibleGroups(group))) this.#addFile(file, base, head);
  }

  /** A package, or the file of a class. */
  module(unit: Unit, source: string): number {
    const packageId = this.#packages.get(source);
    if (packageId !== undefined) return packageId;
    const [type] = this.#typeNamed(unit, source);
    return type === undefined ? -1 : (this.#program.fileOf[type] ?? -1);
  }

  lookup(unit: Unit, name: number, scope: number, space: number): readonly Entity[] {
    for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
      const entities = definedIn(unit, at, name);
      const local = unit.facts.scopes.definition(at);
      const isClass = unit.facts.scopes.kind(at) === ScopeKind.class && local >= 0;
      // Of methods the class has those of its bases too.
      if (entities.length > 0 && !(isClass && entities.some((entity) => this.#isMethod(entity)))) return entities;
      if (!isClass) continue;
      const members = this.#membersNamed(unit.base + local, name).filter((member) => this.#fits(member, space));
      if (members.length > 0) return members;
    }
    // While the bases of a class are looked up, what is found through them is not whole.
    return this.#outer.of(
      { unit, name },
      () => this.#outside(unit, name),
      () => this.#open === 0,
    );
  }

  /** A name that no scope of the file has: of its package, or of what it imports whole. */
  #outside(unit: Unit, name: number): readonly Entity[] {
    const neighbours = this.#typesNear(unit, `${unit.facts.packageName}.${this.#program.names.text(name)}`);
    if (neighbours !== undefined) return neighbours;
    for (const star of unit.stars) {
      const entities = this.#findOffered(unit, unit.facts.strings[star] ?? '', name);
      if (entities.length > 0) return entities;
    }
    return NOTHING;
  }

  follow(entity: Entity): readonly Entity[] {
    if (entity < 0 || read(this.#program, entity, Definition.kind) !== DefinitionKind.import) return [entity];
    const unit = unitOf(this.#program, entity);
    const local = entity - unit.base;
    const source = unit.facts.strings[unit.facts.definitions.source(local)] ?? '';
    // A language that shares its names imports by whole names.
    if (groupOf(unit.facts.language) !== this.#group) return this.#typeNamed(unit, source);
    const imported = unit.facts.definitions.imported(local);
    const text = unit.facts.strings[imported] ?? '';
    if (text === '*' || text === '') return this.#typeNamed(unit, source);
    return this.#findOffered(unit, source, intAt(unit.names, imported));
  }

  isAmbiguous(definition: Entity): boolean {
    const unit = unitOf(this.#program, definition);
    const { definitions } = unit.facts;
    const local = definition - unit.base;
    if (definitions.kind(local) !== DefinitionKind.import) return false;
    const source = unit.facts.strings[definitions.source(local)] ?? '';
    const full = `${source}.${unit.facts.strings[definitions.imported(local)] ?? ''}`;
    return [source, full].some((name) => this.#types.has(name) && this.#typesNear(unit, name)?.length === 0);
  }

  /** The types with a full name that a file means: none when modules are equally near, undefined when there is no such type. */
  #typesNear(unit: Unit, full: string): readonly Entity[] | undefined {
    const types = this.#types.get(full);
    return types && this.#load(LAYOUT_MODULES.nearest(this.#program, unit, types) ?? NOTHING);
  }

  /** Types of which only the heads of their files may have been read: their symbols come with the files. */
  #load(types: readonly Entity[]): readonly Entity[] {
    for (const type of types) unitOf(this.#program, type);
    return types;
  }

  exported(module: number, name: number): readonly Entity[] {
    const { packages, files, names, units } = this.#program;
    const unit = units[module];
    if (unit !== undefined) return definedIn(unit, 0, name);
    return this.#load(this.#types.get(`${packages[module - files.length]?.key}.${names.text(name)}`) ?? NOTHING);
  }

  /** A type or static member `name` of the package or class `source`. */
  #findOffered(unit: Unit, source: string, name: number): readonly Entity[] {
    const inPackage = this.#typesNear(unit, `${source}.${this.#program.names.text(name)}`);
    if (inPackage !== undefined) return inPackage;
    return this.#typeNamed(unit, source).flatMap((type) => this.#membersNamed(type, name));
  }

  /** The type with a full name; nested types follow the name of the one around them. */
  #typeNamed(unit: Unit, full: string): readonly Entity[] {
    const types = this.#typesNear(unit, full);
    if (types !== undefined) return types;
    const dot = full.lastIndexOf('.');
    const name = this.#program.names.find(full.slice(dot + 1));
    if (dot < 0 || name < 0) return NOTHING;
    return this.#typeNamed(unit, full.slice(0, dot)).flatMap((outer) => ownMembers(this.#program, outer, name));
  }

  /** A constructor is no name; only types are named where a type stands. */
  #fits(member: Entity, space: number): boolean {
    if ((read(this.#program, member, Definition.flags) & DefinitionFlag.constructor) !== 0) return false;
    return space !== UseFlag.type || holdsMembers(read(this.#program, member, Definition.kind));
  }

  #isMethod(entity: Entity): boolean {
    return read(this.#program, entity, Definition.kind) === DefinitionKind.method;
  }

  /**
   * True if a member is private and of another file: it is not inherited. In the file of the class around both it can still be
   * reached.
   */
  #isHidden(member: Entity, type: Entity): boolean {
    const isElsewhere = this.#program.fileOf[member] !== this.#program.fileOf[type];
    return isElsewhere && (read(this.#program, member, Definition.flags) & DefinitionFlag.private) !== 0;
  }

  /** Members called `name` of a class or of what it is made from, those of the class first. */
  #membersNamed(type: Entity, name: number, visited = new Set<Entity>()): readonly Entity[] {
    visited.add(type);
    const own = ownMembers(this.#program, type, name);
    const isMethod = (entity: Entity): boolean => this.#isMethod(entity);
    if ((own.length > 0 && !own.some(isMethod)) || visited.size >= MOST_TYPES) return own;
    // Methods of the bases are told apart from those of the class by what they take.
    const members = own;
    for (const base of this.#basesOf(type)) {
      const inherited = visited.has(base)
        ? NOTHING
        : this.#membersNamed(base, name, visited).filter((member) => !this.#isHidden(member, type));
      members.push(...(members.length === 0 ? inherited : inherited.filter(isMethod)));
      if (members.length > 0 && !members.some(isMethod)) return members;
    }
    return members;
  }

  /** The types that a class is made from, in the order they are written. */
  #basesOf(type: Entity): readonly Entity[] {
    const cached = this.#bases.get(type);
    if (cached !== undefined) return cached;
    // Files that import the members of each other's classes ask for the bases of a class while they are looked up.
    this.#bases.set(type, NOTHING);
    const nodes = [Facet.extends, Facet.implements].flatMap((facet) => facetsOf(this.#program, type, facet));
    this.#open += 1;
    const bases = nodes.flatMap((node) => this.#resolveType(type, node)).filter((base) => base >= 0 && base !== type);
    this.#open -= 1;
    this.#bases.set(type, bases);
    return bases;
  }

  /** Returns the types that a type node in the head of a class names. */
  #resolveType(type: Entity, node: number): readonly Entity[] {
    const unit = unitOf(this.#program, type);
    if (opOf(unit, node) !== NodeOp.TypeName) return NOTHING;
    const [first = 0, ...rest] = nameIdsOf(unit, node);
    // Looked up outside the class: a base cannot be a member of what extends it.
    const scope = unit.facts.scopes.parent(operand(unit, node, 0));
    let named = this.lookup(unit, first, Math.max(scope, 0), UseFlag.type).flatMap((entity) => this.follow(entity));
    for (const part of rest)
      named = named.flatMap((definition) => (definition < 0 ? [] : ownMembers(this.#program, definition, part)));
    return named;
  }

  #addFile(file: number, base: number, { packageName: key, top }: FileHead): void {
    const { packages, files } = this.#program;
    const module = this.#packages.get(key) ?? files.length + packages.push({ key, files: [] }) - 1;
    this.#packages.set(key, module);
    packages[module - files.length]?.files.push(file);
    for (const [local, kind, text] of top) {
      if (!holdsMembers(kind)) continue;
      const name = `${key}.${text}`;
      this.#types.set(name, [...(this.#types.get(name) ?? []), base + local]);
    }
  }
}
