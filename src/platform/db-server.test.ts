import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { checkServer, openServer } from './db-server.ts';

const source = inject('database');

test('a server that does not answer is one clear sentence without the password', async () => {
  const database = openServer({ url: 'postgres://me:secret@127.0.0.1:1/svc' });

  const error: unknown = await checkServer(database).catch((reason: unknown) => reason);

  expect(error).toMatchObject({ code: 'database_unavailable' });
  expect(String(error)).toMatch(/The PostgreSQL server of DATABASE_URL does not answer: .*ECONNREFUSED/);
  expect(String(error)).not.toContain('secret');
  await database.close();
});

test.runIf(source.kind === 'server')('a broken listening connection is noticed, told, and made again', async () => {
  const database = await testDatabase();
  const [heard, live]: [string[], boolean[]] = [[], []];
  const stop = await database.listen(
    'broken',
    (payload) => heard.push(payload),
    (isLive) => live.push(isLive),
  );

  await database.execute(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen %' and pid <> pg_backend_pid()`);
  await expect.poll(() => live).toEqual([true, false, true]);
  await database.notify('broken', 'again');

  await expect.poll(() => heard).toEqual(['again']);
  await stop();
});

test.runIf(source.kind === 'server')('a query may not run for longer than 30 s', async () => {
  const { db } = await testDatabase();

  const settings = await sql`select current_setting('statement_timeout') as timeout`.execute(db);

  expect(settings.rows).toEqual([{ timeout: '30s' }]);
});
