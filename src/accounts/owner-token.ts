import { isSameSecret } from '../platform/secrets.ts';
import { sha256 } from '../kernel/ids.ts';
import { createHash, randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '../platform/private-files.ts';

const OWNER_TOKEN = /^svc_owner_[\w-]{43}$/;

/**
 * Issues a new token that speaks for the owner on this machine. `token` goes to a file that only the owner can read; the
 * service stores only `hash` (SHA-256, hexadecimal).
 */
export function issueOwnerToken(): { token: string; hash: string } {
  const token = `svc_owner_${randomBytes(32).toString('base64url')}`;
  return { token, hash: sha256(token) };
}

/**
 * Returns the token of an installation: made at its first start and stored in the data folder, readable by its user only, so
 * that all processes that share the folder accept the same one. Two must not call it at once.
 */
export function installationToken(dataDir: string): { token: string; hash: string } {
  const path = join(dataDir, 'owner-token');
  const existingToken = readToken(path);
  if (existingToken !== undefined) return { token: existingToken, hash: sha256(existingToken) };
  const made = issueOwnerToken();
  // Never half there, whatever happens to this process.
  writePrivateFile(`${path}.unfinished`, made.token);
  renameSync(`${path}.unfinished`, path);
  return made;
}

/** Reads the stored token. One that is incomplete, or was not written by this user alone, opens nothing and is replaced. */
function readToken(path: string): string | undefined {
  const text = readPrivateFile(path).text?.trim() ?? '';
  return OWNER_TOKEN.test(text) ? text : undefined;
}

/** True if `presented` is the token behind `hash`. Takes the same time for every text of the same length. */
export function ownerTokenMatches(presented: string, hash: string): boolean {
  return isSameSecret(Buffer.from(hash, 'hex'), createHash('sha256').update(presented).digest());
}
