import { within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import { SEVERITIES, type Severity } from '../detect/judge.ts';
import type { Statement } from '../detect/statement.ts';
import type { ChangeKind } from '../page/page-kind.ts';

/** Text of a page at a time. */
export interface CaptureRow {
  id: string;
  pageId: string;
  hash: string;
  title: string;
  /** One block a line; a heading begins with `#` marks. */
  text: string;
  httpStatus: number;
  /** First and last time that it said so. */
  fetchedAt: Date;
  seenAt: Date;
}

export interface ChangeRow {
  id: string;
  competitorId: string;
  competitor: string;
  pageId: string;
  url: string;
  at: Date;
  kind: ChangeKind;
  severity: Severity;
  summary: string;
  /** The rules that gave kind and severity. */
  reasons: string[];
  added: string[];
  removed: string[];
  /** Statements of the change, the weightiest first. */
  statements: Statement[];
  beforeId: string | null;
  afterId: string | null;
  /** Person who looks after it; '' for nobody. */
  owner: string;
  /** Importance that people set; null where its severity counts. */
  importance: Severity | null;
  dismissedAt: Date | null;
  dismissedBy: string | null;
}

/** Triage of a change by people. */
export type Triage = Pick<ChangeRow, 'owner' | 'importance' | 'dismissedAt' | 'dismissedBy'>;

const CAPTURE_COLUMNS = sql`id, page_id as "pageId", hash, title, text, http_status as "httpStatus",
  fetched_at as "fetchedAt", seen_at as "seenAt"`;

/** Keeps what a page said, once for each text. Gives the id of the capture. */
export async function upsertCapture(
  tx: Db,
  { accountId, productId }: Tenant,
  row: Omit<CaptureRow, 'seenAt'>,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into competitor_capture
      (account_id, id, product_id, page_id, hash, title, text, http_status, fetched_at, seen_at)
    values (${accountId}, ${row.id}, ${productId}, ${row.pageId}, ${row.hash}, ${row.title}, ${row.text},
      ${row.httpStatus}, ${row.fetchedAt}, ${row.fetchedAt})
    on conflict (account_id, page_id, hash) do update set seen_at = excluded.seen_at
    returning id`.execute(tx);
  return rows[0]?.id ?? row.id;
}

/** Notes that a page still says the same. */
export async function touchCapture(tx: Db, tenant: Tenant, id: string, at: Date): Promise<void> {
  await sql`update competitor_capture set seen_at = ${at} where ${within(tenant)} and id = ${id}`.execute(tx);
}

export async function selectCapture(db: Db, tenant: Tenant, id: string): Promise<CaptureRow | undefined> {
  const { rows } = await sql<CaptureRow>`
    select ${CAPTURE_COLUMNS} from competitor_capture where ${within(tenant)} and id = ${id}`.execute(db);
  return rows[0];
}

/** Captures of a page without their text, newest first. */
export async function selectCaptures(db: Db, tenant: Tenant, pageId: string): Promise<Omit<CaptureRow, 'text'>[]> {
  const { rows } = await sql<Omit<CaptureRow, 'text'>>`
    select id, page_id as "pageId", hash, title, http_status as "httpStatus", fetched_at as "fetchedAt",
           seen_at as "seenAt"
      from competitor_capture where ${within(tenant)} and page_id = ${pageId} order by seen_at desc, id`.execute(db);
  return rows;
}

/** Selects the texts of a page with the times from which they applied, oldest first; a text that came back is there once more. */
export async function selectCaptureTexts(
  db: Db,
  tenant: Tenant,
  pageId: string,
): Promise<{ text: string; at: Date }[]> {
  const { rows } = await sql<{ text: string; at: Date }>`
    select capture.text, said.at
      from (select id, fetched_at as at from competitor_capture where ${within(tenant)} and page_id = ${pageId}
            union
            select after_id, at from competitor_change
             where ${within(tenant)} and page_id = ${pageId} and after_id is not null) said
      join competitor_capture capture on ${within(tenant, 'capture')} and capture.id = said.id
     order by said.at, said.id`.execute(db);
  return rows;
}

export async function insertChange(
  tx: Db,
  { accountId, productId }: Tenant,
  row: Omit<ChangeRow, 'competitor' | 'url' | keyof Triage>,
): Promise<void> {
  await sql`
    insert into competitor_change (account_id, id, product_id, competitor_id, page_id, at, kind, severity, summary,
      reasons, added, removed, statements, before_id, after_id)
    values (${accountId}, ${row.id}, ${productId}, ${row.competitorId}, ${row.pageId}, ${row.at}, ${row.kind},
      ${row.severity}, ${row.summary}, ${row.reasons}::text[], ${row.added}::text[], ${row.removed}::text[],
      ${JSON.stringify(row.statements)}::jsonb, ${row.beforeId}, ${row.afterId})`.execute(tx);
}

/** Keeps what people say of a change. */
export async function updateTriage(db: Db, tenant: Tenant, { id, ...triage }: Triage & { id: string }): Promise<void> {
  await sql`
    update competitor_change set owner = ${triage.owner}, importance = ${triage.importance},
           dismissed_at = ${triage.dismissedAt}, dismissed_by = ${triage.dismissedBy}
     where ${within(tenant)} and id = ${id}`.execute(db);
}

/** Selects changes; every change without a limit on anything. */
export interface ChangeFilter {
  id?: string | undefined;
  competitorId?: string | undefined;
  pageId?: string | undefined;
  kinds?: readonly ChangeKind[] | undefined;
  /** This and above: by the importance that people gave it, else by its severity. */
  leastSeverity?: Severity | undefined;
  owner?: string | undefined;
  /** Those that were dismissed, or only those that were not. */
  isDismissed?: boolean | undefined;
  since?: Date | undefined;
  /** Later than this, and up to that. */
  after?: Date | undefined;
  until?: Date | undefined;
  /** Words, all of which the change has, in any case. */
  words?: readonly string[] | undefined;
}

/** Changes, newest first, with the total of all that fit. */
export async function selectChanges(
  db: Db,
  tenant: Tenant,
  { limit, offset, ...filter }: ChangeFilter & { limit: number; offset: number },
): Promise<{ rows: ChangeRow[]; total: number }> {
  const where = conditions(tenant, filter);
  const from = sql`competitor_change change
    join competitor on competitor.account_id = change.account_id and competitor.id = change.competitor_id
    join competitor_page page on page.account_id = change.account_id and page.id = change.page_id`;
  const { rows } = await sql<ChangeRow>`
    select change.id, change.competitor_id as "competitorId", competitor.name as competitor,
           change.page_id as "pageId", page.url, change.at, change.kind, change.severity, change.summary,
           change.reasons, change.added, change.removed, change.statements, change.before_id as "beforeId",
           change.after_id as "afterId", change.owner, change.importance, change.dismissed_at as "dismissedAt",
           change.dismissed_by as "dismissedBy"
      from ${from} where ${where} order by change.at desc, change.id limit ${limit} offset ${offset}`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::integer as total from ${from} where ${where}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}

function conditions(tenant: Tenant, filter: ChangeFilter) {
  const {
    id,
    competitorId,
    pageId,
    kinds,
    leastSeverity,
    since,
    after,
    until,
    owner,
    isDismissed,
    words = [],
  } = filter;
  const severities = SEVERITIES.slice(SEVERITIES.indexOf(leastSeverity ?? 'low'));
  const parts = [
    within(tenant, 'change'),
    sql`coalesce(change.importance, change.severity) = any(${severities}::text[])`,
    ...(owner === undefined ? [] : [sql`lower(change.owner) = ${owner.toLowerCase()}`]),
    ...(isDismissed === undefined ? [] : [sql`(change.dismissed_at is not null) = ${isDismissed}`]),
    ...(id === undefined ? [] : [sql`change.id = ${id}`]),
    ...(competitorId === undefined ? [] : [sql`change.competitor_id = ${competitorId}`]),
    ...(pageId === undefined ? [] : [sql`change.page_id = ${pageId}`]),
    ...(kinds === undefined || kinds.length === 0 ? [] : [sql`change.kind = any(${kinds}::text[])`]),
    ...(since === undefined ? [] : [sql`change.at >= ${since}`]),
    ...(after === undefined ? [] : [sql`change.at > ${after}`]),
    ...(until === undefined ? [] : [sql`change.at <= ${until}`]),
    ...words.map((word) => {
      const text = sql`concat_ws(' ', competitor.name, change.summary, array_to_string(change.added, ' '),
        array_to_string(change.removed, ' '))`;
      return sql`position(${word.toLowerCase()} in lower(${text})) > 0`;
    }),
  ];
  return sql.join(parts, sql` and `);
}

/** Number of changes of each kind that a competitor had in a month (`2027-01`), since a day. */
export interface MonthCount {
  kind: ChangeKind;
  month: string;
  competitorId: string;
  competitor: string;
  count: number;
  /** The gravest, newest first. */
  topIds: string[];
}

export async function selectMonths(db: Db, tenant: Tenant, filter: ChangeFilter): Promise<MonthCount[]> {
  const { rows } = await sql<MonthCount>`
    select change.kind, to_char(change.at at time zone 'UTC', 'YYYY-MM') as month, change.competitor_id as "competitorId",
           competitor.name as competitor, count(*)::integer as count,
           (array_agg(change.id order by array_position(array['high', 'medium', 'low'], change.severity), change.at desc,
             change.id))[1:3] as "topIds"
      from competitor_change change
      join competitor on competitor.account_id = change.account_id and competitor.id = change.competitor_id
      join competitor_page page on page.account_id = change.account_id and page.id = change.page_id
     where ${conditions(tenant, filter)}
     group by 1, 2, 3, 4 order by 2 desc, 1, 4`.execute(db);
  return rows;
}

/** Deletes changes and texts of before a moment, but for what a page said last. Gives ids of the deleted changes. */
export async function deleteOld(tx: Db, before: Date): Promise<{ accountId: string; productId: string; id: string }[]> {
  const { rows } = await sql<{ accountId: string; productId: string; id: string }>`
    delete from competitor_change where at < ${before}
    returning account_id as "accountId", product_id as "productId", id`.execute(tx);
  await sql`
    delete from competitor_capture capture where seen_at < ${before}
       and not exists (select from competitor_page page
                        where page.account_id = capture.account_id and page.capture_id = capture.id)`.execute(tx);
  return rows;
}
