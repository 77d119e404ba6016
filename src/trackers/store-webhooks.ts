import { within } from '../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import type { SealedColumn } from '../platform/sealed-column.ts';
import type { Destination } from './context.ts';

/** Table and column of the secrets with which trackers sign. */
export const WEBHOOK_SECRETS: SealedColumn = {
  table: 'tracker',
  column: 'webhook_secret',
  contextOf: (id) => `tracker_webhook:${id}`,
};

/** Sets the encrypted secret, or takes it away. */
export async function updateWebhook(
  db: Db,
  tenant: Tenant,
  { id, sealed }: { id: string; sealed: string | null },
): Promise<void> {
  await sql`
    update tracker set webhook_secret = ${sealed}, webhook_used_at = null
     where ${within(tenant)} and id = ${id}`.execute(db);
}

interface StoredWebhook extends Destination {
  productId: string;
  /** The secret, encrypted. */
  sealed: string;
}

/** By account and id alone: whoever sends to it names no product. Undefined for a tracker without a webhook. */
export async function selectWebhook(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
): Promise<StoredWebhook | undefined> {
  const { rows } = await sql<StoredWebhook>`
    select product_id as "productId", kind, base_url as "baseUrl", project, webhook_secret as sealed from tracker
     where account_id = ${accountId} and id = ${id} and webhook_secret is not null`.execute(db);
  return rows[0];
}

/** Notes the use of a webhook, and that an issue changed there. Says whether there is such an issue. */
export async function noteEvent(
  db: Db,
  event: Destination & { accountId: string; productId: string; id: string; externalId: string | undefined; at: Date },
): Promise<boolean> {
  await sql`
    update tracker set webhook_used_at = ${event.at} where account_id = ${event.accountId} and id = ${event.id}`.execute(
    db,
  );
  if (event.externalId === undefined) return false;
  const { rows } = await sql`
    update tracker_issue set told_at = ${event.at}
     where account_id = ${event.accountId} and product_id = ${event.productId} and kind = ${event.kind}
       and base_url = ${event.baseUrl} and project = ${event.project} and external_id = ${event.externalId} and not is_gone
    returning 1 as one`.execute(db);
  return rows.length > 0;
}
