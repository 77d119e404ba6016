import { Definition, DefinitionFlag, DefinitionKind, ExportHow, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { Names } from './names.ts';
import {
  definedIn,
  type Entity,
  moduleEntity,
  moduleOf,
  NOTHING,
  type Program,
  read,
  unitOf,
} from '../program/program.ts';
import type { Unit } from '../program/unit.ts';
import { inOwnPackage } from './workspaces.ts';

const BOTH = UseFlag.value | UseFlag.type;

/** Finds the file that a specifier names, or -1. */
export type ModuleFinder = (path: string, source: string) => number;

/** Returns the spaces that a definition lives in; an import lives where its target does. */
function spacesOf(program: Program, entity: Entity): number {
  if (entity < 0 || read(program, entity, Definition.kind) === DefinitionKind.import) return BOTH;
  const spaces = read(program, entity, Definition.flags) & (DefinitionFlag.value | DefinitionFlag.type);
  return spaces === 0 ? BOTH : spaces;
}

/** Scopes, imports and exports of TypeScript and JavaScript. What imports and exports lead to is found once. */
export class TypescriptNames implements Names {
  readonly #program: Program;
  readonly #find: ModuleFinder;
  readonly #packages: ReadonlySet<string>;
  readonly #globals: ReadonlyMap<number, readonly Entity[]>;
  readonly #followed = new Map<Entity, readonly Entity[]>();
  readonly #offered = new Map<number, readonly Entity[]>();
  readonly #default: number;
  readonly #assigned: number;

  /** `packages` are the folders with a `package.json`. */
  constructor(program: Program, find: ModuleFinder, packages: ReadonlySet<string>) {
    this.#program = program;
    this.#find = find;
    this.#packages = packages;
    this.#globals = ambientNames(program);
    this.#default = program.names.id('default');
    this.#assigned = program.names.id('=');
  }

  module(unit: Unit, source: string): number {
    return this.#find(unit.path, source);
  }

  lookup(unit: Unit, name: number, scope: number, space: number): readonly Entity[] {
    for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
      const entities = definedIn(unit, at, name);
      if (entities.length === 0) continue;
      const fitting = entities.filter((entity) => (spacesOf(this.#program, entity) & space) !== 0);
      if (fitting.length > 0) return fitting;
    }
    return this.#ambient(unit, name);
  }

  /** Returns what the file's own package declares for all of its files, or a package around it; else what any one declares. */
  #ambient(unit: Unit, name: number): readonly Entity[] {
    const at = { path: unit.path, packages: this.#packages };
    return inOwnPackage(at, this.#globals.get(name) ?? NOTHING, (entity) => unitOf(this.#program, entity).path);
  }

  follow(entity: Entity): readonly Entity[] {
    if (entity < 0 || read(this.#program, entity, Definition.kind) !== DefinitionKind.import) return [entity];
    const cached = this.#followed.get(entity);
    if (cached !== undefined) return cached;
    // An import that leads to itself ends here.
    this.#followed.set(entity, NOTHING);
    const unit = unitOf(this.#program, entity);
    const local = entity - unit.base;
    const source = unit.facts.definitions.source(local);
    const targets = this.#resolveImport(unit, source, unit.facts.definitions.imported(local));
    this.#followed.set(entity, targets);
    return targets;
  }

  exported(at: number, name: number): readonly Entity[] {
    const key = name * this.#program.files.length + at;
    const cached = this.#offered.get(key);
    if (cached !== undefined) return cached;
    this.#offered.set(key, NOTHING);
    const entities = this.#findExported(at, name, new Set());
    this.#offered.set(key, entities);
    return entities;
  }

  /** `visited` holds the modules that stars led to: the name stays the same along them. */
  #findExported(at: number, name: number, visited: Set<number>): readonly Entity[] {
    const unit = this.#program.units[at];
    if (unit === undefined || visited.has(at)) return NOTHING;
    visited.add(at);
    const entities = (unit.exports.get(name) ?? []).flatMap((row) => this.#resolveExport(unit, row));
    if (entities.length > 0) return entities;
    if (name === this.#default) return unit.exports.has(this.#assigned) ? this.exported(at, this.#assigned) : NOTHING;
    for (const star of unit.stars) {
      const through = this.#findExported(this.module(unit, unit.facts.strings[star] ?? ''), name, visited);
      if (through.length > 0) return through;
    }
    return NOTHING;
  }

  #resolveExport(unit: Unit, row: number): readonly Entity[] {
    const { exports } = unit.facts;
    const [a, b] = [exports.a(row), exports.b(row)];
    switch (exports.how(row)) {
      case ExportHow.local:
        return this.follow(unit.base + a);
      case ExportHow.named:
        return this.lookup(unit, intAt(unit.names, b), a, BOTH).flatMap((entity) => this.follow(entity));
      case ExportHow.from:
        return this.#resolveImport(unit, a, b);
      default:
        return NOTHING;
    }
  }

  /** Name `imports` (a string: `*` the module, `=` what CommonJS assigns) of the module `source`. */
  #resolveImport(unit: Unit, source: number, imports: number): readonly Entity[] {
    const target = this.module(unit, unit.facts.strings[source] ?? '');
    if (target < 0) return NOTHING;
    const text = unit.facts.strings[imports] ?? '';
    if (text === '*') return [moduleEntity(target)];
    const entities = this.exported(target, intAt(unit.names, imports));
    if (entities.length > 0) return entities;
    return text === '=' || text === 'default' ? [moduleEntity(target)] : NOTHING;
  }
}

/** Resolves a name of a type or value: imports are followed, and only what lives in `space` is returned. */
export function resolveName(
  names: Names,
  at: { program: Program; unit: Unit; scope: number },
  name: number,
  space: number,
): readonly Entity[] {
  const entities = names.lookup(at.unit, name, at.scope, space).flatMap((definition) => names.follow(definition));
  return space === BOTH ? entities : entities.filter((entity) => (spacesOf(at.program, entity) & space) !== 0);
}

/** True if a file declares for all files, without an import. */
const isAmbient = ({ path, facts }: Unit): boolean => path.endsWith('.d.ts') && facts.exports.count === 0;

/** Names that declaration files without imports or exports give to every file. */
export function ambientNames(program: Program): Map<number, Entity[]> {
  const globals = new Map<number, Entity[]>();
  for (const unit of program.units) {
    if (unit === undefined || !isAmbient(unit)) continue;
    const tops = Array.from({ length: unit.count }, (_, local) => local).filter(
      (local) => unit.facts.definitions.scope(local) === 0,
    );
    if (tops.some((local) => unit.facts.definitions.kind(local) === DefinitionKind.import)) continue;
    for (const local of tops) {
      const name = intAt(unit.definitionNames, local);
      globals.set(name, [...(globals.get(name) ?? []), unit.base + local]);
    }
  }
  return globals;
}

/** Returns what `entity.name` is when the entity is a module, a name space, an enum or a class. */
export function namesInside(names: Names, program: Program, entity: Entity, name: number): readonly Entity[] {
  if (entity < 0) return names.exported(moduleOf(entity), name);
  if (names.inside !== undefined) return names.inside(entity, name);
  const unit = unitOf(program, entity);
  const local = entity - unit.base;
  if (unit.facts.definitions.kind(local) === DefinitionKind.module) {
    const scope = unit.facts.definitions.bodyScope(local);
    return scope < 0 ? NOTHING : definedIn(unit, scope, name).flatMap((definition) => names.follow(definition));
  }
  const members: Entity[] = [];
  for (let row = unit.owned.find(local, name); row >= 0; row = unit.owned.next(row)) members.push(unit.base + row);
  return members;
}
