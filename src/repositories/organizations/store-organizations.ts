import { deleteRow, within } from '../../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { SealedColumn } from '../../platform/sealed-column.ts';
import type { HostKind } from './host-apis.ts';

/** A row of `organization`. */
export interface OrganizationRow extends Tenant {
  id: string;
  kind: HostKind;
  address: string;
  /** Encrypted; null without one. */
  token: string | null;
  include: string[];
  exclude: string[];
  withArchived: boolean;
  withForks: boolean;
  dueAt: Date;
  readAt: Date | null;
  /** Repositories at the host when it was last read. */
  total: number;
  /** Repositories of the product that it brought. */
  added: number;
  failures: number;
  fault: string;
  createdAt: Date;
  createdBy: string;
}

/** Column of the encrypted tokens. */
export const ORGANIZATION_TOKENS: SealedColumn = {
  table: 'organization',
  column: 'token',
  contextOf: (id) => `organization:${id}`,
};

const COLUMNS = sql`account_id as "accountId", product_id as "productId", id, kind, address, token, include, exclude,
  with_archived as "withArchived", with_forks as "withForks", due_at as "dueAt", read_at as "readAt", total, failures, fault,
  created_at as "createdAt", created_by as "createdBy",
  (select count(*)::int from organization_repository brought
    where brought.account_id = organization.account_id and brought.organization_id = organization.id) as added`;

const isRow = ({ accountId, id }: Pick<OrganizationRow, 'accountId' | 'id'>): RawBuilder<unknown> =>
  sql`account_id = ${accountId} and id = ${id}`;

/** False when the product follows this address already. */
export async function insertOrganization(
  db: Db,
  row: Omit<OrganizationRow, 'readAt' | 'total' | 'added' | 'failures' | 'fault'>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into organization (account_id, product_id, id, kind, address, token, include, exclude, with_archived, with_forks,
      due_at, created_at, created_by)
    values (${row.accountId}, ${row.productId}, ${row.id}, ${row.kind}, ${row.address}, ${row.token}, ${row.include},
      ${row.exclude}, ${row.withArchived}, ${row.withForks}, ${row.dueAt}, ${row.createdAt}, ${row.createdBy})
    on conflict (account_id, product_id, address) do nothing returning id`.execute(db);
  return rows.length === 1;
}

/** All of the product, oldest first. */
export async function selectOrganizations(db: Db, tenant: Tenant): Promise<OrganizationRow[]> {
  const { rows } = await sql<OrganizationRow>`
    select ${COLUMNS} from organization
     where ${within(tenant)} order by id`.execute(db);
  return rows;
}

/** Those of all products whose time has come, longest due first. */
export async function selectDueOrganizations(db: Db, now: Date): Promise<OrganizationRow[]> {
  const { rows } = await sql<OrganizationRow>`
    select ${COLUMNS} from organization where due_at <= ${now} order by due_at, id`.execute(db);
  return rows;
}

/** Addresses of repositories that it brought, also of those that were removed since. */
export async function selectBrought(db: Db, { accountId, id }: OrganizationRow): Promise<Set<string>> {
  const { rows } = await sql<{ url: string }>`
    select url from organization_repository where account_id = ${accountId} and organization_id = ${id}`.execute(db);
  return new Set(rows.map(({ url }) => url));
}

export async function insertBrought(db: Db, { accountId, id }: OrganizationRow, url: string): Promise<void> {
  await sql`
    insert into organization_repository (account_id, organization_id, url) values (${accountId}, ${id}, ${url})
    on conflict do nothing`.execute(db);
}

/** Notes how reading ended: to its end, or why not. */
export async function finishReading(
  db: Db,
  row: Pick<OrganizationRow, 'accountId' | 'id'>,
  { dueAt, readAt, total, fault }: { dueAt: Date; readAt?: Date; total?: number; fault: string },
): Promise<void> {
  await sql`
    update organization
       set due_at = ${dueAt}, read_at = coalesce(${readAt ?? null}, read_at), total = coalesce(${total ?? null}, total),
           fault = ${fault}, failures = case when ${fault} = '' then 0 else failures + 1 end
     where ${isRow(row)}`.execute(db);
}

/** False when there is none. */
export function deleteOrganization(db: Db, tenant: Tenant, id: string): Promise<boolean> {
  return deleteRow(db, 'organization', tenant, id);
}
