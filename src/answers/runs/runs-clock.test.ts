import { sql } from 'kysely';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { DAY_MS } from '../../kernel/time.ts';
import { createLog } from '../../platform/log.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import { testAccount } from '../../testing/account.ts';
import { ownDatabase } from '../../testing/database.ts';
import { Runs } from './runs.ts';

const opened: Runs[] = [];
afterEach(() => Promise.all(opened.splice(0).map((runs) => runs.close())));

/** Until the run is stopped. */
const stopped = async (signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted();
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
};

/** Runs that other tests left would be taken over first. */
const database = ownDatabase();
/** Each test is a day before the one before it, so that the runs it left are still held. */
let daysBack = 0;

/** Processes that share a clock, which stands still but for `pass`. */
async function openProcesses() {
  const { db, accountId, productId } = await testAccount(await database());
  const caller: Caller = { accountId, productId, keyId: 'k', scopes: ['read'] };
  daysBack += 1;
  let time = Date.now() - daysBack * DAY_MS;
  const open = (): Runs => {
    const runs = new Runs({ db, now: () => new Date(time), log: createLog('silent') });
    runs.define({ kind: 'hang', steps: [], run: ({ signal }) => stopped(signal) });
    opened.push(runs);
    return runs;
  };
  const holderOf = async (id: string): Promise<string | undefined> => {
    const { rows } = await sql<{ holder: string }>`
      select holder from workflow_run where account_id = ${accountId} and id = ${id}`.execute(db);
    return rows[0]?.holder;
  };
  return { caller, open, holderOf, pass: (ms: number) => void (time += ms) };
}

test('a run is taken over from a process that says nothing for twenty seconds, and not before', async () => {
  const { caller, open, holderOf, pass } = await openProcesses();
  const [first, second] = [open(), open()];
  // The first process says no more that it is there.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const id = await first.start(caller, 'hang', {});
  const holder = await holderOf(id);

  pass(19_000);
  await second.resumeAbandoned();
  expect(await holderOf(id)).toBe(holder);
  pass(2_000);
  await second.resumeAbandoned();
  expect(await holderOf(id)).not.toBe(holder);
});

test('a process that has the database alone goes on at once with what the one before it held, another one does not', async () => {
  const { caller, open, holderOf } = await openProcesses();
  const [first, replica, next] = [open(), open(), open()];
  const id = await first.start(caller, 'hang', {});
  const holder = await holderOf(id);

  using looks = new DisposableStack();
  looks.use(replica.resumeRegularly({ isAlone: false }));
  await replica.resumeAbandoned();
  expect(await holderOf(id)).toBe(holder);
  looks.use(next.resumeRegularly({ isAlone: true }));
  await expect.poll(() => holderOf(id)).not.toBe(holder);
});

test('a run is kept for thirty days', async () => {
  const { caller, open, pass } = await openProcesses();
  const runs = open();
  const id = await runs.start(caller, 'hang', {});
  const other = { ...caller, keyId: 'another' };

  pass(29.9 * DAY_MS);
  await runs.start(other, 'hang', {});
  expect(await runs.view(caller, id)).toMatchObject({ id });
  pass(0.2 * DAY_MS);
  await runs.start(other, 'hang', {});
  await expect(runs.view(caller, id)).rejects.toMatchObject({ code: 'run_not_found' });
});

test('a process takes over as many runs as it has turns: three', async () => {
  const { caller, open, holderOf, pass } = await openProcesses();
  const [first, second] = [open(), open()];
  const ids: string[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other, as a client asks for them
  for (let count = 0; count < 5; count += 1) ids.push(await first.start(caller, 'hang', {}));
  const holder = await holderOf(ids[0] ?? '');
  const left = async (): Promise<number> =>
    (await Promise.all(ids.map(holderOf))).filter((now) => now === holder).length;

  pass(21_000);
  await second.resumeAbandoned();
  expect(await left()).toBe(2);
  // Those it has are still at work.
  await second.resumeAbandoned();
  expect(await left()).toBe(2);
});
