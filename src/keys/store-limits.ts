import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';

/** Number of keys that there are, or may be: of the account, of one person, and in one product. */
export interface KeyCounts {
  account: number;
  person: number;
  product: number;
}

/** The limits that were set for an account; none of those that were not. */
export async function selectKeyLimits(db: Db, accountId: string): Promise<Partial<KeyCounts>> {
  const { rows } = await sql<Pick<KeyCounts, 'account' | 'person'> & { product: number | null }>`
    select most_keys as account, most_keys_per_person as person, most_keys_per_product as product
      from key_limit where account_id = ${accountId}`.execute(db);
  const { product = null, ...limits } = rows[0] ?? {};
  return { ...limits, ...(product !== null && { product }) };
}

export async function upsertKeyLimits(
  tx: Db,
  accountId: string,
  { account, person, product }: Pick<KeyCounts, 'account' | 'person'> & { product: number | null },
): Promise<void> {
  await sql`
    insert into key_limit (account_id, most_keys, most_keys_per_person, most_keys_per_product)
    values (${accountId}, ${account}, ${person}, ${product})
    on conflict (account_id)
      do update set most_keys = excluded.most_keys, most_keys_per_person = excluded.most_keys_per_person,
        most_keys_per_product = excluded.most_keys_per_product`.execute(tx);
}

/** Keys of the account, those of a person, and those of a product, expired ones too. */
export async function countKeys(
  tx: Db,
  accountId: string,
  { personId, productId }: { personId: string | null; productId: string },
): Promise<KeyCounts> {
  const { rows } = await sql<KeyCounts>`
    select count(*)::int as account, (count(*) filter (where person_id = ${personId}::uuid))::int as person,
        (count(*) filter (where product_id = ${productId}::uuid))::int as product
      from api_key where account_id = ${accountId}`.execute(tx);
  return rows[0] ?? { account: 0, person: 0, product: 0 };
}
