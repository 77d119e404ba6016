import { within } from '../../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { TextKind } from '../../text/encoder/encoder.ts';
import { READ_CHARACTERS } from '../encoded-text.ts';
import { type Corpus, type Entry, isVectorOf, nextRevision } from '../store.ts';

/** A text by the hash of what is encoded of it. */
export interface HashedText {
  kind: TextKind;
  hash: string;
}

/** An entry without a vector. */
export interface PendingEntry extends Pick<Entry, 'part' | 'title' | 'section' | 'text'> {
  corpus: Corpus;
  id: string;
  /** Hexadecimal; null for one from before the hashes. */
  hash: string | null;
}

/** True if the current entry has no vector of the model. One look-up by the primary key. */
const isPending = (model: string): RawBuilder<unknown> => sql`(entry.hash is null or not exists (
  select from text_vector as vector where ${isVectorOf(model)}))`;

const ofEntries = ({ accountId, productId }: Tenant): RawBuilder<unknown> => sql`
  from knowledge_thing as thing
  join knowledge_entry as entry using (account_id, product_id, corpus, id)
 where entry.account_id = ${accountId} and entry.product_id = ${productId}`;

/** Vectors of texts by kind and hash, as base64; those that are not stored are left out. One look-up by key each. */
export async function selectVectors(
  db: Db,
  tenant: Tenant,
  { model, texts }: { model: string; texts: readonly HashedText[] },
): Promise<(HashedText & { vector: string })[]> {
  const { accountId, productId } = tenant;
  const { rows } = await sql<HashedText & { vector: string }>`
    select key.kind, key.hash, encode(vector.vector, 'base64') as vector
      from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as key (kind text, hash text)
      join text_vector as vector on vector.account_id = ${accountId} and vector.product_id = ${productId}
       and vector.model = ${model} and vector.kind = key.kind and vector.hash = decode(key.hash, 'hex')`.execute(db);
  return rows;
}

/** At most `limit` entries without a vector of the model: those that were written last, newest first. */
export async function selectPending(
  db: Db,
  tenant: Tenant,
  { model, limit }: { model: string; limit: number },
): Promise<PendingEntry[]> {
  const { rows } = await sql<PendingEntry>`
    select entry.corpus, entry.id, entry.part, encode(entry.hash, 'hex') as hash, entry.title, entry.section,
           left(entry.text, ${2 * READ_CHARACTERS}) as text
      ${ofEntries(tenant)} and ${isPending(model)}
     order by thing.revision desc, entry.date desc nulls last, entry.corpus, entry.id, entry.position
     limit ${limit}`.execute(db);
  return rows;
}

/** Counts the entries of a product, and those that have no vector of the model. Reads all of them. */
export async function countPending(db: Db, tenant: Tenant, model: string): Promise<{ pending: number; total: number }> {
  const { rows } = await sql<{ pending: number; total: number }>`
    select count(*) filter (where ${isPending(model)})::int as pending, count(*)::int as total
      ${ofEntries(tenant)}`.execute(db);
  return rows[0] ?? { pending: 0, total: 0 };
}

/** Writes the hashes of entries that have none. */
export async function updateHashes(db: Db, tenant: Tenant, entries: readonly PendingEntry[]): Promise<void> {
  const keys = JSON.stringify(entries.map(({ corpus, id, part, hash }) => ({ corpus, id, part, hash })));
  await sql`
    update knowledge_entry as entry set hash = decode(key.hash, 'hex')
      from jsonb_to_recordset(${keys}::jsonb) as key (corpus text, id text, part text, hash text)
     where entry.account_id = ${tenant.accountId} and entry.product_id = ${tenant.productId}
       and entry.corpus = key.corpus and entry.id = key.id and entry.part = key.part`.execute(db);
}

/**
 * Stores vectors, and counts a change of each thing that has them all by that: indexes then read it again. Part of the
 * caller's transaction, in which it comes last.
 */
export async function insertVectors(
  tx: Db,
  tenant: Tenant,
  { model, vectors }: { model: string; vectors: readonly (HashedText & { vector: Int8Array })[] },
): Promise<void> {
  const { accountId, productId } = tenant;
  const rows = vectors.map(({ kind, hash, vector }) => {
    return { kind, hash, vector: Buffer.from(vector.buffer, vector.byteOffset, vector.length).toString('base64') };
  });
  await sql`
    insert into text_vector (account_id, product_id, model, kind, hash, vector)
    select ${accountId}, ${productId}, ${model}, row.kind, decode(row.hash, 'hex'), decode(row.vector, 'base64')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (kind text, hash text, vector text)
    on conflict do nothing`.execute(tx);
  const keys = rows.map(({ hash }) => ({ hash }));
  const revision = await nextRevision(tx, tenant);
  await sql`
    update knowledge_thing as thing set revision = ${revision}
      from (select distinct entry.corpus, entry.id from knowledge_entry as entry
             where ${within(tenant)} and entry.hash in (
               select decode(key.hash, 'hex') from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as key (hash text))
           ) as changed
     where thing.account_id = ${accountId} and thing.product_id = ${productId}
       and thing.corpus = changed.corpus and thing.id = changed.id
       and not exists (select from knowledge_entry as entry
         where entry.account_id = thing.account_id and entry.product_id = thing.product_id
           and entry.corpus = thing.corpus and entry.id = thing.id and ${isPending(model)})`.execute(tx);
}

/** Deletes vectors of other models, and of texts that the product does not have any more. */
export async function deleteUnusedVectors(db: Db, tenant: Tenant, model: string): Promise<void> {
  await sql`
    delete from text_vector as vector
     where ${within(tenant)} and (model <> ${model} or not exists (
       select from knowledge_entry as entry
        where entry.account_id = vector.account_id and entry.product_id = vector.product_id
          and entry.hash = vector.hash))`.execute(db);
}

/** The number of the last change of a product's knowledge; 0 before the first one. */
export async function selectRevision(db: Db, tenant: Tenant): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    select revision from knowledge_revision where ${within(tenant)}`.execute(db);
  return rows[0]?.revision ?? 0;
}

/** Notes that all texts up to a change have their vectors. */
export async function upsertState(
  db: Db,
  { accountId, productId }: Tenant,
  { model, revision }: { model: string; revision: number },
): Promise<void> {
  await sql`
    insert into text_vector_state (account_id, product_id, model, revision)
    values (${accountId}, ${productId}, ${model}, ${revision})
    on conflict (account_id, product_id) do update set model = excluded.model, revision = excluded.revision`.execute(
    db,
  );
}

/** Products that have changed since all their texts had vectors of the model. One row a product. */
export async function selectUnencodedProducts(db: Db, model: string): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select changed.account_id as "accountId", changed.product_id as "productId"
      from knowledge_revision as changed left join text_vector_state as state
        on state.account_id = changed.account_id and state.product_id = changed.product_id and state.model = ${model}
     where changed.revision > coalesce(state.revision, 0)`.execute(db);
  return rows;
}
