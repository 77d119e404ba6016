import { expect, test } from 'vitest';
import { codeAt, newTotpSecret, totpStep, totpUri } from './totp.ts';

/** `12345678901234567890`, the secret of the vectors in RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i the code is that of RFC 6238', (seconds, code) => {
  expect(codeAt(SECRET, Math.floor(seconds / 30))).toBe(code);
  expect(totpStep(SECRET, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
});

test('the code before and the code after count, further ones do not', () => {
  const now = new Date(90_000);
  const acceptedSteps = [0, 1, 2, 3, 4, 5, 6].map((step) => totpStep(SECRET, codeAt(SECRET, step), now));

  expect(acceptedSteps).toEqual([undefined, undefined, 2, 3, 4, undefined, undefined]);
});

test('a code may be typed in two groups; anything else is no code', () => {
  const now = new Date(59_000);

  expect(totpStep(SECRET, ' 287 082 ', now)).toBe(1);
  expect(['', '28708', '2870820', 'abcdef', '２８７０８２'].map((code) => totpStep(SECRET, code, now))).toEqual(
    Array.from({ length: 5 }),
  );
});

test('secrets have 160 bits, are never the same, and stand in the address that a phone reads', () => {
  const secret = newTotpSecret();
  const uri = new URL(totpUri(secret, { issuer: 'svc & co', person: 'a@example.com' }));

  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(secret);
  expect(decodeURIComponent(uri.pathname)).toBe('/svc & co:a@example.com');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer: 'svc & co', digits: '6', period: '30' });
});
