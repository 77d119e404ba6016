import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { openSealed } from '../platform/sealed-column.ts';
import { sealSecret, type SecretKeys } from '../platform/secrets.ts';
import { TOTP_SECRET } from './store-people.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SECRET_BYTES = 20;
const STEP_MS = 30_000;
/** Clocks of phones go wrong: the code before and the code after count as well (RFC 6238, section 5.2). */
const STEPS_EITHER_SIDE = 1;
const DIGITS = 6;

/** A new secret of an authenticator, base32. */
export function newTotpSecret(): string {
  const bits = Array.from(randomBytes(SECRET_BYTES), (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

/** A secret as it is stored: encrypted for this person. */
export function sealTotpSecret(keys: SecretKeys, personId: string, secret: string): string {
  return sealSecret(keys, secret, TOTP_SECRET.contextOf(personId));
}

/**
 * Decrypts a stored secret of an authenticator.
 *
 * @throws ServiceError `conflict` when it was encrypted with a key that is not configured any more.
 */
export function openTotpSecret(keys: SecretKeys, personId: string, sealedSecret: string): string {
  return openSealed(keys, TOTP_SECRET, { id: personId, secret: sealedSecret });
}

/** The address that authenticators read from a QR code. */
export function totpUri(secret: string, { issuer, person }: { issuer: string; person: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(person)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`;
}

/**
 * The 30-second step that `code` belongs to, at most one away from now; undefined for a wrong code. The caller refuses
 * steps that are not later than the last one it accepted.
 */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const given = Buffer.from(code.replaceAll(/\s/g, ''));
  if (given.length !== DIGITS) return undefined;
  const current = Math.floor(now.getTime() / STEP_MS);
  const steps = Array.from({ length: 2 * STEPS_EITHER_SIDE + 1 }, (_, index) => current - STEPS_EITHER_SIDE + index);
  return steps.findLast((step) => timingSafeEqual(given, Buffer.from(codeAt(secret, step))));
}

/** The code of a step: RFC 4226, section 5.3. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

function fromBase32(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
