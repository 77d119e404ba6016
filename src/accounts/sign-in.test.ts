import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { secretKeysOf } from '../platform/secrets.ts';
import { testAccount, type TestAccount } from '../testing/account.ts';
import { PASSWORD, testPerson } from '../testing/person.ts';
import { listAudit } from './accounts.ts';
import { confirmTotp, enrolTotp } from './own-account.ts';
import { findSession } from './sessions.ts';
import { issueSignInLink, signInByLink, signInByPassword } from './sign-in.ts';
import { codeAt } from './totp.ts';

/** Keys that encrypt the secrets of authenticators. */
const KEYS = secretKeysOf([randomBytes(32).toString('base64')]);

const NOW = new Date('2026-11-21T10:00:00Z');
const SOURCE = { address: '192.0.2.1', device: undefined };
const VISITOR = { userAgent: 'test', source: SOURCE };

function later(minutes: number): Date {
  return new Date(NOW.getTime() + minutes * 60_000);
}

/** Result of an attempt: `in`, `code_required`, or the code of the failure. */
async function attempt(
  { db, accountId }: TestAccount,
  given: { email: string; password: string; code?: string },
  at: Date = NOW,
): Promise<string> {
  try {
    const result = await signInByPassword(db, { accountId, ...given, ...VISITOR, keys: KEYS }, at);
    return result === 'code_required' ? result : 'in';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/** A member with a password and an authenticator. */
async function withTotp(account: TestAccount): Promise<{ email: string; secret: string }> {
  const { who, email } = await testPerson(account, 'member', NOW, { password: PASSWORD });
  const { secret } = await enrolTotp(account.db, who, { currentPassword: PASSWORD, issuer: 'svc', keys: KEYS });
  await confirmTotp(account.db, who, { code: codeAt(secret, stepAt(later(-10))), keys: KEYS }, later(-10));
  return { email, secret };
}

function stepAt(moment: Date): number {
  return Math.floor(moment.getTime() / 30_000);
}

test('a link signs in once, however many try at the same time', async () => {
  const account = await testAccount();
  const { who } = await testPerson(account, 'owner', NOW);
  const { token, expiresAt } = await issueSignInLink(account.db, { ...who, actor: 'system' }, NOW);

  const tries = await Promise.allSettled([1, 2, 3, 4].map(() => signInByLink(account.db, token, VISITOR, later(14))));

  const sessions = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(expiresAt).toEqual(later(15));
  expect(sessions).toHaveLength(1);
  expect(await findSession(account.db, sessions[0]?.token ?? '', later(14))).toMatchObject({
    personId: who.personId,
    role: 'owner',
    hasFreshLink: true,
  });
  await expect(signInByLink(account.db, token, VISITOR, later(14))).rejects.toMatchObject({ code: 'invalid_key' });
});

test('a link that is 15 minutes old or not whole does not work; five are good at a time', async () => {
  const account = await testAccount();
  const { who } = await testPerson(account, 'owner', NOW);
  const tokens: string[] = [];
  for (let number = 0; number < 6; number += 1)
    tokens.push((await issueSignInLink(account.db, { ...who, actor: 'system' }, later(number / 60))).token);
  const [first = '', second = '', , , , last = ''] = tokens;

  for (const [token, at] of [
    [first, NOW],
    [last, later(16)],
    [last.slice(1), NOW],
    ['', NOW],
  ] as const)
    await expect(signInByLink(account.db, token, VISITOR, at)).rejects.toMatchObject({ code: 'invalid_key' });
  for (const token of [second, last])
    expect(await signInByLink(account.db, token, VISITOR, NOW)).toMatchObject({ token: expect.any(String) });
});

test('no token stands in the database', async () => {
  const account = await testAccount();
  const { who, token } = await testPerson(account, 'owner', NOW);
  const link = await issueSignInLink(account.db, { ...who, actor: 'system' }, NOW);

  const { rows } = await sql<{ stored: string }>`
    select session::text as stored from session where account_id = ${account.accountId}
    union all select one_time_token::text from one_time_token where account_id = ${account.accountId}
    union all select audit_log::text from audit_log where account_id = ${account.accountId}`.execute(account.db);

  expect(rows.length).toBeGreaterThan(3);
  expect(rows.filter(({ stored }) => stored.includes(token) || stored.includes(link.token))).toEqual([]);
});

test('a password signs in, whatever the case of the address, and only in its own account', async () => {
  const account = await testAccount();
  const { email } = await testPerson(account, 'member', NOW, { password: PASSWORD });

  expect(await attempt(account, { email: ` ${email.toUpperCase()}`, password: PASSWORD })).toBe('in');
  expect(await attempt(account, { email, password: `${PASSWORD}!` })).toBe('invalid_key');
  expect(await attempt(await testAccount(), { email, password: PASSWORD })).toBe('invalid_key');
});

test('five failures from a place lock an address for 15 minutes there, also against the right password and a code', async () => {
  const account = await testAccount();
  const { email, secret } = await withTotp(account);
  const right = { email, password: PASSWORD, code: codeAt(secret, stepAt(NOW)) };
  const other = await testPerson(account, 'member', NOW, { password: PASSWORD });

  const wrong: string[] = [];
  for (let index = 0; index < 5; index += 1)
    wrong.push(
      await attempt(account, index < 3 ? { email, password: 'a wrong password' } : { ...right, code: '000000' }),
    );

  expect(wrong).toEqual(Array.from({ length: 5 }, () => 'invalid_key'));
  expect(await attempt(account, right)).toBe('rate_limited');
  expect(await attempt(account, right, later(14))).toBe('rate_limited');
  expect(await attempt(account, { email: other.email, password: PASSWORD })).toBe('in');
  expect(await attempt(account, { ...right, code: codeAt(secret, stepAt(later(15))) }, later(15))).toBe('in');
  const audit = await listAudit(account.db, account.accountId, { limit: 20 });
  expect(audit.filter(({ action }) => action === 'person.lock')).toHaveLength(1);
});

test('attempts at the same time get no more than five looks', async () => {
  const account = await testAccount();
  const { email } = await testPerson(account, 'member', NOW, { password: PASSWORD });

  const results = await Promise.all(
    Array.from({ length: 12 }, (_, index) => attempt(account, { email, password: `a wrong password ${index}` })),
  );

  expect(results.filter((result) => result === 'invalid_key')).toHaveLength(5);
  expect(results.filter((result) => result === 'rate_limited')).toHaveLength(7);
});

test('success forgets failures', async () => {
  const account = await testAccount();
  const { email } = await testPerson(account, 'member', NOW, { password: PASSWORD });

  for (let round = 0; round < 3; round += 1) {
    for (let index = 0; index < 4; index += 1) await attempt(account, { email, password: 'a wrong password' });
    expect(await attempt(account, { email, password: PASSWORD })).toBe('in');
  }
});

/** Processor time since, in microseconds: a busy machine takes longer and computes as much. */
function costOf(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

test('an unknown address, one without a password and a wrong password look the same, take as long and lock alike', async () => {
  const account = await testAccount();
  const member = await testPerson(account, 'member', NOW, { password: PASSWORD });
  const bare = await testPerson(account, 'member', NOW);
  const emails = [member.email, bare.email, 'nobody@example.com'];
  const times = new Map(emails.map((email) => [email, [] as number[]]));
  await attempt(account, { email: 'warm-up@example.com', password: 'a wrong password' });

  for (let index = 0; index < 5; index += 1) {
    for (const email of emails) {
      const before = process.cpuUsage();
      expect(await attempt(account, { email, password: 'a wrong password' })).toBe('invalid_key');
      times.get(email)?.push(costOf(before));
    }
  }

  for (const email of emails) expect(await attempt(account, { email, password: PASSWORD })).toBe('rate_limited');
  const fastest = emails.map((email) => Math.min(...(times.get(email) ?? [])));
  // Without a hash to compare with, an attempt would take a tenth of the time.
  expect(Math.min(...fastest)).toBeGreaterThan(Math.max(...fastest) / 2);
});

test('with an authenticator a code is asked for, which is no failure', async () => {
  const account = await testAccount();
  const { email, secret } = await withTotp(account);

  for (let index = 0; index < 8; index += 1)
    expect(await attempt(account, { email, password: PASSWORD, code: '' })).toBe('code_required');

  expect(await attempt(account, { email, password: PASSWORD, code: codeAt(secret, stepAt(NOW)) })).toBe('in');
});

test('a code is good for one sign-in, and the ones before it for none', async () => {
  const account = await testAccount();
  const { email, secret } = await withTotp(account);
  const withCode = (step: number): Promise<string> =>
    attempt(account, { email, password: PASSWORD, code: codeAt(secret, step) });

  const together = await Promise.all([1, 2, 3].map(() => withCode(stepAt(NOW))));
  const replayed = await withCode(stepAt(NOW));
  const older = await withCode(stepAt(NOW) - 1);
  const newer = await withCode(stepAt(NOW) + 1);

  expect(together.toSorted()).toEqual(['in', 'invalid_key', 'invalid_key']);
  expect([replayed, older, newer]).toEqual(['invalid_key', 'invalid_key', 'in']);
});
