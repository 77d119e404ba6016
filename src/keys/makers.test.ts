import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createProduct, listAudit } from '../accounts/accounts.ts';
import { changeRole, removeMember } from '../accounts/members.ts';
import type { Role } from '../platform/rights.ts';
import { testAccount, type TestAccount } from '../testing/account.ts';
import { testPerson } from '../testing/person.ts';
import { type Keys, openKeys } from './keys.ts';

const NOW = new Date('2026-11-21T10:00:00.000Z');

/** A service process of its own, with the keys that it was told of as dead. */
async function openReplica({ database }: TestAccount): Promise<{ keys: Keys; dead: string[] }> {
  const keys = await openKeys(database, () => NOW, {
    onFault: (error) => {
      throw error;
    },
  });
  onTestFinished(() => keys.close());
  const dead: string[] = [];
  keys.onDead((keyId) => dead.push(keyId));
  return { keys, dead };
}

async function setUp() {
  const account = await testAccount();
  const [here, there] = [await openReplica(account), await openReplica(account)];
  const { who: owner } = await testPerson(account, 'owner', NOW);
  return { ...account, account, here, there, owner };
}

type Setup = Awaited<ReturnType<typeof setUp>>;

/** Somebody with a key that both replicas know. */
async function personWithKey(setup: Setup, role: Role, scopes: string[]) {
  const { who } = await testPerson(setup.account, role, NOW);
  const actor = `person:${who.personId}` as const;
  const made = await setup.here.keys.createKey({
    ...setup.account,
    actor,
    product: 'default',
    name: `of ${role}`,
    scopes,
  });
  for (const { keys } of [setup.here, setup.there]) await keys.authenticate(made.secret);
  return { who, actor, id: made.key.id, secret: made.secret };
}

async function changeRoleHere({ db, owner, here }: Setup, personId: string, role: Role): Promise<void> {
  const { settle: settleKeys, apply } = here.keys.settlement();
  await changeRole(db, owner, { personId, role, settleKeys }, NOW);
  await apply();
}

async function removeHere({ db, owner, here }: Setup, personId: string, keysTo?: string): Promise<void> {
  const { settle: settleKeys, apply } = here.keys.settlement(keysTo);
  await removeMember(db, owner, { personId, settleKeys }, NOW);
  await apply();
}

/** Resolves when the replica has been told of this many deaths in all. */
async function deathsAt({ keys, dead }: Setup['there'], count: number): Promise<string[]> {
  while (dead.length < count) {
    await new Promise<void>((resolve) => {
      const stop = keys.onDead(() => {
        stop();
        resolve();
      });
    });
  }
  return dead;
}

test('a demoted person has keys that can no more than they, on every replica, and what was open for them ends', async () => {
  const setup = await setUp();
  const { here, there } = setup;
  const { who, id, secret } = await personWithKey(setup, 'admin', ['read', 'decisions:write', 'keys:write']);
  const heard = deathsAt(there, 1);

  await changeRoleHere(setup, who.personId, 'viewer');

  expect(here.dead).toEqual([id]);
  expect(await here.keys.authenticate(secret)).toMatchObject({ keyId: id, scopes: ['read'] });
  expect(await heard).toEqual([id]);
  expect(await there.keys.authenticate(secret)).toMatchObject({ keyId: id, scopes: ['read'] });
  const listed = await here.keys.listKeys(setup.accountId);
  expect(listed.find((key) => key.id === id)?.scopes).toEqual(['read']);

  await changeRoleHere(setup, who.personId, 'member');
  expect(await here.keys.authenticate(secret)).toMatchObject({ scopes: ['read', 'decisions:write'] });
});

test('an admin who becomes a member loses the keys of products they do not see then, on every replica, and no others', async () => {
  const setup = await setUp();
  const { account, here, there, db, accountId } = setup;
  const { who, actor, id } = await personWithKey(setup, 'admin', ['read']);
  await createProduct(db, { accountId, name: 'Secret', actor }, NOW);
  await sql`update product set is_restricted = true where account_id = ${accountId} and name = 'Secret'`.execute(db);
  const { key, secret } = await here.keys.createKey({
    ...account,
    actor,
    product: 'Secret',
    name: 'x',
    scopes: ['read'],
  });
  for (const { keys } of [here, there]) expect(await keys.authenticate(secret)).toMatchObject({ keyId: key.id });
  const heard = deathsAt(there, 1);

  await changeRoleHere(setup, who.personId, 'member');

  expect(here.dead).toEqual([key.id]);
  expect(await heard).toEqual([key.id]);
  for (const { keys } of [here, there]) expect(await keys.authenticate(secret)).toBeUndefined();
  const entries = await listAudit(db, accountId, { limit: 50 });
  expect(entries.find(({ action }) => action === 'member.role')?.detail).toMatchObject({ keys_changed: ['x'] });

  // At once, though the key was refused a moment ago.
  await changeRoleHere(setup, who.personId, 'admin');
  expect(await here.keys.authenticate(secret)).toMatchObject({ keyId: key.id });
  expect(here.dead).not.toContain(id);
});

test('a change of role that leaves the keys as they are ends nothing', async () => {
  const setup = await setUp();
  const { who } = await personWithKey(setup, 'admin', ['read', 'keys:write']);

  await changeRoleHere(setup, who.personId, 'owner');

  expect(setup.here.dead).toEqual([]);
});

