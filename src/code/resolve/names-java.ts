import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, Scope, ScopeKind, UseFlag } from '../facts.ts';
import type { Names } from './evaluation.ts';
import {
  definedIn,
  type Entity,
  facetsOf,
  holdsMembers,
  NOTHING,
  ownMembers,
  type Program,
  read,
  readLocal,
  scopeColumn,
  unitOf,
} from './program.ts';
import { namesOf, operand, opOf } from './nodes.ts';
import type { Unit } from './unit.ts';

/** Bases of bases that are searched for a name. */
const MAX_BASES = 12;

/**
 * Scopes, packages and imports of Java. Inside a class its members are names, and those it inherits; types of the same
 * package need no import; an import names a class, a member of a class (static) or, with a star, all of either.
 */
export class JavaNames implements Names {
  readonly #program: Program;
  readonly #packages = new Map<string, number>();
  /** Types by package and name. */
  readonly #types = new Map<string, Entity[]>();

  constructor(program: Program) {
    this.#program = program;
    for (const unit of program.units) if (unit !== undefined && unit.facts.language === 'java') this.#addFile(unit);
  }

  /** A package, or the file of a class. */
  module(_unit: Unit, source: string): number {
    const known = this.#packages.get(source);
    if (known !== undefined) return known;
    const [type] = this.#typeNamed(source);
    return type === undefined ? -1 : (this.#program.fileOf[type] ?? -1);
  }

  lookup(unit: Unit, name: number, scope: number, space: number): readonly Entity[] {
    for (let at = scope; at >= 0; at = scopeColumn(unit, at, Scope.parent)) {
      const found = definedIn(unit, at, name);
      if (found.length > 0) return found;
      const local = scopeColumn(unit, at, Scope.definition);
      if (scopeColumn(unit, at, Scope.kind) !== ScopeKind.class || local < 0) continue;
      const members = this.#membersNamed(unit.base + local, name, MAX_BASES).filter((one) => this.#fits(one, space));
      if (members.length > 0) return members;
    }
    const neighbours = this.#types.get(`${unit.facts.packageName}.${this.#program.names.text(name)}`);
    if (neighbours !== undefined) return neighbours;
    for (const star of unit.stars) {
      const found = this.#offered(unit.facts.strings[star] ?? '', name);
      if (found.length > 0) return found;
    }
    return NOTHING;
  }

  follow(entity: Entity): readonly Entity[] {
    if (entity < 0 || read(this.#program, entity, Definition.kind) !== DefinitionKind.import) return [entity];
    const unit = unitOf(this.#program, entity);
    const local = entity - unit.base;
    const source = unit.facts.strings[readLocal(unit, local, Definition.source)] ?? '';
    const imported = readLocal(unit, local, Definition.imported);
    const text = unit.facts.strings[imported] ?? '';
    if (text === '*' || text === '') return this.#typeNamed(source);
    return this.#offered(source, unit.names[imported] ?? 0);
  }

  exported(module: number, name: number): readonly Entity[] {
    const { packages, files, names, units } = this.#program;
    const unit = units[module];
    if (unit !== undefined) return definedIn(unit, 0, name);
    return this.#types.get(`${packages[module - files.length]?.key}.${names.text(name)}`) ?? NOTHING;
  }

  /** A type or static member `name` of the package or class `source`. */
  #offered(source: string, name: number): readonly Entity[] {
    const inPackage = this.#types.get(`${source}.${this.#program.names.text(name)}`);
    if (inPackage !== undefined) return inPackage;
    return this.#typeNamed(source).flatMap((type) => this.#membersNamed(type, name, MAX_BASES));
  }

  /** The type with a full name; nested types follow the name of the one around them. */
  #typeNamed(full: string): readonly Entity[] {
    const known = this.#types.get(full);
    if (known !== undefined) return known;
    const dot = full.lastIndexOf('.');
    const name = this.#program.names.find(full.slice(dot + 1));
    if (dot < 0 || name < 0) return NOTHING;
    return this.#typeNamed(full.slice(0, dot)).flatMap((outer) => ownMembers(this.#program, outer, name));
  }

  /** A constructor is no name; only types are named where a type stands. */
  #fits(member: Entity, space: number): boolean {
    if ((read(this.#program, member, Definition.flags) & DefinitionFlag.constructor) !== 0) return false;
    return space !== UseFlag.type || holdsMembers(read(this.#program, member, Definition.kind));
  }

  /** Members called `name` of a class or of what it is made from. */
  #membersNamed(type: Entity, name: number, depth: number): readonly Entity[] {
    const own = ownMembers(this.#program, type, name);
    if (own.length > 0 || depth === 0) return own;
    const unit = unitOf(this.#program, type);
    const nodes = [Facet.extends, Facet.implements].flatMap((facet) => facetsOf(this.#program, type, facet));
    for (const node of nodes) {
      if (opOf(unit, node) !== NodeOp.TypeName) continue;
      const [first = 0, ...rest] = Array.from(namesOf(unit, node), (text) => unit.names[text] ?? 0);
      // Looked up outside the class: a base cannot be a member of what extends it.
      const scope = scopeColumn(unit, operand(unit, node, 0), Scope.parent);
      let bases = this.lookup(unit, first, Math.max(scope, 0), UseFlag.type).flatMap((one) => this.follow(one));
      for (const part of rest) bases = bases.flatMap((one) => ownMembers(this.#program, one, part));
      for (const base of bases) {
        if (base === type || base < 0) continue;
        const inherited = this.#membersNamed(base, name, depth - 1);
        if (inherited.length > 0) return inherited;
      }
    }
    return NOTHING;
  }

  #addFile(unit: Unit): void {
    const { packages, files } = this.#program;
    const key = unit.facts.packageName;
    const module = this.#packages.get(key) ?? files.length + packages.push({ key, files: [] }) - 1;
    this.#packages.set(key, module);
    packages[module - files.length]?.files.push(unit.file);
    for (let local = 0; local < unit.count; local += 1) {
      if (readLocal(unit, local, Definition.scope) !== 0) continue;
      if (!holdsMembers(readLocal(unit, local, Definition.kind))) continue;
      const name = `${key}.${this.#program.names.text(unit.definitionNames[local] ?? 0)}`;
      this.#types.set(name, [...(this.#types.get(name) ?? []), unit.base + local]);
    }
  }
}
