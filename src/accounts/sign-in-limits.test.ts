import { expect, test } from 'vitest';
import { testAccount } from '../testing/account.ts';
import { type AttemptSource, countPasswordAttempt } from './sign-in-limits.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const EMAIL = 'ada@example.com';

/** A browser that never signed in, at an address. */
function from(number: number): AttemptSource {
  return { address: `192.0.2.${number}`, device: undefined };
}

test('who guesses locks out the place that they guess from, not the person elsewhere or in a known browser', async () => {
  const { db, accountId } = await testAccount();
  const count = async (source: AttemptSource, email = EMAIL): Promise<string> => {
    const counted = await countPasswordAttempt(db, { accountId, email, source }, NOW).catch(
      (error: { code: string }) => error.code,
    );
    return typeof counted === 'string' ? counted : 'looked at';
  };
  const returningBrowser: AttemptSource = { address: '192.0.2.1', device: 'known' };

  const guesses: string[] = [];
  for (let round = 0; round < 200; round += 1) guesses.push(await count(from(1)));
  expect(guesses.filter((result) => result === 'looked at')).toHaveLength(5);
  expect(await count(from(1))).toBe('rate_limited');
  expect(await count(from(1), 'colleague@example.com')).toBe('looked at');
  expect(await count(from(2))).toBe('looked at');
  expect(await count(returningBrowser)).toBe('looked at');

  // From many addresses there are 100 guesses in all: six were looked at already.
  const spread: string[] = [];
  for (let number = 3; number < 103; number += 1) spread.push(await count(from(number)));
  expect(spread.filter((result) => result === 'looked at')).toHaveLength(94);
  expect(await count(from(200))).toBe('rate_limited');
  expect(await count(returningBrowser)).toBe('looked at');
});

test('what succeeds or only lacks a code counts nowhere', async () => {
  const { db, accountId } = await testAccount();
  const source: AttemptSource = { address: '192.0.2.1', device: undefined };
  const count = () => countPasswordAttempt(db, { accountId, email: EMAIL, source }, NOW);

  for (let round = 0; round < 120; round += 1)
    await (round % 2 === 0 ? (await count()).takeBack() : (await count()).succeed());
  await count();
  await (await count()).succeed();
  for (let round = 0; round < 5; round += 1) await count();
  await expect(count()).rejects.toMatchObject({ code: 'rate_limited' });
});
