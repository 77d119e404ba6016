import type { Entity } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** What names mean that no scope of their file has: the same wherever they stand in it, and looked up once. */
export class KeptNames {
  readonly #found = new Map<Unit, Map<number, readonly Entity[]>>();

  /** What `find` gives for a name of a file. It is not kept when `isWhole` says then that it may be part of it. */
  of(at: { unit: Unit; name: number }, find: () => readonly Entity[], isWhole?: () => boolean): readonly Entity[] {
    let byName = this.#found.get(at.unit);
    if (byName === undefined) this.#found.set(at.unit, (byName = new Map()));
    const known = byName.get(at.name);
    if (known !== undefined) return known;
    const found = find();
    if (isWhole?.() !== false) byName.set(at.name, found);
    return found;
  }
}
