import { within } from '../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';

/** Since when the repositories of a product are neither fetched nor indexed, and who said so. */
interface IndexingPause {
  since: Date;
  pausedBy: string;
}

/** A condition of SQL: the product of a row of `repository`, by this name, is not paused. */
export function isNotPaused(name: string): RawBuilder<boolean> {
  const row = sql.table(name);
  return sql<boolean>`not exists (select from indexing_pause p
    where p.account_id = ${row}.account_id and p.product_id = ${row}.product_id)`;
}

/** Undefined while nothing is paused. */
export async function selectPause(db: Db, tenant: Tenant): Promise<IndexingPause | undefined> {
  const { rows } = await sql<IndexingPause>`
    select since, paused_by as "pausedBy" from indexing_pause
     where ${within(tenant)}`.execute(db);
  return rows[0];
}

/** False when it is paused already. */
export async function insertPause(db: Db, { accountId, productId }: Tenant, pause: IndexingPause): Promise<boolean> {
  const { rows } = await sql`
    insert into indexing_pause (account_id, product_id, since, paused_by)
    values (${accountId}, ${productId}, ${pause.since}, ${pause.pausedBy}) on conflict do nothing
    returning since`.execute(db);
  return rows.length === 1;
}

/** False when it is not paused. */
export async function deletePause(db: Db, tenant: Tenant): Promise<boolean> {
  const { rows } = await sql`
    delete from indexing_pause where ${within(tenant)} returning since`.execute(db);
  return rows.length === 1;
}

/** Ids of the repositories of a product that wait for a run, those that were added first before others. */
export async function selectPending(db: Db, tenant: Tenant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from repository
     where ${within(tenant)} and status = 'pending' order by id`.execute(db);
  return rows.map(({ id }) => id);
}
