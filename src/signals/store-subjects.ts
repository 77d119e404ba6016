import { within } from '../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';

/** A subject that is, or was, more frequent than chance allows. */
export interface SubjectRow {
  id: string;
  themeId: string;
  kind: 'new' | 'rising';
  /** Date of the first of its signals. */
  since: Date;
  noticedAt: Date;
  /** Time at which it was no longer more than usual; null until then. */
  endedAt: Date | null;
  /** Customers, and signals without one, lately and in all the time before. */
  voices: number;
  before: number;
  chance: number;
  signalIds: string[];
}

/** The subjects of a product that have not ended, the oldest first. */
export async function selectLiveSubjects(db: Db, tenant: Tenant): Promise<SubjectRow[]> {
  const { rows } = await sql<SubjectRow>`
    select id, theme_id as "themeId", kind, since, noticed_at as "noticedAt", ended_at as "endedAt", voices, before, chance,
           signal_ids as "signalIds"
      from emerging_subject where ${within(tenant)} and ended_at is null order by noticed_at, id`.execute(db);
  return rows;
}

/** Adds a subject, or writes what is counted of it now. */
export async function upsertSubject(db: Db, { accountId, productId }: Tenant, subject: SubjectRow): Promise<void> {
  const { id, themeId, kind, since, noticedAt, voices, before, chance, signalIds } = subject;
  await sql`
    insert into emerging_subject (account_id, id, product_id, theme_id, kind, since, noticed_at, voices, before, chance,
      signal_ids)
    values (${accountId}, ${id}, ${productId}, ${themeId}, ${kind}, ${since}, ${noticedAt}, ${voices}, ${before}, ${chance},
            ${signalIds}::uuid[])
    on conflict (account_id, id) do update
       set theme_id = excluded.theme_id, kind = excluded.kind, voices = excluded.voices, before = excluded.before,
           chance = excluded.chance, signal_ids = excluded.signal_ids`.execute(db);
}

export async function endSubjects(db: Db, tenant: Tenant, ids: readonly string[], endedAt: Date): Promise<void> {
  await sql`
    update emerging_subject set ended_at = ${endedAt} where ${within(tenant)} and id = any(${ids}::uuid[])`.execute(db);
}

/** Time of the last search for new subjects; undefined for a product whose signals were never grouped. */
export async function selectLook(db: Db, tenant: Tenant): Promise<{ lookedAt: Date | null } | undefined> {
  const { rows } = await sql<{ lookedAt: Date | null }>`
    select looked_at as "lookedAt" from theme_profiles where ${within(tenant)}`.execute(db);
  return rows[0];
}

/** Signals with a date that were added since. */
export async function countSince(db: Db, tenant: Tenant, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from signal where ${within(tenant)} and date_given and created_at > ${since}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Notes up to when signals were looked at for new subjects; null has all of them looked at again. */
export async function touchLook(db: Db, tenant: Tenant, lookedAt: Date | null): Promise<void> {
  await sql`update theme_profiles set looked_at = ${lookedAt} where ${within(tenant)}`.execute(db);
}

/**
 * Products in which a subject may have emerged or ended since it was looked for: they got recent signals since, or have one that
 * was looked at a day ago.
 */
export async function selectDueProducts(db: Db, { recent, dayAgo }: { recent: Date; dayAgo: Date }): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select profiles.account_id as "accountId", profiles.product_id as "productId" from theme_profiles as profiles
     where exists (
       select 1 from signal
        where signal.account_id = profiles.account_id and signal.product_id = profiles.product_id and date_given
          and signal.date > ${recent} and signal.created_at > coalesce(profiles.looked_at, '-infinity'))
        or (profiles.looked_at < ${dayAgo} and exists (
       select 1 from emerging_subject as subject
        where subject.account_id = profiles.account_id and subject.product_id = profiles.product_id
          and subject.ended_at is null))
     order by 1, 2`.execute(db);
  return rows;
}
