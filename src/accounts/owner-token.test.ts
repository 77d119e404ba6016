import { expect, test } from 'vitest';
import { hashOwnerToken, issueOwnerToken, ownerTokenMatches } from './owner-token.ts';

test('a token matches its own hash and no other', () => {
  const mine = issueOwnerToken();
  const other = issueOwnerToken();

  expect(ownerTokenMatches(mine.token, mine.hash)).toBe(true);
  expect(ownerTokenMatches(mine.token, hashOwnerToken(mine.token))).toBe(true);
  expect(ownerTokenMatches(other.token, mine.hash)).toBe(false);
  expect(ownerTokenMatches(`${mine.token} `, mine.hash)).toBe(false);
});

test('an empty or cut hash lets nobody in', () => {
  const { token, hash } = issueOwnerToken();

  expect(ownerTokenMatches(token, '')).toBe(false);
  expect(ownerTokenMatches(token, hash.slice(0, 32))).toBe(false);
  expect(ownerTokenMatches('', '')).toBe(false);
});

test('the hash does not hold the token', () => {
  const { token, hash } = issueOwnerToken();

  expect(token).toMatch(/^svc_owner_[\w-]{43}$/);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
});
