import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbedded, type EmbeddedDatabase } from './embedded.ts';

/** The embedded database while its files change below it, and when its thread ends. */

let dataDir = '';
let database: EmbeddedDatabase;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-recovery-'));
  database = await openEmbedded({ dataDir });
  await database.execute('create table kept (n int)');
});
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true });
});

/** The log of the database under another name, so that its next commit cannot be put on the disk. */
function loseLog(): () => void {
  const log = join(dataDir, 'postgres/pg_wal');
  renameSync(log, `${log}.lost`);
  return () => renameSync(`${log}.lost`, log);
}

/** Ends the thread by a commit that cannot be made durable, and gives what that call was told. */
async function endThread(): Promise<unknown> {
  const restore = loseLog();
  const error = await failure(database.execute('insert into kept values (-1)'));
  restore();
  return error;
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

async function untilItAnswers(): Promise<void> {
  await expect.poll(() => failure(database.execute('select 1'))).toBe('no failure');
}

test('segments of the log are recycled again and again under commits, and none fails', async () => {
  const log = join(dataDir, 'postgres/pg_wal');
  const segments = (): string => readdirSync(log).toSorted().join();
  const names = new Set<string>();
  let written = 0;
  const done = new AbortController();
  const write = async (): Promise<void> => {
    while (!done.signal.aborted) await database.execute('insert into kept values ($1)', [(written += 1)]);
  };
  const writers = Promise.all([write(), write(), write(), write()]);

  for (let round = 1; round <= 40; round += 1) {
    await database.execute('select pg_switch_wal()');
    await (round % 2 === 0 ? database.execute('checkpoint') : database.maintain(Date.now() + round * 6 * 60_000));
    names.add(segments());
  }
  done.abort();
  await writers;

  expect(names.size).toBeGreaterThan(20);
  expect(await database.execute('select count(*) as count from kept where n > 0')).toEqual([{ count: written }]);
  expect(database.outage()).toBeUndefined();
});

test('a thread that ends is told, and opened again with all that was acknowledged', async () => {
  const [heard, live]: [string[], boolean[]] = [[], []];
  await database.listen(
    'news',
    (payload) => heard.push(payload),
    (isLive) => live.push(isLive),
  );
  await database.execute('insert into kept values (0)');

  const error = await endThread();
  const [first, second] = await Promise.all([
    failure(database.execute('select 1')),
    failure(database.execute('select 1')),
  ]);

  expect(error).toMatchObject({ code: 'database_unavailable', message: expect.stringContaining('stopped during') });
  expect(first).toMatchObject({
    code: 'database_unavailable',
    message: expect.stringContaining('is being opened again'),
  });
  // Whoever gets an error may write into it: a shared one would grow for ever.
  expect(first).not.toBe(second);
  expect(database.outage()).toMatchObject({ reason: expect.stringContaining('is being opened again') });
  await untilItAnswers();
  expect(database.outage()).toBeUndefined();
  const rows = await database.execute('select n from kept where n = 0');
  expect(rows).toEqual([{ n: 0 }]);
  await database.notify('news', 'again');
  await expect.poll(() => heard).toEqual(['again']);
  expect(live).toEqual([true, false, true]);
});

test('a transaction whose thread ended keeps nothing, and the rest of it is not run on its own', async () => {
  const ended = endThread();
  const transaction = database.db.transaction().execute(async (tx) => {
    await ended;
    await untilItAnswers();
    await sql`insert into kept values (-2)`.execute(tx);
  });

  await expect(transaction).rejects.toMatchObject({ code: 'database_unavailable' });
  await untilItAnswers();
  expect(await database.execute('select n from kept where n = -2')).toEqual([]);
});

test('an engine that gives up ends its thread instead of spinning in it, and is opened again', async () => {
  const restore = loseLog();

  // The next segment of the log cannot be made in the commit: a PANIC.
  const error = await failure(database.execute('select pg_switch_wal(); insert into kept values (-4)'));
  restore();

  expect(error).toMatchObject({
    code: 'database_unavailable',
    cause: { message: expect.stringMatching(/^The embedded database stopped: .*PANIC: {2}could not/s) },
  });
  await untilItAnswers();
  expect(await database.execute('select n from kept where n = -4')).toEqual([]);
});
