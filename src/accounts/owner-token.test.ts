import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installationToken, issueOwnerToken, ownerTokenMatches } from './owner-token.ts';

test('a token matches its own hash and no other', () => {
  const mine = issueOwnerToken();
  const other = issueOwnerToken();

  expect(ownerTokenMatches(mine.token, mine.hash)).toBe(true);
  expect(ownerTokenMatches(mine.token, mine.hash)).toBe(true);
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

test('an installation keeps its token, for its user only, and makes a new one when it is no whole token', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-owner-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const file = join(dataDir, 'owner-token');

  const made = installationToken(dataDir);
  const existing = installationToken(dataDir);
  const mode = statSync(file).mode & 0o777;
  writeFileSync(file, made.token.slice(0, 20));
  const renewed = installationToken(dataDir);

  expect(existing).toEqual(made);
  expect(ownerTokenMatches(made.token, made.hash)).toBe(true);
  expect(mode).toBe(0o600);
  expect(renewed.token).toMatch(/^svc_owner_[\w-]{43}$/);
  expect(renewed.token).not.toBe(made.token);
});

test('a token that others could have written, such as one in a repository, is replaced', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-owner-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const planted = issueOwnerToken();
  writeFileSync(join(dataDir, 'owner-token'), planted.token);
  chmodSync(join(dataDir, 'owner-token'), 0o644);

  const used = installationToken(dataDir);

  expect(ownerTokenMatches(planted.token, used.hash)).toBe(false);
});
