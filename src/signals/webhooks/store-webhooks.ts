import { deleteRow, within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { SealedColumn } from '../../platform/sealed-column.ts';
import { SECRET_PREFIX } from '../../platform/webhook-signatures.ts';

export interface WebhookRow {
  id: string;
  name: string;
  secret: string;
  createdAt: Date;
  createdBy: string;
  lastUsedAt: Date | null;
}

/** Column of the secrets; one from before secrets were encrypted is plain. */
export const WEBHOOK_SECRETS: SealedColumn = {
  table: 'signal_webhook',
  column: 'secret',
  contextOf: (id) => `signal_webhook:${id}`,
  isPlain: (stored) => stored.startsWith(SECRET_PREFIX),
};

const COLUMNS = sql`id, name, secret, created_at as "createdAt", created_by as "createdBy", last_used_at as "lastUsedAt"`;

export async function insertWebhook(
  db: Db,
  { accountId, productId }: Tenant,
  { id, name, secret, createdAt, createdBy }: WebhookRow,
): Promise<void> {
  await sql`
    insert into signal_webhook (account_id, id, product_id, name, secret, created_at, created_by)
    values (${accountId}, ${id}, ${productId}, ${name}, ${secret}, ${createdAt}, ${createdBy})`.execute(db);
}

/** All of the product, oldest first. */
export async function selectWebhooks(db: Db, tenant: Tenant): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select ${COLUMNS} from signal_webhook
     where ${within(tenant)} order by id`.execute(db);
  return rows;
}

/** By account and id alone: whoever sends to it names no product. */
export async function selectWebhook(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
): Promise<{ productId: string; secret: string } | undefined> {
  const { rows } = await sql<{ productId: string; secret: string }>`
    select product_id as "productId", secret from signal_webhook
     where account_id = ${accountId} and id = ${id}`.execute(db);
  return rows[0];
}

/** Notes a use. */
export async function touchWebhook(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
  now: Date,
): Promise<void> {
  await sql`
    update signal_webhook set last_used_at = ${now}
     where account_id = ${accountId} and id = ${id}`.execute(db);
}

/** False when there is none. */
export function deleteWebhook(db: Db, tenant: Tenant, id: string): Promise<boolean> {
  return deleteRow(db, 'signal_webhook', tenant, id);
}
