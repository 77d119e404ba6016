/** Slots per word at the least: probes stay short. */
const SLOTS_PER_WORD = 2;
const FIRST_SLOTS = 1 << 14;

/**
 * Numbers for words that stand in texts, by their characters: a word that is known is found without a string of it
 * being made.
 */
export class WordTable {
  /** Number of the word + 1, 0 in a free slot. */
  #slots = new Int32Array(FIRST_SLOTS);
  /** Hash of each word, and where its characters start; one start more than words. */
  #hashes = new Int32Array(FIRST_SLOTS / SLOTS_PER_WORD);
  #starts = new Int32Array(FIRST_SLOTS / SLOTS_PER_WORD + 1);
  #characters = new Uint16Array(1 << 16);
  #size = 0;

  /** Number of words. */
  get size(): number {
    return this.#size;
  }

  /** The number of the word from `start` to `end` of a text, and `size` when it is new: then it is added. */
  number(text: string, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const word = (this.#slots[slot] ?? 0) - 1;
      if (word < 0) return this.#add(slot, hash, text.slice(start, end));
      if (this.#hashes[word] === hash && this.#isAt(word, text, start, end)) return word;
    }
  }

  #isAt(word: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[word] ?? 0;
    if ((this.#starts[word + 1] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (this.#characters[from + at - start] !== text.charCodeAt(at)) return false;
    return true;
  }

  #add(slot: number, hash: number, word: string): number {
    const from = this.#starts[this.#size] ?? 0;
    if (from + word.length > this.#characters.length) {
      const grown = new Uint16Array(this.#characters.length * 2 + word.length);
      grown.set(this.#characters);
      this.#characters = grown;
    }
    for (let at = 0; at < word.length; at++) this.#characters[from + at] = word.charCodeAt(at);
    this.#hashes[this.#size] = hash;
    this.#starts[this.#size + 1] = from + word.length;
    this.#size++;
    this.#slots[slot] = this.#size;
    if (this.#size * SLOTS_PER_WORD >= this.#slots.length) this.#grow();
    return this.#size - 1;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let word = 0; word < this.#size; word++) {
      let slot = (this.#hashes[word] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = word + 1;
    }
    this.#slots = slots;
    const hashes = new Int32Array(slots.length / SLOTS_PER_WORD);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const starts = new Int32Array(slots.length / SLOTS_PER_WORD + 1);
    starts.set(this.#starts);
    this.#starts = starts;
  }
}
