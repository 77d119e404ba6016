/** Numbers for names, the same in every file of one program. */
export class NameTable {
  readonly #ids = new Map<string, number>();
  readonly #texts: string[] = [];

  /** The id of a name, new when it was not seen before. */
  id(text: string): number {
    const existing = this.#ids.get(text);
    if (existing !== undefined) return existing;
    this.#ids.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  /** The id of a name, or -1 when no file of the program has it. */
  find(text: string): number {
    return this.#ids.get(text) ?? -1;
  }

  /** Number of names; ids are below. */
  get size(): number {
    return this.#texts.length;
  }

  text(id: number): string {
    return this.#texts[id] ?? '';
  }
}
