import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from './password.ts';

test('a password matches its own hash, in either spelling of the same characters', async () => {
  const hash = await hashPassword('Straße mit Umläuten');

  expect(await passwordMatches('Straße mit Umläuten'.normalize('NFD'), hash)).toBe(true);
  expect(await passwordMatches('Strasse mit Umlauten', hash)).toBe(false);
  expect(await passwordMatches('Straße mit Umläuten ', hash)).toBe(false);
});

test('two hashes of one password differ, and are argon2id as OWASP recommends', async () => {
  const [first, second] = await Promise.all([
    hashPassword('correct horse battery'),
    hashPassword('correct horse battery'),
  ]);

  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(first).not.toBe(second);
});

test('a hash with other costs still matches, so that costs can change', async () => {
  // `password` with the salt `somesalt`, from the reference implementation's own tests.
  const hash = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

  expect(await passwordMatches('password', hash)).toBe(true);
  expect(await passwordMatches('passwort', hash)).toBe(false);
});

test('without a hash nothing matches', async () => {
  expect(await passwordMatches('', undefined)).toBe(false);
  expect(await passwordMatches('correct horse battery', undefined)).toBe(false);
});

test.each([
  ['eleven char', 'fewer than 12'],
  ['x'.repeat(1025), 'more than 1024'],
])('a password of the wrong length is refused', async (password, problem) => {
  await expect(hashPassword(password)).rejects.toMatchObject({
    code: 'bad_argument',
    message: expect.stringContaining(problem),
  });
});
