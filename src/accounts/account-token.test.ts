import { expect, test } from 'vitest';
import { uuidv7 } from '../kernel/ids.ts';
import { issueAccountToken, readAccountToken } from './account-token.ts';

test('a token names its account and hash, and its hash does not name it', () => {
  const accountId = uuidv7(new Date());
  const { token, hash } = issueAccountToken(accountId);

  expect(readAccountToken(token)).toEqual({ accountId, hash });
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(issueAccountToken(accountId).token).not.toBe(token);
});

test.each([
  ['empty', ''],
  ['short', 'abc'],
  ['an API key', `svc_live_${'a'.repeat(49)}`],
  ['odd', `${'a'.repeat(64)}!`],
])('text that is %s is no token', (_, text) => {
  expect(readAccountToken(text)).toBeUndefined();
});
