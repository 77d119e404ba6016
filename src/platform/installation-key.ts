import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { ServiceError } from '../kernel/errors.ts';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import { isSecretKey, KEY_BYTES, secretKeyId, type SecretKeys, secretKeysOf } from './secrets.ts';

/** Settings that name the keys of an installation. */
type KeySettings = Pick<Config, 'dataDir' | 'secretKeys'>;

/** Path of the key that an installation made for itself. */
export function secretKeyPath(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/**
 * The keys that secrets are encrypted with: those of SVC_SECRET_KEY first, then the one in `secret.key`. Where there is none,
 * one is made and stored there, readable by its user only. The database remembers which key is the first one. Two processes
 * must not call it at once.
 *
 * @throws ServiceError `conflict` when the database was used with a key that is not among them, or the file holds none.
 */
export async function installationKeys(db: Db, settings: KeySettings): Promise<SecretKeys> {
  const availableKeys = readKeys(settings);
  const used = await readUsedKeyId(db);
  if (used !== undefined && !availableKeys.some((key) => secretKeyId(key) === used))
    throw lostKey(used, settings.dataDir);
  const keys = isSome(availableKeys) ? availableKeys : secretKeysOf([makeKey(settings.dataDir)]);
  const first = secretKeyId(keys[0]);
  if (first !== used) {
    await sql`
      insert into sealing_key (id) values (${first})
      on conflict (only_one) do update set id = excluded.id`.execute(db);
  }
  return keys;
}

/** The same keys, as they are: none is made. @throws ServiceError `conflict` when the file holds no key. */
export function readKeys({ dataDir, secretKeys = [] }: KeySettings): Uint8Array[] {
  const storedKey = readSecretKey(dataDir);
  return [...secretKeys, ...(storedKey === undefined ? [] : [storedKey])].map((text) => Buffer.from(text, 'base64'));
}

/** Describes the first key for people. @throws ServiceError `conflict` when the file holds no key. */
export function describeKeys(settings: KeySettings): string {
  const [first] = readKeys(settings);
  if (first === undefined) return `${secretKeyPath(settings.dataDir)} will be created`;
  const isConfigured = (settings.secretKeys ?? []).length > 0;
  return `${isConfigured ? 'SVC_SECRET_KEY' : secretKeyPath(settings.dataDir)}, key ${secretKeyId(first)}`;
}

/** @throws ServiceError `conflict` when the database was used with a key that is not at hand. */
export async function refuseLostKey(db: Db, settings: KeySettings): Promise<void> {
  const { rows } = await sql`
    select 1 from pg_tables where schemaname = 'public' and tablename = 'sealing_key'`.execute(db);
  const used = rows.length === 0 ? undefined : await readUsedKeyId(db);
  if (used !== undefined && !readKeys(settings).some((key) => secretKeyId(key) === used))
    throw lostKey(used, settings.dataDir);
}

/** Lets the next start use whichever key it finds. */
export async function forgetUsedKey(db: Db): Promise<void> {
  await sql`delete from sealing_key`.execute(db);
}

/** The text of `secret.key`; undefined without the file. @throws ServiceError `conflict` when it is no key. */
export function readSecretKey(dataDir: string): string | undefined {
  const path = secretKeyPath(dataDir);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8').trim();
  if (isSecretKey(text)) return text;
  // Never replaced: what was encrypted with it would be lost.
  throw new ServiceError('conflict', `${path} does not contain a key.`, {
    fix: 'Restore a copy of it, or, if it was never in use, write 32 bytes in base64 to it (`openssl rand -base64 32`).',
  });
}

/** Writes the key in one step: the file is never half there, whatever happens to this process. */
export function writeSecretKey(dataDir: string, key: string): void {
  const path = secretKeyPath(dataDir);
  writeFileSync(`${path}.unfinished`, `${key}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.unfinished`, path);
}

function makeKey(dataDir: string): string {
  const key = randomBytes(KEY_BYTES).toString('base64');
  writeSecretKey(dataDir, key);
  return key;
}

async function readUsedKeyId(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from sealing_key`.execute(db);
  return rows[0]?.id;
}

function isSome(keys: readonly Uint8Array[]): keys is SecretKeys {
  return keys.length > 0;
}

function lostKey(id: string, dataDir: string): ServiceError {
  return new ServiceError('conflict', `The secrets in the database are encrypted with key ${id}, which is not here.`, {
    fix: `Copy secret.key from the data folder of the installation to ${secretKeyPath(dataDir)}, or set SVC_SECRET_KEY to that key. If it is lost, svc forget-secrets --yes deletes the secrets that only it can decrypt.`,
  });
}
