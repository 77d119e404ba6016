import { within } from '../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';

/** Statuses that somebody can give. */
export const GIVEN_STATUSES = ['proposed', 'accepted', 'rejected', 'deprecated'] as const;
/** `superseded` comes from the decision that took its place. */
export const DECISION_STATUSES = [...GIVEN_STATUSES, 'superseded'] as const;
export type GivenStatus = (typeof GIVEN_STATUSES)[number];
export type DecisionStatus = (typeof DECISION_STATUSES)[number];

/** A considered option. */
export interface DecisionOption {
  name: string;
  pros: string[];
  cons: string[];
}

/** A row of `decision`. */
export interface DecisionRow {
  id: string;
  /** As in the handle `dec:12`. */
  number: number;
  slug: string;
  title: string;
  decision: string;
  context: string;
  status: DecisionStatus;
  options: DecisionOption[];
  consequences: string[];
  /** The day that its record gives, `2027-01-31`; null where it gives none. */
  decidedOn: string | null;
  /** As given. */
  links: string[];
  tags: string[];
  /** A date, `2027-01-31`. */
  reviewOn: string | null;
  contentHash: string;
  /** Number of the decision that took its place. */
  supersededBy: number | null;
  recordedAt: Date;
  recordedBy: string;
  updatedAt: Date;
  /** The repository whose file it is; null for one that is kept here, or in a folder elsewhere. */
  repositoryId: string | null;
  /** The file that it is kept in; null for one that is kept here. */
  path: string | null;
  /** Of the text of this file. */
  textHash: string | null;
}

/** Most decisions that are read at once. */
const MOST_DECISIONS = 5_000;

const COLUMNS = sql`id, number, slug, title, decision, context, status, options, consequences, links, tags,
  decided_on as "decidedOn", review_on as "reviewOn", content_hash as "contentHash", superseded_by as "supersededBy", recorded_at as "recordedAt",
  recorded_by as "recordedBy", updated_at as "updatedAt", repository_id as "repositoryId", path, text_hash as "textHash"`;

/** Returns when it was decided: the day that its record gives, else when it was recorded here. */
export function dateOfDecision({ decidedOn, recordedAt }: Pick<DecisionRow, 'decidedOn' | 'recordedAt'>): Date {
  return decidedOn === null ? recordedAt : new Date(`${decidedOn}T00:00Z`);
}

/** All decisions of the product, newest first, at most 5,000. */
export async function selectDecisions(db: Db, tenant: Tenant): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select ${COLUMNS} from decision where ${within(tenant)} order by number desc limit ${MOST_DECISIONS}`.execute(db);
  return rows;
}

/** The rows stay locked until the transaction ends when `lock` is set; by number. */
export async function selectByNumbers(
  db: Db,
  tenant: Tenant,
  numbers: readonly number[],
  options: { lock?: boolean } = {},
): Promise<DecisionRow[]> {
  if (numbers.length === 0) return [];
  const { rows } = await sql<DecisionRow>`
    select ${COLUMNS} from decision where ${within(tenant)} and number in (${sql.join(numbers)})
     order by number ${options.lock === true ? sql`for update` : sql``}`.execute(db);
  return rows;
}

export async function selectByHash(db: Db, tenant: Tenant, hash: string): Promise<DecisionRow | undefined> {
  const { rows } = await sql<DecisionRow>`
    select ${COLUMNS} from decision where ${within(tenant)} and content_hash = ${hash}`.execute(db);
  return rows[0];
}

/** Makes others who record a decision of the product wait until the transaction ends. */
export async function lockDecisions(tx: Db, tenant: Tenant): Promise<void> {
  await sql`
    insert into decision_count as taken (account_id, product_id, last_number)
    values (${tenant.accountId}, ${tenant.productId}, 0)
    on conflict (account_id, product_id) do update set last_number = taken.last_number`.execute(tx);
}

/** Takes the next number of the product. */
export async function takeNumber(tx: Db, tenant: Tenant): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into decision_count as taken (account_id, product_id, last_number)
    values (${tenant.accountId}, ${tenant.productId}, 1)
    on conflict (account_id, product_id) do update set last_number = taken.last_number + 1
    returning last_number as last`.execute(tx);
  return rows[0]?.last ?? 1;
}

export async function insertDecision(tx: Db, tenant: Tenant, row: DecisionRow): Promise<void> {
  await sql`
    insert into decision (account_id, product_id, id, number, slug, title, decision, context, status, options,
      consequences, links, tags, review_on, content_hash, recorded_at, recorded_by, updated_at, superseded_by, repository_id, path, text_hash,
      decided_on)
    values (${tenant.accountId}, ${tenant.productId}, ${row.id}, ${row.number}, ${row.slug}, ${row.title}, ${row.decision},
      ${row.context}, ${row.status}, ${JSON.stringify(row.options)}::jsonb, ${JSON.stringify(row.consequences)}::jsonb,
      ${JSON.stringify(row.links)}::jsonb, ${JSON.stringify(row.tags)}::jsonb, ${row.reviewOn}, ${row.contentHash},
      ${row.recordedAt}, ${row.recordedBy}, ${row.updatedAt}, ${row.supersededBy}, ${row.repositoryId}, ${row.path},
      ${row.textHash}, ${row.decidedOn})`.execute(tx);
}

/** Replaces all that a file says of a decision; its handle, slug and who recorded it stay. */
export async function updateDecisionRow(tx: Db, tenant: Tenant, row: DecisionRow): Promise<void> {
  await sql`
    update decision set title = ${row.title}, decision = ${row.decision}, context = ${row.context}, status = ${row.status},
      options = ${JSON.stringify(row.options)}::jsonb, consequences = ${JSON.stringify(row.consequences)}::jsonb,
      links = ${JSON.stringify(row.links)}::jsonb, tags = ${JSON.stringify(row.tags)}::jsonb,
      content_hash = ${row.contentHash}, superseded_by = ${row.supersededBy}, updated_at = ${row.updatedAt},
      path = ${row.path}, text_hash = ${row.textHash}, decided_on = ${row.decidedOn}
     where ${within(tenant)} and id = ${row.id}`.execute(tx);
}

export async function deleteDecision(tx: Db, tenant: Tenant, id: string): Promise<void> {
  await sql`delete from decision where ${within(tenant)} and id = ${id}`.execute(tx);
}

export async function updateStatus(
  tx: Db,
  tenant: Tenant,
  change: Pick<DecisionRow, 'id' | 'status' | 'supersededBy' | 'reviewOn' | 'updatedAt'>,
): Promise<void> {
  await sql`
    update decision set status = ${change.status}, superseded_by = ${change.supersededBy},
      review_on = ${change.reviewOn}, updated_at = ${change.updatedAt}
     where ${within(tenant)} and id = ${change.id}`.execute(tx);
}
