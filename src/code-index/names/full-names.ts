import { DefinitionKind, Facet, NodeOp } from '../../languages/facts/facts.ts';
import { namesOf, opOf } from '../program/nodes.ts';
import { type Entity, facetsOf, nameOf, NOTHING, ownerOf, type Program, unitOf } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';
import { isHolder, isShared, sizeOf } from './names-apart.ts';
import type { NameRules } from './names-rules.ts';

/** Declarations at the top or in a type, by full name; of one name the largest declaration first. */
export class FullNames {
  readonly #program: Program;
  readonly #rules: NameRules;
  readonly #declared = new Map<string, Entity[]>();
  /** Full names by the last part, of what no type holds. */
  readonly #byName = new Map<number, Set<string>>();
  readonly #names = new Map<Entity, string>();
  /** Entities declared only by files that no other can load: each declares its own. */
  readonly #ofOneFile = new Set<Entity>();

  constructor(program: Program, rules: NameRules, units: readonly Unit[]) {
    this.#program = program;
    this.#rules = rules;
    for (const unit of units) this.#add(unit);
    for (const all of this.#declared.values())
      if (all.length > 1) all.sort((a, b) => sizeOf(program, b) - sizeOf(program, a) || a - b);
    if (rules.isLoaded === undefined) return;
    for (const all of this.#declared.values())
      if (!all.some((entity) => rules.isLoaded?.(unitOf(program, entity).path)))
        for (const entity of all) this.#ofOneFile.add(entity);
  }

  get declared(): ReadonlyMap<string, readonly Entity[]> {
    return this.#declared;
  }

  at(fullName: string): readonly Entity[] | undefined {
    return this.#declared.get(fullName);
  }

  of(entity: Entity): string | undefined {
    return this.#names.get(entity);
  }

  /** Selects what a file may mean: not what another file declares for itself alone. */
  visibleFrom(file: number, entities: readonly Entity[]): readonly Entity[] {
    const isVisible = (entity: Entity): boolean =>
      !this.#ofOneFile.has(entity) || this.#program.fileOf[entity] === file;
    return this.#ofOneFile.size === 0 || entities.every(isVisible) ? entities : entities.filter(isVisible);
  }

  /** Returns the entities whose full name ends with this name, when only one full name does. */
  onlyNamed(name: number): readonly Entity[] {
    const [only, ...others] = this.#byName.get(name) ?? [];
    return only === undefined || others.length > 0 ? NOTHING : (this.at(only) ?? NOTHING);
  }

  join(space: string, name: string): string {
    return space === '' ? name : space + this.#rules.separator + name;
  }

  #add(unit: Unit): void {
    for (let local = 0; local < unit.count; local += 1) {
      const kind = unit.facts.definitions.kind(local);
      if (kind >= DefinitionKind.parameter || !isShared(this.#program, this.#rules, { unit, local }, this.#names))
        continue;
      const definition = unit.base + local;
      const full = this.#fullName(unit, definition);
      this.#names.set(definition, full);
      const all = this.#declared.get(full);
      if (all === undefined) this.#declared.set(full, [definition]);
      else all.push(definition);
      const name = nameOf(this.#program, definition);
      const names = this.#byName.get(name) ?? new Set<string>();
      if (unit.facts.definitions.owner(local) < 0) this.#byName.set(name, names.add(full));
    }
  }

  /** The name of a definition behind that of the type that holds it, or of the name space of its file. */
  #fullName(unit: Unit, definition: Entity): string {
    const owner = ownerOf(this.#program, definition);
    const around = owner < 0 ? this.#rules.spaceOf(unit) : (this.#names.get(owner) ?? '');
    const [written] = facetsOf(this.#program, definition, Facet.receiver);
    const isQualified =
      written !== undefined && isHolder(this.#program, definition) && opOf(unit, written) === NodeOp.TypeName;
    const path = isQualified ? Array.from(namesOf(unit, written), (text) => unit.facts.strings[text] ?? '') : [];
    const name = this.#program.names.text(nameOf(this.#program, definition));
    return [...path, name].reduce((space, part) => this.join(space, part), around);
  }
}
