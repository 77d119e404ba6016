import { sql } from 'kysely';
import type { Db } from './db.ts';

/**
 * Deletes the blobs released before `cutoff` that no account uses from the table that counts their users, and returns their
 * hashes. For maintenance: the blob store is shared, so this looks at all accounts.
 */
export async function takeReleased(db: Db, table: string, cutoff: Date): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    delete from ${sql.table(table)} as old
     where released_at < ${cutoff}
       and not exists (select 1 from ${sql.table(table)} as other
                        where other.hash = old.hash and (other.released_at is null or other.released_at >= ${cutoff}))
    returning hash`.execute(db);
  return [...new Set(rows.map((row) => row.hash))];
}
