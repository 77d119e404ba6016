import { type RawBuilder, sql } from 'kysely';
import { secretKeyId, VERSION } from './secrets.ts';

/** A condition of SQL: the column holds a secret that none of the keys opens. */
export function sealedWithoutKeys(column: string, keys: readonly Uint8Array[]): RawBuilder<boolean> {
  const name = sql.ref(column);
  return sql<boolean>`(${name} like ${`${VERSION}.%`}
    and split_part(${name}, '.', 2) <> all(${keys.map(secretKeyId)}::text[]))`;
}
