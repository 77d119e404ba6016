import { within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import { BLANK_ITEM, type ItemFields } from '../text/work-item-text.ts';

/** A row of `work_item`. What it is now is `written` with `edited` on top. */
export interface ItemRow {
  planId: string;
  key: string;
  number: number;
  position: number;
  written: ItemFields;
  edited: Partial<ItemFields>;
  removedAt: Date | null;
  updatedAt: Date;
}

const COLUMNS = sql`plan_id as "planId", key, number, position, written, edited, removed_at as "removedAt",
  updated_at as "updatedAt"`;

/** Items of these plans by plan and position, also those that the text names no more. */
export async function selectItems(db: Db, tenant: Tenant, planIds: readonly string[]): Promise<ItemRow[]> {
  if (planIds.length === 0) return [];
  const { rows } = await sql<ItemRow>`
    select ${COLUMNS} from work_item
     where ${within(tenant)} and plan_id in (${sql.join(planIds)})
     order by plan_id, position, number`.execute(db);
  return rows.map(fillItemRow);
}

/** With `lock`, the row stays as it is until the transaction ends. */
export async function selectItemByNumber(
  db: Db,
  tenant: Tenant,
  number: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<ItemRow | undefined> {
  const { rows } = await sql<ItemRow>`
    select ${COLUMNS} from work_item
     where ${within(tenant)} and number = ${number}
     ${lock ? sql`for update` : sql``}`.execute(db);
  return rows.map(fillItemRow)[0];
}

/** A row that was written before a field existed says nothing about it. */
function fillItemRow(row: ItemRow): ItemRow {
  return { ...row, written: { ...BLANK_ITEM, ...row.written } };
}

/** Takes the next `count` numbers of the product and tells the last one. Others wait until the transaction ends. */
export async function takeNumbers(tx: Db, tenant: Tenant, count: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into plan_number as taken (account_id, product_id, work_items)
    values (${tenant.accountId}, ${tenant.productId}, ${count})
    on conflict (account_id, product_id) do update set work_items = taken.work_items + ${count}
    returning work_items as last`.execute(tx);
  return rows[0]?.last ?? count;
}

export async function upsertItem(tx: Db, tenant: Tenant, row: ItemRow): Promise<void> {
  await sql`
    insert into work_item (account_id, product_id, plan_id, key, number, position, written, edited, removed_at, updated_at)
    values (${tenant.accountId}, ${tenant.productId}, ${row.planId}, ${row.key}, ${row.number}, ${row.position},
      ${JSON.stringify(row.written)}::jsonb, ${JSON.stringify(row.edited)}::jsonb, ${row.removedAt}, ${row.updatedAt})
    on conflict (account_id, plan_id, key) do update
      set position = excluded.position, written = excluded.written, edited = excluded.edited,
          removed_at = excluded.removed_at, updated_at = excluded.updated_at`.execute(tx);
}
