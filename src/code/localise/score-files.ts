import { LENGTH_FIELDS, TERM_FIELDS } from '../../code-index/format/shard-schema.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackLength, VarintReader } from '../../kernel/varints.ts';
import { dense, firstSymbols, testFlags } from '../files/store-files.ts';
import { idfOf, lengthNorm, termWeight } from '../../text/term-weights.ts';

/**
 * A file is scored as one text, the sum of its symbols and of what lies outside of them: BM25F with one saturation over
 * all fields. A name counts where it is defined; the path counts once a file, not once a symbol.
 */
const WEIGHTS: Record<(typeof TERM_FIELDS)[number], number> = {
  body: 1,
  comments: 0.6,
  signature: 1.2,
  path: 0,
  scope: 0.3,
  name: 4,
  doc: 1.5,
};
/** Of a term in the path and the name of the file itself. */
const FILE_NAME_WEIGHT = 12;
const FOLDER_WEIGHT = 4;
/** `b` is the weight of the length of a text against its words. */
const BM25 = { k1: 1.6, b: 0.5 };

const FIELD_WEIGHTS = TERM_FIELDS.map((field) => WEIGHTS[field]);
const NAME = TERM_FIELDS.indexOf('name');
const PATH = TERM_FIELDS.indexOf('path');

/** File of each document of the ranked search, and the length of each file's text in terms. */
interface FileTexts {
  symbols: number;
  fileOf: Int32Array;
  lengths: Float32Array;
  mean: number;
}

/** Scores each file by weighted words, by file id. Reads each term's postings once: about 5 ms for 50 terms in 50,000 symbols. */
export function scoreFiles(db: ShardDatabase, terms: ReadonlyMap<string, number>): Float32Array {
  const texts = db.derived('file_texts', () => readFileTexts(db));
  const files = texts.lengths.length;
  const score = new Float32Array(files);
  const frequencies = new Float32Array(files);
  const select = db.prepare('select postings from term where text = ?');
  for (const [term, weight] of terms) {
    const row = select.get(term) as { postings: Uint8Array } | undefined;
    if (row === undefined) continue;
    const having = sumFrequencies(row.postings, texts, frequencies);
    const idf = weight * idfOf(files, having.length);
    for (const file of having) {
      const norm = lengthNorm(BM25, texts.lengths[file] ?? 0, texts.mean);
      score[file] = (score[file] ?? 0) + termWeight(idf, frequencies[file] ?? 0, BM25.k1, norm);
      frequencies[file] = 0;
    }
  }
  return score;
}

/** Adds up the weighted frequencies of a term by file, and gives the files that have it. */
function sumFrequencies(postings: Uint8Array, { symbols, fileOf }: FileTexts, frequencies: Float32Array): number[] {
  const from = new VarintReader(postings);
  const having: number[] = [];
  let document = 0;
  while (from.more) {
    document += from.next();
    const head = from.next();
    const isFile = document >= symbols;
    let frequency = 0;
    for (let field = 0; field < FIELD_WEIGHTS.length; field += 1) {
      if ((head & (2 << field)) === 0) continue;
      const times = (head & 1) === 1 ? 1 : from.next();
      const weight =
        isFile && field === NAME ? FILE_NAME_WEIGHT : isFile && field === PATH ? FOLDER_WEIGHT : FIELD_WEIGHTS[field];
      frequency += (weight ?? 0) * times;
    }
    if (frequency === 0) continue;
    const file = fileOf[document] ?? 0;
    if (frequencies[file] === 0) having.push(file);
    frequencies[file] = (frequencies[file] ?? 0) + frequency;
  }
  return having;
}

function readFileTexts(db: ShardDatabase): FileTexts {
  const starts = firstSymbols(db);
  const files = testFlags(db).length;
  const packed = dense(db, 'document_length');
  const documents = packed.length / LENGTH_FIELDS.length;
  const symbols = documents - files;
  const fileOf = new Int32Array(documents);
  const lengths = new Float32Array(files);
  let file = 0;
  for (let document = 0; document < documents; document += 1) {
    if (document >= symbols) file = document - symbols;
    else while (file + 1 < files && (starts[file + 1] ?? 0) <= document) file += 1;
    fileOf[document] = file;
    for (let field = 0; field < LENGTH_FIELDS.length; field += 1)
      lengths[file] = (lengths[file] ?? 0) + unpackLength(packed[document * LENGTH_FIELDS.length + field] ?? 0);
  }
  const sum = lengths.reduce((total, length) => total + length, 0);
  return { symbols, fileOf, lengths, mean: Math.max(1, sum / Math.max(1, files)) };
}
