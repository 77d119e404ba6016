import { randomBytes } from 'node:crypto';
import { isUuid, sha256 } from '../kernel/ids.ts';

const FORM = /^[\w-]{65}$/;
/** Characters of the account's id, 16 bytes in base64url. */
const ACCOUNT_CHARACTERS = 22;

/**
 * A new token that opens something of one account: its id, then 256 random bits, 65 characters in all. It names the
 * account so that the look-up of its hash stays within the account. Only `hash` (SHA-256, hexadecimal) is stored.
 */
export function issueAccountToken(accountId: string): { token: string; hash: string } {
  const account = Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');
  const token = `${account}${randomBytes(32).toString('base64url')}`;
  return { token, hash: sha256(token) };
}

/** The account that a token names and the hash to look for there; undefined for text that is no token of ours. */
export function readAccountToken(token: string): { accountId: string; hash: string } | undefined {
  if (!FORM.test(token)) return undefined;
  const hex = Buffer.from(token.slice(0, ACCOUNT_CHARACTERS), 'base64url').toString('hex');
  const accountId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isUuid(accountId) ? { accountId, hash: sha256(token) } : undefined;
}
