import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { assert, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { createSecret, hashSecret, isWellFormed } from './token.ts';

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a secret has the published form, with the checksum of what precedes it', () => {
  for (let round = 0; round < 500; round += 1) {
    const secret = createSecret();

    expect(secret).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
    const checksum = Array.from(secret.slice(-6)).reduce((sum, digit) => sum * 62 + CHARACTERS.indexOf(digit), 0);
    expect(checksum).toBe(crc32(secret.slice(0, -6)));
    expect(isWellFormed(secret)).toBe(true);
  }
});

test('secrets differ, and every character of the alphabet occurs', () => {
  const secrets = Array.from({ length: 500 }, createSecret);

  expect(new Set(secrets).size).toBe(500);
  expect(new Set(secrets.map((secret) => secret.slice(9)).join('')).size).toBe(62);
});

test('one wrong character is noticed', () => {
  assert(
    property(integer({ min: 0, max: 57 }), integer({ min: 0, max: 61 }), (position, replacement) => {
      const secret = createSecret();
      const typed = secret.slice(0, position) + CHARACTERS.charAt(replacement) + secret.slice(position + 1);

      expect(isWellFormed(typed)).toBe(typed === secret);
    }),
    { numRuns: 2000 },
  );
});

test('two characters changing places are noticed', () => {
  assert(
    property(integer({ min: 0, max: 56 }), (position) => {
      const secret = createSecret();
      const pair = secret.charAt(position + 1) + secret.charAt(position);
      const typed = secret.slice(0, position) + pair + secret.slice(position + 2);

      expect(isWellFormed(typed)).toBe(typed === secret);
    }),
    { numRuns: 2000 },
  );
});

test('other text is not a secret, whatever its length', () => {
  assert(
    property(string(), (text) => {
      expect(isWellFormed(text)).toBe(false);
      expect(isWellFormed(`svc_live_${text}`)).toBe(false);
      expect(isWellFormed(`${createSecret()}${text}x`)).toBe(false);
    }),
  );
  expect(isWellFormed(`${createSecret()}\n`)).toBe(false);
  expect(isWellFormed(createSecret().toUpperCase())).toBe(false);
});

test('a secret is looked up by its SHA-256', () => {
  const secret = createSecret();

  expect(hashSecret(secret)).toBe(createHash('sha256').update(secret).digest('hex'));
});
