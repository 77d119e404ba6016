import { within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { SealedColumn } from '../../platform/sealed-column.ts';
import type { Severity } from '../detect/judge.ts';

/** Periods of a digest. */
export const DIGEST_PERIODS = ['now', 'day', 'week'] as const;

export type DigestPeriod = (typeof DIGEST_PERIODS)[number];

/** By what digests go. A product has at most one digest of each. */
export const DIGEST_CHANNELS = ['webhook', 'email', 'slack', 'teams'] as const;

export type DigestChannel = (typeof DIGEST_CHANNELS)[number];

/** Digest of a product: its target, and how far it is. */
export interface DigestRow extends Tenant {
  id: string;
  channel: DigestChannel;
  /** The address of the webhook, or those of who gets the e-mail; of a chat its host alone. */
  destinations: string[];
  /** Encrypted: what a webhook is signed with, or the address of a chat. */
  secret: string | null;
  leastSeverity: Severity;
  every: DigestPeriod;
  createdAt: Date;
  createdBy: string;
  /** Changes up to here were delivered. */
  sentUntil: Date;
  /** The end of a digest that was begun and has not arrived. */
  sendingUntil: Date | null;
  dueAt: Date;
  failures: number;
  /** Reason why the last one did not arrive; '' when it did. */
  fault: string;
  deliveredAt: Date | null;
}

/** Column that stores the secrets of webhooks. */
export const DIGEST_SECRETS: SealedColumn = {
  table: 'competitor_digest',
  column: 'secret',
  contextOf: (id) => `competitor_digest:${id}`,
};

const COLUMNS = sql`account_id as "accountId", product_id as "productId", id, channel, destinations, secret,
  least_severity as "leastSeverity", every, created_at as "createdAt", created_by as "createdBy",
  sent_until as "sentUntil", sending_until as "sendingUntil", due_at as "dueAt", failures, fault,
  delivered_at as "deliveredAt"`;

/** All of the product, the webhook first. */
export async function selectDigests(db: Db, tenant: Tenant): Promise<DigestRow[]> {
  const { rows } = await sql<DigestRow>`
    select ${COLUMNS} from competitor_digest where ${within(tenant)} order by channel desc`.execute(db);
  return rows;
}

/** Those of all products whose time has come, longest due first. */
export async function selectDueDigests(db: Db, now: Date): Promise<DigestRow[]> {
  const { rows } = await sql<DigestRow>`
    select ${COLUMNS} from competitor_digest where due_at <= ${now} order by due_at, id`.execute(db);
  return rows;
}

/** Makes it, or gives the one of the product and channel other destinations, another rhythm or least severity. */
export async function upsertDigest(
  db: Db,
  row: Omit<DigestRow, 'sendingUntil' | 'failures' | 'fault' | 'deliveredAt'>,
): Promise<void> {
  await sql`
    insert into competitor_digest
      (account_id, product_id, id, channel, destinations, secret, least_severity, every, created_at, created_by, sent_until,
        due_at)
    values (${row.accountId}, ${row.productId}, ${row.id}, ${row.channel}, ${row.destinations}::text[], ${row.secret},
      ${row.leastSeverity}, ${row.every}, ${row.createdAt}, ${row.createdBy}, ${row.sentUntil}, ${row.dueAt})
    on conflict (account_id, product_id, channel) do update set destinations = excluded.destinations,
      -- The address of a chat may be another one, the secret of a webhook stays.
      id = case when excluded.channel in ('slack', 'teams') then excluded.id else competitor_digest.id end,
      secret = case when excluded.channel in ('slack', 'teams') then excluded.secret else competitor_digest.secret end,
      every = excluded.every, least_severity = excluded.least_severity, due_at = least(competitor_digest.due_at, excluded.due_at),
      failures = 0, fault = ''`.execute(db);
}

/** Fixes the end of the digest that is sent next; one that was begun keeps its end. Gives that end. */
export async function beginDigest(db: Db, { accountId, id }: DigestRow, until: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date }>`
    update competitor_digest set sending_until = coalesce(sending_until, ${until})
     where account_id = ${accountId} and id = ${id} returning sending_until as until`.execute(db);
  return rows[0]?.until;
}

/** Notes that a digest arrived, or that there was nothing to send; `fault` says who did not get it. */
export async function finishDigest(
  db: Db,
  { accountId, id }: DigestRow,
  { until, dueAt, deliveredAt, fault }: { until: Date; dueAt: Date; deliveredAt: Date | undefined; fault: string },
): Promise<void> {
  await sql`
    update competitor_digest set sent_until = ${until}, sending_until = null, due_at = ${dueAt}, failures = 0, fault = ${fault},
           delivered_at = coalesce(${deliveredAt ?? null}::timestamptz, delivered_at)
     where account_id = ${accountId} and id = ${id}`.execute(db);
}

/** Notes that a digest did not arrive, and when it is tried again. */
export async function delayDigest(
  db: Db,
  { accountId, id, failures }: DigestRow,
  { dueAt, fault }: { dueAt: Date; fault: string },
): Promise<void> {
  await sql`
    update competitor_digest set due_at = ${dueAt}, failures = ${failures + 1}, fault = ${fault}
     where account_id = ${accountId} and id = ${id}`.execute(db);
}

/** False when there is none. */
export async function deleteDigest(db: Db, tenant: Tenant, channel: DigestChannel): Promise<boolean> {
  const { rows } = await sql`
    delete from competitor_digest where ${within(tenant)} and channel = ${channel} returning id`.execute(db);
  return rows.length === 1;
}
