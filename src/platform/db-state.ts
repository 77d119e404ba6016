import { sql } from 'kysely';
import type { Db } from './db.ts';

/**
 * Returns a text that changes after anything was committed to the database: which transactions a query sees. What was read
 * after the text, and is read again under the same text, is as it was. One query that reads no table.
 */
export async function databaseState(db: Db): Promise<string> {
  const { rows } = await sql<{ state: string }>`select pg_current_snapshot()::text as state`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The database does not tell its snapshot.');
  return row.state;
}
