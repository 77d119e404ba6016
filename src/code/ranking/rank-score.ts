import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { LENGTH_FIELDS, TERM_FIELDS } from '../../code-index/format/shard-schema.ts';
import { unpackLength, VarintReader } from '../../kernel/varints.ts';
import { dense, testFlags } from '../files/store-files.ts';
import { idfOf, termWeight } from '../../text/term-weights.ts';

/** BM25F with one saturation over all fields: weight of each field and how much its length counts, then k1. */
const WEIGHTS: Record<(typeof TERM_FIELDS)[number], number> = {
  body: 1,
  comments: 1.2,
  signature: 2.4,
  path: 1.4,
  scope: 1.9,
  name: 5,
  doc: 3,
};
const LENGTH_WEIGHTS: Record<(typeof LENGTH_FIELDS)[number], number> = {
  body: 0.4,
  comments: 0.5,
  signature: 0.5,
  doc: 0.3,
};
const K1 = 1.9;

/** Saturation of a field that is scored alone. */
const FIELD_K1 = 1.2;
const SIGNATURE = TERM_FIELDS.indexOf('signature');
const PATH = TERM_FIELDS.indexOf('path');

/** First scores of all documents. Arrays have one entry a document: the symbols, then the files. */
export interface Scores {
  symbols: number;
  score: Float32Array;
  /** Sum of the idf of the query terms a document has. */
  coverage: Float32Array;
  /** The same for its signature and its path alone, with how often they have them. */
  signature: Float32Array;
  path: Float32Array;
  /** Similarity to a sentence in other words, mostly -1 to 1; undefined for names and few words. */
  vector: Float32Array | undefined;
  /** Inverse document frequency of each query term, times its weight. */
  idf: ReadonlyMap<string, number>;
}

interface Lengths {
  /** One byte a length field and document. */
  packed: Uint8Array;
  /** Divisors of frequencies by length: 256 a length field, by its byte. */
  factors: Float64Array;
}

/** How many documents there are in several repositories, and how many of them have a term: what is rare in one may be common in all. */
export interface TermStatistics {
  documents: number;
  having: Readonly<Record<string, number>>;
}

interface Scoring {
  /** Taken over as it is. */
  vector?: Float32Array | undefined;
  /** Terms that more documents have are omitted. */
  mostDocuments?: number;
  /** Of all repositories that are searched together; those of the shard when undefined. */
  statistics?: TermStatistics | undefined;
}

/** Scores all documents for weighted terms, reading each term's postings once. */
export function scoreDocuments(
  db: ShardDatabase,
  terms: ReadonlyMap<string, number>,
  { vector, mostDocuments = Infinity, statistics }: Scoring = {},
): Scores {
  const lengths = db.derived('document_length', () => readLengths(db));
  const documents = lengths.packed.length / LENGTH_FIELDS.length;
  const scores = {
    symbols: documents - testFlags(db).length,
    score: new Float32Array(documents),
    coverage: new Float32Array(documents),
    signature: new Float32Array(documents),
    path: new Float32Array(documents),
  };
  const idf = new Map<string, number>();
  for (const [term, weight] of terms) {
    const row = db.prepare('select documents, postings from term where text = ?').get(term) as
      | { documents: number; postings: Uint8Array }
      | undefined;
    if (row !== undefined && row.documents > mostDocuments) continue;
    const all = statistics?.having[term];
    const having = row?.documents ?? 0;
    // A term that nothing has tells nothing apart.
    const weighed =
      statistics === undefined || all === undefined
        ? having && weight * idfOf(documents, having)
        : all && weight * idfOf(statistics.documents, all);
    idf.set(term, weighed);
    if (row !== undefined) addTerm(scores, lengths, { postings: row.postings, idf: weighed });
  }
  return { ...scores, idf, vector };
}

function addTerm(
  { score, coverage, signature, path }: Pick<Scores, 'score' | 'coverage' | 'signature' | 'path'>,
  lengths: Lengths,
  { postings, idf }: { postings: Uint8Array; idf: number },
): void {
  const from = new VarintReader(postings);
  let document = 0;
  while (from.more) {
    document += from.next();
    const head = from.next();
    let frequency = 0;
    for (let field = 0; field < FIELD_WEIGHTS.length; field++) {
      if ((head & (2 << field)) === 0) continue;
      const times = ((head & 1) === 1 ? 1 : from.next()) / lengthFactor(lengths, document, field);
      frequency += (FIELD_WEIGHTS[field] ?? 0) * times;
      if (field === SIGNATURE) signature[document] = (signature[document] ?? 0) + idf * termWeight(1, times, FIELD_K1);
      else if (field === PATH) path[document] = (path[document] ?? 0) + idf * termWeight(1, times, FIELD_K1);
    }
    score[document] = (score[document] ?? 0) + termWeight(idf, frequency, K1);
    coverage[document] = (coverage[document] ?? 0) + idf;
  }
}

/** Length fields by the field's bit; -1 for fields whose length does not count. */
const LENGTH_INDEX = TERM_FIELDS.map((field) => (LENGTH_FIELDS as readonly string[]).indexOf(field));
const FIELD_WEIGHTS = TERM_FIELDS.map((field) => WEIGHTS[field]);
const LENGTHS = LENGTH_FIELDS.length;
/** Values of a byte. */
const BYTES = 256;

function lengthFactor({ packed, factors }: Lengths, document: number, field: number): number {
  const index = LENGTH_INDEX[field] ?? -1;
  if (index === -1) return 1;
  return factors[index * BYTES + (packed[document * LENGTHS + index] ?? 0)] ?? 1;
}

function readLengths(db: ShardDatabase): Lengths {
  const packed = dense(db, 'document_length').slice();
  const fields = LENGTH_FIELDS.length;
  const sums = LENGTH_FIELDS.map(() => 0);
  for (let at = 0; at < packed.length; at++)
    sums[at % fields] = (sums[at % fields] ?? 0) + unpackLength(packed[at] ?? 0);
  const documents = Math.max(1, packed.length / fields);
  const factors = new Float64Array(fields * BYTES);
  for (const [index, field] of LENGTH_FIELDS.entries()) {
    const mean = (sums[index] ?? 0) / documents || 1;
    const weight = LENGTH_WEIGHTS[field];
    for (let byte = 0; byte < BYTES; byte++)
      factors[index * BYTES + byte] = 1 - weight + (weight * unpackLength(byte)) / mean;
  }
  return { packed, factors };
}

/** Length of a document's body in terms, roughly. */
export function bodyLength(db: ShardDatabase, document: number): number {
  const { packed } = db.derived('document_length', () => readLengths(db));
  return unpackLength(packed[document * LENGTH_FIELDS.length + LENGTH_FIELDS.indexOf('body')] ?? 0);
}
