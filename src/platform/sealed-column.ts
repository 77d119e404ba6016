import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { openSecret, resealSecret, secretKeyId, type SecretKeys, VERSION } from './secrets.ts';

/** A column that holds secrets as they are stored, in a table whose rows have a unique `id`. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Context that the secret of a row belongs to: it opens only there. */
  contextOf: (id: string) => string;
  /** True if a secret is from before secrets were encrypted, and is stored as it is. Absent: there are none. */
  isPlain?: (secret: string) => boolean;
}

/**
 * The secret of a row as it was before it was stored.
 *
 * @throws ServiceError `conflict` when it was encrypted with a key that is not configured any more.
 */
export function openSealed(
  keys: SecretKeys,
  { contextOf, isPlain }: Pick<SealedColumn, 'contextOf' | 'isPlain'>,
  { id, secret }: { id: string; secret: string },
): string {
  return isPlain?.(secret) === true ? secret : openSecret(keys, secret, contextOf(id));
}

/**
 * Encrypts the secrets of all rows with the first key that are not encrypted, or are encrypted with another one. A secret that
 * no key opens stays, and so does one that changes meanwhile. Safe at any time, in several processes.
 */
export async function resealColumn(db: Db, keys: SecretKeys, sealed: SealedColumn): Promise<void> {
  const [table, column] = [sql.table(sealed.table), sql.ref(sealed.column)];
  const { rows } = await sql<{ id: string; secret: string }>`
    select id, ${column} as secret from ${table} where ${column} is not null`.execute(db);
  for (const row of rows) {
    const next = resealSecret(keys, row.secret, sealed.contextOf(row.id), () => openSealed(keys, sealed, row));
    if (next === undefined) continue;
    await sql`update ${table} set ${column} = ${next} where id = ${row.id} and ${column} = ${row.secret}`.execute(db);
  }
}

/** Deletes the rows whose secret none of the keys opens, of all accounts. Says how many. */
export async function deleteWithoutKey(
  db: Db,
  keys: readonly Uint8Array[],
  { table, column }: Pick<SealedColumn, 'table' | 'column'>,
): Promise<number> {
  const { rows } = await sql`
    delete from ${sql.table(table)} where ${sealedWithoutKeys(column, keys)} returning id`.execute(db);
  return rows.length;
}

/** A condition of SQL: the column holds a secret that none of the keys opens. */
export function sealedWithoutKeys(column: string, keys: readonly Uint8Array[]): RawBuilder<boolean> {
  const name = sql.ref(column);
  return sql<boolean>`(${name} like ${`${VERSION}.%`}
    and split_part(${name}, '.', 2) <> all(${keys.map(secretKeyId)}::text[]))`;
}
