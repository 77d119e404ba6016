import { sql } from 'kysely';
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
  { accountId, productId }: Tenant,
  { written, folded }: { written: readonly string[]; folded: readonly string[] },
): Promise<CustomerName[]> {
  const { rows } = await sql<CustomerName>`
    select written, folded, customer, is_fixed as "isFixed" from customer_name
     where account_id = ${accountId} and product_id = ${productId}
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

/** Names of signals that no rule has seen yet. */
export async function selectUnknownNames(db: Db, { accountId, productId }: Tenant, limit: number): Promise<string[]> {
  const { rows } = await sql<{ written: string }>`
    select distinct customer_written as written from signal
     where account_id = ${accountId} and product_id = ${productId} and customer_written <> ''
       and not exists (select from customer_name name
                        where name.account_id = signal.account_id and name.product_id = signal.product_id
                          and name.written = signal.customer_written)
     order by 1 limit ${limit}`.execute(db);
  return rows.map(({ written }) => written);
}

/** Lets signals count for the customer of their name, at most `limit` of them. Gives the ids of those that moved. */
export async function moveSignals(tx: Db, { accountId, productId }: Tenant, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update signal set customer = name.customer
      from customer_name name
     where signal.account_id = ${accountId} and signal.product_id = ${productId}
       and name.account_id = signal.account_id and name.product_id = signal.product_id
       and name.written = signal.customer_written
       and signal.id in (
         select other.id from signal other join customer_name own
             on own.account_id = other.account_id and own.product_id = other.product_id
            and own.written = other.customer_written
          where other.account_id = ${accountId} and other.product_id = ${productId} and other.customer <> own.customer
          order by other.id limit ${limit})
    returning signal.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Names that signals have, of these. */
export async function selectWritten(
  db: Db,
  { accountId, productId }: Tenant,
  names: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ written: string }>`
    select distinct customer_written as written from signal
     where account_id = ${accountId} and product_id = ${productId} and customer_written = any(${names}::text[])`.execute(
    db,
  );
  return rows.map(({ written }) => written);
}

/** Customers whose name, or one of whose names, has these words; most signals first, with how many there are in all. */
export async function selectCustomers(
  db: Db,
  { accountId, productId }: Tenant,
  { query, limit, offset }: { query: string; limit: number; offset: number },
): Promise<{ rows: CustomerRow[]; total: number }> {
  const { rows } = await sql<CustomerRow & { total: number }>`
    with own as (
      select customer, customer_written as written, count(*)::int as signals, max(value) as value, max(date) as newest
        from signal where account_id = ${accountId} and product_id = ${productId} and customer <> ''
       group by 1, 2)
    select customer, sum(signals)::int as signals, max(value) as value, max(newest) as newest,
           jsonb_agg(jsonb_build_object('name', written, 'signals', signals) order by signals desc, written) as names,
           (count(*) over ())::int as total
      from own group by customer
    having bool_or(position(lower(${query}) in lower(customer || ' ' || written)) > 0)
     order by 2 desc, customer limit ${limit} offset ${offset}`.execute(db);
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}
