import { createHash } from 'node:crypto';
import { ServiceError } from '../kernel/errors.ts';
import { readSecretKey, secretKeyPath, writeSecretKey } from './installation-key.ts';

/** Copies the key that the installation made into the export, for its user only; gives its SHA-256, where there is one. */
export function exportKey(dataDir: string, folder: string): { secret_key?: string } {
  const key = readSecretKey(dataDir);
  if (key === undefined) return {};
  writeSecretKey(folder, key);
  return { secret_key: hashOf(key) };
}

/** Describes the fault of the key of an export; undefined when it is there as it was exported, or none was. */
export function damageOfKey(folder: string, expected: string | undefined): string | undefined {
  if (expected === undefined) return undefined;
  const key = readSecretKey(folder);
  if (key === undefined) return 'secret.key is missing';
  return hashOf(key) === expected ? undefined : 'secret.key differs from what was exported';
}

/** @throws ServiceError `conflict` when the data folder has a key, and the export another one. */
export function refuseOtherKey(folder: string, dataDir: string): void {
  const [own, brought] = [readSecretKey(dataDir), readSecretKey(folder)];
  if (own === undefined || brought === undefined || own === brought) return;
  throw new ServiceError('conflict', `${secretKeyPath(dataDir)} holds a different key from the one in the export.`, {
    fix: 'Import into a new data folder that has never been used.',
  });
}

/** Puts the key of an export into the data folder. */
export function importKey(folder: string, dataDir: string): void {
  const key = readSecretKey(folder);
  if (key !== undefined) writeSecretKey(dataDir, key);
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
