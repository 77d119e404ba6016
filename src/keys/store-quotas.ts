import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';
import type { KeyOfProduct, Quota } from '../platform/quotas.ts';

/** The limits of all keys for which somebody chose one. */
export async function selectQuotas(db: Db): Promise<{ id: string; quota: Quota; most: number }[]> {
  const { rows } = await sql<{ id: string; quota: Quota; most: number }>`
    select key_id as id, quota, most from api_key_quota`.execute(db);
  return rows;
}

/** The keys for which somebody chose a limit. */
export async function selectLimitedKeys(db: Db): Promise<KeyOfProduct[]> {
  const { rows } = await sql<KeyOfProduct>`
    select k.account_id as "accountId", k.product_id as "productId", k.id as "keyId" from api_key k
     where exists (select from api_key_quota q where q.account_id = k.account_id and q.key_id = k.id)
     order by k.id`.execute(db);
  return rows;
}

export async function upsertQuota(
  tx: Db,
  { accountId, keyId }: Pick<KeyOfProduct, 'accountId' | 'keyId'>,
  quota: Quota,
  most: number,
): Promise<void> {
  await sql`
    insert into api_key_quota (account_id, key_id, quota, most) values (${accountId}, ${keyId}, ${quota}, ${most})
    on conflict (account_id, key_id, quota) do update set most = excluded.most`.execute(tx);
}

export async function deleteQuota(
  tx: Db,
  { accountId, keyId }: Pick<KeyOfProduct, 'accountId' | 'keyId'>,
  quota: Quota,
): Promise<void> {
  await sql`
    delete from api_key_quota
     where account_id = ${accountId} and key_id = ${keyId} and quota = ${quota}`.execute(tx);
}
