import { expect, test } from 'vitest';
import { testAccount } from '../testing/account.ts';
import { PASSWORD, testPerson } from '../testing/person.ts';
import { listAudit } from './accounts.ts';
import {
  acceptInvitation,
  changeRole,
  invite,
  linkForMember,
  listInvitations,
  listMembers,
  mayManage,
  readInvitation,
  removeMember,
  withdrawInvitation,
} from './members.ts';
import { roleCovers, ROLES } from '../platform/rights.ts';
import { findSession } from './sessions.ts';
import { signInByLink, signInByPassword } from './sign-in.ts';
import { selectNames } from './store-people.ts';
import { TEST_SECRET_KEYS } from '../testing/secrets.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const SOURCE = { address: '192.0.2.1', device: undefined };
const VISITOR = { userAgent: 'test', source: SOURCE };
/** Nobody has keys here; `keys/members.test.ts` is about those who do. */
const settleKeys = async (): Promise<Record<string, unknown>> => ({});

function days(count: number): Date {
  return new Date(NOW.getTime() + count * 86_400_000);
}

test('each role may do what the ones below may', () => {
  const table = ROLES.map((has) => ROLES.map((needed) => roleCovers(has, needed)));

  expect(table).toEqual([
    [true, true, true, true],
    [false, true, true, true],
    [false, false, true, true],
    [false, false, false, true],
  ]);
});

test('owners manage everybody, admins members and viewers, others nobody', () => {
  const managed = ROLES.map((actor) => ROLES.filter((target) => mayManage(actor, target)));

  expect(managed).toEqual([['owner', 'admin', 'member', 'viewer'], ['member', 'viewer'], [], []]);
});

test('an invitation makes a member of its role once, however many accept it at the same time', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const { who } = await testPerson(account, 'owner', NOW);
  const { token } = await invite(db, who, { role: 'admin' }, NOW);
  const view = await readInvitation(db, token, NOW);

  const tries = await Promise.allSettled(
    [1, 2, 3].map((index) => {
      const email = `${index}-${accountId}@example.com`;
      return acceptInvitation(db, { token, name: `Guest ${index}`, email, password: PASSWORD }, VISITOR, days(6));
    }),
  );

  const sessions = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(view).toMatchObject({ account: 'default', role: 'admin', email: null, expiresAt: days(7) });
  expect(sessions).toHaveLength(1);
  expect(await findSession(db, sessions[0]?.token ?? '', days(6))).toMatchObject({ role: 'admin', hasPassword: true });
  expect((await listMembers(db, accountId)).map(({ role }) => role).toSorted()).toEqual(['admin', 'owner', 'owner']);
  expect(await listInvitations(db, accountId, days(6))).toEqual([]);
});

test('an invitation that is a week old, withdrawn or of another form is refused', async () => {
  const account = await testAccount();
  const { db } = account;
  const { who } = await testPerson(account, 'owner', NOW);
  const old = await invite(db, who, { role: 'member' }, NOW);
  const withdrawn = await invite(db, who, { role: 'member' }, NOW);
  await withdrawInvitation(db, who, withdrawn.id, NOW);
  const link = await linkForMember(db, who, who.personId, NOW);

  for (const [token, at] of [
    [old.token, days(7)],
    [withdrawn.token, NOW],
    [link.token, NOW],
    ['', NOW],
  ] as const) {
    await expect(readInvitation(db, token, at)).rejects.toMatchObject({ code: 'invalid_key' });
    const given = { token, name: 'Guest', email: 'guest@example.com', password: PASSWORD };
    await expect(acceptInvitation(db, given, VISITOR, at)).rejects.toMatchObject({ code: 'invalid_key' });
  }
  await expect(withdrawInvitation(db, who, withdrawn.id, NOW)).rejects.toMatchObject({ code: 'not_found' });
});

test('a refused try leaves the invitation; one for an address is for that address', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const owner = await testPerson(account, 'owner', NOW);
  const email = `guest-${accountId}@example.com`;
  const { token } = await invite(db, owner.who, { role: 'viewer', email: ` ${email.toUpperCase()} ` }, NOW);
  const open = await invite(db, owner.who, { role: 'viewer' }, NOW);
  const given = { token, name: 'Guest', email: 'somebody-else@example.com', password: PASSWORD };

  await expect(acceptInvitation(db, { ...given, password: 'short' }, VISITOR, NOW)).rejects.toMatchObject({
    code: 'bad_argument',
  });
  await expect(acceptInvitation(db, { ...given, name: '' }, VISITOR, NOW)).rejects.toMatchObject({
    code: 'bad_argument',
  });
  const taken = { ...given, token: open.token, email: owner.email };
  await expect(acceptInvitation(db, taken, VISITOR, NOW)).rejects.toMatchObject({ code: 'conflict' });
  await acceptInvitation(db, given, VISITOR, NOW);

  expect(await listInvitations(db, accountId, NOW)).toHaveLength(1);
  expect(
    await signInByPassword(db, { accountId, email, password: PASSWORD, ...VISITOR, keys: TEST_SECRET_KEYS }, NOW),
  ).toMatchObject({});
});

