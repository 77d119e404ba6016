import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';

/** Rows that stay. */
const MOST_ROWS = 100;

/** A backup that was made, or why it was not. */
export interface BackupRow {
  id: string;
  startedAt: Date;
  finishedAt: Date;
  /** Null when it was sent to somebody who asked for it. */
  file: string | null;
  bytes: number;
  error: string | null;
}

/** Records a backup, and forgets those that are far older. */
export async function insertBackup(db: Db, row: BackupRow): Promise<void> {
  await sql`
    insert into backup (id, started_at, finished_at, file, bytes, error)
    values (${row.id}, ${row.startedAt}, ${row.finishedAt}, ${row.file}, ${row.bytes}, ${row.error})`.execute(db);
  await sql`
    delete from backup
     where id in (select id from backup order by started_at desc, id desc offset ${MOST_ROWS})`.execute(db);
}

/** The newest first. */
export async function selectBackups(db: Db, limit: number): Promise<BackupRow[]> {
  const { rows } = await sql<BackupRow>`
    select id, started_at as "startedAt", finished_at as "finishedAt", file, bytes, error
      from backup order by started_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}
