import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSealedWithFirst, isSecretKey, openSecret, sealSecret, secretKeysOf } from './secrets.ts';

const [OLD, NEW] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

test('a secret opens with its key in its context, and does not show', () => {
  const keys = secretKeysOf([OLD]);

  const sealed = sealSecret(keys, 'a token', 'row 1');

  expect(sealed).not.toContain('a token');
  expect(sealSecret(keys, 'a token', 'row 1')).not.toBe(sealed);
  expect(openSecret(keys, sealed, 'row 1')).toBe('a token');
});

test('another context, another key and changed bytes do not open it', () => {
  const keys = secretKeysOf([OLD]);
  const sealed = sealSecret(keys, 'a token', 'row 1');
  const last = sealed.endsWith('A') ? 'B' : 'A';

  expect(() => openSecret(keys, sealed, 'row 2')).toThrow('cannot be decrypted');
  expect(() => openSecret(secretKeysOf([NEW]), sealed, 'row 1')).toThrow('cannot be decrypted');
  expect(() => openSecret(keys, `${sealed.slice(0, -3)}${last}${last}${last}`, 'row 1')).toThrow('cannot be decrypted');
  expect(() => openSecret(keys, 'a token', 'row 1')).toThrow('cannot be decrypted');
});

test('with a new key in front, old secrets open and are known to need sealing again', () => {
  const sealed = sealSecret(secretKeysOf([OLD]), 'a token', 'row 1');
  const rotated = secretKeysOf([NEW, OLD]);

  expect(openSecret(rotated, sealed, 'row 1')).toBe('a token');
  expect(isSealedWithFirst(rotated, sealed)).toBe(false);
  expect(isSealedWithFirst(rotated, sealSecret(rotated, 'a token', 'row 1'))).toBe(true);
});

test.each([
  [OLD, true],
  ['', false],
  ['hunter2', false],
  [randomBytes(16).toString('base64'), false],
  [randomBytes(32).toString('hex'), false],
])('%s is a key: %s', (text, expected) => {
  expect(isSecretKey(text)).toBe(expected);
});
