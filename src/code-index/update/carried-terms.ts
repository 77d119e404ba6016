import type { DatabaseSync } from 'node:sqlite';
import type { RankIndex } from '../shard/rank-index.ts';
import { LENGTH_FIELDS } from '../format/shard-schema.ts';
import { VarintReader, VarintWriter } from '../../kernel/varints.ts';
import type { BaseShard } from './base-shard.ts';
import { type Layout, runsOf } from './layout.ts';

/** Head of a document that is counted once a field: a bit that marks it, and no counts. */
const ONCE = 1;

/** The documents of the new shard: symbols, then files. */
interface Documents {
  /** New id of each old document, -1 for those of files that changed. */
  to: Int32Array;
  /** Old documents one after the other that stay so: from which to before which, and the new id of the first. */
  runs: readonly { first: number; after: number; to: number }[];
  count: number;
}

/** Takes the ranked search of a shard over into the next one, with the documents of the files that changed. */
export function carryTerms(db: DatabaseSync, base: BaseShard, layout: Layout, added: RankIndex): void {
  const documents = documentsOf(base, layout);
  const insert = db.prepare('insert into term values (?, ?, ?)');
  const merger = new PostingMerger(documents.to);
  const { terms } = added;
  let next = 0;
  const addUpTo = (text: string | undefined): void => {
    for (; next < terms.length; next += 1) {
      const term = terms[next];
      if (term === undefined || (text !== undefined && term.text >= text)) return;
      insert.run(term.text, term.documents, term.postings);
    }
  };
  // In the order in which they were written: ascending by `<`.
  for (const [text, postings] of base.each<[string, Uint8Array]>('select text, postings from term order by rowid')) {
    addUpTo(text);
    const more = terms[next]?.text === text ? terms[next++] : undefined;
    const merged = merger.merge(postings, more?.postings);
    if (merged.documents > 0) insert.run(text, merged.documents, merged.postings);
  }
  addUpTo(undefined);
  const insertDense = db.prepare('insert into dense values (?, ?)');
  const perDocument = (name: string, rows: Uint8Array, width: number): void => {
    const bytes = new Uint8Array(documents.count * width);
    const old = base.dense(name);
    for (const { first, after, to } of documents.runs)
      bytes.set(old.subarray(first * width, after * width), to * width);
    for (const [index, to] of added.documents.entries())
      bytes.set(rows.subarray(index * width, (index + 1) * width), to * width);
    insertDense.run(name, bytes);
  };
  perDocument('document_length', added.lengths, LENGTH_FIELDS.length);
  perDocument('document_vector', added.vectors, base.dense('document_vector').length / documents.to.length);
}

function documentsOf(base: BaseShard, layout: Layout): Documents {
  const to = new Int32Array(base.symbols + base.files.length).fill(-1);
  const runs: { first: number; after: number; to: number }[] = [];
  const move = (first: number, count: number, target: number): void => {
    runs.push({ first, after: first + count, to: target });
    for (let at = 0; at < count; at += 1) to[first + at] = target + at;
  };
  for (const run of runsOf(layout)) {
    if ('id' in run) continue;
    move(run.firstSymbol, run.symbols, run.firstSymbol + run.symbolShift);
    move(base.symbols + run.first, run.files, layout.symbols + run.first + run.fileShift);
  }
  return { to, runs, count: layout.symbols + layout.files.length };
}

/**
 * Puts two postings of one term together; both are in ascending order of documents. Documents that follow each other as they did are
 * copied as the bytes that they are.
 */
class PostingMerger {
  readonly #to: Int32Array;
  readonly #out = new VarintWriter(4096);
  #documents = 0;
  #last = 0;

  constructor(to: Int32Array) {
    this.#to = to;
  }

  /** Valid until the next call. */
  merge(old: Uint8Array, added: Uint8Array | undefined): { documents: number; postings: Uint8Array } {
    this.#out.clear();
    this.#documents = 0;
    this.#last = 0;
    const [from, more] = [new VarintReader(old), new VarintReader(added ?? NONE)];
    let document = 0;
    let next = more.more ? more.next() : -1;
    // Bytes of the old postings that are to be copied, up to the document at hand.
    let same = 0;
    while (from.more) {
      const start = from.at;
      const gap = from.next();
      document += gap;
      const head = from.at;
      passCounts(from);
      const to = this.#to[document] ?? -1;
      const isNext = next >= 0 && next < to;
      if (to >= 0 && !isNext && to - this.#last === gap) {
        this.#documents += 1;
        this.#last = to;
        continue;
      }
      this.#out.append(old.subarray(same, start));
      same = from.at;
      if (to < 0) continue;
      if (isNext) next = this.#addBefore(to, next, added ?? NONE, more);
      this.#begin(to);
      // With what follows it as it did.
      same = head;
    }
    this.#out.append(old.subarray(same));
    if (next >= 0) this.#addBefore(Infinity, next, added ?? NONE, more);
    return { documents: this.#documents, postings: this.#out.bytes() };
  }

  /** Adds documents before one, from `document` on, whose counts are next. Gives the first that is not, -1 for none. */
  #addBefore(before: number, document: number, added: Uint8Array, more: VarintReader): number {
    let next = document;
    while (next >= 0 && next < before) {
      this.#begin(next);
      const head = more.at;
      passCounts(more);
      this.#out.append(added.subarray(head, more.at));
      next = more.more ? next + more.next() : -1;
    }
    return next;
  }

  #begin(document: number): void {
    this.#out.push(document - this.#last);
    this.#last = document;
    this.#documents += 1;
  }
}

/** Passes over what is counted of a document: one number for each field of its head that is not counted once. */
function passCounts(from: VarintReader): void {
  const head = from.next();
  if ((head & ONCE) !== 0) return;
  let counts = 0;
  for (let mask = head >> 1; mask !== 0; mask &= mask - 1) counts += 1;
  from.skipNext(counts);
}

const NONE = new Uint8Array(0);
