import type { Counts, TermCounter } from './entry-terms.ts';
import { BlockVectors } from './block-vectors.ts';
import { BlockFacts, summarize } from './facts.ts';
import type { IndexFile, IndexState, PostingRow } from './index-file.ts';
import {
  BLOCK_ENTRIES,
  blockOf,
  firstOf,
  offsetOf,
  type PostingBuffer,
  pushPosting,
  readPostings,
} from './postings.ts';
import { tagTerm } from './query-filter.ts';
import type { IndexedEntry, IndexReach, Thing, ThingChange } from './store.ts';
import { isPathOf } from '../kernel/path-kinds.ts';

/** Removed entries are taken out of the postings once there are this many, and more of them than of others. */
const LEAST_REMOVED = 1000;

/** Blocks of facts and vectors in the memory of one update. */
const MOST_BLOCKS = 16;

const PLAIN: Counts = [1, 0, 0, 0];

/** Changes that continue an index as it was at `sequence`, after which it has everything up to `position`. */
export interface IndexUpdate extends IndexReach {
  sequence: number;
  changes: readonly ThingChange[];
}

/** Tools with which one thread makes updates, one at a time. */
export interface WriterTools {
  counter: TermCounter;
  postings: PostingBuffer;
  /** Called between entries: a text of words that occur once makes a hundred times as much garbage as it has letters. */
  checkMemory: () => void;
}

/** Brings changes into the index; undefined when it is not the one that they continue. */
export function applyUpdate(file: IndexFile, update: IndexUpdate, tools: WriterTools): IndexState | undefined {
  return file.write(() => {
    if (file.state().sequence !== update.sequence) return undefined;
    // An update that failed has left some.
    tools.postings.clear();
    const writer = new IndexWriter(file, tools);
    for (const change of update.changes) writer.put(change);
    writer.flush();
    return file.advance(update);
  });
}

/** True if more of the index was removed than remains. */
export function isSparse(file: IndexFile): boolean {
  let [alive, removed] = [0, 0];
  for (const { summary } of file.blocks()) [alive, removed] = [alive + summary.alive, removed + summary.dead];
  return removed > alive + LEAST_REMOVED;
}

/** Writes one update: the facts and postings of a block are collected and written when the next one begins. */
class IndexWriter {
  readonly #file: IndexFile;
  readonly #tools: WriterTools;
  readonly #names = new Map<string, number>();
  readonly #facts = new Map<number, BlockFacts>();
  readonly #vectors = new Map<number, BlockVectors>();
  #next: number;

  constructor(file: IndexFile, tools: WriterTools) {
    this.#file = file;
    this.#tools = tools;
    this.#next = file.nextEntry;
  }

  /** Replaces the entries of a thing, or continues them. */
  put(change: ThingChange): void {
    const before = this.#file.thing(change);
    const isContinued = change.isContinued === true && before !== undefined;
    if (before !== undefined && !isContinued) this.#remove(before);
    if (change.entries.length === 0) return;
    const thing = isContinued ? before.number : this.#file.addThing(change, this.#next);
    const earlier = isContinued ? before.entries : 0;
    for (const [at, entry] of change.entries.entries()) {
      this.#add(change, entry, { thing, isFirst: earlier + at === 0 });
      this.#tools.checkMemory();
    }
    this.#file.setEntries(thing, earlier + change.entries.length);
  }