test('nobody invites, changes, removes or gives links above what they manage, and nobody in another account', async () => {
  const account = await testAccount();
  const { db } = account;
  const [owner, admin, member, viewer] = await Promise.all(
    ROLES.map(async (role) => (await testPerson(account, role, NOW)).who),
  );
  if (!owner || !admin || !member || !viewer) throw new Error('There are four roles.');
  const stranger = (await testPerson(await testAccount(), 'owner', NOW)).who;
  const denied = { code: 'scope_denied' };

  for (const actor of [admin, member, viewer]) {
    await expect(invite(db, actor, { role: 'owner' }, NOW)).rejects.toMatchObject(denied);
    await expect(invite(db, actor, { role: 'admin' }, NOW)).rejects.toMatchObject(denied);
    await expect(
      changeRole(db, actor, { settleKeys, personId: owner.personId, role: 'viewer' }, NOW),
    ).rejects.toMatchObject(denied);
    await expect(
      changeRole(db, actor, { settleKeys, personId: actor.personId, role: 'owner' }, NOW),
    ).rejects.toMatchObject(denied);
    await expect(removeMember(db, actor, { personId: owner.personId, settleKeys }, NOW)).rejects.toMatchObject(denied);
    await expect(linkForMember(db, actor, owner.personId, NOW)).rejects.toMatchObject(denied);
  }
  await expect(
    changeRole(db, admin, { settleKeys, personId: member.personId, role: 'admin' }, NOW),
  ).rejects.toMatchObject(denied);
  for (const personId of [owner.personId, stranger.sessionId, 'no id']) {
    await expect(changeRole(db, stranger, { settleKeys, personId, role: 'viewer' }, NOW)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(removeMember(db, stranger, { personId, settleKeys }, NOW)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(linkForMember(db, stranger, personId, NOW)).rejects.toMatchObject({ code: 'not_found' });
  }
  await changeRole(db, admin, { settleKeys, personId: member.personId, role: 'viewer' }, NOW);
  await removeMember(db, admin, { personId: viewer.personId, settleKeys }, NOW);
  expect((await listMembers(db, account.accountId)).map(({ role }) => role).toSorted()).toEqual(
    // The account begins with an owner of its own.
    ['admin', 'owner', 'owner', 'viewer'],
  );
});

test('an account keeps an owner, also when two step down at the same time', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const { who } = await testPerson(account, 'owner', NOW);
  const [first] = (await listMembers(db, accountId)).filter(({ id }) => id !== who.personId);
  const other = { ...who, personId: first?.id ?? '' };

  const results = await Promise.allSettled([
    changeRole(db, who, { settleKeys, personId: who.personId, role: 'viewer' }, NOW),
    removeMember(db, other, { personId: other.personId, settleKeys }, NOW),
  ]);

  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({ code: 'conflict' });
  expect((await listMembers(db, accountId)).filter(({ role }) => role === 'owner')).toHaveLength(1);
});

test('who is removed is out at once; the name stays in the log and the address is free again', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const owner = await testPerson(account, 'owner', NOW);
  const gone = await testPerson(account, 'member', NOW, { password: PASSWORD });
  const { personId } = gone.who;
  const link = await linkForMember(db, owner.who, personId, NOW);

  await removeMember(db, owner.who, { personId, settleKeys }, NOW);

  expect(await findSession(db, gone.token, NOW)).toBeUndefined();
  await expect(signInByLink(db, link.token, VISITOR, NOW)).rejects.toMatchObject({ code: 'invalid_key' });
  const again = { accountId, email: gone.email, password: PASSWORD, ...VISITOR, keys: TEST_SECRET_KEYS };
  await expect(signInByPassword(db, again, NOW)).rejects.toMatchObject({ code: 'invalid_key' });
  expect(await selectNames(db, [personId])).toEqual(new Map([[personId, 'the member']]));
  const { token } = await invite(db, owner.who, { role: 'viewer', email: gone.email }, NOW);
  await acceptInvitation(db, { token, name: 'Back again', password: PASSWORD }, VISITOR, NOW);
  const entries = await listAudit(db, accountId, { limit: 50 });
  const accepted = entries.filter(({ action }) => action === 'invitation.accept');
  expect(accepted).toHaveLength(1);
  expect(accepted[0]?.actor).not.toBe(`person:${personId}`);
});

test('every change of the members stands in the audit log of the account', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const { who } = await testPerson(account, 'owner', NOW);
  const member = await testPerson(account, 'member', NOW);
  const invitation = await invite(db, who, { role: 'viewer' }, NOW);
  await withdrawInvitation(db, who, invitation.id, NOW);
  await changeRole(db, who, { settleKeys, personId: member.who.personId, role: 'admin' }, NOW);
  await changeRole(db, who, { settleKeys, personId: member.who.personId, role: 'admin' }, NOW);
  await linkForMember(db, who, member.who.personId, NOW);
  await removeMember(db, who, { personId: member.who.personId, settleKeys }, NOW);

  const mine = (await listAudit(db, accountId, { limit: 50 })).filter(
    ({ actor }) => actor === `person:${who.personId}`,
  );

  expect(mine.map(({ action }) => action).toSorted()).toEqual([
    'invitation.create',
    'invitation.delete',
    'member.remove',
    'member.role',
    'person.sign_in',
    'sign_in_link.create',
  ]);
});
