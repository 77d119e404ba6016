import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { Log } from '../../platform/log.ts';
import type { Encoder, TextKind } from '../../text/encoder/encoder.ts';
import { encodedEntry, encodedText, hashOf, kindOf } from '../encoded-text.ts';
import type { Corpus } from '../store.ts';
import {
  countPending,
  deleteUnusedVectors,
  type HashedText,
  insertVectors,
  type PendingEntry,
  selectPending,
  selectRevision,
  selectUnencodedProducts,
  selectVectors,
  updateHashes,
  upsertState,
} from './store-vectors.ts';

/** Entries that are looked for at a time. What is written meanwhile comes after these. */
const PENDING_ENTRIES = 2_000;
/** Of these, how many are stored together: searches see them from then on. */
const STORED_ENTRIES = 50;

/** Database of the vectors, and the encoder. */
export interface EncodedParts {
  db: Db;
  /** Undefined where texts are compared by their words alone. */
  encoder: Encoder | undefined;
}

/** Dependencies of encoding in the background. */
export interface VectorParts {
  db: Db;
  encoder: Encoder;
  log: Log;
  /** Counts texts that were encoded. */
  countEncoded: (texts: number) => void;
}

/**
 * The stored vectors of texts of a corpus that have no headings, in their order. Undefined for a text whose vector is pending, and
 * for all of them where there is no encoder. Encodes nothing and waits for nothing.
 */
export async function vectorsOf(
  { db, encoder }: EncodedParts,
  tenant: Tenant,
  texts: readonly string[],
  corpus: Corpus,
): Promise<(Int8Array | undefined)[]> {
  if (encoder === undefined) return texts.map(() => undefined);
  const kind = kindOf(corpus);
  const hashes = texts.map((text) => hashOf(encodedEntry({ title: '', section: '', text }, corpus)));
  const keys = [...new Set(hashes)].map((hash) => ({ kind, hash }));
  const stored = await selectVectors(db, tenant, { model: encoder.model, texts: keys });
  const vectors = new Map(stored.map(({ hash, vector }) => [hash, new Int8Array(Buffer.from(vector, 'base64'))]));
  return hashes.map((hash) => vectors.get(hash));
}

/** The vectors of a few texts, encoded now as stored ones are; nothing is stored. Undefined where there is no encoder. */
export async function encodeNow(
  { encoder }: Pick<EncodedParts, 'encoder'>,
  texts: readonly string[],
  kind: TextKind,
  signal?: AbortSignal,
): Promise<Int8Array[] | undefined> {
  return encoder?.encode(
    texts.map((text) => encodedText(text, kind)),
    kind,
    signal,
  );
}

/** Entries of a product, and how many of them have no vector yet; undefined where there is no encoder. */
export async function encodingProgress(
  { db, encoder }: EncodedParts,
  tenant: Tenant,
): Promise<{ pending: number; total: number } | undefined> {
  return encoder === undefined ? undefined : countPending(db, tenant, encoder.model);
}

/** Products with texts that have no vectors yet. */
export async function unencodedProducts(parts: VectorParts | undefined): Promise<Tenant[]> {
  return parts === undefined ? [] : selectUnencodedProducts(parts.db, parts.encoder.model);
}

/**
 * Encodes what people wrote about a product and has no vector yet, the newest first, and forgets vectors that nothing needs.
 * What is stored stays when it is ended, and the next run goes on from there.
 *
 * @throws EncodingFailed; the reason of the signal.
 */
export async function encodeTexts(parts: VectorParts | undefined, tenant: Tenant, signal: AbortSignal): Promise<void> {
  if (parts === undefined) return;
  const { db, log } = parts;
  const { model } = parts.encoder;
  let encoded = 0;
  for (;;) {
    const revision = await selectRevision(db, tenant);
    const pending = await selectPending(db, tenant, { model, limit: PENDING_ENTRIES });
    if (pending.length === 0) {
      await deleteUnusedVectors(db, tenant, model);
      await upsertState(db, tenant, { model, revision });
      if (encoded > 0) log.info({ product: tenant.productId, encoded }, 'texts encoded');
      return;
    }
    for (let from = 0; from < pending.length; from += STORED_ENTRIES)
      encoded += await encodeEntries(parts, tenant, pending.slice(from, from + STORED_ENTRIES), signal);
  }
}

/** Encodes the distinct texts of entries and stores their vectors; returns how many there were. */
async function encodeEntries(
  { db, encoder, countEncoded }: VectorParts,
  tenant: Tenant,
  pending: readonly PendingEntry[],
  signal: AbortSignal,
): Promise<number> {
  const entries = pending.map((entry) => {
    const encoded = encodedEntry(entry, entry.corpus);
    return { ...entry, encoded, kind: kindOf(entry.corpus), hash: entry.hash ?? hashOf(encoded) };
  });
  const unhashed = entries.filter((_, at) => pending[at]?.hash === null);
  if (unhashed.length > 0) await updateHashes(db, tenant, unhashed);
  const texts = new Map(entries.map((entry) => [`${entry.kind} ${entry.hash}`, entry]));
  const distinct = [...texts.values()];
  const vectors: (HashedText & { vector: Int8Array })[] = [];
  const { texts: most } = encoder.limits;
  for (const kind of ['query', 'passage'] as const) {
    const own = distinct.filter((entry) => entry.kind === kind);
    for (let from = 0; from < own.length; from += most) {
      const batch = own.slice(from, from + most);
      const encoded = batch.map((entry) => entry.encoded);
      const directions = await encoder.encode(encoded, kind, signal);
      vectors.push(...batch.map(({ hash }, at) => ({ kind, hash, vector: directions[at] ?? new Int8Array() })));
    }
  }
  signal.throwIfAborted();
  await db.transaction().execute((tx) => insertVectors(tx, tenant, { model: encoder.model, vectors }));
  countEncoded(vectors.length);
  return vectors.length;
}
