import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { type Actor, listAudit } from '../accounts/accounts.ts';
import { DAY_MS } from '../kernel/time.ts';
import { testAccount, type TestAccount } from '../testing/account.ts';
import { testPerson } from '../testing/person.ts';
import { openKeys, type Keys } from './keys.ts';

const START = new Date('2026-11-21T10:00:00.000Z');

interface Setup extends TestAccount {
  keys: Keys;
  clock: { now: Date };
}

/** Keys with a clock that the test sets, closed at the end of the test. */
async function openTestKeys(account: TestAccount, clock = { now: START }): Promise<Keys> {
  const keys = await openKeys(account.database, () => clock.now, {
    onFault: (error) => {
      throw error;
    },
  });
  onTestFinished(() => keys.close());
  return keys;
}

async function setUp(): Promise<Setup> {
  const account = await testAccount();
  const clock = { now: START };
  return { ...account, clock, keys: await openTestKeys(account, clock) };
}

function request({ accountId, productId, actor }: Setup) {
  return { accountId, product: productId, name: 'ci', actor };
}

test('a created key authenticates for its account and product with its scopes', async () => {
  const setup = await setUp();

  const { key, secret } = await setup.keys.createKey({ ...request(setup), name: '  ci  ', scopes: ['read'] });

  expect(key).toEqual({
    id: key.id,
    name: 'ci',
    prefix: 'svc_****',
    createdAt: START,
    createdBy: setup.actor,
    lastUsedAt: undefined,
    expiresAt: undefined,
    status: 'active',
    scopes: ['read'],
    personId: setup.actor.replace('person:', ''),
    productId: setup.productId,
    product: 'default',
    graceEndsAt: undefined,
  });
  expect(await setup.keys.authenticate(secret)).toEqual({
    accountId: setup.accountId,
    productId: setup.productId,
    keyId: key.id,
    scopes: ['read'],
    secretId: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
  expect(await setup.keys.listKeys(setup.accountId)).toEqual([key]);
});

test('the database holds no secret', async () => {
  const setup = await setUp();

  const { key, secret } = await setup.keys.createKey(request(setup));

  const { rows } = await sql<{ text: string }>`
    select row_to_json(api_key)::text as text from api_key where id = ${key.id}
    union all select row_to_json(key_directory)::text from key_directory where key_id = ${key.id}
    union all select row_to_json(audit_log)::text from audit_log where target = ${key.id}`.execute(setup.db);
  expect(rows).toHaveLength(3);
  for (const { text } of rows) expect(text).not.toContain(secret.slice(9, 30));
});

test('keys are listed newest first and never with another account', async () => {
  const setup = await setUp();
  const stranger = await setUp();
  await stranger.keys.createKey(request(stranger));

  const older = await setup.keys.createKey({ ...request(setup), expires: '30d' });
  setup.clock.now = new Date(START.getTime() + 20 * DAY_MS);
  const newer = await setup.keys.createKey({ ...request(setup), name: 'laptop' });

  const listed = await setup.keys.listKeys(setup.accountId);
  expect(listed.map(({ id, status }) => [id, status])).toEqual([
    [newer.key.id, 'active'],
    [older.key.id, 'expiring'],
  ]);
});

test('a regenerated key keeps all but its secret, and the former secret is dead at once', async () => {
  const setup = await setUp();
  const { keys, accountId, actor } = setup;
  const { key, secret } = await keys.createKey({
    ...request(setup),
    expires: '90d',
    scopes: ['read', 'decisions:write'],
  });
  await keys.authenticate(secret);
  keys.count(key.id, 'code-tool', START);
  await keys.flush();
  const dead: string[] = [];
  keys.onDead((keyId) => dead.push(keyId));

  const renewed = await keys.regenerateKey({ accountId, keyId: key.id, actor });

  expect(dead).toEqual([key.id]);
  expect(renewed.key).toEqual({ ...key, lastUsedAt: START });
  expect(renewed.secret).not.toBe(secret);
  expect(await keys.authenticate(secret)).toBeUndefined();
  expect(await keys.authenticate(renewed.secret)).toMatchObject({ keyId: key.id });
  expect(await keys.keyUsage(accountId, key.id)).toMatchObject({ total: 1 });
});

test('of two regenerations at once exactly one secret works afterwards', async () => {
  const setup = await setUp();
  const { keys, accountId, actor } = setup;
  const { key, secret } = await keys.createKey(request(setup));

  const renewed = await Promise.all([1, 2].map(() => keys.regenerateKey({ accountId, keyId: key.id, actor })));

  const works = await Promise.all(
    [secret, ...renewed.map((renewal) => renewal.secret)].map((presented) => keys.authenticate(presented)),
  );
  expect(works.filter((caller) => caller !== undefined)).toHaveLength(1);
  expect(works[0]).toBeUndefined();
});

test('a deleted key is gone with its usage, at once and for good', async () => {
  const setup = await setUp();
  const { keys, accountId, actor } = setup;
  const { key, secret } = await keys.createKey(request(setup));
  await keys.authenticate(secret);
  keys.count(key.id, 'code-tool', START);
  await keys.flush();
  const dead: string[] = [];
  keys.onDead((keyId) => dead.push(keyId));

  await keys.deleteKey({ accountId, keyId: key.id, actor });

  expect(dead).toEqual([key.id]);
  expect(await keys.authenticate(secret)).toBeUndefined();
  expect(await keys.listKeys(accountId)).toEqual([]);
  await expect(keys.keyUsage(accountId, key.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(keys.deleteKey({ accountId, keyId: key.id, actor })).rejects.toMatchObject({ code: 'not_found' });
  await expect(keys.regenerateKey({ accountId, keyId: key.id, actor })).rejects.toMatchObject({ code: 'not_found' });
});

test('an expired key does not authenticate, can only be deleted, and says so', async () => {
  const setup = await setUp();
  const { keys, accountId, actor, clock } = setup;
  const { key, secret } = await keys.createKey({ ...request(setup), expires: '2026-11-22' });
  const dead: string[] = [];
  keys.onDead((keyId) => dead.push(keyId));

  clock.now = new Date('2026-11-21T23:59:59.999Z');
  expect(await keys.authenticate(secret)).toMatchObject({ keyId: key.id });
  clock.now = new Date('2026-11-22T00:00:00.000Z');
  expect(await keys.authenticate(secret)).toBeUndefined();
  await keys.tick();
  await keys.tick();

  expect(dead).toEqual([key.id]);
  expect(await keys.authenticate(secret)).toBeUndefined();
  expect(await keys.listKeys(accountId)).toMatchObject([{ status: 'expired' }]);
  await expect(keys.regenerateKey({ accountId, keyId: key.id, actor })).rejects.toMatchObject({
    code: 'conflict',
    message: 'The API key "ci" expired at 2026-11-22T00:00:00.000Z; it can only be deleted.',
  });
  await keys.deleteKey({ accountId, keyId: key.id, actor });
  expect(await keys.listKeys(accountId)).toEqual([]);
});

test('every change is in the audit log, with who did it', async () => {
  const setup = await setUp();
  const { keys, accountId, actor, db } = setup;

  const { key } = await keys.createKey({ ...request(setup), expires: '2027-01-01' });
  await keys.regenerateKey({ accountId, keyId: key.id, actor: `key:${key.id}` });
  await keys.deleteKey({ accountId, keyId: key.id, actor });

  const audit = (await listAudit(db, accountId, { limit: 10 })).filter((entry) => entry.target === key.id);
  expect(new Map(audit.map((entry) => [entry.action, entry.actor]))).toEqual(
    new Map([
      ['api_key.create', actor],
      ['api_key.delete', actor],
      ['api_key.regenerate', `key:${key.id}`],
    ]),
  );
  expect(audit.find((entry) => entry.action === 'api_key.create')?.detail).toEqual({
    name: 'ci',
    product_id: setup.productId,
    scopes: ['read', 'decisions:write', 'plans:write', 'scrape'],
    expires_at: '2027-01-01T00:00:00.000Z',
  });
});

test('another account can neither regenerate, delete nor inspect a key', async () => {
  const setup = await setUp();
  const { accountId, actor } = await setUp();
  const { key, secret } = await setup.keys.createKey(request(setup));
  const foreign = { accountId, keyId: key.id, actor };

  await expect(setup.keys.regenerateKey(foreign)).rejects.toMatchObject({ code: 'not_found' });
  await expect(setup.keys.deleteKey(foreign)).rejects.toMatchObject({ code: 'not_found' });
  await expect(setup.keys.keyUsage(accountId, key.id)).rejects.toMatchObject({ code: 'not_found' });

  expect(await setup.keys.authenticate(secret)).toMatchObject({ keyId: key.id });
});

test('a key is bound to a product of its own account, by id or by name', async () => {
  const setup = await setUp();
  const stranger = await testAccount();

  expect((await setup.keys.createKey({ ...request(setup), product: 'default' })).key.productId).toBe(setup.productId);
  await expect(setup.keys.createKey({ ...request(setup), product: stranger.productId })).rejects.toMatchObject({
    code: 'not_found',
    message: `There is no product "${stranger.productId}".`,
    fix: 'Name one of: default.',
  });
});

test('a key that cannot be made leaves no trace', async () => {
  const setup = await setUp();

  for (const wrong of [{ name: ' ' }, { expires: '2020-01-01' }, { scopes: ['all'] }]) {
    await expect(setup.keys.createKey({ ...request(setup), ...wrong })).rejects.toMatchObject({ code: 'bad_argument' });
  }

  expect(await setup.keys.listKeys(setup.accountId)).toEqual([]);
});

test('a person has 10 keys at most and an account 50, however many are made at once; an owner always one more', async () => {
  const setup = await setUp();
  const { keys, accountId } = setup;
  const make = (actor: Actor, count: number): Promise<string[]> => refusals(setup, actor, count);
  const members = await Promise.all(Array.from({ length: 6 }, () => testPerson(setup, 'member', new Date())));
  const [first = setup.actor, ...others] = members.map(({ who }): Actor => `person:${who.personId}`);

  expect(await make(first, 12)).toEqual(
    Array.from({ length: 2 }, () => 'The person for whom this key is made has 10 API keys, the most that are allowed.'),
  );
  const refused: string[] = [];
  for (const actor of others) refused.push(...(await make(actor, 9)));
  expect(refused).toEqual(Array.from({ length: 5 }, () => 'The account has 50 API keys, the most that are allowed.'));
  expect(await make(setup.actor, 2)).toEqual([]);
  await keys.changeKeyLimits(accountId, setup.actor, { account: 53, person: 11 });
  expect(await make(first, 2)).toHaveLength(1);
  expect(await keys.listKeys(accountId)).toHaveLength(53);
  expect(await keys.keyLimits(accountId)).toEqual({ account: 53, person: 11, product: 53 });
});

/** Messages of the refusals when so many keys are requested at once. */
async function refusals(setup: Setup, actor: Actor, count: number): Promise<string[]> {
  const creations = Array.from({ length: count }, () => setup.keys.createKey({ ...request(setup), actor }));
  const made = await Promise.allSettled(creations);
  return made.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []));
}

test.each(['', 'ci', "' or true --", '0190B5B4-0000-7000-8000-000000000000'])('%j is no id of a key', async (keyId) => {
  const { keys, accountId, actor } = await setUp();

  await expect(keys.deleteKey({ accountId, keyId, actor })).rejects.toMatchObject({ code: 'not_found' });
  await expect(keys.keyUsage(accountId, keyId)).rejects.toMatchObject({ code: 'not_found' });
});

test('requests are limited per key, and failures per address', async () => {
  const { keys, clock } = await setUp();

  const burst = Array.from({ length: 601 }, () => keys.take('a'));
  expect(burst.filter((allowance) => allowance.allowed)).toHaveLength(600);
  expect(burst[600]).toMatchObject({ allowed: false, limit: 600, remaining: 0, retryAfterSeconds: 1 });
  expect(keys.take('b').allowed).toBe(true);

  const failures = Array.from({ length: 70 }, () => keys.allowFailure('192.0.2.1'));
  expect(failures.filter(Boolean)).toHaveLength(60);
  expect(keys.allowFailure('192.0.2.2')).toBe(true);
  clock.now = new Date(START.getTime() + 60_000);
  expect(keys.allowFailure('192.0.2.1')).toBe(true);
});

test('closing writes what was counted', async () => {
  const account = await testAccount();
  const keys = await openKeys(account.database, () => START, { onFault: () => {} });
  const { key, secret } = await keys.createKey({ ...account, product: 'default', name: 'ci' });
  await keys.authenticate(secret);
  for (let counted = 0; counted < 25; counted += 1) keys.count(key.id, 'code-tool', START);

  await keys.close();

  const others = await openTestKeys(account);
  expect(await others.keyUsage(account.accountId, key.id)).toMatchObject({ total: 25, today: 25 });
});

test('a renamed key keeps its value, and the audit log knows both names', async () => {
  const setup = await setUp();
  const { keys, accountId, actor, clock } = setup;
  const { key, secret } = await keys.createKey(request(setup));
  clock.now = new Date(START.getTime() + 1_000);

  const renamed = await keys.renameKey({ accountId, keyId: key.id, actor }, '  release script ');

  expect(renamed).toEqual({ ...key, name: 'release script' });
  expect((await keys.listKeys(accountId)).map(({ name }) => name)).toEqual(['release script']);
  expect(await keys.authenticate(secret)).toMatchObject({ accountId });
  expect(await listAudit(setup.db, accountId, { limit: 1 })).toMatchObject([
    { action: 'api_key.rename', target: key.id, detail: { name: 'release script', former_name: 'ci' } },
  ]);
  await expect(keys.renameKey({ accountId, keyId: key.id, actor }, ' ')).rejects.toMatchObject({
    code: 'bad_argument',
  });
  const stranger = await testAccount();
  await expect(keys.renameKey({ accountId: stranger.accountId, keyId: key.id, actor }, 'x')).rejects.toMatchObject({
    code: 'not_found',
  });
});

/** A key with a second value, the first of which works for a while; what was told dead is noted by its `secretId`. */
async function regenerateKey(setup: Setup, grace: '1h' | '24h' | '7d', expires?: string) {
  const { keys, accountId, actor } = setup;
  const { key, secret } = await keys.createKey({ ...request(setup), expires });
  const former = await keys.authenticate(secret);
  const keyRequest = { accountId, keyId: key.id, actor };
  const renewed = await keys.regenerateKey(keyRequest, grace);
  const present = await keys.authenticate(renewed.secret);
  const dead: string[] = [];
  keys.onDead((_keyId, secretId) => dead.push(secretId));
  return { keyRequest, secret, renewed, former: former?.secretId, present: present?.secretId, dead };
}

test('with a grace period both values work until it ends, and then only what the former opened ends', async () => {
  const setup = await setUp();
  const { keys, accountId, clock, db } = setup;

  const { keyRequest, secret, renewed, former, present, dead } = await regenerateKey(setup, '24h');

  const end = new Date(START.getTime() + DAY_MS);
  expect(renewed.key.graceEndsAt).toEqual(end);
  expect(former).not.toBe(present);
  clock.now = new Date(end.getTime() - 1);
  await keys.tick();
  expect(await keys.authenticate(secret)).toMatchObject({ keyId: keyRequest.keyId });
  expect(dead).toEqual([]);
  clock.now = end;
  expect(await keys.authenticate(secret)).toBeUndefined();
  await keys.tick();
  expect(dead).toEqual([former]);
  expect(await keys.authenticate(renewed.secret)).toMatchObject({ keyId: keyRequest.keyId });
  expect(await keys.listKeys(accountId)).toMatchObject([{ graceEndsAt: undefined }]);
  const audit = await listAudit(db, accountId, { limit: 10 });
  expect(audit.find(({ action }) => action === 'api_key.regenerate')?.detail).toEqual({
    name: 'ci',
    grace_ends_at: end.toISOString(),
  });
});

test('a grace period is ended by hand, once, by the next regeneration, and with the key', async () => {
  const setup = await setUp();
  const { keys, accountId, actor, db } = setup;
  const ended = await regenerateKey(setup, '7d');

  await keys.endGrace(ended.keyRequest);
  await keys.endGrace(ended.keyRequest);

  expect(ended.dead).toEqual([ended.former]);
  expect(await keys.authenticate(ended.secret)).toBeUndefined();
  expect(await keys.authenticate(ended.renewed.secret)).toMatchObject({ keyId: ended.keyRequest.keyId });
  const audit = await listAudit(db, accountId, { limit: 20 });
  expect(audit.filter(({ action }) => action === 'api_key.end_grace')).toMatchObject([
    { actor, detail: { name: 'ci' } },
  ]);

  const third = await keys.regenerateKey(ended.keyRequest, '1h');
  const fourth = await keys.regenerateKey(ended.keyRequest, '1h');
  const tries = [ended.renewed, third, fourth].map((value) => keys.authenticate(value.secret));
  expect((await Promise.all(tries)).map((caller) => caller !== undefined)).toEqual([false, true, true]);

  await keys.deleteKey(ended.keyRequest);
  expect(await keys.authenticate(third.secret)).toBeUndefined();
  expect(await keys.authenticate(fourth.secret)).toBeUndefined();
  const { rows } = await sql`select from key_directory where key_id = ${ended.keyRequest.keyId}`.execute(db);
  expect(rows).toHaveLength(0);
});

test('a former value lives no longer than its key, and no other account ends its grace period', async () => {
  const setup = await setUp();
  const stranger = await testAccount();

  const { keyRequest, secret, renewed } = await regenerateKey(setup, '7d', '12h');

  expect(renewed.key.graceEndsAt).toEqual(renewed.key.expiresAt);
  const foreign = { ...keyRequest, accountId: stranger.accountId, actor: stranger.actor };
  await expect(setup.keys.endGrace(foreign)).rejects.toMatchObject({ code: 'not_found' });
  expect(await setup.keys.authenticate(secret)).toMatchObject({ keyId: keyRequest.keyId });
});
