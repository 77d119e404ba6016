import type { Encoder } from '../../text/encoder/encoder.ts';
import type { ShardReaders, ShardRef } from '../../indexes/shards/shards.ts';
import { EmbeddingCache } from './embedding-cache.ts';
import { CODE_QUERIES } from '../queries/code-queries.ts';
import { type EmbeddingText, writeEmbeddings } from '../ranking/store-embeddings.ts';

/** Documents whose texts are read at once: 2 MB of text. */
const READ_AT_ONCE = 1_000;

interface EmbedTask {
  readers: ShardReaders;
  encoder: Encoder;
  shard: ShardRef;
  /** Path of the shard. */
  file: string;
  /** Path of the cache of text vectors, which lasts from run to run. */
  cacheFile: string;
  /** The file to write. */
  target: string;
  signal: AbortSignal;
  /** Called about every thousand documents. Throw to stop; what was embedded is kept. */
  onProgress: (done: EmbedProgress) => Promise<void>;
}

export interface EmbedProgress {
  /** Symbols and files of the shard, and how many of them have their vectors. */
  documents: number;
  embedded: number;
  /** Texts that were sent; the others were known. */
  sent: number;
}

/**
 * Writes a copy of a code shard with the vectors of an encoder. Texts that were embedded before are not sent again, so a
 * run that was stopped goes on where it was.
 *
 * @throws EncodingFailed when the encoder fails; ShardDamaged; the reason of the signal.
 */
export async function embedShard(task: EmbedTask): Promise<EmbedProgress> {
  const { readers, encoder, shard, signal, target, file } = task;
  using cache = new EmbeddingCache(task.cacheFile, encoder.model);
  const { characters } = encoder.limits;
  const keys: string[] = [];
  const parts: Int8Array[] = [];
  const progress = { documents: 0, embedded: 0, sent: 0 };
  do {
    const page = { from: keys.length, limit: READ_AT_ONCE, characters };
    const { total, texts } = await readers.query(shard, CODE_QUERIES, ['embeddingTexts', page], {
      signal,
      background: true,
    });
    progress.sent += await embedMissing(cache, encoder, { texts, signal });
    for (const { key } of texts) {
      keys.push(key);
      const vector = cache.read(key);
      if (vector === undefined) throw new Error('A vector that was just kept is gone.');
      parts.push(vector);
    }
    progress.documents = total;
    progress.embedded = keys.length;
    await task.onProgress(progress);
  } while (keys.length < progress.documents);
  await writeEmbeddings(target, file, { revision: encoder.model, vectors: joinVectors(cache, parts) });
  cache.prune(keys);
  return progress;
}

/** Embeds the texts that are not known yet and keeps their vectors; gives how many were sent. */
async function embedMissing(
  cache: EmbeddingCache,
  encoder: Encoder,
  { texts, signal }: { texts: readonly EmbeddingText[]; signal: AbortSignal },
): Promise<number> {
  const missing = [...new Map(texts.map((text) => [text.key, text.text]))].filter(
    ([key]) => cache.read(key) === undefined,
  );
  for (let from = 0; from < missing.length; from += encoder.limits.texts) {
    const batch = missing.slice(from, from + encoder.limits.texts);
    const vectors = await encoder.encode(
      batch.map(([, text]) => text),
      'passage',
      signal,
    );
    cache.write(vectors.map((vector, at) => ({ key: batch[at]?.[0] ?? '', vector })));
  }
  return missing.length;
}

function joinVectors(cache: EmbeddingCache, parts: readonly Int8Array[]): Int8Array {
  const dimensions = parts[0]?.length ?? 0;
  if (parts.some((part) => part.length !== dimensions)) {
    // The model was replaced under its name: none of its vectors can be compared with the new ones.
    cache.clear();
    throw new Error(
      'The embedding service now returns vectors of a different length. All code will be embedded again.',
    );
  }
  const vectors = new Int8Array(parts.length * dimensions);
  for (const [index, part] of parts.entries()) vectors.set(part, index * dimensions);
  return vectors;
}
