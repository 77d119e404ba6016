import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Database, Db } from '../platform/db.ts';
import { testAccount, type TestAccount } from '../testing/account.ts';
import { openKeys, type Keys } from './keys.ts';
import { createSecret, hashSecret } from './token.ts';

const START = new Date('2026-11-21T10:00:00.000Z');

/** Controls of the connection between a replica and the database. */
interface Wire {
  queries: number;
  /** Called with every result before the replica sees it. */
  onResult: () => Promise<void>;
  tellConnection: (isLive: boolean) => void;
  /** While this is a list, messages wait in it. */
  held: string[] | undefined;
  deliver: (payload: string) => void;
}

interface Replica {
  keys: Keys;
  wire: Wire;
  clock: { now: Date };
  dead: string[];
}

/** A service process of its own on the account's database. */
async function openReplica({ database }: TestAccount): Promise<Replica> {
  const clock = { now: START };
  const wire: Wire = {
    queries: 0,
    onResult: async () => {},
    tellConnection: () => {},
    held: undefined,
    deliver: () => {},
  };
  const keys = await openKeys(watchDatabase(database, wire), () => clock.now, {
    onFault: (error) => {
      throw error;
    },
  });
  onTestFinished(() => keys.close());
  const dead: string[] = [];
  keys.onDead((keyId) => dead.push(keyId));
  return { keys, wire, clock, dead };
}

function watchDatabase(database: Database, wire: Wire): Database {
  const db: Db = database.db.withPlugin({
    transformQuery: ({ node }) => {
      wire.queries += 1;
      return node;
    },
    transformResult: async ({ result }) => {
      await wire.onResult();
      return result;
    },
  });
  return {
    db,
    kind: database.kind,
    execute: (text, values) => database.execute(text, values),
    listen: (channel, onMessage, onConnection) => {
      wire.tellConnection = (isLive) => onConnection?.(isLive);
      wire.deliver = onMessage;
      const receive = (payload: string): void => void (wire.held?.push(payload) ?? onMessage(payload));
      return database.listen(channel, receive, onConnection);
    },
    notify: (channel, payload) => database.notify(channel, payload),
    copy: database.copy,
    outage: () => database.outage(),
    writes: () => database.writes(),
    connections: () => database.connections(),
    close: () => database.close(),
  };
}

async function makeKey(
  account: TestAccount,
  { keys }: Replica,
  expires?: string,
): Promise<{ id: string; secret: string }> {
  const { key, secret } = await keys.createKey({ ...account, product: 'default', name: 'ci', expires });
  return { id: key.id, secret };
}

/** Changes the row without telling anybody, as a message that got lost would. */
async function deleteSilently({ db, accountId }: TestAccount, keyId: string): Promise<void> {
  await sql`delete from key_directory where key_id = ${keyId}`.execute(db);
  await sql`delete from api_key where account_id = ${accountId} and id = ${keyId}`.execute(db);
}

/** Resolves when the replica has been told of a death. */
function nextDeath({ keys }: Replica): Promise<string> {
  return new Promise((resolve) => {
    const stop = keys.onDead((keyId) => {
      stop();
      resolve(keyId);
    });
  });
}

test('a checked key costs no query for a minute, and at most a minute passes on what was not heard', async () => {
  const account = await testAccount();
  const replica = await openReplica(account);
  const { id, secret } = await makeKey(account, replica);
  await replica.keys.authenticate(secret);
  const before = replica.wire.queries;
  await deleteSilently(account, id);

  replica.clock.now = new Date(START.getTime() + 59_999);
  expect(await replica.keys.authenticate(secret)).toMatchObject({ keyId: id });
  expect(replica.wire.queries).toBe(before);
  replica.clock.now = new Date(START.getTime() + 60_000);
  expect(await replica.keys.authenticate(secret)).toBeUndefined();
});

test('garbage costs no query, and a well-formed secret that nobody has one in five seconds', async () => {
  const account = await testAccount();
  const { keys, wire, clock } = await openReplica(account);
  const before = wire.queries;

  for (const garbage of ['', 'svc_live_', 'x'.repeat(5000), `${createSecret()}x`, createSecret().toLowerCase()]) {
    expect(await keys.authenticate(garbage)).toBeUndefined();
  }
  expect(wire.queries).toBe(before);

  const secret = createSecret();
  for (let tries = 0; tries < 10; tries += 1) expect(await keys.authenticate(secret)).toBeUndefined();
  expect(wire.queries).toBe(before + 1);
  clock.now = new Date(START.getTime() + 5_000);
  await keys.authenticate(secret);
  expect(wire.queries).toBe(before + 2);
});

test('requests that come together share one read', async () => {
  const account = await testAccount();
  const { keys, wire } = await openReplica(account);
  const { id, secret } = await makeKey(account, { keys, wire, clock: { now: START }, dead: [] });
  const before = wire.queries;

  const callers = await Promise.all(Array.from({ length: 50 }, () => keys.authenticate(secret)));

  expect(callers.every((caller) => caller?.keyId === id)).toBe(true);
  expect(wire.queries).toBe(before + 2);
});

