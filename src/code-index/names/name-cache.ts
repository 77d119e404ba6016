import type { Entity } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** Cache of the meanings of names that no scope of their file has: the same everywhere in the file. */
export class NameCache {
  readonly #entities = new Map<Unit, Map<number, readonly Entity[]>>();

  /**
   * Returns the entities that `find` gives for a name of a file. They are not cached when `isWhole` is false afterwards: they
   * may be incomplete then.
   */
  of(at: { unit: Unit; name: number }, find: () => readonly Entity[], isWhole?: () => boolean): readonly Entity[] {
    let byName = this.#entities.get(at.unit);
    if (byName === undefined) this.#entities.set(at.unit, (byName = new Map()));
    const cached = byName.get(at.name);
    if (cached !== undefined) return cached;
    const entities = find();
    if (isWhole?.() !== false) byName.set(at.name, entities);
    return entities;
  }
}
