import { within } from '../platform/product-rows.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { Gap } from '../kernel/gap.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/db.ts';
import type { RepositoryRow, ShardPointer } from './store.ts';

/** The number of the published snapshot; undefined when the repository is gone. */
export async function selectGeneration(db: Db, tenant: Tenant, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ generation: number }>`
    select generation from repository where ${inProduct(tenant, id)}`.execute(db);
  return rows[0]?.generation;
}

/** Repositories with a snapshot, in all accounts. For the start of the service. */
export async function selectServed(db: Db): Promise<(Tenant & { id: string })[]> {
  const { rows } = await sql<Tenant & { id: string }>`
    select account_id as "accountId", product_id as "productId", id from repository
     where shard_hash is not null order by id`.execute(db);
  return rows;
}

/** The shard of this snapshot, locked until the transaction ends; undefined when another one was published. */
export async function lockSnapshot(
  tx: Db,
  tenant: Tenant,
  { id, generation }: { id: string; generation: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ shard: string | null }>`
    select shard_hash as shard from repository
     where ${inProduct(tenant, id)} and generation = ${generation} for update`.execute(tx);
  return rows[0]?.shard ?? undefined;
}

/** Serves this shard from now on. It is another generation: cursors of the one before do not go on. */
export async function updateShard(
  tx: Db,
  tenant: Tenant,
  {
    id,
    shard,
    gaps,
    exact,
  }: { id: string; shard: ShardPointer; gaps: readonly (Gap | string)[]; exact: RepositoryRow['exact'] },
): Promise<void> {
  await sql`
    update repository
       set shard_hash = ${shard.hash}, shard_bytes = ${shard.sizeBytes}, gaps = ${JSON.stringify(gaps)}::jsonb,
           generation = generation + 1, exact = ${exact}
     where ${inProduct(tenant, id)}`.execute(tx);
}

/** Of the snapshot with this generation; another one says so itself. */
export async function updateExact(
  db: Db,
  { id, generation, ...tenant }: Tenant & { id: string; generation: number },
  exact: 'pending' | 'done' | 'failed' | null,
): Promise<void> {
  await sql`
    update repository set exact = ${exact} where ${inProduct(tenant, id)} and generation = ${generation}`.execute(db);
}

/** Serves this history from now on in the place of `before`. False when that is not served any more. */
export async function updateHistory(
  tx: Db,
  tenant: Tenant,
  { id, before, history }: { id: string; before: string; history: ShardPointer },
): Promise<boolean> {
  const { rows } = await sql`
    update repository set history_hash = ${history.hash}, history_bytes = ${history.sizeBytes}
     where ${inProduct(tenant, id)} and history_hash = ${before} returning id`.execute(tx);
  return rows.length === 1;
}

function inProduct(tenant: Tenant, id: string): RawBuilder<unknown> {
  return sql`${within(tenant)} and id = ${id}`;
}