test('another replica refuses the former secret and is told once, whatever it opened with the new one stays', async () => {
  const account = await testAccount();
  const [here, there] = [await openReplica(account), await openReplica(account)];
  const { id, secret } = await makeKey(account, here);
  await there.keys.authenticate(secret);
  const died = nextDeath(there);

  const renewed = await here.keys.regenerateKey({ ...account, keyId: id });

  expect(await died).toBe(id);
  expect(await there.keys.authenticate(secret)).toBeUndefined();
  expect(await there.keys.authenticate(renewed.secret)).toMatchObject({ keyId: id });
  expect(await here.keys.authenticate(renewed.secret)).toMatchObject({ keyId: id });
  // A later message on the same channel has passed behind all earlier ones.
  const other = await makeKey(account, here);
  await here.keys.authenticate(other.secret);
  await there.keys.authenticate(other.secret);
  const otherDied = [nextDeath(here), nextDeath(there)];
  await there.keys.deleteKey({ ...account, keyId: other.id });
  expect(await Promise.all(otherDied)).toEqual([other.id, other.id]);
  expect(there.dead).toEqual([id, other.id]);
  expect(here.dead).toEqual([other.id]);
});

test('a change is in force here when its promise resolves, and its late message ends nothing that is new', async () => {
  const account = await testAccount();
  const [here, there] = [await openReplica(account), await openReplica(account)];
  const { id, secret } = await makeKey(account, here);
  await here.keys.authenticate(secret);
  await there.keys.authenticate(secret);
  here.wire.held = [];
  const heard = nextDeath(there);

  const renewed = await here.keys.regenerateKey({ ...account, keyId: id });
  expect(here.dead).toEqual([id]);
  expect(await here.keys.authenticate(secret)).toBeUndefined();
  await here.keys.authenticate(renewed.secret);
  await heard;
  expect(here.wire.held.filter((payload) => payload.startsWith(id))).toHaveLength(1);
  for (const payload of here.wire.held) here.wire.deliver(payload);
  here.wire.held = [];
  expect(here.dead).toEqual([id]);

  await here.keys.deleteKey({ ...account, keyId: id });
  expect(here.dead).toEqual([id, id]);
  expect(await here.keys.authenticate(renewed.secret)).toBeUndefined();
});

test('a replica that meets the new secret before the message ends what the former one opened', async () => {
  const account = await testAccount();
  const replica = await openReplica(account);
  const { id, secret } = await makeKey(account, replica);
  await replica.keys.authenticate(secret);
  const renewed = createSecret();
  await sql`update api_key set key_hash = ${hashSecret(renewed)} where account_id = ${account.accountId} and id = ${id}`.execute(
    account.db,
  );
  await sql`update key_directory set key_hash = ${hashSecret(renewed)} where key_id = ${id}`.execute(account.db);

  expect(await replica.keys.authenticate(renewed)).toMatchObject({ keyId: id });
  await replica.keys.authenticate(renewed);

  expect(replica.dead).toEqual([id]);
  expect(await replica.keys.authenticate(secret)).toBeUndefined();
});

test('a read that is overtaken by a deletion neither answers nor caches what it saw', async () => {
  const account = await testAccount();
  const replica = await openReplica(account);
  const { id, secret } = await makeKey(account, replica);
  const secondResult = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let results = 0;
  replica.wire.onResult = async () => {
    results += 1;
    if (results !== 2) return;
    // The second result is the key itself: it is held back until the key is gone.
    secondResult.resolve();
    await goOn.promise;
  };

  const slow = replica.keys.authenticate(secret);
  await secondResult.promise;
  await replica.keys.deleteKey({ ...account, keyId: id });
  goOn.resolve();

  expect(await slow).toBeUndefined();
  expect(await replica.keys.authenticate(secret)).toBeUndefined();
});

test('a read that is overtaken each time answers after five reads', async () => {
  const account = await testAccount();
  const replica = await openReplica(account);
  const { id, secret } = await makeKey(account, replica);
  replica.wire.onResult = async () => replica.wire.tellConnection(true);
  const before = replica.wire.queries;

  expect(await replica.keys.authenticate(secret)).toMatchObject({ keyId: id });
  expect(replica.wire.queries - before).toBe(10);
});

test('a key that can other things than before ends what was opened with it', async () => {
  const account = await testAccount();
  const replica = await openReplica(account);
  const { id, secret } = await makeKey(account, replica);
  await sql`update api_key set scopes = '{read,plans:write}' where id = ${id}`.execute(account.db);
  await replica.keys.authenticate(secret);
  await sql`update api_key set scopes = '{read,decisions:write}' where id = ${id}`.execute(account.db);

  expect(await replica.keys.deadAmong([id])).toEqual([id]);
});

