import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '../platform/private-files.ts';

const KEY = /^[0-9a-f]{64}$/;

/**
 * Returns the seal of what this user's syncs write: an HMAC with a key of the user's own that is stored outside of every
 * repository. A repository can bring an `index.json` along, but no seal for it. Undefined where there is no key.
 */
export function sealOf(configDir: string, text: string): string | undefined {
  const key = readPrivateFile(keyPath(configDir)).text;
  return key === undefined || !KEY.test(key) ? undefined : createHmac('sha256', key).update(text).digest('hex');
}

/**
 * Returns the seal as `sealOf`, with a new key where there is none. Undefined where none can be written: then nothing is ever
 * trusted.
 */
export function sealWithKey(configDir: string, text: string): string | undefined {
  return sealOf(configDir, text) ?? (makeKey(configDir) ? sealOf(configDir, text) : undefined);
}

function makeKey(configDir: string): boolean {
  const path = keyPath(configDir);
  try {
    mkdirSync(configDir, { recursive: true, mode: 0o700 });
    // Never half there. Of two made at once one stays, and what the other sealed is written again.
    writePrivateFile(`${path}.${process.pid}`, randomBytes(32).toString('hex'));
    renameSync(`${path}.${process.pid}`, path);
    return true;
  } catch {
    return false;
  }
}

function keyPath(configDir: string): string {
  return join(configDir, 'checkout.key');
}
