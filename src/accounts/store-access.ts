import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/db.ts';
import type { Role } from '../platform/rights.ts';
import type { ProductRow } from './store.ts';

/** A product with the role that somebody has in it. */
export interface VisibleProduct extends ProductRow {
  role: Role;
  isRestricted: boolean;
}

/** Roles that a person or a group is given in one product. */
export const PRODUCT_ROLES = ['member', 'viewer'] as const;
export type ProductRole = (typeof PRODUCT_ROLES)[number];

/** A person or a group of an account. */
export interface Holder {
  kind: 'person' | 'group';
  id: string;
}

/** A role in a product, and who has it. */
export interface ProductRoleRow extends Holder {
  name: string;
  role: ProductRole;
}

export interface GroupRow {
  id: string;
  name: string;
  people: { id: string; name: string }[];
}

/** A product of an account, or a group of it. */
interface Key {
  accountId: string;
  id: string;
}

/**
 * SQL for queries of other slices: the role that a person has in a product now, null for one who does not see it. See migration
 * 0089, where it is decided.
 */
export function productRole(
  accountId: RawBuilder<unknown>,
  productId: RawBuilder<unknown>,
  personId: RawBuilder<unknown>,
): RawBuilder<Role | null> {
  return sql`product_role_of(${accountId}, ${productId}, ${personId})`;
}

/** The products of an account that a person sees, by name. */
export async function selectVisibleProducts(db: Db, accountId: string, personId: string): Promise<VisibleProduct[]> {
  const { rows } = await sql<VisibleProduct>`
    select * from (
      select id, name, created_at as "createdAt", is_restricted as "isRestricted",
          ${productRole(sql`account_id`, sql`id`, sql`${personId}::uuid`)} as role
        from product where account_id = ${accountId}) visible
     where role is not null
     order by name`.execute(db);
  return rows;
}

/** False when there is no such product. */
export async function updateProduct(
  tx: Db,
  { accountId, id }: Key,
  { name, isRestricted }: { name: string; isRestricted: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update product set name = ${name}, is_restricted = ${isRestricted}
     where account_id = ${accountId} and id = ${id}
       and not exists (select from product where account_id = ${accountId} and name = ${name} and id <> ${id})
    returning id`.execute(tx);
  return rows.length === 1;
}

/** People and groups with a role in a product, by name. */
export async function selectProductRoles(db: Db, { accountId, id }: Key): Promise<ProductRoleRow[]> {
  const { rows } = await sql<ProductRoleRow>`
    select case when r.group_id is null then 'person' else 'group' end as kind, coalesce(r.group_id, r.person_id) as id,
        coalesce(g.name, p.name) as name, r.role
      from product_role r
      left join member_group g on g.account_id = r.account_id and g.id = r.group_id
      left join person p on p.id = r.person_id
     where r.account_id = ${accountId} and r.product_id = ${id}
     order by kind, name, id`.execute(db);
  return rows;
}

/** Gives a role; a person or a group has one at a time. */
export async function insertProductRole(
  tx: Db,
  product: Key,
  { kind, id, role }: Holder & { role: ProductRole },
): Promise<void> {
  await deleteProductRole(tx, product, { kind, id });
  const [person, group] = kind === 'person' ? [id, null] : [null, id];
  await sql`
    insert into product_role (account_id, product_id, person_id, group_id, role)
    values (${product.accountId}, ${product.id}, ${person}, ${group}, ${role})`.execute(tx);
}

/** False when there was none. */
export async function deleteProductRole(tx: Db, { accountId, id }: Key, holder: Holder): Promise<boolean> {
  const column = sql.ref(holder.kind === 'person' ? 'person_id' : 'group_id');
  const { rows } = await sql`
    delete from product_role where account_id = ${accountId} and product_id = ${id} and ${column} = ${holder.id}
    returning role`.execute(tx);
  return rows.length === 1;
}

/** Groups of an account with their people, by name. */
export async function selectGroups(db: Db, accountId: string): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select g.id, g.name, coalesce((
        select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name, p.id)
          from group_person m join person p on p.id = m.person_id
         where m.account_id = g.account_id and m.group_id = g.id), '[]'::jsonb) as people
      from member_group g where g.account_id = ${accountId} order by g.name`.execute(db);
  return rows;
}

/** False when the account has a group of this name. */
export async function insertGroup(tx: Db, { accountId, id }: Key, name: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into member_group (account_id, id, name, created_at) values (${accountId}, ${id}, ${name}, ${now})
    on conflict (account_id, name) do nothing returning id`.execute(tx);
  return rows.length === 1;
}

/** Returns the name of a group that was deleted; undefined when there is none. */
export async function deleteGroupRow(tx: Db, { accountId, id }: Key): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from member_group where account_id = ${accountId} and id = ${id} returning name`.execute(tx);
  return rows[0]?.name;
}

export async function insertGroupPerson(tx: Db, { accountId, id }: Key, personId: string): Promise<void> {
  await sql`
    insert into group_person (account_id, group_id, person_id) values (${accountId}, ${id}, ${personId})
    on conflict do nothing`.execute(tx);
}

export async function deleteGroupPerson(tx: Db, { accountId, id }: Key, personId: string): Promise<void> {
  await sql`
    delete from group_person
     where account_id = ${accountId} and group_id = ${id} and person_id = ${personId}`.execute(tx);
}
