import { isSameSecret } from '../platform/secrets.ts';
import { createHmac, randomBytes } from 'node:crypto';
import { DAY_MS } from '../kernel/time.ts';
import type { SecretKeys } from '../platform/secrets.ts';

/** Time that a browser is recognised after its last sign-in by password. */
export const DEVICE_MS = 180 * DAY_MS;
const NONCE = /^[\w-]{22}$/;

/** The person who signs in from a device. */
interface DeviceOwner {
  accountId: string;
  email: string;
}

/**
 * Issues the token that a browser stores after a sign-in by password: it signs nobody in, and only says that the person with
 * this e-mail address was here. So guesses of others do not lock that person out of this browser (OWASP, device cookies).
 */
export function issueDevice(keys: SecretKeys, owner: DeviceOwner, existingNonce?: string): string {
  const nonce = existingNonce ?? randomBytes(16).toString('base64url');
  return `${nonce}.${proofOf(keys[0], owner, nonce)}`;
}

/** Reads the device of a token that was given to a browser of this person; undefined for everything else. */
export function readDevice(keys: SecretKeys, owner: DeviceOwner, text: string | undefined): string | undefined {
  const [nonce = '', proof = ''] = text?.split('.') ?? [];
  if (!NONCE.test(nonce)) return undefined;
  const given = Buffer.from(proof);
  const isOurs = keys.some((key) => isSameSecret(Buffer.from(proofOf(key, owner, nonce)), given));
  return isOurs ? nonce : undefined;
}

function proofOf(key: Uint8Array, { accountId, email }: DeviceOwner, nonce: string): string {
  return createHmac('sha256', key).update(`sign-in device\n${accountId}\n${email}\n${nonce}`).digest('base64url');
}
