import { Definition, DefinitionKind, ScopeKind } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { exportedByStars, type Names } from './names.ts';
import type { PythonModules } from './modules-python.ts';
import {
  definedIn,
  type Entity,
  moduleEntity,
  NOTHING,
  type Program,
  reachedThroughBlocks,
  read,
  unitOf,
} from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** Scopes, imports and modules of Python. */
export class PythonNames implements Names {
  readonly #program: Program;
  readonly #modules: PythonModules;
  readonly #followed = new Map<Entity, readonly Entity[]>();
  readonly #offered = new Map<string, readonly Entity[]>();

  constructor(program: Program, modules: PythonModules) {
    this.#program = program;
    this.#modules = modules;
  }

  module(unit: Unit, source: string): number {
    return this.#modules.find(unit.path, source);
  }

  /** A class body is seen from itself only, not from the functions in it. */
  lookup(unit: Unit, name: number, scope: number): readonly Entity[] {
    for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
      const isClass = unit.facts.scopes.kind(at) === ScopeKind.class;
      if (isClass && at !== scope && !reachedThroughBlocks(unit, scope, at)) continue;
      const entities = definedIn(unit, at, name);
      if (entities.length > 0) return entities;
    }
    return exportedByStars(this, unit, name);
  }

  follow(entity: Entity): readonly Entity[] {
    if (entity < 0 || read(this.#program, entity, Definition.kind) !== DefinitionKind.import) return [entity];
    const cached = this.#followed.get(entity);
    if (cached !== undefined) return cached;
    this.#followed.set(entity, NOTHING);
    const targets = this.#resolveImport(entity);
    this.#followed.set(entity, targets);
    return targets;
  }

  exported(module: number, name: number): readonly Entity[] {
    const key = `${module} ${name}`;
    const cached = this.#offered.get(key);
    if (cached !== undefined) return cached;
    this.#offered.set(key, NOTHING);
    const entities = this.#findExported(module, name);
    this.#offered.set(key, entities);
    return entities;
  }

  #resolveImport(entity: Entity): readonly Entity[] {
    const unit = unitOf(this.#program, entity);
    const local = entity - unit.base;
    const source = unit.facts.strings[unit.facts.definitions.source(local)] ?? '';
    const imported = unit.facts.definitions.imported(local);
    const module = this.module(unit, source);
    const text = unit.facts.strings[imported] ?? '';
    if (text === '*') return module < 0 ? NOTHING : [moduleEntity(module)];
    if (module < 0) return NOTHING;
    const entities = this.exported(module, intAt(unit.names, imported));
    if (entities.length > 0) return entities;
    const part = this.#modules.inside(module, text);
    return part < 0 ? NOTHING : [moduleEntity(part)];
  }

  /** A name at the top of the module, then what its stars give, then a module inside the package. */
  #findExported(module: number, name: number): readonly Entity[] {
    const unit = this.#program.units[module];
    if (unit !== undefined) {
      const entities = definedIn(unit, 0, name).flatMap((entity) => this.follow(entity));
      if (entities.length > 0) return entities;
      const through = exportedByStars(this, unit, name);
      if (through.length > 0) return through;
    }
    const part = this.#modules.inside(module, this.#program.names.text(name));
    return part < 0 ? NOTHING : [moduleEntity(part)];
  }
}
