import { deleteRow, within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { PageState } from '../detect/look.ts';
import type { Validators } from '../fetch/fetch-page.ts';
import type { ChangeKind } from '../page/page-kind.ts';

/** Results of the last check of a page. */
export const PAGE_STATUSES = ['waiting', 'same', 'new', 'changed', 'removed', 'error', 'robots_denied'] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];

export interface CompetitorRow {
  id: string;
  name: string;
  /** Host of its site; '' when none was given. */
  domain: string;
  createdAt: Date;
  createdBy: string;
}

/** Render modes of a page: read as its site sends it, or after a browser ran its scripts. */
export const RENDER_MODES = ['none', 'browser'] as const;

/** Settings for reading and requesting a page. */
export interface PageSettings {
  render: (typeof RENDER_MODES)[number];
  /** CSS selectors of what is read; all of the content when empty. */
  include: string[];
  /** CSS selectors of what is left out. */
  remove: string[];
  /** Texts that do not count; `*` stands for anything. */
  ignore: string[];
  /** Sent with each request. No secrets: whoever may see the page sees them. */
  headers: Record<string, string>;
}

export interface PageRow {
  id: string;
  competitorId: string;
  competitor: string;
  url: string;
  kind: ChangeKind;
  settings: PageSettings;
  everyMinutes: number;
  createdAt: Date;
  status: PageStatus;
  /** Reason in words; '' when there is nothing to say. */
  detail: string;
  failures: number;
  checkedAt: Date | null;
  changedAt: Date | null;
  dueAt: Date;
  allowedAt: Date;
  movedTo: string | null;
  validators: Validators;
  captureId: string | null;
  /** True if searches have its text. */
  isSearchable: boolean;
}

const PAGE_COLUMNS = sql`page.id, page.competitor_id as "competitorId", competitor.name as competitor, page.url, page.kind,
  '{"render": "none"}'::jsonb || page.settings as settings, page.every_minutes as "everyMinutes", page.created_at as "createdAt", page.status, page.detail,
  page.failures, page.checked_at as "checkedAt", page.changed_at as "changedAt", page.due_at as "dueAt",
  page.allowed_at as "allowedAt", page.moved_to as "movedTo", page.validators, page.capture_id as "captureId",
  page.is_searchable as "isSearchable"`;

const PAGES = sql`competitor_page page join competitor
  on competitor.account_id = page.account_id and competitor.id = page.competitor_id`;

/** All of the product, by name. */
export async function selectCompetitors(db: Db, tenant: Tenant): Promise<CompetitorRow[]> {
  const { rows } = await sql<CompetitorRow>`
    select id, name, domain, created_at as "createdAt", created_by as "createdBy" from competitor
     where ${within(tenant)} order by lower(name)`.execute(db);
  return rows;
}

/** False when the product has one of this name. */
export async function insertCompetitor(tx: Db, { accountId, productId }: Tenant, row: CompetitorRow): Promise<boolean> {
  const { rows } = await sql`
    insert into competitor (account_id, id, product_id, name, domain, created_at, created_by)
    values (${accountId}, ${row.id}, ${productId}, ${row.name}, ${row.domain}, ${row.createdAt}, ${row.createdBy})
    on conflict (account_id, product_id, lower(name)) do nothing returning id`.execute(tx);
  return rows.length === 1;
}

/** With its pages, what they said and what changed. False when there is none. */
export function deleteCompetitor(tx: Db, tenant: Tenant, id: string): Promise<boolean> {
  return deleteRow(tx, 'competitor', tenant, id);
}

