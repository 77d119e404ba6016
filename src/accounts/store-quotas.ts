import { within } from '../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import type { Quota } from '../platform/quotas.ts';

/** The limits of all products for which somebody chose one. */
export async function selectQuotas(db: Db): Promise<{ id: string; quota: Quota; most: number }[]> {
  const { rows } = await sql<{ id: string; quota: Quota; most: number }>`
    select product_id as id, quota, most from product_quota`.execute(db);
  return rows;
}

export async function upsertQuota(tx: Db, { accountId, productId }: Tenant, quota: Quota, most: number): Promise<void> {
  await sql`
    insert into product_quota (account_id, product_id, quota, most)
    values (${accountId}, ${productId}, ${quota}, ${most})
    on conflict (account_id, product_id, quota) do update set most = excluded.most`.execute(tx);
}

export async function deleteQuota(tx: Db, tenant: Tenant, quota: Quota): Promise<void> {
  await sql`
    delete from product_quota
     where ${within(tenant)} and quota = ${quota}`.execute(tx);
}
