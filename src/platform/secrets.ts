import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../kernel/errors.ts';

/** Prefix of the form in which secrets are stored. */
export const VERSION = 'v1';
const ALGORITHM = 'aes-256-gcm';
/** Length of a key. */
export const KEY_BYTES = 32;
/** Length that NIST SP 800-38D recommends for random ones. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keys of an installation: the first one seals, all of them open. */
export type SecretKeys = readonly [Uint8Array, ...Uint8Array[]];

/** True if the text is 32 bytes in base64, as `openssl rand -base64 32` prints them. */
export function isSecretKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').length === KEY_BYTES;
}

export function secretKeysOf([first, ...more]: readonly [string, ...string[]]): SecretKeys {
  return [Buffer.from(first, 'base64'), ...more.map((text) => Buffer.from(text, 'base64'))];
}

/**
 * Encrypts a secret for storage, with a random nonce: the same one twice gives two texts. `context` says what it belongs
 * to, and it opens only there, so that a row cannot be given the secret of another one.
 */
export function sealSecret(keys: SecretKeys, secret: string, context: string): string {
  const [key] = keys;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  const content = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return [VERSION, secretKeyId(key), Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')].join(
    '.',
  );
}

/** @throws ServiceError `conflict` when none of the keys opens it. */
export function openSecret(keys: SecretKeys, sealed: string, context: string): string {
  const [version, id, content = ''] = sealed.split('.');
  const key = keys.find((candidate) => secretKeyId(candidate) === id);
  if (version !== VERSION || key === undefined) throw lockedSecrets();
  const bytes = Buffer.from(content, 'base64url');
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw lockedSecrets(cause);
  }
}

/**
 * Returns the replacement of a stored secret: encrypted with the first key. Undefined when it is so already, or no key opens
 * it.
 */
export function resealSecret(
  keys: SecretKeys,
  storedSecret: string,
  context: string,
  open: () => string = () => openSecret(keys, storedSecret, context),
): string | undefined {
  if (isSealedWithFirst(keys, storedSecret)) return undefined;
  try {
    return sealSecret(keys, open(), context);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** True if it was sealed with the key that seals now. */
export function isSealedWithFirst(keys: SecretKeys, sealed: string): boolean {
  return sealed.startsWith(`${VERSION}.${secretKeyId(keys[0])}.`);
}

/** Names a key without telling anything about it that helps to guess 32 random bytes. */
export function secretKeyId(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

function lockedSecrets(cause?: unknown): ServiceError {
  return new ServiceError('conflict', 'The stored secret cannot be decrypted with the keys of this service.', {
    fix: 'Add the key that encrypted it to SVC_SECRET_KEY, or enter the token again; for a webhook, create a new one.',
    cause,
  });
}

/** True if two secrets are the same. Takes the same time for all of the same length. */
export function isSameSecret(expected: Uint8Array, given: Uint8Array): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
