import type { Entity } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** What names mean that no scope of their file has: the same wherever they stand in it, and looked up once. */
export class NameCache {
  readonly #entities = new Map<Unit, Map<number, readonly Entity[]>>();

  /** What `find` gives for a name of a file. It is not kept when `isWhole` says then that it may be part of it. */
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
