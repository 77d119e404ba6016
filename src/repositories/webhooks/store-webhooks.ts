import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { SealedColumn } from '../../platform/sealed-column.ts';

/** Column of the secrets with which hosts sign what they report. */
export const WEBHOOK_SECRETS: SealedColumn = {
  table: 'repository_webhook',
  column: 'secret',
  contextOf: (id) => `repository_webhook:${id}`,
};

interface WebhookRow {
  createdAt: Date;
  usedAt: Date | null;
}

export async function selectWebhook(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`
    select created_at as "createdAt", used_at as "usedAt" from repository_webhook
     where account_id = ${accountId} and id = ${id}`.execute(db);
  return rows[0];
}

/** Sets the encrypted secret; one of before does not count any more. */
export async function upsertWebhook(
  db: Db,
  { accountId, id, sealed, at }: { accountId: string; id: string; sealed: string; at: Date },
): Promise<void> {
  await sql`
    insert into repository_webhook (account_id, id, secret, created_at) values (${accountId}, ${id}, ${sealed}, ${at})
    on conflict (account_id, id) do update set secret = excluded.secret, created_at = excluded.created_at, used_at = null`.execute(
    db,
  );
}

/** False when there was none. */
export async function deleteWebhook(db: Db, { accountId, id }: { accountId: string; id: string }): Promise<boolean> {
  const { rows } = await sql`
    delete from repository_webhook where account_id = ${accountId} and id = ${id} returning 1 as one`.execute(db);
  return rows.length > 0;
}

/** By account and id alone: the sender names no product. */
export async function selectWebhookSecret(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
): Promise<(Tenant & { id: string; sealed: string }) | undefined> {
  const { rows } = await sql<Tenant & { id: string; sealed: string }>`
    select r.account_id as "accountId", r.product_id as "productId", r.id, w.secret as sealed
      from repository_webhook w join repository r on r.account_id = w.account_id and r.id = w.id
     where w.account_id = ${accountId} and w.id = ${id}`.execute(db);
  return rows[0];
}

export async function updateWebhookUsed(
  db: Db,
  { accountId, id, at }: { accountId: string; id: string; at: Date },
): Promise<void> {
  await sql`update repository_webhook set used_at = ${at} where account_id = ${accountId} and id = ${id}`.execute(db);
}
