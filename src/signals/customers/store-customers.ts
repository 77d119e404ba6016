import { within } from '../../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';

/** A name that sources write, and the customer that it counts as. */
export interface CustomerName {
  written: string;
  folded: string;
  customer: string;
  isFixed: boolean;
}

/** Customers with the names that sources write of them. */
export interface CustomerRow {
  customer: string;
  signals: number;
  /** The most that a signal says; null when none does. */
  value: number | null;
  newest: Date;
  /** Most signals first. */
  names: { name: string; signals: number }[];
}

/** Until the end of the transaction nobody else adds names to the product. */
export async function lockNames(tx: Db, { productId }: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`customer_name ${productId}`}, 0))`.execute(tx);
}

/** Those that are written so, or fold to one of these; names that a rule placed first. */
export async function selectNames(
  db: Db,
  tenant: Tenant,
  { written, folded }: { written: readonly string[]; folded: readonly string[] },
): Promise<CustomerName[]> {
  const { rows } = await sql<CustomerName>`
    select written, folded, customer, is_fixed as "isFixed" from customer_name
     where ${within(tenant)}
       and (written = any(${written}::text[]) or folded = any(${folded}::text[]))
     order by is_fixed, written`.execute(db);
  return rows;
}

/** Adds names, or changes what those count as that are there. */
export async function upsertNames(
  tx: Db,
  { accountId, productId }: Tenant,
  names: readonly CustomerName[],
): Promise<void> {
  await sql`
    insert into customer_name (account_id, product_id, written, folded, customer, is_fixed)
    select ${accountId}, ${productId}, one.written, one.folded, one.customer, one."isFixed"
      from jsonb_to_recordset(${JSON.stringify(names)}::jsonb)
        as one (written text, folded text, customer text, "isFixed" boolean)
    on conflict (account_id, product_id, written)
      do update set customer = excluded.customer, is_fixed = excluded.is_fixed`.execute(tx);
}

/** A name that signals have. */
interface WrittenName {
  written: string;
  /** A rule has seen it. */
  isKnown: boolean;
  /** Signals with it count for another customer than the name does. */
  isMoved: boolean;
}

/**
 * Names that signals have, in their order, at most `limit` after `after`; '' for the first ones. Costs look-ups by name, not
 * a walk over all signals: the embedded database has no statistics that would lead to a better plan.
 */
export async function selectWrittenNames(
  db: Db,
  tenant: Tenant,
  { after, limit }: { after: string; limit: number },
): Promise<WrittenName[]> {
  const next = (name: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select customer_written from signal
     where ${within(tenant)} and customer_written > ${name}
     order by account_id, product_id, customer_written limit 1`;
  const { rows } = await sql<WrittenName>`
    with recursive name (written) as (
      (${next(sql`${after}::text`)})
      union all select (${next(sql`name.written`)}) from name where name.written is not null),
    page as (select written from name where written is not null limit ${limit})
    select page.written, own.customer is not null as "isKnown",
           own.customer is not null and exists (
             select from signal
              where ${within(tenant)} and customer_written = page.written
                and signal.customer <> own.customer) as "isMoved"
      from page left join lateral (
        select customer from customer_name as known
         where ${within(tenant)} and known.written = page.written
        offset 0) as own on true
     order by page.written`.execute(db);
  return rows;
}

/** Lets signals with a name count for its customer, at most `limit` of them. Gives the ids of those that moved. */
export async function moveSignals(
  tx: Db,
  { accountId, productId }: Tenant,
  { written, limit }: { written: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with own as (
      select customer from customer_name
       where account_id = ${accountId} and product_id = ${productId} and written = ${written}),
    moved as materialized (
      select signal.id, own.customer from own cross join lateral (
        select id, customer from signal
         where account_id = ${accountId} and product_id = ${productId} and customer_written = ${written}
        offset 0) as signal
       where signal.customer <> own.customer limit ${limit})
    update signal set customer = moved.customer from moved
     where signal.account_id = ${accountId} and signal.id = moved.id
    returning signal.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Names that signals have, of these. */
export async function selectWritten(db: Db, tenant: Tenant, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ written: string }>`
    select distinct customer_written as written from signal
     where ${within(tenant)} and customer_written = any(${names}::text[])`.execute(db);
  return rows.map(({ written }) => written);
}

/** Customers whose name, or one of whose names, has these words; most signals first, with how many there are in all. */
export async function selectCustomers(
  db: Db,
  tenant: Tenant,
  { query, limit, offset }: { query: string; limit: number; offset: number },
): Promise<{ rows: CustomerRow[]; total: number }> {
  const { rows } = await sql<CustomerRow & { total: number }>`
    with own as (
      select customer, customer_written as written, count(*)::int as signals, max(value) as value, max(date) as newest
        from signal where ${within(tenant)} and customer <> ''
       group by 1, 2)
    select customer, sum(signals)::int as signals, max(value) as value, max(newest) as newest,
           jsonb_agg(jsonb_build_object('name', written, 'signals', signals) order by signals desc, written) as names,
           (count(*) over ())::int as total
      from own group by customer
    having bool_or(position(lower(${query}) in lower(customer || ' ' || written)) > 0)
     order by 2 desc, customer limit ${limit} offset ${offset}`.execute(db);
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}
