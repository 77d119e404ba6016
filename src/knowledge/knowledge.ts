import type { Db } from '../platform/db.ts';
import {
  deleteEntries,
  emptyThings,
  type Entry,
  insertEntries,
  nextRevision,
  type ProductScope,
  type Thing,
  type ThingEntries,
  type ThingIds,
  touchThings,
} from './store.ts';

export { selectEntries as readEntries } from './store.ts';
export { KnowledgeIndex, type KnowledgeIndexOptions } from './knowledge-index.ts';
export type { CorpusCoverage, KnowledgeHit, KnowledgeQuery, KnowledgeResult } from './product-index.ts';
export type { ProductAccess, ProductRequest } from './product-access.ts';
export { CORPORA, type Corpus, type Entry, type ProductScope, type Thing, type ThingEntries } from './store.ts';

/** Things of one statement: bounds the size of a statement. */
const BATCH = 500;

/**
 * Makes `entries` all that is found of the thing. Part of the caller's transaction: once that is committed, every search
 * finds it. From here to the end of the transaction other writers of the product wait, so call it last.
 *
 * @throws Error when two entries have the same part.
 */
export function putEntries(tx: Db, scope: ProductScope, thing: Thing, entries: readonly Entry[]): Promise<void> {
  return putThings(tx, scope, [{ ...thing, entries }]);
}

/** As `putEntries` for many things at once. A thing that stands in the list twice is a fault. */
export async function putThings(tx: Db, scope: ProductScope, things: readonly ThingEntries[]): Promise<void> {
  if (things.length === 0) return;
  const revision = await nextRevision(tx, scope);
  for (const batch of batchesOf(things)) {
    await deleteEntries(tx, scope, idsOf(batch));
    await touchThings(tx, scope, { things: batch, revision });
    await insertEntries(tx, scope, batch);
  }
}

/** Takes a thing out of all searches, as part of the caller's transaction. Does nothing when it is not there. */
export function removeEntries(tx: Db, scope: ProductScope, thing: Thing): Promise<void> {
  return removeThings(tx, scope, [thing]);
}

/** As `removeEntries` for many things at once. */
export async function removeThings(tx: Db, scope: ProductScope, things: readonly Thing[]): Promise<void> {
  if (things.length === 0) return;
  const revision = await nextRevision(tx, scope);
  for (const batch of batchesOf(things)) {
    await deleteEntries(tx, scope, idsOf(batch));
    await emptyThings(tx, scope, { ...idsOf(batch), revision });
  }
}

type Batch<One extends Thing> = readonly [One, ...One[]];

/** The things in lists of one corpus each, none of them empty. */
function batchesOf<One extends Thing>(things: readonly One[]): Batch<One>[] {
  const batches: [One, ...One[]][] = [];
  const open = new Map<string, [One, ...One[]]>();
  for (const thing of things) {
    const batch = open.get(thing.corpus);
    if (batch !== undefined && batch.length < BATCH) {
      batch.push(thing);
      continue;
    }
    const next: [One, ...One[]] = [thing];
    batches.push(next);
    open.set(thing.corpus, next);
  }
  return batches;
}

function idsOf(batch: Batch<Thing>): ThingIds {
  return { corpus: batch[0].corpus, ids: batch.map(({ id }) => id) };
}