test('who is removed leaves no key that works, on no replica, and the audit log says so', async () => {
  const setup = await setUp();
  const { here, there, db, accountId, owner } = setup;
  const { who, id, secret } = await personWithKey(setup, 'member', ['read']);
  const other = await personWithKey(setup, 'member', ['read']);
  const heard = deathsAt(there, 1);

  await removeHere(setup, who.personId);

  expect(await here.keys.authenticate(secret)).toBeUndefined();
  expect(await heard).toEqual([id]);
  expect(await there.keys.authenticate(secret)).toBeUndefined();
  expect(await there.keys.authenticate(other.secret)).toMatchObject({ keyId: other.id });
  expect((await here.keys.listKeys(accountId)).map((key) => key.id)).toEqual([other.id]);
  const entries = await listAudit(db, accountId, { limit: 50 });
  const [removed, deleted] = ['member.remove', 'api_key.delete'].map((name) =>
    entries.find(({ action }) => action === name),
  );
  expect(removed?.detail).toMatchObject({ keys_ended: ['of member'] });
  expect(deleted).toMatchObject({ target: id, actor: `person:${owner.personId}` });
});

test('keys that are handed over go on, within the rights of both', async () => {
  const setup = await setUp();
  const { here, db, accountId } = setup;
  const heir = await testPerson(setup.account, 'viewer', NOW);
  const { who, id, secret } = await personWithKey(setup, 'admin', ['read', 'decisions:write', 'keys:write']);
  await changeRoleHere(setup, who.personId, 'member');

  await removeHere(setup, who.personId, heir.who.personId);

  expect(await here.keys.authenticate(secret)).toMatchObject({ keyId: id, scopes: ['read'] });
  const entries = await listAudit(db, accountId, { limit: 50 });
  const [removed, handed] = ['member.remove', 'api_key.hand_over'].map((name) =>
    entries.find(({ action }) => action === name),
  );
  expect(removed?.detail).toMatchObject({ keys_handed_over: ['of admin'] });
  expect(handed).toMatchObject({ target: id, detail: { to: 'the viewer' } });
  // What the former person had lost does not come back with a stronger one.
  await changeRoleHere(setup, heir.who.personId, 'admin');
  expect(await here.keys.authenticate(secret)).toMatchObject({ scopes: ['read', 'decisions:write'] });
});

test('keys go to another member only, and nothing has happened when they cannot', async () => {
  const setup = await setUp();
  const { here, db } = setup;
  const { who, id, secret } = await personWithKey(setup, 'member', ['read']);
  const stranger = await testPerson(await testAccount(), 'owner', NOW);

  for (const keysTo of [who.personId, stranger.who.personId, 'nobody']) {
    await expect(removeHere(setup, who.personId, keysTo)).rejects.toMatchObject({ code: 'bad_argument' });
  }

  expect(await here.keys.authenticate(secret)).toMatchObject({ keyId: id });
  const { rows } = await sql`select 1 from member where person_id = ${who.personId}`.execute(db);
  expect(rows).toHaveLength(1);
});

test('a key that a key made ends with the person at the beginning', async () => {
  const setup = await setUp();
  const { here } = setup;
  const first = await personWithKey(setup, 'admin', ['read', 'keys:write']);
  const byKey = { ...setup.account, product: 'default', actor: `key:${first.id}` as const };
  const second = await here.keys.createKey({ ...byKey, name: 'second', scopes: ['read', 'keys:write'] });
  const third = await here.keys.createKey({ ...byKey, actor: `key:${second.key.id}`, name: 'third' });
  await here.keys.deleteKey({ ...setup.account, keyId: second.key.id });

  await removeHere(setup, first.who.personId);

  expect(third.key.personId).toBe(first.who.personId);
  expect(await here.keys.authenticate(third.secret)).toBeUndefined();
  await expect(here.keys.createKey({ ...byKey, name: 'fourth' })).rejects.toMatchObject({ code: 'scope_denied' });
});

test('a key made with the token of the owner belongs to the installation, whoever leaves', async () => {
  const setup = await setUp();
  const { here, owner } = setup;
  const first = setup.account.actor.replace('person:', '');
  const made = { ...setup.account, product: 'default', name: 'ci', scopes: ['read', 'keys:write'], byOwner: true };
  const { key, secret } = await here.keys.createKey(made);
  const byKey = await here.keys.createKey({ ...setup.account, product: 'default', name: 'x', actor: `key:${key.id}` });

  await removeHere({ ...setup, owner }, first);

  expect(key.personId).toBeUndefined();
  expect(await here.keys.authenticate(secret)).toMatchObject({ scopes: ['read', 'keys:write'] });
  expect(byKey.key.personId).toBeUndefined();
});

test('a replica that heard nothing of a demotion ends what is open when it looks at its streams', async () => {
  const setup = await setUp();
  const { here, db, accountId } = setup;
  const { who, id } = await personWithKey(setup, 'member', ['read', 'decisions:write']);
  await sql`update member set role = 'viewer' where account_id = ${accountId} and person_id = ${who.personId}`.execute(
    db,
  );

  expect(await here.keys.deadAmong([id])).toEqual([id]);
  expect(here.dead).toEqual([id]);
});

test('a key of nobody is made by nobody: who was removed meanwhile makes none', async () => {
  const setup = await setUp();
  const { who, actor } = await personWithKey(setup, 'admin', ['read']);
  await removeHere(setup, who.personId);

  const late = setup.here.keys.createKey({ ...setup.account, actor, product: 'default', name: 'late' });

  await expect(late).rejects.toMatchObject({ code: 'scope_denied' });
});
