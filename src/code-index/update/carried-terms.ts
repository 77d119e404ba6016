import type { DatabaseSync } from 'node:sqlite';
import type { RankIndex } from '../shard/rank-index.ts';
import { LENGTH_FIELDS } from '../format/shard-schema.ts';
import { VarintReader, VarintWriter } from '../../kernel/varints.ts';
import type { BaseShard } from './base-shard.ts';
import { type Layout, runsOf } from './layout.ts';
import { carryTermTable, isMoved } from './term-table.ts';

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

/**
 * Takes the ranked search of a shard over into the next one, with the documents of the files that changed. `gone` are the terms that these
 * may have had.
 */
export function carryTerms(
  { db, base }: { db: DatabaseSync; base: BaseShard },
  layout: Layout,
  added: RankIndex,
  gone: ReadonlySet<string>,
): void {
  const documents = documentsOf(base, layout);
  const merger = new PostingMerger(documents.to);
  carryTermTable(db, base, 'term', {
    added: added.terms.map(({ text, documents: count, postings }) => ({ text, count, postings })),
    merge: (postings, more) => merger.merge(postings, more),
    gone: isMoved(documents.to, documents.count) ? undefined : gone,
  });
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

/** Puts two postings of one term together; both are in ascending order of documents. */
class PostingMerger {
  readonly #to: Int32Array;
  readonly #out = new VarintWriter(4096);
  #documents = 0;
  #last = 0;

  constructor(to: Int32Array) {
    this.#to = to;
  }

  /** Valid until the next call. */
  merge(old: Uint8Array, added: Uint8Array | undefined): { count: number; postings: Uint8Array } {
    this.#out.clear();
    this.#documents = 0;
    this.#last = 0;
    const [from, more] = [new VarintReader(old), new VarintReader(added ?? NONE)];
    let document = 0;
    let next = more.more ? more.next() : -1;
    while (from.more) {
      document += from.next();
      const to = this.#to[document] ?? -1;
      while (next >= 0 && next < to) next = this.#copyNext(next, more);
      this.#copy(to, from);
    }
    while (next >= 0) next = this.#copyNext(next, more);
    return { count: this.#documents, postings: this.#out.bytes() };
  }

  /** Copies a document that is added, and gives the next of them, -1 after the last. */
  #copyNext(document: number, more: VarintReader): number {
    this.#copy(document, more);
    return more.more ? document + more.next() : -1;
  }

  /** Copies what is said of a document; passes over it when its id is negative. */
  #copy(document: number, from: VarintReader): void {
    const isCarried = document >= 0;
    const head = from.next();
    if (isCarried) {
      this.#out.push(document - this.#last);
      this.#out.push(head);
      this.#last = document;
      this.#documents += 1;
    }
    if ((head & ONCE) !== 0) return;
    for (let mask = head >> 1; mask !== 0; mask &= mask - 1) {
      const count = from.next();
      if (isCarried) this.#out.push(count);
    }
  }
}

const NONE = new Uint8Array(0);
