import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Text that a list shows for every key. */
export const MASKED_SECRET = 'svc_****';

const PREFIX = 'svc_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);
const RANDOM_BYTES = 32;
/** 62^43 > 2^256 and 62^6 > 2^32: every value fits, at one fixed width. */
const RANDOM_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/**
 * A new secret: `svc_live_`, 256 random bits in 43 base62 characters, and 6 base62 characters of CRC-32 over all that
 * precedes. The fixed prefix and the checksum let scanners find leaked keys with hardly a false alarm.
 */
export function createSecret(): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  return withChecksum(PREFIX + base62(random, RANDOM_CHARACTERS));
}

/** True if the text can be a secret of ours at all. Refuses typing errors without a query. */
export function isWellFormed(secret: string): boolean {
  return SHAPE.test(secret) && withChecksum(secret.slice(0, -CHECKSUM_CHARACTERS)) === secret;
}

/**
 * Returns the form in which a secret is stored and looked up: SHA-256 in hexadecimal. A secret has 256 random bits, so a slow
 * password hash would add nothing; and since the look-up compares hashes, its timing reveals nothing about a secret.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function withChecksum(text: string): string {
  return text + checksum(text);
}

/** CRC-32 in base62. On the path of every request, and 32 bits fit a plain number. */
function checksum(text: string): string {
  let digits = '';
  for (let remainder = crc32(text); remainder > 0; remainder = Math.floor(remainder / ALPHABET.length)) {
    digits = ALPHABET.charAt(remainder % ALPHABET.length) + digits;
  }
  return digits.padStart(CHECKSUM_CHARACTERS, '0');
}

function base62(value: bigint, width: number): string {
  let digits = '';
  for (let remainder = value; remainder > 0n; remainder /= BASE)
    digits = ALPHABET.charAt(Number(remainder % BASE)) + digits;
  return digits.padStart(width, '0');
}
