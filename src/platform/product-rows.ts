import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from './db.ts';

/** The condition of a query that a row belongs to a product; `table` names the one that is meant where several are joined. */
export function within({ accountId, productId }: Tenant, table = ''): RawBuilder<unknown> {
  const prefix = sql.raw(table === '' ? '' : `${table}.`);
  return sql`${prefix}account_id = ${accountId} and ${prefix}product_id = ${productId}`;
}

/** Deletes the row of a product with an id. False when there is none. */
export async function deleteRow(db: Db, table: string, tenant: Tenant, id: string): Promise<boolean> {
  const { rows } =
    await sql`delete from ${sql.table(table)} where ${within(tenant)} and id = ${id} returning id`.execute(db);
  return rows.length === 1;
}
