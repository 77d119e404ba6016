import { deleteRow, within } from '../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import type { Destination, TrackerKind } from './context.ts';

/** A row of `tracker`. `token` is encrypted. */
export interface TrackerRow {
  id: string;
  kind: TrackerKind;
  /** Without a slash at the end. */
  baseUrl: string;
  project: string;
  userName: string;
  issueType: string;
  token: string;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  /** True if it reports changed issues by a webhook. */
  hasWebhook: boolean;
  /** Time at which the webhook was used last. */
  webhookUsedAt: Date | null;
}

const COLUMNS = sql`webhook_secret is not null as "hasWebhook", webhook_used_at as "webhookUsedAt", id, kind, base_url as "baseUrl", project, user_name as "userName", issue_type as "issueType", token,
  created_at as "createdAt", created_by as "createdBy", updated_at as "updatedAt"`;

/** All of the product, oldest first. */
export async function selectTrackers(db: Db, tenant: Tenant): Promise<TrackerRow[]> {
  const { rows } = await sql<TrackerRow>`
    select ${COLUMNS} from tracker
     where ${within(tenant)} order by id`.execute(db);
  return rows;
}

/** Adds it, or gives the one of the same destination these settings; `id` stays then. Gives what is stored. */
export async function upsertTracker(
  db: Db,
  tenant: Tenant,
  row: Omit<TrackerRow, 'hasWebhook' | 'webhookUsedAt'>,
): Promise<TrackerRow> {
  const { rows } = await sql<TrackerRow>`
    insert into tracker (account_id, id, product_id, kind, base_url, project, user_name, issue_type, token, created_at,
      created_by, updated_at)
    values (${tenant.accountId}, ${row.id}, ${tenant.productId}, ${row.kind}, ${row.baseUrl}, ${row.project},
      ${row.userName}, ${row.issueType}, ${row.token}, ${row.createdAt}, ${row.createdBy}, ${row.updatedAt})
    on conflict (account_id, product_id, kind, base_url, project) do update
      set user_name = excluded.user_name, issue_type = excluded.issue_type, token = excluded.token,
          updated_at = excluded.updated_at
    returning ${COLUMNS}`.execute(db);
  const [stored] = rows;
  if (stored === undefined) throw new Error('The tracker was not stored.');
  return stored;
}

/** Replaces the encrypted token, unless it was changed meanwhile. */
export async function updateToken(
  db: Db,
  tenant: Tenant,
  { id, before, token }: { id: string; before: string; token: string },
): Promise<void> {
  await sql`
    update tracker set token = ${token}
     where ${within(tenant)} and id = ${id} and token = ${before}`.execute(db);
}

/** Table and column of the tokens. */
export const TRACKER_TOKENS = { table: 'tracker', column: 'token' };

/** False when there is none. */
export function deleteTracker(db: Db, tenant: Tenant, id: string): Promise<boolean> {
  return deleteRow(db, 'tracker', tenant, id);
}

/** Products that have a tracker, of all accounts: for what is done for all of them in the background. */
export async function selectConnectedProducts(db: Db): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select distinct account_id as "accountId", product_id as "productId" from tracker order by 1, 2`.execute(db);
  return rows;
}

/** A row of `tracker_issue`: a work item at one destination. */
export interface IssueRow extends Destination {
  planId: string;
  itemKey: string;
  round: number;
  begunAt: Date;
  /** Its id in the tracker's API; null until the tracker has confirmed it. Then label, url and status are set too. */
  externalId: string | null;
  /** `#12`, `ENG-12`. */
  label: string | null;
  url: string | null;
  /** As the tracker calls it. */
  status: string | null;
  isClosed: boolean;
  /** It was deleted there. */
  isGone: boolean;
  sentAt: Date | null;
  sentBy: string;
  checkedAt: Date | null;
  fault: string | null;
}

const ISSUE_COLUMNS = sql`plan_id as "planId", item_key as "itemKey", kind, base_url as "baseUrl", project, round,
  begun_at as "begunAt", external_id as "externalId", label, url, status,
  is_closed as "isClosed", is_gone as "isGone", sent_at as "sentAt", sent_by as "sentBy", checked_at as "checkedAt", fault`;

/** Names one row. */
export type IssueKey = Pick<IssueRow, 'planId' | 'itemKey' | 'kind' | 'baseUrl' | 'project'>;

function isRow(tenant: Tenant, key: IssueKey): RawBuilder<unknown> {
  return sql`${within(tenant)} and plan_id = ${key.planId}
    and item_key = ${key.itemKey} and kind = ${key.kind} and base_url = ${key.baseUrl} and project = ${key.project}`;
}

export async function selectIssue(db: Db, tenant: Tenant, key: IssueKey): Promise<IssueRow | undefined> {
  const { rows } = await sql<IssueRow>`
    select ${ISSUE_COLUMNS} from tracker_issue where ${isRow(tenant, key)}`.execute(db);
  return rows[0];
}

