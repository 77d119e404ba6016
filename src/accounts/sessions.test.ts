import { expect, test } from 'vitest';
import { testAccount } from '../testing/account.ts';
import { PASSWORD, testPerson } from '../testing/person.ts';
import { changeRole } from './members.ts';
import { endAllSessions, endSession, findSession, listSessions, startSession } from './sessions.ts';

const NOW = new Date('2026-11-21T10:00:00Z');

function days(count: number): Date {
  return new Date(NOW.getTime() + count * 86_400_000);
}

test('a session ends after a week without use, and after 30 days in any case', async () => {
  const account = await testAccount();
  const idle = await testPerson(account, 'member', NOW);
  const used = await testPerson(account, 'member', NOW);

  const signedInByDay: boolean[] = [];
  for (let day = 5; day < 35; day += 5)
    signedInByDay.push((await findSession(account.db, used.token, days(day))) !== undefined);

  expect(await findSession(account.db, idle.token, days(7))).toBeUndefined();
  expect(signedInByDay).toEqual([true, true, true, true, true, false]);
});

test('a token that was altered opens nothing', async () => {
  const account = await testAccount();
  const { token } = await testPerson(account, 'owner', NOW);
  const stranger = await testAccount();
  const { token: other } = await testPerson(stranger, 'owner', NOW);

  for (const text of ['', token.slice(1), `${other.slice(0, 22)}${token.slice(22)}`, `${token.slice(0, -2)}AA`])
    expect(await findSession(account.db, text, NOW)).toBeUndefined();
});

test('sessions are listed for their person alone, and end one by one', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const { who, token } = await testPerson(account, 'member', NOW);
  const other = await testPerson(account, 'owner', NOW);
  const { personId } = who;
  const later = await startSession(db, { accountId, personId, way: 'link', userAgent: 'x'.repeat(999) }, days(1));

  const [newest, oldest] = await listSessions(db, who, days(1));
  await expect(endSession(db, other.who, who.sessionId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(endSession(db, who, 'no id')).rejects.toMatchObject({ code: 'not_found' });
  await endSession(db, who, newest?.id ?? '');

  expect(oldest?.id).toBe(who.sessionId);
  expect(newest).toMatchObject({ way: 'link', userAgent: 'x'.repeat(300) });
  expect(await findSession(db, later.token, days(1))).toBeUndefined();
  expect(await findSession(db, token, days(1))).toMatchObject({ personId });
});

test('signing out everywhere ends all sessions of the person and nobody else’s', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const { who, token } = await testPerson(account, 'member', NOW, { password: PASSWORD });
  const other = await testPerson(account, 'member', NOW);
  const { personId } = who;
  const second = await startSession(db, { accountId, personId, way: 'link', userAgent: '' }, NOW);

  await endAllSessions(db, who, NOW);

  expect(await findSession(db, token, NOW)).toBeUndefined();
  expect(await findSession(db, second.token, NOW)).toBeUndefined();
  expect(await findSession(db, other.token, NOW)).toBeDefined();
});

test('a changed role counts from the next request on', async () => {
  const account = await testAccount();
  const owner = await testPerson(account, 'owner', NOW);
  const { who, token } = await testPerson(account, 'admin', NOW);

  await changeRole(
    account.db,
    owner.who,
    { personId: who.personId, role: 'viewer', settleKeys: async () => ({}) },
    NOW,
  );

  expect(await findSession(account.db, token, NOW)).toMatchObject({ role: 'viewer' });
});

test('a link is fresh for 15 minutes, a password never', async () => {
  const account = await testAccount();
  const byLink = await testPerson(account, 'member', NOW, { method: 'link' });
  const byPassword = await testPerson(account, 'member', NOW, { password: PASSWORD });
  const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);

  expect(await findSession(account.db, byLink.token, at(14))).toMatchObject({ hasFreshLink: true });
  expect(await findSession(account.db, byLink.token, at(15))).toMatchObject({ hasFreshLink: false });
  expect(await findSession(account.db, byPassword.token, NOW)).toMatchObject({ hasFreshLink: false });
});
