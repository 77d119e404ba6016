import {
  Definition,
  DefinitionFlag,
  DefinitionKind,
  Facet,
  NodeOp,
  ScopeKind,
  UseFlag,
} from '../../languages/facts/facts.ts';
import { groupOf, type LanguageGroup, languageOf } from '../../languages/languages.ts';
import type { MergedNames } from './names.ts';
import { nameIdsOf, operand, opOf } from '../program/nodes.ts';
import {
  definedIn,
  type Entity,
  facetsOf,
  hasFlag,
  moduleEntity,
  moduleOf,
  NOTHING,
  ownerOf,
  ownMembers,
  type Program,
  read,
  unitOf,
  unitsOf,
} from '../program/program.ts';
import {
  declarationsOf,
  functionsAmong,
  hasMore,
  isHolder,
  isVisible,
  isWholeType,
  nearestTypes,
} from './names-apart.ts';
import { FullNames } from './full-names.ts';
import { NameCache } from './name-cache.ts';
import { NameSpaces, SharedImports, spacesOutward } from './name-spaces.ts';
import type { NameRules } from './names-rules.ts';
import type { Unit } from '../program/unit.ts';

const BOTH = UseFlag.value | UseFlag.type;
/** Types that are searched for one name: a type and what it is made from. */
const MOST_TYPES = 100;
/** Kinds of what a closed function does not see. */
const VARIABLES = new Set<number>([DefinitionKind.variable, DefinitionKind.parameter]);

/** The declarations of a type, and which of its members are meant: those of the type, of its instances, or all. */
type Side = { types: readonly Entity[]; isStatic: boolean | undefined };

/**
 * Names of languages with full names: name spaces and types inside one another, each of which may be declared in several
 * files. A name is looked up through the scopes around it, in the types around it (as all their declarations have it)
 * and what they are made from, in the name space of the file, and in what the file imports whole.
 */
export class QualifiedNames implements MergedNames {
  readonly #program: Program;
  readonly #group: LanguageGroup;
  readonly #hasOverloads: boolean;
  readonly #rules: NameRules;
  readonly #full: FullNames;
  readonly #spaces: NameSpaces;
  /** Members written outside their type, by the full name of the type and their own. */
  readonly #outside = new Map<string, Entity[]>();
  readonly #open = new Set<Entity>();
  readonly #shared = new SharedImports();
  readonly #cache = new NameCache();

  get hasBareMembers(): boolean {
    return this.#rules.hasBareMembers;
  }

  constructor(program: Program, group: LanguageGroup, rules: NameRules) {
    const { sharesNamesWith, hasOverloads = false } = languageOf(group);
    this.#program = program;
    this.#group = group;
    this.#hasOverloads = hasOverloads;
    this.#rules = rules;
    this.#spaces = new NameSpaces(program, rules.separator);
    const units = [...unitsOf(program, group, sharesNamesWith)];
    for (const unit of units) this.#addFile(unit);
    this.#full = new FullNames(program, rules, units);
    if (rules.impliesSpaces === true) this.#spaces.addUndeclared(this.#full.declared);
    for (const unit of units) this.#addOutside(unit);
  }

