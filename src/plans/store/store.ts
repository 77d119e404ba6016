import { within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { PlanStatus } from '../text/plan-status.ts';

/** A requirement with the id that it keeps. */
export interface Requirement {
  id: string;
  text: string;
  /** Given/When/Then, each one line. */
  scenarios: string[];
}

/** A row of `plan`. */
export interface PlanRow {
  id: string;
  slug: string;
  title: string;
  status: PlanStatus;
  owner: string;
  /** File of a repository that stores it; null for a plan that is stored here. */
  repositoryId: string | null;
  path: string | null;
  text: string;
  version: number;
  requirements: Requirement[];
  createdAt: Date;
  updatedAt: Date;
  updatedBy: string;
  acceptedAt: Date | null;
}

export interface PlanVersionRow {
  version: number;
  title: string;
  status: PlanStatus;
  savedAt: Date;
  savedBy: string;
}

const COLUMNS = sql`id, slug, title, status, owner, repository_id as "repositoryId", path, text, version, requirements,
  created_at as "createdAt", updated_at as "updatedAt", updated_by as "updatedBy", accepted_at as "acceptedAt"`;

/** All plans of the product by slug, at most 1,000. */
export async function selectPlans(db: Db, tenant: Tenant): Promise<PlanRow[]> {
  const { rows } = await sql<PlanRow>`
    select ${COLUMNS} from plan where ${within(tenant)} order by slug collate "C" limit 1000`.execute(db);
  return rows;
}

/** Plan that is stored in a file of a repository. */
export interface PlanFile {
  slug: string;
  repositoryId: string;
  path: string;
}

/** By slug. */
export async function selectPlanFiles(db: Db, tenant: Tenant): Promise<PlanFile[]> {
  const { rows } = await sql<PlanFile>`
    select slug, repository_id as "repositoryId", path from plan
     where ${within(tenant)} and repository_id is not null order by slug collate "C"`.execute(db);
  return rows;
}

/** By slug, or by id; the row is locked until the transaction ends when `lock` is set. */
export async function selectPlan(
  db: Db,
  tenant: Tenant,
  slugOrId: string,
  options: { lock?: boolean } = {},
): Promise<PlanRow | undefined> {
  const { rows } = await sql<PlanRow>`
    select ${COLUMNS} from plan
     where ${within(tenant)} and (slug = ${slugOrId} or id::text = ${slugOrId})
     order by slug = ${slugOrId} desc limit 1 ${options.lock === true ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}

/** The plan that a file of a repository is, and the ids of all that come from this repository. */
export async function selectRepositoryPlans(db: Db, tenant: Tenant, repositoryId: string): Promise<PlanRow[]> {
  const { rows } = await sql<PlanRow>`
    select ${COLUMNS} from plan where ${within(tenant)} and repository_id = ${repositoryId} order by path collate "C"`.execute(
    db,
  );
  return rows;
}

/** Slugs of the product that are this one or begin with it and a hyphen. */
export async function selectSlugs(db: Db, tenant: Tenant, slug: string): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select slug from plan where ${within(tenant)} and (slug = ${slug} or starts_with(slug, ${`${slug}-`}))`.execute(db);
  return rows.map((row) => row.slug);
}

/** Plans among these whose work items an older reader read; at most 1,000. */
export async function selectOutdatedPlans(
  db: Db,
  tenant: Tenant,
  { ids, reader }: { ids: readonly string[]; reader: number },
): Promise<PlanRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<PlanRow>`
    select ${COLUMNS} from plan
     where ${within(tenant)} and reader < ${reader} and id in (${sql.join(ids)}) limit 1000`.execute(db);
  return rows;
}

/** Notes which reader the work items of a plan are from. */
export async function updateReader(
  db: Db,
  tenant: Tenant,
  { id, reader }: { id: string; reader: number },
): Promise<void> {
  await sql`update plan set reader = ${reader} where ${within(tenant)} and id = ${id}`.execute(db);
}

/** False when the slug, or the file of the repository, has a plan already. */
export async function insertPlan(db: Db, tenant: Tenant, row: PlanRow): Promise<boolean> {
  const { rows } = await sql`
    insert into plan (account_id, product_id, id, slug, title, status, owner, repository_id, path, text, version,
      requirements, created_at, updated_at, updated_by)
    values (${tenant.accountId}, ${tenant.productId}, ${row.id}, ${row.slug}, ${row.title}, ${row.status}, ${row.owner},
      ${row.repositoryId}, ${row.path}, ${row.text}, ${row.version}, ${JSON.stringify(row.requirements)}::jsonb,
      ${row.createdAt}, ${row.updatedAt}, ${row.updatedBy})
    on conflict do nothing returning id`.execute(db);
  return rows.length === 1;
}

export async function updatePlan(db: Db, tenant: Tenant, row: PlanRow): Promise<void> {
  await sql`
    update plan set title = ${row.title}, status = ${row.status}, owner = ${row.owner}, text = ${row.text},
      version = ${row.version}, requirements = ${JSON.stringify(row.requirements)}::jsonb, repository_id = ${row.repositoryId},
      path = ${row.path},
      updated_at = ${row.updatedAt}, updated_by = ${row.updatedBy}, accepted_at = ${row.acceptedAt}
     where ${within(tenant)} and id = ${row.id}`.execute(db);
}

export async function deletePlan(db: Db, tenant: Tenant, id: string): Promise<void> {
  await sql`delete from plan where ${within(tenant)} and id = ${id}`.execute(db);
}

export async function insertVersion(db: Db, tenant: Tenant, row: PlanRow): Promise<void> {
  await sql`
    insert into plan_version (account_id, plan_id, version, title, status, text, saved_at, saved_by)
    values (${tenant.accountId}, ${row.id}, ${row.version}, ${row.title}, ${row.status}, ${row.text}, ${row.updatedAt},
      ${row.updatedBy})`.execute(db);
}

/** Newest first, without their texts; at most 200. */
export async function selectVersions(db: Db, tenant: Tenant, planId: string): Promise<PlanVersionRow[]> {
  const { rows } = await sql<PlanVersionRow>`
    select version, title, status, saved_at as "savedAt", saved_by as "savedBy" from plan_version
     where account_id = ${tenant.accountId} and plan_id = ${planId} order by version desc limit 200`.execute(db);
  return rows;
}

export async function selectVersionText(
  db: Db,
  tenant: Tenant,
  { planId, version }: { planId: string; version: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ text: string }>`
    select text from plan_version
     where account_id = ${tenant.accountId} and plan_id = ${planId} and version = ${version}`.execute(db);
  return rows[0]?.text;
}