  flush(): void {
    this.#flushPostings(this.#next - 1);
    for (const number of this.#facts.keys()) this.#flushFacts(number);
    for (const number of this.#vectors.keys()) this.#flushVectors(number);
    this.#file.nextEntry = this.#next;
  }

  #add(thing: Thing, entry: IndexedEntry, { thing: number, isFirst }: { thing: number; isFirst: boolean }): void {
    const { part, title, section, date, tags, customer, segment, source, text } = entry;
    if (offsetOf(this.#next) === 0) this.#flushPostings(this.#next - 1);
    const at = this.#next;
    this.#next += 1;
    const words = { text, title, section, tags: [...tags, customer, segment, source].join(' ') };
    const { terms, lengths } = this.#tools.counter.count(words);
    for (const [term, counts] of terms) this.#post(term, at, counts);
    for (const tag of new Set(tags.map(tagTerm))) this.#post(tag, at, PLAIN);
    const [kindId, customerId] = [this.#nameOf(entry.kind), this.#nameOf(customer)];
    const names = { kind: kindId, customer: customerId, segment: this.#nameOf(segment), source: this.#nameOf(source) };
    const isReleaseNotes = entry.kind === 'product_doc' && isPathOf('releaseNotes', source);
    const { corpus } = thing;
    this.#factsOf(blockOf(at)).set(offsetOf(at), { lengths, corpus, isFirst, isReleaseNotes, date, ...names });
    this.#addVector(at, entry.vector ?? undefined);
    this.#file.addEntry({ number: at, thing: number, part, title, section, date, tags, ...names });
  }

  #remove(thing: { number: number; first: number; entries: number }): void {
    this.#file.deleteThing(thing);
    for (let entry = thing.first; entry < thing.first + thing.entries; entry += 1)
      this.#factsOf(blockOf(entry)).remove(offsetOf(entry));
  }

  #post(term: string, entry: number, counts: Counts): void {
    if (this.#tools.postings.isFull) this.#flushPostings(entry);
    this.#tools.postings.add(term, offsetOf(entry), counts);
  }

  /** Writes what was collected of the block of an entry. */
  #flushPostings(entry: number): void {
    for (const { term, entries, data } of this.#tools.postings.take())
      this.#file.addPostings(term, blockOf(entry), { entries, data });
  }

  #factsOf(block: number): BlockFacts {
    const cached = this.#facts.get(block);
    if (cached !== undefined) return cached;
    const [oldest] = this.#facts.keys();
    if (oldest !== undefined && this.#facts.size >= MOST_BLOCKS) this.#flushFacts(oldest);
    const facts = this.#file.facts(block);
    this.#facts.set(block, facts);
    return facts;
  }

  #flushFacts(block: number): void {
    const facts = this.#facts.get(block);
    this.#facts.delete(block);
    if (facts !== undefined) putBlock(this.#file, { block, facts, next: this.#next });
  }

  #addVector(entry: number, base64: string | undefined): void {
    if (base64 === undefined) return;
    const vector = new Int8Array(Buffer.from(base64, 'base64'));
    const [block, offset] = [blockOf(entry), offsetOf(entry)];
    const vectors = this.#vectors.get(block) ?? this.#file.vectors(block) ?? BlockVectors.ofLength(vector.length);
    vectors.set(offset, vector);
    const [oldest] = this.#vectors.keys();
    if (oldest !== undefined && this.#vectors.size >= MOST_BLOCKS) this.#flushVectors(oldest);
    this.#vectors.set(block, vectors);
  }

  #flushVectors(block: number): void {
    const vectors = this.#vectors.get(block);
    this.#vectors.delete(block);
    if (vectors !== undefined) this.#file.putVectors(block, vectors);
  }

  #nameOf(text: string): number {
    const cached = this.#names.get(text);
    if (cached !== undefined) return cached;
    const id = this.#file.nameId(text);
    this.#names.set(text, id);
    return id;
  }
}

function putBlock(file: IndexFile, { block, facts, next }: { block: number; facts: BlockFacts; next: number }): void {
  const end = Math.min(BLOCK_ENTRIES, next - firstOf(block));
  file.putBlock(block, { summary: summarize(facts, end), removed: facts.removedUntil(end), facts });
}

/** Takes removed entries out of the index and numbers the others anew, in their order. Undone when it is killed. */
export function compact(file: IndexFile): void {
  file.write(() => {
    const next = file.nextEntry;
    const numbers = new Int32Array(next).fill(-1);
    const alive = moveFacts(file, numbers);
    file.rewritePostings((rows) => moved(rows, numbers));
    file.renumber((entry) => numbers[entry] ?? entry);
    file.nextEntry = alive;
    file.advance(file.state());
  });
}

/** Writes the facts and vectors of living entries one behind another, and fills in their new numbers. Returns how many there are. */
function moveFacts(file: IndexFile, numbers: Int32Array): number {
  let alive = 0;
  let target = new BlockFacts();
  let targetVectors: BlockVectors | undefined;
  const put = (block: number): void => {
    putBlock(file, { block, facts: target, next: alive });
    if (targetVectors !== undefined) file.putVectors(block, targetVectors);
    [target, targetVectors] = [new BlockFacts(), undefined];
  };
  for (const { number } of file.blocks()) {
    const facts = file.facts(number);
    const vectors = file.vectors(number);
    file.deleteBlock(number);
    for (let offset = 0; offset < BLOCK_ENTRIES; offset += 1) {
      if (!facts.isAlive(offset)) continue;
      target.copy(offsetOf(alive), facts, offset);
      const vector = vectors?.get(offset);
      if (vector !== undefined) (targetVectors ??= BlockVectors.ofLength(vector.length)).set(offsetOf(alive), vector);
      numbers[firstOf(number) + offset] = alive;
      alive += 1;
      if (offsetOf(alive) === 0) put(blockOf(alive - 1));
    }
  }
  if (offsetOf(alive) !== 0) put(blockOf(alive));
  return alive;
}

/** The postings of living entries under their new numbers. Rows come and go in the order of terms and blocks. */
function* moved(rows: Iterable<PostingRow>, numbers: Int32Array): Generator<PostingRow> {
  let term: string | undefined;
  let block = -1;
  let entries = 0;
  let bytes: number[] = [];
  const row = (): PostingRow[] =>
    term === undefined || entries === 0 ? [] : [{ term, block, entries, data: Uint8Array.from(bytes) }];
  for (const from of rows) {
    const postings: [number, Counts][] = [];
    readPostings(from.data, (offset, counts) => {
      const number = numbers[firstOf(from.block) + offset] ?? -1;
      if (number >= 0) postings.push([number, [...counts]]);
    });
    for (const [number, counts] of postings) {
      if (from.term !== term || blockOf(number) !== block) {
        yield* row();
        [term, block, entries, bytes] = [from.term, blockOf(number), 0, []];
      }
      entries += 1;
      pushPosting(bytes, offsetOf(number), counts);
    }
  }
  yield* row();
}