/** Pages of the product, by competitor and address. */
export async function selectPages(db: Db, tenant: Tenant): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    select ${PAGE_COLUMNS} from ${PAGES} where ${within(tenant, 'page')} order by lower(competitor.name), page.url`.execute(
    db,
  );
  return rows;
}

/** False when the product watches this address already. */
export async function insertPage(
  tx: Db,
  { accountId, productId }: Tenant,
  row: Pick<PageRow, 'id' | 'competitorId' | 'url' | 'kind' | 'settings' | 'everyMinutes' | 'createdAt' | 'dueAt'>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into competitor_page (account_id, id, product_id, competitor_id, url, kind, settings, every_minutes, created_at,
      due_at, allowed_at)
    values (${accountId}, ${row.id}, ${productId}, ${row.competitorId}, ${row.url}, ${row.kind},
      ${JSON.stringify(row.settings)}::jsonb, ${row.everyMinutes}, ${row.createdAt}, ${row.dueAt}, ${row.createdAt})
    on conflict (account_id, product_id, url) do nothing returning id`.execute(tx);
  return rows.length === 1;
}

/** Changes how a page is watched. What is known of it is forgotten when what is read of it changes. */
export async function updatePage(
  tx: Db,
  tenant: Tenant,
  {
    id,
    kind,
    settings,
    everyMinutes,
    isReadAnew,
  }: Pick<PageRow, 'id' | 'kind' | 'settings' | 'everyMinutes'> & { isReadAnew: boolean },
): Promise<void> {
  await sql`
    update competitor_page set kind = ${kind}, settings = ${JSON.stringify(settings)}::jsonb, every_minutes = ${everyMinutes}
           ${isReadAnew ? sql`, state = null, validators = '{}'` : sql``}
     where ${within(tenant)} and id = ${id}`.execute(tx);
}

export function deletePage(tx: Db, tenant: Tenant, id: string): Promise<boolean> {
  return deleteRow(tx, 'competitor_page', tenant, id);
}

/** Selects the state of a page; it is some 10 to 100 kB, so lists of pages come without it. */
export async function selectState(db: Db, tenant: Tenant, id: string): Promise<PageState | undefined> {
  const { rows } = await sql<{ state: PageState | null }>`
    select state from competitor_page where ${within(tenant)} and id = ${id}`.execute(db);
  return rows[0]?.state ?? undefined;
}

/** Locks a page until the transaction ends and returns the time of its last check. Nothing when it is not watched any more. */
export async function lockPage(tx: Db, tenant: Tenant, id: string): Promise<Pick<PageRow, 'checkedAt'> | undefined> {
  const { rows } = await sql<Pick<PageRow, 'checkedAt'>>`
    select checked_at as "checkedAt" from competitor_page where ${within(tenant)} and id = ${id} for update`.execute(
    tx,
  );
  return rows[0];
}

/** Result of a check to store. Without `state` and `validators` those before it stay. */
export interface CheckedPage {
  id: string;
  status: PageStatus;
  detail: string;
  failures: number;
  checkedAt: Date;
  dueAt: Date;
  allowedAt: Date;
  hasChanged: boolean;
  movedTo?: string | undefined;
  validators?: Validators | undefined;
  state?: PageState | undefined;
  captureId?: string | undefined;
  isSearchable?: boolean | undefined;
}

export async function updateChecked(tx: Db, tenant: Tenant, page: CheckedPage): Promise<void> {
  const { id, status, detail, failures, checkedAt, dueAt, allowedAt, hasChanged } = page;
  await sql`
    update competitor_page set status = ${status}, detail = ${detail}, failures = ${failures}, checked_at = ${checkedAt},
           due_at = ${dueAt}, allowed_at = ${allowedAt},
           changed_at = case when ${hasChanged} then ${checkedAt} else changed_at end,
           moved_to = coalesce(${page.movedTo ?? null}, moved_to),
           validators = coalesce(${json(page.validators)}::jsonb, validators),
           state = coalesce(${json(page.state)}::jsonb, state),
           capture_id = coalesce(${page.captureId ?? null}::uuid, capture_id),
           is_searchable = is_searchable or ${page.isSearchable === true}
     where ${within(tenant)} and id = ${id}`.execute(tx);
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Products that have pages whose time has come. For the schedule. */
export async function selectDueProducts(db: Db, now: Date): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select distinct account_id as "accountId", product_id as "productId" from competitor_page
     where due_at <= ${now}`.execute(db);
  return rows;
}
