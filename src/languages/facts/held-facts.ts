import type { FileFacts, Language } from './facts.ts';

/** Memory of a string and its place in a list, about: most are names of some ten characters. */
const STRING_BYTES = 48;
/** What resolution computes of facts and holds beside them is about half of their size. */
const DERIVED_SHARE = 1.5;
/** Share of the limit that the first facts take for good; the others take turns in the remainder. */
const RETAINED_SHARE = 0.6;

/** Facts in memory, and what was computed of them. */
interface Content {
  readonly facts: FileFacts;
  derived: unknown;
}

/**
 * Facts of files within a limit of memory. The first ones stay; those beyond their share are read again when something asks for
 * them, and forgotten in the order in which they were read.
 */
export class FactsMemory {
  readonly #retainedBytes: number;
  readonly #turnBytes: number;
  readonly #loaded = new Set<HeldFacts>();
  #retained = 0;
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#retainedBytes = limitBytes * RETAINED_SHARE;
    this.#turnBytes = limitBytes - this.#retainedBytes;
  }

  /** Returns the facts, or a stand-in that reads them again with `read`, which must give the same. */
  hold(facts: FileFacts, read: () => FileFacts): FileFacts {
    const bytes = sizeOfFacts(facts);
    if (this.#retained + bytes > this.#retainedBytes) return new HeldFacts(facts, { bytes, read, memory: this });
    this.#retained += bytes;
    return facts;
  }

  /** Enters facts that were read, and forgets others until all are within the limit. */
  enter(held: HeldFacts): void {
    this.#loaded.add(held);
    this.#bytes += held.bytes;
    for (const oldest of this.#loaded) {
      if (this.#bytes <= this.#turnBytes || oldest === held) return;
      this.#loaded.delete(oldest);
      this.#bytes -= oldest.bytes;
      oldest.forget();
    }
  }
}

function sizeOfFacts(facts: FileFacts): number {
  const words = Object.values(facts).reduce((sum: number, value: unknown) => sum + wordsIn(value), 0);
  return (words * Int32Array.BYTES_PER_ELEMENT + facts.strings.length * STRING_BYTES) * DERIVED_SHARE;
}

function wordsIn(value: unknown): number {
  if (value instanceof Int32Array) return value.length;
  return typeof value === 'object' && value !== null && 'words' in value && value.words instanceof Int32Array
    ? value.words.length
    : 0;
}

/** Facts that are read again after they were forgotten: see `FactsMemory`. Nothing may be changed in them. */
export class HeldFacts implements FileFacts {
  readonly language: Language;
  readonly packageName: string;
  readonly literalLines: number;
  readonly codeLines: number;
  readonly errors: number;
  readonly broken: Int32Array;
  readonly bytes: number;
  readonly #read: () => FileFacts;
  readonly #memory: FactsMemory;
  #content: Content | undefined;

  constructor(facts: FileFacts, held: { bytes: number; read: () => FileFacts; memory: FactsMemory }) {
    this.language = facts.language;
    this.packageName = facts.packageName;
    this.literalLines = facts.literalLines;
    this.codeLines = facts.codeLines;
    this.errors = facts.errors;
    // A copy: a view would hold the memory of all facts.
    this.broken = facts.broken.slice();
    this.bytes = held.bytes;
    this.#read = held.read;
    this.#memory = held.memory;
  }

  /** The same facts for another file with the same text: what is computed of them may differ by its path. */
  copy(): HeldFacts {
    return new HeldFacts(this, { bytes: this.bytes, read: this.#read, memory: this.#memory });
  }

  /** The facts, read when they are not there. To be asked for anew each time, or they would stay. */
  content(): Content {
    if (this.#content !== undefined) return this.#content;
    const content = { facts: this.#read(), derived: undefined };
    this.#content = content;
    this.#memory.enter(this);
    return content;
  }

  forget(): void {
    this.#content = undefined;
  }

  get strings(): FileFacts['strings'] {
    return this.content().facts.strings;
  }
  get lines(): FileFacts['lines'] {
    return this.content().facts.lines;
  }
  get scopes(): FileFacts['scopes'] {
    return this.content().facts.scopes;
  }
  get definitions(): FileFacts['definitions'] {
    return this.content().facts.definitions;
  }
  get facets(): FileFacts['facets'] {
    return this.content().facts.facets;
  }
  get references(): FileFacts['references'] {
    return this.content().facts.references;
  }
  get members(): FileFacts['members'] {
    return this.content().facts.members;
  }
  get keys(): FileFacts['keys'] {
    return this.content().facts.keys;
  }
  get exports(): FileFacts['exports'] {
    return this.content().facts.exports;
  }
  get narrowings(): FileFacts['narrowings'] {
    return this.content().facts.narrowings;
  }
  get sites(): FileFacts['sites'] {
    return this.content().facts.sites;
  }
  get comments(): FileFacts['comments'] {
    return this.content().facts.comments;
  }
  get metrics(): FileFacts['metrics'] {
    return this.content().facts.metrics;
  }
  get syntax(): FileFacts['syntax'] {
    return this.content().facts.syntax;
  }
  get sketches(): FileFacts['sketches'] {
    return this.content().facts.sketches;
  }
  get fingerprints(): FileFacts['fingerprints'] {
    return this.content().facts.fingerprints;
  }
  get unread(): FileFacts['unread'] {
    return this.content().facts.unread;
  }
  get nodes(): FileFacts['nodes'] {
    return this.content().facts.nodes;
  }
}
