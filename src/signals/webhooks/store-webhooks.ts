import { sql } from 'kysely';
import type { ProductScope } from '../../kernel/product-scope.ts';
import type { Db } from '../../platform/db.ts';
import { sealedWithoutKeys } from '../../platform/sealed-column.ts';

export interface WebhookRow {
  id: string;
  name: string;
  secret: string;
  createdAt: Date;
  createdBy: string;
  lastUsedAt: Date | null;
}

const COLUMNS = sql`id, name, secret, created_at as "createdAt", created_by as "createdBy", last_used_at as "lastUsedAt"`;

export async function insertWebhook(
  db: Db,
  { accountId, productId }: ProductScope,
  { id, name, secret, createdAt, createdBy }: WebhookRow,
): Promise<void> {
  await sql`
    insert into signal_webhook (account_id, id, product_id, name, secret, created_at, created_by)
    values (${accountId}, ${id}, ${productId}, ${name}, ${secret}, ${createdAt}, ${createdBy})`.execute(db);
}

/** All of the product, oldest first. */
export async function selectWebhooks(db: Db, { accountId, productId }: ProductScope): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select ${COLUMNS} from signal_webhook
     where account_id = ${accountId} and product_id = ${productId} order by id`.execute(db);
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

/** Secrets of all webhooks as they are kept. For the start of the service. */
export async function selectSecrets(db: Db): Promise<{ id: string; secret: string }[]> {
  const { rows } = await sql<{ id: string; secret: string }>`select id, secret from signal_webhook`.execute(db);
  return rows;
}

/** Puts another text in the place of a secret that is kept; does nothing when that changed meanwhile. */
export async function updateSecret(
  db: Db,
  id: string,
  { before, kept }: { before: string; kept: string },
): Promise<void> {
  await sql`update signal_webhook set secret = ${kept} where id = ${id} and secret = ${before}`.execute(db);
}

/** Deletes the webhooks whose secret none of the keys opens. Says how many. */
export async function deleteWebhooksWithoutKey(db: Db, keys: readonly Uint8Array[]): Promise<number> {
  const { rows } = await sql`
    delete from signal_webhook where ${sealedWithoutKeys('secret', keys)} returning id`.execute(db);
  return rows.length;
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
export async function deleteWebhook(db: Db, { accountId, productId }: ProductScope, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from signal_webhook where account_id = ${accountId} and product_id = ${productId} and id = ${id}
    returning id`.execute(db);
  return rows.length === 1;
}
