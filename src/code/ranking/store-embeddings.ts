import { sha256 } from '../../kernel/ids.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { QuestionVector } from '../../text/encoder/question-vectors.ts';
import { buildShard, openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { CODE_FORMAT, CODE_SHARD } from '../../code-index/format/shard-schema.ts';
import { dense, testFlags, TextReader } from '../files/store-files.ts';

/** Lines of a symbol or a file that are embedded: what it is about stands at its begin. */
const EMBEDDED_LINES = 30;

/** Key of the meta table: the revision of the provider that made the embeddings. */
const REVISION = 'embeddings';
const VECTORS = 'document_embedding';

/**
 * Similarities of the encoder that is built in over all documents: means lay from -0.07 to 0.07 and spreads from 0.10 to
 * 0.15 for six sentences on three repositories. What a provider finds is brought to this scale, because models differ in
 * theirs and the weight of the feature was learned on this one.
 */
const BUILT_IN = { mean: 0, spread: 0.125 };

/** The vectors of all documents of a shard. */
interface DocumentEmbeddings {
  revision: string;
  /** One document after the other: the symbols, then the files. */
  vectors: Int8Array;
}

/** Text of a document that a provider is given, and the key of its vector. */
export interface EmbeddingText {
  /** SHA-256 of the text, hexadecimal. */
  key: string;
  text: string;
}

/**
 * Texts to embed of the documents from number `from` on, at most `limit`: symbols by kind, name, documentation and source,
 * files by path and source. `total` is the number of documents. About 0.1 ms a document.
 */
export function embeddingTexts(
  db: ShardDatabase,
  { from, limit, characters }: { from: number; limit: number; characters: number },
): { total: number; texts: EmbeddingText[] } {
  const count = db.prepare('select (select count(*) from symbol) as symbols, (select count(*) from file) as files');
  const { symbols, files } = count.get() as { symbols: number; files: number };
  const reader = new TextReader(db);
  const texts: EmbeddingText[] = [];
  for (let document = from; document < Math.min(from + limit, symbols + files); document++) {
    const text = document < symbols ? symbolText(db, reader, document) : fileText(db, reader, document - symbols);
    const cut = text.slice(0, characters);
    texts.push({ key: sha256(cut), text: cut });
  }
  return { total: symbols + files, texts };
}

function symbolText(db: ShardDatabase, reader: TextReader, id: number): string {
  const row = db.prepare('select file, kind, qualified, line, end_line as "end", doc from symbol where id = ?').get(id);
  const { file, kind, qualified, line, end, doc } = row as {
    file: number;
    kind: string;
    qualified: string;
    line: number;
    end: number;
    doc: string;
  };
  const lines = reader.lines(file, line, Math.min(end, line + EMBEDDED_LINES - 1));
  return [`${kind} ${qualified}`, ...(doc === '' ? [] : [doc]), ...lines].join('\n');
}

function fileText(db: ShardDatabase, reader: TextReader, id: number): string {
  const { path } = db.prepare('select path from file where id = ?').get(id) as { path: string };
  return [path, ...reader.lines(id, 1, EMBEDDED_LINES)].join('\n');
}

/** The revision of the provider that embedded the documents of a shard file; undefined when none did. */
export function embeddedRevision(file: string): string | undefined {
  const shard = openShard(file, CODE_FORMAT);
  shard.close();
  return shard.meta.values[REVISION];
}

/** Writes a copy of the shard at `base` that holds these vectors, too. A copy of the file and one row. */
export async function writeEmbeddings(
  target: string,
  base: string,
  { revision, vectors }: DocumentEmbeddings,
): Promise<void> {
  const { kind, version } = CODE_SHARD;
  await buildShard(target, { kind, version, base, meta: { [REVISION]: revision } }, (db: DatabaseSync) => {
    const bytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length);
    db.prepare('insert or replace into dense (name, data) values (?, ?)').run(VECTORS, bytes);
  });
}

/**
 * Similarity of each document to a question by the vectors of a provider, on the scale of the encoder that is built in.
 * Undefined when the shard has no vectors of this provider or they are of another length. 1.3 ns a dimension and document.
 */
export function embeddedSimilarities(db: ShardDatabase, { model, vector }: QuestionVector): Float32Array | undefined {
  if (db.meta.values[REVISION] !== model) return undefined;
  const { bytes, lengths } = db.derived(`embeddings ${vector.length}`, () => readVectors(db, vector.length));
  if (bytes.length !== lengths.length * vector.length || lengths.length === 0) return undefined;
  const similarities = new Float32Array(lengths.length);
  for (let document = 0, from = 0; document < similarities.length; document++, from += vector.length) {
    let sum = 0;
    for (let at = 0; at < vector.length; at++) sum += (vector[at] ?? 0) * (bytes[from + at] ?? 0);
    similarities[document] = sum / (lengths[document] || 1);
  }
  return scaledLikeBuiltIn(similarities);
}

function readVectors(db: ShardDatabase, dimensions: number): { bytes: Int8Array; lengths: Float32Array } {
  const data = dense(db, VECTORS);
  const bytes = new Int8Array(data.buffer, data.byteOffset, data.length);
  const documents = dense(db, 'symbol_kind').length + testFlags(db).length;
  const lengths = new Float32Array(documents);
  for (let document = 0, from = 0; document < documents; document++, from += dimensions) {
    let squares = 0;
    for (let at = 0; at < dimensions; at++) squares += (bytes[from + at] ?? 0) ** 2;
    lengths[document] = Math.sqrt(squares);
  }
  return { bytes, lengths };
}

function scaledLikeBuiltIn(similarities: Float32Array): Float32Array {
  let [sum, squares] = [0, 0];
  for (const value of similarities) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / similarities.length;
  const spread = Math.sqrt(Math.max(0, squares / similarities.length - mean * mean));
  if (spread === 0) return similarities.fill(BUILT_IN.mean);
  return similarities.map((value) => BUILT_IN.mean + ((value - mean) * BUILT_IN.spread) / spread);
}
