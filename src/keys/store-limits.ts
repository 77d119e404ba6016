import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';

/** Number of keys that there are, or may be: of the account, and of one person. */
export interface KeyCounts {
  account: number;
  person: number;
}

/** The limits that were set for an account; undefined where none were. */
export async function selectKeyLimits(db: Db, accountId: string): Promise<KeyCounts | undefined> {
  const { rows } = await sql<KeyCounts>`
    select most_keys as account, most_keys_per_person as person from key_limit where account_id = ${accountId}`.execute(
    db,
  );
  return rows[0];
}

export async function upsertKeyLimits(tx: Db, accountId: string, { account, person }: KeyCounts): Promise<void> {
  await sql`
    insert into key_limit (account_id, most_keys, most_keys_per_person) values (${accountId}, ${account}, ${person})
    on conflict (account_id)
      do update set most_keys = excluded.most_keys, most_keys_per_person = excluded.most_keys_per_person`.execute(tx);
}

/** Keys of the account, and those of a person, expired ones too. */
export async function countKeys(tx: Db, accountId: string, personId: string | null): Promise<KeyCounts> {
  const { rows } = await sql<KeyCounts>`
    select count(*)::int as account, (count(*) filter (where person_id = ${personId}::uuid))::int as person
      from api_key where account_id = ${accountId}`.execute(tx);
  return rows[0] ?? { account: 0, person: 0 };
}
