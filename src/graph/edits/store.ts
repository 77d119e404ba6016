import { within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';

/** Edit of one feature by people. */
export interface FeatureEdit {
  /** As in the handle `feature:checkout`. */
  key: string;
  /** Null: as derived from code. */
  name: string | null;
  /** Key of the feature that it is a part of. */
  mergedInto: string | null;
  isPinned: boolean;
  isDeleted: boolean;
  /** Files and folders that belong to it in any case, `path` or `repository:path`. */
  paths: string[];
  updatedAt: Date;
  updatedBy: string;
}

/** All of a product by key; there are as many as people made. */
export async function selectFeatureEdits(db: Db, tenant: Tenant): Promise<FeatureEdit[]> {
  const { rows } = await sql<FeatureEdit>`
    select key, name, merged_into as "mergedInto", is_pinned as "isPinned", is_deleted as "isDeleted", paths,
           updated_at as "updatedAt", updated_by as "updatedBy"
      from feature_edit where ${within(tenant)} order by key collate "C"`.execute(db);
  return rows;
}

/** Stores an edit in the place of the one before. */
export async function upsertFeatureEdit(tx: Db, { accountId, productId }: Tenant, edit: FeatureEdit): Promise<void> {
  const { key, name, mergedInto, isPinned, isDeleted, paths, updatedAt, updatedBy } = edit;
  await sql`
    insert into feature_edit (account_id, product_id, key, name, merged_into, is_pinned, is_deleted, paths, updated_at, updated_by)
    values (${accountId}, ${productId}, ${key}, ${name}, ${mergedInto}, ${isPinned}, ${isDeleted},
      ${JSON.stringify(paths)}::jsonb, ${updatedAt}, ${updatedBy})
    on conflict (account_id, product_id, key) do update set name = excluded.name, merged_into = excluded.merged_into,
      is_pinned = excluded.is_pinned, is_deleted = excluded.is_deleted, paths = excluded.paths,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by`.execute(tx);
}

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
