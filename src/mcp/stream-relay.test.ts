import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import type { CancelledCall } from './running-calls.ts';
import { StreamRelay } from './stream-relay.ts';

const CALLER = { accountId: crypto.randomUUID(), keyId: crypto.randomUUID() } as Parameters<StreamRelay['pass']>[1];

/** A replica with streams, and what reached them. */
async function replica(sessionIds: readonly string[], takeMs?: number) {
  const database = await testDatabase();
  const faults: unknown[] = [];
  const relay = new StreamRelay(database, {
    onFault: (error) => faults.push(error),
    ...(takeMs !== undefined && { takeMs }),
  });
  const received: unknown[] = [];
  const cancelled = Promise.withResolvers<CancelledCall>();
  const streams = {
    has: (sessionId: string, keyId: string) => sessionIds.includes(sessionId) && keyId === CALLER.keyId,
    receive: (...message: unknown[]) => void received.push(message),
  };
  const stop = await relay.hear(streams, { cancel: (call) => cancelled.resolve(call) });
  return { relay, received, cancelled, faults, database, stop };
}

const newSession = (): string => randomBytes(24).toString('base64url');

test('messages reach the replica with the stream, in their order, whole and once', async () => {
  const session = newSession();
  const [first, second, third] = [await replica([]), await replica([session]), await replica([newSession()])];
  const messages = [{ id: 1, text: 'ü'.repeat(20_000) }, { id: 2 }];

  const passed = await Promise.all([
    first.relay.pass(session, CALLER, messages),
    third.relay.pass(session, CALLER, [{ id: 3 }]),
  ]);

  expect(passed).toEqual([true, true]);
  expect(second.received).toHaveLength(2);
  expect(second.received).toContainEqual([session, CALLER.keyId, messages]);
  expect([...first.received, ...third.received, ...second.faults]).toEqual([]);
  await Promise.all([first.stop(), second.stop(), third.stop()]);
});

test('a stream that no replica has, or that is of another key, is unknown, and nothing of the message stays', async () => {
  const session = newSession();
  const [first, second] = [await replica([], 50), await replica([session])];

  expect(await first.relay.pass(newSession(), CALLER, [{ id: 1 }])).toBe(false);
  expect(await first.relay.pass(session, { ...CALLER, keyId: crypto.randomUUID() }, [{ id: 1 }])).toBe(false);
  expect(second.received).toEqual([]);
  const { rows } = await sql`select 1 from mcp_message where account_id = ${CALLER.accountId}`.execute(
    first.database.db,
  );
  expect(rows).toEqual([]);
  await Promise.all([first.stop(), second.stop()]);
});

test('a replica that could not hear for a while takes what waits for it', async () => {
  const session = newSession();
  const first = await replica([]);
  const passing = first.relay.pass(session, CALLER, [{ id: 1 }]);
  // It listens only now, after the notice; or before it, when the database was slow.
  const second = await replica([session]);

  expect(await passing).toBe(true);
  expect(second.received).toEqual([[session, CALLER.keyId, [{ id: 1 }]]]);
  await Promise.all([first.stop(), second.stop()]);
});

test('a cancellation reaches every replica', async () => {
  const [first, second] = [await replica([]), await replica([])];
  const call = { keyId: CALLER.keyId, sessionId: 'one', requestId: '7' };
  first.relay.cancel(call);

  expect(await second.cancelled.promise).toEqual(call);
  await Promise.all([first.stop(), second.stop()]);
});
