import { DefinitionKind } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { LanguageGroup } from '../../languages/languages.ts';
import type { MergedNames } from './names.ts';
import { definedIn, type Entity, NOTHING, type Program, unitsOf } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/**
 * Names of SQL: those of a statement (aliases, `with` queries, parameters), then what any file creates. Upper and lower
 * case are the same. A table that several files create (the steps of a
 * migration, dialects) has the columns of all; in a file that creates it, it is the one of this file.
 */
export class SqlNames implements MergedNames {
  readonly #program: Program;
  readonly #created = new Map<string, Entity[]>();
  readonly #spellings = new Map<string, number[]>();

  constructor(program: Program, group: LanguageGroup) {
    this.#program = program;
    for (const unit of unitsOf(program, group)) this.#addFile(unit);
  }

  module(): number {
    return -1;
  }

  lookup(unit: Unit, name: number, scope: number): readonly Entity[] {
    for (let at = scope; at > 0; at = unit.facts.scopes.parent(at)) {
      const entities = definedIn(unit, at, name);
      if (entities.length > 0) return entities;
    }
    const entities = this.#created.get(this.#program.names.text(name).toLowerCase()) ?? NOTHING;
    const here = entities.filter((entity) => entity >= unit.base && entity < unit.base + unit.count);
    return here.length > 0 ? here : entities;
  }

  follow(entity: Entity): readonly Entity[] {
    return [entity];
  }

  exported(): readonly Entity[] {
    return NOTHING;
  }

  merged(declaration: Entity): readonly Entity[] {
    const unit = this.#program.units[this.#program.fileOf[declaration] ?? -1];
    if (unit === undefined) return [declaration];
    const name = this.#program.names.text(intAt(unit.definitionNames, declaration - unit.base)).toLowerCase();
    const all = this.#created.get(name) ?? NOTHING;
    return all.includes(declaration) ? all : [declaration];
  }

  distinct(entities: readonly Entity[]): readonly Entity[] {
    return entities;
  }

  spellings(name: number): readonly number[] {
    return this.#spellings.get(this.#program.names.text(name).toLowerCase()) ?? [name];
  }

  #addFile(unit: Unit): void {
    for (let local = 0; local < unit.count; local += 1) {
      const name = intAt(unit.definitionNames, local);
      const text = this.#program.names.text(name).toLowerCase();
      const spellings = this.#spellings.get(text);
      if (spellings === undefined) this.#spellings.set(text, [name]);
      else if (!spellings.includes(name)) spellings.push(name);
      const isCreated =
        unit.facts.definitions.scope(local) === 0 && unit.facts.definitions.kind(local) < DefinitionKind.parameter;
      if (!isCreated) continue;
      const all = this.#created.get(text);
      if (all === undefined) this.#created.set(text, [unit.base + local]);
      else all.push(unit.base + local);
    }
  }
}
