import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A new token that speaks for the owner on this machine. `token` goes to a file that only the owner can read; the
 * service keeps `hash` alone (SHA-256, hexadecimal).
 */
export function issueOwnerToken(): { token: string; hash: string } {
  const token = `svc_owner_${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashOwnerToken(token) };
}

/** The form in which a token is kept, for a service that finds its token in the file of an earlier start. */
export function hashOwnerToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether `presented` is the token behind `hash`. Takes the same time for every text of the same length. */
export function ownerTokenMatches(presented: string, hash: string): boolean {
  const expected = Buffer.from(hash, 'hex');
  const actual = createHash('sha256').update(presented).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
