import { within } from '../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';

/** Mentions of a theme in one week. */
export interface ThemeWeek {
  /** Its Monday, as `2026-11-16`, in UTC. */
  week: string;
  signals: number;
  /** Different ones; signals without a customer count as one each. */
  customers: number;
  /** Value of these customers together; null when no signal has one. */
  value: number | null;
}

/** Signals of a theme that share a segment, a source or an intent. */
export interface ThemeShare {
  by: 'segment' | 'source' | 'intent';
  name: string;
  signals: number;
  customers: number;
}

/** A customer that a theme matters to. */
export interface ThemeCustomer {
  customer: string;
  segment: string;
  value: number | null;
  signals: number;
  newest: Date;
}

/** Weeks of a period in which something was said, oldest first. What came without a date of its own does not count. */
export async function selectThemeWeeks(
  db: Db,
  tenant: Tenant,
  { theme, since, until }: { theme: string; since: Date; until: Date },
): Promise<ThemeWeek[]> {
  const { rows } = await sql<ThemeWeek>`
    select week::text as week, sum(signals)::int as signals, count(*)::int as customers, sum(value) as value
      from (select date_trunc('week', date at time zone 'UTC')::date as week,
                   case when customer = '' then id::text else customer end as who,
                   count(*) as signals, max(value) as value
              from signal
             where ${within(tenant)} and theme_id = ${theme} and date_given
               and date between ${since} and ${until}
             group by 1, 2) as heard
     group by week order by week`.execute(db);
  return rows;
}

/** By segment, by source and by intent, the largest first; unnamed ones are left out. */
export async function selectThemeShares(db: Db, tenant: Tenant, theme: string): Promise<ThemeShare[]> {
  const { rows } = await sql<ThemeShare>`
    select * from (
      select case when grouping(segment) = 0 then 'segment' when grouping(source) = 0 then 'source' else 'intent' end as "by",
             coalesce(segment, source, intent) as name, count(*)::int as signals,
             count(distinct nullif(customer, ''))::int as customers
        from signal
       where ${within(tenant)} and theme_id = ${theme}
       group by grouping sets ((segment), (source), (intent))) as share
     where name <> '' order by signals desc, name`.execute(db);
  return rows;
}

/** Customers that are worth most, then those that said most. */
export async function selectThemeCustomers(
  db: Db,
  tenant: Tenant,
  { theme, limit }: { theme: string; limit: number },
): Promise<ThemeCustomer[]> {
  const { rows } = await sql<ThemeCustomer>`
    select customer, max(segment) as segment, max(value) as value, count(*)::int as signals, max(date) as newest
      from signal
     where ${within(tenant)} and theme_id = ${theme} and customer <> ''
     group by customer order by max(value) desc nulls last, count(*) desc, customer limit ${limit}`.execute(db);
  return rows;
}
