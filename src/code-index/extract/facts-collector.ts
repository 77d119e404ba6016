import type { ExtractorRequest, Extracted } from './pool.ts';
import type { Parser } from '../../languages/languages.ts';
import { headOf } from '../program/file-head.ts';
import type { CachedFacts, FactsCache, FactsEntry } from './facts-cache.ts';
import type { FileFacts } from '../../languages/facts/facts.ts';
import { decodeFacts } from '../../languages/facts/facts-codec.ts';
import { FactsMemory, HeldFacts } from '../../languages/facts/held-facts.ts';
import { type IndexedFile, leaveLinesOut, leaveOut } from './indexed-files.ts';

/** Texts that are kept in one transaction: a killed run loses no more than these. */
const BATCH_TEXTS = 200;

/** A text with its files: copies share their facts. */
interface Text {
  blob: string;
  parser: Parser;
  files: IndexedFile[];
  /** Outcome, once it is known. */
  outcome?: CachedFacts;
}

/** Gives files their facts: from the cache, from another file with the same text, or from an extractor. */
export class FactsCollector {
  /** Texts that an extractor read, and files whose facts were there before. */
  parsed = 0;
  reused = 0;
  readonly #cache: FactsCache;
  readonly #onProgress: (done: number, total: number) => void;
  readonly #memory: FactsMemory;
  readonly #texts: Text[] = [];
  readonly #byKey = new Map<string, Text>();
  #unsaved: FactsEntry[] = [];
  #done = 0;
  #total = 0;

  /** Facts beyond `memory` are read from the cache whenever something asks for them. */
  constructor(
    cache: FactsCache,
    onProgress: (done: number, total: number) => void,
    memory = new FactsMemory(Infinity),
  ) {
    this.#cache = cache;
    this.#onProgress = onProgress;
    this.#memory = memory;
  }

  /**
   * Returns the request that reads a file's facts, or undefined when they are known, come with another file, or there are none.
   */
  request(file: IndexedFile, text: string): ExtractorRequest | undefined {
    const { blob } = file;
    const { parser } = file.language;
    if (parser === undefined || file.isTextOnly) return undefined;
    this.#total += 1;
    const key = `${blob} ${parser}`;
    const existing = this.#byKey.get(key);
    if (existing !== undefined) {
      existing.files.push(file);
      if (existing.outcome !== undefined) this.#complete(file, existing.outcome);
      return undefined;
    }
    const entry: Text = { blob, parser, files: [file] };
    const id = this.#texts.push(entry) - 1;
    this.#byKey.set(key, entry);
    const cached = this.#cache.read(blob, parser);
    if (cached === undefined) return { id, parser, text };
    this.reused += 1;
    this.#settle(entry, 'facts' in cached ? { facts: this.#hold(cached.facts, entry) } : cached);
    return undefined;
  }

  /** Takes what an extractor answered. */
  receive(result: Extracted): void {
    const text = this.#texts[result.id];
    if (text === undefined) throw new Error(`no text has the id ${result.id}`);
    const { blob, parser } = text;
    this.parsed += 1;
    if ('packed' in result) {
      const facts = decodeFacts(result.facts);
      if (facts === undefined) throw new Error('an extractor gave facts of another version');
      const head = facts.packageName === '' ? undefined : headOf(facts);
      this.#unsaved.push({ blob, parser, packed: result.packed, head });
      this.#settle(text, { facts: this.#hold(facts, text) });
    } else {
      this.#unsaved.push({ blob, parser, reason: result.reason });
      this.#settle(text, { reason: result.reason });
    }
    if (this.#unsaved.length >= BATCH_TEXTS) this.#save();
  }

  /** Keeps what is not kept yet, and leaves the facts to their files. */
  finish(): void {
    this.#save();
    for (const text of this.#texts) delete text.outcome;
    this.#onProgress(this.#done, this.#total);
  }

  /** Lets the cache forget texts that are long gone. */
  prune(): void {
    this.#cache.prune(this.#texts);
  }

  #hold(facts: FileFacts, { blob, parser }: Text): FileFacts {
    return this.#memory.hold(facts, () => {
      const cached = this.#cache.read(blob, parser);
      if (cached === undefined || !('facts' in cached)) throw new Error(`the facts of the text ${blob} were lost`);
      return cached.facts;
    });
  }

  #save(): void {
    if (this.#unsaved.length > 0) this.#cache.write(this.#unsaved);
    this.#unsaved = [];
  }

  #settle(text: Text, outcome: CachedFacts): void {
    text.outcome = outcome;
    for (const file of text.files) this.#complete(file, outcome);
  }

  #complete(file: IndexedFile, outcome: CachedFacts): void {
    if ('facts' in outcome) {
      file.facts = outcome.facts instanceof HeldFacts ? outcome.facts.copy() : outcome.facts;
      leaveLinesOut(file, outcome.facts);
    } else leaveOut(file, outcome.reason);
    this.#done += 1;
    this.#onProgress(this.#done, this.#total);
  }
}
