import { within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';

/** The layers that people set for a repository, from the top down. */
export interface LayerSetting {
  repositoryId: string;
  layers: { name: string; paths: string[] }[];
  updatedAt: Date;
  updatedBy: string;
}

/** Those of a product, at most one a repository. */
export async function selectLayerSettings(db: Db, tenant: Tenant): Promise<LayerSetting[]> {
  const { rows } = await sql<LayerSetting>`
    select repository_id as "repositoryId", layers, updated_at as "updatedAt", updated_by as "updatedBy"
      from layer_setting where ${within(tenant)} order by repository_id`.execute(db);
  return rows;
}

/** Stores a setting in the place of the one before. */
export async function upsertLayerSetting(
  tx: Db,
  { accountId, productId }: Tenant,
  { repositoryId, layers, updatedAt, updatedBy }: LayerSetting,
): Promise<void> {
  await sql`
    insert into layer_setting (account_id, product_id, repository_id, layers, updated_at, updated_by)
    values (${accountId}, ${productId}, ${repositoryId}, ${JSON.stringify(layers)}::jsonb, ${updatedAt}, ${updatedBy})
    on conflict (account_id, repository_id) do update set layers = excluded.layers, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by`.execute(tx);
}

export async function deleteLayerSetting(tx: Db, tenant: Tenant, repositoryId: string): Promise<void> {
  await sql`
    delete from layer_setting
     where ${within(tenant)} and repository_id = ${repositoryId}`.execute(tx);
}
