import { sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';

/** A theme that was merged into another one. */
export interface MergeRow {
  id: string;
  themeId: string;
  intoId: string;
  label: string;
  /** Number of signals that moved. */
  signals: number;
  mergedAt: Date;
}

/** Moves all signals of a theme to another one, and all that come later; keeps what moved under `id`. */
export async function mergeTheme(
  tx: Db,
  { accountId, productId }: Tenant,
  merge: { id: string; themeId: string; intoId: string; mergedAt: Date },
): Promise<void> {
  const { id, themeId, intoId, mergedAt } = merge;
  await sql`
    insert into theme_merge (account_id, id, product_id, theme_id, into_id, theme_ids, signal_ids, merged_at)
    select ${accountId}, ${id}, ${productId}, ${themeId}, ${intoId},
           array(select theme.id from theme where theme.account_id = ${accountId} and theme.product_id = ${productId}
                  and merged_into = ${themeId}),
           array(select signal.id from signal where signal.account_id = ${accountId}
                  and signal.product_id = ${productId} and theme_id = ${themeId}), ${mergedAt}`.execute(tx);
  await sql`
    update theme set merged_into = ${intoId}
     where account_id = ${accountId} and product_id = ${productId}
       and (id = ${themeId} or merged_into = ${themeId})`.execute(tx);
  await sql`
    update signal set theme_id = ${intoId}
     where account_id = ${accountId} and product_id = ${productId} and theme_id = ${themeId}`.execute(tx);
}

/** Merges into a theme, newest first. */
export async function selectMerges(db: Db, { accountId, productId }: Tenant, intoId: string): Promise<MergeRow[]> {
  const { rows } = await sql<MergeRow>`
    select merge.id, merge.theme_id as "themeId", merge.into_id as "intoId", theme.label,
           cardinality(merge.signal_ids) as signals, merge.merged_at as "mergedAt"
      from theme_merge merge join theme on theme.account_id = merge.account_id and theme.id = merge.theme_id
     where merge.account_id = ${accountId} and merge.product_id = ${productId} and merge.into_id = ${intoId}
     order by merge.merged_at desc, merge.id desc`.execute(db);
  return rows;
}

/**
 * Takes a merge back: what moved and is still there goes back. Gives the theme that is there again; undefined when the
 * product has no such merge, or its theme went on to a third one by a later merge.
 */
export async function deleteMerge(
  tx: Db,
  { accountId, productId }: Tenant,
  id: string,
): Promise<{ themeId: string; intoId: string } | undefined> {
  const { rows } = await sql<{ themeId: string; intoId: string }>`
    delete from theme_merge
     where account_id = ${accountId} and product_id = ${productId} and id = ${id}
       and exists (select 1 from theme where theme.account_id = ${accountId} and theme.id = theme_merge.theme_id
                    and theme.merged_into = theme_merge.into_id)
    returning theme_id as "themeId", into_id as "intoId", theme_ids as "themeIds", signal_ids as "signalIds"`.execute(
    tx,
  );
  const [merge] = rows as { themeId: string; intoId: string; themeIds: string[]; signalIds: string[] }[];
  if (merge === undefined) return undefined;
  const { themeId, intoId, themeIds, signalIds } = merge;
  await sql`
    update theme set merged_into = case when id = ${themeId} then null else ${themeId}::uuid end
     where account_id = ${accountId} and product_id = ${productId}
       and (id = ${themeId} or (id = any(${themeIds}::uuid[]) and merged_into = ${intoId}))`.execute(tx);
  await sql`
    update signal set theme_id = ${themeId}
     where account_id = ${accountId} and product_id = ${productId} and theme_id = ${intoId}
       and id = any(${signalIds}::uuid[])`.execute(tx);
  return { themeId, intoId };
}