/** All of a plan, by item; those of one item when it is named. */
export async function selectIssues(
  db: Db,
  tenant: Tenant,
  { planId, itemKey }: { planId: string; itemKey?: string | undefined },
): Promise<IssueRow[]> {
  const ofItem = itemKey === undefined ? sql`` : sql`and item_key = ${itemKey}`;
  const { rows } = await sql<IssueRow>`
    select ${ISSUE_COLUMNS} from tracker_issue
     where ${within(tenant)} and plan_id = ${planId} ${ofItem}
     order by item_key, kind, base_url, project`.execute(db);
  return rows;
}

/**
 * Issues of a product, at trackers that are connected, that a webhook told of, and those that were not looked at since `before`
 * (those that are closed: since `closedBefore`), longest unseen first.
 */
export async function selectDueIssues(
  db: Db,
  tenant: Tenant,
  { before, closedBefore, limit }: { before: Date; closedBefore: Date; limit: number },
): Promise<IssueRow[]> {
  const { rows } = await sql<IssueRow>`
    select ${ISSUE_COLUMNS} from tracker_issue
     where ${within(tenant)} and external_id is not null and not is_gone
       and exists (
         select from tracker
          where tracker.account_id = tracker_issue.account_id and tracker.product_id = tracker_issue.product_id
            and tracker.kind = tracker_issue.kind and tracker.base_url = tracker_issue.base_url
            and tracker.project = tracker_issue.project)
       and (told_at is not null
         or checked_at < (case when is_closed then ${closedBefore}::timestamptz else ${before}::timestamptz end))
     order by told_at nulls last, checked_at limit ${limit}`.execute(db);
  return rows;
}

/**
 * Takes the right to send for a while: for an item that was never sent there, for one whose sending was cut off, or for
 * one that is gone there. Undefined when somebody has it, or the issue is there.
 */
export async function claimIssue(
  db: Db,
  tenant: Tenant,
  claim: IssueKey & { now: Date; until: Date; actor: string },
): Promise<IssueRow | undefined> {
  const { now, until, actor } = claim;
  const { rows } = await sql<IssueRow>`
    insert into tracker_issue as known (account_id, plan_id, item_key, kind, base_url, project, product_id, round,
      begun_at, claimed_until, sent_by)
    values (${tenant.accountId}, ${claim.planId}, ${claim.itemKey}, ${claim.kind}, ${claim.baseUrl}, ${claim.project},
      ${tenant.productId}, 0, ${now}, ${until}, ${actor})
    on conflict (account_id, plan_id, item_key, kind, base_url, project) do update
      set claimed_until = excluded.claimed_until, sent_by = excluded.sent_by,
          round = known.round + (case when known.is_gone then 1 else 0 end),
          begun_at = (case when known.is_gone then excluded.begun_at else known.begun_at end),
          external_id = null, label = null, url = null, status = null, is_closed = false, is_gone = false, fault = null
    where (known.external_id is null or known.is_gone)
      and (known.claimed_until is null or known.claimed_until < ${now})
    returning ${ISSUE_COLUMNS}`.execute(db);
  return rows[0];
}

/** Records that the issue is there, and ends the claim. */
export async function recordSent(
  tx: Db,
  tenant: Tenant,
  row: IssueKey & Pick<IssueRow, 'externalId' | 'label' | 'url' | 'status' | 'isClosed' | 'sentAt'>,
): Promise<void> {
  await sql`
    update tracker_issue
       set external_id = ${row.externalId}, label = ${row.label}, url = ${row.url}, status = ${row.status},
           is_closed = ${row.isClosed}, sent_at = ${row.sentAt}, checked_at = ${row.sentAt}, claimed_until = null
     where ${isRow(tenant, row)}`.execute(tx);
}

/** Ends a claim with nothing known: the next one looks for the issue first. */
export async function releaseClaim(db: Db, tenant: Tenant, key: IssueKey): Promise<void> {
  await sql`update tracker_issue set claimed_until = null where ${isRow(tenant, key)}`.execute(db);
}

/** Forgets a claim after which certainly nothing was made. */
export async function deleteClaim(db: Db, tenant: Tenant, key: IssueKey): Promise<void> {
  await sql`delete from tracker_issue where ${isRow(tenant, key)} and external_id is null`.execute(db);
}

/** Records what was read of an issue, or why nothing could be. */
export async function recordStatus(
  db: Db,
  tenant: Tenant,
  row: IssueKey & Pick<IssueRow, 'status' | 'label' | 'url' | 'isClosed' | 'isGone' | 'checkedAt' | 'fault'>,
): Promise<void> {
  await sql`
    update tracker_issue
       set status = ${row.status}, label = ${row.label}, url = ${row.url}, is_closed = ${row.isClosed},
           is_gone = ${row.isGone}, checked_at = ${row.checkedAt}, fault = ${row.fault},
           told_at = (case when told_at <= ${row.checkedAt} then null else told_at end)
     where ${isRow(tenant, row)} and external_id is not null`.execute(db);
}
