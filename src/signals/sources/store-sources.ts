import { deleteRow, within } from '../../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { SealedColumn } from '../../platform/sealed-column.ts';
import type { SourceKind } from './context.ts';

/** A row of `signal_source`. */
export interface SourceRow extends Tenant {
  id: string;
  kind: SourceKind;
  /** Without a slash at the end. */
  baseUrl: string;
  project: string;
  userName: string;
  /** Encrypted. */
  token: string;
  cursor: string;
  everyMinutes: number;
  dueAt: Date;
  readAt: Date | null;
  failures: number;
  fault: string;
  createdAt: Date;
  createdBy: string;
}

/** Column of the encrypted tokens. */
export const SOURCE_TOKENS: SealedColumn = {
  table: 'signal_source',
  column: 'token',
  contextOf: (id) => `signal_source:${id}`,
};

const COLUMNS = sql`account_id as "accountId", product_id as "productId", id, kind, base_url as "baseUrl", project,
  user_name as "userName", token, cursor, every_minutes as "everyMinutes", due_at as "dueAt", read_at as "readAt", failures,
  fault, created_at as "createdAt", created_by as "createdBy"`;

const isRow = ({ accountId, id }: Pick<SourceRow, 'accountId' | 'id'>): RawBuilder<unknown> =>
  sql`account_id = ${accountId} and id = ${id}`;

/** False when the product has one of the same project already. */
export async function insertSource(db: Db, row: Omit<SourceRow, 'readAt' | 'failures' | 'fault'>): Promise<boolean> {
  const { rows } = await sql`
    insert into signal_source (account_id, product_id, id, kind, base_url, project, user_name, token, cursor, every_minutes,
      due_at, created_at, created_by)
    values (${row.accountId}, ${row.productId}, ${row.id}, ${row.kind}, ${row.baseUrl}, ${row.project}, ${row.userName},
      ${row.token}, ${row.cursor}, ${row.everyMinutes}, ${row.dueAt}, ${row.createdAt}, ${row.createdBy})
    on conflict (account_id, product_id, kind, base_url, project) do nothing returning id`.execute(db);
  return rows.length === 1;
}

/** All of the product, oldest first. */
export async function selectSources(db: Db, tenant: Tenant): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select ${COLUMNS} from signal_source
     where ${within(tenant)} order by id`.execute(db);
  return rows;
}

/** Those of all products whose time has come, longest due first. */
export async function selectDueSources(db: Db, now: Date): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select ${COLUMNS} from signal_source where due_at <= ${now} order by due_at, id`.execute(db);
  return rows;
}

/** Notes that everything up to `cursor` is saved. */
export async function updateCursor(db: Db, row: Pick<SourceRow, 'accountId' | 'id' | 'cursor'>): Promise<void> {
  await sql`update signal_source set cursor = ${row.cursor} where ${isRow(row)}`.execute(db);
}

/** Notes how reading ended: to its end, or why not. */
export async function finishReading(
  db: Db,
  row: Pick<SourceRow, 'accountId' | 'id'>,
  { dueAt, readAt, fault }: { dueAt: Date; readAt?: Date; fault: string },
): Promise<void> {
  await sql`
    update signal_source
       set due_at = ${dueAt}, read_at = coalesce(${readAt ?? null}, read_at), fault = ${fault},
           failures = case when ${fault} = '' then 0 else failures + 1 end
     where ${isRow(row)}`.execute(db);
}

/** False when there is none. */
export function deleteSource(db: Db, tenant: Tenant, id: string): Promise<boolean> {
  return deleteRow(db, 'signal_source', tenant, id);
}