test('while messages may be missed nothing in memory is trusted, and afterwards the dead are told of', async () => {
  const account = await testAccount();
  const replica = await openReplica(account);
  const [gone, survivor] = [await makeKey(account, replica), await makeKey(account, replica)];
  await replica.keys.authenticate(gone.secret);
  await replica.keys.authenticate(survivor.secret);

  replica.wire.tellConnection(false);
  await deleteSilently(account, gone.id);
  expect(await replica.keys.authenticate(gone.secret)).toBeUndefined();
  const before = replica.wire.queries;
  await Promise.all([replica.keys.authenticate(survivor.secret), replica.keys.authenticate(survivor.secret)]);
  expect(replica.wire.queries).toBe(before + 4);
  const died = nextDeath(replica);
  replica.wire.tellConnection(true);

  expect(await died).toBe(gone.id);
  expect(replica.dead).toEqual([gone.id]);
  await replica.keys.authenticate(survivor.secret);
  const cached = replica.wire.queries;
  await replica.keys.authenticate(survivor.secret);
  expect(replica.wire.queries).toBe(cached);
});

test('what was trusted before a silence is not trusted after it, not even at the first moment', async () => {
  const account = await testAccount();
  const replica = await openReplica(account);
  const { id, secret } = await makeKey(account, replica);
  await replica.keys.authenticate(secret);
  await deleteSilently(account, id);

  replica.wire.tellConnection(false);
  replica.wire.tellConnection(true);

  expect(await replica.keys.authenticate(secret)).toBeUndefined();
});

test('asked which keys are dead, the database decides: deleted, regenerated, expired and unknown ones', async () => {
  const account = await testAccount();
  const other = await testAccount();
  const [here, there] = [await openReplica(account), await openReplica(account)];
  const [gone, renewed, ended, survivor] = [
    await makeKey(account, here),
    await makeKey(account, here),
    await makeKey(account, here, '12h'),
    await makeKey(account, here),
  ];
  const foreign = await makeKey(other, here);
  for (const { secret } of [gone, renewed, ended, survivor, foreign]) await there.keys.authenticate(secret);
  await deleteSilently(account, gone.id);
  await sql`update api_key set key_hash = ${'0'.repeat(64)} where account_id = ${account.accountId} and id = ${renewed.id}`.execute(
    account.db,
  );
  there.clock.now = new Date(START.getTime() + 12 * 3_600_000);
  const before = there.wire.queries;

  const ids = [gone.id, renewed.id, ended.id, survivor.id, foreign.id, 'never-seen'];
  const dead = await there.keys.deadAmong(ids);

  expect(dead).toEqual([gone.id, renewed.id, ended.id, 'never-seen']);
  expect(there.dead.toSorted()).toEqual([gone.id, renewed.id, ended.id].toSorted());
  expect(there.wire.queries).toBe(before + 2);
});

test('a listener that was stopped hears nothing more', async () => {
  const account = await testAccount();
  const replica = await openReplica(account);
  const { id, secret } = await makeKey(account, replica);
  await replica.keys.authenticate(secret);
  const heard: string[] = [];
  replica.keys.onDead((keyId) => heard.push(keyId))();

  await replica.keys.deleteKey({ ...account, keyId: id });

  expect(replica.dead).toEqual([id]);
  expect(heard).toEqual([]);
});

test('another replica lets the former secret work to the end of its grace period, whatever message it missed', async () => {
  const account = await testAccount();
  const [here, there, deaf] = [await openReplica(account), await openReplica(account), await openReplica(account)];
  const { id, secret } = await makeKey(account, here);
  await there.keys.authenticate(secret);
  await deaf.keys.authenticate(secret);
  deaf.wire.held = [];
  const renewed = await here.keys.regenerateKey({ ...account, keyId: id }, '1h');
  // A later message on the same channel has passed behind all earlier ones.
  const other = await makeKey(account, here);
  await there.keys.authenticate(other.secret);
  const otherDied = nextDeath(there);
  await here.keys.deleteKey({ ...account, keyId: other.id });
  await otherDied;

  for (const { keys } of [there, deaf]) {
    expect(await keys.authenticate(secret)).toMatchObject({ keyId: id });
    expect(await keys.authenticate(renewed.secret)).toMatchObject({ keyId: id });
    expect(await keys.deadAmong([id])).toEqual([]);
  }
  for (const { keys, clock, dead } of [there, deaf]) {
    clock.now = new Date(START.getTime() + 3_600_000);
    await keys.tick();
    expect(dead.filter((keyId) => keyId === id)).toEqual([id]);
    expect(await keys.authenticate(secret)).toBeUndefined();
    expect(await keys.authenticate(renewed.secret)).toMatchObject({ keyId: id });
    expect(await keys.deadAmong([id])).toEqual([]);
  }
});
