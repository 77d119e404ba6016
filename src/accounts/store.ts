import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';

interface AccountRow {
  id: string;
  name: string;
}

export interface ProductRow {
  id: string;
  name: string;
  createdAt: Date;
}

export interface InstallationRow {
  accountId: string;
  productId: string;
  ownerId: string;
}

export interface AuditRow {
  id: string;
  at: Date;
  actor: string;
  action: string;
  target: string;
  detail: Record<string, unknown>;
}

/** Claims the place of the first account; false when it is taken. A second claimer waits until the first has committed. */
export async function insertInstallation(db: Db, row: InstallationRow): Promise<boolean> {
  const { rows } = await sql`
    insert into installation (account_id, product_id, owner_id)
    values (${row.accountId}, ${row.productId}, ${row.ownerId})
    on conflict do nothing
    returning account_id`.execute(db);
  return rows.length === 1;
}

export async function findInstallation(db: Db): Promise<InstallationRow | undefined> {
  const { rows } = await sql<InstallationRow>`
    select account_id as "accountId", product_id as "productId", owner_id as "ownerId" from installation`.execute(db);
  return rows[0];
}

export async function insertAccount(db: Db, account: AccountRow, now: Date): Promise<void> {
  await sql`
    insert into account (account_id, name, created_at) values (${account.id}, ${account.name}, ${now})`.execute(db);
}

export async function findAccount(db: Db, accountId: string): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select account_id as id, name from account where account_id = ${accountId}`.execute(db);
  return rows[0];
}

/** Holds the account until the transaction ends, so that what is counted in it cannot change; false when there is none. */
export async function lockAccountRow(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from account where account_id = ${accountId} for no key update`.execute(db);
  return rows.length === 1;
}

export async function insertOwner(
  db: Db,
  accountId: string,
  person: { id: string; name: string },
  now: Date,
): Promise<void> {
  await sql`insert into person (id, name, created_at) values (${person.id}, ${person.name}, ${now})`.execute(db);
  await sql`
    insert into member (account_id, person_id, role, created_at)
    values (${accountId}, ${person.id}, 'owner', ${now})`.execute(db);
}

/** False when the account has a product of this name already. */
export async function insertProduct(
  db: Db,
  accountId: string,
  { id, name, createdAt, isRestricted = false }: ProductRow & { isRestricted?: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    insert into product (account_id, id, name, created_at, is_restricted)
    values (${accountId}, ${id}, ${name}, ${createdAt}, ${isRestricted})
    on conflict (account_id, name) do nothing
    returning id`.execute(db);
  return rows.length === 1;
}

/** Products of an account by name. */
export async function selectProducts(db: Db, accountId: string): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select id, name, created_at as "createdAt" from product where account_id = ${accountId} order by name`.execute(db);
  return rows;
}

/** Reads the products of one account, which are few. An id wins over a name that looks like one. */
export async function selectProduct(db: Db, accountId: string, idOrName: string): Promise<ProductRow | undefined> {
  const { rows } = await sql<ProductRow>`
    select id, name, created_at as "createdAt"
      from product
     where account_id = ${accountId} and (id::text = ${idOrName} or name = ${idOrName})
     order by id::text = ${idOrName} desc
     limit 1`.execute(db);
  return rows[0];
}

export async function insertAudit(db: Db, accountId: string, row: AuditRow): Promise<void> {
  await sql`
    insert into audit_log (account_id, id, at, actor, action, target, detail)
    values (${accountId}, ${row.id}, ${row.at}, ${row.actor}, ${row.action}, ${row.target},
      ${JSON.stringify(row.detail)}::jsonb)`.execute(db);
}

/** Selection of entries of the audit log. */
export interface AuditFilter {
  actors?: readonly string[] | undefined;
  action?: string | undefined;
  /** Part of what was changed: its id, or anything in the detail. */
  query?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Newest first, by one backward scan of the primary key; with a filter, the scan passes over what does not match. */
export async function selectAudit(
  db: Db,
  accountId: string,
  { before, limit, ...filter }: AuditFilter & { before?: string | undefined; limit: number },
): Promise<AuditRow[]> {
  const { actors, action, query, since, until } = filter;
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(actors === undefined ? [] : [sql`actor = any(${actors}::text[])`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(since === undefined ? [] : [sql`at >= ${since}`]),
    ...(until === undefined ? [] : [sql`at < ${until}`]),
    ...(query === undefined ? [] : [sql`position(lower(${query}) in lower(target || ' ' || detail::text)) > 0`]),
  ];
  const { rows } = await sql<AuditRow>`
    select id, at, actor, action, target, detail
      from audit_log
     where ${sql.join(conditions, sql` and `)}
     order by id desc
     limit ${limit}`.execute(db);
  return rows;
}

/** Returns the actors and the actions in the log of an account, each once. Reads the whole log. */
export async function selectAuditKinds(db: Db, accountId: string): Promise<{ actors: string[]; actions: string[] }> {
  const { rows } = await sql<{ actors: string[]; actions: string[] }>`
    select coalesce(array_agg(distinct actor), '{}') as actors, coalesce(array_agg(distinct action), '{}') as actions
      from audit_log
     where account_id = ${accountId}`.execute(db);
  return rows[0] ?? { actors: [], actions: [] };
}

/** The products of all accounts, as `<account>/<product>`. For maintenance of files, which are no account's alone. */
export async function selectProductKeys(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`select account_id || '/' || id as key from product`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