  module(unit: Unit, source: string): number {
    const at = (fullName: string): number => {
      const [entity] = this.#full.at(fullName) ?? NOTHING;
      return entity === undefined ? (this.#spaces.at(fullName) ?? -1) : (this.#program.fileOf[entity] ?? -1);
    };
    return this.#rules.module(unit, source, at);
  }

  lookup(unit: Unit, name: number, scope: number, space: number = BOTH): readonly Entity[] {
    const visibleEntities = this.#full.visibleFrom(unit.file, this.#lookup(unit, name, scope, space));
    const entities = this.distinct(this.#nearest(unit, visibleEntities));
    return this.#rules.isDeclaredApart === true ? nearestTypes(this.#program, unit, entities) : entities;
  }

  #lookup(unit: Unit, name: number, scope: number, space: number): readonly Entity[] {
    const text = this.#program.names.text(name);
    const { separator, hasNestedSpaces = false, isDeclaredApart = false } = this.#rules;
    const isType = (hasNestedSpaces || isDeclaredApart) && space === UseFlag.type;
    if (text.includes(separator)) return this.#resolveQualified(unit, text, scope);
    let isClosed = false;
    let isStatic: boolean | undefined;
    for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
      const entities = definedIn(unit, at, name);
      const open = isClosed
        ? entities.filter((id) => !VARIABLES.has(read(this.#program, id, Definition.kind)))
        : entities;
      const matches = isType ? open.filter((entity) => hasFlag(this.#program, entity, DefinitionFlag.type)) : open;
      if (matches.length > 0) return matches;
      const local = unit.facts.scopes.definition(at);
      if (local < 0) continue;
      const definition = unit.base + local;
      if (unit.facts.scopes.kind(at) === ScopeKind.function) {
        isClosed ||= this.#rules.isClosed && unit.facts.definitions.name(local) !== 0;
        if (unit.facts.definitions.owner(local) >= 0)
          isStatic ??= hasFlag(this.#program, definition, DefinitionFlag.static);
      }
      const around = this.#holders(unit, at, definition);
      const inside = this.#insideTypes(around, name, isStatic);
      const fitting = isType ? inside.filter((entity) => hasFlag(this.#program, entity, DefinitionFlag.type)) : inside;
      if (fitting.length > 0) return fitting;
    }
    return this.#cache.of({ unit, name }, () => this.#outer(unit, name, text));
  }

  follow(entity: Entity): readonly Entity[] {
    if (entity < 0 || read(this.#program, entity, Definition.kind) !== DefinitionKind.import) return [entity];
    const unit = unitOf(this.#program, entity);
    const local = entity - unit.base;
    const source = this.#sourceOf(unit, local);
    const meant = this.#resolveFullName(unit, source);
    if (meant.length > 0) return this.#nearest(unit, meant);
    const space = this.#spaces.at(source);
    return space === undefined ? NOTHING : [moduleEntity(space)];
  }

  isAmbiguous(definition: Entity): boolean {
    if (definition < 0 || read(this.#program, definition, Definition.kind) !== DefinitionKind.import) return false;
    const unit = unitOf(this.#program, definition);
    const meant = this.#resolveFullName(unit, this.#sourceOf(unit, definition - unit.base));
    return meant.length > 0 && this.#nearest(unit, meant).length === 0;
  }

  /** Selects the declarations of one full name that are of the module that a file means: none when several are equally near. */
  #nearest(unit: Unit, entities: readonly Entity[]): readonly Entity[] {
    const { modules } = this.#rules;
    if (modules === undefined || entities.length < 2) return entities;
    const isShared = entities.every((entity) => entity >= 0 && this.#full.of(entity) !== undefined);
    return isShared ? (modules.nearest(this.#program, unit, entities) ?? NOTHING) : entities;
  }

  /** The full name that an import names. In Java the last part stands by itself. */
  #sourceOf(unit: Unit, local: number): string {
    const source = unit.facts.strings[unit.facts.definitions.source(local)] ?? '';
    const isWhole = groupOf(unit.facts.language) === this.#group;
    return isWhole ? source : this.#full.join(source, unit.facts.strings[unit.facts.definitions.imported(local)] ?? '');
  }

  exported(module: number, name: number): readonly Entity[] {
    const { files, packages, names, units } = this.#program;
    const unit = units[module];
    if (unit !== undefined) return this.distinct(definedIn(unit, 0, name));
    const full = this.#full.join(packages[module - files.length]?.key ?? '', names.text(name));
    return this.#full.at(full) ?? this.#spaceNamed(full);
  }

  merged(declaration: Entity): readonly Entity[] {
    if (this.#rules.isDeclaredApart === true && isWholeType(this.#program, declaration)) return [declaration];
    const full = this.#full.of(declaration);
    const all = full === undefined ? undefined : this.#full.at(full);
    return all === undefined || !all.includes(declaration)
      ? [declaration]
      : this.#full
          .visibleFrom(this.#program.fileOf[declaration] ?? -1, all)
          .filter((entity) => isHolder(this.#program, entity))
          .filter((entity) => this.#rules.modules?.areOfOne(this.#program, entity, declaration) !== false);
  }

  /** Reduces the declarations of one type to the one with most in it. */
  distinct(entities: readonly Entity[]): readonly Entity[] {
    const { hasSides, hasNestedSpaces = false, isDeclaredApart = false } = this.#rules;
    if (isDeclaredApart) {
      const declarations = entities.flatMap((entity) =>
        declarationsOf(this.#program, entity, this.#full.at(this.#full.of(entity) ?? '') ?? []),
      );
      return [...new Set(declarations)];
    }
    if ((!hasSides && !hasNestedSpaces) || entities.length === 0) return entities;
    const whole = entities.map((entity) =>
      entity >= 0 && isHolder(this.#program, entity) ? (this.merged(entity)[0] ?? entity) : entity,
    );
    return [...new Set(whole)];
  }

  isReopened(entity: Entity): boolean {
    const full = this.#full.of(entity);
    if (this.#rules.isReopened === undefined || full === undefined || !isHolder(this.#program, entity)) return false;
    const paths = this.merged(entity).map((declaration) => unitOf(this.#program, declaration).path);
    return this.#rules.isReopened(full, paths);
  }

  spellings(name: number): readonly number[] {
    return [name];
  }

  /** The types whose body or outside member a scope is. */
  #holders(unit: Unit, scope: number, definition: Entity): readonly Entity[] {
    if (unit.facts.scopes.kind(scope) === ScopeKind.class)
      return isHolder(this.#program, definition) ? this.merged(definition) : NOTHING;
    const [receiver] = facetsOf(this.#program, definition, Facet.receiver);
    // An extension that is a static member of a class sees the members of that class, not those of what it extends.
    const isForeign =
      ownerOf(this.#program, definition) >= 0 && hasFlag(this.#program, definition, DefinitionFlag.static);
    if (receiver === undefined || isForeign || this.#open.has(definition)) return NOTHING;
    // The type may be named in the scope of the function itself, where its type parameters are.
    this.#open.add(definition);
    const types = this.#resolveType(unit, receiver, definition);
    this.#open.delete(definition);
    return types;
  }

  /** Returns what declarations of one type hold as `name`: nested types and constants, and members where they are names. */
  #insideTypes(types: readonly Entity[], name: number, isStatic: boolean | undefined): readonly Entity[] {
    const [first] = types;
    if (first === undefined) return NOTHING;
    const text = this.#program.names.text(name);
    const nested = this.#full.at(this.#full.join(this.#full.of(first) ?? '', text));
    if (nested !== undefined) return nested;
    return this.#rules.hasBareMembers ? this.#members({ types, isStatic }, name) : NOTHING;
  }

  /** Members of all declarations of a type, or of what it is made from. `visited` holds the sides of types already searched. */
  #members({ types, isStatic }: Side, name: number, visited = new Set<string>()): readonly Entity[] {
    const [first] = types;
    const side = `${first} ${isStatic}`;
    if (first === undefined || this.#open.has(first) || visited.has(side) || visited.size >= MOST_TYPES) return NOTHING;
    visited.add(side);
    const outside = this.#outside.get(`${this.#full.of(first)} ${name}`) ?? NOTHING;
    const members = [...types.flatMap((type) => ownMembers(this.#program, type, name)), ...outside].filter((member) =>
      isVisible(this.#program, this.#rules, member, isStatic),
    );
    const isOpen = (): boolean => hasMore(this.#program, members, this.#hasOverloads);
    this.#open.add(first);
    for (const type of isOpen() ? types : NOTHING)
      for (const base of this.#bases(type, isStatic)) {
        const inherited = isOpen() ? this.#members(base, name, visited) : NOTHING;
        members.push(...(members.length === 0 ? inherited : functionsAmong(this.#program, inherited)));
      }
    this.#open.delete(first);
    return members;
  }

  *#bases(type: Entity, isStatic: boolean | undefined): Generator<Side> {
    const unit = unitOf(this.#program, type);
    const named = (facet: number): (readonly Entity[])[] =>
      facetsOf(this.#program, type, facet).map((node) => this.#resolveType(unit, node, type));
    for (const facet of [Facet.extends, Facet.implements]) for (const types of named(facet)) yield { types, isStatic };
    // `extend` gives a class the members that the instances of a module have.
    if (isStatic !== false) for (const types of named(Facet.spread)) yield { types, isStatic: false };
  }

  /** All declarations of the type that a type node names, seen from outside of `from`. */
  #resolveType(unit: Unit, node: number, from: Entity): readonly Entity[] {
    if (opOf(unit, node) === NodeOp.ThisType) return this.merged(from);
    if (opOf(unit, node) !== NodeOp.TypeName) return NOTHING;
    const [first = 0, ...rest] = nameIdsOf(unit, node);
    const scope = operand(unit, node, 0);
    const space = rest.length === 0 ? UseFlag.type : BOTH;
    let entities = this.lookup(unit, first, scope, space).flatMap((entity) => this.follow(entity));
    for (const part of rest) entities = entities.flatMap((entity) => this.#part(entity, part));
    const type = entities.find((entity) => entity >= 0 && entity !== from && isHolder(this.#program, entity));
    return type === undefined ? NOTHING : this.merged(type);
  }

  #part(entity: Entity, name: number): readonly Entity[] {
    if (entity < 0) return this.exported(moduleOf(entity), name);
    const full = this.#full.join(this.#full.of(entity) ?? '', this.#program.names.text(name));
    const nested = this.#full.at(full);
    return nested === undefined
      ? ownMembers(this.#program, entity, name)
      : this.#full.visibleFrom(this.#program.fileOf[entity] ?? -1, nested);
  }

  /** A name outside all scopes: of the name space of the file, of what it imports whole, of the program. */
  #outer(unit: Unit, name: number, text: string): readonly Entity[] {
    for (const space of this.#spacesAround(unit)) {
      const own = this.#full.at(this.#full.join(space, text));
      if (own !== undefined) return own;
    }
    for (const source of this.#starsOf(unit)) {
      const entities = this.#resolveFullName(unit, this.#full.join(source, text));
      if (entities.length > 0) return entities;
      const members = this.#resolveFullName(unit, source).flatMap((definition) =>
        ownMembers(this.#program, definition, name),
      );
      if (members.length > 0) return members;
    }
    for (const space of [...this.#spacesAround(unit), '']) {
      const inner = this.#spaceNamed(this.#full.join(space, text));
      if (inner.length > 0) return inner;
    }
    const { fallback } = this.#rules;
    if (fallback === 'none') return NOTHING;
    const global = this.#full.at(text);
    if (global !== undefined || fallback === 'global') return global ?? NOTHING;
    return this.#full.onlyNamed(name);
  }

  /** The name space of a file, and where names nest those around it, from the inside out. */
  #spacesAround(unit: Unit): readonly string[] {
    const space = this.#rules.spaceOf(unit);
    return this.#rules.seesSpacesAround === true ? [...spacesOutward(space, this.#rules.separator), ''] : [space];
  }

  /** Returns what a file imports whole, and what some file imports for all. */
  #starsOf(unit: Unit): readonly string[] {
    return [...unit.stars.map((star) => unit.facts.strings[star] ?? ''), ...this.#shared.of(unit.path)];
  }

  /** A name space, where it is a name. */
  #spaceNamed(full: string): readonly Entity[] {
    const { hasNestedSpaces = false, impliesSpaces = hasNestedSpaces } = this.#rules;
    const space = impliesSpaces ? this.#spaces.at(full) : undefined;
    return space === undefined ? NOTHING : [moduleEntity(space)];
  }

  /** Returns the entities that a full name means: as it is, or inside the name space of the file. */
  #resolveFullName(unit: Unit, name: string): readonly Entity[] {
    return this.#full.at(name) ?? this.#full.at(this.#full.join(this.#rules.spaceOf(unit), name)) ?? this.#inside(name);
  }

  /** A member by the full name of its type, or of a companion: `p.Url.Companion.parse`, a static member of `p.Url`. */
  #inside(name: string): readonly Entity[] {
    const at = name.lastIndexOf(this.#rules.separator);
    const last = at < 0 ? -1 : this.#program.names.find(name.slice(at + this.#rules.separator.length));
    if (last < 0) return NOTHING;
    const types = this.#full.at(name.slice(0, at));
    const outer = this.#rules.hasCompanions && this.#full.at(name.replace(/\.?[^.]*\.[^.]*$/, ''));
    return (types ?? (outer || NOTHING))
      .flatMap((type) => ownMembers(this.#program, type, last))
      .filter((entity) => types !== undefined || hasFlag(this.#program, entity, DefinitionFlag.static));
  }

  /** A name of several parts as it is written: from the root, or from what its first part means here. */
  #resolveQualified(unit: Unit, text: string, scope: number): readonly Entity[] {
    const { separator } = this.#rules;
    if (text.startsWith(separator)) return this.#full.at(text.slice(separator.length)) ?? NOTHING;
    const cut = text.indexOf(separator);
    const first = this.#program.names.find(text.slice(0, cut));
    const start = first < 0 ? NOTHING : definedIn(unit, 0, first);
    for (const entity of start) {
      const local = entity - unit.base;
      if (unit.facts.definitions.kind(local) !== DefinitionKind.import) continue;
      const source = unit.facts.strings[unit.facts.definitions.source(local)] ?? '';
      const entities = this.#full.at(source + text.slice(cut));
      if (entities !== undefined) return entities;
    }
    return scope < 0 ? NOTHING : this.#resolveFullName(unit, text);
  }

  #addFile(unit: Unit): void {
    const key = this.#rules.spaceOf(unit);
    if (key !== '') this.#spaces.addFile(key, unit.file);
    if (this.#rules.hasNestedSpaces === true) {
      this.#shared.add(unit);
      this.#spaces.addAround(key);
    }
  }

  #addOutside(unit: Unit): void {
    for (let local = 0; local < unit.count; local += 1) {
      const definition = unit.base + local;
      const [receiver] = facetsOf(this.#program, definition, Facet.receiver);
      if (receiver === undefined || isHolder(this.#program, definition)) continue;
      const [type] = this.#resolveType(unit, receiver, -1);
      if (type === undefined) continue;
      const key = `${this.#full.of(type)} ${unit.definitionNames[local]}`;
      this.#outside.set(key, [...(this.#outside.get(key) ?? []), definition]);
    }
  }
}
