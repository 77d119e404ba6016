import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import {
  deleteEntries,
  emptyThings,
  type Entry,
  insertEntries,
  nextRevision,
  renameEntries,
  type Thing,
  type ThingEntries,
  type ThingIds,
  touchThings,
} from './store.ts';

export {
  type EntryOutline,
  selectEntries as readEntries,
  selectEntryPage as readEntryPage,
  selectOutline as readOutline,
} from './store.ts';
export { KnowledgeIndex, type KnowledgeIndexOptions } from './knowledge-index.ts';
export type { CorpusCoverage, KnowledgeHit, KnowledgeQuery } from './query.ts';
export { CORPORA, type Corpus, type Entry } from './store.ts';

/** Things of one statement: bounds the size of a statement. */
const BATCH = 500;

/**
 * Makes `entries` all that is found of the thing. Part of the caller's transaction: once that is committed, every search
 * finds it. From here to the end of the transaction other writers of the product wait, so call it last.
 *
 * @throws Error when two entries have the same part.
 */
export function putEntries(tx: Db, tenant: Tenant, thing: Thing, entries: readonly Entry[]): Promise<void> {
  return putThings(tx, tenant, [{ ...thing, entries }]);
}

/** As `putEntries` for many things at once. A thing that stands in the list twice is a fault. */
export async function putThings(tx: Db, tenant: Tenant, things: readonly ThingEntries[]): Promise<void> {
  if (things.length === 0) return;
  const revision = await nextRevision(tx, tenant);
  for (const batch of batchesOf(things)) {
    await deleteEntries(tx, tenant, idsOf(batch));
    const sized = batch.map(({ corpus, id, entries }) => ({ corpus, id, size: sizeOf(entries) }));
    await touchThings(tx, tenant, { things: sized, revision });
    await insertEntries(tx, tenant, batch);
  }
}

/** Takes a thing out of all searches, as part of the caller's transaction. Does nothing when it is not there. */
export function removeEntries(tx: Db, tenant: Tenant, thing: Thing): Promise<void> {
  return removeThings(tx, tenant, [thing]);
}

/** As `removeEntries` for many things at once. */
export async function removeThings(tx: Db, tenant: Tenant, things: readonly Thing[]): Promise<void> {
  if (things.length === 0) return;
  const revision = await nextRevision(tx, tenant);
  for (const batch of batchesOf(things)) {
    await deleteEntries(tx, tenant, idsOf(batch));
    await emptyThings(tx, tenant, { ...idsOf(batch), revision });
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

function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + entry.text.length, 0);
}

/**
 * Keeps entries of a thing that is too large for one transaction, in batches, where no search sees them yet: `putStaged`
 * makes them all that is found of it. What was staged before is replaced. Gives the characters of their text.
 */
export async function stageEntries(
  db: Db,
  tenant: Tenant,
  thing: Thing,
  batches: AsyncIterable<readonly Entry[]>,
): Promise<number> {
  await dropStaged(db, tenant, thing);
  let [from, size] = [0, 0];
  for await (const entries of batches) {
    await insertEntries(db, tenant, [{ ...stagedOf(thing), entries }], from);
    from += entries.length;
    size += sizeOf(entries);
  }
  return size;
}

/** As `putEntries` with what was staged, whose size is the one that staging gave. */
export async function putStaged(tx: Db, tenant: Tenant, thing: Thing, size: number): Promise<void> {
  const revision = await nextRevision(tx, tenant);
  await deleteEntries(tx, tenant, { corpus: thing.corpus, ids: [thing.id] });
  await touchThings(tx, tenant, { things: [{ ...thing, size }], revision });
  await renameEntries(tx, tenant, { from: stagedOf(thing), to: thing });
}

/** Forgets what was staged and is not wanted any more. */
export async function dropStaged(db: Db, tenant: Tenant, thing: Thing): Promise<void> {
  await deleteEntries(db, tenant, { corpus: thing.corpus, ids: [stagedOf(thing).id] });
}

/** No handle ends like this, and no search begins with an entry: they are found by their things. */
function stagedOf({ corpus, id }: Thing): Thing {
  return { corpus, id: `${id}/staged` };
}
